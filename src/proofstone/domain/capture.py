"""The capture contract: a payload from an agent becomes proposals (spec page 4, Capture).

Nothing here writes. `plan_capture` says what became of each item and what is to be written; the
clock, the files behind anchors and what the vault holds come in from outside.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from proofstone.domain import ids, secrets_found, taint
from proofstone.domain.capture_held import Held, HeldItem
from proofstone.domain.capture_items import (
    IMPORTED,
    CaptureItem,
    Fault,
    FindSecrets,
    project_slug,
    read_item,
    shape_fault,
    shown,
    shown_name,
)
from proofstone.domain.capture_result import Captured, CaptureResult, Outcome, Relabel
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Durability, Proposal, Statement
from proofstone.domain.rulings.steps import title_of
from proofstone.domain.siblings import SIBLING_LIMIT, SiblingIndex

__all__ = [
    "CaptureRefusedError",
    "CaptureResult",
    "Captured",
    "Held",
    "HeldItem",
    "Outcome",
    "Relabel",
    "plan_capture",
]

MAX_ITEMS = 10_000

_REJECTED = "ingest rejected: "
_EPISTEMICS = ("evidence_state", "proof_hint", "stale_if")
_EVENT_TIMES = ("event_at", "event_from", "event_to")


class CaptureRefusedError(ProofstoneError):
    """The whole call is refused: it is neither an item nor a batch, so it has no rows."""


def plan_capture(
    payload: object,
    *,
    held: Held,
    now: str,
    project: str = "",
    client: str | None = None,
    profile: str = "",
    origin: str = "capture",
    find_secrets: FindSecrets = secrets_found.find,
    hash_anchor: Callable[[str], str | None] | None = None,
) -> CaptureResult:
    """Say what becomes of ``payload``, one item or ``{"items": […]}``, and plan its proposals.

    ``now`` is RFC 3339. ``project`` is the vault's, empty when it has none: then the slug of the
    client's name is the default. ``hash_anchor`` gives the SHA-256 of the file that an anchor
    names inside the anchor root. With origin ``import`` every item is born tainted.

    Raises CaptureRefusedError when the payload is neither form, or a single item has a wrong shape.
    """
    plan = _Plan(
        held=held,
        now=now,
        project=project or project_slug(client or ""),
        is_project_given=bool(project),
        profile=profile,
        origin=origin,
        find_secrets=find_secrets,
        hash_anchor=hash_anchor or (lambda _anchor: None),
    )
    items, is_batch = _items(payload)
    for position, raw in enumerate(items):
        plan.take(raw, f"items[{position}]" if is_batch else "")
    return plan.result()


def _items(payload: object) -> tuple[Sequence[object], bool]:
    if not isinstance(payload, Mapping):
        raise CaptureRefusedError('capture takes one item object, or {"items": [...]}')
    if "items" not in payload:
        fault = shape_fault(payload)
        if fault:
            at = f"{fault.field}: " if fault.field else ""
            raise CaptureRefusedError(f"{at}{_REJECTED}{fault.message}")
        return (payload,), False
    others = [shown_name(name) for name in payload if name != "items"]
    if others:
        raise CaptureRefusedError(
            f"items and {', '.join(others)} exclude each other: send one item or a list, not both"
        )
    items = payload["items"]
    if not isinstance(items, (list, tuple)):
        raise CaptureRefusedError("items must be an array of item objects")
    if len(items) > MAX_ITEMS:
        raise CaptureRefusedError(f"items has {len(items)} entries; at most {MAX_ITEMS} are taken")
    return items, True


@dataclass(slots=True, kw_only=True)
class _Plan:
    """A batch under way: items run in order, and later ones see what earlier ones captured."""

    held: Held
    now: str
    project: str
    is_project_given: bool
    profile: str
    origin: str
    find_secrets: FindSecrets
    hash_anchor: Callable[[str], str | None]
    outcomes: list[Outcome] = field(default_factory=list)
    created: dict[str, Captured] = field(default_factory=dict)
    relabels: dict[str, dict[str, str | bool]] = field(default_factory=dict)
    fresh: SiblingIndex = field(default_factory=SiblingIndex)

    def take(self, raw: object, locator: str) -> None:
        """Decide about one item."""
        fault = shape_fault(raw)
        item = fault or read_item(_mapping(raw), self.now, self.find_secrets)
        if isinstance(item, CaptureItem):
            fault = self._held_fault(item)
        else:
            fault = item
        if fault is not None:
            at = ".".join(filter(None, (locator, fault.field)))
            error = f"{at}: {_REJECTED}{fault.message}" if at else _REJECTED + fault.message
            self.outcomes.append(Outcome(status="rejected", error=error))
        elif isinstance(item, CaptureItem):
            self.outcomes.append(self._accept(item))

    def result(self) -> CaptureResult:
        """Everything decided so far."""
        relabels = []
        for id, changes in self.relabels.items():
            existing = self.held.by_id[id]
            present = existing.statement
            real = {name: now for name, now in changes.items() if getattr(present, name) != now}
            if real:
                relabels.append(Relabel(id, existing.is_memory, real))
        return CaptureResult(
            outcomes=tuple(self.outcomes),
            created=tuple(self.created.values()),
            relabels=tuple(relabels),
        )

    def _held_fault(self, item: CaptureItem) -> Fault | None:
        """What is wrong with an item in view of what is held; checked before anything is kept."""
        if item.session_id:
            is_open = self.held.sessions.get(item.session_id)
            if not is_open:
                why = "unknown" if is_open is None else "finished"
                return Fault(
                    f"session {shown(item.session_id)} is {why}; start one, or leave it out"
                )
        if item.supersedes:
            if self.held.tombstones.for_id(item.supersedes):
                return Fault(f"supersedes {shown(item.supersedes)}, which is a tombstone")
            if item.supersedes not in self.held.known_ids and not any(
                one.proposal.proposal_id == item.supersedes for one in self.created.values()
            ):
                return Fault(f"supersedes {shown(item.supersedes)}, which names nothing held here")
        forgotten = self.held.tombstones.for_content(item.content)
        if forgotten:
            return Fault(
                f"this content was forgotten by a ruling on {self._deleted_id(forgotten[0])};"
                " only a person can lift that"
            )
        return None

    def _deleted_id(self, tombstone_id: str) -> str:
        for tombstone in self.held.tombstones.by_id.values():
            if tombstone.tombstone_id == tombstone_id:
                return tombstone.deleted_id
        return tombstone_id

    def _accept(self, item: CaptureItem) -> Outcome:
        digest = ids.content_hash(item.content)
        findings = self._findings(item)
        existing = self.held.by_content.get(digest)
        if digest in self.created:
            return self._again_in_batch(digest, item, findings)
        if existing is not None:
            return self._again(existing, item, findings)
        proposal = self._proposal(item, digest, findings)
        # One question for both: looking for candidates is most of what an item costs.
        held = self.held.siblings.question(item.content)
        nearest = sorted([*held.ranked(1), *self.fresh.ranked(item.content, 1)])
        siblings = held.nearest(
            SIBLING_LIMIT,
            accept=lambda id: self._is_sibling(id, proposal.project),
            exclude=(item.supersedes,),
        )
        order = f"{self.now}#{len(self.created):06}"
        self.created[digest] = Captured(item, proposal)
        self.fresh.add(proposal.proposal_id, item.content, order)
        return Outcome(
            status="captured",
            id=proposal.proposal_id,
            dedup_hint=nearest[0].sibling if nearest else None,
            siblings=siblings,
            taint_findings=findings,
            superseded=item.supersedes,
        )

    def _is_sibling(self, id: str, project: str) -> bool:
        one = self.held.by_id[id]
        return one.is_active and one.project == project

    def _again(self, existing: HeldItem, item: CaptureItem, findings: tuple[str, ...]) -> Outcome:
        """The same content once more: at most labels change."""
        changes = self.relabels.setdefault(existing.id, {})
        present = existing.statement
        was = str(changes.get("kind", present.kind))
        changes.update(_labels(present, changes, item, findings, self.origin))
        if existing.is_memory:
            for name in [name for name in changes if name != "kind"]:
                del changes[name]
        return _deduplicated(existing.id, was, item.kind, findings)

    def _again_in_batch(self, digest: str, item: CaptureItem, findings: tuple[str, ...]) -> Outcome:
        first = self.created[digest]
        changes = _labels(first.proposal, {}, item, findings, self.origin)
        proposal = dataclasses.replace(first.proposal, **changes)  # type: ignore[arg-type]
        self.created[digest] = Captured(first.item, proposal)
        return _deduplicated(proposal.proposal_id, first.proposal.kind, item.kind, findings)

    def _findings(self, item: CaptureItem) -> tuple[str, ...]:
        found: list[str] = []
        for name, text in item.scanned_texts:
            where = "" if name == "content" else f" (in {name})"
            found.extend(f"{finding}{where}" for finding in taint.scan(text))
        return tuple(dict.fromkeys(found))

    def _proposal(self, item: CaptureItem, digest: str, findings: tuple[str, ...]) -> Proposal:
        project = item.project_id or self.project
        scopes = (f"project:{project}",) if project else ("global",)
        is_said = bool(item.project_id)
        return Proposal(
            proposal_id=ids.proposal_id(
                item.content, profile=self.profile, scopes=scopes, layer=item.layer
            ),
            statement=item.content,
            title=title_of(item.content),
            origin=self.origin,
            layer=item.layer,
            type="fact" if item.kind == "fact" else "other",
            scopes=scopes,
            scope_source="model" if is_said else "session_context",
            profile=self.profile,
            kind=item.kind,
            confidence=item.confidence,
            trust_class=item.trust_class,
            durability_signal=Durability.UNKNOWN,
            supersedes=(item.supersedes,) if item.supersedes else (),
            source=item.source,
            anchor=item.anchor,
            anchor_hash=self.hash_anchor(item.anchor) or "",
            content_hash=digest,
            valid_from=item.valid_from,
            valid_to=item.valid_to,
            event_at=item.event_at,
            event_from=item.event_from,
            event_to=item.event_to,
            evidence_state=item.evidence_state,
            proof_hint=item.proof_hint,
            stale_if=item.stale_if,
            tainted=_is_tainted(item, findings, self.origin),
            created=self.now,
            updated=self.now,
        )


def _labels(
    present: Statement,
    changed: Mapping[str, str | bool],
    item: CaptureItem,
    findings: tuple[str, ...],
    origin: str,
) -> dict[str, str | bool]:
    """What capturing ``present`` again as ``item`` changes: nothing given is ever cleared."""
    labels: dict[str, str | bool] = {}

    def now(name: str) -> str | bool:
        value = changed.get(name, getattr(present, name))
        return value if isinstance(value, bool) else str(value)

    for name in ("kind", *_EPISTEMICS):
        given = str(getattr(item, name))
        if given and given != now(name):
            labels[name] = given
    if not any(now(name) for name in _EVENT_TIMES):
        labels.update((name, getattr(item, name)) for name in _EVENT_TIMES if getattr(item, name))
    if _is_tainted(item, findings, origin) and not now("tainted"):
        labels["tainted"] = True
    return labels


def _deduplicated(id: str, was: str, now: str, findings: tuple[str, ...]) -> Outcome:
    return Outcome(
        status="deduplicated",
        id=id,
        taint_findings=findings,
        reclassified=(was, now) if was and now and was != now else None,
    )


def _is_tainted(item: CaptureItem, findings: tuple[str, ...], origin: str) -> bool:
    imported = item.authority_class == IMPORTED or origin == "import"
    return item.taint or bool(findings) or imported


def _mapping(raw: object) -> Mapping[str, object]:
    return raw if isinstance(raw, Mapping) else {}
