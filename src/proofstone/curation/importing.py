"""Bringing other stores' memories in, as tainted proposals (spec page 8, import).

An import rules on nothing: what it takes waits for a person like any capture, and says where it
came from. The same import again takes nothing twice. Everything in a source is accounted for:
taken, merged with what is held, rejected, or left, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from proofstone.curation import secrets
from proofstone.curation.anchored import anchor_root
from proofstone.curation.capture import CaptureDesk
from proofstone.curation.context import Context
from proofstone.curation.importing_beside import backing_for, capture_beside
from proofstone.curation.live import LiveNotes
from proofstone.curation.workspace import Workspace
from proofstone.domain import anchors, ids
from proofstone.domain.capture import Captured, Held, plan_capture
from proofstone.domain.capture_items import (
    EVIDENCE_STATES,
    IMPORTED,
    KINDS,
    MAX_FIELD_CHARACTERS,
    instant,
)
from proofstone.domain.records import (
    Holdings,
    Memory,
    Problem,
    Proposal,
    ProposalStatus,
    Standing,
)
from proofstone.domain.secrets_found import Confidence
from proofstone.domain.tombstone_index import TombstoneIndex
from proofstone.stores import Place, Store, StoreContents
from proofstone.stores.detect import detect
from proofstone.stores.nmemory import ARCHIVED, QUARANTINED, TIER_TAG
from proofstone.stores.pi import PiStore

ORIGIN = "import"
BATCH = 1_000
"""Items that are captured at once, as one group of the journal."""

TAKEN, MERGED, REJECTED, LEFT = "taken", "merged", "rejected", "left"
STATUSES = (TAKEN, MERGED, REJECTED, LEFT)

_FROM_CAPTURE = {"captured": TAKEN, "deduplicated": MERGED, "rejected": REJECTED}
_LOCATOR = re.compile(r"\A(?:items\[\d+\](?:\.\w+)?: )?ingest rejected: ")
_TITLE_SOURCE = 400
_LISTS = ("applies_when", "does_not_apply_when", "known_exceptions")

Json = dict[str, Any]
_Key = tuple[str, str]
"""The source and the words of an item."""
Capture = Callable[[Sequence[Json]], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What became of one thing in a source. ``id`` is the proposal or memory in the vault."""

    status: str
    source: str
    place: str
    id: str = ""
    reason: str = ""
    title: str = ""
    taint: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """Everything in the sources, row by row, and what is wrong with them as a whole."""

    sources: tuple[Store, ...]
    rows: tuple[ImportRow, ...]
    warnings: tuple[Problem, ...] = ()
    is_dry_run: bool = False

    def count(self, status: str) -> int:
        """How many rows have ``status``."""
        return sum(row.status == status for row in self.rows)


@dataclass(slots=True)
class _Found:
    """A source, read: the items to capture with their rows so far, and the rows of the rest."""

    store: Store
    items: list[Json] = field(default_factory=list)
    pending: list[ImportRow] = field(default_factory=list)
    described: dict[_Key, Json] = field(default_factory=dict)
    rows: list[ImportRow] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)


def import_stores(
    root: Path, sources: Sequence[Path], context: Context, *, dry_run: bool = False
) -> ImportReport:
    """Bring what ``sources`` remember into the vault ``root``, or say what would become of it.

    Every source is read before anything is written.

    Raises:
        ProofstoneError: a source is no known store or cannot be read, or the vault cannot be
            written; what was captured until then is whole.
    """
    workspace = Workspace.open(root, context)
    if not workspace.is_vault:
        backing_for(workspace)
    workspace.require_listed("import")
    found = [_read(detect(source), workspace) for source in sources]
    described = {key: value for one in found for key, value in one.described.items()}
    if dry_run:
        capture = _rehearsal(workspace)
    elif workspace.is_vault:
        capture = _captures(root, context, described)
    else:
        capture = _captures_beside(workspace, described)
    rows: list[ImportRow] = []
    for one in found:
        for start in range(0, len(one.items), BATCH):
            answered = capture(one.items[start : start + BATCH])
            pending = one.pending[start : start + BATCH]
            rows += [_answered(row, answer) for row, answer in zip(pending, answered, strict=True)]
        rows += one.rows
    return ImportReport(
        sources=tuple(one.store for one in found),
        rows=tuple(rows),
        warnings=tuple(warning for one in found for warning in one.warnings),
        is_dry_run=dry_run,
    )


