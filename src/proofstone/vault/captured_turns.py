"""Adding captured turns to the inbox (spec page 5, Inbox blocks).

A file is replaced whole, under the lock, so a reader sees it before or after; what stands in it
stays byte for byte, but for the header's ``updated`` line. An event whose key is known, from the
file, from memleaf's own record or from a list of those that were removed, is not written again.
memleaf's ``processed.json`` is read and never written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.redaction import redacted
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import NEW_FILE, Files
from proofstone.vault.inbox import EVENT_END, EVENT_START
from proofstone.vault.inbox_writer import event_block, id_key
from proofstone.vault.layout import OWN_STATE, PROCESSED, folders_of, gate_path, inbox_path
from proofstone.vault.lock import DEFAULT_TIMEOUT, VaultLock
from proofstone.vault.swap import temporary_name

REMOVED_EVENTS = f"{OWN_STATE}/removed-events.txt"
"""Keys of events whose text was removed after they were settled, one a line: reading a session
file again must not bring the text back."""

MAX_FILE_BYTES = 256 * 1024 * 1024
"""The largest inbox file that is written; a larger one could not be read again."""

_START = EVENT_START.encode()
_END = re.compile(rb"\n" + EVENT_END.encode() + rb"[ \t]*(?:\r?\n|\Z)")
_MARK = re.compile(rb"<!--\s*memleaf:event-key:v1:([0-9a-fA-F]{64})\s*-->")
_KEY_VALUE = re.compile(rb'\s*:\s*"([0-9a-fA-F]{64})"')
_INDEX_VALUE = re.compile(rb"\s*:\s*([1-9][0-9]{0,8})\s*[,}]")
_ANSWER_NAME = re.compile(r"([0-9]{4,9})[-.].*")
_UPDATED = re.compile(rb"^- updated:[^\r\n]*", re.M)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """A message to be written: redacted and whole characters, its marks not yet escaped."""

    event_id: str
    role: Role
    content: str
    observations: tuple[Observation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn to be written. ``timestamp`` is RFC 3339, UTC, whole seconds."""

    turn_id: str
    timestamp: str
    events: tuple[NewEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What became of turns: how many were written, known already, or private to memleaf."""

    turns: int = 0
    events: int = 0
    known: int = 0
    private: int = 0


def default_event_id(source: str, session_id: str, turn_id: str, role: Role) -> str:
    """The id that memleaf gives an event that has none."""
    return f"{source}/{session_id}/{turn_id}/{role}"


class InboxWriter:
    """Appends turns to the inbox of the vault in the folder ``root``."""

    def __init__(
        self, root: Path, *, files: Files | None = None, timeout: float = DEFAULT_TIMEOUT
    ) -> None:
        self._root = root
        self._files = files or Files()
        self._timeout = timeout

    def append(
        self, source: str, session_id: str, turns: Sequence[NewTurn], captured_at: str
    ) -> Appended:
        """Write what is new of ``turns``, durably; nothing at all when nothing is new.

        A turn keeps the index that it has, in the file or for memleaf; new turns follow the last.
        Raises UnsafeNameError for names that cannot be a path, VaultWriteError when the file
        cannot be added to, VaultLockedError when another program holds the lock too long.
        """
        path = inbox_path(source, session_id)
        with VaultLock(self._root, self._timeout) as lock:
            _check_no_links(self._root, path)
            try:
                existing = self._files.read(self._root / path) or b""
                memleaf = _Memleaf.read(self._files, self._root, source, session_id)
                removed = _removed(self._files, self._root)
                held = _Held.read(existing, memleaf, _last_answered(self._root, source, session_id))
                blocks, appended = _new_blocks(
                    source, session_id, turns, held, memleaf.keys | removed, memleaf
                )
                if not blocks:
                    return appended
                if _ends_unfinished(existing):
                    raise VaultWriteError(
                        f"{path} ends in an unfinished block; complete or remove it in an editor"
                    )
                data = _joined(existing, source, session_id, blocks, captured_at)
                if len(data) > MAX_FILE_BYTES:
                    raise VaultWriteError(
                        f"{path} would be larger than {MAX_FILE_BYTES // 2**20} MiB"
                    )
                lock.check()
                self._replace(path, data)
            except OSError as error:
                raise VaultWriteError(f"{path} cannot be written: {error.strerror}") from error
        return appended

    def _replace(self, path: str, data: bytes) -> None:
        target = self._root / path
        for folder in folders_of([path]):
            if self._files.make_folder(self._root / folder):
                self._files.sync_folder((self._root / folder).parent)
        temporary = target.with_name(temporary_name("captured", path))
        mode = self._files.mode(target) if target.exists() else NEW_FILE
        try:
            self._files.write(temporary, data, mode)
            self._files.rename(temporary, target)
        except OSError:
            self._files.remove(temporary)
            raise
        self._files.sync_folder(target.parent)


def remember_removed(root: Path, keys: Iterable[str], files: Files | None = None) -> None:
    """Note, durably, that the text of these events was removed for good; once each.

    The caller holds the lock.
    """
    files = files or Files()
    path = root / REMOVED_EVENTS
    present = files.read(path) or b""
    known = _keys_in(present)
    lines = "".join(f"{key}\n" for key in dict.fromkeys(keys) if key not in known)
    if lines:
        for folder in folders_of([REMOVED_EVENTS]):
            files.make_folder(root / folder)
        # A line that was cut short when the power went must not swallow the next one.
        gap = b"" if not present or present.endswith(b"\n") else b"\n"
        files.append(path, gap + lines.encode("ascii"), sync=True)
        files.sync_folder(path.parent)


@dataclass(frozen=True, slots=True)
class _Memleaf:
    """What memleaf's own state says of one session."""

    keys: frozenset[str] = frozenset()
    turns: Mapping[str, int] = field(default_factory=dict)
    next_index: int = 1
    private: frozenset[str] = frozenset()
    is_off: bool = False

    @classmethod
    def read(cls, files: Files, root: Path, source: str, session_id: str) -> _Memleaf:
        data = files.read(root / PROCESSED)
        try:
            state = json.loads(data) if data else {}
        except (ValueError, RecursionError):
            # `check` reports the file; for memleaf it counts as empty too.
            state = {}
        session = _mapping(_mapping(_mapping(state).get("sessions")).get(f"{source}/{session_id}"))
        policy = _mapping(session.get("capture_policy"))
        listed = _mapping(state).get("event_keys")
        keys = {key.casefold() for key in _texts(listed)}
        keys.update(str(key).casefold() for key in _mapping(_mapping(state).get("events")))
        turns = {
            str(key): index
            for key, index in _mapping(session.get("turns")).items()
            if type(index) is int and index > 0
        }
        following = session.get("next_turn_index")
        return cls(
            frozenset(keys),
            turns,
            following if type(following) is int and following > 0 else 1,
            frozenset(_texts(policy.get("private_turns"))),
            policy.get("enabled") is False,
        )


@dataclass(slots=True)
class _Held:
    """The keys and turns that a file has."""

    keys: set[str]
    turns: dict[str, int]
    next_index: int

    @classmethod
    def read(cls, data: bytes, memleaf: _Memleaf, last_answered: int) -> _Held:
        keys = {mark.decode("ascii").casefold() for mark in _MARK.findall(data)}
        turns = dict(memleaf.turns)
        for line in _metadata_lines(data):
            key = _value(line, b'"event_key"', _KEY_VALUE)
            turn = _value(line, b'"turn_key"', _KEY_VALUE)
            index = _value(line, b'"turn_index"', _INDEX_VALUE)
            if key:
                keys.add(key.casefold())
            if turn and index:
                turns[turn.casefold()] = int(index)
        highest = max((last_answered, *turns.values()))
        return cls(keys, turns, max(highest + 1, memleaf.next_index))

    def index_of(self, turn_key: str) -> int:
        index = self.turns.get(turn_key)
        if index is None:
            index = self.turns[turn_key] = self.next_index
            self.next_index += 1
        return index


def _new_blocks(
    source: str,
    session_id: str,
    turns: Sequence[NewTurn],
    held: _Held,
    gone: frozenset[str],
    memleaf: _Memleaf,
) -> tuple[list[bytes], Appended]:
    blocks: list[bytes] = []
    written = events = known = private = 0
    for turn in turns:
        turn_key = id_key(turn.turn_id)
        if memleaf.is_off or turn_key in memleaf.private:
            private += 1
            continue
        keyed = [(id_key(event.event_id), event) for event in turn.events]
        answers = [key for key, event in keyed if event.role is Role.ASSISTANT]
        # A turn that has its answer is whole, and one that was removed in part stays as it is.
        if any(key in held.keys for key in answers) or any(key in gone for key, _ in keyed):
            known += 1
            continue
        new = [(key, event) for key, event in keyed if key not in held.keys]
        index = held.index_of(turn_key)
        for key, event in new:
            held.keys.add(key)
            blocks.append(
                event_block(
                    Event(
                        event_key=key,
                        role=event.role,
                        content=event.content,
                        source=source,
                        session_id=session_id,
                        turn_id=redacted(turn.turn_id),
                        turn_key=turn_key,
                        turn_index=index,
                        timestamp=turn.timestamp,
                        observations=event.observations,
                    )
                )
            )
        written += 1
        events += len(new)
    return blocks, Appended(turns=written, events=events, known=known, private=private)


def _joined(
    existing: bytes, source: str, session_id: str, blocks: Sequence[bytes], captured_at: str
) -> bytes:
    added = b"\n".join(blocks)
    if not existing:
        header = (
            f"# Session {source}/{session_id}\n- source: {source}\n- session_id: {session_id}\n"
            f"- started: {captured_at}\n- updated: {captured_at}\n\n"
        )
        return header.encode("utf-8") + added
    first = existing.find(b"\n" + _START)
    head_end = first + 1 if first >= 0 else 0 if existing.startswith(_START) else len(existing)
    head = _UPDATED.sub(b"- updated: " + captured_at.encode("ascii"), existing[:head_end], count=1)
    gap = b"" if existing.endswith((b"\n\n", b"\n\r\n")) else b"\n"
    if not existing.endswith(b"\n"):
        gap = b"\n\n"
    return head + existing[head_end:] + gap + added


def _ends_unfinished(data: bytes) -> bool:
    """Whether the last block lacks its end: memleaf would take what follows for its content."""
    start = _last_start(data)
    return start >= 0 and _END.search(data, start) is None


def _last_start(data: bytes) -> int:
    """Where the last block begins, -1 when there is none: the mark counts at a line's start."""
    at = data.rfind(_START)
    while at > 0 and data[at - 1 : at] != b"\n":
        at = data.rfind(_START, 0, at)
    return at


def _metadata_lines(data: bytes) -> Iterator[bytes]:
    """The line after each opening mark."""
    at = data.find(_START)
    while at >= 0:
        start = data.find(b"\n", at) + 1
        end = data.find(b"\n", start) if start else -1
        if end < 0:
            return
        yield data[start:end]
        at = data.find(_START, end)


def _value(line: bytes, key: bytes, pattern: re.Pattern[bytes]) -> str:
    """The value of a key of a line of JSON, found without decoding the long rest of it.

    A quoted key cannot stand inside a JSON string: there its quotes have backslashes.
    """
    at = line.rfind(key)
    found = pattern.match(line, at + len(key)) if at >= 0 else None
    return found[1].decode("ascii") if found else ""


def _removed(files: Files, root: Path) -> frozenset[str]:
    return _keys_in(files.read(root / REMOVED_EVENTS) or b"")


def _keys_in(data: bytes) -> frozenset[str]:
    return frozenset(data.decode("ascii", "replace").split())


def _last_answered(root: Path, source: str, session_id: str) -> int:
    """The highest number of a turn of the session that has a Gate record.

    A turn whose text was removed keeps its number: no other turn may be named like it.
    """
    folder = (root / gate_path(source, session_id, 1, "")).parent
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return 0
    return max((int(found[1]) for name in names if (found := _ANSWER_NAME.match(name))), default=0)


def _check_no_links(root: Path, path: str) -> None:
    place = root
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            shown = place.relative_to(root).as_posix()
            raise VaultWriteError(f"{shown} is a link, and links are not written through")


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
