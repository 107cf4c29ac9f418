"""Themes from YAML files (spec page 7, Themes and keys).

A theme file names every colour by what it means; Textual's own variables are derived from those.
A file with a missing, unknown or unreadable colour is refused with the file and the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from textual.color import Color, ColorParseError
from textual.theme import Theme

from proofstone.domain.errors import ProofstoneError
from proofstone.resources import resource_dir

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

DEFAULT_THEME = "dark"
NO_COLOUR_THEME = "terminal"
"""With NO_COLOR set, the theme whose colours can be left out entirely."""

GROUNDS: tuple[str, ...] = (
    "ground",
    "ground-raised",
    "ground-bar",
    "ground-cursor",
    "ground-cursor-idle",
    "ground-linked",
)
"""Any text colour may stand on any of these."""

INKS: tuple[str, ...] = (
    "ink",
    "ink-dim",
    "ink-title",
    "ink-key",
    "ink-hidden",
    "partition-physical",
    "partition-context",
    "partition-unresolved",
    "decision-candidate",
    "decision-no-change",
    "decision-deferred",
    "decision-open",
    "verdict-pass",
    "verdict-flag",
    "verdict-block",
    "verdict-idle",
    "risk-low",
    "risk-medium",
    "risk-high",
    "match",
    "taint",
    "link",
    "mark",
    "diff-added",
    "diff-removed",
)

PAIRS: tuple[tuple[str, str], ...] = (("ink-quote", "ground-quote"),)
"""Text colours that stand on one ground only."""

WANTED_CONTRAST = 4.5
"""Text on its ground, at least, as WCAG wants of text in a common size (spec page 7)."""

LINES: tuple[str, ...] = ("frame", "frame-focus", "meter-empty")

COLOURS: tuple[str, ...] = (
    *GROUNDS,
    *INKS,
    *(name for pair in PAIRS for name in pair),
    *LINES,
)


class ThemeError(ProofstoneError):
    """A theme file cannot be used; the message says which file, which key and why."""


@dataclass(frozen=True, slots=True)
class ThemeFile:
    """A checked theme file."""

    name: str
    title: str
    dark: bool
    ansi: bool
    colours: dict[str, str]


def read_theme(path: Path, *, bases: Mapping[str, ThemeFile] | None = None) -> ThemeFile:
    """Read and check one theme file.

    With ``bases``, a file may name one of them as ``extends`` and give only what differs.

    Raises:
        ThemeError: when it is no YAML mapping, or a key is missing, unknown or no colour.
    """
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        first = str(error).splitlines()[0]
        raise ThemeError(f"{path.name}: cannot be read as YAML: {first}") from error
    if not isinstance(data, dict):
        raise ThemeError(f"{path.name}: a theme is a mapping with name, title and colours")
    known = {"name", "title", "dark", "ansi", "colours"} | ({"extends"} if bases else set())
    unknown = sorted(str(key) for key in data.keys() - known)
    if unknown:
        raise ThemeError(f"{path.name}: unknown key {unknown[0]}")
    name, title = data.get("name"), data.get("title")
    if not isinstance(name, str) or not isinstance(title, str):
        raise ThemeError(f"{path.name}: name and title must be text")
    base = _base(path, data.get("extends"), bases or {})
    dark = data.get("dark", base.dark if base else True)
    ansi = data.get("ansi", base.ansi if base else False)
    if not isinstance(dark, bool) or not isinstance(ansi, bool):
        raise ThemeError(f"{path.name}: dark and ansi must be true or false")
    colours = data.get("colours", {} if base else None)
    return ThemeFile(name, title, dark, ansi, _checked_colours(path, colours, base))


def _base(path: Path, name: object, bases: Mapping[str, ThemeFile]) -> ThemeFile | None:
    if name is None:
        return None
    if not isinstance(name, str) or name not in bases:
        raise ThemeError(f"{path.name}: extends must be one of {', '.join(bases)}")
    return bases[name]


def _checked_colours(path: Path, colours: object, base: ThemeFile | None) -> dict[str, str]:
    if not isinstance(colours, dict):
        raise ThemeError(f"{path.name}: colours must be a mapping")
    if base is not None:
        colours = {**base.colours, **colours}
    missing = [name for name in COLOURS if name not in colours]
    if missing:
        raise ThemeError(f"{path.name}: colours.{missing[0]} is missing")
    unknown = sorted(str(name) for name in colours if name not in COLOURS)
    if unknown:
        raise ThemeError(f"{path.name}: colours.{unknown[0]} is no colour that is used")
    for name, value in colours.items():
        try:
            Color.parse(str(value))
        except ColorParseError:
            raise ThemeError(f"{path.name}: colours.{name}: {value} is no colour") from None
    return {name: str(colours[name]) for name in COLOURS}


def contrast(first: str, second: str) -> float:
    """How far two colours stand apart, from 1 (alike) to 21 (black on white), as WCAG counts."""
    lighter, darker = sorted((_luminance(Color.parse(c)) for c in (first, second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.03928 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(channel) for channel in colour.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def faint_text(theme: ThemeFile) -> str:
    """Which text of a theme is hard to read, the worst named, in one line; empty where none is.

    Of a theme in the terminal's own colours nothing can be said.
    """
    if theme.ansi:
        return ""
    pairs = [(ink, ground) for ink in INKS for ground in GROUNDS] + list(PAIRS)
    ratios = {
        (ink, ground): contrast(theme.colours[ink], theme.colours[ground]) for ink, ground in pairs
    }
    faint = {pair: ratio for pair, ratio in ratios.items() if ratio < WANTED_CONTRAST}
    if not faint:
        return ""
    (ink, ground), ratio = min(faint.items(), key=lambda found: found[1])
    more = f", and {len(faint) - 1} more pairs are faint" if len(faint) > 1 else ""
    # Rounded down: what is below must not be told as what is wanted.
    told = int(ratio * 10) / 10
    return f"{ink} on {ground} has a contrast of {told}, {WANTED_CONTRAST} is wanted{more}"


def to_textual(theme: ThemeFile) -> Theme:
    """The theme as Textual takes it, our colours among its variables."""
    colour = theme.colours
    return Theme(
        name=theme.name,
        primary=colour["frame-focus"],
        secondary=colour["link"],
        accent=colour["ink-key"],
        warning=colour["verdict-flag"],
        error=colour["verdict-block"],
        success=colour["verdict-pass"],
        foreground=colour["ink"],
        background=colour["ground"],
        surface=colour["ground-raised"],
        panel=colour["ground-bar"],
        dark=theme.dark,
        ansi=theme.ansi,
        variables={**colour, **_textual_variables(colour, ansi=theme.ansi)},
    )


def _textual_variables(colour: dict[str, str], *, ansi: bool) -> dict[str, str]:
    """Textual's own variables that would otherwise be derived without our contrast."""
    variables = {
        "text": colour["ink"],
        "text-muted": colour["ink-dim"],
        "text-disabled": colour["ink-dim"],
        "border": colour["frame-focus"],
        "border-blurred": colour["frame"],
        "block-cursor-foreground": colour["ink"],
        "block-cursor-background": colour["ground-cursor"],
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": colour["ink"],
        "block-cursor-blurred-background": colour["ground-cursor-idle"],
        "input-cursor-background": colour["ink"],
        "input-cursor-foreground": colour["ground"],
        "input-selection-background": colour["ground-quote"],
        "scrollbar": colour["frame"],
        "scrollbar-hover": colour["frame-focus"],
        "scrollbar-active": colour["frame-focus"],
        "scrollbar-background": colour["ground"],
        "scrollbar-background-hover": colour["ground"],
        "scrollbar-background-active": colour["ground"],
        "scrollbar-corner-color": colour["ground"],
    }
    if ansi:
        variables |= {"input-cursor-text-style": "reverse", "block-cursor-text-style": "reverse"}
        variables |= {"input-cursor-foreground": "ansi_default"}
        variables |= {"ansi-background": "ansi_black", "ansi-foreground": "ansi_white"}
    return variables


@cache
def shipped_themes() -> tuple[ThemeFile, ...]:
    """Every theme in ``themes/``, the default first and the rest by name."""
    files = [read_theme(path) for path in sorted(resource_dir("themes").glob("*.yaml"))]
    return tuple(sorted(files, key=lambda theme: (theme.name != DEFAULT_THEME, theme.name)))


def variable_defaults(themes: tuple[ThemeFile, ...]) -> dict[str, str]:
    """What our variables are while one of Textual's own themes is on."""
    return dict(themes[0].colours)
