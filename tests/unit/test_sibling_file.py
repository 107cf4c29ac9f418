"""The index of siblings on disk: taken over where nothing changed, and trusted in nothing else."""

from __future__ import annotations

import random
import shutil
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from proofstone.curation.context import Context
from proofstone.curation.first_look import StagedOpening
from proofstone.curation.workspace import Workspace
from proofstone.domain import sibling_index, sibling_postings
from proofstone.domain.sibling_tokens import tokens
from proofstone.tui.opening import ReadingGoesOn, read_in_stages
from proofstone.vault import first_look, index, listing, sibling_file
from tests.kept_siblings import answers, assert_as_made_anew, keep, made_anew, memories_of

DEMO = Path(__file__).parents[2] / "demo-vault"
CONTEXT = Context(clock=lambda: datetime(2026, 11, 27, tzinfo=UTC), author="Mira Tal")
HEAD = len(sibling_file._MAGIC) + 32


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(DEMO, tmp_path / "vault", ignore=shutil.ignore_patterns("_index"))
    return tmp_path / "vault"


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of texts that are put into an index one by one."""
    ids: list[str] = []
    put = sibling_index.SiblingIndex._put

    def counted(self: sibling_index.SiblingIndex, id: str, text: str, order: str) -> None:
        ids.append(id)
        put(self, id, text, order)

    monkeypatch.setattr(sibling_index.SiblingIndex, "_put", counted)
    return ids


def taken(root: Path) -> sibling_file.TakenOver | None:
    return sibling_file.take_over(root, memories_of(root))


def signed(root: Path, body: bytes) -> None:
    """Write what somebody made up, with the digest that belongs to it."""
    data = sibling_file._MAGIC + sha256(body).digest() + body
    (root / sibling_file.PATH).write_bytes(data)


def test_an_unchanged_vault_has_its_siblings_without_a_text_being_read(
    root: Path, added: list[str]
) -> None:
    keep(root)
    added.clear()
    found = taken(root)
    assert found is not None
    assert found.is_current
    assert added == []
    assert assert_as_made_anew(root)
    assert not keep(root)


def test_only_what_changed_is_read(root: Path, added: list[str]) -> None:
    keep(root)
    edited, removed = sorted((root / "knowledge").iterdir())[:2]
    edited.write_bytes(edited.read_bytes() + b"And more.\n")
    removed.unlink()
    (root / "knowledge/mem-new.md").write_bytes(b'---\nmemory_id: "mem-new"\n---\n\nNew.\n')
    added.clear()
    found = taken(root)
    assert found is not None
    assert not found.is_current
    assert sorted(added) == sorted([edited.stem, "mem-new"])
    assert removed.stem not in found.siblings
    assert assert_as_made_anew(root)
    # And so it is when that was written down.
    assert keep(root)
    added.clear()
    assert assert_as_made_anew(root)
    found = taken(root)
    assert found is not None
    assert found.is_current


def test_few_changes_are_brought_in_again_instead_of_writing_all(
    root: Path, added: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "WORTHWHILE", 1)
    monkeypatch.setattr(listing, "YOUNG_NANOSECONDS", -(10**18))
    monkeypatch.setattr(sibling_file, "FEW_BEHIND", 2)
    monkeypatch.setattr("proofstone.curation.assessing.FEW_BEHIND", 2)

    def written() -> int:
        """Open and close the vault as the workbench does; the siblings' number in its folder."""
        workspace = Workspace.open(root, CONTEXT)
        workspace.prepare()
        workspace.keep_index()
        assert assert_as_made_anew(root)
        # A newer view of what is kept has nothing to write either.
        assert workspace.reload().assessor.siblings_to_keep() is None
        return (root / sibling_file.PATH).stat().st_ino

    def edit(note: Path) -> str:
        note.write_bytes(note.read_bytes() + b"And more.\n")
        return note.stem

    notes = sorted((root / "knowledge").iterdir())
    first = written()
    one = edit(notes[0])
    assert written() == first
    added.clear()
    found = taken(root)
    assert found is not None
    assert (found.behind, found.has_gone, added) == (2, False, [one])
    # One more is too many to be brought in time and again.
    edit(notes[1])
    second = written()
    assert second != first
    found = taken(root)
    assert found is not None
    assert found.is_current
    # The words of a note that is gone leave the file at the next writing.
    notes[2].unlink()
    found = taken(root)
    assert found is not None
    assert (found.behind, found.has_gone) == (1, True)
    assert written() != second


