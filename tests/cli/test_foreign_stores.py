"""Other programs' stores by command: every ruling they can take, undone byte for byte."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from proofstone.domain.plan import FileChange
from proofstone.vault import transaction
from tests.conftest import Proofstone, contents
from tests.pi_checker import faults, lines, records

SAMPLES = Path(__file__).parent.parent / "data" / "stores"
AS = ("--as", "Mira Tal")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own."""
    folder = tmp_path / "state"
    monkeypatch.setenv("PROOFSTONE_STATE", str(folder))
    return folder


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "pi", tmp_path / "pi"))


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "claude-memory", tmp_path / "memory"))


KNOT, BUOY, HULL, ODD = (f"cap_2026101{n}" for n in ("0_knot", "0_buoy", "3_hull", "5_odd"))
META = "meta_9f8e7d6c5b4a"
ROPE, TIDE, FOG, SAIL = (
    f"mem_{n}" for n in ("20261002_rope", "20261003_tide", "20261006_fog", "20261009_sail")
)
KEEL = "mem_20260901_keel"
WHY = ("--reason", "seen by a person")

PI_RULINGS = {
    "ratify": ("ratify", KNOT, *WHY),
    "ratify what waits in a patch": ("ratify", HULL, *WHY),
    "ratify into another": ("ratify", ODD, "--target", FOG, *WHY),
    "ratify L1": ("ratify", META, "--confirm", META, *WHY),
    "defer": ("defer", KNOT, "--reason", "needs_owner", "--until", "2026-12-24", "--note", "ask"),
    "defer L1": ("defer", META, "--reason", "later"),
    "supersede": ("supersede", BUOY, "--target", ROPE, *WHY),
    "supersede two": ("supersede", BUOY, "--target", ROPE, "--target", SAIL, *WHY),
    "tombstone": ("tombstone", ODD, "--reason", "invalid"),
    "tombstone L1": ("tombstone", META, "--reason", "other"),
    "dismiss": ("dismiss", KNOT, "--reason", "no_future_value"),
    "dismiss L1": ("dismiss", META, "--reason", "no_future_value"),
    "confirm a memory": ("ratify", ROPE),
    "postpone a memory": ("defer", SAIL, "--until", "2027-01-01"),
    "replace a memory": ("supersede", TIDE, "--target", SAIL),
    "retire a memory": ("tombstone", ROPE, "--reason", "invalid"),
    "edit a memory": ("edit", ROPE, "--set", "statement=Use podman.", "--set", "tags=a,b"),
    "edit and move a memory": ("edit", ROPE, "--set", "scopes=project:Harbor Web"),
    "edit into a new file": ("edit", SAIL, "--set", "scopes=project:Ropes & Knots"),
    "edit out of a project": ("edit", SAIL, "--set", "scopes=domain:web", "--set", "kind=fact"),
    "edit exceptions": ("edit", ROPE, "--set", "known_exceptions=on Sundays"),
    "take from L1": ("edit", KEEL, "--set", "layer=L2"),
    "contest a memory": ("contest", ROPE, "--reason", "moved"),
    "end a contest": ("contest", TIDE, "--reason", "checked"),
    "a batch": ("dismiss", KNOT, ODD, HULL, "--reason", "no_future_value"),
    "a batch of ratifications": ("ratify", KNOT, ODD, "--target", "new", *WHY),
}


@pytest.mark.parametrize("name", PI_RULINGS)
def test_pi_takes_a_ruling_and_undo_gives_every_byte_back(
    name: str, pi: Path, proofstone: Proofstone
) -> None:
    action, *rest = PI_RULINGS[name]
    before = contents(pi)
    ruled = proofstone("rule", action, pi, *rest, *AS, "--json").json
    assert ruled["refused"] == []
    after = contents(pi)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    told = {change["path"] for change in ruled["changes"]}
    assert changed == {path for path in told if not path.startswith(".companion/")}
    assert faults(pi, SAMPLES / "pi") == []
    assert proofstone("log", pi, "--json").items[0]["action"] == action
    proofstone("undo", pi)
    assert contents(pi) == before
    proofstone("redo", pi)
    assert contents(pi) == after
    proofstone("undo", pi)
    assert contents(pi) == before
    assert not (pi / "_state").exists()


