"""The prompt of a turn without its secrets: none is printed, and none goes to a network.

They are covered character by character, so every unit keeps its length. A quote that the model
takes from covered text is not in the captured text and is refused by the contract as any other.
"""

from __future__ import annotations

from proofstone.curation.covered import covered_turn, covered_units
from proofstone.curation.views import TurnView
from proofstone.domain import gate_prompt


def prompt_for(view: TurnView) -> str:
    """What a model is sent for the turn of ``view``, exactly."""
    return gate_prompt.prompt(covered_turn(view.turn), covered_units(view.turn, view.units))
