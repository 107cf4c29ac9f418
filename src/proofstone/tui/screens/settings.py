"""The Settings screen: what holds, where things are, and how to change each."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from proofstone import __version__
from proofstone.curation.own_settings import AUTHOR, FILTERS_FILE, THEME, WORKBENCH_FILE
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.tui.command import SETTINGS, Situation, label
from proofstone.tui.commands import BY_ID, bindings_for
from proofstone.tui.editing import open_file
from proofstone.tui.keymap import KEYMAP_FILE
from proofstone.tui.rows import Row, Rows, spaced, text_row
from proofstone.tui.screens.dialog import PickDialog, Picked, WordsDialog
from proofstone.tui.screens.listing import ListingScreen
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import safe

_WIDTH = 18


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that holds: its name, its value, and what to do to change it.

    ``change`` may name commands by ``{command_id}``; their keys are told.
    """

    name: str
    value: str
    change: str
    more: tuple[str, ...] = ()
    faulty: bool = False
    chosen_here: str = ""
    """The name in ``workbench.yaml`` that it has, if it is changed on this screen."""
    file: Path | None = None
    """The file that it stands in, to be opened in an editor."""


class ThemeDialog(PickDialog):
    """Asks for a theme, and shows each while the cursor is on it."""

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Try this one on."""
        super().on_line_list_highlighted(event)
        self.app.theme = event.key


class SettingsScreen(ListingScreen):
    """What holds, and where; what is the workbench's own is changed from here."""

    name_in_registry: ClassVar[str] = SETTINGS
    title_of_detail: ClassVar[str] = "How to change it"
    title_in_header: ClassVar[str] = "Settings"
    about: ClassVar[str] = (
        "The vault's settings, your keys and theme, who rules, versions, and where things are. At "
        "the right, how to change the one under the cursor: enter or {edit} changes your theme and "
        "your name, {edit_outside} opens the file in which a setting stands. Settings are files "
        "that you own, and only the line that you change is changed."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(SETTINGS)

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw what holds now."""
        self._settings = {setting.name: setting for setting in self._found(workspace)}
        self.fill(Rows([_row(setting) for setting in self._settings.values()], fixed_height=1))

    def situation(self) -> Situation:
        """As every screen; what a setting refuses is said by the setting."""
        setting = self._settings.get(self.subject()) if self.workspace is not None else None

        def refusal(action: str) -> str:
            if setting is None or (action == "edit" and (setting.chosen_here or setting.file)):
                return ""
            return "it is not set in a file; at the right stands where it comes from"

        return replace(super().situation(), refusal=refusal)

    async def command_edit(self) -> None:
        """Change what is the workbench's own; open the file of anything else."""
        setting = self._settings[self.subject()]
        if not setting.chosen_here:
            await self.command_edit_outside()
        elif setting.chosen_here == THEME:
            themes = self.workbench.theme_files
            rest = tuple(name for name in themes if name != self.workbench.theme)
            told = safe("In every vault, from now on. Each is shown under the cursor.", "$ink")
            dialog = ThemeDialog("Theme", told, (self.workbench.theme, *rest), with_note=False)
            self.app.push_screen(dialog, partial(self._choose_theme, self.workbench.theme))
        else:
            told = safe("Who rules, from the next opening on.", "$ink")
            self.app.push_screen(WordsDialog("Author", told, "Your name"), self._choose_author)

    def _choose_theme(self, before: str, picked: Picked | None) -> None:
        kept = picked is not None and self._set(THEME, picked.reason)
        self.workbench.theme = picked.reason if picked is not None and kept else before
        self.keys_changed()

    def _choose_author(self, name: str | None) -> None:
        if name is not None and self._set(AUTHOR, name):
            self.keys_changed()

    def _set(self, name: str, value: str) -> bool:
        try:
            self.workbench.set_own(name, value)
        except ProofstoneError as error:
            self.app.notify(str(error), title="not changed", severity="error")
            return False
        self.app.notify(f"{name}: {value}, in {WORKBENCH_FILE}", title="settings")
        return True

    async def command_edit_outside(self) -> None:
        """Open the file in which the setting stands."""
        setting = self._settings[self.subject()]
        if setting.file is None:
            told = "It stands in no file that could be opened."
            self.app.notify(told, title=setting.name, severity="warning")
            return
        why = open_file(self.workbench, setting.file)
        if why:
            self.app.notify(why, title="edit in your editor: refused", severity="error")
        else:
            await self.workbench.command_reload()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter changes what is changed here; of anything else it goes to the detail."""
        if event.line_list is self._items and self._settings[event.key].chosen_here:
            event.stop()
            event.prevent_default()  # a listing goes to the detail
            self.call_later(self.command_edit)

    def detail_rows(self, key: str) -> list[Row]:
        """The value in full, and how to change it."""
        setting = self._settings[key]
        more = [text_row(f"more-{n}", safe(line, "$ink")) for n, line in enumerate(setting.more)]
        style = "$verdict-flag bold" if setting.faulty else "$ink bold"
        return spaced(
            [
                [text_row("name", (setting.name, "$ink-title bold"))],
                [text_row("value", safe(setting.value, style))],
                more,
                [text_row("change", safe(self._how(setting), "$ink"))],
            ]
        )

    def _how(self, setting: Setting) -> str:
        told = self.workbench.keymap.told
        if setting.chosen_here:
            return f"{told('enter or {edit} changes it here. ')}{setting.change}"
        if setting.file is not None:
            return f"{setting.change} {told('{edit_outside} opens that file in your editor.')}"
        return setting.change

    def _found(self, workspace: Workspace) -> Iterator[Setting]:
        yield from _vault_settings(workspace)
        yield from self._own_settings()
        bench = self.workbench
        own = bench.own_settings.author
        yield Setting(
            "author",
            bench.context.author,
            "proofstone open --as NAME, else PROOFSTONE_AUTHOR, else “author” in your "
            f"{WORKBENCH_FILE}, else git's user.name, else your login name. While the workbench is "
            "open, it stays what it was.",
            (f"from the next opening on: {own}",) if own and own != bench.context.author else (),
            chosen_here=AUTHOR,
        )
        yield Setting("proofstone", __version__, "pip install --upgrade proofstone")
        for package in ("textual", "memleaf"):
            yield Setting(package, _version(package), f"pip install --upgrade {package}")
        yield Setting("python", platform.python_version(), "Proofstone runs on 3.11 and later.")

    def _own_settings(self) -> Iterator[Setting]:
        bench = self.workbench
        folder = bench.personal_folder
        place = str(folder) if folder is not None else "(not read in this run)"
        theme = bench.theme_files[bench.theme]
        key = label(bench.keymap.keys("theme")[0])
        yield Setting(
            "theme",
            theme.name,
            f"{key} shows the next one without keeping it; --theme NAME opens with one. Kept is "
            f"“theme” in your {WORKBENCH_FILE}, which goes before “theme” in the vault's "
            "proofstone.yaml. docs/themes.md explains how to make your own.",
            (f"there are: {', '.join(bench.theme_files)}", *bench.warnings),
            chosen_here=THEME,
        )
        own = bench.keymap.own
        changed = tuple(
            f"{BY_ID[action].title}: {' '.join(map(label, keys))}" for action, keys in own.items()
        )
        yield Setting(
            "keys",
            f"{len(own)} of your own" if own else "the usual ones",
            f"Write keymap.yaml in {place}, one line for each action, such as “ratify: R”. "
            "docs/keymap.md lists the actions. It is read again when it is saved.",
            changed,
            file=folder / KEYMAP_FILE if folder is not None else None,
        )
        saved = bench.saved_filters
        yield Setting(
            "saved filters",
            f"{len(saved):,}",
            f"{bench.keymap.label('filters')} in the queue or in Memories saves the present one. "
            f"They stand in {FILTERS_FILE}, one line for each.",
            tuple(f"{name}: {text}" for name, text in saved.items()),
            file=folder / FILTERS_FILE if folder is not None else None,
        )
        yield self._endpoint(place)
        if bench.faults:
            yield Setting(
                "faults",
                f"{len(bench.faults)} in your settings files",
                "What is faulty is left out. Mend the file; it is read again when it is saved.",
                bench.faults,
                faulty=True,
            )
        yield Setting(
            "your folder",
            place,
            "It is the platform's folder for settings; themes/ in it holds your themes.",
        )

    def _endpoint(self, place: str) -> Setting:
        """Of whom a model's answer is asked, and with which key; never the key itself."""
        from proofstone.gate.configured import GATE_FILE

        folder = self.workbench.personal_folder
        settings, why = self.workbench.endpoint()
        if settings is None:
            value = "none"
            more: tuple[str, ...] = (f"now: {why}",)
        else:
            value = f"{settings.model} at {settings.base_url}"
            key = f"from {settings.key_source}" if settings.key else "none"
            more = (
                f"key: {key}",
                f"time limit: {settings.timeout:g} seconds for one answer",
                f"turns at once: {settings.limit}",
            )
        return Setting(
            "gate endpoint",
            value,
            f"Write base_url and model in {GATE_FILE} in {place}, or set PROOFSTONE_GATE_URL and "
            "PROOFSTONE_GATE_MODEL. A key comes from PROOFSTONE_GATE_KEY, else OPENAI_API_KEY, and "
            "from no file. A vault's settings name no endpoint: docs/gate.md says why.",
            more,
            file=folder / GATE_FILE if folder is not None else None,
        )


def _vault_settings(workspace: Workspace) -> Iterator[Setting]:
    settings = workspace.settings
    path = workspace.root / "proofstone.yaml"
    there = "" if path.is_file() else " (the file is not there yet, and the defaults hold)"

    def edit(key: str, example: str) -> str:
        return f"Write “{key}: {example}” in {path}{there}."

    yield Setting("vault", str(workspace.root), "proofstone open PATH opens another one.")
    yield Setting("profile", settings.profile or "–", edit("profile", '"person"'), file=path)
    yield Setting("project", settings.project or "–", edit("project", '"orion"'), file=path)
    yield Setting(
        "governance",
        settings.governance_mode,
        edit("governance_mode", "strict"),
        (
            "strict: what has no trust metadata asks for review. "
            "compatibility: it is shown as legacy, unverified.",
        ),
        file=path,
    )
    yield Setting(
        "retention",
        f"{settings.retention_hours:,} hours",
        edit("retention_hours", "24"),
        ("How long a settled turn's text is kept at least; proofstone clean removes it then.",),
        file=path,
    )
    yield Setting(
        "anchor root",
        settings.anchor_root or str(workspace.root.parent),
        edit("anchor_root", "../code"),
        ("The folder that anchors such as src/app.py:12 are relative to.",),
        file=path,
    )


def _row(setting: Setting) -> Row:
    style = "$verdict-flag bold" if setting.faulty else "$ink"
    sign = "! " if setting.faulty else ""
    return Row(
        key=setting.name,
        gutter=Content.styled(f"{setting.name:<{_WIDTH}}", "$ink-dim"),
        body=safe(f"{sign}{setting.value}", style, limit=300),
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
