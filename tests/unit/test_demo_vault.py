"""The demo vault is what its page says: ids, quotes, contracts, and one of everything.

Notes are read here by plain YAML, not by the vault's own reader, so that a fault of the reader
cannot hide one of the files.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from memleaf import Memleaf
from memleaf.inbox import InboxTurn, parse_inbox

from proofstone.domain import evidence_records, ids
from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.evidence_unit import EvidenceUnit, Origin, Partition
from proofstone.domain.gate_contract import check_response, projection
from proofstone.domain.gate_types import (
    DEFERRED_REASONS,
    NO_CHANGE_REASONS,
    ClaimRole,
    Decision,
    GateAnswer,
)
from proofstone.domain.inventory import inventory, inventory_digest
from proofstone.domain.records import Layer, ProposalStatus

DEMO = Path(__file__).parents[2] / "demo-vault"
PAGE = Path(__file__).parents[2] / "docs" / "demo-vault.md"
ROOMS = ("knowledge", "history", "proposals", "evidence", "tombstones", "inquiries")
UNREADABLE = "knowledge/mem-20261110142233-57d0c9ae.md"
PARTLY_READABLE = "knowledge/mem-20261108090541-f3a1620b.md"
WIDENED = "No release goes out before its smoke tests pass."
"""The proposal whose scope Mira edited from its project to everywhere."""

NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)

Note = tuple[dict[str, Any], str]


def read_note(path: Path) -> Note:
    opening, header, body = path.read_text(encoding="utf-8").split("---\n", 2)
    assert opening == ""
    fields = yaml.safe_load(header)
    assert isinstance(fields, dict)
    return fields, body.strip("\n")


def notes(room: str) -> dict[str, Note]:
    """Every readable note of a room, by its id, which is its file's name."""
    found = {}
    for path in sorted((DEMO / room).rglob("*.md")):
        if path.relative_to(DEMO).as_posix() not in (UNREADABLE, PARTLY_READABLE):
            found[path.stem] = read_note(path)
    return found


@pytest.fixture(scope="module")
def proposals() -> dict[str, Note]:
    return notes("proposals")


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, InboxTurn]:
    """The turns as memleaf pairs them, by reference."""
    copy = tmp_path_factory.mktemp("demo") / "vault"
    shutil.copytree(DEMO, copy)
    return {f"{t.source}/{t.session_id}#{t.turn_index}": t for t in parse_inbox(copy)}


def units_of(turn: InboxTurn) -> tuple[EvidenceUnit, ...]:
    return inventory(
        Event(
            event_key=event.event_key,
            role=Role(event.role or ""),
            content=event.content,
            observations=tuple(Observation(**record) for record in event.tool_evidence),
        )
        for event in turn.events
    )


@pytest.fixture(scope="module")
def units(turns: dict[str, InboxTurn]) -> dict[str, tuple[EvidenceUnit, ...]]:
    return {reference: units_of(turn) for reference, turn in turns.items()}


def gate_records() -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted((DEMO / "gate").rglob("*.json")):
        yield path, json.loads(path.read_text(encoding="utf-8"))


