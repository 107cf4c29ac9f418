"""What filters and lists ask of a plain memory, told by its bytes (spec pages 7 and 9).

A record of each of 100,000 memories takes seconds to make and hundreds of megabytes to keep, and
a filter looks at one or two of its fields. In a note in the form that programs write
(``plain_note``) every key has a line of its own, so that what the record would say can be read off
that line. Rows of any other kind have their record already, and answer from it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from proofstone.domain.records import Layer, Standing
from proofstone.vault.plain_lines import END, body, is_ratified, line, text, texts

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
        self._end = data.find(END)
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
        return line(self._data, _TAINTED, self._end) == b"true"

    @property
    def reviewed(self) -> bool:
        """Whether a person has ratified it, or nothing of it is left to be reviewed."""
        if is_ratified(self._data, self._end):
            return True
        return self.state == Standing.DEPRECATED.value and not self._statement().strip()

    @property
    def age(self) -> timedelta:
        """How long ago it was made."""
        return self._age(self._text(_CREATED))

    def _statement(self) -> str:
        return body(self._data, self._end)

    def _text(self, key: bytes) -> str:
        return text(line(self._data, key, self._end))

    def _texts(self, key: bytes) -> tuple[str, ...]:
        return texts(line(self._data, key, self._end))
