"""Merging the journals of two branches of a vault (docs/ci.md, Two curators).

The rows that both branches have stay where they are. Our rows follow as they are, then the other
branch's rows that we do not have yet, chained anew. So a merge adds rows and forgets none, merging
the same branch again adds nothing, and a replay of single commits (rebase, cherry-pick) brings
over the rows of those commits alone.

A purge names rows by their number. The branch in which one did so keeps its numbers: it goes
first, whichever of the two is ours. When both did, the merge is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proofstone.domain.errors import ProofstoneError
from proofstone.vault.journal import GENESIS, Row, entry_from_row, parse_row
from proofstone.vault.journal_check import verify_rows
from proofstone.vault.journal_rechain import first_hash, rechained


class JournalMergeError(ProofstoneError):
    """Two journals that cannot be merged: one is broken, or both purged rows of their own."""


@dataclass(frozen=True, slots=True)
class MergedJournal:
    """The merged journal's bytes, and how many rows were taken over from the other branch."""

    data: bytes
    added: int


@dataclass(frozen=True, slots=True)
class _Line:
    text: bytes
    row: Row
    identity: str

    @property
    def seq(self) -> object:
        return self.row["seq"]

    @property
    def hash(self) -> str:
        return str(self.row["hash"])


def merge_journals(base: bytes, ours: bytes, theirs: bytes) -> MergedJournal:
    """Our journal with the rows that ``theirs`` has and neither ``base`` nor ``ours`` has.

    Raises:
        JournalMergeError: one of them does not verify, or both branches purged.
    """
    known, our_lines, their_lines = (
        _lines(data, whose)
        for data, whose in ((base, "the common ancestor"), (ours, "ours"), (theirs, "theirs"))
    )
    new = _without(their_lines, (*known, *our_lines))
    if _renumbers_purged(new, their_lines, our_lines):
        moved = _without(our_lines, their_lines)
        if len(_without(their_lines, our_lines)) != len(new) or _renumbers_purged(
            moved, our_lines, their_lines
        ):
            raise JournalMergeError(
                "the journals cannot be merged: both branches purged words from rows of their "
                "own; keep one branch's journal, and purge there what the other purged"
            )
        our_lines, their_lines, new = their_lines, our_lines, moved
    kept = _with_redactions(our_lines, their_lines)
    added, previous, seq = b"", GENESIS, 0
    if our_lines:
        previous, seq = our_lines[-1].hash, len(our_lines)
    for line in new:
        text, previous = rechained(line.row, seq, previous)
        added += text
        seq += 1
    return MergedJournal(b"".join(text + b"\n" for text in kept) + added, len(new))


def _lines(data: bytes, whose: str) -> tuple[_Line, ...]:
    faults = verify_rows(data)
    if faults:
        raise JournalMergeError(
            f"the journals cannot be merged: line {faults[0].line} of {whose}: "
            f"{faults[0].message}; put that branch right first"
        )
    rows = ((text, parse_row(text)) for text in data.split(b"\n")[:-1])
    return tuple(_Line(text, row, first_hash(row)) for text, row in rows if row is not None)


def _without(lines: Sequence[_Line], known: Iterable[_Line]) -> tuple[_Line, ...]:
    identities = {line.identity for line in known}
    return tuple(line for line in lines if line.identity not in identities)


def _renumbers_purged(
    new: Sequence[_Line], branch: Sequence[_Line], first: Sequence[_Line]
) -> bool:
    """Whether a purge among ``new`` names rows that have another number after ``first``."""
    before = {line.seq: line.hash for line in branch}
    after = {line.seq: line.hash for line in first}
    return any(
        before.get(seq) != after.get(seq)
        for line in new
        if line.row["row"] == "open"
        for seq in entry_from_row(line.row, "").purged_rows
    )


def _with_redactions(first: Sequence[_Line], second: Sequence[_Line]) -> list[bytes]:
    """The lines of ``first``; where a purge of ``second`` left less of a row, that is taken."""
    redacted = {
        line.hash: line for line in second if line.row["row"] == "open" and line.row.get("redacted")
    }
    kept = []
    for line in first:
        other = redacted.get(line.hash)
        if other is None or other.text == line.text:
            kept.append(line.text)
        elif line.row.get("redacted"):
            raise JournalMergeError(
                f"the journals cannot be merged: both branches purged words from row {line.seq}; "
                "keep one branch's journal, and purge there what the other purged"
            )
        else:
            kept.append(other.text)
    return kept
