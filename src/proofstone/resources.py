"""Where the files that travel with the package are: themes and the demo vault."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class ResourceMissingError(LookupError):
    """The installation lacks a folder that belongs to it."""


def checkout() -> Path | None:
    """The checkout that this package is run from; None when it is installed for itself."""
    root = _PACKAGE.parents[1]
    return root if (root / "pyproject.toml").is_file() and _PACKAGE.parent.name == "src" else None


def resource_dir(name: str) -> Path:
    """The folder of that name: inside an installed package, else in the checkout.

    Raises:
        ResourceMissingError: when neither is there, with both places named.
    """
    installed = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parents[1] / name
    for folder in (installed, checkout):
        if folder.is_dir():
            return folder
    raise ResourceMissingError(
        f"{name}: not in {installed} nor in {checkout}; install proofstone again"
    )
