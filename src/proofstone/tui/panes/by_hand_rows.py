"""What the Gate pane says while a person answers: that it is a draft, its faults, and the keys."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from proofstone.tui.by_hand import HandState
from proofstone.tui.rows import Row, text_row
from proofstone.tui.words import count, held_together

_KEYS = (
    ("gate_candidate", "new candidate"),
    ("gate_bind", "bind"),
    ("gate_no_change", "no change"),
    ("gate_defer", "defer"),
    ("gate_words", "choose words"),
)
_OF_A_DRAFT = (("gate_submit", "submit"), ("gate_back", "take a step back"))

Label = Callable[[str], str]
"""The key of a command, as people read it."""


def invitation(label: Label) -> Row:
    """How to answer by hand, while nothing was decided yet."""
    return text_row(
        "by-hand",
        (f"Or answer it yourself, in Evidence ({label('pane_3')}): ", "$ink"),
        _keys(_KEYS, label),
    )


def draft_rows(state: HandState, label: Label) -> list[Row]:
    """The heading of a draft: what is left, why it was refused, and what goes on."""
    rows = [
        text_row(
            "draft",
            ("YOUR DRAFT ", "$decision-candidate bold reverse"),
            (f" {held_together('Nothing of it is written yet.')} ", "$ink"),
            *_left(state),
        )
    ]
    if state.fault is not None:
        rows.append(
            text_row(
                "fault",
                (f"✗ {state.fault.identifier}", "$verdict-block bold"),
                (f": {state.fault.told}. The draft is as it was.", "$verdict-block"),
            )
        )
    rows.append(text_row("by-hand", _keys((*_KEYS, *_OF_A_DRAFT), label)))
    return rows


def _left(state: HandState) -> list[tuple[str, str]]:
    open_units, unbound = state.draft.open_count, len(state.draft.unbound)
    told = []
    if open_units:
        words = held_together(f"{count(open_units, 'unit is', 'units are')} open.")
        told.append((words, "$decision-open bold"))
    if unbound:
        words = count(unbound, "candidate has", "candidates have")
        told.append((f" {words} no words bound.", "$verdict-flag bold"))
    return told or [("Every unit has its row.", "$verdict-pass bold")]


def _keys(keys: tuple[tuple[str, str], ...], label: Label) -> Content:
    parts = [
        Content.assemble((label(command), "$ink-key bold"), held_together(f" {word}"))
        for command, word in keys
    ]
    return Content.styled(" · ", "$ink-dim").join(parts)
