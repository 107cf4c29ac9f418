"""Strict JSON: the outermost shape of a Gate answer (spec page 2, The Gate's contract).

One value and nothing around it, no key twice in an object, no number that is not finite, no
character that UTF-8 cannot hold. Size and nesting are limited before anything is parsed, so that
no text can exhaust the reader.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from proofstone.domain.gate_fault import ContractBrokenError
from proofstone.domain.gate_types import ValidationReason

MAX_ANSWER_CHARACTERS = 4_000_000
"""Longest answer that is read, in characters: some 40,000 coverage rows."""
MAX_NESTING = 32
"""Deepest nesting of lists and objects that is read. The contract itself needs five."""

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)


def read_json(text: str) -> object:
    """The one JSON value that ``text`` is.

    Raises ContractBrokenError (``empty_content`` or ``invalid_json``), never anything else.
    """
    if not text.strip():
        raise ContractBrokenError(ValidationReason.EMPTY_CONTENT)
    if len(text) > MAX_ANSWER_CHARACTERS or _nests_too_deep(text):
        raise ContractBrokenError(ValidationReason.INVALID_JSON)
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=_finite,
        )
        # An escape such as \ud800 makes a string that no file could hold.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ValueError as error:
        raise ContractBrokenError(ValidationReason.INVALID_JSON) from error
    return value


def _nests_too_deep(text: str) -> bool:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        token = match[0]
        if token in ("[", "{"):
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif token in ("]", "}"):
            depth -= 1
    return False


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key occurs twice")
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