class TestEvidence:
    def test_every_partition_and_origin_occurs(
        self, units: dict[str, tuple[EvidenceUnit, ...]]
    ) -> None:
        all_units = [unit for several in units.values() for unit in several]
        assert {unit.partition for unit in all_units} == set(Partition)
        assert {unit.origin for unit in all_units} == set(Origin)

    def test_a_metadata_record_is_captured_and_makes_no_unit(
        self, turns: dict[str, InboxTurn], units: dict[str, tuple[EvidenceUnit, ...]]
    ) -> None:
        records = [
            record
            for event in turns["codex/orion-release#2"].events
            for record in event.tool_evidence
            if record.get("retention") == "metadata"
        ]
        assert [record["tool_name"] for record in records] == ["mail_search"]
        assert all(unit.call_id != "call-0122" for unit in units["codex/orion-release#2"])

    def test_three_sources_thirteen_turns_one_incomplete(self, turns: dict[str, InboxTurn]) -> None:
        assert len(turns) == 13
        assert {turn.source for turn in turns.values()} == {"codex", "claude-code", "hermes"}
        incomplete = [reference for reference, turn in turns.items() if not turn.complete]
        assert incomplete == ["codex/orion-release#4"]

    def test_the_last_block_of_one_session_is_unfinished(self) -> None:
        text = (DEMO / "inbox/hermes/desk.md").read_text(encoding="utf-8")
        assert text.count("<!-- memleaf:event:v2 -->") == 3
        assert text.count("<!-- memleaf:event-end -->") == 2

    def test_binding_quotes_stand_at_their_offsets(
        self, proposals: dict[str, Note], units: dict[str, tuple[EvidenceUnit, ...]]
    ) -> None:
        checked = 0
        for fields, _ in proposals.values():
            by_id = {unit.unit_id: unit for unit in units.get(fields.get("turn", ""), ())}
            for binding in fields.get("bindings", ()):
                unit = by_id[binding["unit"]]
                assert unit.text[binding["start"] : binding["end"]] == binding["quote"]
                assert unit.partition is Partition.PHYSICAL
                checked += 1
        assert checked >= 20

    def test_evidence_ids_come_from_their_content(self) -> None:
        for evidence_id, (fields, _) in notes("evidence").items():
            assert fields["evidence_id"] == evidence_id
            if fields["redaction_status"] != "none":
                continue  # the excerpt that gave the id is gone: that is the point of it
            excerpt = fields["source_excerpt"]
            assert evidence_id == evidence_records.evidence_id(
                profile=fields["profile"],
                session=fields.get("source_session"),
                source_kind=fields["source_kind"],
                source_ref=fields.get("source_ref", ""),
                excerpt=excerpt,
            )
            assert fields["excerpt_hash"] == evidence_records.excerpt_hash(excerpt)

    def test_every_cited_record_is_there_but_one(self, proposals: dict[str, Note]) -> None:
        cited = [
            (owner, evidence_id)
            for room in (proposals, notes("knowledge"), notes("history"))
            for owner, (fields, _) in room.items()
            for evidence_id in fields.get("evidence", ())
        ]
        held = notes("evidence")
        broken = [owner for owner, evidence_id in cited if evidence_id not in held]
        assert [proposals[owner][1] for owner in broken] == [
            "When an Orion release is late, the smoke tests may be skipped."
        ]
        assert {evidence_id for _, evidence_id in cited} >= set(held)


