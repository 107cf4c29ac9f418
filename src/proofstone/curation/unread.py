"""What a vault holds and nobody could read: it must never be counted as absent (spec page 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from proofstone.domain.holdings import Problem
from proofstone.vault.layout import INBOX, ROOMS
from proofstone.vault.reading import UNLISTED

_ROOMS = tuple(f"{room}/" for room in ROOMS.values())


@dataclass(frozen=True, slots=True)
class Unread:
    """The files that could not be read, and the folders that could not be listed, by path."""

    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    why_not: str = ""
    """Why nothing can be ruled on; empty when every folder could be listed.

    A memory or a tombstone that cannot be seen would be ruled against without being asked.
    """

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> Unread:
        """What reading a vault, or another program's store, found unreadable."""
        files: set[str] = set()
        folders: list[Problem] = []
        for problem in problems:
            if problem.code == "unreadable_note":
                files.add(problem.path)
            elif problem.code == UNLISTED:
                folders.append(problem)
        return cls(
            frozenset(files),
            tuple(problem.path for problem in folders),
            refusal_for(folders[0]) if folders else "",
        )

    def holds(self, path: str) -> bool:
        """Whether the file ``path`` could not be read, or lies where nothing could be."""
        return path in self.files or any(path.startswith(f"{name}/") for name in self.folders)

    def may_be(self, identifier: str) -> bool:
        """Whether a note that could not be read may have this id: notes are named by theirs."""
        return any(f"{name}/".startswith(_ROOMS) for name in self.folders) or any(
            f"{room}{identifier}.md" in self.files for room in _ROOMS
        )

    def may_hold_turn(self, reference: str) -> bool:
        """Whether the turn ``source/session#n`` may lie in what could not be read."""
        session = reference.rpartition("#")[0]
        return INBOX in self.folders or self.holds(f"{INBOX}/{session}.md")


def refusal_for(folder: Problem) -> str:
    """Why nothing is decided while ``folder``, of which this is the problem, cannot be listed."""
    what_to_do = folder.advice.partition(";")[0]
    return (
        f"{folder.message.replace('this folder', f'the folder {folder.path}', 1)}; "
        f"{what_to_do[:1].lower()}{what_to_do[1:]}"
    )
