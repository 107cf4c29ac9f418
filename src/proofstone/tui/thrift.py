"""Fewer bytes to the terminal for the same picture: what a slow link feels at every key.

Textual writes every run of text with all of its style and a reset after it. Most of that repeats
what the terminal has in force already. ``thrifty`` leaves the repetitions out; nothing else
changes, and every piece of output ends with no style in force, as before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from textual.driver import Driver

_TOKEN = re.compile(r"\x1b\[([0-9;]*)m|(\x1b\[[0-?]*[ -/]*[@-~])|([^\x1b]+)")
_MOVE = re.compile(r"\x1b\[[0-9;]*H")
_COLOUR_CODES = {38: 0, 48: 1}
_SEEN_ON_BLANKS = frozenset({"4", "5", "7", "9", "21", "53"})
"""Attributes that change what a blank looks like: lines through or below it, and reverse."""


class _Style(NamedTuple):
    """What is in force: attributes in the order given, and colours as the terminal is told them."""

    attributes: tuple[str, ...] = ()
    ink: str = ""
    ground: str = ""


_PLAIN = _Style()


def thrifty(data: str) -> str:
    """The same output with no style told twice; output that is not understood is left as it is."""
    if "\x1b[" not in data:
        return data
    out: list[str] = []
    wanted = actual = _PLAIN
    place = 0
    while place < len(data):
        token = _TOKEN.match(data, place)
        if token is None:
            return data
        place = token.end()
        codes, control, text = token.groups()
        if codes is not None:
            style = _styled(wanted, codes)
            if style is None:
                return data
            wanted = style
        elif text is not None:
            if text.strip("\r\n"):
                actual = _told(out, actual, _needed(wanted, actual, text))
            out.append(text)
        elif control.endswith("m"):
            return data
        else:
            # Moving the cursor paints nothing. Anything else may, with what is in force.
            if not _MOVE.fullmatch(control):
                actual = _told(out, actual, wanted)
            out.append(control)
    _told(out, actual, wanted)
    return "".join(out)


def _styled(before: _Style, codes: str) -> _Style | None:
    """The style after a sequence of codes; None where a code is not one that Textual writes."""
    attributes, colours = list(before.attributes), [before.ink, before.ground]
    left = codes.split(";") if codes else ["0"]
    while left:
        code = left.pop(0)
        number = int(code) if code else 0
        if number == 0:
            attributes, colours = [], ["", ""]
        elif number in _COLOUR_CODES:
            length = {"5": 2, "2": 4}.get(left[0] if left else "")
            if length is None or len(left) < length:
                return None
            colours[_COLOUR_CODES[number]] = ";".join((code, *left[:length]))
            del left[:length]
        elif 30 <= number <= 37 or 90 <= number <= 97:
            colours[0] = code
        elif 40 <= number <= 47 or 100 <= number <= 107:
            colours[1] = code
        elif number <= 9 or number in (21, 53):
            if code not in attributes:
                attributes.append(code)
        else:
            return None
    return _Style(tuple(attributes), colours[0], colours[1])


def _needed(wanted: _Style, actual: _Style, text: str) -> _Style:
    """What has to be in force for ``text``: on blanks, only what is seen on them."""
    if text.strip(" \r\n"):
        return wanted
    if _SEEN_ON_BLANKS.isdisjoint((*wanted.attributes, *actual.attributes)):
        return _Style(actual.attributes, actual.ink, wanted.ground)
    return wanted


def _told(out: list[str], actual: _Style, wanted: _Style) -> _Style:
    """Write what leads from one style to the other; the style that is in force then."""
    if wanted == actual:
        return actual
    added = [code for code in wanted.attributes if code not in actual.attributes]
    codes = [*added]
    codes += [now for was, now in zip(actual[1:], wanted[1:], strict=True) if now and now != was]
    is_less = not set(actual.attributes) <= set(wanted.attributes) or any(
        was and not now for was, now in zip(actual[1:], wanted[1:], strict=True)
    )
    if is_less:
        codes = ["0", *wanted.attributes, *filter(None, wanted[1:])]
    out.append(f"\x1b[{';'.join(codes)}m")
    return wanted


def thrifty_driver(base: type[Driver]) -> type[Driver]:
    """The platform's driver, writing no more than it has to."""

    class ThriftyDriver(base):  # type: ignore[misc, valid-type]
        """Leaves out what the terminal has been told already."""

        def write(self, data: str) -> None:
            super().write(thrifty(data))

    return ThriftyDriver
