"""The Settings screen: what holds, where things are, and how to change each."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from proofstone import __version__
from proofstone.curation.workspace import Workspace
from proofstone.tui.command import SETTINGS, label
from proofstone.tui.commands import BY_ID, bindings_for
from proofstone.tui.rows import Row, Rows, spaced, text_row
from proofstone.tui.screens.listing import ListingScreen
from proofstone.tui.words import safe

_WIDTH = 18


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that holds: its name, its value, and what to do to change it."""

    name: str
    value: str
    change: str
    more: tuple[str, ...] = ()
    faulty: bool = False


class SettingsScreen(ListingScreen):
    """What holds, read-only."""

    name_in_registry: ClassVar[str] = SETTINGS
    title_of_detail: ClassVar[str] = "How to change it"
    title_in_header: ClassVar[str] = "Settings"
    about: ClassVar[str] = (
        "The vault's settings, your keys and theme, who rules, versions, and where things are. At "
        "the right, how to change the one under the cursor. Nothing is changed from here: settings "
        "are files that you own."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(SETTINGS)

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw what holds now."""
        self._settings = {setting.name: setting for setting in self._found(workspace)}
        self.fill(Rows([_row(setting) for setting in self._settings.values()], fixed_height=1))

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
                [text_row("change", safe(setting.change, "$ink"))],
            ]
        )

    def _found(self, workspace: Workspace) -> Iterator[Setting]:
        yield from _vault_settings(workspace)
        yield from self._own_settings()
        bench = self.workbench
        yield Setting(
            "author",
            bench.context.author,
            "proofstone open --as NAME, else PROOFSTONE_AUTHOR, else git's user.name, else your "
            "login name. It cannot be changed while the workbench is open, nor by any agent.",
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
            f"{key} changes to the next one; --theme NAME opens with one; “theme” in the vault's "
            "proofstone.yaml is what the vault opens with. docs/themes.md explains your own.",
            (f"there are: {', '.join(bench.theme_files)}",),
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
            f"Write base_url and model in {place}/gate.yaml, or set PROOFSTONE_GATE_URL and "
            "PROOFSTONE_GATE_MODEL. A key comes from PROOFSTONE_GATE_KEY, else OPENAI_API_KEY, and "
            "from no file. A vault's settings name no endpoint: docs/gate.md says why.",
            more,
        )


def _vault_settings(workspace: Workspace) -> Iterator[Setting]:
    settings = workspace.settings
    path = workspace.root / "proofstone.yaml"
    there = "" if path.is_file() else " (the file is not there yet, and the defaults hold)"

    def edit(key: str, example: str) -> str:
        read_again = label(BY_ID["reload"].keys[0])
        return f"Write “{key}: {example}” in {path}{there}, then {read_again} reads it again."

    yield Setting("vault", str(workspace.root), "proofstone open PATH opens another one.")
    yield Setting("profile", settings.profile or "–", edit("profile", '"person"'))
    yield Setting("project", settings.project or "–", edit("project", '"orion"'))
    yield Setting(
        "governance",
        settings.governance_mode,
        edit("governance_mode", "strict"),
        (
            "strict: what has no trust metadata asks for review. "
            "compatibility: it is shown as legacy, unverified.",
        ),
    )
    yield Setting(
        "retention",
        f"{settings.retention_hours:,} hours",
        edit("retention_hours", "24"),
        ("How long a settled turn's text is kept at least; proofstone clean removes it then.",),
    )
    yield Setting(
        "anchor root",
        settings.anchor_root or str(workspace.root.parent),
        edit("anchor_root", "../code"),
        ("The folder that anchors such as src/app.py:12 are relative to.",),
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
