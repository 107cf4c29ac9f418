"""A vault in a few plain lines, for terminals that are none, and for pipes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from proofstone.curation.ages import in_words
from proofstone.curation.masking import cover_secrets
from proofstone.curation.queue import QueueCounts
from proofstone.curation.workspace import Workspace
from proofstone.domain.gate_types import TurnState
from proofstone.domain.shown import shown_text

_SHOWN = 8
_WIDTH = 72


def summary(workspace: Workspace) -> str:
    """What the vault holds, what waits, what is wrong, and what to do next."""
    queue = workspace.queue
    memories = workspace.memories
    unreviewed = workspace.unreviewed
    lines = [
        f"Proofstone · {shown_text(str(workspace.root))}",
        f"  turns      {len(workspace.turns)}{_by(view.state.value for view in workspace.turns)}",
        f"  proposals  {QueueCounts.of(workspace.holdings.proposals).words}"
        f"{_by(view.report.status.value for view in queue)}",
        f"  memories   {len(memories)}" + (f" ({unreviewed} unreviewed)" if unreviewed else ""),
        f"  problems   {len(workspace.problems)}",
    ]
    if queue:
        lines += ["", "What needs a person most:"]
        for view in queue[:_SHOWN]:
            statement = cover_secrets(view.proposal.statement)
            statement = shown_text(" ".join(statement.split()))
            if len(statement) > _WIDTH:
                statement = statement[: _WIDTH - 1] + "…"
            name = shown_text(view.proposal_id[:11])
            lines.append(f"  {name}  {in_words(view.age):>4}  {statement}")
        if len(queue) > _SHOWN:
            lines.append(f"  … and {len(queue) - _SHOWN} more")
        lines += [
            "",
            "Rule on them in a terminal with `proofstone open`, or with `proofstone rule`.",
        ]
    else:
        lines += ["", "Nothing waits for a ruling."]
    unanswered = sum(view.state is TurnState.WAITING for view in workspace.turns)
    if unanswered:
        turns = "1 turn has" if unanswered == 1 else f"{unanswered:,} turns have"
        lines += [
            f"{turns} no Gate answer: decide in the workbench (3, then n) what follows from it,",
            "or ask a model with `proofstone gate run`.",
        ]
    return "\n".join(lines)


def _by(words: Iterable[str]) -> str:
    counted = Counter(words)
    if not counted:
        return ""
    parts = (f"{count} {word.replace('_', ' ')}" for word, count in sorted(counted.items()))
    return f" ({', '.join(parts)})"
