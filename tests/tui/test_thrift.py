"""Fewer bytes, the same picture: both outputs are drawn on a small terminal and compared."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from textual._compositor import Compositor
from tui_bench import app_on, settled

from proofstone.tui.thrift import thrifty

_PIECE = re.compile(r"\x1b\[([0-9;]*)m|\x1b\[([0-9;]*)H|(\x1b\[\?2026[hl])|(.)", re.DOTALL)

Cell = tuple[str, tuple[str, ...]]


def drawn(data: str) -> tuple[dict[tuple[int, int], Cell], tuple[str, ...]]:
    """What a terminal shows, cell by cell, and what style is in force at the end."""
    cells: dict[tuple[int, int], Cell] = {}
    row, column = 1, 1
    attributes: set[str] = set()
    ink = ground = ""
    for piece in _PIECE.finditer(data):
        codes, move, sync, letter = piece.groups()
        if codes is not None:
            left = codes.split(";") if codes else ["0"]
            while left:
                code = left.pop(0)
                if code in ("", "0"):
                    attributes, ink, ground = set(), "", ""
                elif code in ("38", "48"):
                    take = 4 if left[0] == "2" else 2
                    colour, left = ";".join((code, *left[:take])), left[take:]
                    ink, ground = (colour, ground) if code == "38" else (ink, colour)
                elif code[0] in "39" and len(code) == 2:
                    ink = code
                elif (code[0] == "4" and len(code) == 2) or len(code) == 3:
                    ground = code
                else:
                    attributes.add(code)
        elif move is not None:
            row, column = (int(number) for number in move.split(";"))
        elif letter == "\r":
            column = 1
        elif letter == "\n":
            row += 1
        elif sync is None:
            seen = attributes if letter != " " else attributes & {"4", "5", "7", "9"}
            style = (*sorted(seen), ink if letter != " " or "7" in seen or seen else "", ground)
            cells[row, column] = letter, style
            column += 1
    return cells, (*sorted(attributes), ink, ground)


attribute = st.sampled_from(["1", "2", "3", "4", "7", "9"])
colour = st.sampled_from(["38;2;1;2;3", "38;5;7", "31", "97", "48;2;9;9;9", "48;5;0", "44", "103"])
style = st.lists(attribute | colour, max_size=4).map(lambda codes: f"\x1b[{';'.join(codes)}m")
text = st.text("ab 記\n\r", max_size=6)
move = st.tuples(st.integers(1, 5), st.integers(1, 9)).map(lambda at: f"\x1b[{at[0]};{at[1]}H")
segment = st.tuples(style, text).map(lambda parts: f"{parts[0]}{parts[1]}\x1b[0m")
output = st.lists(segment | text | move | style, max_size=12).map("".join)


@given(output)
def test_the_same_is_drawn_with_no_more_bytes(data: str) -> None:
    spared = thrifty(data)
    assert drawn(spared) == drawn(data)
    assert len(spared) <= len(data) + len("\x1b[0m")


def test_a_style_is_told_once() -> None:
    given_twice = "\x1b[1;38;5;7mab\x1b[0m\x1b[1;38;5;7mcd\x1b[0m"
    assert thrifty(given_twice) == "\x1b[1;38;5;7mabcd\x1b[0m"


def test_only_what_changes_is_told() -> None:
    data = "\x1b[38;5;7;48;5;1ma\x1b[0m\x1b[38;5;8;48;5;1mb\x1b[0m"
    assert thrifty(data) == "\x1b[38;5;7;48;5;1ma\x1b[38;5;8mb\x1b[0m"


def test_what_is_not_understood_is_left_alone() -> None:
    for data in (
        "\x1b]52;c;eA==\a",
        "\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\",
        "\x1b[4:3mwavy\x1b[0m",
        "\x1b[22mnot bold",
        "plain",
    ):
        assert thrifty(data) == data


async def test_a_whole_screen_is_the_same_for_much_less(demo_vault: Path) -> None:
    app = app_on(demo_vault)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        compositor: Compositor = app.screen._compositor
        update = compositor.render_update(full=True)
        assert update is not None
        data = update.render_segments(app.console)
        spared = thrifty(data)
        assert drawn(spared) == drawn(data)
        assert len(spared) < 0.7 * len(data)
