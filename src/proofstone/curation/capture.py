"""Capturing: what agents hand in becomes proposals that wait for a person (spec page 4).

A call is planned under the vault's lock, from what the files say by then, so that any number of
processes can capture at once and none loses or doubles anything. All that a call writes is one
group in the journal: killed at any step, all of it is there or none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from proofstone.curation import capture_sessions, secrets
from proofstone.curation.anchored import anchor_root, anchored_file, file_hash
from proofstone.curation.capture_notes import CaptureNotes
from proofstone.curation.context import Context
from proofstone.curation.digests import ruling_digest
from proofstone.curation.known import Known
from proofstone.curation.live import LiveNotes
from proofstone.domain.capture import (
    Captured,
    CaptureRefusedError,
    CaptureResult,
    Outcome,
    plan_capture,
)
from proofstone.domain.plan import FileChange, Ruling
from proofstone.domain.records import Proposal
from proofstone.vault import transaction
from proofstone.vault.journal import Journal

__all__ = [
    "ACTION",
    "AGENT",
    "LOCK_SECONDS",
    "MAX_PAYLOAD_BYTES",
    "CaptureDesk",
    "CaptureRefusedError",
    "capture",
    "parse_payload",
]

Json = dict[str, Any]

Describe = Callable[[Captured], Proposal]
"""Adds to a new proposal what the contract has no field for; its id and its words stay."""

ACTION = "capture"
"""How the journal names a capture. It is no ruling, and undo passes it over unless it is named."""

AGENT = "agent"
"""Who the journal says captured: agents have no names that could be mistaken for a person's."""

LOCK_SECONDS = 60.0
"""How long a capture waits for others that write; many agents may queue up."""

MAX_PAYLOAD_BYTES = 16 * 1024 * 1024
"""The largest payload of one call (docs/limits.md)."""


