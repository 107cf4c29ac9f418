"""What filters and lists ask of a plain memory, told by its bytes (spec pages 7 and 9).

A record of each of 100,000 memories takes seconds to make and hundreds of megabytes to keep, and
a filter looks at one or two of its fields. In a note in the form that programs write
(``plain_note``) every key has a line of its own, so that what the record would say can be read off
that line. Rows of any other kind have their record already, and answer from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

from proofstone.domain.records import Layer, Standing

_END = b"\n---\n"
_RATIFIED = b"\nratified:\n"
_TITLE, _TAGS, _SCOPES = b"\ntitle: ", b"\ntags: ", b"\nscopes: "
_TAINTED, _CREATED = b"\ntainted: ", b"\ncreated: "


def _word(name: str, otherwise: str = "") -> property:
    """The text behind a key of the header."""
    key = f"\n{name}: ".encode()

    def word(told: ToldMemory) -> str:
        return told._text(key) or otherwise

    return property(word)


class ToldMemory:
    """What a filter sees of a memory, read off a plain note's bytes when it is looked at.

    It stands in for the ``Filterable`` of the note's record, and says the same. ``age`` works out
    how old what was ``created`` then is.
    """

    __slots__ = ("_age", "_data", "_end", "identifier")

    match = origin = turn = ""
    eligible = False

    def __init__(self, identifier: str, data: bytes, age: Callable[[str], timedelta]) -> None:
        self.identifier = identifier
        self._data = data
        self._end = data.find(_END)
        self._age = age

    layer = _word("layer", Layer.L2.value)
    risk = _word("poisoning_risk")
    verdict = _word("verification")
    state = _word("standing", Standing.ACTIVE.value)
    source = _word("source")
    trust = _word("trust_class")
    type = _word("type", "other")
    kind = _word("kind")

    @property
    def text(self) -> str:
        """Title, statement and tags, with a space between each."""
        return f"{self._text(_TITLE)} {self._statement()} {' '.join(self.tags)}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes; without any it holds everywhere."""
        return self._texts(_SCOPES) or ("global",)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags."""
        return self._texts(_TAGS)

    @property
    def taint(self) -> bool:
        """Whether it is marked as tainted."""
        return self._line(_TAINTED) == b"true"

    @property
    def reviewed(self) -> bool:
        """Whether a person has ratified it, or nothing of it is left to be reviewed."""
        if self._data.find(_RATIFIED, 0, self._end + 1) >= 0:
            return True
        return self.state == Standing.DEPRECATED.value and not self._statement().strip()

    @property
    def age(self) -> timedelta:
        """How long ago it was made."""
        return self._age(self._text(_CREATED))

    def _statement(self) -> str:
        body = self._data[self._end + len(_END) :].decode()
        return body.removeprefix("\n").removesuffix("\n")

    def _line(self, key: bytes) -> bytes:
        """What stands behind ``key``, which is ``\\nname: ``; nothing where there is no such."""
        data, end = self._data, self._end
        at = data.find(key, 3, end)
        if at < 0:
            return b""
        return data[at + len(key) : data.find(b"\n", at + 1, end + 1)]

    def _text(self, key: bytes) -> str:
        written = self._line(key)
        if b"\\" not in written:
            return written[1:-1].decode()
        text: str = json.loads(written)
        return text

    def _texts(self, key: bytes) -> tuple[str, ...]:
        written = self._line(key)
        if len(written) <= len(b"[]"):
            return ()
        if b"\\" not in written:
            return tuple(written[2:-2].decode().split('", "'))
        return tuple(json.loads(written))
