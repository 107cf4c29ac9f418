"""Fewer bytes, the same picture: both outputs are drawn on a small terminal and compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_terminal import ModelTerminal
from rich.cells import cell_len
from textual._compositor import Compositor
from textual.driver import Driver
from tui_bench import app_on, settled

from proofstone.tui.thrift import (
    SYNC_END,
    SYNC_START,
    Thrift,
    erases_in_colour,
    thrifty_driver,
)

WIDTH, HEIGHT = 16, 4
SMILE, WARNING, ACCENT = "\U0001f642", "\u26a0\ufe0f", "e\u0301"

Painted = tuple[tuple[int, int], str]
"""Where, from 0, and what, with its styles."""


def update(*pieces: Painted, cursor: tuple[int, int] = (0, 0)) -> str:
    """What Textual would write: pieces, line feeds between the lines, and the cursor."""
    rows = [at[0] for at, _ in pieces]
    written = [
        f"\x1b[{row + 1};{column + 1}H{text}" + ("\n" if row < max(rows) else "")
        for (row, column), text in pieces
    ]
    return "".join(written) + f"\x1b[{cursor[0] + 1};{cursor[1] + 1}H"


def styled(codes: str, text: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


attribute = st.sampled_from(["1", "2", "3", "4", "7", "9"])
colour = st.sampled_from(["38;2;1;2;3", "38;5;7", "31", "97", "48;2;9;9;9", "48;5;0", "44", "103"])
style = st.lists(attribute | colour, max_size=3, unique=True).map(";".join)
letter = st.sampled_from(["a", "b", " ", " ", "─", "é", "記", "한", SMILE, WARNING, ACCENT])


@st.composite
def painted(draw: st.DrawFn) -> Painted:
    """A piece that fits the terminal."""
    row, column = draw(st.integers(0, HEIGHT - 1)), draw(st.integers(0, WIDTH - 2))
    text, room = "", WIDTH - column
    for codes in draw(st.lists(style, min_size=1, max_size=3)):
        words = ""
        for character in draw(st.lists(letter, max_size=6)):
            if cell_len(words + character) <= room:
                words += character
        room -= cell_len(words)
        text += styled(codes, words) if words else ""
    return (row, column), text


cursor = st.tuples(st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1))
updates = st.lists(painted(), min_size=1, max_size=8).flatmap(
    lambda pieces: cursor.map(lambda at: update(*sorted(pieces), cursor=at))
)
others = st.sampled_from(["\x1b[?25l", "\x07", "\x1b[2J", SYNC_START, SYNC_END, "disturb"])


@settings(max_examples=30)
@given(st.lists(updates | updates | others, max_size=8), st.booleans())
def test_the_same_is_shown_with_no_more_bytes(outputs: list[str], erases: bool) -> None:
    thrift = Thrift(erases=erases)
    thrift.forget(WIDTH if erases else 0)
    plain, spared = ModelTerminal(WIDTH, HEIGHT), ModelTerminal(WIDTH, HEIGHT)
    for output in outputs:
        if output == "disturb":
            plain.disturb()
            spared.disturb()
            thrift.forget(WIDTH)
            continue
        written = thrift.written(output)
        plain.write(output)
        spared.write(written)
        assert spared.picture == plain.picture
        assert spared.style == plain.style
        if output.startswith("\x1b[") and output.endswith("H"):
            assert spared.cursor == plain.cursor
            assert len(written.encode()) <= len(output.encode()) + len(SYNC_START)


@pytest.mark.parametrize(
    "pieces",
    [
        [((0, 2), "記"), ((0, 3), "a"), ((0, 2), "記")],
        [((0, 2), "記"), ((0, 2), "a"), ((0, 2), "記")],
        [((0, 2), "記"), ((0, 1), "記"), ((0, 2), "記"), ((0, 1), "a 記")],
        [((0, 0), "記 12345x"), ((0, 0), "漢 12345y")],
        [((0, 0), "x記記記y"), ((0, 0), "y記記記x"), ((0, 1), "記"), ((0, 2), "記")],
    ],
)
def test_a_wide_letter_is_written_with_both_its_halves(pieces: list[Painted]) -> None:
    thrift = Thrift(erases=True)
    plain, spared = ModelTerminal(12, 1), ModelTerminal(12, 1)
    for piece in pieces:
        plain.write(update(piece))
        spared.write(thrift.written(update(piece)))
        assert spared.picture == plain.picture


small = st.lists(
    st.tuples(
        st.tuples(st.just(0), st.integers(0, 5)),
        st.lists(
            st.tuples(st.sampled_from(["", "41", "1;31", "2;7"]), st.sampled_from("a 記記")),
            min_size=1,
            max_size=3,
        ),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=250)
@given(st.lists(small, max_size=4))
def test_wide_letters_that_cut_each_other_and_text_over_text(
    outputs: list[list[tuple[tuple[int, int], list[tuple[str, str]]]]],
) -> None:
    """Many changes in the same few cells, pieces over pieces in the same update too."""
    thrift = Thrift(erases=True)
    plain, spared = ModelTerminal(12, 1), ModelTerminal(12, 1)
    for pieces in outputs:
        output = update(
            *((at, "".join(styled(codes, one) for codes, one in text)) for at, text in pieces)
        )
        plain.write(output)
        spared.write(thrift.written(output))
        assert spared.picture == plain.picture


pane = st.tuples(st.sampled_from(["", "41"]), st.sampled_from(["", "ab", SMILE, f"記{SMILE}b"]))


@settings(max_examples=50)
@given(st.lists(st.tuples(pane, pane, pane), max_size=5), st.sampled_from([1, 2, 3]))
def test_a_terminal_with_other_widths_shows_what_it_would_have_shown(
    lines: list[tuple[tuple[str, str], ...]], emoji_width: int
) -> None:
    """Three panes side by side; the terminal gives emoji another width than Textual."""
    thrift = Thrift(erases=True)

    def width_of(character: str) -> int:
        return emoji_width if character == SMILE else cell_len(character)

    plain, spared = (ModelTerminal(30, 1, width_of) for _ in range(2))
    for panes in lines:
        pieces = []
        for number, (codes, words) in enumerate(panes):
            padded = words + " " * (10 - cell_len(words))
            pieces.append(((0, number * 10), styled(codes, padded)))
        plain.write(update(*pieces))
        spared.write(thrift.written(update(*pieces)))
        assert spared.picture == plain.picture


def test_only_cells_that_change_are_written() -> None:
    thrift = Thrift(erases=True)
    thrift.written(update(((1, 2), styled("1;38;5;7", "one of many words"))))
    written = thrift.written(update(((1, 2), styled("1;38;5;7", "one or many words"))))
    assert written == "\x1b[2;8H\x1b[1;38;5;7mr\x1b[1;1H\x1b[m"


def test_what_is_shown_already_costs_nothing() -> None:
    thrift = Thrift(erases=True)
    data = update(((0, 0), styled("48;5;1", "wide 記 text")), ((2, 0), "more"))
    assert thrift.written(data)
    for output in (SYNC_START, data, SYNC_END):
        assert thrift.written(output) == ""


def test_an_update_that_changes_something_keeps_its_marks() -> None:
    thrift = Thrift(erases=True)
    outputs = (SYNC_START, update(((0, 0), "a")), SYNC_END)
    assert "".join(map(thrift.written, outputs)) == f"{SYNC_START}\x1b[1;1Ha\x1b[1;1H{SYNC_END}"


def test_a_style_is_told_once_for_all_that_has_it() -> None:
    red, green = "38;2;200;0;0", "38;2;0;200;0"
    data = update(*(((row, 0), styled(red, "aa") + styled(green, "bb")) for row in range(HEIGHT)))
    written = Thrift().written(data)
    assert written.count(red) == written.count(green) == 1


@pytest.mark.parametrize(
    "unknown",
    [
        "\x1b[?1049h",
        "\x1b[2J",
        "\x1b[3;1H\x1b[4:3mwavy\x1b[0m\x1b[1;1H",
        "\x1b[3;1H\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b[1;1H",
        "\x1b[3;1Hopen \x1b[1mstyle\x1b[1;1H",
        "\x1b[3;1Ha\tb\x1b[1;1H",
        "\x1b[3;1Hlast line\n\x1b[1;1H",
        "text without a place",
    ],
)
def test_what_is_not_understood_passes_and_the_picture_counts_as_unknown(unknown: str) -> None:
    thrift = Thrift(erases=True)
    data = update(((0, 0), "words"))
    first = thrift.written(data)
    assert thrift.written(unknown) == unknown
    assert thrift.written(data) == first


@pytest.mark.parametrize(
    "harmless",
    [
        "\x1b[?1003h",
        "\x1b[?2026$p",
        "\x1b[>25u",
        "\x1b[5 q",
        "\x1b]52;c;eA==\a",
        "\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\",
        "\x1b]22;pointer\x1b\\",
        "\a",
    ],
)
def test_what_paints_nothing_passes_and_changes_nothing(harmless: str) -> None:
    thrift = Thrift(erases=True)
    data = update(((0, 0), "words"))
    thrift.written(data)
    assert thrift.written(harmless) == harmless
    assert thrift.written(data) == ""


class Recorder(Driver):
    """Keeps what is written, in the place of a terminal."""

    def __init__(self) -> None:
        self.outputs: list[str] = []

    def write(self, data: str) -> None:
        self.outputs.append(data)

    def start_application_mode(self) -> None: ...
    def disable_input(self) -> None: ...
    def stop_application_mode(self) -> None: ...


@settings(max_examples=20)
@given(st.lists(updates, min_size=1, max_size=4), st.integers(10, 80))
def test_an_update_in_parts_is_the_same_as_in_one(outputs: list[str], length: int) -> None:
    driver = thrifty_driver(Recorder)()
    assert isinstance(driver, Recorder)
    plain, spared = ModelTerminal(WIDTH, HEIGHT), ModelTerminal(WIDTH, HEIGHT)
    for output in outputs:
        for start in range(0, len(output), length):
            driver.write(output[start : start + length])
        driver.flush()
        plain.write(output)
        spared.write("".join(driver.outputs))
        driver.outputs.clear()
        assert spared.picture == plain.picture


def test_what_was_begun_is_written_when_the_driver_is_flushed() -> None:
    driver = thrifty_driver(Recorder)()
    assert isinstance(driver, Recorder)
    driver.write("\x1b[1;1Hno last move")
    assert driver.outputs == []
    driver.flush()
    assert driver.outputs == ["\x1b[1;1Hno last move"]


async def test_a_whole_screen_is_the_same_for_much_less(demo_vault: Path) -> None:
    app = app_on(demo_vault)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        compositor: Compositor = app.screen._compositor
        painted_anew = compositor.render_update(full=True)
        assert painted_anew is not None
        data = painted_anew.render_segments(app.console) + "\x1b[1;1H"
        written = Thrift().written(data)
        plain, spared = ModelTerminal(120, 40), ModelTerminal(120, 40)
        plain.write(data)
        spared.write(written)
        assert spared.picture == plain.picture
        assert len(written) < 0.5 * len(data)


@pytest.mark.parametrize(
    ("environ", "erases"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color", "TMUX": "x"}, True),
        ({"TERM": "screen-256color", "TMUX": "x"}, True),
        ({"TERM": "screen-256color"}, False),
        ({"TERM": "vt100"}, False),
        ({}, False),
    ],
)
def test_blanks_are_erased_only_where_that_keeps_the_ground(
    environ: dict[str, str], erases: bool
) -> None:
    assert erases_in_colour(environ) is erases
    thrift = Thrift(erases=erases_in_colour(environ))
    thrift.written(update(((0, 0), styled("44", "abcdefghijklmno"))))
    written = thrift.written(update(((0, 0), styled("44", "ab" + " " * 13))))
    assert ("\x1b[13X" in written) is erases


def test_the_next_line_of_a_column_is_a_step_but_never_from_behind_the_last_cell() -> None:
    thrift = Thrift()
    thrift.forget(WIDTH)
    column = [((row, 3), "a") for row in range(HEIGHT)]
    edge = [((row, WIDTH - 1), "a") for row in range(HEIGHT)]
    terminal = ModelTerminal(WIDTH, HEIGHT)
    blank = update(*(((row, 0), " " * WIDTH) for row in range(HEIGHT)))
    for pieces, steps in ((column, HEIGHT - 1), (edge, 0)):
        terminal.write(thrift.written(blank))
        written = thrift.written(update(*pieces))
        terminal.write(written)
        assert written.count("\x08\x1b[B") == steps
        assert [row[pieces[0][0][1]][0] for row in terminal.picture] == ["a"] * HEIGHT


def test_an_update_that_was_laid_out_for_a_wider_terminal_leaves_no_trace() -> None:
    """As when a window is made narrower: the old layout may be painted once more after that."""
    thrift, terminal = Thrift(erases=True), ModelTerminal(WIDTH, HEIGHT)
    thrift.forget(WIDTH)
    old = update(*(((row, WIDTH - 3), "│" * 12) for row in range(HEIGHT)))
    terminal.write(thrift.written(old))
    thrift.forget(WIDTH)
    terminal.write(thrift.written(old))
    edge = [((row, 0), " " * (WIDTH - 1) + "│") for row in range(HEIGHT)]
    terminal.write(thrift.written(update(*edge)))
    assert ["".join(text for text, _ in row) for row in terminal.picture] == [
        " " * (WIDTH - 1) + "│"
    ] * HEIGHT
