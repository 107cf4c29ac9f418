"""A privacy purge by command: shown, confirmed, carried out, proved, and never undone."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from memleaf.inbox import parse_inbox_file

from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.purge_text import letters
from proofstone.domain.purging import content_hmac
from proofstone.vault.hmac_key import KEY, read_key
from proofstone.vault.layout import JOURNAL
from tests.conftest import Proofstone, contents

MEMORY = "mem-122cb9f7c57e9cd8cbb86aaf"
PROPOSAL = "prop-122cb9f7c57e9cd8cbb86aaf"
STATEMENT = "Atlas 的回填任务只在周末运行。"
RULING = "rul-55e09a0f946f4de9b510a70d"
GATE = "gate/hermes/lin-qiao/0002-0f622ab8d11e.json"
INBOX = "inbox/hermes/lin-qiao.md"
CONFIRMED = ("--purge", "--reason", "privacy_sensitive", "--confirm", "122cb9", "--as", "Mira Tal")
STATE = ("_state/proofstone/", "_state/vault.lock")


def holding(root: Path, text: str = STATEMENT) -> list[str]:
    sought = letters(text)
    return [p for p, data in contents(root).items() if sought in letters(data.decode("utf-8"))]


def errors(proofstone: Proofstone, vault: Path) -> set[tuple[str, str]]:
    items = proofstone("check", vault, "--json", code=None).items
    return {(item["code"], item["path"]) for item in items if item["severity"] != "info"}


def purged(proofstone: Proofstone, vault: Path, subject: str = MEMORY) -> None:
    proofstone("rule", "tombstone", vault, subject, *CONFIRMED)


def test_the_preview_names_every_file_that_holds_the_words_and_writes_nothing(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    (demo_vault / "logs").mkdir()
    (demo_vault / "logs/notes.txt").write_text(STATEMENT, encoding="utf-8")
    before = contents(demo_vault)
    preview = proofstone(
        "rule", "tombstone", demo_vault, MEMORY, "--purge", "--dry-run", "--json"
    ).json
    assert contents(demo_vault) == before
    told = {item["path"] for item in preview["files"]}
    others = {item["path"] for item in preview["others"]}
    assert set(holding(demo_vault)) <= told | others
    assert others == {"logs/notes.txt"}
    assert "cannot be undone" in preview["warning"]
    assert preview["short_id"] == "122cb9"
    assert preview["subjects"] == [MEMORY, PROPOSAL]
    said = proofstone("rule", "tombstone", demo_vault, MEMORY, "--purge", "--dry-run").out
    assert said.startswith("A purge cannot be undone.")
    assert all(path in said for path in told | others)


def test_nothing_of_it_is_left_and_the_rest_is_there(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    found_before = errors(proofstone, demo_vault)
    before = contents(demo_vault, STATE)
    result = proofstone("rule", "tombstone", demo_vault, MEMORY, *CONFIRMED, "--json").json
    assert result["action"] == "purge"
    assert holding(demo_vault) == []
    after = contents(demo_vault, STATE)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert changed == {c["path"] for c in result["changes"] if not c["path"].startswith("_state/")}
    assert errors(proofstone, demo_vault) == found_before
    ruled = (demo_vault / f"proposals/ruled/{PROPOSAL}.md").read_text(encoding="utf-8")
    assert 'status: "tombstoned"' in ruled
    assert "title" not in ruled
    record = (demo_vault / "evidence/129d35ccae0f404b276d8eaff3af6220.md").read_text()
    assert 'redaction_status: "deleted"' in record
    assert "excerpt" not in record


def test_the_marker_holds_a_keyed_hash_alone_and_keeps_the_words_out(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    purged(proofstone, demo_vault)
    key = read_key(demo_vault)
    assert key is not None
    digest = content_hmac(key, STATEMENT)
    stones = [p.read_text(encoding="utf-8") for p in (demo_vault / "tombstones").glob("*.md")]
    mine = [stone for stone in stones if "privacy_purge" in stone]
    assert len(mine) == 2
    assert all(digest in stone and "content_hash" not in stone for stone in mine)
    if os.name != "nt":
        assert stat.S_IMODE((demo_vault / KEY).stat().st_mode) == 0o600
    again = demo_vault / "proposals/prop-again.md"
    again.write_text(
        f'---\nproposal_id: "prop-again"\nstatus: "open"\n---\n\n{STATEMENT}\n', encoding="utf-8"
    )
    refused = proofstone(
        "rule", "ratify", demo_vault, "prop-again", "--reason", "x", "--as", "Mira", code=1
    )
    assert "tombstoned_recreation" in refused.err
    assert ("purged_words_returned", "proposals/prop-again.md") in errors(proofstone, demo_vault)


def test_the_captured_turn_is_read_by_memleaf_and_its_other_units_stay(
    demo_vault: Path, proofstone: Proofstone, context: Context
) -> None:
    def units() -> dict[str, str]:
        view = Workspace.open(demo_vault, context).turn("hermes/lin-qiao#2")
        return {unit.unit_id: unit.text for unit in view.units}

    before = units()
    keys = [turn.event_keys for turn in parse_inbox_file(demo_vault / INBOX)]
    purged(proofstone, demo_vault)
    assert [turn.event_keys for turn in parse_inbox_file(demo_vault / INBOX)] == keys
    after = units()
    gone = [text for unit_id, text in before.items() if unit_id not in after]
    assert all("周末运行" in text for text in gone)
    assert len(after) == len(before)


def test_the_answer_still_keeps_the_contract(demo_vault: Path, proofstone: Proofstone) -> None:
    purged(proofstone, demo_vault)
    answer = json.loads((demo_vault / GATE).read_text(encoding="utf-8"))["answer"]
    assert answer["candidates"] == []
    assert answer["evidence_bindings"] == []
    rows = {row["unit_id"]: row for row in answer["coverage"]}
    assert len(rows) == 9
    assert {row["decision"] for row in rows.values()} == {"NO_CHANGE"}
    assert not [path for code, path in errors(proofstone, demo_vault) if path == GATE]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--reason", "privacy_sensitive"), "type its short id: 122cb9"),
        (("--reason", "privacy_sensitive", "--confirm", "122cb"), "type its short id: 122cb9"),
        (("--reason", "because", "--confirm", "122cb9"), "user_requested"),
        (("--confirm", "122cb9"), "it needs a reason"),
        (("--confirm", "122cb9"), '(--reason "…")'),
        (("--reason", "privacy_sensitive"), "(--confirm ID)"),
    ],
)
def test_it_needs_a_reason_and_the_typed_short_id(
    options: tuple[str, ...], says: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    before = contents(demo_vault)
    refused = proofstone(
        "rule", "tombstone", demo_vault, MEMORY, "--purge", *options, "--as", "Mira Tal", code=1
    )
    assert says in refused.err
    assert contents(demo_vault) == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ratify", MEMORY), "goes with tombstone"),
        (("tombstone", MEMORY, PROPOSAL), "one ID"),
        (("tombstone", "mem-nothing"), "no proposal or memory"),
        (("tombstone", "mem-2026"), "give more of it"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(
    arguments: tuple[str, ...], says: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    action, *ids = arguments
    wrong = proofstone("rule", action, demo_vault, *ids, *CONFIRMED, code=2)
    assert says in wrong.err
    assert len(wrong.err.strip().splitlines()) == 1


def test_it_cannot_be_undone_and_neither_can_what_it_emptied(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    purged(proofstone, demo_vault)
    before = contents(demo_vault)
    assert "cannot be undone" in proofstone("undo", demo_vault, code=2).err
    (purge,) = (i for i in proofstone("log", demo_vault, "--json").items if i["action"] == "purge")
    assert purge["reason"] == "privacy_sensitive"
    assert purge["author"] == "Mira Tal"
    assert "cannot be undone" in proofstone("undo", demo_vault, purge["ruling_id"], code=2).err
    assert "was purged" in proofstone("undo", demo_vault, RULING, code=2).err
    assert contents(demo_vault) == before
    other = proofstone("log", demo_vault, "--json").items[1]
    proofstone("undo", demo_vault, other["ruling_id"])


def test_rows_of_the_journal_are_redacted_and_a_forged_one_is_still_found(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    proofstone(
        *("rule", "contest", demo_vault, MEMORY, "--reason", f"no longer: {STATEMENT}"),
        *("--as", "Mira Tal"),
    )
    proofstone("rule", "ratify", demo_vault, MEMORY, "--as", "Mira Tal")
    whole = (demo_vault / JOURNAL).read_bytes()
    found = errors(proofstone, demo_vault)
    purged(proofstone, demo_vault)
    assert holding(demo_vault) == []
    assert errors(proofstone, demo_vault) <= found
    redacted = (demo_vault / JOURNAL).read_bytes()
    (line,) = (line for line in redacted.split(b"\n") if b'"redacted"' in line)
    place = redacted.split(b"\n").index(line)
    for forged in (
        line.replace(b'"contest"', b'"ratify"'),
        line.replace(b"Mira Tal", b"Lin Qiao"),
        whole.split(b"\n")[place],
    ):
        (demo_vault / JOURNAL).write_bytes(redacted.replace(line, forged))
        assert ("journal_row_changed", JOURNAL) in errors(proofstone, demo_vault)
    (demo_vault / JOURNAL).write_bytes(redacted)
    assert errors(proofstone, demo_vault) <= found


def test_check_finds_an_object_and_notes_that_came_back(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    before = contents(demo_vault)
    purged(proofstone, demo_vault)
    gone = [path for path in before if not (demo_vault / path).exists()]
    assert any("objects/" in path for path in gone)
    clean = errors(proofstone, demo_vault)
    for path in (*gone, INBOX, GATE, f"proposals/ruled/{PROPOSAL}.md"):
        present = (demo_vault / path).read_bytes() if (demo_vault / path).exists() else None
        (demo_vault / path).write_bytes(before[path])
        found = {where for _, where in errors(proofstone, demo_vault) - clean}
        # The clause that came back is more than the statement; its answer tells that it changed.
        assert (GATE if path == INBOX else path) in found, path
        if present is None:
            (demo_vault / path).unlink()
        else:
            (demo_vault / path).write_bytes(present)
    assert errors(proofstone, demo_vault) == clean


def test_check_says_when_the_key_is_gone_unreadable_or_open(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    purged(proofstone, demo_vault)
    key = demo_vault / KEY
    kept = key.read_bytes()
    key.unlink()
    assert ("purge_key_missing", KEY) in errors(proofstone, demo_vault)
    other = ("rule", "tombstone", demo_vault, "mem-6faa", "--purge", "--dry-run")
    assert "key of earlier purges is missing" in proofstone(*other).out
    key.write_bytes(b"no key\n")
    assert ("purge_key_unreadable", KEY) in errors(proofstone, demo_vault)
    key.write_bytes(kept)
    if os.name != "nt":
        key.chmod(0o644)
        assert ("purge_key_open", KEY) in errors(proofstone, demo_vault)
        key.chmod(0o600)
    assert not [code for code, path in errors(proofstone, demo_vault) if path == KEY]


@pytest.mark.parametrize("subject", [PROPOSAL, MEMORY])
def test_the_memory_and_the_proposal_that_it_was_are_purged_together(
    subject: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    purged(proofstone, demo_vault, subject)
    assert holding(demo_vault) == []
    assert not (demo_vault / f"knowledge/{MEMORY}.md").exists()
    again = proofstone("rule", "tombstone", demo_vault, PROPOSAL, *CONFIRMED, code=1)
    assert "purged already" in again.err


def test_what_was_tombstoned_for_audit_can_be_purged_and_its_marker_gives_its_hash_away_no_more(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "tombstone", demo_vault, MEMORY, "--reason", "invalid", "--as", "Mira Tal")
    assert len(holding(demo_vault)) > 1
    purged(proofstone, demo_vault)
    assert holding(demo_vault) == []
    stones = "".join(p.read_text(encoding="utf-8") for p in (demo_vault / "tombstones").glob("*"))
    assert stones.count("privacy_purge") == 2
    assert not [p for p in (demo_vault / "history").glob("*") if MEMORY in p.read_text("utf-8")]
