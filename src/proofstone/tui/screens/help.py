"""The help sheet: what the focused pane shows, and every key, made from the registry."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from proofstone.tui.command import Command, Group, Situation
from proofstone.tui.commands import COMMANDS, commands_for
from proofstone.tui.keymap import Keymap
from proofstone.tui.rows import Row, Rows, spaced, text_row
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import safe

GROUP_TITLE = {
    Group.RULE: "Rule on what is selected",
    Group.ANSWER: "Answer for the Gate",
    Group.ASK: "Ask a model",
    Group.LOOK: "Look closer",
    Group.MOVE: "Move",
    Group.SCREENS: "Other screens",
    Group.PROGRAM: "The program",
}

_KEY_CELLS = 12
_TITLE_CELLS = max(len(command.title) for command in COMMANDS) + 1


class HelpSheet(Dialog[bool]):
    """Keys that work now; the others with the reason why not."""

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "{row_next} {row_previous} scroll · esc or {help} closes"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "close", "close", show=False, id="help"),
        Binding("q", "close", "close", show=False, id="quit"),
    ]

    def __init__(self, title: str, about: str, situation: Situation, keymap: Keymap) -> None:
        super().__init__("Help")
        self._about = (title, about)
        self._situation = situation
        self._keymap = keymap

    def compose_fields(self) -> ComposeResult:
        """One list."""
        yield LineList(id="help")

    def on_mount(self) -> None:
        """The pane first, then the keys by group."""
        super().on_mount()
        title, about = self._about
        groups: list[list[Row]] = []
        if about:
            groups.append(
                [
                    text_row("pane", ("This pane: ", "$ink-dim"), (title, "$ink-title bold")),
                    text_row("about", safe(self._keymap.told(about), "$ink", limit=4_000)),
                ]
            )
        for group in Group:
            rows = [
                self._command_row(self._keymap.live(command))
                for command in commands_for(self._situation.screen)
                if command.group is group and command.offered(self._situation)
            ]
            if rows:
                heading = (GROUP_TITLE[group], "$ink-title bold")
                groups.append([text_row(f"group-{group}", heading), *rows])
        sheet = self.query_one(LineList)
        sheet.set_rows(Rows(spaced(groups)))
        sheet.focus()

    def _command_row(self, command: Command) -> Row:
        why = command.why_not(self._situation)
        parts = [safe(command.help, "$ink-dim" if why else "$ink", limit=600)]
        if why:
            parts.append(safe(f"  Not now: {why}.", "$verdict-flag", limit=300))
        return Row(
            key=command.id,
            gutter=Content.assemble(
                (f"{command.key_label:<{_KEY_CELLS}.{_KEY_CELLS}}", "$ink-key bold"),
                (command.title, "$ink-dim strike" if why else "$ink bold"),
                " " * (_TITLE_CELLS - len(command.title)),
            ),
            continuation=Content(" " * (_KEY_CELLS + _TITLE_CELLS)),
            body=Content("").join(parts),
            wrap=True,
            selectable=False,
        )
