"""A vault in which one memory's words stand in every place that a purge has to find."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, quote_plus

import yaml

from proofstone.curation.context import Context
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain import ids, note_fields
from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.evidence_records import completed
from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.gate_types import (
    Binding,
    Candidate,
    Claim,
    ClaimRole,
    CoverageRow,
    Decision,
    GateAnswer,
    GateRecord,
)
from proofstone.domain.inventory import inventory, inventory_digest
from proofstone.domain.records import EvidenceRecord, Memory, Proposal, TrustClass
from proofstone.domain.rulings import Choices, short_id
from proofstone.vault import layout
from proofstone.vault.gate_store import write_gate
from proofstone.vault.inbox_writer import append_event, id_key
from proofstone.vault.note_writer import new_note
from tests.conftest import NOW

TIME = "2026-11-20T10:00:00Z"
TURN = "agent/told#1"
OTHER_STATEMENT = "The quarterly ledger closes on the fifth working day."
BEFORE = "Quartz before it. "
AFTER = "\nZebras after it, and more! Is that so?"
AROUND = ("Quartz before it.", "Zebras after it", "and more!", "Is that so?")


@dataclass(frozen=True)
class Story:
    """The vault, what is to be purged in it, and what is to stay."""

    root: Path
    subject: str
    statement: str
    quotes: tuple[str, ...]
    unaffected: frozenset[str]

    @property
    def confirmed(self) -> Choices:
        """What a person gives to purge it."""
        return Choices(reason="privacy_sensitive", confirm=short_id(self.subject))


def workspace(root: Path) -> Workspace:
    """The vault as it is now."""
    return Workspace.open(root, Context(clock=lambda: NOW, author="Mira Tal", via="cli"))


def tell(root: Path, statement: str, *, ruled: bool = True) -> Story:
    """Write the story: captured, answered, proposed, ratified, edited, contested, indexed."""
    events = _captured(root, statement)
    units = inventory(events)
    told = _units_of(units, events[0], statement)
    claims = tuple(
        Claim(unit_id=u.unit_id, quote=u.text, role=ClaimRole.ASSERTION, start=0, end=len(u.text))
        for u in told
    )
    _answered(root, events, units, told, claims, statement)
    proposal = _proposed(root, claims, statement)
    _other_memory(root, statement)
    _elsewhere(root, statement)
    subject = proposal.proposal_id
    if ruled and _ruled(root, proposal, statement):
        subject = ids.memory_id_for(subject)
    mine = {unit.unit_id for unit in units if unit.text in AROUND and unit not in told}
    return Story(
        root=root,
        subject=subject,
        statement=statement,
        quotes=tuple(claim.quote for claim in claims),
        unaffected=frozenset(mine),
    )


def forms(text: str) -> Iterator[tuple[str, bytes]]:
    """Every form in which a text could still stand in a file."""
    lowered = text.lower()
    for what, each in (("", text), ("lower-cased ", lowered)):
        yield f"{what}raw", each.encode("utf-8", "replace")
        yield f"{what}JSON", json.dumps(each)[1:-1].encode()
        yield f"{what}JSON, unescaped", json.dumps(each, ensure_ascii=False)[1:-1].encode()
        yield f"{what}JSON in JSON", json.dumps(json.dumps(each))[3:-3].encode()
        yield f"{what}HTML", html.escape(each).encode()
        yield f"{what}HTML, by number", "".join(f"&#{ord(c)};" for c in each).encode()
        yield f"{what}percent", quote(each, safe="").encode()
        yield f"{what}form", quote_plus(each).encode()
        dumped = yaml.dump(each, default_style='"', width=10**9, allow_unicode=False)
        yield f"{what}YAML", dumped.strip()[1:-1].encode()


def files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a vault by path."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix(), path.read_bytes()


def _captured(root: Path, statement: str) -> tuple[Event, ...]:
    said = BEFORE + statement + AFTER
    tool = Observation(
        tool_name="lookup",
        call_id="call-1",
        kind="external_observation",
        result_status="success",
        execution_status="success",
        completeness="complete",
        content=json.dumps({"found": statement[:300], "as": "seen"}),
        result_digest="0" * 64,
        title=" ".join(statement.split())[:60] or "a title",
    )
    events = (
        _event("told", 1, Role.USER, said, ()),
        _event("told", 1, Role.ASSISTANT, f"Noted: {statement.lower()}\nDone.", (tool,)),
    )
    later = (
        _event("later", 1, Role.USER, f"By the way. {html.escape(statement)} Remember?", ()),
        _event("later", 1, Role.ASSISTANT, f"See https://x.test/?q={quote(statement)} for it", ()),
    )
    written = []
    for session in (events, later):
        path = root / layout.inbox_path("agent", session[0].session_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        data: bytes | None = None
        for event in session:
            data = append_event(data, event)
        path.write_bytes(data or b"")
        written.append(session)
    contents = workspace(root).contents
    (turn,) = (turn for turn in contents.turns if turn.reference == TURN)
    return turn.events


def _event(
    session: str, index: int, role: Role, text: str, tools: tuple[Observation, ...]
) -> Event:
    return Event(
        event_key=id_key(f"agent/{session}/{index}/{role}"),
        role=role,
        content=text,
        source="agent",
        session_id=session,
        turn_id=f"{session}-{index}",
        turn_key=id_key(f"{session}-{index}"),
        turn_index=index,
        timestamp=TIME,
        observations=tools,
    )


def _units_of(
    units: tuple[EvidenceUnit, ...], event: Event, statement: str
) -> tuple[EvidenceUnit, ...]:
    """The units of the user's text that the statement is made of."""
    start = len(BEFORE)
    end = start + len(statement.replace("\r\n", "\n"))
    return tuple(
        unit
        for unit in units
        if unit.event_key == event.event_key
        and unit.source_role == "user"
        and unit.start < end
        and unit.end > start
    )