class TestGate:
    def test_accepted_answers_keep_the_contract(
        self, turns: dict[str, InboxTurn], units: dict[str, tuple[EvidenceUnit, ...]]
    ) -> None:
        accepted = 0
        for path, record in gate_records():
            if record["answer"] is None:
                continue
            turn = turns[record["turn"]]
            checked = check_response(
                json.dumps(record["answer"]),
                turn_event_keys=turn.event_keys,
                units=projection(units[record["turn"]]),
                known_memory_ids=set(notes("knowledge")),
            )
            assert isinstance(checked, GateAnswer), (path, checked)
            assert checked.missing_unit_ids == ()
            assert record["inventory_digest"] == inventory_digest(units[record["turn"]])
            accepted += 1
        assert accepted == 10

    def test_files_are_named_after_their_turns(self, turns: dict[str, InboxTurn]) -> None:
        for path, record in gate_records():
            turn = turns[record["turn"]]
            assert turn.turn_key == record["turn_key"]
            name = f"{turn.turn_index:04d}-{record['turn_key'][:12]}.json"
            assert path.relative_to(DEMO / "gate").as_posix() == (
                f"{turn.source}/{turn.session_id}/{name}"
            )

    def test_one_answer_was_refused_and_one_turn_was_never_asked(
        self, turns: dict[str, InboxTurn]
    ) -> None:
        refused = [record for _, record in gate_records() if record["answer"] is None]
        assert [record["turn"] for record in refused] == ["claude-code/atlas-load#2"]
        assert [row["evidence_check"] for row in refused[0]["refusals"]] == ["invalid_span"]
        asked = {record["turn"] for _, record in gate_records()}
        complete = {reference for reference, turn in turns.items() if turn.complete}
        assert complete - asked == {"claude-code/atlas-load#4"}

    def test_every_decision_reason_and_role_occurs(self) -> None:
        answers = [record["answer"] for _, record in gate_records() if record["answer"]]
        rows = [row for answer in answers for row in answer["coverage"]]
        assert {row["decision"] for row in rows} == {decision.value for decision in Decision}
        reasons = {row["reason"] for row in rows if "reason" in row}
        assert reasons == {*NO_CHANGE_REASONS, *DEFERRED_REASONS}
        roles = {
            claim["role"]
            for answer in answers
            for binding in answer["evidence_bindings"]
            for claim in binding["claims"]
        }
        assert roles == {role.value for role in ClaimRole}

    def test_a_person_answered_one_turn(self) -> None:
        kinds = [record["answered_by_kind"] for _, record in gate_records() if record["answer"]]
        assert sorted(set(kinds)) == ["model", "person"]

    def test_every_candidate_of_worth_is_a_proposal_with_its_claims(
        self, proposals: dict[str, Note]
    ) -> None:
        from_gate = {
            (fields["turn"], fields["candidate_id"]): (fields, body)
            for fields, body in proposals.values()
            if fields["origin"] == "gate"
        }
        candidates = {}
        for _, record in gate_records():
            answer = record["answer"] or {"candidates": (), "evidence_bindings": ()}
            claims = {row["candidate_id"]: row["claims"] for row in answer["evidence_bindings"]}
            for candidate in answer["candidates"]:
                assert candidate["worth"]
                key = (record["turn"], candidate["candidate_id"])
                candidates[key] = claims[candidate["candidate_id"]]
                fields, body = from_gate[key]
                assert body == candidate["memory"]
                assert fields["scopes"] == candidate["scopes"] or body == WIDENED
                assert fields.get("update_memory_id") == candidate.get("update_memory_id")
        assert candidates.keys() == from_gate.keys()
        for key, claims in candidates.items():
            bound = [
                {"unit_id" if name == "unit" else name: value for name, value in row.items()}
                for row in from_gate[key][0]["bindings"]
            ]
            assert bound == claims


