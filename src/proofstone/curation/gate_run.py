"""Putting many turns before a model, each answer stored as it comes (spec pages 2 and 8).

An answer goes through ``curation.gate.submit`` and nowhere else, so the contract is applied in one
place. A partial answer is stored at once, so that an interruption costs nothing; its one
correction is asked next and merged into it. A correction that is refused, or never comes, takes
nothing away. A failed call stores nothing and moves nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from proofstone.curation import gate
from proofstone.curation.current import CurrentWorkspace
from proofstone.curation.gate import GateResult
from proofstone.curation.gate_pending import (
    prompt_digest,
    turn_view,
    uncorrected,
    why_skipped,
)
from proofstone.curation.gate_results import GateProgress, Outcome, Stage, TurnResult
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_contract import correction_request, projection
from proofstone.domain.gate_stored import answer_to_json
from proofstone.domain.gate_types import GateAnswer, GateRefusal
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
    again: Collection[str] = (),
) -> tuple[TurnResult, ...]:
    """Ask about ``references``, so many at once as the settings say; the results in their order.

    Blocks until all is done; call it from a thread without an event loop. ``on_progress`` and
    ``cancelled`` are called in that thread. Once ``cancelled`` gives True, no answer is waited
    for any more, and what has come is stored. Turns that are answered already are skipped, but
    for those in ``again``: their answer stands until a whole new one is accepted.

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
        frozenset(again),
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
        again: frozenset[str],
    ) -> None:
        self._workspace = workspace
        self._views = {reference: turn_view(workspace, reference) for reference in references}
        self._settings = settings
        self._on_progress = on_progress
        self._cancelled = cancelled
        self._timing = timing
        self._again = again
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
        stands = view.gate.answer if view.gate is not None and reference in self._again else None
        why = why_skipped(view) if stands is None else view.why_unaskable
        if why:
            return TurnResult(turn=reference, outcome=Outcome.SKIPPED, why=why)
        prompt = gate.prompt(self._workspace, reference)
        asked = _Asked(self, client, reference, prompt)
        if stands is not None:
            self._tell(reference, Stage.ASKING)
            return await self._in_place(asked, stands)
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
        second = await asked.about(
            asked.correcting(present.answer, present.correction), expected=present.answer
        )
        corrected = replace(first, correction=second.outcome, correction_why=second.why)
        if second.outcome is Outcome.ACCEPTED and second.result is not None:
            return replace(corrected, result=_together(present, second.result))
        return replace(corrected, refusal=second.refusal)

    async def _in_place(self, asked: _Asked, stands: GateAnswer) -> TurnResult:
        """Ask again about an answered turn. Nothing of the new answer is stored before it is
        whole, so that one which stays partial, or never comes, moves nothing."""
        reference, workspace = asked.reference, self._workspace
        text = await asked.text((("user", asked.prompt),))
        if isinstance(text, TurnResult):
            return text
        first = gate.first_answer(workspace, reference, text, require_complete=False)
        if isinstance(first, GateRefusal) or not first.missing_unit_ids:
            return await asked.stored(text, expected=stands, in_place=True)
        self._tell(reference, Stage.CORRECTING)
        request = correction_request(first, projection(self._views[reference].units))
        correction = await asked.text(asked.correcting(first, request))
        if isinstance(correction, TurnResult):
            return correction
        whole = gate.corrected_answer(workspace, reference, first, correction)
        if isinstance(whole, GateRefusal):
            return await asked.refused(whole)
        return await asked.stored(_as_text(whole), expected=stands, in_place=True)

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

    async def store(self, write: Callable[[Workspace], GateResult]) -> GateResult:
        """Store one answer after the other, never two at once."""
        async with self._storing:
            return await asyncio.to_thread(self._store, write)

    def _store(self, write: Callable[[Workspace], GateResult]) -> GateResult:
        result = write(self._current.now())
        self._current.wrote(result.changes)
        return result

    def submit(
        self,
        workspace: Workspace,
        *,
        reference: str,
        text: str,
        prompt: str,
        expected: GateAnswer | None,
        in_place: bool,
    ) -> GateResult:
        """Hand an answer in, unless the turn is not any more what was asked about."""
        if gate.prompt(workspace, reference) != prompt:
            raise ProofstoneError(
                "the captured text changed while the model was answering; nothing was stored, run "
                "it again"
            )
        present = turn_view(workspace, reference).gate
        if (present.answer if present is not None else None) != _without_missing(expected):
            raise ProofstoneError("it was answered by another hand meanwhile, which stands")
        return gate.submit(
            workspace,
            reference,
            text.encode("utf-8", "surrogatepass"),
            answered_by=self._settings.model,
            kind="model",
            prompt_digest=prompt_digest(prompt),
            in_place=in_place,
        )

    def waits(self, reference: str, seconds: float) -> None:
        self._tell(reference, Stage.WAITING, seconds=seconds)

    def answers(self, reference: str, characters: int) -> None:
        self._tell(reference, Stage.ANSWERING, characters=characters)

    def _finished(self, reference: str, result: TurnResult) -> None:
        self._results[reference] = result
        self._tell(reference, Stage.DONE, result=result)

    def _tell(
        self,
        reference: str,
        stage: Stage,
        *,
        seconds: float = 0.0,
        characters: int = 0,
        result: TurnResult | None = None,
    ) -> None:
        self._on_progress(
            GateProgress(
                turn=reference,
                stage=stage,
                done=len(self._results),
                total=len(self._views),
                seconds=seconds,
                characters=characters,
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

    def correcting(self, answer: GateAnswer, request: str) -> tuple[Message, ...]:
        """What is said to have ``answer`` corrected."""
        return (("user", self.prompt), ("assistant", _as_text(answer)), ("user", request))

    async def about(
        self, messages: Sequence[Message], *, expected: GateAnswer | None
    ) -> TurnResult:
        """Ask, and store what comes. ``expected`` is the answer that the vault should hold now."""
        text = await self.text(messages)
        if isinstance(text, TurnResult):
            return text
        return await self.stored(text, expected=expected)

    async def text(self, messages: Sequence[Message]) -> str | TurnResult:
        """What the endpoint says, or why nothing came."""

        asking = self.client.ask(
            messages,
            on_wait=partial(self.run.waits, self.reference),
            on_text=partial(self.run.answers, self.reference),
        )
        try:
            text = await self.run.unless_stopped(asking)
        except ProofstoneError as error:
            return TurnResult(turn=self.reference, outcome=Outcome.FAILED, why=str(error))
        if text is None:
            return TurnResult(turn=self.reference, outcome=Outcome.CANCELLED)
        return text

    async def stored(
        self, text: str, *, expected: GateAnswer | None, in_place: bool = False
    ) -> TurnResult:
        """What becomes of an answer once it is handed in."""
        return await self._outcome(
            partial(
                self.run.submit,
                reference=self.reference,
                text=text,
                prompt=self.prompt,
                expected=expected,
                in_place=in_place,
            )
        )

    async def refused(self, refusal: GateRefusal) -> TurnResult:
        """A correction was refused of an answer that was never stored."""

        def write(workspace: Workspace) -> GateResult:
            return gate.refuse_correction(workspace, self.reference, refusal)

        return await self._outcome(write)

    async def _outcome(self, write: Callable[[Workspace], GateResult]) -> TurnResult:
        try:
            result = await self.run.store(write)
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


def _as_text(answer: GateAnswer) -> str:
    return json.dumps(answer_to_json(answer), ensure_ascii=False)


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
