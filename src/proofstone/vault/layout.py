"""Where things are in a vault, and which names are safe (spec page 5, The vault on disk).

Paths are relative to the vault, with forward slashes, on every system.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.late_pattern import late_pattern
from proofstone.domain.note_kinds import NoteKind, NoteRef

INBOX = "inbox"
GATE = "gate"
SETTINGS = "proofstone.yaml"
MEMLEAF_CONFIG = "config.yaml"
PROCESSED = "_state/processed.json"
LOCK = "_state/vault.lock"
OWN_STATE = "_state/proofstone"
JOURNAL = f"{OWN_STATE}/journal.jsonl"
OBJECTS = f"{OWN_STATE}/objects"
INDEX = "_index/proofstone"

ROOMS: dict[NoteKind, str] = {
    NoteKind.MEMORY: "knowledge",
    NoteKind.HISTORY: "history",
    NoteKind.PROPOSAL: "proposals",
    NoteKind.RULED: "proposals/ruled",
    NoteKind.EVIDENCE: "evidence",
    NoteKind.TOMBSTONE: "tombstones",
    NoteKind.INQUIRY: "inquiries",
}
"""The folder of each kind of note."""

MAX_NAME_BYTES = 200
"""The longest file name made from an id; file systems allow 255, temporary names need the rest."""

_PLAIN_NAME = late_pattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,149}")
_DRIVE = late_pattern(r"[A-Za-z]:")
_FORBIDDEN = frozenset('<>:"/\\|?*')
_RESERVED = late_pattern(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.I
)
_INVISIBLE = late_pattern(
    "[\u200b\u200e\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


class UnsafeNameError(ProofstoneError):
    """An id that may not become a file name; the message says why, and shows it escaped."""


def safe_id(identifier: str) -> str:
    """Return ``identifier`` if it may be a file name on every system; raise UnsafeNameError."""
    fault = name_fault(identifier)
    if fault:
        raise UnsafeNameError(f"the id {identifier[:80]!a} cannot be a file name: {fault}")
    return identifier


def name_fault(name: str) -> str:
    """Why ``name`` cannot be a file name on every system; an empty string when it can."""
    if _PLAIN_NAME.fullmatch(name) and not _RESERVED.match(name):
        return ""
    if not name:
        return "it is empty"
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"it is longer than {MAX_NAME_BYTES} bytes"
    if name.startswith("."):
        return "it starts with a dot"
    if name != name.strip() or name.endswith("."):
        return "it starts or ends with white space, or ends with a dot"
    if not _FORBIDDEN.isdisjoint(name):
        return 'it holds one of < > : " / \\ | ? *'
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        return "it holds a control character"
    if _INVISIBLE.search(name):
        return "it holds an invisible or direction-changing character"
    if _RESERVED.match(name):
        return "it is a name that Windows reserves"
    return ""


def note_path(ref: NoteRef) -> str:
    """Where a note of this kind and id belongs. Raises UnsafeNameError."""
    return f"{ROOMS[ref.kind]}/{safe_id(ref.id)}.md"


def inbox_path(source: str, session: str) -> str:
    """Where a session's captured events belong. Raises UnsafeNameError."""
    return f"{INBOX}/{safe_id(source)}/{safe_id(session)}.md"


def gate_path(source: str, session: str, turn_index: int, turn_key: str) -> str:
    """Where the Gate's accepted answer for a turn belongs.

    Sources and sessions are named by other programs, so a name that is not safe is encoded
    rather than refused: two different names never share a path.
    """
    name = f"{turn_index:04d}-{_component(turn_key)[:12]}" if turn_key else f"{turn_index:04d}"
    return f"{GATE}/{_component(source)}/{_component(session)}/{name}.json"


def is_plain_path(path: str) -> bool:
    """Whether a path stays in the vault by its form: relative, forward slashes, no way upwards."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    if "\\" in path or "\0" in path or _DRIVE.match(path):
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))


def room_of(path: str) -> NoteKind | None:
    """The kind of note that a path names by its folder, or None."""
    folder, _, name = path.rpartition("/")
    if not name.endswith(".md"):
        return None
    for kind, room in ROOMS.items():
        if folder == room:
            return kind
    return None


def rooms_below(room: str) -> frozenset[str]:
    """The rooms that lie within another one."""
    return frozenset(other for other in ROOMS.values() if other.startswith(f"{room}/"))


def folders_of(paths: Iterable[str]) -> list[str]:
    """Every folder on the way to ``paths``, parents first, without the vault's own."""
    folders: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[:-1]
        for length in range(1, len(parts) + 1):
            folders["/".join(parts[:length])] = None
    return sorted(folders, key=lambda folder: (folder.count("/"), folder))


def is_linked(root: Path, path: str) -> bool:
    """Whether a folder on the way to ``path`` is a link: what it names is not the vault's."""
    return any((root / folder).is_symlink() for folder in folders_of([path]))


def find_root(path: Path) -> Path | None:
    """The vault that is, or contains, ``path``: the nearest folder that looks like one."""
    start = path if path.is_dir() else path.parent
    for folder in (start, *start.parents):
        if is_vault(folder):
            return folder
    return None


def is_vault(folder: Path) -> bool:
    """Whether ``folder`` is a vault: ours by its settings, or memleaf's by its rooms."""
    if (folder / SETTINGS).is_file():
        return True
    has_rooms = (folder / "knowledge").is_dir() or (folder / INBOX).is_dir()
    return has_rooms and ((folder / MEMLEAF_CONFIG).is_file() or (folder / "_state").is_dir())


def _component(name: str) -> str:
    """One folder name for any text: itself when safe, else percent-encoded, else with a digest."""
    if "%" not in name and not name_fault(name):
        return name
    encoded = "".join(
        character
        if character.isascii() and (character.isalnum() or character in "-_ ")
        else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
        for character in name
    )
    if encoded and not name_fault(encoded) and "%" in encoded:
        return encoded
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return f"%{digest}"
