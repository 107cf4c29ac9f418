"""Captured text, its units, and the Gate answers about them, in a privacy purge (page 6)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from proofstone.curation.workspace import Workspace
from proofstone.domain import note_fields
from proofstone.domain.conversation import Event, Turn
from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.gate_contract import check_answer, projection
from proofstone.domain.gate_stored import answer_to_json
from proofstone.domain.gate_types import GateRecord, GateRefusal
from proofstone.domain.inventory import inventory, inventory_digest
from proofstone.domain.plan import Value
from proofstone.domain.purge_gate import Renamed, without
from proofstone.domain.purge_json import purged_json
from proofstone.domain.purge_text import Span, blacked_out
from proofstone.domain.purging import PurgeScope
from proofstone.domain.records import EvidenceRecord, Proposal
from proofstone.vault.inbox import parse_inbox
from proofstone.vault.layout import MEMLEAF_CONFIG
from proofstone.vault.purge_inbox import Captured, purged_inbox
from proofstone.vault.tool_evidence import METADATA, CapturePolicy, read_policy


class CapturedText:
    """Purges inbox files, then what names their units: answers, bindings, evidence records.

    All inbox files come first: the units that change their ids on the way are remembered.
    """

    def __init__(self, workspace: Workspace, scope: PurgeScope) -> None:
        self._workspace = workspace
        self._scope = scope
        self._words = scope.words
        self._policy = _policy_of(workspace)
        self._renamed = Renamed({})
        self._events: dict[tuple[str, str, str], Event] = {}
        self._answers = {record.path: record for record in workspace.contents.gate.values()}
        self._captured = self._where_captured()

    def inbox(self, path: str, data: bytes) -> bytes:
        """An inbox file without the words."""
        text = data.decode("utf-8", "surrogateescape")
        folded = text.casefold()
        if not (self._words.may_be_in(text) or any(key in folded for key in self._captured.events)):
            return data
        after = purged_inbox(data, self._words, self._captured)
        if after != data:
            renamed = dict(self._renamed.by_id)
            pairs = zip(self._events_of(path, data), self._events_of(path, after), strict=True)
            for old, new in pairs:
                if old != new:
                    self._events[_identity(new)] = new
                    renamed |= Renamed.between(inventory((old,)), inventory((new,))).by_id
            self._renamed = Renamed(renamed)
        return after

    def answer(self, path: str, data: bytes) -> bytes:
        """A stored Gate answer without the words. One that cannot be read stays as it is."""
        record = self._answers.get(path)
        if record is None:
            return data
        turn = self._turn_after(record.turn)
        is_changed = turn is not None and turn != self._turn_before(record.turn)
        is_about = record.turn in self._scope.turns
        if not (is_changed or is_about or self._words.may_be_in(data.decode("utf-8", "replace"))):
            return data
        value = json.loads(data.decode("utf-8-sig"))
        stored, digest = self._answer_left(record, turn)
        left = {
            key: item if key == "answer" else purged_json(item, self._words)
            for key, item in value.items()
        }
        left |= {"answer": stored, "inventory_digest": digest}
        if left == value:
            return data
        return (json.dumps(left, ensure_ascii=False, indent=2) + "\n").encode("utf-8")

    def bindings(self, proposal: Proposal) -> dict[str, Value]:
        """What another proposal has to say of units that were blacked out."""
        claims = tuple(map(self._renamed.claim, proposal.bindings))
        if claims == proposal.bindings:
            return {}
        return {"bindings": tuple(note_fields.claim_fields(claim) for claim in claims)}

    def place(self, record: EvidenceRecord) -> dict[str, Value]:
        """What another evidence record has to say of a unit that was blacked out."""
        unit = self._renamed.by_id.get(record.unit_id)
        if unit is None:
            return {}
        changed: dict[str, Value] = {"unit_id": unit.unit_id}
        place = record.source_ref.replace(record.unit_id, unit.unit_id)
        if place != record.source_ref:
            changed["source_ref"] = place
        if record.start is not None and record.end is not None:
            quoted = unit.text[record.start : record.end]
            if len(quoted) == len(record.source_excerpt) and quoted != record.source_excerpt:
                changed["source_excerpt"] = quoted
        return changed

    def _answer_left(self, record: GateRecord, turn: Turn | None) -> tuple[object, str]:
        """The stored form of what is left of an answer, and the digest of its turn's units."""
        answer = record.answer
        if answer is None:
            return None, record.inventory_digest
        left = without(answer, self._purged_candidates(record), self._renamed, self._black_out)
        before = self._turn_before(record.turn)
        if turn is None or before is None:
            return answer_to_json(left), record.inventory_digest
        old_units, units = inventory(before.events), inventory(turn.events)
        digest = record.inventory_digest
        if digest and digest == inventory_digest(old_units):
            digest = inventory_digest(units)
        keys = [event.event_key for event in turn.events]
        was = check_answer(answer, turn_event_keys=keys, units=projection(old_units))
        now = check_answer(left, turn_event_keys=keys, units=projection(units))
        if isinstance(now, GateRefusal) and not isinstance(was, GateRefusal):
            # Better no answer than one that breaks the contract: the turn waits for a new one.
            return None, ""
        return answer_to_json(left), digest

    def _purged_candidates(self, record: GateRecord) -> frozenset[str]:
        """The candidates that were purged: proposals that go, and whatever says the same."""
        gone = self._scope.ids
        of_turn = [p for p in self._workspace.holdings.proposals if p.turn == record.turn]
        mine = {p.candidate_id for p in of_turn if p.proposal_id in gone}
        kept = {p.candidate_id for p in of_turn if p.proposal_id not in gone}
        is_about = record.turn in self._scope.turns
        return frozenset(
            candidate.candidate_id
            for candidate in (record.answer.candidates if record.answer else ())
            if candidate.candidate_id in mine
            or self._words.is_whole(candidate.memory)
            or (
                is_about
                and candidate.candidate_id not in kept
                and self._words.overlap(candidate.memory)
            )
        )

    def _where_captured(self) -> Captured:
        """The events and clauses that the purged words were quoted from."""
        concerned = [
            turn
            for turn in self._workspace.contents.turns
            if turn.reference in self._scope.turns
            or any(event.event_key in self._scope.event_keys for event in turn.events)
        ]
        units = {
            unit.unit_id: unit
            for turn in concerned
            for unit in self._workspace.turn(turn.reference).units
        }
        mine, others = self._quoted_parts(units)
        whole: dict[str, set[str]] = defaultdict(set)
        quoted: dict[str, dict[str, tuple[Span, ...]]] = defaultdict(dict)
        for unit_id, unit in units.items():
            if unit_id in others:
                quoted[unit.event_key][unit.text] = tuple(mine.get(unit_id, ()))
            elif unit_id in mine:
                whole[unit.event_key].add(unit.text)
        keys = {event.event_key for turn in concerned for event in turn.events}
        return Captured(events=frozenset(keys), whole=whole, quoted=quoted)

    def _quoted_parts(
        self, units: Mapping[str, EvidenceUnit]
    ) -> tuple[dict[str, list[Span]], frozenset[str]]:
        """The parts of units that what is purged quotes, and the units that others quote."""
        mine: dict[str, list[Span]] = defaultdict(list)
        others: set[str] = set()
        gone, emptied = self._scope.ids, {record.path for record in self._scope.records}
        for proposal in self._workspace.holdings.proposals:
            for claim in proposal.bindings:
                if claim.unit_id in units and proposal.proposal_id in gone:
                    mine[claim.unit_id].append((claim.start, claim.end))
                elif claim.unit_id in units:
                    others.add(claim.unit_id)
        for record in self._workspace.holdings.evidence:
            unit = units.get(record.unit_id)
            if unit is not None and record.path in emptied:
                start, end = record.start or 0, record.end
                mine[record.unit_id].append((start, len(unit.text) if end is None else end))
            elif unit is not None:
                others.add(record.unit_id)
        return mine, frozenset(others)

    def _events_of(self, path: str, data: bytes) -> tuple[Event, ...]:
        folder, _, name = path.rpartition("/")
        source, session = folder.rpartition("/")[2], name.removesuffix(".md")
        return parse_inbox(data, source, session, path, self._policy).events

    def _turn_before(self, reference: str) -> Turn | None:
        try:
            return self._workspace.turn(reference).turn
        except KeyError:
            return None

    def _turn_after(self, reference: str) -> Turn | None:
        turn = self._turn_before(reference)
        if turn is None:
            return None
        events = (self._events.get(_identity(event), event) for event in turn.events)
        return replace(turn, events=tuple(events))

    def _black_out(self, text: str) -> str:
        return blacked_out(text, self._words.spans(text))


def _identity(event: Event) -> tuple[str, str, str]:
    return event.source, event.session_id, event.event_key


def _policy_of(workspace: Workspace) -> CapturePolicy:
    """What of the tool records may be seen, as the vault was read."""
    data = workspace.bytes_of(MEMLEAF_CONFIG)
    if data is None:
        return CapturePolicy()
    try:
        return read_policy(data)
    except ValueError:
        return CapturePolicy(mode=METADATA)
