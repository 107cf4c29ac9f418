"""A privacy purge in other programs' stores: the words are nowhere, and everything else stays."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Proofstone, contents
from tests.pi_checker import faults, lines, objects, purge_faults, record_files, records
from tests.pi_story import (
    CANDIDATE,
    NOT_OURS,
    OTHER,
    STATEMENT,
    SUBJECT,
    add_not_ours,
    tell,
)
from tests.purge_story import forms

SAMPLES = Path(__file__).parent.parent / "data" / "stores"
AS = ("--as", "Mira Tal")
WINDOW = 12
WHY = ("--reason", "privacy_sensitive")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own; kills are no matter here, so nothing is synced."""
    folder = tmp_path / "state"
    monkeypatch.setenv("PROOFSTONE_STATE", str(folder))
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    return folder


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    return tell(SAMPLES / "pi", tmp_path / "pi")


def windows(text: str) -> set[str]:
    return {text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1)}


def assert_nowhere(statement: str, *roots: Path, but: tuple[str, ...] = ()) -> None:
    """No window of the words in any file, nor the words in any other form."""
    for root in roots:
        for path, data in contents(root).items():
            if path in but:
                continue
            said = data.decode("utf-8", "replace").casefold()
            held = [window for window in windows(statement.casefold()) if window in said]
            assert held == [], f"{path} holds {held[:3]}"
            for what, form in forms(statement):
                assert form not in data, f"{path} holds them as {what}"


def ruled_on(pi: Path, proofstone: Proofstone) -> None:
    """The words in the journal, in objects, in patches and in an earlier version."""
    because = f"because {STATEMENT}"
    proofstone("rule", "ratify", pi, CANDIDATE, "--target", "new", "--reason", because, *AS)
    proofstone("rule", "contest", pi, SUBJECT, "--reason", f"is it so? {STATEMENT}", *AS)
    proofstone("rule", "contest", pi, SUBJECT, "--reason", "it is", *AS)
    edited = f"statement={STATEMENT} And that is all."
    proofstone("rule", "edit", pi, SUBJECT, "--set", edited, *AS)


def purge(store: Path, subject: str, proofstone: Proofstone) -> None:
    rest = ("tombstone", store, subject, "--purge", *WHY)
    short = proofstone("rule", *rest, "--dry-run", "--json", *AS).json["short_id"]
    proofstone("rule", *rest, "--confirm", short, *AS)


def test_a_purge_in_pi_leaves_no_word_and_keeps_its_rules(
    pi: Path, tmp_path: Path, state: Path, proofstone: Proofstone
) -> None:
    ruled_on(pi, proofstone)
    earlier = Path(shutil.copytree(pi, tmp_path / "earlier"))
    found = proofstone("check", pi, "--json", code=None).items
    purge(pi, SUBJECT, proofstone)
    assert_nowhere(STATEMENT, pi, state)
    assert faults(pi, earlier) == []
    assert purge_faults(pi) == []
    assert records(pi)[SUBJECT]["status"] == "deleted"
    (candidate,) = (o for o in objects(pi, "inbox/captured.jsonl") if o.get("id") == CANDIDATE)
    assert candidate["status"] == "patched"
    # What else was evidence of it is nobody's any more, and its reader rests on the others.
    evidence = {one["id"]: one for one in objects(pi, "memory/evidence.jsonl")}
    assert evidence["ev_key"]["redaction_status"] == "deleted"
    assert "Rosa said where" not in (pi / "memory/evidence.jsonl").read_text("utf-8")
    assert "ev_key" not in {one["ref"] for one in records(pi)[OTHER]["evidence"]}
    after = proofstone("check", pi, "--json", code=None).items
    assert {f["code"] for f in after} <= {f["code"] for f in found} | {"changed_by_another_hand"}


