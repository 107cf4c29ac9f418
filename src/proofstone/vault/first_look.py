"""What a person can look at before a large vault was read: a page of the queue, and its turns.

Neither needs a memory (spec page 9, first usable screen). What is found here is not judged and
nothing is ruled on it; it gives way to the whole vault as soon as that was read.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from pathlib import Path

from proofstone.domain.holdings import Holdings
from proofstone.domain.note_kinds import NoteKind
from proofstone.domain.records import Proposal
from proofstone.vault import layout
from proofstone.vault.index import WORTHWHILE
from proofstone.vault.listing import SUFFIX
from proofstone.vault.note_reader import NoteReader
from proofstone.vault.reading import MAX_NOTE_BYTES, read_one
from proofstone.vault.vault import Vault, VaultContents
from proofstone.vault.walk import Found

PAGE = 100
"""Proposals of a first look: more than any screen shows at once."""

QUICK_INBOX_BYTES = 4 * 1024 * 1024
"""A larger inbox is left to the whole reading."""

_MANY = (NoteKind.MEMORY, NoteKind.HISTORY, NoteKind.EVIDENCE)


def count_notes(root: Path) -> int:
    """About how many notes are to be read: the entries of the large rooms, none of them opened."""
    return sum(len(_names(root / layout.ROOMS[kind])) for kind in _MANY)


def _is_large(root: Path) -> bool:
    """Whether there are so many notes that an index is worth it; no more of them are counted."""
    left = WORTHWHILE
    for kind in _MANY:
        try:
            with os.scandir(root / layout.ROOMS[kind]) as entries:
                left -= sum(1 for _ in islice(entries, left))
        except OSError:
            continue
        if left <= 0:
            return True
    return False


def first_page(root: Path) -> tuple[Proposal, ...] | None:
    """The first proposals that wait; None where the whole vault is read as quickly."""
    return _first_proposals(root) if _is_large(root) else None


def first_look(vault: Vault, proposals: tuple[Proposal, ...]) -> VaultContents:
    """The turns, beside the first page of proposals.

    Raises NotADirectoryError when the folder is not there.
    """
    is_quick = _size(vault.root / layout.INBOX) <= QUICK_INBOX_BYTES
    return vault.read_turns(Holdings(proposals=proposals), with_turns=is_quick)


def _first_proposals(root: Path) -> tuple[Proposal, ...]:
    room = layout.ROOMS[NoteKind.PROPOSAL]
    if (root / room).is_symlink():
        return ()
    reader = NoteReader()
    found: list[Proposal] = []
    for name in sorted(name for name in _names(root / room) if name.endswith(SUFFIX)):
        path = f"{room}/{name}"
        data = read_one(root, Found(path, root / path), MAX_NOTE_BYTES)
        if isinstance(data, bytes):
            record, _ = reader.read(NoteKind.PROPOSAL, data, path)
            if isinstance(record, Proposal) and record.is_waiting:
                found.append(record)
        if len(found) == PAGE:
            break
    return tuple(found)


def _names(folder: Path) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name[0] != "."]  # noqa: PTH208 - names only
    except OSError:
        return []


def _size(folder: Path) -> int:
    """The bytes of a folder's files, as far as they can be told."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(where) / name).lstat().st_size
    return total
