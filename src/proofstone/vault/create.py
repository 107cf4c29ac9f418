"""Making a vault (spec page 5)."""

from __future__ import annotations

from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import Value
from proofstone.vault import layout
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import NEW_FOLDER, Files
from proofstone.vault.note_writer import header_lines
from proofstone.vault.settings import FORMAT_VERSION


def create_vault(root: Path, *, profile: str = "", project: str = "") -> None:
    """Make a vault in ``root``, or give a memleaf vault its settings.

    The folder may be missing, empty, or a memleaf vault. Raises ProofstoneError when it is a
    Proofstone vault already or holds something else, VaultWriteError when it cannot be written.
    """
    if (root / layout.SETTINGS).exists():
        raise ProofstoneError(f"{root} is a vault already; open it with `proofstone open`")
    files = Files()
    try:
        if root.exists() and not layout.is_vault(root) and any(root.iterdir()):
            raise ProofstoneError(f"{root} is not empty and no vault; name an empty or new folder")
        root.mkdir(mode=NEW_FOLDER, parents=True, exist_ok=True)
        rooms = [f"{room}/x" for room in (layout.INBOX, *layout.ROOMS.values())]
        for folder in layout.folders_of(rooms):
            files.make_folder(root / folder)
        settings: dict[str, Value] = {
            "format": FORMAT_VERSION,
            "profile": profile,
            "project": project,
            "governance_mode": "strict",
            "retention_hours": 24,
        }
        files.write(root / layout.SETTINGS, header_lines(settings).encode("utf-8"))
        files.sync_folder(root)
    except OSError as error:
        raise VaultWriteError(f"{root} cannot be made a vault: {error.strerror}") from error
