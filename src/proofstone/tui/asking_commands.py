"""The commands that ask a model to answer for the Gate (spec page 8, Gate client)."""

from __future__ import annotations

from proofstone.tui.command import MAIN, Command, Group, Situation, loaded


def _ask(now: Situation) -> str:
    if now.ask.is_on:
        return ""
    return loaded(now) or now.ask.why or now.ask.turn


def _ask_all(now: Situation) -> str:
    if now.ask.is_on:
        return ""
    none = "no turn waits for the Gate"
    return loaded(now) or now.ask.why or ("" if now.ask.waiting() else none)


def _stop(now: Situation) -> str:
    return "" if now.ask.is_on else "no model is being asked"


ASKING_COMMANDS: tuple[Command, ...] = (
    Command(
        id="ask",
        keys=("a",),
        title="ask model",
        help="Ask a model to answer for the turn, after showing what it is sent, to the "
        "character, and where that goes. Its answer makes proposals and nothing else. While a "
        "model is being asked, stop asking.",
        group=Group.ASK,
        screens=(MAIN,),
        footer=25,
        why_not=_ask,
    ),
    Command(
        id="ask_all",
        keys=("W",),
        title="ask about all",
        help="Ask about every turn that waits for the Gate, or go on with what is left of them; "
        "where none waits, about those whose text has changed since. While a model is being "
        "asked, stop asking.",
        group=Group.ASK,
        screens=(MAIN,),
        why_not=_ask_all,
    ),
    Command(
        id="ask_stop",
        keys=("S",),
        title="stop asking",
        help="Wait for no more answers of the model that is being asked; what has come stays.",
        group=Group.ASK,
        why_not=_stop,
        offered=lambda now: now.ask.is_on,
    ),
)
