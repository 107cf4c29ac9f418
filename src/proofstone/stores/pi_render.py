"""Rulings in a pi-persistent-intelligence root: a patch file, and the lines that it changes.

PI writes a patch as ``proposed``, changes lines, and writes the patch again as ``applied``. Here
all files of a ruling are swapped in one transaction, so the patch is written as ``applied`` at
once, and first: whatever is cut short, no line is changed of which no patch tells, and the next
opening finishes the ruling or takes it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofstone.domain import ids
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    FileChange,
    NoteKind,
    Operation,
    RulingPlan,
)
from proofstone.domain.records import Problem, ProposalStatus, Standing
from proofstone.stores.files import MAX_JSON_BYTES, MAX_LINES_BYTES
from proofstone.stores.json_values import digest, text, texts
from proofstone.stores.line_file import LineFile
from proofstone.stores.pi_files import (
    CAPTURED,
    EVIDENCE,
    INQUIRIES,
    L1,
    L2,
    META,
    PATCHES,
    PROJECTS,
    TOMBSTONES,
)
from proofstone.stores.pi_patch import Patch, free_patch_id
from proofstone.stores.pi_shells import stone_id
from proofstone.stores.pi_values import (
    Json,
    file_of,
    listed,
    record_of,
    require_editable,
    updates_of,
)
from proofstone.stores.source import Source

SHORT_HASH = 32
"""Hex digits of a content hash in a tombstone."""

_ACCEPTED = (ProposalStatus.RATIFIED.value, ProposalStatus.SUPERSEDING.value)
_GONE = ("redacted", "deleted")


def render(source: Source, plan: RulingPlan) -> tuple[FileChange, ...]:
    """The changes that carry ``plan`` out: the patch file first, then the lines.

    Nothing when the plan concerns only what the format has no place for.

    Raises:
        RulingRefused: a person asked for what has no place in a record.
        ProofstoneError: a line is no longer what the plan was made for.
    """
    if plan.ruling.action == "edit":
        require_editable(listed(plan.ruling.choices.get("edited")))
    drawing = _Drawing(source, plan)
    for operation in plan.operations:
        drawing.draw(operation)
    return drawing.changes()


class _Drawing:
    """The files that a plan touches, and the patch that tells of it."""

    def __init__(self, source: Source, plan: RulingPlan) -> None:
        self._source = source
        self._ruling = plan.ruling
        self._date = plan.ruling.time[:10]
        self._files: dict[str, LineFile] = {}
        taken = source.names(PATCHES, ".json")
        self._patch = Patch(free_patch_id(plan.ruling.time, taken), plan)

    def draw(self, operation: Operation) -> None:
        match operation.ref.kind, operation:
            case NoteKind.MEMORY, CreateNote():
                self._add(operation)
            case NoteKind.MEMORY, ChangeNote(moved_to=None):
                self._update(operation)
            case NoteKind.MEMORY, ChangeNote(keep_source=False):
                self._end(operation)
            case NoteKind.PROPOSAL, ChangeNote():
                if operation.moved_to is not None:
                    self._settle(operation)
            case NoteKind.EVIDENCE, ChangeNote():
                self._link(operation)
            case NoteKind.TOMBSTONE, CreateNote():
                self._bury(operation)
            case NoteKind.INQUIRY, CreateNote():
                self._ask(operation)
            case NoteKind.INQUIRY, ChangeNote():
                self._answer(operation)

    def changes(self) -> tuple[FileChange, ...]:
        changed = [change for file in self._files.values() if _differs(change := file.change())]
        if not changed:
            return ()
        path = f"{PATCHES}/{self._patch.patch_id}.json"
        return (FileChange(path=path, before=None, after=self._patch.written()), *changed)

    def _add(self, operation: CreateNote) -> None:
        record = record_of(operation.fields, operation.body, self._date)
        record["evidence"] = self._evidence_of(listed(operation.fields.get("evidence")))
        self._file(file_of(record)).append(record)
        self._patch.add(record)

    def _update(self, operation: ChangeNote) -> None:
        file, place = self._record(operation)
        record = file.value(place)
        updates = updates_of(operation.set, operation.unset, operation.body, record, self._date)
        evidence = self._more_evidence(operation, record)
        if evidence:
            updates = {**updates, "evidence": evidence, "updated_at": self._date}
        if "standing" in operation.set:
            self._contest(file, place, record, updates)
            return
        if not updates and "updated" in operation.set:
            updates = {"updated_at": self._date}
        if not updates:
            return
        changed = {**record, **updates}
        target = file_of(changed)
        if target == file.path or target == file_of(record):
            file.replace(place, changed)
        else:
            file.remove(place)
            self._file(target).append(changed)
        self._patch.update(operation.ref.id, updates)

    def _contest(self, file: LineFile, place: int, record: Json, updates: Json) -> None:
        reason = self._ruling.reason
        if reason:
            said = {"type": "manual", "ref": self._patch.patch_id, "note": reason}
            updates = {**updates, "evidence": [*record.get("evidence", ()), said]}
        file.replace(place, {**record, **updates})
        self._patch.contest(text(record, "id"), updates["status"] == Standing.CONTESTED)

    def _end(self, operation: ChangeNote) -> None:
        file, place = self._record(operation)
        record = file.value(place)
        updates: Json = {"status": operation.set["standing"], "updated_at": self._date}
        successors = listed(operation.set.get("superseded_by"))
        if successors:
            present = texts(record, "superseded_by")
            updates["superseded_by"] = list(dict.fromkeys((*present, *successors)))
        file.replace(place, {**record, **updates})
        if updates["status"] == Standing.DELETED:
            self._patch.delete(operation.ref.id)
        else:
            self._patch.supersede(operation.ref.id, updates)

    def _settle(self, operation: ChangeNote) -> None:
        """Say in the inbox what became of a candidate; a report's candidates have no status."""
        accepted = operation.set["status"] in _ACCEPTED
        self._patch.settle(operation.ref.id, accepted=accepted)
        file = self._file(CAPTURED)
        place = file.find(operation.ref.id, operation.revision)
        if place is None:
            self._require_reported(operation)
            return
        status = "patched" if accepted else "rejected"
        file.replace(place, {**file.value(place), "status": status})

    def _link(self, operation: ChangeNote) -> None:
        file = self._file(EVIDENCE)
        place = self._place(file, operation)
        related = listed(operation.set.get("memory_ids"))
        file.replace(place, {**file.value(place), "related_memory_ids": related})

    def _bury(self, operation: CreateNote) -> None:
        """PI goes by the id of the record, so a candidate is buried as what it would become."""
        deleted = ids.memory_id_for(str(operation.fields["deleted_id"]))
        time = str(operation.fields["deleted_at"])
        file = self._file(TOMBSTONES)
        if any(text(stone, "deleted_record_id") == deleted for stone in file.objects()):
            return
        file.append(
            {
                "id": stone_id(deleted, time),
                "deleted_record_id": deleted,
                "deleted_at": time,
                "deletion_mode": operation.fields["mode"],
                "deletion_reason": operation.fields["reason"],
                "content_hash": str(operation.fields["content_hash"])[:SHORT_HASH],
                "content_removed": True,
            }
        )

    def _ask(self, operation: CreateNote) -> None:
        fields = operation.fields
        day = str(fields.get("opened", self._date))[:10]
        self._file(INQUIRIES).append(
            {
                "id": operation.ref.id,
                "question": fields["question"],
                "context": operation.body,
                "tags": [],
                "related_memory_ids": listed(fields.get("concerns")),
                "sessions_touched": [],
                "first_seen": day,
                "last_seen": day,
                "status": fields["status"],
                "priority": fields["priority"],
            }
        )

    def _answer(self, operation: ChangeNote) -> None:
        file = self._file(INQUIRIES)
        place = self._place(file, operation)
        inquiry = {**file.value(place), "status": operation.set["status"], "last_seen": self._date}
        if "answer" in operation.unset:
            inquiry.pop("answer_memory_id", None)
        answer = str(operation.set.get("answer", "")).rpartition(" ")[2]
        if answer.startswith(("mem_", "mem-")):
            inquiry["answer_memory_id"] = answer
        if operation.body is not None:
            inquiry["context"] = operation.body
        file.replace(place, inquiry)

    def _evidence_of(self, evidence_ids: list[str]) -> list[Json]:
        """What a record says of its support: at least one entry, or PI hides it."""
        stored = {text(one, "id"): one for one in self._file(EVIDENCE).objects()}
        found = [
            _reference(stored[name])
            for name in evidence_ids
            if name in stored and text(stored[name], "redaction_status") not in _GONE
        ]
        said = f"Put in force by {self._ruling.author}."
        note = f"{said} {self._ruling.reason}".strip()
        return found or [{"type": "manual", "ref": self._patch.patch_id, "note": note}]

    def _more_evidence(self, operation: ChangeNote, record: Json) -> list[Json]:
        """The record's evidence with what a proposal adds to it; empty when that is nothing."""
        wanted = set(listed(operation.set.get("evidence")))
        present = [one for one in record.get("evidence", ()) if isinstance(one, dict)]
        wanted -= {text(one, "ref") for one in present}
        stored = [
            one
            for one in self._file(EVIDENCE).objects()
            if text(one, "id") in wanted
            and text(record, "id") not in texts(one, "related_memory_ids")
            and text(one, "redaction_status") not in _GONE
        ]
        return [*present, *map(_reference, stored)] if stored else []

    def _record(self, operation: ChangeNote) -> tuple[LineFile, int]:
        for path in (L1, L2, *self._source.names(PROJECTS, ".jsonl")):
            file = self._file(path)
            place = file.find(operation.ref.id, operation.revision)
            if place is not None:
                return file, place
        raise _changed(operation.ref.id)

    def _place(self, file: LineFile, operation: ChangeNote) -> int:
        place = file.find(operation.ref.id, operation.revision)
        if place is None:
            raise _changed(operation.ref.id)
        return place

    def _require_reported(self, operation: ChangeNote) -> None:
        for path in self._source.names(META, ".json"):
            data = self._source.data(path, MAX_JSON_BYTES)
            if isinstance(data, bytes) and digest(data) == operation.revision:
                return
        raise _changed(operation.ref.id)

    def _file(self, path: str) -> LineFile:
        if path not in self._files:
            data = self._source.data(path, MAX_LINES_BYTES)
            if isinstance(data, Problem):
                raise ProofstoneError(f"{path}: {data.message}; nothing was written")
            self._files[path] = LineFile(path, data)
        return self._files[path]


def _reference(evidence: Mapping[str, Any]) -> Json:
    kind = text(evidence, "source_kind") or "source"
    if text(evidence, "trust_class") == "user_correction":
        kind = "user_correction"
    note = text(evidence, "source_summary") or text(evidence, "source_excerpt")
    return {"type": kind, "ref": text(evidence, "id"), "note": note or "No summary."}


def _differs(change: FileChange) -> bool:
    return change.before != change.after


def _changed(identifier: str) -> ProofstoneError:
    return ProofstoneError(
        f"{identifier} was changed, by another hand, since it was read; look again before ruling"
    )