def _answered(
    root: Path,
    events: tuple[Event, ...],
    units: tuple[EvidenceUnit, ...],
    told: tuple[EvidenceUnit, ...],
    claims: tuple[Claim, ...],
    statement: str,
) -> None:
    supports = {unit.unit_id for unit in told}
    line = " ".join(statement.split()) or "said"
    candidate = Candidate(
        candidate_id="c1",
        memory=line,
        evidence_event_ids=(events[0].event_key,),
        worth=bool(told),
        duplicate=False,
        type="fact",
        scopes=("global",),
        scope_source="user",
    )
    rows = tuple(
        CoverageRow(unit_id=unit.unit_id, decision=Decision.CANDIDATE, candidate_ids=("c1",))
        if unit.unit_id in supports
        else CoverageRow(
            unit_id=unit.unit_id, decision=Decision.NO_CHANGE, reason="no_future_value"
        )
        for unit in units
        if unit.partition == "physical"
    )
    record = GateRecord(
        turn=TURN,
        answer=GateAnswer(
            candidates=(candidate,),
            coverage=rows,
            bindings=(Binding(candidate_id="c1", claims=claims),) if claims else (),
        ),
        answered_by="a model",
        answered_at=TIME,
        inventory_digest=inventory_digest(units),
    )
    key = events[0].turn_key
    path = root / layout.gate_path("agent", "told", 1, key)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(write_gate(record, key))


def _proposed(root: Path, claims: tuple[Claim, ...], statement: str) -> Proposal:
    records = [
        completed(
            EvidenceRecord(
                evidence_id="",
                source_kind="conversation",
                trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
                source_ref=f"{TURN}:{claim.unit_id}",
                source_session="agent/told",
                source_excerpt=claim.quote,
                profile="mira",
                scopes=("global",),
                unit_id=claim.unit_id,
                start=claim.start,
                end=claim.end,
                created=TIME,
            )
        )
        for claim in claims[:3]
    ]
    for record in records:
        _note(root, f"evidence/{record.evidence_id}.md", note_fields.evidence_fields(record), "")
    proposal = Proposal(
        proposal_id=ids.proposal_id(statement),
        statement=statement,
        title=" ".join(statement.split())[:72] or "untitled",
        candidate_id="c1",
        turn=TURN,
        bindings=claims,
        evidence=tuple(dict.fromkeys(record.evidence_id for record in records)),
        trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
        content_hash=ids.content_hash(statement),
        created=TIME,
        updated=TIME,
    )
    path = f"proposals/{proposal.proposal_id}.md"
    _note(root, path, note_fields.proposal_fields(proposal), statement)
    return proposal


def _other_memory(root: Path, statement: str) -> None:
    """A memory of something else that quotes the words, in a comment too."""
    quoted = Memory(
        memory_id="mem-other",
        title="The ledger",
        statement=OTHER_STATEMENT,
        content_hash=ids.content_hash(OTHER_STATEMENT),
        known_exceptions=(f"unless {' '.join(statement.split())}",),
        created=TIME,
        updated=TIME,
    )
    _note(root, "knowledge/mem-other.md", note_fields.memory_fields(quoted), OTHER_STATEMENT)
    path = root / "knowledge/mem-other.md"
    comment = f"# compare: {json.dumps(statement)}\n".encode()
    path.write_bytes(path.read_bytes().replace(b"memory_id:", comment + b"memory_id:", 1))


def _elsewhere(root: Path, statement: str) -> None:
    """Indexes, ours and memleaf's."""
    for path in ("_index/proofstone/rows.json", "_index/titles.json"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(json.dumps({"title": statement.lower()}), encoding="utf-8")
    (root / "_state").mkdir(exist_ok=True)
    (root / "proofstone.yaml").write_text("profile: mira\n", encoding="utf-8")


def _ruled(root: Path, proposal: Proposal, statement: str) -> bool:
    """Edited as a proposal, ratified, contested with the words as the reason, edited again.

    False when the verifier keeps it from being ratified.
    """
    subject = proposal.proposal_id
    edits = {"statement": f"{statement} (as edited)"}
    rule(workspace(root), "edit", [subject], Choices(edits=edits, reason=statement))
    rule(workspace(root), "edit", [subject], Choices(edits={"statement": statement}))
    view = workspace(root)
    if view.proposal(subject).report.blocks:
        return False
    rule(view, "ratify", [subject], Choices(reason=f"because {statement}", target=("new",)))
    memory_id = ids.memory_id_for(subject)
    rule(workspace(root), "contest", [memory_id], Choices(reason=f"is it so? {statement}"))
    rule(workspace(root), "contest", [memory_id], Choices())
    again = {"statement": f"{statement} And later on, changed."}
    rule(workspace(root), "edit", [memory_id], Choices(edits=again))
    rule(workspace(root), "edit", [memory_id], Choices(edits={"statement": statement}))
    return True


def _note(root: Path, path: str, fields: dict[str, object], body: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(new_note(fields, body))  # type: ignore[arg-type]
