"""Putting many turns before a model, each answer stored as it comes (spec pages 2 and 8).

An answer goes through ``curation.gate.submit`` and nowhere else, so the contract is applied in one
place. A partial answer is stored at once, so that an interruption costs nothing; its one
correction is asked next and merged into it. A correction that is refused, or never comes, takes
nothing away. A failed call stores nothing and moves nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from proofstone.curation import gate
from proofstone.curation.current import CurrentWorkspace
from proofstone.curation.gate import GateResult
from proofstone.curation.gate_pending import prompt_digest, turn_view, uncorrected, why_skipped
from proofstone.curation.gate_results import GateProgress, Outcome, Stage, TurnResult
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_stored import answer_to_json
from proofstone.domain.gate_types import GateAnswer
from proofstone.gate.settings import ClientSettings
from proofstone.gate.timing import Timing

if TYPE_CHECKING:
    from proofstone.gate.client import GateClient, Message

POLL_SECONDS = 0.05
"""How often a run looks whether it is to stop."""

Got = TypeVar("Got")


OnProgress = Callable[[GateProgress], None]


def run_turns(
    workspace: Workspace,
    references: Sequence[str],
    client_settings: ClientSettings,
    *,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
    timing: Timing | None = None,
) -> tuple[TurnResult, ...]:
    """Ask about ``references``, so many at once as the settings say; the results in their order.

    Blocks until all is done; call it from a thread without an event loop. ``on_progress`` and
    ``cancelled`` are called in that thread. Once ``cancelled`` gives True, no answer is waited
    for any more, and what has come is stored. Turns that are answered already are skipped.

    Raises:
        ProofstoneError: httpx is missing, or a turn is named that is not there.
    """
    run = _Run(
        workspace,
        tuple(dict.fromkeys(references)),
        client_settings,
        on_progress or (lambda progress: None),
        cancelled or (lambda: False),
        timing or Timing(),
    )
    return asyncio.run(run.all())


class _Run:
    def __init__(
        self,
        workspace: Workspace,
        references: tuple[str, ...],
        settings: ClientSettings,
        on_progress: OnProgress,
        cancelled: Callable[[], bool],
        timing: Timing,
    ) -> None:
        self._workspace = workspace
        self._views = {reference: turn_view(workspace, reference) for reference in references}
        self._settings = settings
        self._on_progress = on_progress
        self._cancelled = cancelled
        self._timing = timing
        self._current = CurrentWorkspace(workspace)
        self._results: dict[str, TurnResult] = {}

    async def all(self) -> tuple[TurnResult, ...]:
        # Made here, within the event loop that they belong to.
        self._storing = asyncio.Lock()
        self._stop = asyncio.Event()
        waiting = iter(self._views.items())
        async with _client(self._settings, self._timing) as client:

            async def work() -> None:
                for reference, view in waiting:
                    self._finished(reference, await self._turn(client, view))

            watching = asyncio.create_task(self._watch())
            try:
                workers = min(self._settings.limit, len(self._views))
                await asyncio.gather(*(work() for _ in range(workers)))
            finally:
                watching.cancel()
        return tuple(self._results[reference] for reference in self._views)

    async def _watch(self) -> None:
        while not self._cancelled():
            await asyncio.sleep(POLL_SECONDS)
        self._stop.set()

    async def _turn(self, client: GateClient, view: TurnView) -> TurnResult:
        reference = view.reference
        if self._cancelled():
            return TurnResult(turn=reference, outcome=Outcome.CANCELLED)
        why = why_skipped(view)
        if why:
            return TurnResult(turn=reference, outcome=Outcome.SKIPPED, why=why)
        prompt = gate.prompt(self._workspace, reference)
        asked = _Asked(self, client, reference, prompt)
        resumed = uncorrected(view)
        if resumed is not None:
            result = TurnResult(turn=reference, outcome=Outcome.ACCEPTED, result=resumed)
            return await self._correct(asked, result)
        self._tell(reference, Stage.ASKING)
        result = await asked.about((("user", prompt),), expected=None)
        if result.outcome is Outcome.ACCEPTED and result.missing_unit_ids:
            return await self._correct(asked, result)
        return result

    async def _correct(self, asked: _Asked, first: TurnResult) -> TurnResult:
        """``first`` with what comes of its one correction."""
        present = first.result
        if present is None or present.answer is None:
            return first
        self._tell(first.turn, Stage.CORRECTING)
        said = json.dumps(answer_to_json(present.answer), ensure_ascii=False)
        second = await asked.about(
            (("user", asked.prompt), ("assistant", said), ("user", present.correction)),
            expected=present.answer,
        )
        corrected = replace(first, correction=second.outcome, correction_why=second.why)
        if second.outcome is Outcome.ACCEPTED and second.result is not None:
            return replace(corrected, result=_together(present, second.result))
        return replace(corrected, refusal=second.refusal)

    async def unless_stopped(self, work: Coroutine[object, object, Got]) -> Got | None:
        """What ``work`` gives, or None when the run is to stop first."""
        task = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((task, stopping), return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            for each in (task, stopping):
                each.cancel()
            await asyncio.gather(task, stopping, return_exceptions=True)

    async def store(
        self, reference: str, text: str, prompt: str, expected: GateAnswer | None
    ) -> GateResult:
        """Store one answer after the other, never two at once."""
        async with self._storing:
            return await asyncio.to_thread(self._store, reference, text, prompt, expected)

    def _store(
        self, reference: str, text: str, prompt: str, expected: GateAnswer | None
    ) -> GateResult:
        workspace = self._current.now()
        if gate.prompt(workspace, reference) != prompt:
            raise ProofstoneError(
                "the captured text changed while the model was answering; nothing was stored, run "
                "it again"
            )
        present = turn_view(workspace, reference).gate
        if (present.answer if present is not None else None) != _without_missing(expected):
            raise ProofstoneError("it was answered by another hand meanwhile, which stands")
        result = gate.submit(
            workspace,
            reference,
            text.encode("utf-8", "surrogatepass"),
            answered_by=self._settings.model,
            kind="model",
            prompt_digest=prompt_digest(prompt),
        )
        self._current.wrote(result.changes)
        return result

    def waits(self, reference: str, seconds: float) -> None:
        self._tell(reference, Stage.WAITING, seconds=seconds)

    def _finished(self, reference: str, result: TurnResult) -> None:
        self._results[reference] = result
        self._tell(reference, Stage.DONE, result=result)

    def _tell(
        self,
        reference: str,
        stage: Stage,
        *,
        seconds: float = 0.0,
        result: TurnResult | None = None,
    ) -> None:
        self._on_progress(
            GateProgress(
                turn=reference,
                stage=stage,
                done=len(self._results),
                total=len(self._views),
                seconds=seconds,
                result=result,
            )
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """One turn before one endpoint."""

    run: _Run
    client: GateClient
    reference: str
    prompt: str

    async def about(
        self, messages: Sequence[Message], *, expected: GateAnswer | None
    ) -> TurnResult:
        """Ask, and store what comes. ``expected`` is the answer that the vault should hold now."""

        def on_wait(seconds: float) -> None:
            self.run.waits(self.reference, seconds)

        try:
            text = await self.run.unless_stopped(self.client.ask(messages, on_wait))
            if text is None:
                return TurnResult(turn=self.reference, outcome=Outcome.CANCELLED)
            result = await self.run.store(self.reference, text, self.prompt, expected)
        except ProofstoneError as error:
            return TurnResult(turn=self.reference, outcome=Outcome.FAILED, why=str(error))
        if result.refusal is not None:
            return TurnResult(turn=self.reference, outcome=Outcome.REFUSED, refusal=result.refusal)
        return TurnResult(turn=self.reference, outcome=Outcome.ACCEPTED, result=result)


def _client(settings: ClientSettings, timing: Timing) -> GateClient:
    """The client, imported when it is needed: only those who ask a model need httpx."""
    try:
        from proofstone.gate.client import GateClient
    except ModuleNotFoundError as error:
        if error.name != "httpx":
            raise
        raise ProofstoneError(
            "asking a model needs httpx; install it with: pip install 'proofstone[gate]'"
        ) from None
    return GateClient(settings, timing)


def _together(first: GateResult, added: GateResult) -> GateResult:
    """What came of an answer and its correction."""
    proposals = (*first.proposals, *added.proposals)
    withheld = tuple(dict.fromkeys((*first.withheld, *added.withheld)))
    return replace(
        added,
        proposals=proposals,
        withheld=withheld,
        summary=gate.accepted_line(len(proposals), len(added.missing_unit_ids), withheld),
    )


def _without_missing(answer: GateAnswer | None) -> GateAnswer | None:
    """An answer as it is stored: which units it leaves out is worked out again each time."""
    return None if answer is None else replace(answer, missing_unit_ids=())
