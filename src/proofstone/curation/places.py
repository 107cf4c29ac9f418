"""Which vault is meant when nobody names one (spec page 8)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.vault.layout import find_root

VAULT_VARIABLE = "PROOFSTONE_VAULT"
DEFAULT_VAULT = ".memleaf"


WHAT_TO_DO = "check the path, or make a vault with `proofstone init`"


def require_something(path: Path) -> None:
    """Refuse a path at which there is neither a folder nor a file.

    Raises:
        ProofstoneError: nothing is there.
    """
    if not path.exists():
        raise ProofstoneError(f"{path}: there is nothing here; {WHAT_TO_DO}")


def default_vault(environment: Mapping[str, str], folder: Path, home: Path) -> Path:
    """``$PROOFSTONE_VAULT``, else the vault that holds ``folder``, else ``~/.memleaf``.

    Raises:
        ProofstoneError: there is none; the message says how to start.
    """
    named = environment.get(VAULT_VARIABLE)
    if named:
        return Path(named)
    around = find_root(folder)
    if around is not None:
        return around
    usual = home / DEFAULT_VAULT
    if usual.is_dir():
        return usual
    raise ProofstoneError(
        "no vault here: try `proofstone demo`, make one with `proofstone init PATH`, "
        f"or set {VAULT_VARIABLE}"
    )