def test_a_purge_in_pi_touches_no_line_that_does_not_hold_the_words(
    pi: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    ruled_on(pi, proofstone)
    earlier = Path(shutil.copytree(pi, tmp_path / "earlier"))
    purge(pi, SUBJECT, proofstone)
    named = (SUBJECT, CANDIDATE, OTHER, "ev_key", "ev_loose", "ev_1a2b", "inq_key", "r_2")
    own = ("inq-", "rope")
    for path in (
        *record_files(earlier),
        "memory/evidence.jsonl",
        "memory/inquiries.jsonl",
        "memory/tombstones.jsonl",
        "memory/reinforcement.jsonl",
        "inbox/captured.jsonl",
    ):
        present = lines(pi, path)
        for line in lines(earlier, path):
            if not any(f'"{name}'.encode() in line for name in (*named, *own)):
                assert line in present, path
    assert (pi / "daily/2026-10-10.md").read_bytes().endswith(b"\r\n10:00 another thing\r\n")
    assert b"{torn: " in (pi / "runtime/events.jsonl").read_bytes()


def test_what_many_records_note_of_their_support_stays_in_all_others(
    tmp_path: Path, proofstone: Proofstone
) -> None:
    pi = Path(shutil.copytree(SAMPLES / "pi", tmp_path / "plain"))
    rope = "mem_20261002_rope"
    evidence = pi / "memory/evidence.jsonl"
    summed = {**objects(pi, "memory/evidence.jsonl")[0], "source_excerpt": ""}
    more = [
        {**summed, "id": f"ev_{n}", "related_memory_ids": [m]} for n, m in ((7, rope), (8, OTHER))
    ]
    evidence.write_bytes(
        evidence.read_bytes() + b"".join(json.dumps(o).encode() + b"\n" for o in more)
    )
    earlier = Path(shutil.copytree(pi, tmp_path / "earlier"))
    purge(pi, rope, proofstone)
    said = b"Build the harbor image with podman, not docker."
    assert not [path for path, data in contents(pi).items() if said in data]
    for path in (*record_files(earlier), "memory/evidence.jsonl", "inbox/captured.jsonl"):
        for line in lines(earlier, path):
            if f'"{rope}"'.encode() not in line:
                assert line in lines(pi, path), path
    assert faults(pi, earlier) == []
    assert purge_faults(pi) == []


def test_a_purge_in_pi_is_shown_whole_first_and_asks(pi: Path, proofstone: Proofstone) -> None:
    add_not_ours(pi)
    before = contents(pi)
    rest = ("tombstone", pi, CANDIDATE, "--purge", *WHY, *AS)
    shown = proofstone("rule", *rest, "--dry-run", "--json").json
    holding = {
        path
        for path, data in before.items()
        if STATEMENT[:20].casefold().encode() in data.lower() and path != NOT_OURS
    }
    assert holding <= {row["path"] for row in shown["files"]}
    assert [row["path"] for row in shown["others"]] == [NOT_OURS]
    assert "cannot be undone" in shown["warning"]
    refused = proofstone("rule", *rest, code=1)
    assert "type its short id" in refused.err
    assert contents(pi) == before


def test_a_candidate_that_nobody_ruled_on_is_purged_and_rejected(
    pi: Path, state: Path, proofstone: Proofstone
) -> None:
    add_not_ours(pi)
    before = contents(pi)
    purge(pi, CANDIDATE, proofstone)
    assert_nowhere(STATEMENT, pi, state, but=(NOT_OURS,))
    assert (pi / NOT_OURS).read_bytes() == before[NOT_OURS]
    assert purge_faults(pi) == []
    (patch,) = set((pi / "patches").iterdir()) - {pi / path for path in before}
    assert [op["op"] for op in json.loads(patch.read_bytes())["ops"]] == ["reject_candidate"]
    (shown,) = proofstone("show", "proposals", pi, CANDIDATE, "--json").items
    assert (shown["status"], shown["statement"]) == ("tombstoned", "")


def test_after_a_purge_nothing_of_it_comes_back(pi: Path, proofstone: Proofstone) -> None:
    ruled_on(pi, proofstone)
    purge(pi, SUBJECT, proofstone)
    assert "a purge cannot be undone" in proofstone("undo", pi, code=2).err.replace("\n", " ")
    first = proofstone("log", pi, "--json").items[-1]["ruling_id"]
    assert "gone for good" in proofstone("undo", pi, first, code=2).err
    again = ("tombstone", pi, SUBJECT, "--purge", *WHY, "--confirm", SUBJECT, *AS)
    assert "was purged already" in proofstone("rule", *again, code=1).err
    new = {"id": "cap_again", "created_at": "2026-12-01T08:00:00Z", "text": STATEMENT}
    with (pi / "inbox/captured.jsonl").open("ab") as inbox:
        inbox.write(json.dumps({**new, "source": {}, "tags": [], "status": "new"}).encode() + b"\n")
    (proposal,) = proofstone("show", "proposals", pi, "cap_again", "--json").items
    assert proposal["verifier"]["status"] == "rejected"
    found = proofstone("check", pi, "--json", code=1).items
    assert "purged_words_returned" in {problem["code"] for problem in found}


def test_a_key_that_is_missing_is_told_where_it_belongs(
    pi: Path, state: Path, proofstone: Proofstone
) -> None:
    purge(pi, CANDIDATE, proofstone)
    (key,) = state.glob("stores/*/_state/proofstone/purge.key")
    key.unlink()
    found = proofstone("check", pi, "--json", code=1).items
    (missing,) = (problem for problem in found if problem["code"] == "purge_key_missing")
    assert missing["path"] == ".companion/_state/proofstone/purge.key"


def test_an_l1_proposal_in_a_report_is_purged(
    pi: Path, state: Path, proofstone: Proofstone
) -> None:
    purge(pi, "meta_9f8e7d6c5b4a", proofstone)
    assert_nowhere("Rosa prefers tools that need no root rights.", pi, state)
    (shown,) = proofstone("show", "proposals", pi, "meta_9f8e7d6c5b4a", "--json").items
    assert (shown["status"], shown["statement"]) == ("tombstoned", "")


def test_a_purge_in_a_claude_folder_removes_topic_and_line(
    tmp_path: Path, state: Path, proofstone: Proofstone
) -> None:
    folder = Path(shutil.copytree(SAMPLES / "claude-memory", tmp_path / "memory"))
    items = proofstone("show", "memories", folder, "--json").items
    (role,) = (item for item in items if item["anchor"].startswith("user_role.md:"))
    subject, said = role["memory_id"], role["statement"]
    proofstone("rule", "ratify", folder, subject, "--reason", f"because {said}", *AS)
    other = folder / "no_header.md"
    other.write_text(other.read_text("utf-8") + f"\n> {said}\n", encoding="utf-8")
    before = contents(folder)
    purge(folder, subject, proofstone)
    assert_nowhere(" ".join(said.split()), folder, state)
    after = contents(folder)
    kept = [line for line in before["MEMORY.md"].splitlines(True) if b"user_role.md" not in line]
    assert after["MEMORY.md"] == b"".join(kept)
    changed = {path for path in before if after.get(path) != before[path]}
    assert changed == {"user_role.md", "MEMORY.md", "no_header.md"}
    (stone,) = proofstone("show", "tombstones", folder, subject, "--json").items
    assert (stone["mode"], stone["deleted_id"]) == ("privacy_purge", subject)


def test_what_was_imported_into_a_claude_folder_is_purged_with_its_topic(
    tmp_path: Path, state: Path, proofstone: Proofstone
) -> None:
    folder = Path(shutil.copytree(SAMPLES / "claude-memory", tmp_path / "memory"))
    before = contents(folder)
    said = "The spare key lies under the blue flower pot."
    source = tmp_path / "AGENTS.md"
    source.write_text(f"- {said}\n", encoding="utf-8")
    (item,) = proofstone("import", folder, source, "--json", *AS).json["items"]
    proofstone("rule", "ratify", folder, item["id"], "--reason", "seen", *AS)
    purge(folder, item["id"], proofstone)
    assert_nowhere(said, folder, state)
    assert contents(folder) == before
    (shown,) = proofstone("show", "proposals", folder, item["id"], "--json").items
    assert (shown["status"], shown["statement"]) == ("tombstoned", "")
    again = proofstone("import", folder, source, "--json", *AS).json
    assert again["taken"] == 0


def test_a_store_that_is_only_read_refuses_a_purge(
    tmp_path: Path, state: Path, proofstone: Proofstone
) -> None:
    store = Path(shutil.copytree(SAMPLES / "hermes", tmp_path / "hermes"))
    before = contents(store)
    (first, *_) = proofstone("show", "memories", store, "--json").items
    rest = ("tombstone", store, first["memory_id"], "--purge", *WHY, *AS)
    assert "only read here" in proofstone("rule", *rest, code=1).err
    assert contents(store) == before
    assert not state.exists()
