"""The units of a turn as the panes draw them: covered once for all panes, in bounded time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView
    from proofstone.domain.conversation import Turn
    from proofstone.domain.evidence_unit import EvidenceUnit

DRAWN_CHARACTERS = 6_000
"""Of a unit, what is looked at: more than any pane draws of it."""

_last: list[tuple[Turn, tuple[EvidenceUnit, ...], tuple[EvidenceUnit, ...]]] = []
"""The turn and units drawn last, and what they were drawn as; a draft changes neither."""


def drawn_units(turn: TurnView) -> tuple[EvidenceUnit, ...]:
    """The units of ``turn`` with what looks like a secret covered; offsets stay right."""
    from proofstone.curation.covered import covered_units

    if _last and _last[0][0] is turn.turn and _last[0][1] is turn.units:
        return _last[0][2]
    units = covered_units(turn.turn, turn.units, limit=DRAWN_CHARACTERS)
    _last[:] = [(turn.turn, turn.units, units)]
    return units
