"""Where a person keeps what is theirs and no vault's: keys, themes, the Gate's endpoint."""

from __future__ import annotations

from pathlib import Path


def own_folder() -> Path:
    """The platform's folder for a person's settings of Proofstone; it need not be there."""
    from platformdirs import user_config_path

    return user_config_path("proofstone", appauthor=False)
