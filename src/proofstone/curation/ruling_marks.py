"""Marks of rulings in notes against the journal: nothing may say that it was ruled on and was not.

Anyone who can write files can write ``ratified`` into one. Only the journal says who ruled.
"""

from __future__ import annotations

from collections.abc import Iterator

from proofstone.curation.workspace import Workspace
from proofstone.domain.records import Problem
from proofstone.vault.journal import COMMITTED


def unfounded_marks(workspace: Workspace) -> tuple[Problem, ...]:
    """Memories and proposals that name a ruling which the journal does not have, or not so."""
    authors = {
        entry.ruling_id: entry.author
        for entry in workspace.journal.read()
        if entry.state == COMMITTED
    }
    found: list[Problem] = []
    for path, subject, ruling, by in _marks(workspace):
        author = authors.get(ruling)
        if author is None:
            found.append(
                Problem(
                    code="unknown_ruling",
                    path=path,
                    subject=subject,
                    message=f"it says that ruling {ruling} decided on it, and the journal has no "
                    "such ruling.",
                    advice="Rule on it here, or restore the journal from a backup.",
                )
            )
        elif by != author:
            found.append(
                Problem(
                    code="other_author",
                    path=path,
                    subject=subject,
                    message=f"it says that {by or 'nobody'} made ruling {ruling}, and the journal "
                    f"says that {author or 'nobody'} did.",
                    advice="One of the two was changed by hand; restore it from a backup.",
                )
            )
    return tuple(found)


def _marks(workspace: Workspace) -> Iterator[tuple[str, str, str, str]]:
    """Each mark: the note's path and id, the ruling, and who is said to have made it."""
    for memory in (*workspace.holdings.memories, *workspace.holdings.history):
        if memory.ratified is not None and memory.ratified.ruling:
            yield memory.path, memory.memory_id, memory.ratified.ruling, memory.ratified.by
    for proposal in workspace.holdings.proposals:
        if proposal.ruling:
            yield proposal.path, proposal.proposal_id, proposal.ruling, proposal.ruled_by
