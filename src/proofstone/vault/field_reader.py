"""Typed access to a note's keys; what does not fit becomes a Problem, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from proofstone.domain.records import Problem
from proofstone.vault.frontmatter import NoteText
from proofstone.vault.layout import name_fault

Choice = TypeVar("Choice", bound=StrEnum)

_SHOWN = 80
"""How much of a value that does not fit is shown."""


class UndecidableError(ValueError):
    """A key that decides what the note is cannot be read."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class FieldReader:
    """The keys of one note, asked for one by one."""

    def __init__(self, note: NoteText, path: str) -> None:
        self._note = note
        self._fields = note.fields
        self._path = path
        self._faulty = {fault.key for fault in note.faults}
        self._problems: list[Problem] = []

    @property
    def body(self) -> str:
        """The note's body."""
        return self._note.body

    def problems(self) -> tuple[Problem, ...]:
        """What was found wrong, the note's own faults first."""
        faults = tuple(
            self._problem(fault.key, fault.message, fault.line) for fault in self._note.faults
        )
        return faults + tuple(self._problems)

    def has(self, key: str) -> bool:
        """Whether the key is written and says something."""
        return self._fields.get(key) is not None

    def has_any(self, key: str) -> bool:
        """Whether the key is written at all, readable or not."""
        return key in self._fields or key in self._faulty

    def report(self, key: str, message: str) -> None:
        """Note that ``key`` does not fit, with what stands there."""
        raw = self._note.raw.get(key)
        shown = raw if raw is not None else str(self._fields.get(key))
        if len(shown) > _SHOWN:
            shown = shown[:_SHOWN] + "…"
        self._problems.append(self._problem(key, f"{message}; it says {shown!r}"))

    def text(self, key: str) -> str:
        """Text as it was written, a number or a word like ``true`` included; else empty."""
        value = self._fields.get(key)
        if isinstance(value, str):
            return value
        if value is None:
            return self._note.raw.get(key, "") if key in self._faulty else ""
        if isinstance(value, (list, dict)):
            self.report(key, f"{key} must be text")
            return self._note.raw.get(key, "")
        return str(self._note.as_text(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text is a list of one, as memleaf reads it."""
        value = self._fields.get(key)
        if value is None:
            return ()
        if key in self._note.raw:
            value = self._note.as_text(key)
        if isinstance(value, str):
            return (value,) if value else ()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.report(key, f"{key} must be a list of texts")
        items = value if isinstance(value, list) else ()
        return tuple(item for item in items if isinstance(item, str))

    def integer(self, key: str) -> int | None:
        """A whole number."""
        value = self._fields.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        self.report(key, f"{key} must be a whole number")
        return None

    def fraction(self, key: str) -> float | None:
        """A number from 0 to 1."""
        value = self._fields.get(key)
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
        self.report(key, f"{key} must be a number from 0 to 1")
        return None

    def flag(self, key: str) -> bool:
        """True or false. What cannot be read as false counts as true, and is reported."""
        if key in self._faulty:
            return True
        value = self._fields.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.report(key, f"{key} must be true or false")
        return True

    def choice(self, key: str, choices: type[Choice]) -> Choice | None:
        """One of a closed list of words, or None."""
        value = self._fields.get(key)
        if value is None:
            return None
        if isinstance(value, str):
            try:
                return choices(value)
            except ValueError:
                pass
        self.report(key, f"{key} must be one of {', '.join(choices)}")
        return None

    def decisive(self, key: str, choices: type[Choice], default: Choice) -> Choice:
        """One of a closed list; raises UndecidableError when something else is written."""
        value = self._fields.get(key)
        if value is None and key not in self._faulty:
            return default
        if isinstance(value, str):
            try:
                return choices(value)
            except ValueError:
                pass
        message = f"{key} must be one of {', '.join(choices)}"
        raise UndecidableError(message, self._note.lines.get(key))

    def required(self, key: str, choices: type[Choice]) -> Choice:
        """One of a closed list; raises UndecidableError when it is missing or something else."""
        value = self.choice(key, choices)
        if value is None:
            message = f"{key} must be one of {', '.join(choices)}"
            raise UndecidableError(message, self._note.lines.get(key))
        return value

    def identifier(self, key: str) -> str:
        """The note's id: its key, else its file name, as memleaf does."""
        name = self._path.rpartition("/")[2].removesuffix(".md")
        if key in self._faulty:
            raise UndecidableError(f"{key} cannot be read", self._note.lines.get(key))
        if not self.has(key):
            return name
        identifier = self.text(key)
        if not identifier or isinstance(self._fields[key], (list, dict)):
            raise UndecidableError(f"{key} must be text", self._note.lines.get(key))
        fault = name_fault(identifier)
        if fault:
            self.report(key, f"{key} cannot name a file, so nothing can be written for it: {fault}")
        elif identifier != name:
            self.report(key, f"{key} differs from the file's name")
        return identifier

    def mapping(self, key: str) -> Mapping[str, object]:
        """A map, empty when there is none."""
        value = self._fields.get(key)
        if isinstance(value, dict):
            return value
        if value is not None:
            self.report(key, f"{key} must be a map of keys and values")
        return {}

    def mappings(self, key: str) -> tuple[Mapping[str, object], ...]:
        """A list of maps, empty when there is none."""
        value = self._fields.get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return tuple(value)
        self.report(key, f"{key} must be a list of maps")
        items = value if isinstance(value, list) else ()
        return tuple(item for item in items if isinstance(item, dict))

    def part(self, mapping: Mapping[str, object], key: str, name: str) -> str:
        """The text ``name`` within the map ``key``."""
        value = mapping.get(name)
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if isinstance(value, (list, dict)):
            self.report(key, f"{name} in {key} must be text")
            return ""
        written = self._note.as_text(key)
        maps = written if isinstance(written, list) else [written]
        values = self._fields[key]
        originals = values if isinstance(values, list) else [values]
        for original, textual in zip(originals, maps, strict=False):
            if original is mapping and isinstance(textual, dict):
                return str(textual.get(name, value))
        return str(value)

    def _problem(self, key: str, message: str, line: int | None = None) -> Problem:
        return Problem(
            code="unreadable_key" if line is not None else "odd_key",
            path=self._path,
            line=self._note.lines.get(key) if line is None else line,
            message=f"{key}: {message}" if line is not None else message,
            advice="Correct it in an editor; the note is otherwise read.",
            subject=key,
            severity="error" if line is not None else "warning",
        )