class TestNotes:
    @pytest.mark.parametrize("room", ROOMS)
    def test_file_names_are_ids(self, room: str) -> None:
        key = {
            "knowledge": "memory_id",
            "history": "memory_id",
            "proposals": "proposal_id",
            "evidence": "evidence_id",
            "tombstones": "tombstone_id",
            "inquiries": "inquiry_id",
        }[room]
        assert notes(room)
        for name, (fields, _) in notes(room).items():
            assert fields[key] == name

    def test_proposal_ids_come_from_their_first_content(self, proposals: dict[str, Note]) -> None:
        for proposal_id, (fields, body) in proposals.items():
            assert proposal_id == ids.proposal_id(
                fields.get("original", body),
                profile=fields["profile"],
                scopes=["project:orion"] if body == WIDENED else fields["scopes"],
                layer=Layer(fields["layer"]),
            )
            assert fields["content_hash"] == ids.content_hash(body)

    def test_ratified_proposals_are_memories_in_force(self, proposals: dict[str, Note]) -> None:
        memories = notes("knowledge")
        made = [
            (proposal_id, fields)
            for proposal_id, (fields, _) in proposals.items()
            if fields["status"] in ("ratified", "superseding")
        ]
        assert len(made) == 5
        for proposal_id, fields in made:
            assert fields["memory_id"] == ids.memory_id_for(proposal_id)
            memory, body = memories[fields["memory_id"]]
            assert body == proposals[proposal_id][1]
            assert memory["ratified"]["ruling"] == fields["ruled"]["ruling"]

    def test_every_status_occurs_and_each_in_its_folder(self, proposals: dict[str, Note]) -> None:
        statuses = {fields["status"] for fields, _ in proposals.values()}
        assert statuses == {status.value for status in ProposalStatus}
        ruled = {path.stem for path in (DEMO / "proposals/ruled").glob("*.md")}
        waiting = {
            name
            for name, (fields, _) in proposals.items()
            if fields["status"] in ("open", "deferred")
        }
        assert waiting == proposals.keys() - ruled

    def test_tombstones_remember_hashes_and_nothing_else(self, proposals: dict[str, Note]) -> None:
        buried = {
            **{name: body for name, (_, body) in proposals.items()},
            **{fields["active_memory_id"]: body for fields, body in notes("history").values()},
        }
        assert len(notes("tombstones")) == 2
        for name, (fields, body) in notes("tombstones").items():
            assert body == ""
            assert name == ids.tombstone_id(fields["deleted_id"])
            assert fields["content_hash"] == ids.content_hash(buried[fields["deleted_id"]])

    def test_a_tombstoned_statement_came_back(self, proposals: dict[str, Note]) -> None:
        hashes = {fields["content_hash"] for fields, _ in notes("tombstones").values()}
        returned = [
            body
            for fields, body in proposals.values()
            if fields["status"] == "open" and fields["content_hash"] in hashes
        ]
        assert returned == ["Skip the smoke tests when an Orion release is late."]

    def test_inquiry_ids_come_from_their_content(self) -> None:
        inquiries = notes("inquiries")
        for name, (fields, _) in inquiries.items():
            assert name == ids.inquiry_id(fields["question"], fields["concerns"])
        states = sorted(fields["status"] for fields, _ in inquiries.values())
        assert states == ["answered", "open", "open", "open", "open"]

    def test_the_l1_proposal_cites_two_stable_memories(self, proposals: dict[str, Note]) -> None:
        (fields,) = [fields for fields, _ in proposals.values() if fields["layer"] == "L1"]
        memories = notes("knowledge")
        sources = [memories[memory_id][0] for memory_id in fields["l1_sources"]]
        assert [source["stability"] for source in sources] == ["stable", "stable"]
        assert len({(source["rule_type"], *source["tags"]) for source in sources}) == 1
        assert fields["evidence"] == [e for source in sources for e in source["evidence"]]
        assert fields["original"] in [memories[id][1] for id in fields["l1_sources"]]

    def test_links_between_notes_hold(self, proposals: dict[str, Note]) -> None:
        known = {*proposals, *notes("knowledge"), *notes("history")}
        gone = {fields["active_memory_id"] for fields, _ in notes("history").values()}
        for room in ("knowledge", "history", "proposals", "inquiries"):
            for name, (fields, _) in notes(room).items():
                linked = [
                    *fields.get("supersedes", ()),
                    *fields.get("concerns", ()),
                    *fields.get("l1_sources", ()),
                    fields.get("superseded_by", name),
                    fields.get("update_memory_id", name),
                ]
                assert set(linked) <= known | gone | {name}, name

    def test_notes_keep_the_form_in_which_new_notes_are_written(self) -> None:
        scalar = r'(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false)'
        line = re.compile(
            rf"^(?:  (?:- |  )?)?\w+:(?: (?:{scalar}|\[(?:{scalar}(?:, {scalar})*)?\]))?$"
        )
        for room in ROOMS:
            for path in sorted((DEMO / room).rglob("*.md")):
                if path.relative_to(DEMO).as_posix() in (UNREADABLE, PARTLY_READABLE):
                    continue
                text = path.read_text(encoding="utf-8")
                assert text.endswith("\n")
                header = text.split("---\n", 2)[1]
                wrong = [row for row in header.splitlines() if not line.match(row)]
                assert wrong == [], path.name


