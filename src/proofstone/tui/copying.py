"""What ``y`` copies, and getting it to the system's clipboard (spec page 7, Jump).

What is copied may have come from anywhere and may be pasted into a shell, so it goes through the
same door as what is shown: escapes and hidden characters become visible marks, secrets are covered.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from proofstone.tui.panes.evidence import EvidencePane
from proofstone.tui.panes.gate import GatePane
from proofstone.tui.panes.siblings import SiblingsPane
from proofstone.tui.panes.turns import TurnsPane
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.duplicates import DuplicatesScreen
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import displayed

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace

MOST_BYTES = 56_000
"""What terminals take: base64 of it stays below the 74,994 bytes that xterm allows."""

Copied = tuple[str, str]
"""What it is, in a word, and the text; no text when there is nothing to copy."""

NOTHING: Copied = ("", "")


def copyable(screen: WorkbenchScreen) -> Copied:
    """What ``y`` copies on ``screen``: a statement, a quote, an id or a path, by the focus."""
    workspace, focused = screen.workspace, screen.focused
    if workspace is None:
        return NOTHING
    found = _raw(screen, focused if isinstance(focused, LineList) else None, workspace)
    return found[0], displayed(found[1], limit=MOST_BYTES, newlines=True).text


def _raw(screen: WorkbenchScreen, focused: LineList | None, workspace: Workspace) -> Copied:
    if isinstance(screen, MainScreen):
        return _of_pane(screen, focused, workspace)
    key = screen.subject()
    if isinstance(screen, DuplicatesScreen):
        chosen = workspace.held.memory(screen.chosen)
        return ("statement", chosen.statement) if chosen is not None else NOTHING
    if focused is not None and focused.id == "detail" and focused.cursor_key:
        return "id", focused.cursor_key
    memory = workspace.held.memory(key)
    if memory is not None:
        return "statement", memory.statement
    for inquiry in workspace.holdings.inquiries:
        if inquiry.inquiry_id == key:
            return "question", inquiry.question
    return _of_row(focused) if key.isdigit() else ("id", key)


def _of_pane(screen: MainScreen, pane: LineList | None, workspace: Workspace) -> Copied:
    key = pane.cursor_key if pane is not None else ""
    view = screen.proposal
    if isinstance(pane, TurnsPane):
        return "turn", key
    if isinstance(pane, EvidencePane):
        return _evidence(screen, key) or _of_row(pane)
    if isinstance(pane, GatePane):
        subject = pane.subject(key)
        if subject is None:
            return _of_row(pane)
        if subject.claim is not None:
            return "quote", subject.claim.quote
        return "id", subject.candidate_id or subject.unit_id
    if isinstance(pane, SiblingsPane):
        memory = workspace.held.memory(key)
        return ("statement", memory.statement) if memory is not None else _of_row(pane)
    if pane is screen.verifier_pane and key:
        return _of_row(pane)
    return ("statement", view.proposal.statement) if view is not None else NOTHING


def _evidence(screen: MainScreen, key: str) -> Copied | None:
    """The quotes of the selected proposal within the unit at hand, else the whole clause."""
    turn, view = screen.turn_shown, screen.proposal
    if view is not None:
        quotes = [claim.quote for claim in view.proposal.bindings if claim.unit_id == key]
        if quotes:
            return "quote", "\n".join(quotes)
    units = turn.units if turn is not None else ()
    for unit in units:
        if unit.unit_id == key:
            return "clause", unit.text
    for record in view.records if view is not None else ():
        if record.evidence_id == key:
            return "id", key
    return None


def _of_row(pane: LineList | None) -> Copied:
    row = pane.cursor_row if pane is not None else None
    return ("row", row.body.plain) if row is not None else NOTHING


def osc52(text: str, *, in_tmux: bool) -> str:
    """The sequence that puts ``text`` on the clipboard of the terminal.

    tmux lets a sequence through to the terminal it runs in when it is wrapped, its escapes doubled.
    """
    sequence = f"\x1b]52;c;{base64.b64encode(text.encode('utf-8')).decode('ascii')}\a"
    if not in_tmux:
        return sequence
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
