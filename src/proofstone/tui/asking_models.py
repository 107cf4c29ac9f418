"""Asking a model from the workbench: one run at a time, behind the screen (spec pages 2 and 8).

A run is a thread of its own. It stores each answer as it comes, as the command line does, and tells
how far it is; what it wrote is read like what any other hand writes, so people rule on meanwhile.
Stopped, it keeps what has come, and the next run takes up what is left.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Collection
from importlib.util import find_spec
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from proofstone.domain.errors import ProofstoneError
from proofstone.tui.command import MAIN, Ask
from proofstone.tui.reading_app import ReadingApp

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from proofstone.curation.gate_results import GateProgress, TurnResult
    from proofstone.curation.views import TurnView
    from proofstone.curation.workspace import Workspace
    from proofstone.gate.settings import ClientSettings
    from proofstone.tui.personal import Personal
    from proofstone.tui.screens.base import WorkbenchScreen
    from proofstone.tui.widgets.asking_bar import AskingBar, AskingWords

_OUTCOMES = (
    ("accepted", "$verdict-pass"),
    ("refused", "$verdict-flag"),
    ("failed", "$verdict-block"),
    ("skipped", "$ink-dim"),
)
"""What is counted while a run goes on, and in which colour."""

_TOLD_WHYS = 2
"""How many reasons for which an answer did not come are told at the end."""


class AskProgressed(Message):
    """A run has come a step further."""

    def __init__(self, progress: GateProgress) -> None:
        super().__init__()
        self.progress = progress


class AskEnded(Message):
    """A run is over: its results, or why there was none."""

    def __init__(self, results: tuple[TurnResult, ...], why: str = "") -> None:
        super().__init__()
        self.results = results
        self.why = why


class _Run:
    """A run as the screen knows it. ``stop`` is set to end it."""

    def __init__(self, model: str, total: int) -> None:
        self.model = model
        self.total = total
        self.done = 0
        self.outcomes: Counter[str] = Counter()
        self.note = ""
        self.coming: dict[str, int] = {}
        """How many characters have come of the answers that are being given, by turn."""
        self.stop = threading.Event()


class AskingApp(ReadingApp):
    """An application that asks models, if the person has named an endpoint."""

    _run_now: _Run | None = None
    _proposed: frozenset[str] = frozenset()
    _endpoint: tuple[Personal, ClientSettings | None, str] | None = None
    _unanswered: tuple[Workspace, tuple[str, ...]] | None = None

    @property
    def is_asking(self) -> bool:
        """Whether a model is being asked."""
        return self._run_now is not None

    def ask_situation(self, view: TurnView | None) -> Ask:
        """What the commands need to know; ``view`` is the chosen turn."""
        why = self.why_nobody()
        return Ask(
            why=why,
            turn=self._why_not_about(view),
            waiting=lambda: len(self._turns_waiting()),
            is_on=self.is_asking,
        )

    # Of whom, and about what

    def endpoint(self) -> tuple[ClientSettings | None, str]:
        """The endpoint that is asked, or None and how one is set up."""
        personal = self._personal
        if self._endpoint is None or self._endpoint[0] is not personal:
            self._endpoint = (personal, *self._named_endpoint(personal))
        return self._endpoint[1:]

    def name_endpoint(self, settings: ClientSettings) -> None:
        """Ask this endpoint, whatever the person's folder and the environment say."""
        self._endpoint = (self._personal, settings, "")

    @staticmethod
    def _named_endpoint(personal: Personal) -> tuple[ClientSettings | None, str]:
        from proofstone.gate.configured import GateFile, endpoint_from

        if find_spec("httpx") is None:
            return None, "it needs httpx: pip install 'proofstone[gate]'"
        file = personal.gate or GateFile({})
        try:
            return endpoint_from(file, environment=os.environ, folder=personal.folder), ""
        except ProofstoneError as error:
            return None, str(error)

    def why_nobody(self) -> str:
        """Why no model can be asked about anything; empty where one is named."""
        if self.workspace is not None and not self.workspace.is_vault:
            return "other programs' stores have no turns to ask about"
        return self.endpoint()[1]

    @staticmethod
    def _why_not_about(view: TurnView | None) -> str:
        if view is None:
            return "no turn is selected"
        why = view.why_unaskable
        return f"the turn is {why}" if why else ""

    def _turns_waiting(self) -> tuple[str, ...]:
        """The turns that a run takes up by itself: those that wait, or go on; where there are none,
        those whose text has changed since they were answered."""
        workspace = self.workspace
        if workspace is None:
            return ()
        if self._unanswered is None or self._unanswered[0] is not workspace:
            from proofstone.curation.gate_pending import unanswered

            changed = (view.reference for view in workspace.turns if view.answer_is_stale)
            self._unanswered = (workspace, unanswered(workspace) or tuple(changed))
        return self._unanswered[1]

    # Beginning

    def start_asking(self, *references: str) -> None:
        """Ask about these turns once the person has seen what is sent; while a run is on, stop."""
        if self.is_asking:
            self.stop_asking()
        elif references:
            self._ask(references)

    async def command_ask_all(self) -> None:
        """Ask about every turn that waits, or stop."""
        self.start_asking(*self._turns_waiting())

    @work(exclusive=True, group="ruling")
    async def _ask(self, references: tuple[str, ...]) -> None:
        from proofstone.curation.gate_pending import uncorrected
        from proofstone.curation.gate_text import prompt_for
        from proofstone.tui.screens.asking import AskDialog, Asking

        workspace, settings = self.workspace, self.endpoint()[0]
        if workspace is None or settings is None:
            return
        views = [workspace.turn(reference) for reference in references]
        answered = [
            view.reference
            for view in views
            if view.gate is not None and view.gate.answer is not None and uncorrected(view) is None
        ]
        asking = Asking(settings=settings, turns=views, prompt=prompt_for, again=bool(answered))
        if await self.push_screen_wait(AskDialog(asking)) and not self.is_asking:
            self._run_now = _Run(settings.model, len(references))
            await self._show_asking()
            self._ask_models(self._run_now, workspace, references, settings, answered)

    @work(thread=True, group="asking")
    def _ask_models(
        self,
        run: _Run,
        workspace: Workspace,
        references: tuple[str, ...],
        settings: ClientSettings,
        again: Collection[str],
    ) -> None:
        from proofstone.curation.gate_run import run_turns

        worker = get_current_worker()
        try:
            results = run_turns(
                workspace,
                references,
                settings,
                on_progress=lambda progress: self._tell(AskProgressed(progress)),
                cancelled=lambda: run.stop.is_set() or worker.is_cancelled,
                again=again,
            )
        except (ProofstoneError, OSError) as error:
            self._tell(AskEnded((), str(error)))
            return
        self._tell(AskEnded(results))

    def _tell(self, message: Message) -> None:
        """Post from the run's thread, unless nobody is there any more."""
        if self.is_running:
            self.post_message(message)

    # Going on

    async def on_ask_progressed(self, event: AskProgressed) -> None:
        """Count it, and have read what it wrote."""
        from proofstone.curation.gate_results import Stage

        event.stop()
        run, progress = self._run_now, event.progress
        if run is None:
            return
        run.done = progress.done
        run.coming.pop(progress.turn, None)
        if progress.stage is Stage.ANSWERING:
            run.coming[progress.turn] = progress.characters
        coming = sum(run.coming.values())
        run.note = {
            Stage.WAITING: f"waiting {progress.seconds:g} s, as the endpoint asks",
            Stage.CORRECTING: "asking for what was left out",
        }.get(progress.stage, f"{coming:,} characters so far" if coming else "")
        if progress.result is not None:
            run.outcomes[progress.result.outcome.value] += 1
            self._take(progress.result)
        if run.stop.is_set():
            run.note = "stopping…"
        await self._show_asking(keys_too=progress.result is not None)

    def _take(self, result: TurnResult) -> None:
        """Remember what a result proposes, and have its files read; those of a refusal too."""
        self._proposed |= frozenset(result.proposals)
        if not self.live.is_watching and self.workspace is not None:
            paths = {change.path for change in result.result.changes} if result.result else set()
            record = self.workspace.contents.gate.get(result.turn)
            self.live.take(paths or {record.path if record is not None else "gate/"})

    async def on_ask_ended(self, event: AskEnded) -> None:
        """Say what came of it."""
        event.stop()
        run, self._run_now = self._run_now, None
        await self._show_asking()
        if event.why:
            self.notify(event.why, title="ask model", severity="error")
            return
        counts = Counter(result.outcome.value for result in event.results)
        failed = "failed" in counts
        refused = counts["refused"] + sum(
            result.correction is not None and result.correction.value == "refused"
            for result in event.results
        )
        severity: SeverityLevel = "error" if failed else "warning" if refused else "information"
        title = f"asked {run.model}" if run is not None else "ask model"
        told = _told(event.results, self.keymap.label("ask_all"))
        self.notify(told, title=title, severity=severity)

    async def command_ask_stop(self) -> None:
        """Stop asking, from whatever screen."""
        self.stop_asking()

    def stop_asking(self) -> None:
        """Wait for no answer any more; what has come stays."""
        if self._run_now is not None and not self._run_now.stop.is_set():
            self._run_now.stop.set()
            self._run_now.note = "stopping…"
            self.call_later(self._show_asking)

    def told_arrivals(self, before: Workspace, now: Workspace) -> str:
        """What others brought: what a run proposed is told when it ends."""
        from proofstone.tui.live import arrivals

        return arrivals(before, now, but_not=self._proposed)

    # The line below the panes

    async def _show_asking(self, *, keys_too: bool = True) -> None:
        """Bring the line up to date; ``keys_too`` where what can be done may have changed."""
        for screen in self._screens():
            await self.show_asking_bar(screen)
            if keys_too:
                screen.refresh_bars()

    async def show_asking_bar(self, screen: WorkbenchScreen) -> None:
        """Let the line on this screen say how far the run is, or be gone."""
        from proofstone.tui.widgets.asking_bar import AskingBar

        run, bars = self._run_now, list(screen.query(AskingBar))
        if run is None:
            for bar in bars:
                await bar.remove()
        elif bars:
            bars[0].show(self._asking_words(run, screen))
        else:
            await screen.mount(AskingBar(self._asking_words(run, screen)))

    def _asking_words(self, run: _Run, screen: WorkbenchScreen) -> AskingWords:
        from proofstone.tui.widgets.asking_bar import AskingWords

        # Elsewhere than on the main screen, back leaves the screen.
        keys = "{ask_stop} or {back}" if screen.name_in_registry == MAIN else "{ask_stop}"
        return AskingWords(
            model=run.model,
            done=run.done,
            total=run.total,
            outcomes=tuple((run.outcomes[word], word, style) for word, style in _OUTCOMES),
            note=run.note,
            stop="" if run.stop.is_set() else self.keymap.told(f"{keys} stops"),
        )

    def on_asking_bar_pressed(self, event: AskingBar.Pressed) -> None:
        """A click on the line stops the run."""
        event.stop()
        self.stop_asking()


