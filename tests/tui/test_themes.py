"""Theme files: complete, checked, and legible."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from textual.color import Color
from tui_bench import Opening

from proofstone.tui.themes import (
    GROUNDS,
    INKS,
    PAIRS,
    ThemeError,
    ThemeFile,
    read_theme,
    shipped_themes,
    to_textual,
)

SHIPPED = shipped_themes()
NAMES = [theme.name for theme in SHIPPED]


def _luminance(colour: Color) -> float:
    def linear(channel: int) -> float:
        value = channel / 255
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b)


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio of two colours."""
    low, high = sorted((_luminance(Color.parse(one)), _luminance(Color.parse(other))))
    return (high + 0.05) / (low + 0.05)


def test_the_six_themes_of_the_specification_are_shipped() -> None:
    assert set(NAMES) == {
        "dark",
        "light",
        "colour-blind-dark",
        "colour-blind-light",
        "high-contrast",
        "terminal",
    }
    assert NAMES[0] == "dark"


@pytest.mark.parametrize("theme", SHIPPED, ids=NAMES)
def test_text_is_legible_on_every_ground_it_may_stand_on(theme: ThemeFile) -> None:
    if theme.ansi:
        # The terminal chooses these colours; what can be promised is its own ground under all.
        assert {theme.colours[ground] for ground in GROUNDS} == {"ansi_default"}
        assert theme.colours["ink"] == "ansi_default"
        return
    pairs = [(ink, ground) for ink in INKS for ground in GROUNDS] + list(PAIRS)
    faint = {
        (ink, ground): round(contrast(theme.colours[ink], theme.colours[ground]), 2)
        for ink, ground in pairs
        if contrast(theme.colours[ink], theme.colours[ground]) < 4.5
    }
    assert faint == {}


@pytest.mark.parametrize("theme", SHIPPED, ids=NAMES)
def test_lines_can_be_seen(theme: ThemeFile) -> None:
    if theme.ansi:
        assert theme.colours["frame-focus"] != theme.colours["frame"]
    else:
        assert contrast(theme.colours["frame-focus"], theme.colours["ground"]) >= 3
        assert contrast(theme.colours["frame"], theme.colours["ground"]) >= 1.3


@pytest.mark.parametrize("theme", SHIPPED, ids=NAMES)
def test_a_theme_becomes_textual_variables(theme: ThemeFile) -> None:
    made = to_textual(theme)
    assert made.variables["partition-physical"] == theme.colours["partition-physical"]
    assert made.background == theme.colours["ground"]
    assert made.to_color_system().generate()["border"] == theme.colours["frame-focus"]


def _written(tmp_path: Path, change: dict[str, object], **colours: object) -> Path:
    theme = SHIPPED[0]
    data: dict[str, object] = {
        "name": "mine",
        "title": "Mine",
        "colours": {k: v for k, v in {**theme.colours, **colours}.items() if v is not None},
    }
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**data, **change}), encoding="utf-8")
    return path


def test_a_complete_file_is_read(tmp_path: Path) -> None:
    assert read_theme(_written(tmp_path, {})).name == "mine"


@pytest.mark.parametrize(
    ("change", "colours", "message"),
    [
        ({}, {"ink": None}, "mine.yaml: colours.ink is missing"),
        ({}, {"inc": "#000"}, "mine.yaml: colours.inc is no colour that is used"),
        ({}, {"ink": "mauvish"}, "mine.yaml: colours.ink: mauvish is no colour"),
        ({"colours": []}, {}, "mine.yaml: colours must be a mapping"),
        ({"dark": "yes"}, {}, "mine.yaml: dark and ansi must be true or false"),
        ({"name": 3}, {}, "mine.yaml: name and title must be text"),
        ({"fonts": 1}, {}, "mine.yaml: unknown key fonts"),
    ],
)
def test_a_faulty_file_says_what_is_wrong(
    tmp_path: Path, change: dict[str, object], colours: dict[str, object], message: str
) -> None:
    with pytest.raises(ThemeError) as caught:
        read_theme(_written(tmp_path, change, **colours))
    assert str(caught.value) == message


def test_a_file_that_is_no_yaml_says_so(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("a: [1", encoding="utf-8")
    with pytest.raises(ThemeError, match=r"^broken\.yaml: cannot be read as YAML"):
        read_theme(path)


async def test_where_no_colour_is_sent_the_next_theme_is_not_announced(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with bench(demo_vault) as b:
        before = b.app.theme
        await b.press("ctrl+t")
        assert b.app.theme == before
        assert b.toasts[-1].startswith("NO_COLOR is set")
