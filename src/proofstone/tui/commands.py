"""Every action of the workbench, once (spec page 7, Behaviour).

Bindings, the footer, the help sheet, the command palette and ``docs/keys.md`` are all made from
this registry. A command that cannot run now says why.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.binding import Binding, BindingType

from proofstone.tui.asking_commands import ASKING_COMMANDS
from proofstone.tui.by_hand_commands import BY_HAND_COMMANDS
from proofstone.tui.command import EVERYWHERE, MAIN, Command, Group, Situation, label
from proofstone.tui.looking_commands import LOOKING_COMMANDS
from proofstone.tui.program_commands import PROGRAM_COMMANDS
from proofstone.tui.ruling_commands import RULING_COMMANDS

COMMANDS: tuple[Command, ...] = (
    *RULING_COMMANDS,
    *ASKING_COMMANDS,
    *BY_HAND_COMMANDS,
    *LOOKING_COMMANDS,
    *PROGRAM_COMMANDS,
)

BY_ID = {command.id: command for command in COMMANDS}


def commands_for(screen: str) -> Iterator[Command]:
    """The commands of a screen, in the registry's order."""
    return (command for command in COMMANDS if screen in command.screens)


def footer_commands(now: Situation) -> list[Command]:
    """What the footer offers, in its order.

    While a person answers for the Gate, those keys stand in the place of the ruling ones. From the
    main screen nothing goes back.
    """
    left_out = Group.RULE if now.hand.is_at_it else Group.ANSWER
    offered = (
        command
        for command in commands_for(now.screen)
        if command.footer and command.group is not left_out
        if command.in_footer(now) and command.offered(now)
        if (now.screen, command.id) != (MAIN, "back") or now.hand.is_at_it
    )
    return sorted(offered, key=lambda c: (c.group is not Group.ANSWER, c.footer))


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