def _told(results: tuple[TurnResult, ...], key: str) -> str:
    """What came of a run, in words; ``key`` goes on with what is left."""
    counts = Counter(result.outcome.value for result in results)
    said = ", ".join(f"{counts[word]:,} {word}" for word in counts)
    proposals = sum(len(result.proposals) for result in results)
    lines = [f"{said}; {proposals:,} new proposal{'s' * (proposals != 1)}"]
    lines += _refusals(results)
    whys = (result.why or result.correction_why for result in results)
    lines += list(dict.fromkeys(why for why in whys if why))[:_TOLD_WHYS]
    left = sum(len(result.result.left) for result in results if result.result is not None)
    if left:
        lines.append(f"{left:,} of the answer before still wait{'s' * (left == 1)} for you")
    if counts["cancelled"] or counts["failed"]:
        lines.append(f"{key} goes on with what is left")
    return "\n".join(lines)


def _refusals(results: tuple[TurnResult, ...]) -> list[str]:
    """Why answers were refused, by the contract's own identifiers."""
    from proofstone.domain.gate_meanings import meaning

    found = Counter(r.refusal.identifier for r in results if r.refusal is not None)
    return [
        f"{identifier}{f' × {number}' * (number > 1)}: {meaning(identifier)}"
        for identifier, number in found.most_common(_TOLD_WHYS)
    ]
