"""Capture sessions: what an agent captures in one go, between a start and a finish (spec page 4).

A session is one small file, ``_state/proofstone/sessions/<id>.json``. It is no note, since a
person decides nothing about it, and it is not disposable: an item that names a session which is
unknown or finished is rejected. One file each keeps starting and looking up independent of how
many there were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from proofstone.curation.context import Context
from proofstone.curation.digests import ruling_digest
from proofstone.domain.errors import ProofstoneError
from proofstone.vault import layout
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.lock import DEFAULT_TIMEOUT, VaultLock

Json = dict[str, str]

SESSIONS = f"{layout.OWN_STATE}/sessions"
SCHEMA = "proofstone/session/1"
MAX_CLIENT_CHARACTERS = 200

_PREFIX = "ses"
_ID = re.compile(r"ses-[0-9a-f]{24}", re.ASCII)
_MAX_BYTES = 16 * 1024


def start(
    root: Path, context: Context, *, client: str = "", timeout: float = DEFAULT_TIMEOUT
) -> Json:
    """Open a session and give its form.

    Raises ProofstoneError when ``root`` is no vault, VaultWriteError when it cannot be written.
    """
    root = _vault(root)
    started = context.timestamp()
    named = client[:MAX_CLIENT_CHARACTERS]
    with VaultLock(root, timeout):
        # Two sessions of one client in one second get different ids by their number.
        number = 0
        while True:
            session_id = ruling_digest(_PREFIX, named, started, number)
            if not _path(root, session_id).exists():
                break
            number += 1
        session = {
            "schema": SCHEMA,
            "session_id": session_id,
            "client": named,
            "started": started,
            "finished": "",
        }
        _write(root, session)
    return session


def finish(
    root: Path, context: Context, session_id: str, *, timeout: float = DEFAULT_TIMEOUT
) -> Json:
    """Close a session and give its form; one that is finished already stays as it was.

    Raises ProofstoneError when there is no such session or its file cannot be read.
    """
    root = _vault(root)
    with VaultLock(root, timeout):
        session = _read(root, session_id)
        if session is None:
            raise ProofstoneError(
                f"session {session_id[:60]!a}: there is none of that id; start one first"
            )
        if not session["finished"]:
            session = {**session, "finished": context.timestamp()}
            _write(root, session)
    return session


def are_open(root: Path, session_ids: Iterable[str]) -> dict[str, bool]:
    """Of each session that exists, whether it is open.

    Raises ProofstoneError when a session's file cannot be read.
    """
    found: dict[str, bool] = {}
    for session_id in session_ids:
        session = _read(root, session_id)
        if session is not None:
            found[session_id] = not session["finished"]
    return found


def _vault(root: Path) -> Path:
    if not layout.is_vault(root):
        raise ProofstoneError(f"{root}: there is no vault here; make one with `proofstone init`")
    return root.resolve()


def _path(root: Path, session_id: str) -> Path:
    return root / SESSIONS / f"{session_id}.json"


def _read(root: Path, session_id: str) -> Json | None:
    # Only ids of our own making reach the disk: any other text names no session.
    if not _ID.fullmatch(session_id):
        return None
    try:
        data = Files().read(_path(root, session_id))
        if data is None:
            return None
        session = json.loads(data) if len(data) <= _MAX_BYTES else None
    except (OSError, ValueError, RecursionError):
        session = None
    if not isinstance(session, dict) or not all(
        isinstance(session.get(key), str) for key in ("client", "started", "finished")
    ):
        raise ProofstoneError(
            f"{SESSIONS}/{session_id}.json cannot be read as a session; restore or remove the file"
        )
    return {
        "schema": SCHEMA,
        "session_id": session_id,
        **{key: session[key] for key in ("client", "started", "finished")},
    }


def _write(root: Path, session: Json) -> None:
    files = Files()
    target = _path(root, session["session_id"])
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        for folder in layout.folders_of([f"{SESSIONS}/x"]):
            if (root / folder).is_symlink():
                raise VaultWriteError(f"{folder} is a link; sessions are not written through links")
            if files.make_folder(root / folder):
                files.sync_folder((root / folder).parent)
        data = json.dumps(session, ensure_ascii=False, indent=2).encode("utf-8", "replace")
        files.write(temporary, data + b"\n")
        files.rename(temporary, target)
        files.sync_folder(target.parent)
    except OSError as error:
        raise VaultWriteError(f"the session was not written: {error.strerror}") from error
