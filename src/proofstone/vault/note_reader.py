"""Notes from files: many at once, each the quick way where that is exact (spec page 9).

While Python works on a note nothing else of it runs, so threads cannot make the work faster; they
let a slow disk work on several files at a time. Files are therefore read in batches, by threads
only while the disk turns out to be slow, and the work is done between the batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import perf_counter

from proofstone.domain.holdings import Problem
from proofstone.domain.note_kinds import NoteKind
from proofstone.vault.frontmatter import parse
from proofstone.vault.quick_record import QuickReader
from proofstone.vault.reading import read_one
from proofstone.vault.records import Record, read_record
from proofstone.vault.walk import Found

READING_THREADS = 8
BATCH = 512
SLOW_SECONDS = 0.000_2
"""A disk that takes longer than this for a file is read by several threads."""


class NoteReader:
    """Reads the notes of one vault; values that many notes share are made once."""

    def __init__(self) -> None:
        self._quick = QuickReader()

    def read(
        self, kind: NoteKind, data: bytes, path: str
    ) -> tuple[Record | None, tuple[Problem, ...]]:
        """The record in a file's bytes, and what is wrong with it (``records.read_record``)."""
        revision = sha256(data).hexdigest()
        record = self._quick.read(kind, data, path, revision)
        if record is not None:
            return record, ()
        return read_record(kind, parse(data), path, revision)


def read_files(
    root: Path, files: Iterable[Found], limit: int
) -> Iterator[tuple[Found, bytes | OSError]]:
    """The files in their order, each with its bytes or the error (``walk.read_file``).

    What cannot be read for a reason in ``Found.fault`` comes with a ReadFailedError of that reason.
    """

    remaining = iter(files)
    is_slow = False
    with ExitStack() as closing:
        threads = None
        while batch := list(islice(remaining, BATCH)):
            if is_slow and threads is None:
                from concurrent.futures import ThreadPoolExecutor

                threads = closing.enter_context(ThreadPoolExecutor(READING_THREADS))
            begun = perf_counter()
            read_all = threads.map if is_slow and threads is not None else map
            contents = list(read_all(lambda found: read_one(root, found, limit), batch))
            is_slow = perf_counter() - begun > SLOW_SECONDS * len(batch)
            yield from zip(batch, contents, strict=True)
