"""L1 proposals from stable L2 memories (spec page 3, L1)."""

from __future__ import annotations

from dataclasses import dataclass

from proofstone.curation.digests import ruling_digest
from proofstone.curation.workspace import Workspace
from proofstone.domain import note_fields
from proofstone.domain.consolidation import Stopped, survey
from proofstone.domain.plan import CreateNote, NoteKind, NoteRef, Ruling, RulingPlan
from proofstone.domain.records import Proposal

ACTION = "consolidate"
"""How the journal names it. It proposes and decides nothing, so undo passes it over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """The L1 proposals that were written, and the sources that were stopped, with the reasons."""

    proposals: tuple[Proposal, ...]
    stopped: tuple[Stopped, ...]


def consolidate(workspace: Workspace, *, dry_run: bool = False) -> Consolidated:
    """Propose an L1 principle for each group of stable memories that says one.

    Writes proposals only, never memories; what was proposed before is not proposed again.

    Raises:
        ProofstoneError: this is no vault, or it cannot be read or written.
    """
    workspace.require_vault("consolidating")
    workspace.require_listed("consolidate")
    time = workspace.context.timestamp()
    found = survey(workspace.holdings, created=time, tombstones=workspace.assessor.tombstones)
    if found.proposals and not dry_run:
        names = [proposal.proposal_id for proposal in found.proposals]
        group = ruling_digest("grp", workspace.journal_head, ACTION, names, time)
        ruling = Ruling(
            ruling_id=ruling_digest("rul", group),
            group=group,
            time=time,
            author=workspace.context.author,
            via=workspace.context.via,
            action=ACTION,
            subject=names[0],
            reason=f"{len(names)} L1 proposals from stable memories",
        )
        plan = RulingPlan(
            ruling=ruling,
            operations=tuple(
                CreateNote(
                    ref=NoteRef(NoteKind.PROPOSAL, proposal.proposal_id),
                    fields=note_fields.proposal_fields(proposal),
                    body=proposal.statement,
                )
                for proposal in found.proposals
            ),
            summary="",
        )
        workspace.write([(ruling, workspace.render(plan))])
    return Consolidated(proposals=found.proposals, stopped=found.stopped)
