"""Counting what a key makes the program do, whatever the machine and its clock.

Counted are the steps of the interpreter (one for each instruction of Python that is run), rows
built, lines rendered, files opened, texts compared, and views of a list that are looked at.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import pytest

from proofstone.curation.demo import DEMO_NOW
from proofstone.curation.memory_views import MemoryViews
from proofstone.curation.views import MemoryView
from proofstone.domain import cues, worddiff
from proofstone.domain.sibling_index import SiblingIndex
from proofstone.tui.rows import LazyRows
from proofstone.tui.widgets.line_list import LineList

Item = TypeVar("Item")


class Counted(Sequence[Item]):
    """A sequence that counts the items which are taken out of it."""

    def __init__(self, items: Sequence[Item], work: Counter[str]) -> None:
        self._items, self._work = items, work

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        taken = self._items[index]
        self._work["views"] += len(taken) if isinstance(index, slice) else 1
        return taken

    def __iter__(self) -> Iterator[Item]:
        for item in self._items:
            self._work["views"] += 1
            yield item


class CountedMemories(MemoryViews):
    """Memories whose views are there, counting each time that one is asked for."""

    def __init__(self, views: Sequence[MemoryView], work: Counter[str]) -> None:
        there = {view.memory.memory_id: view for view in views}
        memories = [view.memory for view in views]
        super().__init__(memories, lambda memory: there[memory.memory_id], DEMO_NOW)
        self._work = work

    def _item(self, index: int) -> MemoryView:
        self._work["views"] += 1
        return super()._item(index)


class Work:
    """What was done while it was counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: Counter[str] = Counter()
        self._is_counting = False
        for owner, name, what in (
            (LineList, "render_line", "lines"),
            (LazyRows, "row", "rows"),
            (LazyRows, "extent", "measured"),
            (SiblingIndex, "question", "compared"),
            (worddiff, "word_diff", "compared"),
            (cues, "opposed", "compared"),
        ):
            self._wrap(monkeypatch, owner, name, what)
        sys.addaudithook(self._heard)

    def _wrap(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, what: str) -> None:
        before: Callable[..., Any] = getattr(owner, name)

        def counting(*args: Any, **options: Any) -> Any:
            self.done[what] += 1
            return before(*args, **options)

        monkeypatch.setattr(owner, name, counting)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._is_counting and event in ("open", "os.listdir", "os.scandir"):
            self.done["files"] += 1

    @contextmanager
    def counted(self) -> Iterator[Counter[str]]:
        """Count what is done within."""
        self.done.clear()
        before = sys.gettrace()
        steps = 0

        def step(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal steps
            steps += event == "opcode"
            return step

        def called(frame: FrameType, event: str, argument: Any) -> Any:
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
            return step

        self._is_counting = True
        sys.settrace(called)
        try:
            yield self.done
        finally:
            sys.settrace(before)
            self._is_counting = False
            self.done["steps"] = steps
