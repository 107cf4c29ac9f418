"""What can go wrong when a vault is written, each with one clear line for people."""

from __future__ import annotations

from proofstone.domain.errors import ProofstoneError


class VaultWriteError(ProofstoneError):
    """The vault could not be written; unless the text says otherwise, it is as it was."""


class VaultLockedError(VaultWriteError):
    """Another program holds the vault's lock."""


class StaleError(VaultWriteError):
    """A file is no longer the one that the person saw.

    ``seen`` is the content they saw where it is known, ``present`` what is there now; None means
    that there was, or is, no file.
    """

    def __init__(
        self, path: str, *, present: bytes | None, seen: bytes | None = None, is_new: bool = False
    ) -> None:
        if is_new:
            happened = "exists already, with other content"
        else:
            happened = "was removed" if present is None else "was changed"
        super().__init__(
            f"{path} {happened}, by another hand, since it was read; look again before ruling"
        )
        self.path = path
        self.seen = seen
        self.present = present
