"""Session files into captured turns: read, redact, append (spec page 8, Session readers).

Everything is redacted before it is kept for writing. Turns are written in batches, so memory does
not grow with the file; each batch is durable and adds only what is new.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from proofstone.curation.context import Context
from proofstone.curation.masking import mask_secrets
from proofstone.domain.conversation import Observation, Role
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.observations import ObservationError, stored_observations
from proofstone.sessions.find import FoundFile, find
from proofstone.sessions.formats import FORMATS, Format
from proofstone.sessions.reader import Mark, Reading
from proofstone.sessions.values import SessionTurn, Skipped
from proofstone.vault import layout
from proofstone.vault.captured_turns import (
    Appended,
    InboxWriter,
    NewEvent,
    NewTurn,
    default_event_id,
)
from proofstone.vault.errors import VaultLockedError
from proofstone.vault.inbox_writer import escape_marks, id_key
from proofstone.vault.session_marks import SessionMarks
from proofstone.vault.tool_evidence import METADATA, CapturePolicy, read_policy

AUTO = "auto"

BATCH_CHARACTERS = 4_000_000
"""Text that is held before it is written."""

_NO_TEXT = re.compile("[\ud800-\udfff\x00]")
_MADE_ID = re.compile(
    r"(?:toolu|srvtoolu|call|fc|ctc|msg|turn|text|line)[_-][A-Za-z0-9_-]{1,80}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:#[0-9]{1,6})?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,20}Z-[0-9a-f]{8}"
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_LENGTH = 80


@dataclass(slots=True, kw_only=True)
class FileReport:
    """What became of one file.

    ``format`` is empty and ``reason`` says why when the file was not read. ``turns`` and
    ``events`` were written; ``known`` and ``private`` turns were there already or are not to be
    recorded for memleaf. ``waiting`` is the line of a turn that is not finished. ``skipped``
    lists lines that cannot be read, ``skipped_count`` says how many there are, ``left_out`` what
    was left out by rule. ``faults`` says of each session that could not be written why; the next
    reading of the file tries again.
    """

    path: Path
    format: str = ""
    reason: str = ""
    is_named: bool = False
    sessions: list[str] = field(default_factory=list)
    turns: int = 0
    events: int = 0
    known: int = 0
    private: int = 0
    waiting: int | None = None
    skipped: Sequence[Skipped] = ()
    skipped_count: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    is_unchanged: bool = False
    faults: dict[str, str] = field(default_factory=dict)

    def add(self, appended: Appended) -> None:
        """Count what became of a batch."""
        self.turns += appended.turns
        self.events += appended.events
        self.known += appended.known
        self.private += appended.private


def wanted_format(name: str) -> Format | None:
    """The format that ``name`` means; None for ``auto``.

    Raises:
        ProofstoneError: there is no such format.
    """
    if name == AUTO:
        return None
    if name not in FORMATS:
        known = ", ".join((AUTO, *FORMATS))
        raise ProofstoneError(f"no session format {name!r}: use one of {known}")
    return FORMATS[name]


class SessionCapture:
    """Reads session files into the vault in the folder ``root``.

    Raises:
        ProofstoneError: ``root`` is no vault.
    """

    def __init__(self, root: Path, context: Context, *, final: bool = False) -> None:
        if not layout.is_vault(root):
            raise ProofstoneError(
                f"{root} is no vault; make one with: proofstone init {shlex.quote(str(root))}"
            )
        self._root = root.resolve()
        self._context = context
        self._final = final
        self._writer = InboxWriter(self._root)
        self._policy = _policy(self._root)

    def capture(
        self, places: Iterable[Path], wanted: Format | None = None, *, follows: bool = False
    ) -> Iterator[FileReport]:
        """Capture what is new in the files and folders ``places``, file by file.

        ``wanted`` is the format of all of them, None to find out; ``follows`` says that files may
        still be written to, so that the end of a plain transcript does not end its last turn.

        A session that cannot be written is a fault of its file; the others go on.

        Raises:
            ProofstoneError: another program holds the vault.
        """
        marks = SessionMarks(self._root)
        try:
            for found in find(places, wanted, self._root):
                yield self._file(found, marks, follows)
        finally:
            marks.save()

    def _file(self, found: FoundFile, marks: SessionMarks, follows: bool) -> FileReport:
        report = FileReport(path=found.path, reason=found.reason, is_named=found.is_named)
        if found.format is None:
            return report
        report.format = found.format.name
        try:
            status = found.path.stat()
            kept = marks.get(found.path)
            stamp = [status.st_size, status.st_mtime_ns, found.format.name]
            if kept.get("stamp") == stamp and not (self._final and kept.get("waiting")):
                waiting = kept.get("waiting")
                report.waiting = waiting if isinstance(waiting, int) else None
                report.is_unchanged = True
                return report
            since = _mark_of(kept, found.format)
            reading = Reading(
                found.path, found.format, final=self._final, since=since, follows=follows
            )
            self._read(reading, found.format.source, report)
        except OSError as error:
            report.reason = f"cannot be read: {error.strerror or error}"
            return report
        report.waiting = reading.waiting
        report.skipped = reading.skipped
        report.skipped_count = reading.skipped_count
        report.left_out = reading.left_out
        if report.faults:
            return report
        mark = reading.mark
        marks.put(
            found.path,
            {
                "stamp": stamp,
                "waiting": reading.waiting,
                "offset": mark.offset,
                "line": mark.line,
                "state": list(mark.state),
                "tail": mark.tail,
            },
        )
        return report

    def _read(self, reading: Reading, source: str, report: FileReport) -> None:
        batch: list[NewTurn] = []
        session, size = "", 0
        for turn in reading.turns():
            name = session_name(turn.session_id)
            if name != session or size > BATCH_CHARACTERS:
                self._write(source, session, batch, report)
                session, size = name, 0
            new = new_turn(turn, source, name, self._context.timestamp(), self._policy)
            if new is not None:
                batch.append(new)
                size += sum(len(event.content) for event in new.events)
                size += sum(
                    len(item.content or "") for event in new.events for item in event.observations
                )
        self._write(source, session, batch, report)

    def _write(self, source: str, session: str, batch: list[NewTurn], report: FileReport) -> None:
        turns, batch[:] = tuple(batch), ()
        # After a fault the session's later turns would stand in the place of those that failed.
        if not turns or session in report.faults:
            return
        try:
            appended = self._writer.append(source, session, turns, self._context.timestamp())
        except VaultLockedError:
            raise
        except ProofstoneError as error:
            report.faults[session] = str(error)
            return
        report.add(appended)
        if session not in report.sessions:
            report.sessions.append(session)


def new_turn(
    turn: SessionTurn, source: str, session: str, now: str, policy: CapturePolicy
) -> NewTurn | None:
    """A turn as it may be written: redacted, in whole characters; None when nothing is left."""
    turn_id = " ".join(_clean_id(turn.turn_id).split())
    users = [text for text in map(clean_text, turn.users) if text]
    answer = clean_text(turn.answer)
    if not (turn_id and users and answer):
        return None
    events: list[NewEvent] = []
    for number, text in enumerate(users, 1):
        event_id = default_event_id(source, session, turn_id, Role.USER)
        if number > 1:
            event_id = f"{event_id}/{number}"
        events.append(NewEvent(event_id=event_id, role=Role.USER, content=text))
    events.append(
        NewEvent(
            event_id=default_event_id(source, session, turn_id, Role.ASSISTANT),
            role=Role.ASSISTANT,
            content=answer,
            observations=_observations(turn, policy),
        )
    )
    timestamp = _utc(turn.timestamp) or now
    return NewTurn(turn_id=turn_id, timestamp=timestamp, events=tuple(events))


def session_name(session_id: str) -> str:
    """A session's id as a file name; one that cannot be one is spelled out and told apart."""
    if not layout.name_fault(session_id):
        return session_id
    plain = _UNSAFE.sub("-", session_id).strip("-.")[:_NAME_LENGTH]
    return f"{plain or 'session'}-{id_key(session_id)[:8]}"


