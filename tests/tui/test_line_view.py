"""Lines are painted again only where they look otherwise, and never fewer than those."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_line_list import ListApp, rows
from textual._styles_cache import StylesCache
from textual.app import ComposeResult
from textual.content import Content
from textual.events import MouseScrollDown
from textual.geometry import Region
from textual.pilot import Pilot
from textual.scrollbar import ScrollBarRender
from textual.widget import Widget
from tui_bench import opened

from proofstone.tui.panes.base import Pane
from proofstone.tui.rows import Row, Rows
from proofstone.tui.widgets.bars import KeyBar
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.line_view import LineView
from proofstone.tui.widgets.thumb import FULL, GROUND, thumb_of

HEIGHT, TOTAL = 8, 60
WORDS = ("one", "two", "三")


class PaneOfLetters(Pane):
    """A pane with a frame."""

    number, title = 1, "Letters"


class PaneApp(ListApp):
    """The same as the list's own, with a frame around it."""

    def __init__(self) -> None:
        super().__init__()
        self.line_list = PaneOfLetters()

    def compose(self) -> ComposeResult:
        yield self.line_list


def painted(view: Widget) -> list[object]:
    """The lines of a widget as they would be painted next: those known as they are known."""
    return [list(strip) for strip in view.render_lines(Region(0, 0, *view.outer_size))]


def some_rows(chance: random.Random) -> Rows:
    """A few rows of a few kinds, so that some of them stay where they are."""
    return Rows(
        [
            Row(
                key=f"{number}",
                link=f"unit:{number % 3}",
                gutter=Content(chance.choice("PC")),
                body=Content(" ".join(chance.choices(WORDS, k=chance.randint(1, 9)))),
                trailing=Content(chance.choice(("", "2 d"))),
                wrap=bool(number % 2),
            )
            for number in range(chance.choice((0, 2, 5, 30)))
        ]
    )


def changes(app: PaneApp, pilot: Pilot[None], chance: random.Random) -> list[Callable[[], object]]:
    """What can happen to a list, but for keys and another size."""
    pane = app.line_list
    assert isinstance(pane, Pane)
    return [
        lambda: pane.set_rows(some_rows(chance)),
        lambda: pane.set_rows(some_rows(chance), anew=True, placeholder="Nothing."),
        lambda: pane.set_linked([f"unit:{chance.randrange(3)}"]),
        lambda: pane.set_marked([str(chance.randrange(5))]),
        lambda: pane.set_titles(chance.choice(("", "long detail", "5")), chance.choice(("", "x"))),
        lambda: pane.scroll_to(y=chance.randrange(12), animate=False, force=True, immediate=True),
        lambda: pane.move_to(str(chance.randrange(30))),
        pane.blur,
        pane.focus,
    ]


@pytest.mark.parametrize("seed", range(3))
async def test_what_is_painted_by_parts_is_what_would_be_painted_anew(seed: int) -> None:
    chance = random.Random(seed)
    app = PaneApp()
    async with app.run_test(size=(30, HEIGHT + 2)) as pilot:
        for step in range(40):
            happens = chance.choice(changes(app, pilot, chance))
            pane = app.line_list
            with pane.painted_once() if chance.random() < 0.3 else pane.prevent():
                happens()
                chance.choice(changes(app, pilot, chance))()
            if chance.random() < 0.3:
                await pilot.press(chance.choice(("j", "k", "G", "g", "pagedown")))
            if chance.random() < 0.1:
                size = chance.choice(((24, 7), (30, HEIGHT + 2)))
                await pilot.resize_terminal(*size)
            await pilot.pause()
            by_parts = painted(pane)
            pane.refresh()
            assert painted(pane) == by_parts, (seed, step)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lines of widgets as they are drawn anew, from now on."""
    drawn: list[int] = []
    rendered = StylesCache.render_line

    def counted(cache: StylesCache, styles: object, y: int, *others: object) -> object:
        drawn.append(y)
        return rendered(cache, styles, y, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(StylesCache, "render_line", counted)
    return drawn


async def test_a_title_paints_its_line_and_the_same_rows_paint_nothing(lines: list[int]) -> None:
    app = PaneApp()
    async with app.run_test(size=(30, HEIGHT + 2)) as pilot:
        pane = app.line_list
        assert isinstance(pane, Pane)
        same = [Row(key=f"{number}", body=Content(f"row {number}")) for number in range(TOTAL)]
        pane.set_rows(Rows(same))
        await pilot.pause()
        lines.clear()
        pane.set_titles("3 of 9", "marked")
        await pilot.pause()
        assert sorted(set(lines)) == [0, HEIGHT + 1]
        lines.clear()
        pane.set_titles("3 of 9", "marked")
        pane.put_below(Content("marked"))
        pane.set_rows(Rows(list(same)))
        await pilot.pause()
        assert lines == []
        pane.set_rows(Rows([*same[:4], Row(key="4", body=Content("another")), *same[5:]]))
        await pilot.pause()
        assert set(lines) == {5}, "row 4 is below the frame's line"


async def test_a_move_in_the_queue_paints_fewer_lines_than_the_panes_have(
    demo_vault: Path, monkeypatch: pytest.MonkeyPatch, lines: list[int]
) -> None:
    async with opened(demo_vault) as bench:
        await bench.press("2", "g", "j")
        have = sum(view.outer_size.height for view in bench.app.screen.query(LineView))
        lines.clear()
        keys = bench.app.screen.query_one(KeyBar)
        monkeypatch.setattr(keys, "render", keys_drawn := Mock(wraps=keys.render))
        for _ in range(6):
            await bench.press("j")
        assert 0 < len(lines) < 6 * have * 2 / 3
        assert not keys_drawn.called, "the keys of the footer do not flash"
        monkeypatch.undo()


# The bar


async def dragged(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Press the button at one place of the screen and let it go at another."""
    await pilot.mouse_down(offset=start)
    await pilot.hover(offset=end)
    await pilot.mouse_up(offset=end)
    await pilot.pause()


