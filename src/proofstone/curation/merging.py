"""Merging two branches of a vault: the journal, which no line-by-line merge can join."""

from __future__ import annotations

from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.vault.files import Files
from proofstone.vault.journal_merge import MergedJournal, merge_journals


def merge_journal_files(base: Path, ours: Path, theirs: Path) -> MergedJournal:
    """Put into the file ``ours`` the rows that ``theirs`` added since ``base``.

    Raises:
        ProofstoneError: a file is missing or does not verify; ``ours`` is as it was.
    """
    files = Files()
    contents = []
    for path in (base, ours, theirs):
        content = files.read(path)
        if content is None:
            raise ProofstoneError(f"merge-journal: there is no file {path}")
        contents.append(content)
    merged = merge_journals(*contents)
    if merged.data != contents[1]:
        temporary = ours.with_name(f"{ours.name}.merged")
        files.write(temporary, merged.data, files.mode(ours))
        files.rename(temporary, ours)
    return merged
