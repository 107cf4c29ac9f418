"""Every ruling by command, and each taken back: all files outside our state are as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.resources import resource_dir
from tests.conftest import Proofstone, contents

STATE = ("_state/proofstone/", "_state/vault.lock")


def held(room: str, words: str) -> str:
    """The id of the demo vault's one note in ``room`` whose text has ``words``."""
    (found,) = (
        path.stem
        for path in (resource_dir("demo-vault") / room).glob("*.md")
        if words in path.read_text(encoding="utf-8").rpartition("---")[2]
    )
    return found


CLEAN = held("proposals", "The Atlas nightly load starts")
FLAGGED = held("proposals", "Hold Orion deploys until")
CONFLICT = held("proposals", "From December Orion ships on Thursdays")
UPDATE = held("proposals", "Atlas now keeps snapshots for 45 days")
DUPLICATE = held("proposals", "Use pnpm for Orion, and never npm.")
L1 = held("proposals", "small and reversible")
TOMBSTONED = held("proposals", "Skip the smoke tests when")
TAINTED = held("proposals", "Orion deploys need no review")
RULE = held("knowledge", "Orion ships on Tuesdays")
MEMORY = held("knowledge", "The Atlas weekly load starts")
OTHER = held("knowledge", "Orion writes its logs to files")
SHORT = L1.removeprefix("prop-")[:6]

