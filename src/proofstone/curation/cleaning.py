"""Cleaning: removing the captured text of settled turns past retention (spec page 2).

It cannot be undone: keeping the text for an undo would be keeping it. So it is shown first, and
planned again, from what is there by then, under the vault's lock. What stays of a turn is what its
Gate record says, and the quotes in proposals and evidence records.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from proofstone.curation.cleaning_due import Due, DueTurn, HeldTurn, due_turns
from proofstone.curation.digests import ruling_digest
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import Cleaned, CleanedEvent
from proofstone.domain.plan import FileChange, Ruling
from proofstone.vault import transaction
from proofstone.vault.cleaned_record import with_cleaned
from proofstone.vault.inbox_removal import without_events
from proofstone.vault.journal import CLEAN
from proofstone.vault.layout import OBJECTS
from proofstone.vault.purge import PurgeWrite
from proofstone.vault.purge_scan import version_control
from proofstone.vault.swap import temporary_name


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningPreview:
    """What cleaning would do. ``due`` lose their text; ``held`` are settled and keep it.

    ``warning`` is what a person must have read.
    """

    due: tuple[DueTurn, ...]
    held: tuple[HeldTurn, ...]
    warning: str
    unprocessed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningDone:
    """What was cleaned: the turns by reference and the files that changed."""

    turns: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    ruling: str = ""


def preview_cleaning(workspace: Workspace, *, unprocessed: bool = False) -> CleaningPreview:
    """The settled turns that are past retention, and those that keep their text.

    With ``unprocessed``, turns that memleaf has captured and not come to yet do not wait for it.

    Raises:
        ProofstoneError: this is another program's store, whose turns are not ours to clean.
    """
    workspace.require_vault("cleaning")
    found = due_turns(workspace, unprocessed=unprocessed)
    kept = version_control(workspace.root)
    where = f"What {kept} and backups keep" if kept else "What backups keep"
    return CleaningPreview(
        due=found.due,
        held=found.held,
        warning="Cleaning removes captured text for good and cannot be undone. Ids, decisions and "
        "reasons stay, and so do quotes in Gate answers, proposals and evidence records. "
        f"{where} of this vault is not touched.",
        unprocessed=unprocessed,
    )


def clean(workspace: Workspace, preview: CleaningPreview) -> CleaningDone:
    """Remove the text of the turns that ``preview`` names as due; nothing when it names none.

    Raises:
        ProofstoneError: one of them is no longer due, or the vault cannot be written.
    """
    if not preview.due:
        return CleaningDone()
    wanted = {turn.reference: turn.view.turn for turn in preview.due}

    def planned() -> PurgeWrite:
        present = workspace.reload()
        found = due_turns(present, unprocessed=preview.unprocessed)
        chosen = [turn for turn in found.due if wanted.get(turn.reference) == turn.view.turn]
        if len(chosen) != len(wanted):
            missing = next(iter(wanted.keys() - {turn.reference for turn in chosen}))
            raise ProofstoneError(
                f"clean: turn {missing} has changed since it was shown; nothing was removed, "
                "look again"
            )
        return _work(present, found, chosen)

    written = transaction.apply_purge(workspace.root, planned)
    return CleaningDone(
        turns=tuple(wanted),
        files=tuple(change.path for change in written.changes),
        ruling=written.ruling.ruling_id,
    )


def _work(workspace: Workspace, found: Due, chosen: list[DueTurn]) -> PurgeWrite:
    ruling = _ruling(workspace, [turn.reference for turn in chosen])
    keys: dict[str, list[str]] = defaultdict(list)
    for turn in chosen:
        for path in turn.files:
            keys[path] += (event.event_key for event in turn.view.turn.events)
    captured = [
        FileChange(
            path=path, before=found.before[path], after=without_events(found.before[path], gone)
        )
        for path, gone in keys.items()
    ]
    return PurgeWrite(
        ruling=ruling,
        changes=(*captured, *(_kept(workspace, ruling, turn) for turn in chosen)),
        removed=tuple(_leftovers(workspace, keys)),
        objects=_objects_with(workspace, frozenset(keys)),
        events={path: tuple(gone) for path, gone in keys.items()},
    )


def _kept(workspace: Workspace, ruling: Ruling, turn: DueTurn) -> FileChange:
    """The turn's Gate record, with what is kept of the turn."""
    captured, gate = turn.view.turn, turn.view.gate
    assert gate is not None
    before = workspace.bytes_of(gate.path)
    assert before is not None
    cleaned = Cleaned(
        at=ruling.time,
        by=ruling.author,
        ruling=ruling.ruling_id,
        source=captured.source,
        session_id=captured.session_id,
        turn_index=captured.turn_index,
        turn_id=captured.turn_id,
        events=tuple(
            CleanedEvent(
                event_key=event.event_key, role=event.role.value, timestamp=event.timestamp
            )
            for event in captured.events
        ),
        dispositions=tuple(turn.view.dispositions.values()),
    )
    return FileChange(path=gate.path, before=before, after=with_cleaned(before, cleaned))


def _leftovers(workspace: Workspace, paths: dict[str, list[str]]) -> list[str]:
    """Temporary files that a capture which was killed left beside the inbox files."""
    beside = (f"{path.rpartition('/')[0]}/{temporary_name('captured', path)}" for path in paths)
    return [path for path in beside if (workspace.root / path).is_file()]


def _objects_with(workspace: Workspace, paths: frozenset[str]) -> tuple[str, ...]:
    """Objects of purges that hold one of the inbox files as it was then.

    Cleanings keep none, and no other ruling changes an inbox file.
    """
    names = {
        entry.objects
        for entry in workspace.journal.read()
        if entry.action != CLEAN and any(change.path in paths for change in entry.changes)
    }
    return tuple(sorted(name for name in names if (workspace.root / OBJECTS / name).is_file()))


def _ruling(workspace: Workspace, references: list[str]) -> Ruling:
    time = workspace.context.timestamp()
    group = ruling_digest("grp", workspace.journal_head, CLEAN, references, time)
    return Ruling(
        ruling_id=ruling_digest("rul", group, references),
        group=group,
        time=time,
        author=workspace.context.author,
        via=workspace.context.via,
        action=CLEAN,
        subject=references[0] if len(references) == 1 else f"{len(references)} turns",
        choices={"turns": tuple(references)},
    )
