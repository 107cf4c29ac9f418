"""A vault that memleaf wrote: units agree, rulings are read back by memleaf, its audit is clean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from memleaf import Memleaf
from memleaf.admission import analyze_turn_evidence
from memleaf.inbox import parse_inbox
from memleaf.inspection import audit_vault

from tests.conftest import Proofstone, contents

TURN = "codex/orion#1"
TOOLS: list[dict[str, Any]] = [
    {
        "tool_name": "tracker.get",
        "call_id": "c-1",
        "kind": "external_observation",
        "result_status": "success",
        "execution_status": "success",
        "completeness": "complete",
        "content": "OPS-41 is open. Owner: Lin; limit 1,250.\n> quoted line",
    },
    {
        "tool_name": "tracker.get",
        "call_id": "c-2",
        "kind": "external_observation",
        "result_status": "success",
        "completeness": "partial",
        "content": "OPS-42 is",
    },
    {
        "tool_name": "memory.read",
        "call_id": "c-3",
        "kind": "retrieved_memory",
        "result_status": "success",
        "content": "Old memory text.",
    },
    {
        "tool_name": "mail.search",
        "call_id": "c-4",
        "kind": "external_observation",
        "retention": "metadata",
    },
    {"tool_name": "shell", "call_id": "c-5", "kind": "external_observation", "content": "x" * 3000},
    {"tool_name": "shell", "call_id": "c-6", "result_status": "error", "content": "refused"},
    {"tool_name": "noise"},
]
USER = """# Release:
- Orion ships on Tuesdays, after the smoke tests pass.
- Use pnpm, not npm!
Who approves it? Suppose Lyra breaks.
> Every pull request is reviewed.
```
make deploy, now
```
日期用 UTC，周报用中文。"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with a few turns and memories, made by memleaf alone."""
    root = tmp_path / "memleaf"
    service = Memleaf.initialize(root)
    service.capture("codex", "orion", "t-1", "user", USER)
    service.capture("codex", "orion", "t-1", "assistant", "Noted, 已记录。", tool_evidence=TOOLS)
    service.capture("codex", "orion", "t-2", "user", "And Atlas? It loads at 02:30 UTC.")
    service.capture("codex", "orion", "t-2", "assistant", "I will look.")
    service.capture("hermes", "desk", "t-1", "user", "No answer to this one.")
    service.create_memory(
        title="Orion ship day",
        body="Orion ships on Mondays.",
        memory_id="mem-by-memleaf",
        type="fact",
        scopes=["project:orion"],
    )
    return root


