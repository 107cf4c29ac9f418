"""L1 proposals from stable memories, and the deliberate way to rule on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Proofstone, contents


@pytest.fixture
def without_l1(demo_vault: Path) -> Path:
    """The demo vault before anything was consolidated."""
    for note in (demo_vault / "proposals").glob("*.md"):
        if "l1_sources" in note.read_text(encoding="utf-8"):
            note.unlink()
    return demo_vault


def test_stable_memories_become_one_l1_proposal_and_no_memory(
    without_l1: Path, proofstone: Proofstone
) -> None:
    before = contents(without_l1 / "knowledge")
    done = proofstone("consolidate", without_l1, "--json").json
    assert done["written"]
    (offered,) = done["items"]
    assert len(offered["l1_sources"]) == 2
    assert contents(without_l1 / "knowledge") == before
    (listed,) = proofstone("show", "proposals", without_l1, offered["proposal_id"], "--json").items
    assert (listed["layer"], listed["origin"]) == ("L1", "consolidation")
    assert listed["verifier"]["promotion_eligibility"] == "l1_review_only"
    assert not listed["verifier"]["eligible"]


def test_consolidating_twice_proposes_nothing_new(without_l1: Path, proofstone: Proofstone) -> None:
    proofstone("consolidate", without_l1)
    before = contents(without_l1)
    assert proofstone("consolidate", without_l1).out == "nothing new to propose\n"
    assert contents(without_l1) == before


def test_a_dry_run_proposes_on_paper(without_l1: Path, proofstone: Proofstone) -> None:
    before = contents(without_l1)
    done = proofstone("consolidate", without_l1, "--dry-run", "--json").json
    assert len(done["items"]) == 1
    assert not done["written"]
    assert contents(without_l1) == before


def test_a_contested_source_stops_it(without_l1: Path, proofstone: Proofstone) -> None:
    (offered,) = proofstone("consolidate", without_l1, "--dry-run", "--json").json["items"]
    source = offered["l1_sources"][0]
    proofstone("rule", "contest", without_l1, source, "--as", "Mira Tal", "--reason", "really?")
    done = proofstone("consolidate", without_l1, "--json").json
    assert done["items"] == []
    (stopped,) = done["stopped"]
    assert any(source in reason for reason in stopped["reasons"])
