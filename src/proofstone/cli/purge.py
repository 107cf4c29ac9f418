"""``proofstone rule tombstone … --purge``: a privacy purge without a screen (spec page 6)."""

from __future__ import annotations

import click

from proofstone.cli.common import print_json, print_line, said
from proofstone.cli.rulings import with_option
from proofstone.curation import purging
from proofstone.curation.forms import Json
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.rulings import Choices, RulingRefused


def run_purge(
    view: Workspace, given: str, choices: Choices, *, dry_run: bool, as_json: bool
) -> None:
    """Preview, or carry out, the purge of what ``given``, an id or the beginning of one, names.

    Exits with 1 when it is refused.
    """
    subject = _whole_id(view, given)
    try:
        previewed = purging.preview_purge(view, subject)
        if dry_run:
            _print_preview(previewed, as_json)
            return
        applied = purging.purge(view, subject, choices)
    except RulingRefused as error:
        why = with_option(error.why, error.need)
        if as_json:
            print_json(_form(subject, "refused", refused=error.why))
        click.echo(f"refused: {said(subject)}: {said(why)}", err=True)
        raise click.exceptions.Exit(1) from None
    if as_json:
        form = _form(subject, applied.summary, group=applied.group, rulings=applied.rulings)
        print_json({**form, "changes": _files(previewed.files), "others": _files(previewed.others)})
        return
    print_line(said(applied.summary))


def _print_preview(previewed: purging.PurgePreview, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "schema": "proofstone/purge-preview/1",
                "subject": previewed.subject,
                "short_id": previewed.short_id,
                "subjects": list(previewed.subjects),
                "warning": previewed.warning,
                "files": _files(previewed.files),
                "others": _files(previewed.others),
            }
        )
        return
    print_line(said(previewed.warning))
    for path, what in previewed.files:
        print_line(f"  {said(path)}: {said(what)}")
    for path, why in previewed.others:
        print_line(f"  left alone: {said(path)}: {said(why)}")
    print_line(f"To purge {said(previewed.subject)}: --confirm {said(previewed.short_id)}")


def _form(
    subject: str, summary: str, *, group: str = "", rulings: tuple[str, ...] = (), refused: str = ""
) -> Json:
    return {
        "schema": "proofstone/ruling/1",
        "action": "purge",
        "group": group,
        "rulings": list(rulings),
        "summary": summary,
        "changes": [],
        "refused": [{"subject": subject, "why": refused}] if refused else [],
    }


def _files(told: tuple[purging.Told, ...]) -> list[Json]:
    return [{"path": path, "change": what} for path, what in told]


def _whole_id(view: Workspace, given: str) -> str:
    """The id that ``given`` stands for, among proposals and memories, also those in history."""
    holdings = view.holdings
    known = {
        *view.proposals,
        *(memory.memory_id for memory in (*holdings.memories, *holdings.history)),
        *(version.active_memory_id for version in holdings.history if version.active_memory_id),
    }
    begun = [given] if given in known else sorted(id for id in known if id.startswith(given))
    if len(begun) != 1:
        what = f"begins {len(begun)} ids; give more of it" if begun else "is no proposal or memory"
        raise ProofstoneError(f"rule: {given} {what}")
    return begun[0]
