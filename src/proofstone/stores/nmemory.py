"""nMEMORY's SQLite store, read without leaving a trace in it (store-formats.md).

The store is in WAL mode: even a read-only connection would create ``-wal`` and ``-shm`` beside it.
It is opened as immutable when no log waits, and as a private copy when one does. Columns differ by
version, so the tables are asked for them.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from proofstone.domain import ids
from proofstone.domain.records import (
    Holdings,
    Memory,
    Problem,
    Standing,
    Tombstone,
    TrustClass,
)
from proofstone.domain.rulings.steps import title_of
from proofstone.stores import json_values
from proofstone.stores.files import StoreReadError
from proofstone.stores.json_values import inner, number, text
from proofstone.stores.port import Capabilities, LeftOut, Place, StoreContents, import_instead

NAME = "nMEMORY"
KNOWN_VERSION = 11
"""The newest schema version that this reader has seen."""

QUARANTINED, ARCHIVED = "quarantined", "archived"
TIER_TAG = "tier:"

_MAGIC = b"SQLite format 3\0"
_LOGS = ("-wal", "-journal")
_TRUST = {
    "user-stated": TrustClass.DIRECT_USER_INSTRUCTION,
    "observed-fact": TrustClass.SINGLE_SESSION_OBSERVATION,
    "agent-inferred": TrustClass.AGENT_INFERENCE,
    "externally-imported": TrustClass.THIRD_PARTY_DOCUMENTATION,
}
_ORDER = ("seq", "at", "capsule_id", "from_id", "to_id", "kind", "id")
_NEEDED = ("capsules",)
_KEPT_UNSHOWN = ("sessions", "audit_events", "usage", "anchor_hashes")

Row = Mapping[str, Any]


def recognises(path: Path) -> bool:
    """Whether ``path`` is an SQLite file with nMEMORY's tables."""
    try:
        with path.open("rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                return False
        with _opened(path) as database:
            return "canonical_json" in _columns(database, "capsules")
    except (OSError, sqlite3.Error):
        return False


class NMemoryStore:
    """The store in the SQLite file ``root``."""

    kind = "nmemory"
    name = NAME

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    @property
    def capabilities(self) -> Capabilities:
        """The file belongs to a program that checks every row: it is only read."""
        return Capabilities(read_only=import_instead(NAME))

    def read(self) -> StoreContents:
        """Every capsule, with the standing that its relations, tier and tombstone give it."""
        try:
            with _opened(self.root) as database:
                reading = _Reading(self.root.name, database)
                reading.everything()
        except sqlite3.Error as error:
            raise StoreReadError(
                f"{self.root}: cannot be read as an nMEMORY store: {error};"
                " close the program that uses it and try again"
            ) from error
        except OSError as error:
            raise StoreReadError(f"{self.root}: cannot be read: {error.strerror}") from error
        return reading.contents()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the store that writes nothing beside it."""
    waiting = [log for suffix in _LOGS if _has_words(log := path.with_name(path.name + suffix))]
    with contextlib.ExitStack() as stack:
        if waiting:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="proofstone-")))
            target = folder / "copy.sqlite3"
            shutil.copyfile(path, target)
            for log in waiting:
                shutil.copyfile(log, folder / f"copy.sqlite3{log.name[len(path.name) :]}")
            address = f"file:{quote(str(target))}"
        else:
            address = f"file:{quote(str(path))}?mode=ro&immutable=1"
        database = stack.enter_context(contextlib.closing(sqlite3.connect(address, uri=True)))
        database.row_factory = sqlite3.Row
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        database.execute("PRAGMA query_only = ON")
        database.execute("PRAGMA trusted_schema = OFF")
        yield database


def _has_words(file: Path) -> bool:
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False


def _columns(database: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table, none when there is no such table."""
    found = database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return frozenset(row["name"] for row in found)


@dataclass(slots=True)
class _Reading:
    name: str
    database: sqlite3.Connection
    problems: list[Problem] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    memories: list[Memory] = field(default_factory=list)
    history: list[Memory] = field(default_factory=list)
    tombstones: list[Tombstone] = field(default_factory=list)

    def everything(self) -> None:
        missing = [table for table in _NEEDED if not _columns(self.database, table)]
        if missing:
            raise sqlite3.DatabaseError(f"it has no table {', '.join(missing)}")
        version = self.database.execute("PRAGMA user_version").fetchone()[0]
        if version > KNOWN_VERSION:
            self._problem(
                "newer_schema",
                f"its schema version is {version}; this reader knows up to {KNOWN_VERSION}",
                "What it does not know is not shown. Look for a newer release.",
                severity="warning",
            )
        tiers = {text(row, "capsule_id"): text(row, "tier") for row in self._rows("tiers")}
        kinds = {text(row, "capsule_id"): row for row in self._rows("classifications")}
        epistemics = {text(row, "capsule_id"): row for row in self._rows("epistemics")}
        replaced, falsified = self._relations()
        for row in self._rows("tombstones"):
            self._tombstone(row)
        for row in self._rows("capsules"):
            capsule_id = text(row, "id")
            standing = _Standings(
                tiers.get(capsule_id, "active"),
                tuple(replaced.get(capsule_id, ())),
                tuple(falsified.get(capsule_id, ())),
            )
            about = {**epistemics.get(capsule_id, {}), **kinds.get(capsule_id, {})}
            self._capsule(row, capsule_id, standing, about)
        for table in _KEPT_UNSHOWN:
            if _columns(self.database, table):
                self.left_out.append(LeftOut(f"{self.name}#{table}", None, "bookkeeping; kept"))

    def contents(self) -> StoreContents:
        problems = tuple(self.problems)
        return StoreContents(
            holdings=Holdings(
                memories=tuple(self.memories),
                history=tuple(self.history),
                tombstones=tuple(self.tombstones),
                problems=problems,
            ),
            places=self.places,
            problems=problems,
            left_out=tuple(self.left_out),
        )

    def _rows(self, table: str) -> Iterator[Row]:
        """The rows of a table that is there, oldest first; names come from this module alone."""
        columns = _columns(self.database, table)
        if not columns:
            return
        order = ", ".join(name for name in _ORDER if name in columns)
        by = f" ORDER BY {order}" if order else ""
        for row in self.database.execute(f"SELECT * FROM {table}{by}"):
            yield dict(zip(row.keys(), row, strict=True))

    def _relations(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Which capsules replace, and which falsify, a capsule."""
        replaced: dict[str, list[str]] = {}
        falsified: dict[str, list[str]] = {}
        for row in self._rows("relations"):
            target = {"supersedes": replaced, "falsifies": falsified}.get(text(row, "kind"))
            if target is not None:
                target.setdefault(text(row, "to_id"), []).append(text(row, "from_id"))
        return replaced, falsified

    def _tombstone(self, row: Row) -> None:
        capsule_id = text(row, "capsule_id")
        is_purge = text(row, "mode") == "purged"
        self.tombstones.append(
            Tombstone(
                tombstone_id=ids.tombstone_id(capsule_id),
                deleted_id=capsule_id,
                deleted_at=text(row, "at"),
                mode="privacy_purge" if is_purge else "audit_preserving",
                reason=text(row, "reason") or "other",
                content_hmac=text(row, "content_hmac"),
                path=f"{self.name}#tombstones",
            )
        )

    def _capsule(self, row: Row, capsule_id: str, standing: _Standings, about: Row) -> None:
        place = f"{self.name}#{capsule_id}"
        written = row.get("canonical_json")
        if written is None:
            self.left_out.append(LeftOut(place, None, "forgotten; only its marker is left"))
            return None
        source = str(written)
        try:
            capsule = json_values.parse(source)
        except ValueError as error:
            return self._problem("unreadable_capsule", f"cannot be read: {error}", at=place)
        if not isinstance(capsule, dict) or not text(capsule, "content").strip():
            return self._problem("unreadable_capsule", "holds no content", at=place)
        digest = hashlib.sha256(ids.utf8(source)).hexdigest()
        memory = _memory(row, capsule_id, capsule, standing, about, place, digest)
        self.places[capsule_id] = Place(place, None, digest)
        (self.history if memory.is_history else self.memories).append(memory)
        return None

    def _problem(
        self, code: str, message: str, advice: str = "", *, at: str = "", severity: str = "error"
    ) -> None:
        self.problems.append(
            Problem(
                code=code,
                path=at or self.name,
                message=f"this capsule {message}" if at else message,
                advice=advice or "It is kept as it is; nothing here writes to the store.",
                subject=at.rpartition("#")[2],
                severity=severity,
            )
        )


@dataclass(frozen=True, slots=True)
class _Standings:
    """All that a capsule stands under at once: its tier, and what replaces or falsifies it."""

    tier: str
    replaced_by: tuple[str, ...]
    falsified_by: tuple[str, ...]

    @property
    def standing(self) -> Standing:
        """The one of our standings that keeps a reader safest."""
        if self.replaced_by:
            return Standing.SUPERSEDED
        if self.falsified_by or self.tier == ARCHIVED:
            return Standing.DEPRECATED
        return Standing.ACTIVE if self.tier == "active" else Standing.CONTESTED

    @property
    def in_words(self) -> str:
        """Every standing but the ordinary one."""
        parts = []
        if self.replaced_by:
            parts.append(f"superseded by {', '.join(self.replaced_by)}")
        if self.falsified_by:
            parts.append(f"falsified by {', '.join(self.falsified_by)}")
        if self.tier != "active":
            parts.append(self.tier)
        return "; ".join(parts)


def _memory(
    row: Row,
    capsule_id: str,
    capsule: Row,
    standing: _Standings,
    about: Row,
    place: str,
    digest: str,
) -> Memory:
    provenance, freshness = inner(capsule, "provenance"), inner(capsule, "freshness")
    content = text(capsule, "content")
    project = text(inner(capsule, "scope"), "project_id") or text(row, "project_id")
    if text(about, "scope") == "global":
        project = ""
    return Memory(
        memory_id=capsule_id,
        statement=content,
        title=title_of(content),
        scopes=(f"project:{project}",) if project else ("global",),
        type="fact" if text(about, "kind") == "fact" else "other",
        kind=text(about, "kind"),
        tags=() if standing.tier == "active" else (f"{TIER_TAG}{standing.tier}",),
        confidence=number(capsule, "confidence"),
        trust_class=_TRUST.get(text(capsule, "authority_class") or text(row, "authority_class")),
        source=text(provenance, "source"),
        anchor=text(provenance, "anchor"),
        content_hash=ids.content_hash(content),
        valid_from=text(freshness, "valid_from") or text(row, "valid_from"),
        valid_to=text(freshness, "valid_to"),
        evidence_state=text(about, "evidence_state"),
        proof_hint=text(about, "proof_hint"),
        stale_if=text(about, "stale_if"),
        tainted=capsule.get("instruction_taint") is True,
        created=text(row, "created_at"),
        updated=text(row, "created_at"),
        standing=standing.standing,
        superseded_by=standing.replaced_by,
        active_memory_id=standing.replaced_by[0] if standing.replaced_by else "",
        archived_at=(text(row, "created_at") or "unknown") if standing.replaced_by else "",
        invalidated_reason=standing.in_words,
        path=place,
        revision=digest,
    )
