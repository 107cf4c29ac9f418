"""Writing a report: its form by the file's name, whole or not at all, never among the notes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from proofstone.curation.report_html import html_report
from proofstone.curation.report_markdown import markdown_report
from proofstone.curation.reporting import make_report
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.vault import layout
from proofstone.vault.files import Files

_FORMS = {
    ".html": html_report,
    ".htm": html_report,
    ".md": markdown_report,
    ".markdown": markdown_report,
}
_OWN = frozenset(
    room.partition("/")[0]
    for room in (
        *layout.ROOMS.values(),
        layout.INBOX,
        layout.GATE,
        layout.OWN_STATE,
        layout.INDEX,
    )
)
_NEW_REPORT = 0o600
"""A report repeats what the vault holds, so it is as private as a note."""


def write_report(workspace: Workspace, target: Path, since: date | None = None) -> None:
    """Write the report of ``workspace`` to ``target``, in the place of what was there.

    Raises:
        ProofstoneError: the name says no form, it lies among the vault's notes, or it cannot be
            written.
    """
    form = _FORMS.get(target.suffix.lower())
    if form is None:
        raise ProofstoneError(f"report {target}: name it FILE.html or FILE.md, to say its form")
    place = target.parent.resolve() / target.name
    if place.is_relative_to(workspace.root):
        first = place.relative_to(workspace.root).parts[0]
        if first in _OWN:
            raise ProofstoneError(
                f"report {target}: {first} is for the vault's own files; write it elsewhere"
            )
    text = form(make_report(workspace, since))
    files = Files()
    temporary = place.with_name(f".{place.name}.writing")
    try:
        mode = files.mode(place) if place.exists() else _NEW_REPORT
        files.write(temporary, text.encode("utf-8", "backslashreplace"), mode)
        files.rename(temporary, place)
    except OSError as error:
        files.remove(temporary)
        raise ProofstoneError(
            f"report {target}: it cannot be written: {error.strerror or error}"
        ) from error
