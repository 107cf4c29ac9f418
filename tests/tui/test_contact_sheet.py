"""The contact sheet: complete, and needing no network."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.tui import contact_sheet
from proofstone.tui.contact_sheet import SIZES, STATES, Picture, near, page, pictures
from proofstone.tui.snapshot import SCREENS
from proofstone.tui.themes import shipped_themes


def test_every_screen_is_there_at_three_sizes() -> None:
    shown = list(pictures())
    assert len({picture.file for picture in shown}) == len(shown)
    for name in (*SCREENS, *STATES):
        assert [picture.size for picture in shown if picture.name == name] == list(SIZES)
    themes = {picture.theme for picture in shown if picture.name.startswith("theme-")}
    assert themes == {theme.name for theme in shipped_themes()}


def test_a_picture_loads_nothing_from_a_network() -> None:
    svg = contact_sheet.draw(Picture("main", "main", (80, 24)))
    assert "<svg" in svg and "Queue" in svg.replace("&#160;", " ")
    assert "cdnjs" not in svg


def test_a_picture_that_would_is_refused() -> None:
    with pytest.raises(ValueError, match="network"):
        near('<svg><image href="https://example.invalid/a.png"/></svg>')


def test_the_page_names_every_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_sheet, "draw", lambda picture: f"<svg>{picture.file}</svg>")
    target = tmp_path / "sheet.html"
    (tmp_path / "sheet").mkdir()
    (tmp_path / "sheet" / "gone-80x24.svg").write_text("old", encoding="utf-8")
    number = contact_sheet.write(target)
    text = target.read_text(encoding="utf-8")
    files = {path.name for path in (tmp_path / "sheet").iterdir()}
    assert len(files) == number == text.count("<figure")
    assert all(f'src="sheet/{name}"' in text for name in files)
    assert "gone-80x24.svg" not in files
    assert "http" not in page("sheet", list(pictures()))