@pytest.mark.parametrize("name", PI_RULINGS)
def test_pi_lines_that_a_ruling_does_not_concern_stay(
    name: str, pi: Path, proofstone: Proofstone
) -> None:
    action, *rest = PI_RULINGS[name]
    proofstone("rule", action, pi, *rest, *AS)
    named = {part for part in rest if part.startswith(("cap_", "mem_", "meta_"))}
    for path in ("memory/L1.identity.jsonl", "memory/L2.playbooks.jsonl", "inbox/captured.jsonl"):
        present = lines(pi, path)
        for line in lines(SAMPLES / "pi", path):
            if not any(f'"id":"{one}"'.encode() in line for one in named):
                assert line in present


def test_what_a_ruling_was_is_seen_when_the_store_is_opened_again(
    pi: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "ratify", pi, KNOT, *WHY, *AS)
    proofstone("rule", "defer", pi, BUOY, "--reason", "needs_owner", "--until", "2026-12-24", *AS)
    proofstone("rule", "tombstone", pi, ODD, "--reason", "invalid", *AS)
    proofstone("rule", "ratify", pi, META, "--confirm", META, *WHY, *AS)
    (memory,) = proofstone("show", "memories", pi, "mem_20261010_knot", "--json").items
    assert memory["reviewed"]
    assert memory["review"]["next_review"] == "2027-02-25"
    (first,) = proofstone("show", "memories", pi, "mem_meta_9f8e7d6c5b4a", "--json").items
    assert (first["layer"], first["reviewed"]) == ("L1", True)
    status = {
        item["proposal_id"]: item for item in proofstone("show", "proposals", pi, "--json").items
    }
    assert status[KNOT]["status"] == "ratified"
    assert status[KNOT]["ruled"]["reason"] == WHY[1]
    assert status[BUOY]["status"] == "deferred"
    assert status[BUOY]["deferred"] == {"reason": "needs_owner", "until": "2026-12-24"}
    assert status[ODD]["status"] == "tombstoned"
    assert status[META]["status"] == "ratified"
    stones = proofstone("show", "tombstones", pi, "--json").items
    assert "mem_20261015_odd" in {stone["deleted_id"] for stone in stones}


def test_an_edited_memory_has_its_earlier_version_and_the_words_that_count(
    pi: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "edit", pi, ROPE, "--set", "statement=Use podman.", *AS)
    assert records(pi)[ROPE]["statement"] == "Use podman."
    (memory,) = proofstone("show", "memories", pi, ROPE, "--json").items
    assert memory["reviewed"]
    changed = (
        (pi / "memory/L2.playbooks.jsonl").read_bytes().replace(b"Use podman.", b"Use buildah.")
    )
    (pi / "memory/L2.playbooks.jsonl").write_bytes(changed)
    (memory,) = proofstone("show", "memories", pi, ROPE, "--json").items
    assert memory["statement"] == "Use buildah."
    assert not memory["reviewed"]


def test_what_another_hand_changed_since_is_not_written_over(
    pi: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "dismiss", pi, KNOT, "--reason", "no_future_value", *AS)
    captured = pi / "inbox/captured.jsonl"
    captured.write_bytes(captured.read_bytes() + b'{"id":"cap_new","text":"a late one"}\n')
    before = contents(pi)
    refused = proofstone("undo", pi, code=2)
    assert "inbox/captured.jsonl was changed since by another hand" in refused.err
    assert contents(pi) == before
    checked = proofstone("check", pi, "--json", code=None).items
    assert ("changed_by_another_hand", "inbox/captured.jsonl") in {
        (found["code"], found["path"]) for found in checked
    }
    proofstone("rule", "dismiss", pi, "cap_new", "--reason", "no_future_value", *AS)
    assert json.loads(lines(pi, "inbox/captured.jsonl")[-2])["status"] == "rejected"


def test_what_another_hand_changed_of_a_rulings_lines_is_shown(
    pi: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "edit", pi, ROPE, "--set", "statement=Use podman.", *AS)
    changed = pi / "memory/L2.playbooks.jsonl"
    changed.write_bytes(changed.read_bytes().replace(b"Use podman.", b"Use buildah."))
    refused = proofstone("undo", pi, "--show", code=2)
    assert "was changed since by another hand" in refused.err
    assert "Use podman." in refused.out + refused.err
    assert "The tide table" not in refused.out + refused.err


