"""From a text to its clauses: lines, headings, quotations, bullets, breaks (spec page 2).

Every pattern here either has no choice to go back to, or one bounded by a constant, so that the
time is linear in the text whatever the text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofstone.domain.late_pattern import late_pattern

PlacedClause = tuple[int, str, tuple[str, ...], bool]
"""Start (an offset in characters), clause, section path, and whether it is quoted."""

_FENCES = ("```", "~~~")
_NUMBER = r"\d++[.)、]"
# A label has up to 100 characters, not counting the white space before it, and is not empty:
# without that white space its first character may itself be a colon, which does not close it.
_HEADING = late_pattern(
    rf"""
      \#{{1,6}} \s
    | {_NUMBER} (?: \s++ [^。;；]{{0,100}}? | (?!\s) [^。;；]{{1,100}}? ) [:：]
    """,
    re.VERBOSE,
)
_LABEL = late_pattern(rf"(?: \#{{1,6}} | {_NUMBER} ) \s*+ ([^:：]*+)", re.VERBOSE)
_NUMBERED = late_pattern(rf"{_NUMBER}\s++")

# One clause, from its first character up to where the text breaks. A full stop breaks only
# between an ASCII letter or digit and white space, a comma unless it stands between ASCII digits.
# White space before a dropped comma or a line's end may still trail.
_CLAUSE = late_pattern(
    r"""
      [。!?！？;；]
    | [^\s,，。!?！？;；]
      [^,，.。!?！？;；]*+
      (?:
        (?: \. (?! (?<=[A-Za-z0-9]\.) \s ) | (?<=[0-9]) [,，] (?=[0-9]) )
        [^,，.。!?！？;；]*+
      )*+
      [.。!?！？;；]?+
    """,
    re.VERBOSE,
)


def placed_clauses(text: str) -> Iterator[PlacedClause]:
    """The clauses of a text in order, each where it is found after the one before.

    A clause is found where it reads verbatim first after the clause before it. That is where it
    was cut from, unless the same characters also stand in what was skipped (a fence line, a
    bullet): then it is found there. It is always found, since the search never starts behind the
    place that it was cut from.
    """
    section: tuple[str, ...] = ()
    in_code = False
    found_up_to = 0
    nothing_skipped = True
    line_end = 0
    for raw_line in text.splitlines(keepends=True):
        begin = line_end
        line_end += len(raw_line)
        line = raw_line.strip()
        if not line:
            continue
        lead = line[0]
        if lead in "`~" and line.startswith(_FENCES):
            in_code = not in_code
            nothing_skipped = False
            continue
        quoted = in_code or lead == ">"
        numbered = lead.isdecimal()
        if (numbered or lead == "#") and _HEADING.match(line) and (label := _LABEL.match(line)):
            section = (label[1],)
        bullet = 0
        if lead in "-*•":
            bullet = len(line) - len(line[1:].lstrip())
            # Without white space behind it, it is none.
            bullet = bullet if bullet > 1 else 0
        elif numbered and (number := _NUMBERED.match(line)):
            bullet = number.end()
        if bullet:
            indent = 0 if raw_line[0] == lead else len(raw_line) - len(raw_line.lstrip())
            begin += indent + bullet
            nothing_skipped = False
        for match in _CLAUSE.finditer(text, begin, line_end):
            clause = match[0].rstrip()
            start = match.start()
            if not nothing_skipped:
                found = text.find(clause, found_up_to)
                nothing_skipped = found == start
                start = found
            found_up_to = start + len(clause)
            yield start, clause, section, quoted
