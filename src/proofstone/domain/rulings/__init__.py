"""What each ruling changes, as pure plans (spec page 6).

``plan`` takes what is held, an action, a subject and a person's choices, and gives the note
operations that carry the ruling out, or raises ``RulingRefused`` with the reason in words.
"""

from proofstone.domain.rulings.planner import ACTIONS, plan, unavailable
from proofstone.domain.rulings.terms import (
    Assessment,
    Choices,
    Need,
    RulingMoment,
    RulingRefused,
    short_id,
)

__all__ = [
    "ACTIONS",
    "Assessment",
    "Choices",
    "Need",
    "RulingMoment",
    "RulingRefused",
    "plan",
    "short_id",
    "unavailable",
]