def test_a_view_counts_what_the_file_does_not_tell(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "WORTHWHILE", 1)
    monkeypatch.setattr(listing, "YOUNG_NANOSECONDS", -(10**18))
    monkeypatch.setattr("proofstone.curation.assessing.FEW_BEHIND", 2)
    workspace = Workspace.open(root, CONTEXT)
    workspace.prepare()
    assert workspace.assessor.siblings_to_keep() is not None
    workspace.keep_index()
    assert workspace.assessor.siblings_to_keep() is None
    notes = sorted((root / "knowledge").iterdir())
    for note, is_enough in zip(notes, (False, False, True), strict=False):
        note.write_bytes(note.read_bytes() + b"And more.\n")
        workspace = workspace.reload()
        assert (workspace.assessor.siblings_to_keep() is not None) == is_enough
    workspace.keep_index()
    notes[5].unlink()
    workspace = workspace.reload()
    assert workspace.assessor.siblings_to_keep() is not None


def test_whatever_is_edited_the_file_finds_what_an_index_made_anew_finds(root: Path) -> None:
    chance = random.Random(9)
    texts = [said.statement for said in memories_of(root)]
    (root / "knowledge/sub").mkdir()
    uses = 0
    for number in range(12):
        notes = sorted((root / "knowledge").rglob("*.md"))
        for note in chance.sample(notes, 3):
            text = " ".join(chance.sample(texts, 2))
            standing = chance.choice(["active", "invalidated"])
            match chance.randrange(3):
                case 0:
                    note.unlink()
                case 1:
                    name = f"{chance.choice(['', 'sub/'])}mem-{number}"
                    header = f'memory_id: "mem-{number}"\nstanding: "{standing}"'
                    (root / f"knowledge/{name}.md").write_text(f"---\n{header}\n---\n\n{text}\n")
                case _:
                    note.write_bytes(note.read_bytes() + text.encode() + b"\n")
        uses += assert_as_made_anew(root)
        if chance.random() < 0.5:
            keep(root)
    assert uses > 5


