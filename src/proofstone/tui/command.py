"""What a command is, and what it needs to know to say why it cannot run now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character


class Group(StrEnum):
    """How the help sheet groups commands."""

    RULE = "Rule"
    ASK = "Ask a model"
    ANSWER = "Answer for the Gate"
    LOOK = "Look"
    MOVE = "Move"
    SCREENS = "Screens"
    PROGRAM = "Program"


MAIN, MEMORIES, LOG, PROBLEMS, SETTINGS = "main", "memories", "log", "problems", "settings"
INQUIRIES, DUPLICATES = "inquiries", "duplicates"
EVERYWHERE = (MAIN, MEMORIES, LOG, INQUIRIES, DUPLICATES, PROBLEMS, SETTINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What a person who answers for the Gate has at hand.

    ``why`` says why the turn cannot be answered by hand. ``unit`` is the one under the cursor that
    has no row yet, ``beside`` the partition of one that gets none, ``candidate`` the draft's own
    under the cursor; ``steps`` can be taken back.
    """

    why: str = "no turn is selected"
    unit: str = ""
    beside: str = ""
    candidate: str = ""
    candidates: int = 0
    steps: int = 0
    has_begun: bool = False
    picking: bool = False
    is_at_it: bool = False
    """Whether it is what the person seems to be doing: the footer has these keys then."""


def usual_key(command_id: str) -> str:
    """The key that the registry gives a command, as people read it."""
    from proofstone.tui.commands import BY_ID

    return label(BY_ID[command_id].keys[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Whether a model can be asked to answer for the Gate.

    ``why`` says why none can be at all, and how that is changed; ``turn`` why not about the chosen
    turn. ``waiting`` counts the turns that a run would take up by itself. ``is_on`` while one is.
    """

    why: str = "nobody can be asked from here"
    turn: str = "no turn is selected"
    waiting: Callable[[], int] = lambda: 0
    is_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a command needs to know to say whether it can run.

    ``subject`` is the proposal, memory or log row that an action would be on; ``refusal`` asks
    curation why an action cannot be taken on it, and answers "" when it can. ``stale`` is why what
    is drawn of it is not what is on disk. ``key`` gives the key that a command has now.
    """

    screen: str = MAIN
    loaded: bool = False
    failed: bool = False
    busy: str = ""
    waits: str = ""
    """Why nothing can be written yet though the vault was read."""
    subject: str = ""
    marked: int = 0
    alike: int = 0
    """How many other proposals are in one cluster with the subject."""
    sibling: str = ""
    """The memory under the cursor of the Siblings pane."""
    seen: bool = True
    stale: str = ""
    nothing: str = "nothing is selected"
    undo: str = ""
    redo: str = ""
    hand: Hand = Hand()
    ask: Ask = Ask()
    tour: str = ""
    """``offered`` where there is a tour, ``on`` while it is on."""
    refusal: Callable[[str], str] = lambda action: ""
    key: Callable[[str], str] = usual_key


WhyNot = Callable[[Situation], str]


OPTIONAL = 20
"""Footer places from here on are given only to what fits without another line, or in a second one
where the window is high enough to spare it."""


def always(_: Situation) -> str:
    return ""


def loaded(now: Situation) -> str:
    if now.loaded:
        return ""
    return "the vault could not be read" if now.failed else "the vault is still being read"


def ruling(action: str) -> WhyNot:
    def why(now: Situation) -> str:
        return (
            loaded(now)
            or writing(now)
            or (_batch(action, now) if now.marked else "")
            or ("" if now.subject or now.marked else now.nothing)
            or now.stale
            or ("" if now.seen else "the next one has not been drawn yet; look, then press again")
            or ("" if now.marked else now.refusal(action))
        )

    return why


def purge(now: Situation) -> str:
    """A purge is of one thing that has been looked at; whatever its verdict, it may go."""
    one = f"one at a time is purged; {now.key('back')} takes the marks off"
    return (
        loaded(now)
        or writing(now)
        or (one if now.marked else "")
        or ("" if now.subject else now.nothing)
        or now.stale
        or ("" if now.seen else "it has not been drawn yet; look, then press again")
    )


def _batch(action: str, now: Situation) -> str:
    one_by_one = {"supersede": "superseded", "edit": "edited"}
    if action not in one_by_one:
        return ""
    how = f"proposals are {one_by_one[action]} one at a time"
    return f"{how}; {now.key('back')} takes the marks off"


def writing(now: Situation) -> str:
    return f"{now.busy} is still being written" if now.busy else now.waits


def subject(now: Situation) -> str:
    return loaded(now) or ("" if now.subject else now.nothing)


def clustered(now: Situation) -> str:
    return subject(now) or ("" if now.alike > 0 else "nothing else that waits is like it")


def in_place_of_sibling(now: Situation) -> str:
    none = f"nothing is in Siblings ({now.key('pane_7')}) that it could replace"
    return ruling("supersede")(now) or ("" if now.sibling else none)


def touring(now: Situation) -> str:
    return "" if now.tour == "on" else "no tour is on"


def tour(now: Situation) -> str:
    return loaded(now) or ("" if now.tour else "the tour is of the demo vault: proofstone demo")


def undo(now: Situation) -> str:
    return loaded(now) or writing(now) or now.undo


def redo(now: Situation) -> str:
    return loaded(now) or writing(now) or now.redo


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One action: its keys, its words, where it applies, and why it may not run."""

    id: str
    keys: tuple[str, ...]
    title: str
    help: str
    group: Group
    screens: tuple[str, ...] = EVERYWHERE
    footer: int = 0
    """Place in the footer, smallest first; 0 keeps it out. From ``OPTIONAL`` on, only where room
    is left."""
    why_not: WhyNot = always
    in_footer: Callable[[Situation], bool] = lambda now: True
    """Whether its place in the footer is given to it in a situation."""
    offered: Callable[[Situation], bool] = lambda now: True
    """Whether the footer, the help sheet and the palette name it at all."""
    is_list_key: bool = False
    """Whether the focused list answers the key itself."""

    @property
    def key_label(self) -> str:
        """The keys as people read them."""
        return " ".join(label(key) for key in self.keys)


_LABELS = {
    "slash": "/",
    "escape": "esc",
    "shift+tab": "shift+tab",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "down": "↓",
    "up": "↑",
    "right": "→",
    "left": "←",
    "shift+right": "shift+→",
    "shift+left": "shift+←",
}


_SIGN_NAMES = {short: name for name, short in KEY_NAME_REPLACEMENTS.items()}
"""Unicode's names of the signs to which Textual gives shorter ones."""


def label(key: str) -> str:
    """A key's name for people: a sign as itself, other keys by name."""
    if key in _LABELS:
        return _LABELS[key]
    sign = key_to_character(_SIGN_NAMES.get(key, key)) if len(key) > 1 else None
    return sign if sign is not None and sign.isprintable() and not sign.isspace() else key
