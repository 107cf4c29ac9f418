"""Every action of the workbench, once (spec page 7, Behaviour).

Bindings, the footer, the help sheet, the command palette and ``docs/keys.md`` are all made from
this registry. A command that cannot run now says why.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.binding import Binding, BindingType

from proofstone.domain.filters import KEYS
from proofstone.tui.by_hand_commands import BY_HAND_COMMANDS
from proofstone.tui.command import (
    EVERYWHERE,
    LOG,
    MAIN,
    MEMORIES,
    Command,
    Group,
    clustered,
    in_place_of_sibling,
    label,
    loaded,
    purge,
    redo,
    ruling,
    subject,
    tour,
    touring,
    undo,
    writing,
)

COMMANDS: tuple[Command, ...] = (
    Command(
        id="ratify",
        keys=("r",),
        title="ratify",
        help="Put the proposal in force. Asks for a reason where the verifier flags something, "
        "and for reason and short id where it is L1. On a memory: confirm it after review.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        footer=1,
        why_not=ruling("ratify"),
    ),
    Command(
        id="defer",
        keys=("d",),
        title="defer",
        help="Let it wait, with a reason and, if you like, a date on which it returns.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        footer=2,
        why_not=ruling("defer"),
    ),
    Command(
        id="supersede",
        keys=("s",),
        title="supersede",
        help="Put it in force in place of memories that you choose; they go to history. "
        "On a memory: choose the one that replaces it.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        footer=3,
        why_not=ruling("supersede"),
    ),
    Command(
        id="replace_sibling",
        keys=("equals_sign",),
        title="replace sibling",
        help="Supersede, with the memory under the cursor of Siblings chosen as the one that the "
        "proposal replaces.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=in_place_of_sibling,
    ),
    Command(
        id="tombstone",
        keys=("t",),
        title="tombstone",
        help="Refuse it for good: the same words cannot be proposed again. On a memory: to "
        "history as deleted.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        footer=4,
        why_not=ruling("tombstone"),
    ),
    Command(
        id="dismiss",
        keys=("x",),
        title="dismiss",
        help="Close it as no change, with a reason. It may be proposed again.",
        group=Group.RULE,
        screens=(MAIN,),
        footer=5,
        why_not=ruling("dismiss"),
    ),
    Command(
        id="edit",
        keys=("e",),
        title="edit",
        help="Change words, layer, scope, tags, trust class or durability. What was first "
        "proposed stays on record.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        footer=6,
        why_not=ruling("edit"),
    ),
    Command(
        id="edit_outside",
        keys=("E",),
        title="edit in your editor",
        help="Open a copy of the note in $VISUAL or $EDITOR, and take back what you changed there "
        "as an edit: the text and the keys that a person may change.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        why_not=ruling("edit"),
    ),
    Command(
        id="purge",
        keys=("X",),
        title="purge",
        help="Remove the words from every file of the vault, for good. Cannot be undone: lists "
        "every file first, and asks for a reason and the typed short id.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES),
        why_not=purge,
    ),
    Command(
        id="trust_class",
        keys=("C",),
        title="trust class",
        help="Choose another of the eleven trust classes, each with what it means; it is verified "
        "anew at once. Written as an edit.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=ruling("edit"),
    ),
    Command(
        id="durability",
        keys=("D",),
        title="durability",
        help="Choose how long it is meant to last; it is verified anew at once. Written as an "
        "edit.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=ruling("edit"),
    ),
    Command(
        id="contest",
        keys=("c",),
        title="contest",
        help="Mark the memory as contested, or take that back.",
        group=Group.RULE,
        screens=(MEMORIES,),
        footer=5,
        why_not=ruling("contest"),
    ),
    Command(
        id="undo",
        keys=("u",),
        title="undo",
        help="Take back the last ruling; in the log, the one under the cursor. Files come back "
        "byte for byte.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES, LOG),
        footer=7,
        why_not=undo,
    ),
    Command(
        id="redo",
        keys=("U",),
        title="redo",
        help="Put back the ruling that was last taken back.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES, LOG),
        why_not=redo,
    ),
    Command(
        id="mark",
        keys=("space",),
        title="mark",
        help="Mark the proposal, or unmark it, and go on. While any are marked, ruling keys are "
        "on all of them, as one batch: previewed as one list, taken back by one undo.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=subject,
    ),
    Command(
        id="mark_cluster",
        keys=("asterisk",),
        title="mark cluster",
        help="Mark the proposal and all that are in one cluster with it, or unmark them. What you "
        "decide then is decided for all of them at once.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=clustered,
    ),
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
        id="mark_eligible",
        keys=("A",),
        title="mark eligible",
        help="Mark everything in the queue that may be preselected: verified, of a trusted class, "
        "durable, untainted. Ratifying them still asks you.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=loaded,
    ),
    *BY_HAND_COMMANDS,
    Command(
        id="preview",
        keys=("p",),
        title="preview",
        help="Show which files ratifying would change, line by line, before anything is written.",
        group=Group.LOOK,
        screens=(MAIN, MEMORIES),
        footer=8,
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
    Command(
        id="memories",
        keys=("M",),
        title="memories",
        help="Everything in force, with the history of each.",
        group=Group.SCREENS,
        footer=20,
        why_not=loaded,
    ),
    Command(
        id="log",
        keys=("L",),
        title="log",
        help="Every ruling, newest first; undo any whose files have not changed since.",
        group=Group.SCREENS,
        footer=21,
        why_not=loaded,
    ),
    Command(
        id="inquiries",
        keys=("I",),
        title="inquiries",
        help="Questions that conflicts and ambiguous matches left open; enter goes to what an "
        "inquiry concerns.",
        group=Group.SCREENS,
        footer=22,
        why_not=loaded,
    ),
    Command(
        id="problems",
        keys=("P",),
        title="problems",
        help="Notes that cannot be read, faulty blocks, and what to do about each.",
        group=Group.SCREENS,
        footer=23,
        why_not=loaded,
    ),
    Command(
        id="settings",
        keys=("comma",),
        title="settings",
        help="What holds here: the vault's settings, your keys and theme, and how to change each.",
        group=Group.SCREENS,
        why_not=loaded,
    ),
    Command(
        id="tour_next",
        keys=("greater_than_sign",),
        title="tour: next",
        help="Go on to the next step of the guided tour.",
        group=Group.PROGRAM,
        why_not=touring,
        offered=lambda now: now.tour == "on",
    ),
    Command(
        id="tour_back",
        keys=("less_than_sign",),
        title="tour: back",
        help="Go back to the step before of the guided tour.",
        group=Group.PROGRAM,
        why_not=touring,
        offered=lambda now: now.tour == "on",
    ),
    Command(
        id="tour",
        keys=("T",),
        title="tour",
        help="Leave the guided tour of the demo vault, or take it up where it was left.",
        group=Group.PROGRAM,
        why_not=tour,
        offered=lambda now: bool(now.tour),
    ),
    Command(
        id="help",
        keys=("question_mark",),
        title="help",
        help="This sheet: what the focused pane shows, and every key.",
        group=Group.PROGRAM,
        footer=11,
    ),
    Command(
        id="reload",
        keys=("ctrl+r",),
        title="read again",
        help="Read the vault from disk again, keeping your place.",
        group=Group.PROGRAM,
        why_not=lambda now: "" if now.failed else loaded(now) or writing(now),
    ),
    Command(
        id="theme",
        keys=("ctrl+t",),
        title="next theme",
        help="Change to the next theme.",
        group=Group.PROGRAM,
    ),
    Command(
        id="palette",
        keys=("ctrl+p",),
        title="commands",
        help="Find any command by name.",
        group=Group.PROGRAM,
    ),
    Command(
        id="quit",
        keys=("q", "ctrl+q"),
        title="quit",
        help="Leave. Every ruling is on disk already.",
        group=Group.PROGRAM,
        footer=24,
    ),
)

BY_ID = {command.id: command for command in COMMANDS}


def commands_for(screen: str) -> Iterator[Command]:
    """The commands of a screen, in the registry's order."""
    return (command for command in COMMANDS if screen in command.screens)


