"""The commands of a person who rules (spec page 6)."""

from __future__ import annotations

from proofstone.tui.command import (
    DUPLICATES,
    LOG,
    MAIN,
    MEMORIES,
    SETTINGS,
    Command,
    Group,
    clustered,
    in_place_of_sibling,
    loaded,
    purge,
    redo,
    ruling,
    subject,
    undo,
)

RULING_COMMANDS: tuple[Command, ...] = (
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
        screens=(MAIN, MEMORIES, DUPLICATES),
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
        screens=(MAIN, MEMORIES, DUPLICATES),
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
        "proposed stays on record. In Settings: change the one under the cursor.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES, DUPLICATES, SETTINGS),
        footer=6,
        why_not=ruling("edit"),
    ),
    Command(
        id="edit_outside",
        keys=("E",),
        title="edit in your editor",
        help="Open a copy of the note in $VISUAL or $EDITOR, and take back what you changed there "
        "as an edit: the text and the keys that a person may change. In Settings: open the file "
        "that the setting stands in.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES, SETTINGS),
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
        screens=(MEMORIES, DUPLICATES),
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
        screens=(MAIN, MEMORIES, DUPLICATES, LOG),
        footer=7,
        why_not=undo,
    ),
    Command(
        id="redo",
        keys=("U",),
        title="redo",
        help="Put back the ruling that was last taken back.",
        group=Group.RULE,
        screens=(MAIN, MEMORIES, DUPLICATES, LOG),
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
        id="mark_eligible",
        keys=("A",),
        title="mark eligible",
        help="Mark everything in the queue that may be preselected: verified, of a trusted class, "
        "durable, untainted. Ratifying them still asks you.",
        group=Group.RULE,
        screens=(MAIN,),
        why_not=loaded,
    ),
)