async def test_the_bar_is_dragged_and_chooses_no_row() -> None:
    app = ListApp()
    async with app.run_test(size=(30, HEIGHT)) as pilot:
        app.line_list.set_rows(rows([f"row {number}" for number in range(TOTAL)]))
        await pilot.pause()
        await dragged(pilot, (29, 0), (10, HEIGHT // 2))
        at = app.line_list.scroll_offset.y
        assert abs(at - TOTAL // 2) <= TOTAL // HEIGHT
        await dragged(pilot, (29, HEIGHT // 2), (29, HEIGHT - 1))
        assert app.line_list.scroll_offset.y > at
        assert app.said == []
        assert app.line_list.cursor == 0
        assert app.mouse_captured is None
        await pilot.click(LineList, offset=(5, 2))
        assert app.said[-1][0] == "highlighted", "what follows is not the bar's"


async def test_a_click_beside_the_thumb_goes_a_page_that_way() -> None:
    app = ListApp()
    async with app.run_test(size=(30, HEIGHT)) as pilot:
        app.line_list.set_rows(rows([f"row {number}" for number in range(TOTAL)]))
        await pilot.click(LineList, offset=(29, HEIGHT - 1))
        assert app.line_list.scroll_offset.y == HEIGHT
        await pilot.click(LineList, offset=(29, 0))
        assert app.line_list.scroll_offset.y == 0
        assert app.said == []


async def test_the_wheel_scrolls_and_where_all_is_seen_the_last_column_is_the_rows() -> None:
    app = ListApp()
    async with app.run_test(size=(30, HEIGHT)) as pilot:
        app.line_list.set_rows(rows([f"row {number}" for number in range(TOTAL)]))
        await pilot._post_mouse_events([MouseScrollDown], LineList, offset=(5, 2))
        await pilot.pause()
        assert app.line_list.scroll_offset.y > 0
        app.line_list.set_rows(rows(["one", "two"]), anew=True)
        await pilot.click(LineList, offset=(29, 1))
        assert app.said == [("highlighted", "two")]


@given(
    height=st.integers(1, 60), total=st.integers(1, 5_000), part=st.floats(0, 1, allow_nan=False)
)
def test_the_thumb_stands_where_textual_would_draw_it(height: int, total: int, part: float) -> None:
    thumb = thumb_of(height, total, position := round(part * max(0, total - height)))
    if total <= height:
        assert thumb is None
        return
    assert thumb is not None
    drawn = ScrollBarRender.render_bar(height, total, height, position).segments
    for line, segment in enumerate(drawn):
        cell, style = thumb.cell(line), segment.style
        assert style is not None
        assert (cell.text, cell.is_reversed) == (segment.text, bool(style.reverse)), line
    reached = {thumb.cell(line) for line in range(height)} - {GROUND}
    assert reached, "something of it is always seen"
    assert [thumb.side(line) for line in range(height)] == sorted(
        thumb.side(line) for line in range(height)
    )
    for line in range(height):
        assert (thumb.side(line) == 0) == (thumb.cell(line) != GROUND)
    if position == 0:
        assert thumb.cell(0) == FULL
