"""Whether anchors still hold, found out in the background for the card that is looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from proofstone.tui.words import safe

if TYPE_CHECKING:
    from proofstone.curation.anchored import AnchorState
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.records import Statement
    from proofstone.tui.screens.base import WorkbenchScreen

_LOOK = {
    "holds": ("✓ holds", "$verdict-pass"),
    "drifted": ("! drifted: the file has changed since", "$verdict-flag bold"),
    "gone": ("✗ gone, or it cannot be read", "$verdict-block bold"),
}
_CHECKING = ("… is being looked at", "$ink-dim")


class AnchorChecks:
    """States of anchors by the file and hash that they name, until the vault is read again.

    ``redraw`` is called once a state that was asked for is known.
    """

    def __init__(self, screen: WorkbenchScreen, redraw: Callable[[], None]) -> None:
        self._screen = screen
        self._redraw = redraw
        self._workspace: Workspace | None = None
        self._states: dict[tuple[str, str], AnchorState | None] = {}
        self._asked: set[tuple[str, str]] = set()

    def state(self, subject: Statement | None) -> str:
        """``holds``, ``drifted``, ``gone`` or ``checking``; empty where nothing can be checked."""
        workspace = self._screen.workspace
        if subject is None or not subject.anchor_hash or workspace is None:
            return ""
        if workspace is not self._workspace:
            self._workspace, self._states, self._asked = workspace, {}, set()
        key = (subject.anchor, subject.anchor_hash)
        if key in self._states:
            return self._states[key] or ""
        if key not in self._asked:
            self._asked.add(key)
            self._look(workspace, subject)
        return "checking"

    def _look(self, workspace: Workspace, subject: Statement) -> None:
        from proofstone.curation.anchored import anchor_root

        root = anchor_root(workspace.root, workspace.settings.anchor_root)
        self._screen.run_worker(
            partial(self._read, workspace, subject, root), thread=True, group="plan"
        )

    def _read(self, workspace: Workspace, subject: Statement, root: Path) -> None:
        """In a thread: the file may be large."""
        from proofstone.curation.anchored import anchor_state

        state = anchor_state(subject, root)
        self._screen.app.call_from_thread(self._take, workspace, subject, state)

    def _take(self, workspace: Workspace, subject: Statement, state: AnchorState | None) -> None:
        if workspace is self._workspace and self._screen.is_attached:
            self._states[subject.anchor, subject.anchor_hash] = state
            self._redraw()


def anchor_warning(anchor: str, state: str) -> Content | None:
    """What is to be said of an anchor before anything else; None while it holds."""
    if state not in ("drifted", "gone"):
        return None
    return Content.assemble(("ANCHOR ", _LOOK[state][1]), anchor_words(anchor, state))


def anchor_words(anchor: str, state: str) -> Content:
    """An anchor, and whether it holds."""
    if not state:
        return safe(anchor, "$ink", limit=600)
    return Content.assemble(
        safe(anchor, "$ink", limit=600), "  ", Content.styled(*_LOOK.get(state, _CHECKING))
    )
