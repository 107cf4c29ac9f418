"""A person's own keys and themes, from the platform's folder for settings (spec page 7).

``read_personal`` is a plain function of the folder. ``PersonalApp`` lays what it gives over the
registry and the shipped themes, and again whenever a file in the folder is saved. A file with a
fault is never in the way: the fault is said, and what held before holds on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import App

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.shown import shown_text
from proofstone.tui.themes import (
    DEFAULT_THEME,
    ThemeError,
    ThemeFile,
    faint_text,
    read_theme,
    shipped_themes,
    to_textual,
    variable_defaults,
)
from proofstone.tui.toasting import ToastingApp

if TYPE_CHECKING:
    from proofstone.curation.own_settings import OwnSettings
    from proofstone.gate.configured import GateFile
    from proofstone.tui.keymap import Keymap, KeySource
    from proofstone.vault.settings import Settings

# The registry of commands is imported late: the first picture needs themes, and no keys yet.

THEMES_FOLDER = "themes"
MAX_THEME_BYTES = 64 * 1024
MAX_THEMES = 100
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def personal_folder() -> Path:
    """Where this platform keeps a person's settings for Proofstone."""
    from proofstone.curation.own_folder import own_folder

    return own_folder()


def _unset() -> OwnSettings:
    from proofstone.curation.own_settings import OwnSettings

    return OwnSettings()


@dataclass(frozen=True, slots=True)
class Personal:
    """What a person's folder holds, and what is wrong with the rest of it."""

    folder: Path | None = None
    keys: KeySource | None = None
    themes: tuple[ThemeFile, ...] = ()
    faults: tuple[str, ...] = ()
    gate: GateFile | None = None
    """The endpoint of the Gate, where the folder names one."""
    warnings: tuple[str, ...] = ()
    """What holds, and yet is not as it should be."""
    settings: OwnSettings = field(default_factory=_unset)
    """Theme, author and saved filters."""


def read_personal(folder: Path | None) -> Personal:
    """Read and check what ``folder`` holds: keys, themes, endpoint; without a folder, nothing."""
    if folder is None:
        return Personal()
    from proofstone.curation.own_settings import read_own_settings
    from proofstone.gate.configured import read_gate_file
    from proofstone.tui.keymap import read_keymap_file

    keys, key_faults = read_keymap_file(folder)
    themes, theme_faults = read_themes(folder)
    gate, settings = read_gate_file(folder), read_own_settings(folder)
    faults = (*key_faults, *theme_faults, *gate.faults, *settings.faults)
    faint = ((theme, faint_text(theme)) for theme in themes)
    warnings = tuple(f"theme {theme.name}: {told}" for theme, told in faint if told)
    return Personal(folder, keys, themes, faults, gate, warnings, settings)


def read_themes(folder: Path) -> tuple[tuple[ThemeFile, ...], list[str]]:
    """The themes in ``folder``'s ``themes/``, and what is wrong with the others."""
    faults: list[str] = []
    themes: dict[str, ThemeFile] = {}
    shipped = {theme.name: theme for theme in shipped_themes()}
    try:
        paths = sorted((folder / THEMES_FOLDER).glob("*.yaml"))
    except OSError as error:
        paths = []
        faults.append(f"{THEMES_FOLDER}: cannot be read: {error.strerror}")
    if len(paths) > MAX_THEMES:
        faults.append(f"{THEMES_FOLDER}: more than {MAX_THEMES} files; the rest is left out")
    for path in paths[:MAX_THEMES]:
        try:
            theme = _read_own_theme(path, shipped)
        except ThemeError as error:
            faults.append(str(error))
            continue
        if theme.name in themes:
            faults.append(f"{path.name}: another file has the name {theme.name} already")
        else:
            themes[theme.name] = theme
    return tuple(themes.values()), faults


