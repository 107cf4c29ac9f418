"""What a person sets for every workbench of theirs: theme, author, and saved filters.

``workbench.yaml`` and ``filters.yaml`` lie in the person's own folder. They are theirs to edit;
the workbench changes a line of them when it is asked to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from proofstone.curation.own_file import read_own_file

WORKBENCH_FILE = "workbench.yaml"
FILTERS_FILE = "filters.yaml"
THEME, AUTHOR = "theme", "author"


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """The two files together, and what is wrong with them."""

    theme: str = ""
    author: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


def read_own_settings(folder: Path | None) -> OwnSettings:
    """What the files in ``folder`` say; without a folder, or without files, nothing."""
    if folder is None:
        return OwnSettings()
    bench, filters = read_own_file(folder / WORKBENCH_FILE), read_own_file(folder / FILTERS_FILE)
    return OwnSettings(
        theme=bench.words.get(THEME, ""),
        author=" ".join(bench.words.get(AUTHOR, "").split()),
        filters=filters.words,
        faults=(*bench.faults, *filters.faults),
    )


def own_author(folder: Path) -> str:
    """Who rules in every workbench of this person's, if they say so; else an empty string."""
    if not (folder / WORKBENCH_FILE).is_file():
        return ""
    return read_own_settings(folder).author