def _captures(root: Path, context: Context, described: Mapping[_Key, Json]) -> Capture:
    desk = CaptureDesk(LiveNotes(root), context)

    def describe(captured: Captured) -> Proposal:
        return _described(captured, described)

    def capture(items: Sequence[Json]) -> Sequence[Mapping[str, Any]]:
        answer = desk.capture({"items": list(items)}, origin=ORIGIN, describe=describe)
        outcomes: list[Mapping[str, Any]] = answer["outcomes"]
        return outcomes

    return capture


def _captures_beside(workspace: Workspace, described: Mapping[_Key, Json]) -> Capture:
    def capture(items: Sequence[Json]) -> Sequence[Mapping[str, Any]]:
        return capture_beside(workspace, items, ORIGIN, lambda one: _described(one, described))

    return capture


def _described(captured: Captured, described: Mapping[_Key, Json]) -> Proposal:
    key = (captured.item.source, captured.item.content)
    return replace(captured.proposal, **described.get(key, {}))


def _rehearsal(workspace: Workspace) -> Capture:
    """What captures would answer; a batch sees what the ones before it would have captured."""
    held = Held.of(workspace.holdings)
    held.tombstones = TombstoneIndex.of(workspace.holdings.tombstones, workspace.purged)

    def capture(items: Sequence[Json]) -> Sequence[Mapping[str, Any]]:
        result = plan_capture(
            {"items": list(items)},
            held=held,
            now=workspace.context.timestamp(),
            project=workspace.settings.project,
            profile=workspace.settings.profile,
            origin=ORIGIN,
            find_secrets=secrets.find,
        )
        for proposal in result.proposals:
            held.add(proposal)
        outcomes: list[Mapping[str, Any]] = result.as_json()["outcomes"]
        return outcomes

    return capture


def _answered(row: ImportRow, answer: Mapping[str, Any]) -> ImportRow:
    status = _FROM_CAPTURE[answer["status"]]
    reason = _LOCATOR.sub("", answer.get("error", ""))
    if status == MERGED:
        reason = "the same words are held already"
    return ImportRow(
        status=status,
        source=row.source,
        place=row.place,
        id=answer.get("id", ""),
        reason=reason,
        # What was rejected may hold a secret: not a word of it is repeated.
        title="" if status == REJECTED else row.title,
        taint=tuple(answer.get("taint_findings", ())),
    )


def _read(store: Store, workspace: Workspace) -> _Found:
    contents = store.read()
    found = _Found(store)
    settled = _settled(workspace.holdings)
    base = store.root if store.root.is_dir() else store.root.parent
    anchored = anchor_root(workspace.root, workspace.settings.anchor_root)
    now = workspace.context.now()
    for subject in _subjects(contents):
        place = contents.places[_id(subject)]
        reason = _why_left(subject, now) or settled.get(ids.content_hash(subject.statement), "")
        if reason:
            found.rows.append(ImportRow(LEFT, store.kind, str(place), reason=reason))
            continue
        item = _item(subject, store, place, base, anchored)
        found.items.append(item)
        found.described[(item["source"], item["content"])] = _description(subject, store)
        title = secrets.masked(subject.title[:_TITLE_SOURCE])
        found.pending.append(ImportRow(TAKEN, store.kind, str(place), title=title))
    for problem in contents.problems:
        if problem.severity == "warning":
            found.warnings.append(problem)
        else:
            line = "" if problem.line is None else f":{problem.line}"
            place_text = f"{problem.path}{line}"
            found.rows.append(ImportRow(LEFT, store.kind, place_text, reason=problem.message))
    for left in contents.left_out:
        line = "" if left.line is None else f":{left.line}"
        found.rows.append(ImportRow(LEFT, store.kind, f"{left.path}{line}", reason=left.reason))
    return found


def _subjects(contents: StoreContents) -> Iterator[Memory | Proposal]:
    yield from contents.holdings.memories
    yield from contents.holdings.history
    yield from contents.holdings.proposals


def _why_left(subject: Memory | Proposal, now: datetime) -> str:
    """Why a record of another store is not proposed here; empty when it is."""
    if isinstance(subject, Proposal):
        return "" if subject.is_waiting else f"{subject.status.value} in its own store"
    if subject.standing in (Standing.SUPERSEDED, Standing.DELETED):
        return subject.invalidated_reason or f"{subject.standing.value} in its own store"
    for tier in (QUARANTINED, ARCHIVED):
        if f"{TIER_TAG}{tier}" in subject.tags:
            return f"{tier} in its own store"
    if subject.standing is Standing.DEPRECATED:
        return subject.invalidated_reason or "deprecated in its own store"
    ends = instant(_time(subject.valid_to, "T23:59:59Z"))
    return f"expired on {subject.valid_to}" if ends is not None and ends < now else ""


