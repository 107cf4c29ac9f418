"""Opening a large vault in stages, so that nobody waits for what the screen does not need yet.

First a page of proposals, unjudged (``first_page``); then the screens with these and the turns;
then, behind them and with progress, all of it with its verdicts; last what each proposal resembles.
No ruling is made before that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message

from proofstone.tui.counts import Counts
from proofstone.tui.first_page import NOT_JUDGED, Seen, unjudged_rows
from proofstone.tui.messages import OpenVault, VaultOpened
from proofstone.tui.ties import TieIndex

if TYPE_CHECKING:
    from proofstone.curation.first_look import FirstLook, StagedOpening
    from proofstone.curation.workspace import Workspace
    from proofstone.tui.panes.queue import QueuePane

STEP = 1_000
"""Notes after which it is said again how far the reading has come."""

COMPARING = "what waits is still being compared with every memory"
"""Why rulings wait once everything is judged, but for what resembles it."""


class FirstLookTaken(Seen):
    """There is something to look at, though most is not read yet."""

    def __init__(self, look: FirstLook) -> None:
        super().__init__()
        self.opened = OpenVault(look, (), Counts(), TieIndex())


class ReadingGoesOn(Message):
    """How far the reading has come, in words."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self.told = told


class SiblingsKnown(Message):
    """What each proposal of ``workspace`` resembles can be told at once from now on."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace


def read_in_stages(
    opening: StagedOpening, look: FirstLook | None, tell: Callable[[Message], object]
) -> Workspace:
    """Read a vault, telling each stage; called in a thread.

    ``look`` is what was read of it so far. Small vaults have none, and no stages: one
    ``VaultOpened`` with everything prepared.

    Raises:
        ProofstoneError: it cannot be read.
    """
    if look is None:
        workspace = opening.whole(lambda done, total: None)
        tell(VaultOpened(OpenVault.prepared(workspace)))
        return workspace
    tell(FirstLookTaken(look))

    def progress(done: int, total: int) -> None:
        if done % STEP == 0:
            tell(ReadingGoesOn(f"reading {done:,} of {max(done, total):,} notes…"))

    workspace = opening.whole(progress)
    tell(ReadingGoesOn("judging what waits…"))
    opened = OpenVault.judged(workspace)
    tell(VaultOpened(opened))
    memories, told = len(workspace.holdings.memories), 0

    def comparing(done: int) -> None:
        nonlocal told
        if done >= told + STEP:
            told = done
            tell(ReadingGoesOn(f"comparing with {done:,} of {memories:,} memories…"))

    workspace.hold_less()
    workspace.prepare(comparing)
    opened.index.take_siblings()
    tell(SiblingsKnown(workspace))
    return workspace


def show_unjudged(look: FirstLook, pane: QueuePane) -> None:
    """Fill the queue with what waits and was not judged yet."""
    rows = unjudged_rows(look.unjudged)
    pane.set_rows(rows, placeholder="Reading the vault…")
    pane.set_titles(NOT_JUDGED if len(rows) else "")