def test_a_file_of_mostly_other_texts_is_left_alone(root: Path) -> None:
    keep(root)
    notes = sorted((root / "knowledge").iterdir())
    for note in notes[: len(notes) // 3]:
        note.write_bytes(note.read_bytes() + b"And more.\n")
    assert taken(root) is None


def test_files_that_were_just_written_are_not_relied_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = memories_of(root)
    writer = sibling_file.writer_of(memories, made_anew(memories).picture())
    assert writer is not None
    later = time.time_ns() + 60 * 10**9
    # They were young when they were read, or they are when the file is written.
    index.update(root, beside={sibling_file.PATH: writer}, now=lambda: later)
    assert not (root / sibling_file.PATH).exists()
    monkeypatch.setattr(listing, "YOUNG_NANOSECONDS", -(10**18))
    memories = memories_of(root)
    writer = sibling_file.writer_of(memories, made_anew(memories).picture())
    assert writer is not None
    monkeypatch.undo()
    index.update(root, beside={sibling_file.PATH: writer})
    assert not (root / sibling_file.PATH).exists()
    assert index.update(root, beside={sibling_file.PATH: writer}, now=lambda: later)
    assert (root / sibling_file.PATH).exists()


def test_whatever_a_file_says_with_a_good_digest_it_breaks_nothing(root: Path) -> None:
    keep(root)
    body = (root / sibling_file.PATH).read_bytes()[HEAD:]
    texts = [memory.statement for memory in memories_of(root)]
    memories = memories_of(root)
    chance = random.Random(4)
    used = 0
    for _ in range(150):
        changed = bytearray(body)
        for _ in range(chance.randrange(1, 4)):
            # Numbers of the head and of the parts, rather than letters of words.
            place = chance.choice([chance.randrange(28), chance.randrange(len(body))])
            changed[place] = chance.choice([0, 1, 255, chance.randrange(256)])
        cut = chance.choice([len(changed)] * 3 + [chance.randrange(len(changed))])
        signed(root, bytes(changed[:cut]))
        found = sibling_file.take_over(root, memories)
        if found is not None:
            used += 1
            answers(found.siblings, texts[:4])
            found.siblings.add("mem-new", texts[0])
            found.siblings.remove("mem-new")
    assert 0 < used < 150


@pytest.mark.parametrize(
    "rows",
    [(1 << 60, 2**32 - 1, 2**63, 1), (1 << 60, 40, 2**40, 2**40), (0, 0, 0, 0), (1, 1, 0, 0)],
)
def test_lengths_are_compared_with_the_file_before_anything_is_made(
    root: Path, rows: tuple[int, int, int, int]
) -> None:
    keep(root)
    memories = memories_of(root)
    signed(root, sibling_file._ROWS.pack(*rows))
    tracemalloc.start()
    assert sibling_file.take_over(root, memories) is None
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_file_that_is_too_large_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(root)
    monkeypatch.setattr(sibling_file, "MAX_SIBLINGS_BYTES", 1_000)
    assert taken(root) is None


def test_a_token_that_two_processes_shelve_alike_is_found_in_both(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(root)
    monkeypatch.setattr(sibling_postings, "_divisor", lambda: (1 << 60) + 12_345)
    assert assert_as_made_anew(root)


def test_another_rule_for_tokens_needs_another_number_in_the_file() -> None:
    """When this fails, raise the number in ``sibling_file._MAGIC`` and take the new digest here."""
    text = (
        "The night's v2.10 build_x, naïve CAFÉ; ÉCOLE 備份到主節點 バックアップ 백업하다 สำรอง ½ x"
    )
    said = "\n".join(sorted(tokens(text)))
    assert sibling_file._MAGIC.startswith(b"proofstone siblings 1, Unicode ")
    assert sha256(said.encode()).hexdigest()[:16] == "50e9e13abdc3aac5"


class Held:
    """A vault that is opened again and again as the workbench does, all of it worth an index."""

    def __init__(self, root: Path, tell: Callable[[object], object]) -> None:
        self._root = root
        self._tell = tell

    def open(self) -> Workspace:
        opening = StagedOpening(self._root, CONTEXT)
        page = opening.first_page()
        assert page is not None
        workspace = read_in_stages(opening, opening.first_look(page), self._tell)
        workspace.keep_index()
        return workspace


def test_the_workbench_makes_the_index_once_and_tells_how_far_it_is(
    root: Path, added: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "WORTHWHILE", 1)
    monkeypatch.setattr(first_look, "WORTHWHILE", 1)
    monkeypatch.setattr(listing, "YOUNG_NANOSECONDS", -(10**18))
    monkeypatch.setattr(sibling_index, "_TOLD_EVERY", 8)
    monkeypatch.setattr("proofstone.tui.opening.STEP", 8)
    told: list[object] = []
    held = Held(root, told.append)
    held.open()
    comparing = [one.told for one in told if isinstance(one, ReadingGoesOn) and "with" in one.told]
    memories = len(memories_of(root))
    assert comparing == [f"comparing with {done} of {memories} memories…" for done in (8, 16)]
    assert (root / sibling_file.PATH).exists()
    added.clear()
    told.clear()
    workspace = held.open()
    assert not set(added) & {memory.memory_id for memory in workspace.holdings.memories}
    assert not [one for one in told if isinstance(one, ReadingGoesOn) and "with" in one.told]
    # What was handed to a newer view, or is on disk already, is not written by this one.
    assert workspace.assessor.siblings_to_keep() is None
    edited = next((root / "knowledge").iterdir())
    edited.write_bytes(edited.read_bytes() + b"And more.\n")
    newer = workspace.reload()
    assert workspace.assessor.siblings_to_keep() is None
    assert newer.knows_siblings
    assert newer.keep_index()
    assert assert_as_made_anew(root)
