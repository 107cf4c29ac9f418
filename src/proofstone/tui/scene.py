"""What the main screen shows at one moment: the value that every pane draws from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofstone.tui.ties import NOTHING, Ties

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, TurnView
    from proofstone.domain.records import Memory
    from proofstone.tui.by_hand import HandState


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A turn, a proposal, and what is highlighted.

    ``turn`` is the proposal's own turn, or the one chosen; either may be missing.
    """

    turn: TurnView | None = None
    proposal: ProposalView | None = None
    ties: Ties = NOTHING
    target: Memory | None = None
    """The memory that ratifying would change."""
    matched: tuple[Memory, ...] = ()
    """The memories that the proposal matches."""
    anchor: str = ""
    """Whether the proposal's anchor holds, as ``AnchorChecks.state`` says it."""
    is_unread: bool = False
    """Whether only a first look was taken: what waits has not been read and judged yet."""
    by_hand: HandState | None = None
    """What a person is putting together of the turn; None where nobody can answer for it."""
    can_ask: bool = True
    """Whether a model to ask is named."""
