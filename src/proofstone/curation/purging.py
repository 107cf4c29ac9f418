"""Privacy purges: what one would do, and doing it (spec page 6, Privacy purge).

A purge cannot be undone. So it is shown whole first, asks for the subject's short id, typed, and
is planned again, from what is there by then, under the vault's lock.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofstone.curation.digests import ruling_digest
from proofstone.curation.foreign import StoreBacking
from proofstone.curation.purge_plan import PurgePlan, Told, plan_purge
from proofstone.curation.purge_store import own_records, plan_store_purge
from proofstone.curation.rulings import Applied
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.purging import PurgeScope, scope_of
from proofstone.domain.rulings.guards import require_one_of
from proofstone.domain.rulings.terms import (
    TOMBSTONE_REASONS,
    Choices,
    Need,
    RulingMoment,
    RulingRefused,
    short_id,
)
from proofstone.vault import transaction
from proofstone.vault.hmac_key import ensure_key
from proofstone.vault.journal import PURGE
from proofstone.vault.purge import PurgeWrite
from proofstone.vault.purge_scan import version_control

_CANNOT = "A purge cannot be undone."
_SHOWN_OTHERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePreview:
    """What a purge would do, before anything is written.

    ``files`` are all that it changes or removes, ``others`` those that hold the words and are left
    alone; each is a path and what becomes of it, or why nothing does. ``warning`` is what a person
    must have read. ``subjects`` are the memories and proposals that go.
    """

    subject: str
    short_id: str
    files: tuple[Told, ...]
    others: tuple[Told, ...]
    warning: str
    subjects: tuple[str, ...]


def preview_purge(workspace: Workspace, subject: str) -> PurgePreview:
    """Every file that holds the words of ``subject``, and what would become of it.

    Raises:
        RulingRefused: there is nothing of that id to purge, or the store is only read.
        ProofstoneError: a file that has to change cannot be read.
    """
    _require_writable(workspace)
    scope = _scope(workspace, subject)
    plan = _plan(workspace, scope, _moment(workspace, subject), TOMBSTONE_REASONS[0], None)
    return PurgePreview(
        subject=subject,
        short_id=short_id(subject),
        files=plan.files,
        others=plan.others,
        warning=_warning(workspace, plan),
        subjects=tuple(sorted(scope.ids)),
    )


def purge(workspace: Workspace, subject: str, choices: Choices) -> Applied:
    """Purge ``subject`` for good. ``choices`` need a tombstone's reason and the typed short id.

    Raises:
        RulingRefused: the reason or the confirmation is missing, or there is nothing to purge.
        ProofstoneError: what it concerns is no longer what was seen, or cannot be written.
    """
    _require_writable(workspace)
    require_one_of(choices.reason, TOMBSTONE_REASONS, "purge")
    if choices.confirm not in (short_id(subject), subject):
        raise RulingRefused(
            f"{_CANNOT} To purge {subject}, type its short id: {short_id(subject)}", Need.CONFIRM
        )
    seen = _seen(_scope(workspace, subject))
    told: list[PurgePlan] = []

    def planned() -> PurgeWrite:
        present = workspace.reload()
        scope = _scope(present, subject)
        if _seen(scope) != seen:
            raise ProofstoneError(
                f"purge {subject}: what it concerns has changed since it was shown; look again"
            )
        moment = _moment(present, subject)
        key = ensure_key(present.state)
        plan = _plan(present, scope, moment, choices.reason, key)
        told.append(plan)
        return PurgeWrite(
            ruling=moment.ruling(PURGE, subject, Choices(reason=choices.reason)),
            changes=plan.changes,
            removed=plan.removed,
            objects=plan.objects,
            rows=plan.rows,
        )

    backing = workspace.backing
    if isinstance(backing, StoreBacking):
        written = backing.write_purge(planned)
    else:
        written = transaction.apply_purge(workspace.root, planned)
    return Applied(
        group=written.ruling.group,
        rulings=(written.ruling.ruling_id,),
        summary=_summary(subject, told[0]),
        changes=written.changes,
    )


def _require_writable(workspace: Workspace) -> None:
    if refusal := workspace.backing.capabilities.read_only:
        raise RulingRefused(refusal)
    workspace.require_listed("purge")


def _scope(workspace: Workspace, subject: str) -> PurgeScope:
    held = workspace.holdings
    return scope_of(held if workspace.is_vault else own_records(held), subject)


def _plan(
    workspace: Workspace, scope: PurgeScope, moment: RulingMoment, reason: str, key: bytes | None
) -> PurgePlan:
    backing = workspace.backing
    if isinstance(backing, StoreBacking):
        return plan_store_purge(workspace, backing, scope, moment, reason, key)
    return plan_purge(workspace, scope, moment, reason, key)


def _moment(workspace: Workspace, subject: str) -> RulingMoment:
    time = workspace.context.timestamp()
    group = ruling_digest("grp", workspace.journal_head, PURGE, subject, time)
    return RulingMoment(
        ruling_id=ruling_digest("rul", group, subject),
        group=group,
        time=time,
        author=workspace.context.author,
        via=workspace.context.via,
    )


def _seen(scope: PurgeScope) -> frozenset[tuple[str, str]]:
    """The notes that go or are emptied, each as it was read."""
    notes = (*scope.statements, *scope.records, *scope.inquiries)
    return frozenset((note.path, note.revision) for note in notes)


def _warning(workspace: Workspace, plan: PurgePlan) -> str:
    said = [_CANNOT]
    if plan.objects:
        said.append("Earlier rulings on it, and those of their batches, cannot be undone after it.")
    kept = version_control(workspace.root)
    where = f"What {kept} and backups keep" if kept else "What backups keep"
    said.append(f"{where} of this {'vault' if workspace.is_vault else 'store'} is not touched.")
    if not workspace.is_vault:
        said.append("Nor are the sessions that its program keeps elsewhere.")
    if workspace.purged.is_blind:
        said.append(
            "The key of earlier purges is missing: a new one is made, and what they purged is not "
            "told any more when it comes back."
        )
    if plan.others:
        count = len(plan.others)
        files = "file is" if count == 1 else "files are"
        said.append(f"{count} other {files} left alone, and must be seen to by hand.")
    return " ".join(said)


def _summary(subject: str, plan: PurgePlan) -> str:
    summary = f"purged {subject}: {len(plan.files)} files changed or removed; it cannot be undone"
    if plan.others:
        named = ", ".join(path for path, _ in plan.others[:_SHOWN_OTHERS])
        more = len(plan.others) - _SHOWN_OTHERS
        summary += f"; left alone, and perhaps holding the words: {named}"
        summary += f" and {more} more" if more > 0 else ""
    return summary
