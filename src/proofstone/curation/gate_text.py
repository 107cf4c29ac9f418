"""The prompt of a turn without its secrets: none is printed, and none goes to a network.

They are covered character by character, so every unit keeps its length. A quote that the model
takes from covered text is not in the captured text and is refused by the contract as any other.
"""

from __future__ import annotations

from dataclasses import replace

from proofstone.curation.masking import cover_each
from proofstone.curation.views import TurnView
from proofstone.domain import gate_prompt


def prompt_for(view: TurnView) -> str:
    """What a model is sent for the turn of ``view``, exactly."""
    events = view.turn.events
    said = cover_each([event.content for event in events])
    turn = replace(
        view.turn,
        events=tuple(
            event if event.content == text else replace(event, content=text)
            for event, text in zip(events, said, strict=True)
        ),
    )
    texts = cover_each([unit.text for unit in view.units])
    units = tuple(
        unit if unit.text == text else unit._replace(text=text)
        for unit, text in zip(view.units, texts, strict=True)
    )
    return gate_prompt.prompt(turn, units)
