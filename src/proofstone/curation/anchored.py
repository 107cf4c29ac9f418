"""Whether the files that anchors name are still what they were (spec page 4, Capture)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from pathlib import Path, PurePosixPath

from proofstone.domain.records import Memory, Problem, Proposal, Statement

_LINE = re.compile(r"(?P<path>[^\s:][^:]*):\d+(?::\d+)?")
MAX_ANCHORED_BYTES = 64 * 1024 * 1024
"""A larger file is not hashed (docs/limits.md)."""


def anchor_root(vault: Path, setting: str) -> Path:
    """The folder that ``path:line`` anchors are relative to: the vault's parent by default."""
    return (vault / setting).resolve() if setting else vault.resolve().parent


def anchored_file(root: Path, anchor: str) -> Path | None:
    """The file inside ``root`` that an anchor names, or None for any other anchor.

    Absolute paths, ``..`` and links are not followed: an anchor must not make us read elsewhere.
    """
    match = _LINE.fullmatch(anchor)
    if match is None:
        return None
    relative = PurePosixPath(match["path"].replace("\\", "/"))
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        return None
    place = root
    for part in relative.parts:
        place = place / part
        if place.is_symlink():
            return None
    return place


def file_hash(path: Path) -> str | None:
    """The SHA-256 of a file's bytes, or None when it cannot be read or is too large."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_ANCHORED_BYTES:
            return None
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


class AnchorState(StrEnum):
    """How the file that an anchor names stands to what it was when it was recorded."""

    HOLDS = "holds"
    DRIFTED = "drifted"
    GONE = "gone"
    """It is not there, cannot be read, or is too large to look at."""


def anchor_state(subject: Statement, root: Path) -> AnchorState | None:
    """The state of a subject's anchor; None when no file was recorded that could be looked at."""
    path = anchored_file(root, subject.anchor) if subject.anchor_hash else None
    if path is None:
        return None
    present = file_hash(path)
    if present is None:
        return AnchorState.GONE
    return AnchorState.HOLDS if present == subject.anchor_hash else AnchorState.DRIFTED


def drifted(subjects: Iterable[Memory | Proposal], root: Path) -> tuple[Problem, ...]:
    """Anchors whose file has changed since it was recorded, or is gone."""
    found: list[Problem] = []
    hashes: dict[Path, str | None] = {}
    for subject in subjects:
        if not subject.anchor_hash:
            continue
        path = anchored_file(root, subject.anchor)
        if path is None:
            continue
        if path not in hashes:
            hashes[path] = file_hash(path)
        if hashes[path] == subject.anchor_hash:
            continue
        gone = hashes[path] is None
        found.append(
            Problem(
                code="gone_anchor" if gone else "drifted_anchor",
                path=subject.path,
                subject=subject.memory_id if isinstance(subject, Memory) else subject.proposal_id,
                severity="warning",
                message=f"its anchor {subject.anchor} "
                + ("is gone or cannot be read." if gone else "has changed since it was recorded."),
                advice="See whether it still holds, then confirm or edit it.",
            )
        )
    return tuple(found)