def _read_own_theme(path: Path, shipped: Mapping[str, ThemeFile]) -> ThemeFile:
    try:
        if path.stat().st_size > MAX_THEME_BYTES:
            raise ThemeError(f"{path.name}: larger than {MAX_THEME_BYTES:,} bytes")
    except OSError as error:
        raise ThemeError(f"{path.name}: cannot be read: {error.strerror}") from error
    theme = read_theme(path, bases=shipped)
    if theme.name in shipped:
        raise ThemeError(f"{path.name}: a theme named {theme.name} is shipped; choose another name")
    if not _NAME.fullmatch(theme.name):
        raise ThemeError(
            f"{path.name}: a name has small letters, digits and hyphens, at most 40 of them"
        )
    return theme


def _theme_of(folder: Path | None) -> str:
    """The theme that a person's folder names, if there is one."""
    if folder is None:
        return ""
    from proofstone.curation.own_settings import read_own_settings

    return read_own_settings(folder).theme


def require_theme(name: str, folder: Path | None) -> None:
    """Refuse the name of a theme that is neither shipped nor in a person's ``folder``.

    Raises:
        ThemeError: there is no such theme; the message has the names that there are.
    """
    own = read_themes(folder)[0] if folder is not None else ()
    _require_one_of([file.name for file in (*shipped_themes(), *own)], name)


def _require_one_of(known: Collection[str], name: str) -> None:
    if name not in known:
        raise ThemeError(f"there is no theme “{name}”; there are {', '.join(known)}")