def footer_commands(screen: str) -> list[Command]:
    """What the footer of a screen offers, in its order; from the main screen nothing goes back."""
    offered = (c for c in commands_for(screen) if c.footer and (screen, c.id) != (MAIN, "back"))
    return sorted(offered, key=lambda command: command.footer)


def bindings_for(screen: str) -> list[BindingType]:
    """A screen's bindings; keys that lists answer themselves are left to them."""
    return [
        Binding(
            ",".join(command.keys),
            f"command('{command.id}')",
            command.title,
            show=False,
            id=command.id,
        )
        for command in commands_for(screen)
        if not command.is_list_key
    ]


def keys_markdown() -> str:
    """The page ``docs/keys.md``."""
    lines = [
        "# Keys",
        "",
        "Every action is a key, an entry of the command palette (`ctrl+p`), and where the footer",
        "shows it, a place to click. An action that cannot run now is dimmed and says why.",
        "This page is made from the program's own list: `python -m proofstone.tui.keys_page`.",
    ]
    for group in Group:
        lines += [
            "",
            f"## {group}",
            "",
            "| key | action | where | what it does |",
            "|---|---|---|---|",
        ]
        for command in COMMANDS:
            if command.group is not group:
                continue
            keys = " ".join(f"`{label(key)}`" for key in command.keys)
            where = "everywhere" if command.screens == EVERYWHERE else ", ".join(command.screens)
            lines.append(f"| {keys} | {command.title} | {where} | {command.help} |")
    return "\n".join(lines) + "\n"
