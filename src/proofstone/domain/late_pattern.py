"""Patterns that are compiled when they are first used (spec page 9, command line).

Compiling a long pattern takes a millisecond or more, which every start of a program would pay for
texts that most of them never look at. A late pattern is used like any other; after its first use
a method costs what the compiled pattern's own does.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Late:
    """Stands for a compiled pattern, and keeps each of its methods once it was asked for."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source, self._flags = source, flags
        self._compiled: re.Pattern[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        found = self.__dict__[name] = getattr(self._compiled, name)
        return found


def late_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile(source, flags)``, done when the pattern is first used.

    A fault in ``source`` is raised then too, so every late pattern needs a test that uses it.
    """
    return cast("re.Pattern[AnyStr]", _Late(source, flags))