def test_an_object_that_holds_large_files_whole_is_undone_as_ever(
    pi: Path, state: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As versions before kept them."""
    before = contents(pi)

    def whole(changes: list[FileChange]) -> tuple[list[bytes], list[object]]:
        sides = [side for change in changes for side in (change.before, change.after)]
        return [side for side in sides if side is not None], []

    with monkeypatch.context() as earlier:
        earlier.setattr(transaction, "sparing", whole)
        proofstone("rule", "edit", pi, ROPE, "--set", "statement=Use podman.", *AS)
    (stored,) = state.glob("stores/*/_state/proofstone/objects/*")
    assert before["memory/L2.playbooks.jsonl"] in stored.read_bytes()
    assert proofstone("check", pi, "--json", code=None).items
    proofstone("undo", pi)
    assert contents(pi) == before


def test_a_ruling_keeps_no_more_of_a_large_file_than_its_lines(
    pi: Path, state: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "edit", pi, ROPE, "--set", "statement=Use podman.", *AS)
    (stored,) = state.glob("stores/*/_state/proofstone/objects/*")
    kept = stored.read_bytes()
    assert b"Use podman." in kept
    assert b"Build the harbor image with podman, not docker." in kept
    assert b"The tide table" not in kept


PI_REFUSALS = {
    "a candidate's edit": (("edit", KNOT, "--set", "statement=x"), "no place for a changed"),
    "a memory's title": (("edit", ROPE, "--set", "title=x"), "no place for title"),
    "a memory's trust": (
        ("edit", ROPE, "--set", "trust_class=user_correction"),
        "no place for trust_class",
    ),
    "an unknown rule type": (("edit", ROPE, "--set", "rule_type=habit"), "knows the rule types"),
    "an unknown kind": (("edit", ROPE, "--set", "kind=legend"), "knows the kinds"),
    "two scopes": (("edit", ROPE, "--set", "scopes=global,project:a"), "has one scope"),
    "a project without letters": (("edit", ROPE, "--set", "scopes=project:港"), "Latin letters"),
}


@pytest.mark.parametrize("name", PI_REFUSALS)
def test_pi_refuses_in_words_what_it_has_no_place_for(
    name: str, pi: Path, proofstone: Proofstone, state: Path
) -> None:
    (action, *rest), words = PI_REFUSALS[name]
    before = contents(pi)
    refused = proofstone("rule", action, pi, *rest, *AS, code=1)
    assert words in refused.err
    assert contents(pi) == before
    assert not state.exists()


def topic(claude: Path, proofstone: Proofstone, name: str) -> str:
    """The id of the memory in the topic file ``name``."""
    items = proofstone("show", "memories", claude, "--json").items
    return next(item["memory_id"] for item in items if item["anchor"].startswith(f"{name}:"))


FILES = (
    "user_role.md",
    "feedback_commits.md",
    "project_deploy_ko.md",
    "reference_unlinked.md",
    "no_header.md",
)
CLAUDE_RULINGS = {
    "confirm": ("ratify",),
    "postpone": ("defer", "--until", "2027-01-01"),
    "retire": ("tombstone", "--reason", "invalid"),
    "edit the words": ("edit", "--set", "statement=New words:\n\n- and a list"),
    "rename": ("edit", "--set", "title=A new name: [better]"),
}


@pytest.mark.parametrize(
    ("name", "file"), [(name, file) for name in CLAUDE_RULINGS for file in FILES]
)
def test_a_claude_folder_takes_a_ruling_and_undo_gives_every_byte_back(
    name: str, file: str, claude: Path, proofstone: Proofstone
) -> None:
    action, *rest = CLAUDE_RULINGS[name]
    subject = topic(claude, proofstone, file)
    before = contents(claude)
    proofstone("rule", action, claude, subject, *rest, *AS)
    after = contents(claude)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert changed <= {file, "MEMORY.md"}
    proofstone("undo", claude)
    assert contents(claude) == before
    proofstone("redo", claude)
    assert contents(claude) == after


def test_a_claude_folder_keeps_its_index_in_step(claude: Path, proofstone: Proofstone) -> None:
    index = (claude / "MEMORY.md").read_bytes()
    commits = topic(claude, proofstone, "feedback_commits.md")
    role = topic(claude, proofstone, "user_role.md")
    proofstone("rule", "edit", claude, commits, "--set", "title=One concern", *AS)
    renamed = index.replace(b"[Small commits]", b"[One concern]")
    assert (claude / "MEMORY.md").read_bytes() == renamed
    proofstone("rule", "tombstone", claude, role, "--reason", "invalid", *AS)
    gone = b"".join(line for line in renamed.splitlines(True) if b"user_role.md" not in line)
    assert (claude / "MEMORY.md").read_bytes() == gone
    assert not (claude / "user_role.md").exists()
    proofstone(
        "rule",
        "supersede",
        claude,
        commits,
        "--target",
        topic(claude, proofstone, "no_header.md"),
        *AS,
    )
    last = b"".join(line for line in gone.splitlines(True) if b"feedback_commits" not in line)
    assert (claude / "MEMORY.md").read_bytes() == last
    for _ in range(3):
        proofstone("undo", claude)
    assert contents(claude) == contents(SAMPLES / "claude-memory")


def test_what_a_claude_folder_has_no_place_for_is_kept_beside_it(
    claude: Path, proofstone: Proofstone, state: Path
) -> None:
    role = topic(claude, proofstone, "user_role.md")
    commits = topic(claude, proofstone, "feedback_commits.md")
    before = contents(claude)
    proofstone("rule", "ratify", claude, role, *AS)
    assert contents(claude) == before
    (memory,) = proofstone("show", "memories", claude, role, "--json").items
    assert memory["reviewed"]
    assert memory["ratified"]["by"] == "Mira Tal"
    assert memory["review"]["next_review"] == "2027-02-25"
    proofstone("rule", "tombstone", claude, commits, "--reason", "invalid", *AS)
    (stone,) = proofstone("show", "tombstones", claude, "--json").items
    assert (stone["deleted_id"], stone["reason"]) == (commits, "invalid")
    kept = [path for path in state.rglob("*") if path.is_file()]
    assert {oct(path.stat().st_mode & 0o777) for path in kept} == {"0o600"}
    assert {oct(path.stat().st_mode & 0o777) for path in state.rglob("*") if path.is_dir()} == {
        "0o700"
    }


def test_an_edit_keeps_the_id_and_both_shapes_of_header(
    claude: Path, proofstone: Proofstone
) -> None:
    commits = topic(claude, proofstone, "feedback_commits.md")
    role = topic(claude, proofstone, "user_role.md")
    edits = ("--set", "statement=Short.", "--set", "title=Yes", "--set", "kind=doc")
    for subject in (commits, role):
        proofstone("rule", "edit", claude, subject, *edits, *AS)
        (memory,) = proofstone("show", "memories", claude, subject, "--json").items
        assert (memory["statement"], memory["title"], memory["kind"]) == ("Short.", "Yes", "doc")
    assert (claude / "feedback_commits.md").read_bytes().split(b"\r\n") == [
        b"---",
        b'name: "Yes"',
        b'description: "One concern a commit"',
        b"metadata: ",
        b"  node_type: memory",
        b"  type: reference",
        b"  originSessionId: 3f1c2a4e-0000-4000-8000-000000000002",
        b'  modified: "2026-11-27T09:00:00Z"',
        b"---",
        b"",
        b"Short.",
        b"",
    ]
    assert (claude / "user_role.md").read_bytes() == (
        b'---\nname: "Yes"\ndescription: Harbor master who is new to Rust\ntype: reference\n'
        b"originSessionId: 3f1c2a4e-0000-4000-8000-000000000001\n---\nShort.\n"
    )


CLAUDE_REFUSALS = {
    "contest": (("contest",), "user_role.md", "no place for a contested memory"),
    "scopes": (("edit", "--set", "scopes=project:x"), "user_role.md", "no place for scopes"),
    "kind": (("edit", "--set", "kind=legend"), "user_role.md", "knows the kinds"),
}


@pytest.mark.parametrize("name", CLAUDE_REFUSALS)
def test_a_claude_folder_refuses_in_words(
    name: str, claude: Path, proofstone: Proofstone, state: Path
) -> None:
    (action, *rest), file, words = CLAUDE_REFUSALS[name]
    subject = topic(claude, proofstone, file)
    before = contents(claude)
    refused = proofstone("rule", action, claude, subject, *rest, *AS, code=1)
    assert words in refused.err
    assert contents(claude) == before
    assert not state.exists()


@pytest.fixture
def imported(claude: Path, tmp_path: Path, proofstone: Proofstone) -> dict[str, str]:
    """Three statements that wait beside the folder, by their first word."""
    source = tmp_path / "source" / "AGENTS.md"
    source.parent.mkdir()
    source.write_text(
        "- Use pnpm in this repository.\n- Ask Rosa before a release.\n- Charts: on Mondays.\n",
        encoding="utf-8",
    )
    report = proofstone("import", claude, source, *AS, "--json").json
    assert (report["taken"], report["merged"]) == (3, 0)
    return {item["title"].split()[0]: item["id"] for item in report["items"]}


def test_what_is_imported_into_a_claude_folder_waits_beside_it(
    claude: Path, tmp_path: Path, imported: dict[str, str], proofstone: Proofstone
) -> None:
    assert contents(claude) == contents(SAMPLES / "claude-memory")
    items = proofstone("show", "proposals", claude, "--json").items
    assert {(item["proposal_id"], item["status"], item["tainted"]) for item in items} == {
        (name, "open", True) for name in imported.values()
    }
    again = proofstone("import", claude, tmp_path / "source/AGENTS.md", *AS, "--json").json
    assert (again["taken"], again["merged"]) == (0, 3)
    before = {found["code"] for found in proofstone("check", claude, "--json", code=1).items}
    assert before <= {"dangling_link", "unlinked_topic", "unreadable_file", "faulty_header"}


def test_ratifying_into_a_claude_folder_adds_a_topic_with_its_line(
    claude: Path, imported: dict[str, str], proofstone: Proofstone
) -> None:
    before = contents(claude)
    proofstone("rule", "ratify", claude, imported["Use"], *WHY, *AS)
    after = contents(claude)
    (path,) = after.keys() - before.keys()
    assert b"\nUse pnpm in this repository.\n" in after[path]
    added = set(after["MEMORY.md"].splitlines()) - set(before["MEMORY.md"].splitlines())
    assert [line.split(b" \xe2\x80\x94 ")[0] for line in added] == [
        f"- [Use pnpm in this repository.]({path})".encode()
    ]
    assert {p: d for p, d in after.items() if p not in (path, "MEMORY.md")} == {
        p: d for p, d in before.items() if p != "MEMORY.md"
    }
    memory_id = imported["Use"].replace("prop-", "mem-")
    (memory,) = proofstone("show", "memories", claude, memory_id, "--json").items
    assert memory["reviewed"]
    assert memory["ratified"]["by"] == "Mira Tal"
    (proposal,) = proofstone("show", "proposals", claude, imported["Use"], "--json").items
    assert proposal["status"] == "ratified"
    # It is a topic like the others: it is edited, and goes with its line.
    proofstone("rule", "edit", claude, memory_id, "--set", "statement=Use pnpm 10.", *AS)
    assert b"Use pnpm 10." in (claude / path).read_bytes()
    proofstone("rule", "tombstone", claude, memory_id, "--reason", "invalid", *AS)
    assert not (claude / path).exists()
    for _ in range(3):
        proofstone("undo", claude)
    assert contents(claude) == before
    (proposal,) = proofstone("show", "proposals", claude, imported["Use"], "--json").items
    assert proposal["status"] == "open"


BESIDE_RULINGS = {
    "ratify": ("ratify", *WHY),
    "supersede": ("supersede", "--target", "ROLE", *WHY),
    "defer": ("defer", "--reason", "later", "--until", "2026-12-24"),
    "dismiss": ("dismiss", "--reason", "no_future_value"),
    "tombstone": ("tombstone", "--reason", "invalid"),
    "edit": ("edit", "--set", "statement=Ask Rosa first."),
}


@pytest.mark.parametrize("name", BESIDE_RULINGS)
def test_every_ruling_on_what_waits_beside_a_claude_folder_is_undone(
    name: str, claude: Path, imported: dict[str, str], proofstone: Proofstone, state: Path
) -> None:
    action, *rest = BESIDE_RULINGS[name]
    role = topic(claude, proofstone, "user_role.md")
    rest = [role if part == "ROLE" else part for part in rest]

    def tree() -> dict[str, bytes]:
        kept = {p: d for p, d in contents(state).items() if "/_state/" not in p}
        return contents(claude) | kept

    before = tree()
    ruled = proofstone("rule", action, claude, imported["Ask"], *rest, *AS, "--json").json
    assert ruled["refused"] == []
    after = tree()
    assert after != before
    assert (contents(claude) != contents(SAMPLES / "claude-memory")) is (
        name in ("ratify", "supersede")
    )
    proofstone("undo", claude)
    assert tree() == before
    proofstone("redo", claude)
    assert tree() == after


def test_a_topic_does_not_take_what_it_cannot_say(
    claude: Path, pi: Path, proofstone: Proofstone
) -> None:
    proofstone("import", claude, pi, *AS)
    items = proofstone("show", "proposals", claude, "--json").items
    (sail,) = (one for one in items if one["scopes"] == ["project:Harbor Web"])
    (meta,) = (
        one
        for one in items
        if one["layer"] == "L1"
        and one["origin"] == "import"
        and one["statement"].startswith("Rosa prefers")
    )
    before = contents(claude)
    refused = proofstone("rule", "ratify", claude, sail["proposal_id"], *WHY, *AS, code=1)
    assert "a topic has no place for project:Harbor Web" in refused.err
    confirmed = ("--confirm", meta["proposal_id"], "--layer", "L1")
    refused = proofstone(
        "rule", "ratify", claude, meta["proposal_id"], *WHY, *confirmed, *AS, code=1
    )
    assert "a topic has no place for layer L1" in refused.err
    assert contents(claude) == before


def test_a_store_with_an_inbox_of_its_own_takes_no_import(
    pi: Path, proofstone: Proofstone, state: Path
) -> None:
    before = contents(pi)
    refused = proofstone("import", pi, SAMPLES / "codex", code=2)
    assert "proofstone init" in refused.err
    assert contents(pi) == before
    assert not state.exists()


def nmemory(folder: Path) -> Path:
    """The nMEMORY sample as the file that it is."""
    folder.mkdir(exist_ok=True)
    path = folder / "memory.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript((SAMPLES / "nmemory/memory.sql").read_text(encoding="utf-8"))
    return path


READ_ONLY = ("nmemory", "codex", "hermes", "obsidian", "instructions/CLAUDE.md", "letta/agent.af")


@pytest.mark.parametrize("name", READ_ONLY)
def test_a_store_that_is_only_read_is_opened_and_refuses_every_ruling(
    name: str, tmp_path: Path, proofstone: Proofstone, state: Path
) -> None:
    if name == "nmemory":
        store = nmemory(tmp_path / "n")
    elif (SAMPLES / name).is_dir():
        store = Path(shutil.copytree(SAMPLES / name, tmp_path / name))
    else:
        store = Path(shutil.copytree((SAMPLES / name).parent, tmp_path / "x")) / Path(name).name
    folder = store if store.is_dir() else store.parent
    before = contents(folder)
    assert "memories" in proofstone("open", store).out
    (first, *_) = proofstone("show", "memories", store, "--json").items
    for action in ("ratify", "defer", "supersede", "tombstone", "edit", "contest"):
        refused = proofstone("rule", action, store, first["memory_id"], *AS, code=1)
        assert "only read here" in refused.err
        assert "proofstone import" in refused.err
    proofstone("check", store, code=None)
    assert proofstone("log", store).out == "no rulings yet\n"
    assert "no ruling is left" in proofstone("undo", store, code=2).err
    assert contents(folder) == before
    assert not state.exists()


def test_what_only_a_vault_can_do_says_so(
    claude: Path, tmp_path: Path, proofstone: Proofstone, state: Path
) -> None:
    payload = tmp_path / "payload.json"
    payload.write_text('{"title": "x", "content": "y"}', encoding="utf-8")
    before = contents(claude)
    for command in (
        ("gate", "prompt", claude, "codex/s-1#1"),
        ("clean", claude, "--dry-run"),
        ("consolidate", claude),
    ):
        refused = proofstone(*command, code=2)
        assert "needs a Proofstone vault" in refused.err
        assert "Claude Code memory" in refused.err
    assert "proofstone init" in proofstone("capture", claude, payload, code=2).err
    assert contents(claude) == before
    assert not state.exists()


def test_what_is_nothing_known_is_said_to_be_nothing(
    tmp_path: Path, proofstone: Proofstone
) -> None:
    (tmp_path / "empty").mkdir()
    assert "there is no vault here" in proofstone("open", tmp_path / "empty", code=2).err
    other = tmp_path / "photo.png"
    other.write_bytes(b"\x89PNG")
    assert "no store that is known here" in proofstone("open", other, code=2).err
    assert "there is nothing here" in proofstone("open", tmp_path / "none", code=2).err