def parse_payload(data: bytes) -> object:
    """A payload from its JSON text. Raises CaptureRefusedError for what is none."""
    if len(data) > MAX_PAYLOAD_BYTES:
        raise CaptureRefusedError(
            f"the payload has more than {MAX_PAYLOAD_BYTES // (1024 * 1024)} MiB; send less at once"
        )
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CaptureRefusedError(f"the payload is not UTF-8, at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise CaptureRefusedError(
            f"the payload is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    except RecursionError as error:
        raise CaptureRefusedError("the payload is nested too deeply") from error
    except ValueError as error:
        raise CaptureRefusedError(
            f"the payload holds a number that is too long: {error}"
        ) from error


def capture(
    root: Path,
    payload: object,
    context: Context,
    *,
    client: str | None = None,
    origin: str = "capture",
    timeout: float = LOCK_SECONDS,
) -> Json:
    """Capture ``payload``, one item or ``{"items": […]}``, and give the contract's answer.

    ``client`` is the name of the program that captures: the default project of a vault without
    one. With origin ``import`` everything is born tainted. For many calls, keep a ``CaptureDesk``.

    Raises:
        CaptureRefusedError: the payload is neither form; nothing was captured.
        ProofstoneError: there is no vault in ``root``, or it cannot be written; nothing was.
    """
    desk = CaptureDesk(LiveNotes(root), context, for_few=True)
    return desk.capture(payload, client=client, origin=origin, timeout=timeout)


class CaptureDesk:
    """Captures into one vault, call after call, reading between calls only what changed.

    ``for_few`` says that few items will come: then less is prepared, and each costs more.
    """

    def __init__(self, notes: LiveNotes, context: Context, *, for_few: bool = False) -> None:
        self._notes = notes
        self._known = Known(notes, for_few=for_few)
        self._context = context

    def capture(
        self,
        payload: object,
        *,
        client: str | None = None,
        origin: str = "capture",
        timeout: float = LOCK_SECONDS,
        describe: Describe | None = None,
    ) -> Json:
        """See ``capture``. ``describe`` completes each new proposal before it is written."""
        if not self._notes.is_read:
            # The long first reading is not done under the lock, where others would wait for it.
            self._notes.refresh()
        answers: list[CaptureResult] = []

        def plan() -> list[transaction.RulingChanges]:
            self._notes.follow()
            self._known.settle()
            answer, ruling, changes = self._plan(payload, client, origin, describe)
            answers.append(answer)
            return [(ruling, changes)]

        transaction.apply_planned(self._notes.root, plan, timeout=timeout)
        return answers[-1].as_json()

    def _plan(
        self, payload: object, client: str | None, origin: str, describe: Describe | None
    ) -> tuple[CaptureResult, Ruling, tuple[FileChange, ...]]:
        root = self._notes.root
        settings = self._notes.settings
        self._known.held.sessions = capture_sessions.are_open(root, _session_ids(payload))
        result = plan_capture(
            payload,
            held=self._known.held,
            now=self._context.timestamp(),
            project=settings.project,
            client=client,
            profile=settings.profile,
            origin=origin,
            find_secrets=secrets.find,
            hash_anchor=_anchor_hashes(anchor_root(root, settings.anchor_root)),
        )
        if describe is not None:
            created = tuple(Captured(one.item, describe(one)) for one in result.created)
            result = replace(result, created=created)
        ruling = self._ruling(result, client, origin)
        drawn = CaptureNotes(self._notes, self._known, ruling)
        faults = {one.proposal.proposal_id: drawn.add(one) for one in result.created}
        faults.update((one.id, drawn.relabel(one)) for one in result.relabels)
        answer = _answered(result, faults, isinstance(payload, Mapping) and "items" in payload)
        return answer, ruling, tuple(drawn.changes)

    def _ruling(self, result: CaptureResult, client: str | None, origin: str) -> Ruling:
        """What the journal says of a call. It names no statement: those are in the files."""
        names = [one.proposal_id for one in result.proposals] + [one.id for one in result.relabels]
        time = self._context.timestamp()
        head = Journal(self._notes.root).tail().previous if names else ""
        group = ruling_digest("grp", head, ACTION, names, time)
        return Ruling(
            ruling_id=ruling_digest("rul", group, ACTION),
            group=group,
            time=time,
            author=self._context.author if origin == "import" else AGENT,
            via=self._context.via,
            action=ACTION,
            subject=names[0] if len(names) == 1 else f"{len(names)} items",
            choices={"client": client[:200]} if client else {},
        )


def _answered(result: CaptureResult, faults: Mapping[str, str], is_batch: bool) -> CaptureResult:
    """The answer, with what could not be written as rejected rows."""
    if not any(faults.values()):
        return result
    rows: list[Outcome] = []
    for position, row in enumerate(result.outcomes):
        fault = faults.get(row.id, "") if row.id else ""
        if fault:
            at = f"items[{position}]: " if is_batch else ""
            row = Outcome(status="rejected", error=f"{at}ingest rejected: {fault}")
        rows.append(row)
    return replace(result, outcomes=tuple(rows))


def _session_ids(payload: object) -> set[str]:
    """The sessions that the items of a payload name, whatever else is wrong with them."""
    items = payload.get("items", [payload]) if isinstance(payload, Mapping) else []
    found: set[str] = set()
    for item in items if isinstance(items, (list, tuple)) else []:
        named = item.get("session_id") if isinstance(item, Mapping) else None
        if isinstance(named, str):
            found.add(named)
    return found


def _anchor_hashes(root: Path) -> Callable[[str], str | None]:
    """Hashes of anchored files, each file read once per call."""
    hashes: dict[Path, str | None] = {}

    def hash_of(anchor: str) -> str | None:
        path = anchored_file(root, anchor)
        if path is None:
            return None
        if path not in hashes:
            hashes[path] = file_hash(path)
        return hashes[path]

    return hash_of