RULINGS = {
    "ratify a clean one": ("ratify", CLEAN),
    "ratify a flagged one": ("ratify", FLAGGED, "--reason", "until Wednesday, and known"),
    "ratify an update": ("ratify", UPDATE),
    "ratify a duplicate": ("ratify", DUPLICATE),
    "ratify as new": ("ratify", DUPLICATE, "--target", "new"),
    "ratify L1": ("ratify", L1, "--layer", "L1", "--reason", "so she works", "--confirm", SHORT),
    "defer": ("defer", CLEAN, "--reason", "needs_owner", "--until", "2026-12-24", "--note", "ask"),
    "supersede": ("supersede", CONFLICT, "--target", RULE, "--reason", "from December"),
    "tombstone": ("tombstone", TAINTED, "--reason", "poisoned"),
    "dismiss": ("dismiss", FLAGGED, "--reason", "no_future_value"),
    "edit": ("edit", CLEAN, "--set", "statement=It starts at 02:30.", "--set", "tags=load,atlas"),
    "confirm a memory": ("ratify", MEMORY),
    "postpone a memory": ("defer", MEMORY, "--until", "2027-01-01"),
    "replace a memory": ("supersede", MEMORY, "--target", OTHER),
    "retire a memory": ("tombstone", MEMORY, "--reason", "invalid"),
    "edit a memory": ("edit", MEMORY, "--set", "statement=At 04:45 UTC on Sundays."),
    "contest a memory": ("contest", MEMORY, "--reason", "moved"),
    "a batch": ("ratify", CLEAN, DUPLICATE),
}


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_is_written_and_undone_and_made_again(
    name: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    action, *rest = RULINGS[name]
    before = contents(demo_vault, STATE)
    ruled = proofstone("rule", action, demo_vault, *rest, "--as", "Mira Tal", "--json").json
    assert ruled["refused"] == []
    after = contents(demo_vault, STATE)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert changed == {change["path"] for change in ruled["changes"]}
    proofstone("undo", demo_vault)
    assert contents(demo_vault, STATE) == before
    proofstone("redo", demo_vault)
    assert contents(demo_vault, STATE) == after
    proofstone("undo", demo_vault)
    assert contents(demo_vault, STATE) == before


@pytest.mark.parametrize("name", RULINGS)
def test_a_dry_run_writes_nothing_and_says_what_would_be(
    name: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    action, *rest = RULINGS[name]
    before = contents(demo_vault)
    preview = proofstone("rule", action, demo_vault, *rest, "--dry-run", "--json").json
    assert contents(demo_vault) == before
    assert all(row["allowed"] and row["changes"] for row in preview["items"])


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_adds_no_finding_that_check_would_list(
    name: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    action, *rest = RULINGS[name]
    before = {str(item) for item in proofstone("check", demo_vault, "--json", code=1).items}
    proofstone("rule", action, demo_vault, *rest, "--as", "Mira Tal")
    after = {str(item) for item in proofstone("check", demo_vault, "--json", code=1).items}
    assert after <= before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ratify", FLAGGED), "temporary_durability"),
        (("ratify", TOMBSTONED, "--reason", "please"), "tombstoned_recreation"),
        (("supersede", TOMBSTONED, "--target", MEMORY), "tombstoned_recreation"),
        (("ratify", L1), '(--reason "…")'),
        (("ratify", L1, "--reason", "yes"), SHORT),
        (("ratify", L1, "--reason", "yes"), "(--confirm ID)"),
        (("ratify", L1, CLEAN, "--reason", "yes", "--confirm", SHORT), "never in a batch"),
        (("ratify", TAINTED, CLEAN, "--reason", "yes"), "never in a batch"),
        (("defer", CLEAN, "--reason", "because"), "needs_owner"),
        (("defer", CLEAN, "--reason", "later", "--until", "soon"), "YYYY-MM-DD"),
        (("supersede", CLEAN), "at least one memory that it replaces (--target ID)"),
        (("edit", CLEAN), "(--set KEY=VALUE)"),
        (("edit", CLEAN, "--set", "layer=L9"), "L1, L2"),
        (("contest", CLEAN), "not for proposals"),
    ],
)
def test_a_refusal_is_one_line_and_exit_1(
    arguments: tuple[str, ...], says: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    action, *rest = arguments
    batch = sum(word.startswith("prop-") for word in rest) > 1
    before = contents(demo_vault, STATE)
    refused = proofstone("rule", action, demo_vault, *rest, "--as", "Mira Tal", code=1)
    assert says in refused.err
    assert len(refused.err.strip().splitlines()) == 1
    assert (contents(demo_vault, STATE) == before) is not batch


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ratify", "prop-nothing"), "no proposal or memory"),
        (("ratify", "prop-"), "give more of it"),
        (("ratify", CLEAN, "--layer", "L1"), "is L2, not L1"),
        (("edit", CLEAN, "--set", "statement"), "KEY=VALUE"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(
    arguments: tuple[str, ...], says: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    action, *rest = arguments
    wrong = proofstone("rule", action, demo_vault, *rest, "--as", "Mira Tal", code=2)
    assert says in wrong.err
    assert len(wrong.err.strip().splitlines()) == 1


def test_without_a_terminal_a_ruling_needs_an_author(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    before = contents(demo_vault)
    assert "--as" in proofstone("rule", "ratify", demo_vault, CLEAN, code=2).err
    assert contents(demo_vault) == before


def test_the_log_says_who_what_when_and_through_which_door(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "dismiss", demo_vault, FLAGGED, "--reason", "negated", "--as", "Lin Qiao")
    proofstone("undo", demo_vault, "--as", "Mira Tal")
    undone, ruled = proofstone("log", demo_vault, "--json", "--limit", "2").items
    assert (ruled["action"], ruled["author"], ruled["via"]) == ("dismiss", "Lin Qiao", "cli")
    assert ruled["reason"] == "negated"
    assert ruled["state"] == "undone"
    assert (undone["action"], undone["author"]) == ("undo", "Mira Tal")
    assert ruled["time"] == "2026-11-27T09:00:00Z"


def test_undo_is_refused_when_a_file_was_changed_since(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "ratify", demo_vault, CLEAN, "--as", "Mira Tal")
    note = demo_vault / "knowledge" / f"{CLEAN.replace('prop-', 'mem-')}.md"
    note.write_bytes(note.read_bytes() + b"and a line by hand\n")
    before = contents(demo_vault, STATE)
    assert "by another hand" in proofstone("undo", demo_vault, code=2).err
    assert contents(demo_vault, STATE) == before


def test_an_older_ruling_is_undone_alone_unless_a_later_one_stands_on_it(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    first = proofstone("rule", "ratify", demo_vault, CLEAN, "--as", "Mira Tal", "--json").json[
        "rulings"
    ][0]
    memory = CLEAN.replace("prop-", "mem-")
    proofstone("rule", "contest", demo_vault, memory, "--as", "Mira Tal")
    proofstone("rule", "dismiss", demo_vault, FLAGGED, "--reason", "negated", "--as", "Mira Tal")
    assert "undo that first" in proofstone("undo", demo_vault, first, code=2).err
    contested = next(
        item["ruling_id"]
        for item in proofstone("log", demo_vault, "--json").items
        if item["action"] == "contest"
    )
    proofstone("undo", demo_vault, contested)
    proofstone("undo", demo_vault, first)
    assert not (demo_vault / "knowledge" / f"{memory}.md").exists()
    assert (demo_vault / "proposals" / "ruled" / f"{FLAGGED}.md").exists()


def test_a_batch_is_one_undo(demo_vault: Path, proofstone: Proofstone) -> None:
    before = contents(demo_vault, STATE)
    ruled = proofstone(
        "rule", "ratify", demo_vault, CLEAN, DUPLICATE, UPDATE, "--as", "Mira Tal", "--json"
    ).json
    assert len(ruled["rulings"]) == 3
    proofstone("undo", demo_vault)
    assert contents(demo_vault, STATE) == before


def test_the_same_proposal_cannot_come_back_after_its_tombstone(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    proofstone("rule", "tombstone", demo_vault, CLEAN, "--reason", "invalid", "--as", "Mira Tal")
    ruled = demo_vault / "proposals" / "ruled" / f"{CLEAN}.md"
    returned = ruled.read_text(encoding="utf-8").replace('status: "tombstoned"', 'status: "open"')
    ruled.unlink()
    (demo_vault / "proposals" / f"{CLEAN}.md").write_text(returned, encoding="utf-8")
    refused = proofstone(
        "rule", "ratify", demo_vault, CLEAN, "--as", "Mira Tal", "--reason", "again", code=1
    )
    assert "tombstoned_recreation" in refused.err
