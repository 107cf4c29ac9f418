"""The one list: keys, mouse, wrapping, long lists, untrusted text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.app import App, ComposeResult
from textual.content import Content

from proofstone.tui.rows import Extent, LazyRows, Row, Rows, text_row
from proofstone.tui.themes import shipped_themes, to_textual, variable_defaults
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import safe


class ListApp(App[None]):
    """One list and what it said."""

    def __init__(self) -> None:
        super().__init__()
        self.line_list = LineList(placeholder="Nothing is here.")
        self.said: list[tuple[str, str]] = []
        themes = shipped_themes()
        self.register_theme(to_textual(themes[0]))
        self.theme = themes[0].name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(shipped_themes())

    def compose(self) -> ComposeResult:
        yield self.line_list

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        self.said.append(("highlighted", event.key))

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        self.said.append(("selected", event.key))

    @property
    def lines(self) -> list[str]:
        shown = self.line_list
        return [shown.line(y, shown.line_width).text.rstrip() for y in range(shown.size.height)]


def rows(texts: Sequence[str]) -> Rows:
    return Rows([Row(key=text, body=Content(text)) for text in texts])


async def test_an_empty_list_says_so() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 4)) as pilot:
        await pilot.press("j", "G", "enter")
        assert app.lines[0] == " Nothing is here."
        assert app.said == []


async def test_keys_move_and_choose() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 4)) as pilot:
        app.line_list.set_rows(rows(["one", "two", "three"]))
        await pilot.press("j", "G", "k", "g", "enter")
        assert app.said == [
            ("highlighted", "two"),
            ("highlighted", "three"),
            ("highlighted", "two"),
            ("highlighted", "one"),
            ("selected", "one"),
        ]
        assert app.lines[0] == "► one"


async def test_headings_are_passed_over() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 6)) as pilot:
        first, second = rows(["a", "b"]).rows
        heading = text_row("heading", "Heading")
        app.line_list.set_rows(Rows([heading, first, heading, second]))
        assert app.line_list.cursor_key == "a"
        await pilot.press("j")
        assert app.line_list.cursor_key == "b"
        await pilot.press("j", "j", "g")
        assert app.line_list.cursor_key == "a"


async def test_a_click_moves_and_a_second_one_chooses() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 4)) as pilot:
        app.line_list.set_rows(rows(["one", "two", "three"]))
        await pilot.click(LineList, offset=(5, 2))
        await pilot.click(LineList, offset=(5, 2))
        assert app.said == [("highlighted", "three"), ("selected", "three")]


async def test_the_cursor_stays_on_its_row_when_rows_change() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 4)) as pilot:
        app.line_list.set_rows(rows(["one", "two", "three"]))
        await pilot.press("j")
        app.line_list.set_rows(rows(["zero", "one", "two", "three"]))
        assert app.line_list.cursor_key == "two"
        app.line_list.set_rows(rows(["zero", "one", "three"]))
        assert app.line_list.cursor_key == "three", "what took its place"


async def test_long_text_wraps_with_its_gutter() -> None:
    app = ListApp()
    async with app.run_test(size=(21, 6)):
        app.line_list.set_rows(
            Rows(
                [
                    Row(
                        key="a",
                        gutter=Content("▌P "),
                        continuation=Content("▌  "),
                        body=Content("one two three four 五六七八九十"),
                        trailing=Content("c1"),
                        wrap=True,
                    ),
                    Row(key="b", body=Content("next")),
                ]
            )
        )
        assert app.lines[:4] == [
            "► ▌P one two      c1",
            "  ▌  three four 五六",
            "  ▌  七八九十",
            "  next",
        ]


async def test_a_hundred_thousand_rows_build_only_what_is_seen() -> None:
    built: list[int] = []

    def build(index: int) -> Row:
        built.append(index)
        return Row(key=str(index), body=Content(f"row {index}"))

    app = ListApp()
    async with app.run_test(size=(30, 10)) as pilot:
        app.line_list.set_rows(LazyRows([str(n) for n in range(100_000)], build))
        await pilot.press("G", "pageup", "g", "j")
        assert app.line_list.cursor_key == "1"
    assert len(set(built)) < 60


@pytest.mark.parametrize(
    "text", ["[bold]no markup[/bold]", "[/x]", "list[int]", "\x1b[2J", "a\u202eb", "\ud800", "[$x]"]
)
async def test_untrusted_text_is_text(text: str) -> None:
    app = ListApp()
    async with app.run_test(size=(40, 3)) as pilot:
        app.line_list.set_rows(Rows([Row(key="k", body=safe(text))]))
        await pilot.press("enter")
        shown = app.lines[0].removeprefix("► ")
        assert shown == safe(text).plain
        assert all(character.isprintable() for character in shown)


async def test_linked_and_marked_rows_are_told_without_colour() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 4)):
        linked = Row(key="b", body=Content("b"), link="unit:1")
        app.line_list.set_rows(Rows([Row(key="a", body=Content("a")), linked]))
        app.line_list.set_linked({"unit:1"})
        app.line_list.set_marked({"a"})
        assert app.lines[:2] == ["►✓a", " •b"]


async def test_rows_that_look_otherwise_move_those_below_and_nothing_else_is_measured() -> None:
    measured: list[int] = []

    def source(texts: dict[int, str]) -> LazyRows:
        def build(index: int) -> Row:
            return Row(key=f"{index}", body=Content(texts.get(index, f"row {index}")), wrap=True)

        def measure(index: int) -> Extent:
            measured.append(index)
            return build(index).extent

        keys = [f"{number}" for number in range(100)]
        return LazyRows(keys, build, fixed_height=None, measure=measure)

    app = ListApp()
    async with app.run_test(size=(14, 6)) as pilot:
        app.line_list.set_rows(source({}))
        assert app.lines[:3] == ["► row 0", "  row 1", "  row 2"]
        measured.clear()
        app.line_list.change_rows(source({1: "two lines of it"}), [1])
        await pilot.pause()
        assert app.lines[:4] == ["► row 0", "  two lines", "  of it", "  row 2"]
        assert measured == [1]
        await pilot.press("G")
        assert app.line_list.cursor_key == "99"
        assert app.lines[-1].strip() == "► row 99"
