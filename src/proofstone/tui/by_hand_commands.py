"""The commands of a person who answers for the Gate (spec page 6, Person as Gate)."""

from __future__ import annotations

from proofstone.tui.command import (
    MAIN,
    OPTIONAL,
    Command,
    Group,
    Situation,
    WhyNot,
    loaded,
    writing,
)


def _answering(now: Situation) -> str:
    return loaded(now) or writing(now) or now.hand.why


_NOT_CITED = {
    "context": "these words may be read, and not cited",
    "unresolved": "its source is missing or not whole, so it cannot be cited",
}
"""Why units of a partition get no row."""


def _no_unit(now: Situation) -> str:
    if why := _NOT_CITED.get(now.hand.beside):
        return f"{why}; choose a unit marked P, in Evidence ({now.key('pane_3')})"
    return f"choose a unit that has no row yet, in Evidence ({now.key('pane_3')})"


def _on_unit(now: Situation) -> str:
    return _answering(now) or ("" if now.hand.unit else _no_unit(now))


def _new(now: Situation) -> str:
    return _answering(now) or ("" if now.hand.unit or now.hand.candidate else _no_unit(now))


def _bind(now: Situation) -> str:
    none = f"there is no candidate yet; {now.key('gate_candidate')} makes one of these words"
    return _on_unit(now) or ("" if now.hand.candidates else none)


def _drop(now: Situation) -> str:
    none = f"choose a candidate of your draft, in Gate ({now.key('pane_4')})"
    return _answering(now) or ("" if now.hand.candidate else none)


def _begun(words: str) -> WhyNot:
    return lambda now: _answering(now) or ("" if now.hand.has_begun else words)


def _back(now: Situation) -> str:
    none = "there is no step to take back"
    return _answering(now) or ("" if now.hand.steps else none)


def _picking(now: Situation) -> str:
    none = f"{now.key('gate_words')} starts choosing words of a unit"
    return _answering(now) or ("" if now.hand.picking else none)


def _at_words(now: Situation) -> bool:
    return now.hand.picking


BY_HAND_COMMANDS: tuple[Command, ...] = (
    Command(
        id="gate_candidate",
        keys=("n",),
        title="new candidate",
        help="Make a candidate of the unit, or of the words chosen in it: a statement that may "
        "become a memory, supported by exactly these words. On a candidate of your draft: change "
        "its statement, type and scopes.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=1,
        why_not=_new,
    ),
    Command(
        id="gate_bind",
        keys=("plus",),
        title="bind",
        help="Let the unit, or the words chosen in it, support a candidate that is there already.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=2,
        why_not=_bind,
    ),
    Command(
        id="gate_no_change",
        keys=("0",),
        title="no change",
        help="Nothing follows from the unit, with the reason why.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=3,
        why_not=_on_unit,
    ),
    Command(
        id="gate_defer",
        keys=("minus",),
        title="defer unit",
        help="It cannot be decided yet what follows from the unit, with the reason. The turn "
        "stays open.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=4,
        why_not=_on_unit,
    ),
    Command(
        id="gate_words",
        keys=("v",),
        title="choose words",
        help="Choose words of the unit, beginning with the first; the second time, all of them. "
        "With the mouse: drag over them.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=5,
        why_not=_on_unit,
    ),
    Command(
        id="words_more",
        keys=("right",),
        title="one word more",
        help="Choose one more word at the end.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=6,
        in_footer=_at_words,
        why_not=_picking,
    ),
    Command(
        id="words_fewer",
        keys=("left",),
        title="one word fewer",
        help="Choose one word fewer at the end.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=7,
        in_footer=_at_words,
        why_not=_picking,
    ),
    Command(
        id="words_later",
        keys=("shift+right",),
        title="start a word later",
        help="Let the chosen words begin one word later.",
        group=Group.ANSWER,
        screens=(MAIN,),
        why_not=_picking,
    ),
    Command(
        id="words_earlier",
        keys=("shift+left",),
        title="start a word earlier",
        help="Let the chosen words begin one word earlier.",
        group=Group.ANSWER,
        screens=(MAIN,),
        why_not=_picking,
    ),
    Command(
        id="gate_drop",
        keys=("delete",),
        title="leave candidate out",
        help="Take a candidate out of your draft; its units are open again.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=OPTIONAL,
        why_not=_drop,
    ),
    Command(
        id="gate_back",
        keys=("backspace",),
        title="step back",
        help="Take back the last step of your draft. Nothing of a draft is written before it is "
        "submitted.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=8,
        why_not=_back,
    ),
    Command(
        id="gate_submit",
        keys=("ctrl+s",),
        title="submit answer",
        help="Hand your draft in as the turn's answer. It is held to the same contract as a "
        "model's; if it is refused, the reason stands in the Gate pane and the draft stays.",
        group=Group.ANSWER,
        screens=(MAIN,),
        footer=9,
        why_not=_begun("you have decided nothing of this turn yet"),
    ),
)
