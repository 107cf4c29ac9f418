"""The commands that look closer and move about; none of them writes (spec page 7)."""

from __future__ import annotations

from proofstone.domain.filters import KEYS
from proofstone.tui.command import (
    MAIN,
    MEMORIES,
    Command,
    Group,
    clustered,
    loaded,
    ruling,
)

LOOKING_COMMANDS: tuple[Command, ...] = (
    Command(
        id="fold",
        keys=("o",),
        title="fold",
        help="Show only the head of the proposal's cluster, or all of it again.",
        group=Group.LOOK,
        screens=(MAIN,),
        why_not=clustered,
    ),
    Command(
        id="preview",
        keys=("p",),
        title="preview",
        help="Show which files ratifying would change, line by line, before anything is written.",
        group=Group.LOOK,
        screens=(MAIN, MEMORIES),
        footer=8,
        in_footer=lambda now: not now.hand.is_at_it,
        why_not=ruling("ratify"),
    ),
    Command(
        id="boundary",
        keys=("b",),
        title="boundary",
        help="Evidence as the model was given it, beside what the host held back and why.",
        group=Group.LOOK,
        screens=(MAIN,),
        footer=9,
        why_not=loaded,
    ),
    Command(
        id="copy",
        keys=("y",),
        title="copy",
        help="Copy what the focused pane is about to the clipboard: the statement, the quote, "
        "the turn or the id.",
        group=Group.LOOK,
        why_not=loaded,
    ),
    Command(
        id="filter",
        keys=("slash",),
        title="filter",
        help=f"Keep only what matches: free words, and {' '.join(f'{key}:' for key in KEYS)} "
        "with a value. A minus before a term turns it round.",
        group=Group.LOOK,
        screens=(MAIN, MEMORIES),
        footer=10,
        why_not=loaded,
    ),
    Command(
        id="sort",
        keys=("O",),
        title="sort",
        help="Sort the queue: what needs a person most first, longest waiting first, newest first, "
        "and round again. Clusters stay together.",
        group=Group.LOOK,
        screens=(MAIN,),
        why_not=loaded,
    ),
    Command(
        id="filters",
        keys=("F",),
        title="saved filters",
        help="Filter by one that you saved, save the present filter under a name, or take one "
        "away. In the filter line, @ and a name takes one up.",
        group=Group.LOOK,
        screens=(MAIN, MEMORIES),
        why_not=loaded,
    ),
    Command(
        id="zoom",
        keys=("z",),
        title="zoom",
        help="Give the focused pane the whole screen, or put it back.",
        group=Group.LOOK,
        screens=(MAIN,),
    ),
    Command(
        id="back",
        keys=("escape",),
        title="back",
        help="Close what is open, take marks off, clear the filter, or leave this screen.",
        group=Group.MOVE,
        footer=12,
    ),
    Command(
        id="jump",
        keys=("ctrl+o",),
        title="jump",
        help="Show a letter over each pane; press it to go there.",
        group=Group.MOVE,
    ),
    Command(
        id="pane_next",
        keys=("tab",),
        title="next pane",
        help="Go to the next pane.",
        group=Group.MOVE,
    ),
    Command(
        id="pane_previous",
        keys=("shift+tab",),
        title="previous pane",
        help="Go to the pane before.",
        group=Group.MOVE,
    ),
    *(
        Command(
            id=f"pane_{number}",
            keys=(str(number),),
            title=title,
            help=f"Go to the {title} pane.",
            group=Group.MOVE,
            screens=(MAIN,),
        )
        for number, title in enumerate(
            ("Turns", "Queue", "Evidence", "Gate", "Proposal", "Verifier", "Siblings"), 1
        )
    ),
    Command(
        id="row_next",
        keys=("j", "down"),
        title="next row",
        help="Move the cursor down.",
        group=Group.MOVE,
        is_list_key=True,
    ),
    Command(
        id="row_previous",
        keys=("k", "up"),
        title="previous row",
        help="Move the cursor up.",
        group=Group.MOVE,
        is_list_key=True,
    ),
    Command(
        id="row_first",
        keys=("g", "home"),
        title="first row",
        help="Go to the first row.",
        group=Group.MOVE,
        is_list_key=True,
    ),
    Command(
        id="row_last",
        keys=("G", "end"),
        title="last row",
        help="Go to the last row.",
        group=Group.MOVE,
        is_list_key=True,
    ),
    Command(
        id="page_next",
        keys=("pagedown", "ctrl+d"),
        title="page down",
        help="Move the cursor by a screenful.",
        group=Group.MOVE,
        is_list_key=True,
    ),
    Command(
        id="page_previous",
        keys=("pageup", "ctrl+b"),
        title="page up",
        help="Move the cursor back by a screenful.",
        group=Group.MOVE,
        is_list_key=True,
    ),
)
