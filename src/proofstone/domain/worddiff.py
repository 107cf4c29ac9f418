"""Word-level differences between two texts (spec page 7, Siblings).

Words are compared whole; Chinese, Japanese and Korean, which do not space their words, are
compared character by character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

TOKEN_LIMIT = 5_000
"""Beyond this many words on a side, what differs is given as one piece instead of word by word."""

_TOKEN = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
    "|(?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff])\\w)+"
    "|\\s+|.",
    re.DOTALL,
)


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A run of text that is in both texts, in the first only, or in the second only."""

    change: Change
    text: str


def word_diff(before: str, after: str) -> tuple[DiffPart, ...]:
    """What changed from ``before`` to ``after``.

    The same and removed parts joined give ``before``; the same and added parts joined give
    ``after``. Where both sides changed, what was removed comes first.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    edits: list[tuple[Change, str]] = [(Change.SAME, "".join(old[:head]))]
    if len(old_middle) > TOKEN_LIMIT or len(new_middle) > TOKEN_LIMIT:
        edits += [(Change.REMOVED, "".join(old_middle)), (Change.ADDED, "".join(new_middle))]
    else:
        edits += _edits(old_middle, new_middle)
    edits.append((Change.SAME, "".join(old[len(old) - tail :])))
    return _tidied(edits)


def _common(left: list[str], right: list[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _edits(old: list[str], new: list[str]) -> list[tuple[Change, str]]:
    # Loaded with the first difference: a first picture has none, and need not wait for it.
    from rapidfuzz.distance import Indel

    edits: list[tuple[Change, str]] = []
    for step in Indel.opcodes(old, new):
        if step.tag == "equal":
            edits.append((Change.SAME, "".join(old[step.src_start : step.src_end])))
            continue
        edits.append((Change.REMOVED, "".join(old[step.src_start : step.src_end])))
        edits.append((Change.ADDED, "".join(new[step.dest_start : step.dest_end])))
    return edits


def _tidied(edits: list[tuple[Change, str]]) -> tuple[DiffPart, ...]:
    """Join neighbours, and read through white space that two changes have on both sides."""
    parts: list[DiffPart] = []
    removed = added = ""

    def close() -> None:
        nonlocal removed, added
        if removed:
            parts.append(DiffPart(Change.REMOVED, removed))
        if added:
            parts.append(DiffPart(Change.ADDED, added))
        removed = added = ""

    kept = [(change, text) for change, text in edits if text]
    for index, (change, text) in enumerate(kept):
        if change is Change.REMOVED:
            removed += text
        elif change is Change.ADDED:
            added += text
        elif text.isspace() and removed and added and index + 1 < len(kept):
            removed += text
            added += text
        else:
            close()
            if parts and parts[-1].change is Change.SAME:
                parts[-1] = DiffPart(Change.SAME, parts[-1].text + text)
            else:
                parts.append(DiffPart(Change.SAME, text))
    close()
    return tuple(parts)