def _settled(holdings: Holdings) -> dict[str, str]:
    """Words that a person has ruled on here before: an import does not ask about them again."""
    settled: dict[str, str] = {}
    for version in holdings.history:
        if version.standing is not Standing.DELETED:
            by = ", ".join(version.superseded_by) or version.active_memory_id
            reason = f"replaced here before, by {by}" if by else "replaced here before"
            settled[ids.content_hash(version.statement)] = reason
    for proposal in holdings.proposals:
        if proposal.status is ProposalStatus.DISMISSED:
            reason = f"dismissed here before, as {proposal.proposal_id}"
            for words in filter(None, (proposal.statement, proposal.original_statement)):
                settled[ids.content_hash(words)] = reason
    for memory in holdings.memories:
        settled.pop(ids.content_hash(memory.statement), None)
    for proposal in holdings.proposals:
        if proposal.is_waiting:
            settled.pop(ids.content_hash(proposal.statement), None)
    return settled


def _item(
    subject: Memory | Proposal, store: Store, place: Place, base: Path, anchored: Path
) -> Json:
    """The capture item for a record: its words, and where exactly they were found."""
    item: Json = {
        "content": subject.statement,
        "source": _source(subject, store, place),
        "anchor": _anchor(subject, store, place, base, anchored),
        "authority_class": IMPORTED,
        "layer": subject.layer.value,
    }
    if subject.project:
        item["project_id"] = subject.project
    if subject.kind in KINDS:
        item["kind"] = subject.kind
    if subject.confidence is not None and 0 <= subject.confidence <= 1:
        item["confidence"] = subject.confidence
    if subject.evidence_state in EVIDENCE_STATES:
        item["evidence_state"] = subject.evidence_state
    for key in ("proof_hint", "stale_if"):
        if getattr(subject, key):
            item[key] = getattr(subject, key)
    for key, end_of_day in (("valid_from", "T00:00:00Z"), ("valid_to", "T23:59:59Z")):
        time = _time(getattr(subject, key), end_of_day)
        if time:
            item[key] = time
    return item


def _description(subject: Memory | Proposal, store: Store) -> Json:
    """What a record says of itself that captures have no field for.

    A tag is the topic that proposals are matched by. Only one program means it so; the tags of
    others group notes of many topics, and become words to search by.
    """
    tags = tuple(tag for tag in subject.tags if not tag.startswith(TIER_TAG))
    fields: Json = {"title": subject.title, "keywords": subject.keywords}
    if store.kind == PiStore.kind:
        fields["tags"] = tags
    else:
        fields["keywords"] = tuple(dict.fromkeys((*subject.keywords, *tags)))
    for name in ("rule_type", "stability", *_LISTS):
        fields[name] = getattr(subject, name)
    return {name: value for name, value in fields.items() if value and not _must_not_come(value)}


def _must_not_come(value: str | tuple[str, ...]) -> bool:
    """Whether a describing text is beyond the size of a field, or holds a secret."""
    text = value if isinstance(value, str) else "\n".join(value)
    if len(text) > MAX_FIELD_CHARACTERS:
        return True
    return any(finding.confidence is Confidence.HIGH for finding in secrets.find(text))


def _source(subject: Memory | Proposal, store: Store, place: Place) -> str:
    """Which store, which place in it, and the hash of what stood there."""
    name = f"{store.kind} {store.root.name}" if store.root.is_dir() else store.kind
    parts = [f"{name} {place} sha256:{place.digest}"]
    if subject.source and subject.source != store.kind:
        parts.append(f"from {subject.source}")
    return " · ".join(" ".join(part.split()) for part in parts)[:3_900]


def _anchor(
    subject: Memory | Proposal, store: Store, place: Place, base: Path, anchored: Path
) -> str:
    """``path:line``, relative to the anchor root where the file lies in it, so that drift shows."""
    own = subject.anchor
    if own and own != str(place) and anchors.line_count(own) <= anchors.MAX_LINES:
        return own
    if place.line is None:
        return f"doc-{re.sub(r'[^A-Za-z0-9._#/-]+', '-', place.path)}"
    file = base / place.path
    if file.is_relative_to(anchored):
        file = file.relative_to(anchored)
    return f"{file.as_posix()}:{place.line}"


def _time(text: str, rest: str) -> str:
    """An RFC 3339 time from what another program wrote; a date alone is completed by ``rest``."""
    for candidate in (text, f"{text}{rest}", f"{text}Z"):
        if text and instant(candidate) is not None:
            return candidate
    return ""


def _id(subject: Memory | Proposal) -> str:
    return subject.proposal_id if isinstance(subject, Proposal) else subject.memory_id
