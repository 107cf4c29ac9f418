"""What every match of a taint rule must contain, read off its pattern.

After a rule was changed, this writes the module anew:
``python -m tests.taint_words | ruff format - > src/proofstone/domain/taint_words.py``
"""

from __future__ import annotations

import json
import re._constants as codes  # type: ignore[import-not-found, unused-ignore]
import re._parser as parser  # type: ignore[import-not-found, unused-ignore]
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from proofstone.domain.taint_rules import TEXT_RULES

Words = frozenset[str]

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_HEAD = '''"""Words of which every match of a taint rule holds one (spec page 4, Taint).

Written by ``python -m tests.taint_words`` from the rules; not by hand. A text without any of a
rule's words needs neither its pattern tried nor even compiled.
"""

from __future__ import annotations

_WORDS = (
'''
_TAIL = '''
NEEDED = tuple((tuple(words[0].split()), tuple(words[-1].split())) for words in _WORDS)
"""For each of ``taint_rules.TEXT_RULES``: in running text, and in text of letters alone."""'''


def needed(pattern: str) -> Words:
    """Words of which every text that ``pattern`` matches in holds one; empty if none are known."""
    return _best(_parts(parser.parse(pattern)))


def is_needed(words: Iterable[str], pattern: str) -> bool:
    """Whether no text without one of the words can hold a match."""
    return _must_hold(parser.parse(pattern), tuple(words))


def _best(found: Iterable[Words]) -> Words:
    """The words that are in the fewest texts, as far as their length and number tell."""
    return max(
        (words for words in found if words),
        key=lambda words: (min(4, *map(len, words), 4), -len(words)),
        default=frozenset(),
    )


def _parts(sequence: Iterable[tuple[Any, Any]]) -> list[Words]:
    found: list[Words] = []
    for part in _runs(sequence):
        if isinstance(part, str):
            found.append(frozenset([part]))
            continue
        ways = [_best(_parts(way)) for way in part]
        if ways and all(ways):
            found.append(frozenset().union(*ways))
    return found


def _must_hold(sequence: Iterable[tuple[Any, Any]], words: tuple[str, ...]) -> bool:
    for part in _runs(sequence):
        if isinstance(part, str):
            if any(word in part for word in words):
                return True
        elif part and all(_must_hold(way, words) for way in part):
            return True
    return False


def _runs(sequence: Iterable[tuple[Any, Any]]) -> list[str | Sequence[Any]]:
    """Letters that follow each other as one text, anything else as its ways to match."""
    runs: list[str | Sequence[Any]] = []
    for code, value in sequence:
        if code is codes.LITERAL:
            if runs and isinstance(runs[-1], str):
                runs[-1] += chr(value)
            else:
                runs.append(chr(value))
        else:
            runs.append(_ways(code, value))
    return runs


def _ways(code: Any, value: Any) -> Sequence[Any]:
    """The ways in which a part of a pattern matches, one of which must; none where unknown."""
    if code is codes.SUBPATTERN:
        return (value[-1],)
    if code is codes.BRANCH:
        return tuple(value[1])
    if code in _REPEATS and value[0]:
        return (value[2],)
    if code is codes.ATOMIC_GROUP:
        return (value,)
    if code is codes.ASSERT:
        return (value[1],)
    if code is codes.IN and all(kind is codes.LITERAL for kind, _ in value):
        return tuple([one] for one in value)
    return ()


def module() -> str:
    """The source of ``domain.taint_words``."""
    lines = [_HEAD.rstrip()]
    for rule in TEXT_RULES:
        both = (needed(rule.running().pattern), needed(rule.squeezed().pattern))
        lines.append("    (")
        for words in dict.fromkeys(map(_text, both)):
            parts = textwrap.wrap(words, 80, break_long_words=False, break_on_hyphens=False)
            lines += [f"        {json.dumps(part + ' ', ensure_ascii=False)}" for part in parts]
            lines[-1] = lines[-1].replace(' "', '"') + ","
        lines.append("    ),")
    return "\n".join([*lines, ")", _TAIL])


def _text(words: Words) -> str:
    """The words with blanks between, without those that a part of them tells already."""
    kept = [one for one in words if not any(other in one for other in words if other != one)]
    return " ".join(sorted(kept))


if __name__ == "__main__":
    print(module())