def memleaf_units(root: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What memleaf's own code makes of each turn: id, origin, offsets and text, unit by unit."""
    found = {}
    for turn in parse_inbox(root):
        events = [
            {
                "event_key": event.event_key,
                "role": event.role,
                "content": event.content,
                "tool_evidence": [dict(record) for record in event.tool_evidence],
            }
            for event in turn.events
        ]
        found[f"{turn.source}/{turn.session_id}#{turn.turn_index}"] = [
            (unit.unit_id, unit.origin, unit.start, unit.end, unit.text)
            for unit in analyze_turn_evidence(events)
        ]
    return found


def answer(units: list[dict[str, Any]]) -> dict[str, Any]:
    """An answer that keeps the contract: one candidate from the first assertion on Tuesdays."""
    physical = [unit for unit in units if unit["partition"] == "physical"]
    chosen = next(unit for unit in physical if "Tuesdays" in unit["text"])
    rows: list[dict[str, Any]] = []
    for unit in physical:
        if unit is chosen:
            rows.append(
                {"unit_id": unit["unit_id"], "decision": "CANDIDATE", "candidate_ids": ["c1"]}
            )
        else:
            rows.append(
                {
                    "unit_id": unit["unit_id"],
                    "decision": "NO_CHANGE",
                    "reason": "no_future_value",
                }
            )
    return {
        "candidates": [
            {
                "candidate_id": "c1",
                "memory": "Orion ships on Tuesdays.",
                "evidence_event_ids": [chosen["event_key"]],
                "worth": True,
                "duplicate": False,
                "type": "fact",
                "scopes": ["project:orion"],
                "scope_source": "user",
            }
        ],
        "coverage": rows,
        "evidence_bindings": [
            {
                "candidate_id": "c1",
                "claims": [
                    {
                        "unit_id": chosen["unit_id"],
                        "quote": "Orion ships on Tuesdays",
                        "role": "assertion",
                    }
                ],
            }
        ],
    }


def test_units_agree_with_memleaf_unit_for_unit(vault: Path, proofstone: Proofstone) -> None:
    ours: dict[str, list[tuple[Any, ...]]] = {}
    for unit in proofstone("show", "units", vault, "--json").items:
        ours.setdefault(unit["turn"], []).append(
            (unit["unit_id"], unit["origin"], unit["start"], unit["end"], unit["text"])
        )
    theirs = memleaf_units(vault)
    assert ours == theirs
    assert len({unit[1] for units in ours.values() for unit in units}) == 8


def test_opening_writes_nothing(vault: Path, proofstone: Proofstone) -> None:
    before = contents(vault)
    for kind in ("turns", "units", "gate", "proposals", "memories", "problems"):
        proofstone("show", kind, vault, "--json")
    proofstone("open", vault)
    proofstone("check", vault)
    proofstone("gate", "prompt", vault, TURN)
    assert contents(vault) == before


def test_states_and_problems_of_a_memleaf_vault(vault: Path, proofstone: Proofstone) -> None:
    turns = {item["turn"]: item for item in proofstone("show", "turns", vault, "--json").items}
    assert turns[TURN]["state"] == "waiting"
    assert turns["codex/orion#2"]["state"] == "waiting"
    assert turns["hermes/desk#1"]["state"] == "incomplete"
    memory = proofstone("show", "memories", vault, "--json").items[0]
    assert memory["layer"] == "L2"
    assert memory["standing"] == "active"
    assert not memory["reviewed"]


def test_an_answer_becomes_a_memory_that_memleaf_reads(
    vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    audit_before = audit_vault(vault)["issues"]
    units = proofstone("show", "units", vault, TURN, "--json").items
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(answer(units)), encoding="utf-8")
    accepted = proofstone("gate", "submit", vault, TURN, file, "--by", "a-model", "--json").json
    (proposal_id,) = accepted["proposals"]
    (proposal,) = proofstone("show", "proposals", vault, proposal_id, "--json").items
    assert proposal["verifier"]["status"] in ("verified", "review_required")
    ruled = proofstone(
        "rule",
        "ratify",
        vault,
        proposal_id,
        "--as",
        "Mira Tal",
        "--target",
        "new",
        "--reason",
        "the user said so",
        "--json",
    ).json
    memory_id = (
        next(
            change["path"] for change in ruled["changes"] if change["path"].startswith("knowledge/")
        )
        .removeprefix("knowledge/")
        .removesuffix(".md")
    )

    read = Memleaf(vault).read(memory_id)
    assert read is not None
    assert read.body.strip() == "Orion ships on Tuesdays."
    assert read.scopes == ["project:orion"]
    assert {source["session_id"] for source in read.sources} == {"orion"}
    found = Memleaf(vault).search("Tuesdays", scope="project:orion")
    assert memory_id in [memory.memory_id for memory in found]
    assert audit_vault(vault)["issues"] == audit_before
    assert proofstone("check", vault).out.strip() == "clean"


def test_memleaf_goes_on_working_after_rulings(
    vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    proofstone("rule", "contest", vault, "mem-by-memleaf", "--as", "Mira Tal")
    service = Memleaf(vault)
    service.capture("codex", "orion", "t-3", "user", "A third turn.")
    service.capture("codex", "orion", "t-3", "assistant", "Yes.")
    assert "codex/orion#3" in [
        item["turn"] for item in proofstone("show", "turns", vault, "--json").items
    ]
    read = service.read("mem-by-memleaf")
    assert read is not None
    assert read.extra["standing"] == "contested"


def test_a_refused_answer_keeps_the_identifier_and_nothing_else(
    vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    units = proofstone("show", "units", vault, TURN, "--json").items
    bad = answer(units)
    bad["evidence_bindings"][0]["claims"][0]["quote"] = "a secret phrase that is nowhere"
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(bad), encoding="utf-8")
    refused = proofstone("gate", "submit", vault, TURN, file, code=1)
    assert "invalid_span" in refused.err
    assert "secret phrase" not in refused.err + refused.out
    assert not any(b"secret phrase" in data for data in contents(vault).values())
    (turn,) = proofstone("show", "turns", vault, TURN, "--json").items
    assert turn["state"] == "refused"
