"""Taking back what a person did to a copy of a note in an editor, as an edit (spec page 7, E)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from proofstone.curation.workspace import Workspace
from proofstone.domain.plan import Value
from proofstone.domain.rulings.edits import EDITABLE, STATEMENT
from proofstone.domain.rulings.terms import RulingRefused, short_id
from proofstone.vault.frontmatter import parse

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class NoteCopy:
    """A copy to edit: a name for the file, its content, and whose it is."""

    subject: str
    name: str
    content: bytes


def copy_of(workspace: Workspace, subject: str) -> NoteCopy:
    """The note of ``subject`` as it is on disk.

    Raises:
        RulingRefused: it has no note of its own, or the note is not the one that is shown.
    """
    found = workspace.held.proposal(subject) or workspace.held.memory(subject)
    if found is None:
        raise RulingRefused(f"{subject} is no longer there")
    content = workspace.bytes_of(found.path) if found.path.endswith(".md") else None
    if content is None:
        raise RulingRefused(f"{subject} has no note of its own that an editor could open")
    if sha256(content).hexdigest() != found.revision:
        raise RulingRefused(f"{found.path} is not what was read; read the vault again first")
    return NoteCopy(subject, f"{short_id(subject)}.md", content)


def edits_from(copy: NoteCopy, changed: bytes) -> dict[str, Value]:
    """What was changed in ``copy``, as the edits of a ruling; empty when nothing was.

    Raises:
        RulingRefused: the copy cannot be read any more, or something was changed that no person
            may change by hand.
    """
    before, after = parse(copy.content), parse(changed)
    known = {(fault.key, fault.message) for fault in before.faults}
    for fault in after.faults:
        if (fault.key, fault.message) not in known:
            raise RulingRefused(
                f"the edited note cannot be read: line {fault.line}: {fault.message}"
            )
    edits: dict[str, Value] = {}
    if after.body.strip() != before.body.strip():
        edits[STATEMENT] = after.body.strip()
    refused: list[str] = []
    for key in sorted({*before.fields, *after.fields}):
        was, now = before.as_text(key), after.as_text(key)
        if was == now:
            continue
        if key == STATEMENT or key not in EDITABLE:
            refused.append(key)
        else:
            edits[key] = _value(now, is_list=isinstance(was, (list, tuple)))
    if refused:
        named = ", ".join(refused[:_SHOWN]) + (" …" if len(refused) > _SHOWN else "")
        raise RulingRefused(
            f"{named}: not a person's to change in a note; these are: the text below the dashes, "
            f"{', '.join(key for key in EDITABLE if key != STATEMENT)}"
        )
    return edits


def _value(now: object, *, is_list: bool) -> Value:
    """A key's new value as a ruling takes it; a key that was taken out becomes empty."""
    if isinstance(now, (list, tuple)):
        return tuple(item if isinstance(item, str) else str(item) for item in now)
    if now is None:
        return () if is_list else ""
    return now if isinstance(now, str) else str(now)
