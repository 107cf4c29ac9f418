"""Everything that can be listed, by kind, with the same filters everywhere (spec page 8, show)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from proofstone.curation import forms
from proofstone.domain import filters
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.filters import Filter, Filterable

if TYPE_CHECKING:
    from proofstone.curation.forms import Json
    from proofstone.curation.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Row:
    """One thing: its ids (any of which names it), its JSON form, and what filters see."""

    names: tuple[str, ...]
    form: Json
    filterable: Filterable


Progress = Callable[[int, int], None]
"""Called with how much of a long work is done, and how much there is."""


def listing(
    workspace: Workspace,
    kind: str,
    identifier: str = "",
    filter_text: str = "",
    progress: Progress | None = None,
) -> Json:
    """The list of ``kind``, narrowed to ``identifier`` and by a filter, as JSON.

    Raises:
        ProofstoneError: no such kind or thing, or a filter that cannot be understood.
    """
    rows = select(workspace, kind, identifier, filter_text, progress)
    return forms.listing(kind, (row.form for row in rows))


def select(
    workspace: Workspace,
    kind: str,
    identifier: str = "",
    filter_text: str = "",
    progress: Progress | None = None,
) -> Iterable[Row]:
    """The rows of ``kind``, each made when it is asked for; see ``listing``."""
    source = KINDS.get(kind)
    if source is _duplicates:
        source = partial(_duplicates, progress=progress)
    if source is None:
        raise ProofstoneError(f"show {kind}: there is no such kind; try {', '.join(KINDS)}")
    try:
        wanted = filters.parse(filter_text)
    except filters.FilterError as error:
        raise ProofstoneError(f"--filter {filter_text}: {error}") from error
    if source is _memories:
        source = partial(_memories, wanted=wanted)
    found = (row for row in source(workspace) if wanted.matches(row.filterable))
    if not identifier:
        return found
    rows = tuple(found)
    named = tuple(row for row in rows if identifier in row.names)
    named = named or tuple(
        row for row in rows if any(name.startswith(identifier) for name in row.names)
    )
    if not named:
        raise ProofstoneError(
            f"show {kind} {identifier}: nothing has that id; list them without one"
        )
    return named


def _turns(workspace: Workspace) -> Iterator[Row]:
    for view in workspace.turns:
        text = " ".join(event.content for event in view.turn.events)
        yield Row(
            (view.reference, view.turn.turn_key),
            forms.turn(view),
            Filterable(
                text=text,
                identifier=view.reference,
                state=view.state.value,
                source=view.turn.source,
                turn=view.reference,
            ),
        )


def _units(workspace: Workspace) -> Iterator[Row]:
    from proofstone.curation.covered import covered_units

    for view in workspace.turns:
        for unit in covered_units(view.turn, view.units):
            yield Row(
                (unit.unit_id, view.reference),
                forms.unit(unit, view.reference),
                Filterable(
                    text=unit.text,
                    identifier=unit.unit_id,
                    state=unit.partition.value,
                    origin=unit.origin.value,
                    source=view.turn.source,
                    turn=view.reference,
                ),
            )


def _gate(workspace: Workspace) -> Iterator[Row]:
    from proofstone.domain.gate_stored import answer_to_json

    for view in workspace.turns:
        answer = view.gate.answer if view.gate is not None else None
        yield Row(
            (view.reference, view.turn.turn_key),
            forms.gate(view, None if answer is None else answer_to_json(answer)),
            Filterable(
                text=view.reference,
                identifier=view.reference,
                state=view.state.value,
                source=view.turn.source,
                turn=view.reference,
            ),
        )


def _proposals(workspace: Workspace) -> Iterator[Row]:
    waiting = [view.proposal_id for view in workspace.queue]
    ruled = sorted(set(workspace.proposals) - set(waiting))
    for proposal_id in (*waiting, *ruled):
        view = workspace.proposal(proposal_id)
        yield Row((proposal_id,), forms.proposal(view), view.filterable)


def _memories(workspace: Workspace, wanted: Filter | None = None) -> Iterator[Row]:
    from proofstone.curation.sifting import sift

    # Of many, no view is made that the filter does not let through.
    views = workspace.memories
    for view in views if wanted is None else sift(views, wanted):
        yield Row((view.memory_id,), forms.memory(view), view.filterable)


def _evidence(workspace: Workspace) -> Iterator[Row]:
    for record in workspace.holdings.evidence:
        yield Row(
            (record.evidence_id,),
            forms.evidence(record),
            Filterable(
                text=f"{record.source_summary} {record.source_excerpt}",
                identifier=record.evidence_id,
                trust=record.trust_class.value,
                state=record.redaction_status.value,
                source=record.source_ref,
                scopes=record.scopes,
            ),
        )


def _siblings(workspace: Workspace) -> Iterator[Row]:
    for view in workspace.queue:
        for sibling in view.siblings:
            form = {"proposal_id": view.proposal_id, **forms.sibling(sibling)}
            yield Row((view.proposal_id, sibling.memory_id), form, view.filterable)


def _verify(workspace: Workspace) -> Iterator[Row]:
    from proofstone.curation.covered import covered_report

    for view in workspace.queue:
        report = covered_report(view.proposal.statement, view.report)
        form = {"proposal_id": view.proposal_id, **forms.verifier(report)}
        yield Row((view.proposal_id,), form, view.filterable)


def _duplicates(workspace: Workspace, progress: Progress | None = None) -> Iterator[Row]:
    from proofstone.curation.duplicates import duplicates

    for found in duplicates(workspace, progress):
        members = [
            {
                "id": id,
                "title": member.title,
                "statement": member.statement,
                "nearest": [{"id": near.id, "score": near.score} for near in nearest],
            }
            for id, member, nearest in zip(
                found.cluster.ids, found.members, found.cluster.nearest, strict=True
            )
        ]
        yield Row(
            found.cluster.ids,
            {"score": found.cluster.score, "size": len(members), "members": members},
            Filterable(
                text=" ".join(member.statement for member in found.members),
                identifier=found.cluster.ids[0],
                scopes=tuple({scope for member in found.members for scope in member.scopes}),
                tags=tuple({tag for member in found.members for tag in member.tags}),
            ),
        )


def _inquiries(workspace: Workspace) -> Iterator[Row]:
    for inquiry in workspace.holdings.inquiries:
        yield Row(
            (inquiry.inquiry_id, *inquiry.concerns),
            forms.inquiry(inquiry),
            Filterable(
                text=f"{inquiry.question} {inquiry.context}",
                identifier=inquiry.inquiry_id,
                state=inquiry.status,
            ),
        )


def _tombstones(workspace: Workspace) -> Iterator[Row]:
    for stone in workspace.holdings.tombstones:
        yield Row(
            (stone.tombstone_id, stone.deleted_id),
            forms.tombstone(stone),
            Filterable(text=stone.reason, identifier=stone.tombstone_id, state=stone.mode),
        )


def _problems(workspace: Workspace) -> Iterator[Row]:
    for problem in workspace.problems:
        yield Row(
            (problem.path, problem.subject or problem.path),
            forms.problem(problem),
            Filterable(text=problem.message, identifier=problem.path, state=problem.code),
        )


KINDS: Mapping[str, Callable[[Workspace], Iterator[Row]]] = {
    "turns": _turns,
    "units": _units,
    "gate": _gate,
    "proposals": _proposals,
    "memories": _memories,
    "evidence": _evidence,
    "siblings": _siblings,
    "duplicates": _duplicates,
    "verify": _verify,
    "inquiries": _inquiries,
    "tombstones": _tombstones,
    "problems": _problems,
}
"""What ``show`` knows, in the order in which help lists it."""
