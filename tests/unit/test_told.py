"""What notes tell is kept in columns: beside the index, and from one reading to the next."""

from __future__ import annotations

import json
import random
import shutil
from array import array
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from bench import data
from proofstone.domain.matching import sketch_of
from proofstone.domain.note_kinds import NoteKind
from proofstone.domain.records import Memory
from proofstone.vault import index, listing, rows, spoken, survey, told, unmade
from proofstone.vault.note_reader import NoteReader
from proofstone.vault.plain_note import plain_id
from proofstone.vault.told import KeptTold, Told, in_order
from proofstone.vault.vault import Vault

SIZE = 250
WORDS = ["Anchor", "Backup", "Cable", "Dock", "Engine", "Ferry", "Gate", "Harbor"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vaults") / "vault"
    data.write_vault(root, SIZE)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(listing, "YOUNG_NANOSECONDS", -(10**18))
    shutil.copytree(made, tmp_path / "vault")
    return tmp_path / "vault"


def answers(memories: Sequence[Memory]) -> tuple[object, ...]:
    return (
        list(survey.sketches(memories)),
        survey.count_unreviewed(memories),
        [memory.memory_id for memory in survey.in_title_order(memories)],
    )


def of_records(root: Path) -> tuple[object, ...]:
    return answers(tuple(Vault(root).read().holdings.memories))


def change(root: Path, chance: random.Random, number: int) -> None:
    """One note more, fewer, or another one."""
    notes = sorted((root / "knowledge").iterdir())
    title = " ".join(chance.choices(WORDS, k=2))
    match chance.randrange(4):
        case 0:
            chance.choice(notes).unlink()
        case 1:
            name = f"mem-{chance.randrange(30)}"
            review = chance.choice(["", 'ratified:\n  by: "M"\n  at: "x"\n  ruling: "y"\n'])
            header = f'title: "{title}"\nmemory_id: "{name}"\n{review}'
            body = chance.choice(["", f"\n{title}\n"])
            (root / f"knowledge/{name}.md").write_text(f"---\n{header}---\n{body}")
        case 2:
            note = chance.choice(notes)
            text = note.read_text()
            note.write_text(text.replace('title: "', f'title: "{chance.choice(WORDS)} ', 1))
        case _:
            # In another form than programs write: it is read with care.
            name = f"mem-care{number}"
            (root / f"knowledge/{name}.md").write_text(
                f"---\nmemory_id: {name}\ntitle: {title}\n---\n\nWords.\n"
            )


@pytest.mark.parametrize("seed", range(3))
def test_whatever_changes_kept_answers_are_those_of_records(root: Path, seed: int) -> None:
    chance = random.Random(seed)
    vault = Vault(root)
    for number in range(5):
        for step in range(chance.randrange(1, 6)):
            change(root, chance, 10 * number + step)
        expected = of_records(root)
        # One reading after the other, and one that begins with the index, if there is any.
        assert answers(vault.read().holdings.memories) == expected
        assert answers(Vault(root).read().holdings.memories) == expected
        if chance.random() < 0.6:
            index.update(root)
            assert answers(Vault(root).read().holdings.memories) == expected


def test_an_unchanged_vault_is_asked_nothing_and_a_changed_one_only_of_what_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.update(root)
    asked: list[bytes | None] = []
    raw = rows.RoomRows.raw

    def counted(self: rows.RoomRows, place: int) -> bytes | None:
        asked.append(raw(self, place))
        return asked[-1]

    monkeypatch.setattr(rows.RoomRows, "raw", counted)
    vault = Vault(root)
    memories = vault.read().holdings.memories
    assert len(list(survey.sketches(memories))) == SIZE
    assert survey.count_unreviewed(memories) == SIZE
    assert len(survey.in_title_order(memories)) == SIZE
    assert asked == []
    note = sorted((root / "knowledge").iterdir())[0]
    note.write_text(note.read_text().replace('title: "', 'title: "! ', 1))
    for reading in (vault, Vault(root)):
        asked.clear()
        memories = reading.read().holdings.memories
        assert survey.in_title_order(memories)[0].memory_id == note.stem
        # Its own title, and as many others as it takes to find its place among them.
        assert len(asked) <= 1 + SIZE.bit_length()


ODD = ('a "quoted" word', "back\\slash", "café 備份", "a|b", "x: y", "---", "standing: ", "", "|")


def test_any_plain_note_tells_what_its_record_tells(tmp_path: Path) -> None:
    chance = random.Random(11)
    reader = NoteReader()
    plain = 0
    for _ in range(400):

        def said(key: str) -> str:
            value = json.dumps(chance.choice(ODD), ensure_ascii=False)
            return f"{key}: {value}\n" if chance.random() < 0.6 else ""

        def listed(key: str) -> str:
            texts = json.dumps(chance.choices(ODD, k=chance.randrange(3)), ensure_ascii=False)
            return f"{key}: {texts}\n" if chance.random() < 0.6 else ""

        standing = chance.choice(["", 'standing: "active"\n', 'standing: "deprecated"\n'])
        header = (
            f'{said("title")}memory_id: "mem-a"\n{listed("tags")}{listed("scopes")}'
            f"{said('created')}{standing}{said('profile')}{said('rule_type')}"
            f"{said('normalized_key')}"
        )
        words = chance.choice(["", "\n", "\nstanding: no\nprofile: x\n", "\nOne 備份 two\n\n"])
        note = f"---\n{header}---\n{words}".encode()
        if not plain_id(NoteKind.MEMORY, note):
            continue
        plain += 1
        memory, problems = reader.read(NoteKind.MEMORY, note, "knowledge/mem-a.md")
        assert isinstance(memory, Memory)
        assert not problems
        assert unmade.Sketcher().sketch("mem-a", note) == sketch_of(memory)
        assert survey.title_of("mem-a", note) == (memory.title, "mem-a")
        assert survey.is_unreviewed(note) in (None, not memory.is_reviewed)
        assert unmade.words_of(note)[:2] == (memory.statement, memory.created)
        assert spoken.of_plain_note("mem-a", note) == spoken.of_record(memory)
    assert plain > 200


def test_a_purged_index_leaves_nothing_that_is_asked(root: Path) -> None:
    index.update(root)
    vault = Vault(root)
    answers(vault.read().holdings.memories)
    shutil.rmtree(root / "_index")
    sorted((root / "knowledge").iterdir())[0].unlink()
    expected = of_records(root)
    assert answers(Vault(root).read().holdings.memories) == expected
    assert answers(vault.read().holdings.memories) == expected


def section(root: Path) -> tuple[bytes, int, int]:
    found = index.VaultIndex.open(root)
    assert found is not None
    start, length, _ = found._table.told
    room = found.rooms[index.NoteKind.MEMORY]
    return (root / index.PATH).read_bytes()[start : start + length], len(room.states), room.first


def test_whatever_is_damaged_is_as_if_it_were_not_there(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.update(root)
    expected = of_records(root)
    whole = section(root)[0]
    file = root / index.PATH
    written = file.read_bytes()
    file.write_bytes(written.replace(whole, bytes(byte ^ 1 for byte in whole)))
    found = index.VaultIndex.open(root)
    assert found is not None
    assert found.told() is None
    assert answers(Vault(root).read().holdings.memories) == expected
    # It is written anew, though no note changed.
    assert index.update(root)
    assert section(root)[0] == whole
    assert not index.update(root)
    # So it is where another Unicode, or another rule, told what is kept.
    monkeypatch.setattr(told, "RULES", "0 other")
    assert answers(Vault(root).read().holdings.memories) == expected
    assert index.update(root)
    assert not index.update(root)


def test_whatever_a_section_says_it_is_one_or_refused(root: Path) -> None:
    index.update(root)
    whole, places, first = section(root)
    assert KeptTold.decoded(whole, places, first).encoded() == whole
    chance = random.Random(5)
    refused = 0
    for _ in range(400):
        changed = bytearray(whole)
        at = chance.choice([chance.randrange(28), chance.randrange(len(whole))])
        changed[at] = chance.choice([0, 1, 255, chance.randrange(256)])
        cut = chance.choice([len(whole)] * 3 + [chance.randrange(len(whole))])
        try:
            found = KeptTold.decoded(bytes(changed[:cut]), places, first)
        except ValueError:
            refused += 1
            continue
        assert len(found.told.flags) == len(found.numbers) == places
        assert sorted(found.told.order) == [at for at, flag in enumerate(found.told.flags) if flag]
        assert all(found.keys[number] for number in found.numbers)
    assert 0 < refused < 400


def test_places_move_with_their_notes() -> None:
    before = Told(bytes([1, 5, 0, 1]), array("I", [3, 0, 1]))
    assert before.moved(range(4)) is before
    after = before.moved([-1, 3, 1])
    assert after == Told(bytes([0, 1, 5]), array("I", [1, 2]))


@pytest.mark.parametrize("many", [1, 40])
def test_new_titles_find_their_places_few_or_many(many: int) -> None:
    chance = random.Random(many)
    titles = [(chance.choice(WORDS), str(place)) for place in range(60 + many)]
    order = array("I", sorted(range(60), key=titles.__getitem__))
    fresh = [(titles[place], place) for place in range(60, 60 + many)]
    found = in_order(order, fresh, titles.__getitem__)
    assert list(found) == sorted(range(60 + many), key=titles.__getitem__)


def test_another_rule_for_what_notes_tell_needs_another_number() -> None:
    """When this fails, raise the number in ``told.RULES`` and take the new digest here."""
    sketcher = unmade.Sketcher()
    said: list[str] = []
    for tags, text in (
        ('["workflow", "Naïve CAFÉ"]', "x"),
        ("[]", "The night's v2.10 build, naïve CAFÉ; ÉCOLE use 備份到主節點 バックアップ"),
        ('["supersedes:mem-a", "½"]', "สำรอง"),
    ):
        note = f'---\ntitle: "T"\nmemory_id: "m"\ntags: {tags}\n---\n\n{text}\n'.encode()
        said += [*map(str, sketcher.sketch("m", note)), str(survey.is_unreviewed(note))]
    assert told.RULES.startswith("1 ")
    assert sha256("\n".join(said).encode()).hexdigest()[:16] == "fea8bf7ff2c05314"
