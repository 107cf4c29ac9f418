"""A privacy purge inside a pi-persistent-intelligence root (store-formats.md; spec page 6, purge).

What PI itself leaves of purged records, candidates, evidence and operations is left here too:
shells with their ids, which its own code reads. What it forgets, we do not: unlinked evidence,
other records and patches that repeat the words, reports, logs, and what it renders.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from proofstone.domain import ids, inquiries, purging
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange
from proofstone.domain.purge_json import purged_json
from proofstone.domain.purge_text import blacked_out
from proofstone.domain.purging import PurgeScope
from proofstone.domain.records import Problem
from proofstone.domain.rulings.terms import RulingMoment
from proofstone.stores import json_values, pi_shells
from proofstone.stores.files import MAX_LINES_BYTES
from proofstone.stores.json_values import text
from proofstone.stores.line_file import encoded, lines_with_ends
from proofstone.stores.pi_files import (
    CAPTURED,
    DERIVED,
    EVIDENCE,
    INQUIRIES,
    L1,
    L2,
    PATCHES,
    PROJECTS,
    PURGED,
    REPORTS,
    TEXTS,
    TOMBSTONES,
)
from proofstone.stores.pi_patch import Json, deletion_patch, free_patch_id
from proofstone.stores.port import StorePurge
from proofstone.stores.source import Source

_BOM = b"\xef\xbb\xbf"
_Change = Callable[[Json], Json]
"""Gives what is left of the object on a line; the same when nothing has to go."""


def purge(source: Source, scope: PurgeScope, moment: RulingMoment, reason: str) -> StorePurge:
    """What a purge of ``scope`` changes: the patch that tells of it first, then every file.

    Raises:
        ProofstoneError: a file that may hold the words cannot be read.
    """
    purging_ = _Purging(source, scope, moment, reason)
    purging_.records()
    purging_.evidence()
    purging_.candidates()
    purging_.tombstones()
    purging_.inquiries()
    purging_.patches()
    purging_.reports()
    purging_.everything_else()
    return purging_.planned()


class _Purging:
    """A purge while it is being planned, file by file."""

    def __init__(
        self, source: Source, scope: PurgeScope, moment: RulingMoment, reason: str
    ) -> None:
        self._source = source
        self._scope = scope
        self._words = scope.words
        self._moment = moment
        self._reason = reason
        self._candidates = frozenset(proposal.proposal_id for proposal in scope.proposals)
        # Versions that were kept beside the store are no records of it.
        own = [memory for memory in (*scope.memories, *scope.versions) if memory.path[:1] != "."]
        self._profiles = {memory.memory_id: memory.profile for memory in own} | {
            ids.memory_id_for(one.proposal_id): one.profile for one in scope.proposals
        }
        self._memories = frozenset(scope.memory_ids | {memory.memory_id for memory in own})
        self._buried = tuple(sorted(self._memories | self._profiles.keys()))
        self._gone = frozenset(
            record.evidence_id for record in scope.records if "#" not in record.evidence_id
        )
        self._patch_id = free_patch_id(moment.time, source.names(PATCHES, ".json"))
        self._stones = {name: pi_shells.stone_id(name, moment.time) for name in self._buried}
        self._changes: dict[str, FileChange] = {}
        self._told: dict[str, str] = {}
        self._others: list[tuple[str, str]] = []
        self._seen: set[str] = set()
        self._deleted: list[str] = []
        self._rejected: set[str] = set()

    def planned(self) -> StorePurge:
        """The whole plan."""
        deleted = tuple(dict.fromkeys(self._deleted))
        # A patch has an operation, also when the candidate was settled before.
        rejected = self._rejected or (set() if deleted else self._candidates)
        patch = deletion_patch(
            self._patch_id, self._moment, self._reason, deleted, tuple(sorted(rejected))
        )
        path = f"{PATCHES}/{self._patch_id}.json"
        first = FileChange(path=path, before=None, after=patch)
        return StorePurge(
            changes=(first, *self._changes.values()),
            told=((path, "the patch that tells of the purge"), *self._told.items()),
            others=tuple(self._others),
        )

    # --- the kinds of lines ----------------------------------------------------------------

    def records(self) -> None:
        """Records that go are left as deleted; others lose the words, and evidence that went."""

        def left(value: Json) -> Json:
            name = text(value, "id")
            if name not in self._memories:
                return self._without_gone(self._without_words(value))
            self._deleted.append(name)
            kept = pi_shells.record(value, self._stones[name], self._moment.date)
            return self._without_words(kept)

        for path in (L1, L2, *self._source.names(PROJECTS, ".jsonl")):
            self._lines(path, left, self._memories | self._gone, "records: the words are removed")

    def evidence(self) -> None:
        """The evidence of what goes is left without words, and is nobody else's any more."""

        def left(value: Json) -> Json:
            said = text(value, "source_excerpt") or text(value, "source_summary")
            if text(value, "id") in self._gone or self._words.is_whole(said):
                return self._without_words(pi_shells.evidence(value, self._memories))
            cleared = self._without_words(value)
            if cleared != value:
                cleared.pop("excerpt_hash", None)
            return cleared

        self._lines(EVIDENCE, left, self._gone, "evidence: redacted")

    def candidates(self) -> None:
        """Candidates that go are left as shells with their ids."""

        def left(value: Json) -> Json:
            if text(value, "id") not in self._candidates:
                return self._without_words(value)
            shell = pi_shells.candidate(value)
            if shell["status"] != text(value, "status"):
                self._rejected.add(text(value, "id"))
            return shell

        self._lines(CAPTURED, left, self._candidates, "the inbox: the words are removed")

    def tombstones(self) -> None:
        """One for each record and candidate that goes, without a hash of the words."""
        present: set[str] = set()

        def left(value: Json) -> Json:
            name = text(value, "deleted_record_id")
            present.add(name)
            if name in self._stones:
                return self._stone(name, text(value, "profile_id"))
            if text(value, "content_hash") in self._words.hashes:
                return {key: item for key, item in value.items() if key != "content_hash"}
            return self._without_words(value)

        named = frozenset((*self._buried, *self._words.hashes))
        self._lines(TOMBSTONES, left, named, "tombstones: without a hash of the words")
        new = [
            self._stone(name, self._profiles.get(name, ""))
            for name in self._buried
            if name not in present
        ]
        self._append(TOMBSTONES, new, "tombstones")

    def inquiries(self) -> None:
        """Inquiries about what goes are withdrawn."""
        about = {inquiry.inquiry_id: inquiry for inquiry in self._scope.inquiries}

        def left(value: Json) -> Json:
            inquiry = about.get(text(value, "id"))
            if inquiry is None:
                return self._without_words(value)
            question = purging.emptied_inquiry(inquiry, self._moment, self._words)["question"]
            closed = text(value, "status") not in ("", inquiries.OPEN)
            return {
                **self._without_words(value),
                "question": question,
                "context": "",
                "tags": [],
                "status": value["status"] if closed else "withdrawn",
                "last_seen": self._moment.date,
            }

        self._lines(INQUIRIES, left, frozenset(about), "inquiries: closed and emptied")

    # --- documents -------------------------------------------------------------------------

    def patches(self) -> None:
        """Operations on what goes are left as shells, as PI leaves them."""
        for path in self._source.names(PATCHES, ".json"):
            self._document(path, self._patch, "a patch: the words are removed")

    def reports(self) -> None:
        """L1 proposals that go are left as shells."""
        for path in self._source.everything():
            if path.startswith(f"{REPORTS}/") and path.endswith(".json"):
                self._document(path, self._report, "a report: the words are removed")

    def everything_else(self) -> None:
        """What PI renders and finds again goes; its logs and texts lose the words."""
        for path in self._source.everything():
            if path in self._seen:
                continue
            is_hidden = "/." in f"/{path}"
            if path.startswith(DERIVED) and not is_hidden:
                self._derived(path)
            elif path.startswith(TEXTS) and not is_hidden:
                self._text(path)
            else:
                self._foreign(path)

    def _patch(self, value: Json) -> Json:
        ops = value.get("ops")
        if not isinstance(ops, list):
            return self._without_words(value)
        candidates = self._candidates | {
            text(op, "candidate_id") for op in json_values.objects(ops) if self._names(op)
        }
        left = [
            pi_shells.operation(op)
            if isinstance(op, dict)
            and (self._names(op) or text(op, "candidate_id") in candidates - {""})
            else purged_json(op, self._words)
            for op in ops
        ]
        if left == ops:
            return self._without_words(value)
        return {**self._without_words(value), "summary": PURGED, "ops": left}

    def _names(self, op: Mapping[str, Any]) -> bool:
        named = [text(op, "target_id")]
        named += [text(json_values.inner(op, key), "id") for key in ("record", "to_record")]
        return not self._memories.isdisjoint(named) or text(op, "candidate_id") in self._candidates

    def _report(self, value: Json) -> Json:
        proposed = value.get("candidates")
        if not isinstance(proposed, list):
            return self._without_words(value)
        left: list[object] = []
        for one in proposed:
            if isinstance(one, dict) and text(one, "id") in self._candidates:
                self._rejected.add(text(one, "id"))
                left.append(pi_shells.proposed(one))
            else:
                left.append(purged_json(one, self._words))
        return {**self._without_words(value), "candidates": left}

    def _derived(self, path: str) -> None:
        data = self._source.data(path, MAX_LINES_BYTES)
        if not isinstance(data, bytes):
            self._others.append((path, "it cannot be looked through"))
        # An index keeps words in parts, so that nobody could say that it has them no more.
        elif not path.endswith(".md") or self._words.are_in(_decoded(data)):
            self._put(path, data, None, "removed: PI makes it again")

    def _text(self, path: str) -> None:
        if path.endswith(".jsonl"):
            self._lines(path, self._without_words, frozenset(), "the words are blacked out")
        elif path.endswith(".json"):
            self._document(path, self._without_words, "the words are blacked out")
        else:
            self._plain(path)

    def _plain(self, path: str) -> None:
        data = self._source.data(path, MAX_LINES_BYTES)
        if not isinstance(data, bytes):
            self._others.append((path, "it cannot be looked through"))
        elif self._words.are_in(_decoded(data)):
            self._raw(path, data)

    def _raw(self, path: str, data: bytes) -> None:
        """Black the words out where they stand, whatever holds them."""
        try:
            told = data.decode("utf-8")
        except UnicodeDecodeError:
            self._others.append((path, "it holds the words, and is not text"))
            return
        left = blacked_out(told, self._words.spans(told)).encode("utf-8")
        self._put(path, data, left, "the words are blacked out")

    def _foreign(self, path: str) -> None:
        data = self._source.data(path, MAX_LINES_BYTES)
        if not isinstance(data, bytes):
            self._others.append((path, "it cannot be looked through"))
        elif self._words.are_in(_decoded(data)):
            self._others.append((path, "it is no file of PI's"))

    # --- what is left of single objects ----------------------------------------------------

    def _without_words(self, value: Json) -> Json:
        left = purged_json(value, self._words)
        assert isinstance(left, dict)
        return left

    def _without_gone(self, value: Json) -> Json:
        """A record that stays does not rest on evidence that went."""
        cited = value.get("evidence")
        if not isinstance(cited, list):
            return value
        kept = [one for one in cited if not _refers(one, self._gone)]
        if len(kept) == len(cited):
            return value
        # A record without any would be hidden by PI.
        said = {"type": "manual", "ref": self._patch_id, "note": "What it rested on was purged."}
        return {**value, "evidence": kept or [said], "updated_at": self._moment.date}

    def _stone(self, name: str, profile: str) -> Json:
        return pi_shells.tombstone(name, profile, self._moment.time, self._reason)

    # --- files -----------------------------------------------------------------------------

    def _lines(self, path: str, left: _Change, named: frozenset[str], what: str) -> None:
        """Change the lines that name one of ``named`` or hold the words; all others stay."""
        self._seen.add(path)
        data = self._data(path)
        if data is None:
            return
        wanted = [json.dumps(name)[1:-1].encode() for name in named]
        wanted += [name.encode("utf-8", "surrogatepass") for name in named]
        bom = _BOM if data.startswith(_BOM) else b""
        lines = list(lines_with_ends(data[len(bom) :]))
        for place, line in enumerate(lines):
            holds = self._words.may_be_in(_decoded(line))
            if holds or any(name in line for name in wanted):
                lines[place] = self._line(path, line, left)
        self._put(path, data, bom + b"".join(lines), what)

    def _line(self, path: str, line: bytes, left: _Change) -> bytes:
        content = line.rstrip(b"\r\n")
        end = line[len(content) :]
        try:
            value = json_values.parse(content)
        except ValueError:
            value = None
        if isinstance(value, dict):
            changed = left(value)
            if changed != value:
                return encoded(path, changed) + end
            if not json_values.repeats_a_key(content):
                return line
        # No object, or one of which reading dropped a part: the words go where they stand.
        told = content.decode("utf-8", "surrogateescape")
        black = blacked_out(told, self._words.spans(told))
        return black.encode("utf-8", "surrogateescape") + end

    def _append(self, path: str, values: list[Json], what: str) -> None:
        if not values:
            return
        change = self._changes.get(path)
        before = change.before if change else self._data(path)
        after = (change.after if change else before) or b""
        end = b"\r\n" if after.partition(b"\n")[0].endswith(b"\r") else b"\n"
        if after and not after.endswith(b"\n"):
            after += end
        after += b"".join(encoded(path, value) + end for value in values)
        self._changes[path] = FileChange(path=path, before=before, after=after)
        self._told.setdefault(path, what)

    def _document(self, path: str, left: _Change, what: str) -> None:
        self._seen.add(path)
        data = self._data(path)
        if data is None:
            return
        try:
            value = json_values.parse(data.removeprefix(_BOM))
        except ValueError:
            value = None
        if not isinstance(value, dict):
            if self._words.are_in(_decoded(data)):
                self._raw(path, data)
            return
        changed = left(value)
        if changed != value:
            written = json.dumps(changed, ensure_ascii=False, indent=2)
            self._put(path, data, written.encode("utf-8", "replace") + b"\n", what)

    def _data(self, path: str) -> bytes | None:
        data = self._source.data(path, MAX_LINES_BYTES)
        if isinstance(data, Problem):
            raise ProofstoneError(f"{path}: {data.message}; nothing was purged")
        return data

    def _put(self, path: str, before: bytes, after: bytes | None, what: str) -> None:
        self._seen.add(path)
        if after != before:
            self._changes[path] = FileChange(path=path, before=before, after=after)
            self._told[path] = what


def _refers(one: object, gone: frozenset[str]) -> bool:
    return isinstance(one, dict) and text(one, "ref") in gone


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