class PersonalApp(ToastingApp):
    """An application whose keys and themes may be a person's own.

    Args:
        folder: The person's folder, or None for the shipped keys and themes alone.
        theme: The theme asked for, which goes before the vault's.

    Raises:
        ThemeError: there is no theme of that name.
    """

    def __init__(
        self, *, folder: Path | None, theme: str | None, ansi_color: bool | None = None
    ) -> None:
        super().__init__(ansi_color=ansi_color)
        self._folder = folder
        self._personal = Personal()
        self._keymap_now: Keymap | None = None
        self.faults: tuple[str, ...] = ()
        """What is wrong with the keys and themes just now."""
        self.warnings: tuple[str, ...] = ()
        """What holds of them, and yet is not as it should be."""
        self.theme_files: dict[str, ThemeFile] = {}
        self._theme_asked_for = theme
        self._vault_keys: KeySource | None = None
        self._vault_theme = ""
        self._take_themes(shipped_themes())
        if folder is not None:
            self._take_themes(read_themes(folder)[0])
        if theme is not None:
            _require_one_of(self.theme_files, theme)
        self._own_theme = _theme_of(folder)
        self.theme = self._first_theme()

    def _first_theme(self) -> str:
        """The theme asked for, else the person's, else the vault's, else the usual one."""
        wanted = (self._theme_asked_for or "", self._own_theme, self._vault_theme)
        return next((name for name in wanted if name in self.theme_files), DEFAULT_THEME)

    @property
    def saved_filters(self) -> Mapping[str, str]:
        """The filters that the person saved, by name."""
        return self._personal.settings.filters

    @property
    def own_settings(self) -> OwnSettings:
        """What the person's ``workbench.yaml`` says."""
        return self._personal.settings

    def keep_filter(self, name: str, text: str | None) -> None:
        """Save a filter under a name, or take it away for None. Raises ProofstoneError."""
        from proofstone.curation.own_settings import FILTERS_FILE

        self._write_own(FILTERS_FILE, name, text)

    def set_own(self, name: str, value: str) -> None:
        """Set a name of ``workbench.yaml``. Raises ProofstoneError."""
        from proofstone.curation.own_settings import WORKBENCH_FILE

        self._write_own(WORKBENCH_FILE, name, value)

    def _write_own(self, file: str, name: str, value: str | None) -> None:
        from proofstone.curation.own_file import write_word

        if self._folder is None:
            raise ProofstoneError("your own folder is not read in this run, so nothing is kept")
        was_there = self._folder.is_dir()
        write_word(self._folder / file, name, value)
        if not was_there:
            self._watch_personal(self._folder)
        self.follow_personal(read_personal(self._folder))

    @property
    def personal_folder(self) -> Path | None:
        """Where the person's own keys and themes are, if they count in this run."""
        return self._folder

    @property
    def gate_file(self) -> GateFile | None:
        """What the person's folder says of the Gate's endpoint, if it counts in this run."""
        return self._personal.gate

    @property
    def keymap(self) -> Keymap:
        """The keys that hold now."""
        if self._keymap_now is None:
            from proofstone.tui.keymap import DEFAULT

            self._keymap_now = DEFAULT
        return self._keymap_now

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our colours while one of Textual's own themes is on."""
        return variable_defaults(shipped_themes())

    def start_personal(self) -> None:
        """Lay the person's own over the rest, and watch the folder; called once, when mounted."""
        if self._folder is not None:
            self._personal = read_personal(self._folder)
            self._lay_over()
            self._watch_personal(self._folder)

    def follow_personal(self, now: Personal) -> None:
        """Lay what the person's folder holds now over the rest."""
        if now != self._personal:
            self._personal = now
            self._take_themes(now.themes)
            if now.settings.theme != self._own_theme:
                self._own_theme = now.settings.theme
                self.theme = self._first_theme()
            self._lay_over()

    def follow_vault_settings(self, settings: Settings) -> None:
        """Heed the vault's ``keymap`` and ``theme``, where the person's own leave room."""
        from proofstone.tui.keymap import vault_source

        keys = vault_source(settings.keymap)
        if keys == self._vault_keys and settings.theme == self._vault_theme:
            return
        new_theme = settings.theme != self._vault_theme
        self._vault_keys, self._vault_theme = keys, settings.theme
        if new_theme and self._theme_asked_for is None:
            self.theme = self._first_theme()
        self._lay_over()

    def _take_themes(self, themes: tuple[ThemeFile, ...]) -> None:
        for file in themes:
            changed = file.name in self.theme_files and self.theme_files[file.name] != file
            self.theme_files[file.name] = file
            self.register_theme(to_textual(file))
            if changed and file.name == self.theme:
                self.mutate_reactive(App.theme)

    def _lay_over(self) -> None:
        from proofstone.tui.keymap import combined

        before, warned = self.faults, self.warnings
        self._keymap_now, faults = combined(self._personal.keys, self._vault_keys)
        if self._vault_theme and self._vault_theme not in self.theme_files:
            known = ", ".join(self.theme_files)
            faults.append(f"proofstone.yaml: there is no theme “{self._vault_theme}”; use {known}")
        if self._own_theme and self._own_theme not in self.theme_files:
            known = ", ".join(self.theme_files)
            faults.append(f"workbench.yaml: there is no theme “{self._own_theme}”; use {known}")
        self.faults = (*self._personal.faults, *faults)
        self.set_keymap(self._keymap_now.for_textual())
        self.warnings = self._personal.warnings
        for fault in self.faults:
            if fault not in before:
                self._say(fault, "It is left out, and the rest holds.")
        for warning in self.warnings:
            if warning not in warned:
                self._say(warning, "It holds all the same.")
        self.keys_changed()

    def _say(self, told: str, so: str) -> None:
        self.notify(
            f"{shown_text(told)}\n{so}",
            title="your settings",
            severity="warning",
            timeout=12,
            markup=False,
        )

    def keys_changed(self) -> None:
        """Draw keys anew wherever they are named."""

    @work(exclusive=True, group="watch-personal")
    async def _watch_personal(self, folder: Path) -> None:
        """Read the folder again whenever something in it is saved."""
        from watchfiles import awatch

        from proofstone.tui.keymap import KEYMAP_FILE

        def matters(_: object, path: str) -> bool:
            return path.endswith((KEYMAP_FILE, ".yaml"))

        if not folder.is_dir():
            return
        async for _ in awatch(folder, watch_filter=matters, step=50, debounce=400):
            self.follow_personal(await asyncio.to_thread(read_personal, folder))
