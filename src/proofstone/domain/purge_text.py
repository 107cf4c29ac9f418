"""Finding purged words in a text, in any encoding, and blacking them out (spec page 6, purge).

Words are compared by their *letters*: what is left of a text when its escapes are undone (JSON,
YAML, percent and HTML, also one inside another), case and accents are folded, and punctuation and
white space are dropped. So the words are found whether they stand raw, quoted, escaped, lower-cased
or wrapped over lines. What is found is blacked out character by character, so that every offset
in the text stays what it was.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from proofstone.domain.clauses import placed_clauses

FILLER = "\u2592"
"""What stands where purged words stood, one for each character."""

Span = tuple[int, int]
"""From the first character to the one after the last, as offsets in a text."""

_ESCAPE = re.compile(
    r"""
      \\+ (?: u([0-9a-fA-F]{4}) (?: \\+ u([dD][c-fC-F][0-9a-fA-F]{2}) )?
            | U([0-9a-fA-F]{8}) | x([0-9a-fA-F]{2}) | [nrtbfave0NLP_] )?
    | ( (?: % (?:25)* [0-9a-fA-F]{2} )+ )
    | & (?:amp;)* ( \#[0-9]{1,7} | \#[xX][0-9a-fA-F]{1,6} | [A-Za-z][A-Za-z0-9]{1,31} ) ;
    """,
    re.VERBOSE,
)
_PERCENT = re.compile(r"%(?:25)*([0-9a-fA-F]{2})")
_PASSES = 4
"""An encoding inside another inside another; more is not undone."""

_TERMINATORS = frozenset("。!?！？;；")
_COMMAS = frozenset(",，")
_NUMBERED = re.compile(r"^\s*(\d+)[.)、]\s", re.MULTILINE)
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_LAST_ASCII = 0x7F
_ASCII_MARKS = bytes(code for code in range(_LAST_ASCII + 1) if not chr(code).isalnum())
_LAST_CODE = 0x10FFFF


class _Letters(dict[int, str]):
    """What each character comes to, worked out once."""

    def __missing__(self, code: int) -> str:
        folded = unicodedata.normalize("NFKD", chr(code).casefold()).casefold()
        kept = "".join(character for character in folded if _is_letter(character))
        self[code] = kept
        return kept


def _is_letter(character: str) -> bool:
    if character.isalnum():
        return True
    # A filler counts, so that what stands on both sides of it is never read as one.
    return ord(character) > _LAST_ASCII and unicodedata.category(character)[0] in "LNS"


_LETTERS = _Letters()


class Placed(NamedTuple):
    """The letters of a text, and from where to where in it each of them stands."""

    letters: str
    starts: Sequence[int]
    ends: Sequence[int]


def letters(text: str) -> str:
    """The letters of a text."""
    decoded = _decoded(text)[0]
    if decoded.isascii():
        # The same, and many times quicker for the texts that are most.
        return decoded.lower().encode("ascii").translate(None, _ASCII_MARKS).decode("ascii")
    return decoded.translate(_LETTERS)


def says(text: str) -> bool:
    """Whether a text has any letter that is not a filler."""
    return bool(letters(text).strip(FILLER))


def placed_letters(text: str) -> Placed:
    """The letters of a text with their places."""
    decoded, starts, ends = _decoded(text, with_places=True)
    found: list[str] = []
    first: list[int] = []
    last: list[int] = []
    for place, character in enumerate(decoded):
        for letter in _LETTERS[ord(character)]:
            found.append(letter)
            first.append(starts[place])
            last.append(ends[place])
    return Placed("".join(found), first, last)


def occurrences(text: str, needles: Iterable[str]) -> tuple[Span, ...]:
    """Where the letters ``needles`` stand in ``text``: spans in order, none touching another."""
    present = letters(text)
    wanted = [needle for needle in needles if needle in present]
    if not wanted:
        return ()
    placed = placed_letters(text)
    spans: list[Span] = []
    for needle in wanted:
        at = placed.letters.find(needle)
        while at >= 0:
            spans.append((placed.starts[at], placed.ends[at + len(needle) - 1]))
            at = placed.letters.find(needle, at + 1)
    return merged(spans)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same places as spans in order that neither overlap nor touch."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


def touches(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether any of ``spans``, which are in order and apart, reaches into ``start``–``end``."""
    place = bisect_left(spans, (end,)) - 1
    return place >= 0 and spans[place][1] > start


def blacked_out(text: str, spans: Iterable[Span]) -> str:
    """``text`` with every character of ``spans`` replaced; line ends stay."""
    characters = list(text)
    for start, end in spans:
        _fill(characters, start, end)
    return "".join(characters)


def blacked_out_clauses(text: str, spans: Iterable[Span]) -> str:
    """Like ``blacked_out``, and the text falls into the same clauses as before.

    Units are cut at marks and at white space outside clauses, so those stay: commas, bullets, the
    mark that ends a clause. A full stop that ends one becomes ``。``, since it would end nothing
    after a filler. A span of nothing but such marks loses nothing: it says nothing.
    """
    wanted = merged(spans)
    if not wanted:
        return text
    characters = list(text)
    clauses = [(start, start + len(clause)) for start, clause, _, _ in placed_clauses(text)]
    _fill_within(characters, text, clauses, wanted)
    _fill_letters_between(characters, text, wanted)
    return "".join(characters)


def _fill(characters: list[str], start: int, end: int) -> None:
    for place in range(start, end):
        if characters[place] not in _LINE_ENDS:
            characters[place] = FILLER


def _fill_within(
    characters: list[str], text: str, clauses: Sequence[Span], wanted: Sequence[Span]
) -> None:
    """Fill what ``wanted`` covers of each clause. Both are in order."""
    first = 0
    for clause_start, clause_end in clauses:
        while first < len(wanted) and wanted[first][1] <= clause_start:
            first += 1
        touched = False
        for start, end in wanted[first:]:
            if start >= clause_end:
                break
            touched = True
            _fill_part(
                characters, text, max(start, clause_start), min(end, clause_end), clause_start
            )
        if touched and text[clause_end - 1] in _TERMINATORS:
            characters[clause_end - 1] = text[clause_end - 1]
        elif touched and text[clause_end - 1] == ".":
            characters[clause_end - 1] = "。"


def _fill_part(characters: list[str], text: str, start: int, end: int, clause_start: int) -> None:
    # A mark of quotation at the start of a line says how the rest of the line is read.
    if start == clause_start and text[start] == ">":
        start += 1
    _fill(characters, start, end)
    # A comma between digits breaks nothing; next to a filler it would.
    if end < len(text) and text[end] in _COMMAS and text[end - 1].isdecimal():
        characters[end] = FILLER if text[end + 1 : end + 2].isdecimal() else text[end]
    before = start - 1
    if before > clause_start and text[before] in _COMMAS and text[start].isdecimal():
        characters[before] = FILLER


def _fill_letters_between(characters: list[str], text: str, wanted: Sequence[Span]) -> None:
    """Fill the letters that stand in no clause: in lines that open code, or found elsewhere."""
    numbers = {
        place for match in _NUMBERED.finditer(text) for place in range(match.start(1), match.end(1))
    }
    for start, end in wanted:
        for place in range(start, end):
            if text[place] == characters[place] and place not in numbers and _is_said(text[place]):
                characters[place] = FILLER


def _is_said(character: str) -> bool:
    return bool(_LETTERS[ord(character)])


def _decoded(text: str, *, with_places: bool = False) -> tuple[str, Sequence[int], Sequence[int]]:
    """``text`` with its escapes undone, and where each character of it comes from."""
    starts: Sequence[int] = range(len(text)) if with_places else ()
    ends: Sequence[int] = range(1, len(text) + 1) if with_places else ()
    for _ in range(_PASSES):
        if "\\" not in text and "%" not in text and "&" not in text:
            break
        if not with_places:
            undone = _ESCAPE.sub(_meant, text)
        else:
            undone, starts, ends = _undone(text, starts, ends)
        if undone == text:
            break
        text = undone
    return text, starts, ends


def _undone(
    text: str, starts: Sequence[int], ends: Sequence[int]
) -> tuple[str, Sequence[int], Sequence[int]]:
    parts: list[str] = []
    first: list[int] = []
    last: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(text):
        parts.append(text[position : match.start()])
        first += starts[position : match.start()]
        last += ends[position : match.start()]
        meant = _meant(match)
        if meant == match[0]:
            first += starts[match.start() : match.end()]
            last += ends[match.start() : match.end()]
        else:
            first += [starts[match.start()]] * len(meant)
            last += [ends[match.end() - 1]] * len(meant)
        parts.append(meant)
        position = match.end()
    parts.append(text[position:])
    first += starts[position:]
    last += ends[position:]
    return "".join(parts), first, last


def _meant(match: re.Match[str]) -> str:
    """The characters that an escape stands for; of one that stands for white space, a space."""
    short, low, long, byte, percent, entity = match.groups()
    if short:
        code = int(short, 16)
        if low and 0xD800 <= code < 0xDC00:
            return chr(0x10000 + ((code - 0xD800) << 10) + (int(low, 16) - 0xDC00))
        return chr(code) + (chr(int(low, 16)) if low else "")
    if long:
        code = int(long, 16)
        return chr(code) if code <= _LAST_CODE else " "
    if byte:
        return chr(int(byte, 16))
    if percent:
        pairs = "".join(_PERCENT.findall(percent))
        return bytes.fromhex(pairs).decode("utf-8", "ignore")
    if entity and entity.startswith("#"):
        code = int(entity[2:], 16) if entity[1] in "xX" else int(entity[1:])
        return chr(code) if code <= _LAST_CODE else " "
    if entity:
        meant = html.unescape(f"&{entity};")
        return match[0] if meant == f"&{entity};" else meant
    return " "