def clean_text(text: str) -> str:
    """``text`` in whole characters and plain line ends, its secrets masked."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii() or "\x00" in text:
        text = _NO_TEXT.sub("\ufffd", text)
    return mask_secrets(text.strip())


def _observations(turn: SessionTurn, policy: CapturePolicy) -> tuple[Observation, ...]:
    records = [_clean_record(record) for record in turn.records]
    try:
        return stored_observations(records, policy.mode, policy.include_attachments, _kept)
    except ObservationError:
        # Cannot happen to records that were cleaned; if it does, the turn stays open.
        return stored_observations([_UNREADABLE], policy.mode, policy.include_attachments)


_UNREADABLE = {
    "tool_name": "evidence.inventory",
    "call_id": "invalid",
    "kind": "unknown",
    "result_status": "unknown",
    "completeness": "missing",
}


def _clean_record(record: Mapping[str, str]) -> dict[str, str]:
    cleaned = dict(record)
    body = record.get("content")
    if body is not None:
        text = escape_marks(clean_text(body))
        if text:
            cleaned["content"] = text
        else:
            del cleaned["content"]
    if "tool_name" in cleaned:
        cleaned["tool_name"] = _clean_name(cleaned["tool_name"])
    if "call_id" in cleaned:
        cleaned["call_id"] = _clean_id(cleaned["call_id"])
    return cleaned


@lru_cache(maxsize=512)
def _clean_name(name: str) -> str:
    return escape_marks(clean_text(name)) or "unnamed"


def _clean_id(identifier: str) -> str:
    """An id that a program made is what it is; any other is cleaned as all text is."""
    return identifier if _MADE_ID.fullmatch(identifier) else _clean_name(identifier)


def _kept(text: str) -> str:
    """Records are redacted before they come to be normalised."""
    return text


def _mark_of(kept: Mapping[str, object], format_: Format) -> Mark:
    offset, line = kept.get("offset"), kept.get("line")
    state, tail = kept.get("state"), kept.get("tail")
    stamp = kept.get("stamp")
    is_same = isinstance(stamp, list) and stamp[-1:] == [format_.name]
    if (
        not is_same
        or type(offset) is not int
        or type(line) is not int
        or not isinstance(state, list)
        or not isinstance(tail, str)
    ):
        return Mark()
    return Mark(offset, line, tuple(map(str, state)), tail)


def _utc(timestamp: str) -> str:
    """A time as memleaf writes it; empty for what is no time with a zone."""
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return ""
    if moment.tzinfo is None:
        return ""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _policy(root: Path) -> CapturePolicy:
    """memleaf's capture setting; when it cannot be read, no bodies are kept."""
    try:
        data = (root / layout.MEMLEAF_CONFIG).read_bytes()
    except FileNotFoundError:
        return CapturePolicy()
    except OSError:
        return CapturePolicy(mode=METADATA)
    try:
        return read_policy(data)
    except ValueError:
        return CapturePolicy(mode=METADATA)