class TestFaults:
    def test_one_note_has_merge_markers(self) -> None:
        text = (DEMO / UNREADABLE).read_text(encoding="utf-8")
        assert text.splitlines()[5] == "<<<<<<< HEAD"
        with pytest.raises(yaml.YAMLError):
            yaml.safe_load(text.split("---\n", 2)[1])

    def test_one_note_has_a_key_that_is_no_yaml(self) -> None:
        lines = (DEMO / PARTLY_READABLE).read_text(encoding="utf-8").splitlines()
        assert lines[10] == "globs: **/deploy/*.yaml"
        with pytest.raises(yaml.YAMLError):
            yaml.safe_load(lines[10])
        assert yaml.safe_load("\n".join(lines[1:10]))["title"] == "Orion deploy files"

    def test_one_anchor_drifted_and_one_holds(self) -> None:
        settings = yaml.safe_load((DEMO / "proofstone.yaml").read_text(encoding="utf-8"))
        root = DEMO / settings["anchor_root"]
        drifted = {}
        for fields, body in notes("knowledge").values():
            if "anchor_hash" in fields:
                anchored = root / fields["anchor"].rpartition(":")[0]
                now = hashlib.sha256(anchored.read_bytes()).hexdigest()
                drifted[body] = now != fields["anchor_hash"]
        assert sorted(drifted.values()) == [False, True]
        (statement,) = [body for body, is_drifted in drifted.items() if is_drifted]
        assert statement.startswith("The Atlas weekly load starts at 04:30 UTC")

    def test_nothing_names_a_real_host_or_a_secret(self) -> None:
        host = re.compile(r"\b[\w-]+\.(?:com|org|net|io|dev)\b")
        for path in sorted(DEMO.rglob("*")):
            if path.is_file():
                assert host.findall(path.read_text(encoding="utf-8")) == [], path

    def test_the_page_names_every_fault(self) -> None:
        page = PAGE.read_text(encoding="utf-8")
        for place in (UNREADABLE, PARTLY_READABLE, "inbox/hermes/desk.md", "schedule.toml:8"):
            assert place in page


class TestMemleaf:
    @pytest.fixture
    def copy(self, tmp_path: Path) -> Path:
        shutil.copytree(DEMO, tmp_path / "vault")
        return tmp_path / "vault"

    def test_reads_every_readable_memory(self, copy: Path) -> None:
        memleaf = Memleaf(copy)
        for memory_id, (fields, body) in notes("knowledge").items():
            memory = memleaf.read(memory_id)
            assert memory is not None, memory_id
            assert (memory.title, memory.body) == (fields["title"], body)

    def test_finds_a_ratified_memory(self, copy: Path) -> None:
        found = Memleaf(copy).search("pnpm")
        assert "Use pnpm for Orion, never npm." in [memory.body for memory in found]

    def test_agrees_on_every_unit(
        self, turns: dict[str, InboxTurn], units: dict[str, tuple[EvidenceUnit, ...]]
    ) -> None:
        from memleaf.admission import analyze_turn_evidence

        for reference, turn in turns.items():
            theirs = analyze_turn_evidence(
                {
                    "event_key": event.event_key,
                    "role": event.role,
                    "content": event.content,
                    "tool_evidence": event.tool_evidence,
                }
                for event in turn.events
            )
            assert [(u.unit_id, u.start, u.end, u.text) for u in theirs] == [
                (u.unit_id, u.start, u.end, u.text) for u in units[reference]
            ]

    def test_leaves_every_file_of_ours_as_it_is(self, copy: Path) -> None:
        Memleaf(copy).search("Orion")
        for path in sorted(DEMO.rglob("*")):
            if path.is_file():
                relative = path.relative_to(DEMO)
                assert (copy / relative).read_bytes() == path.read_bytes(), relative

    def test_outcomes_of_two_turns_are_told(self) -> None:
        state = json.loads((DEMO / "_state/processed.json").read_text(encoding="utf-8"))
        sessions = state["sessions"]
        (done,) = sessions["codex/orion-release"]["processed_turns"]
        assert done["turn_index"] == 1
        assert {row["decision"] for row in done["evidence_dispositions"]} == {
            "CANDIDATE",
            "NO_CHANGE",
        }
        failed = sessions["claude-code/atlas-load"]["processing"]
        assert (failed["status"], failed["evidence_check"]) == ("failed", "invalid_span")
