"""``proofstone rule``, ``undo``, ``redo`` and ``log``: rulings without a screen."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from proofstone.cli.common import (
    as_typed,
    author_option,
    json_option,
    print_json,
    print_line,
    said,
    store_argument,
    workspace,
)
from proofstone.curation import history
from proofstone.curation import rulings as curation
from proofstone.curation.forms import Json, plain
from proofstone.curation.masking import cover_secrets
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange, Value
from proofstone.domain.records import Layer, Memory, Proposal
from proofstone.domain.rulings import ACTIONS, Choices, Need, RulingRefused
from proofstone.domain.shown import shown_text

_WIDTH = 400
"""Characters of one line of a difference that are shown."""
_GIVEN_BY = {
    Need.REASON: '--reason "…"',
    Need.CONFIRM: "--confirm ID",
    Need.TARGET: "--target ID",
    Need.EDITS: "--set KEY=VALUE",
}
"""The option that gives what a refused ruling still needs."""
_LISTS = (
    "scopes",
    "tags",
    "applies_when",
    "does_not_apply_when",
    "known_exceptions",
)


@click.command(
    epilog="""\b
Examples:
  proofstone rule ratify . prop-1a2b3c…
  proofstone rule defer . prop-1a2b3c… --reason needs_owner --until 2026-12-01
  proofstone rule supersede . prop-1a2b3c… --target mem-9f8e7d…
  proofstone rule edit . prop-1a2b3c… --set scopes=project:orion --set layer=L2
  proofstone rule ratify . prop-1a2b3c… --layer L1 --reason "…" --confirm 1a2b3c
  proofstone rule tombstone . mem-9f8e7d… --purge --reason privacy_sensitive --confirm 9f8e7d
"""
)
@click.argument("action", metavar="ACTION", type=click.Choice(ACTIONS))
@store_argument
@click.argument("identifiers", metavar="ID…", nargs=-1, required=True)
@click.option("--reason", default="", help="In words, or from the action's closed list.")
@click.option("--note", default="", help="A note kept with a deferral.")
@click.option("--target", multiple=True, help="A memory to update or replace; `new` for neither.")
@click.option("--until", default="", metavar="DATE", help="When it returns, YYYY-MM-DD.")
@click.option(
    "--set", "edits", multiple=True, metavar="KEY=VALUE", help="An edit; lists by commas."
)
@click.option("--layer", type=click.Choice([layer.value for layer in Layer]), help="Must be so.")
@click.option("--confirm", default="", metavar="ID", help="The short id, for L1 and purges.")
@click.option("--purge", is_flag=True, help="Remove the words for good; cannot be undone.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@author_option
@json_option
def rule(
    action: str,
    path: Path,
    identifiers: tuple[str, ...],
    reason: str,
    note: str,
    target: tuple[str, ...],
    until: str,
    edits: tuple[str, ...],
    layer: str | None,
    confirm: str,
    purge: bool,
    dry_run: bool,
    author: str | None,
    as_json: bool,
) -> None:
    """Make a ruling: ACTION on the proposals or memories named by ID.

    Several IDs are one group and one undo. Exit 1 when a ruling is refused.
    """
    if not author and not dry_run and not sys.stdin.isatty():
        raise ProofstoneError("rule: without a terminal, say who rules with --as NAME")
    view = workspace(path, author)
    if purge:
        _purge(view, action, identifiers, Choices(reason=reason, confirm=confirm), dry_run, as_json)
        return
    subjects = [_whole_id(view.proposals, view.held.holdings.memories, id) for id in identifiers]
    for subject in subjects:
        _require_layer(view.proposals.get(subject), layer)
    choices = Choices(
        reason=reason,
        note=note,
        target=target,
        until=until,
        confirm=confirm,
        edits=dict(_edit(text) for text in edits),
    )
    previewed = curation.preview(view, action, subjects, choices)
    refused = [row for row in previewed.rows if not row.allowed]
    if dry_run:
        _print_preview(previewed, as_json)
        raise click.exceptions.Exit(1 if refused else 0)
    try:
        applied = curation.apply(view, previewed)
    except RulingRefused as error:
        if as_json:
            nothing = curation.Applied(group=previewed.group, rulings=(), summary="refused")
            print_json(_ruling_form(action, nothing, previewed.rows))
        for row in refused:
            click.echo(_refusal(row), err=True)
        if not refused:
            click.echo(f"refused: {said(error.why)}", err=True)
        raise click.exceptions.Exit(1) from None
    if as_json:
        print_json(_ruling_form(action, applied, refused))
    else:
        print_line(f"{said(applied.summary)}  (take back: proofstone undo {as_typed(path)})")
        for row in refused:
            click.echo(_refusal(row), err=True)
    raise click.exceptions.Exit(1 if refused else 0)


_show_option = click.option(
    "--show", is_flag=True, help="When files have changed since, show how (on stderr)."
)


@click.command()
@store_argument
@click.argument("ruling", metavar="[RULING]", default="")
@_show_option
@author_option
@json_option
def undo(path: Path, ruling: str, show: bool, author: str | None, as_json: bool) -> None:
    """Take back the last ruling, or the one named, if its files have not changed since."""
    _take_back("undo", path, ruling, show, author, as_json)


@click.command()
@store_argument
@click.argument("ruling", metavar="[RULING]", default="")
@_show_option
@author_option
@json_option
def redo(path: Path, ruling: str, show: bool, author: str | None, as_json: bool) -> None:
    """Make the ruling that was undone last, or the one named, again."""
    _take_back("redo", path, ruling, show, author, as_json)


@click.command()
@store_argument
@click.option("--limit", default=0, help="The newest so many; 0 for all.")
@json_option
def log(path: Path, limit: int, as_json: bool) -> None:
    """List the rulings, newest first."""
    entries = history.entries(workspace(path))
    entries = entries[:limit] if limit else entries
    if as_json:
        print_json(
            {"schema": "proofstone/log/1", "items": [_entry_form(entry) for entry in entries]}
        )
        return
    for entry in entries:
        ruling = entry.ruling
        state = f" [{entry.state}]" if entry.state != "in force" else ""
        reason = f" — {ruling.reason}" if ruling.reason else ""
        print_line(
            said(
                f"{ruling.time}  {ruling.ruling_id}  {ruling.action} {ruling.subject} "
                f"by {ruling.author} via {ruling.via}{state}{reason}"
            )
        )
    if not entries:
        print_line("no rulings yet")


def _take_back(
    action: str, path: Path, ruling: str, show: bool, author: str | None, as_json: bool
) -> None:
    make = history.undo if action == "undo" else history.redo
    try:
        applied = make(workspace(path, author), ruling)
    except history.ChangedSinceError as error:
        if not show:
            raise ProofstoneError(f"{error}; --show prints the difference") from None
        for difference in error.differences:
            for line in difference.lines:
                click.echo(shown_text(cover_secrets(line), limit=_WIDTH), err=True)
        raise
    _print_applied(action, applied, as_json)


def _purge(
    view: Workspace,
    action: str,
    identifiers: tuple[str, ...],
    choices: Choices,
    dry_run: bool,
    as_json: bool,
) -> None:
    from proofstone.cli.purge import run_purge

    if action != "tombstone" or len(identifiers) != 1:
        raise ProofstoneError("rule: --purge goes with tombstone, and with one ID")
    run_purge(view, identifiers[0], choices, dry_run=dry_run, as_json=as_json)


def _print_applied(action: str, applied: curation.Applied, as_json: bool) -> None:
    if as_json:
        print_json(_ruling_form(action, applied))
    else:
        print_line(said(applied.summary))


def _print_preview(previewed: curation.Preview, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "schema": "proofstone/preview/1",
                "action": previewed.action,
                "items": [
                    {
                        "subject": row.subject,
                        "allowed": row.allowed,
                        "why": row.why,
                        "changes": [_change_form(change) for change in row.changes],
                    }
                    for row in previewed.rows
                ],
            }
        )
        return
    for row in previewed.rows:
        if row.plan is None:
            print_line(f"{said(row.subject)}: refused: {said(_why(row))}")
            continue
        print_line(f"{said(row.subject)}: {said(row.plan.summary)}")
        for change in row.changes:
            print_line(f"  {_verb(change)} {said(change.path)}")


def _refusal(row: curation.PreviewRow) -> str:
    return f"refused: {said(row.subject)}: {said(_why(row))}"


def _why(row: curation.PreviewRow) -> str:
    return with_option(row.why, row.need)


def with_option(why: str, need: Need) -> str:
    """Why a ruling is refused, and the option that gives what it still needs."""
    option = _GIVEN_BY.get(need)
    return f"{why} ({option})" if option else why


def _ruling_form(
    action: str, applied: curation.Applied, refused: Iterable[curation.PreviewRow] = ()
) -> Json:
    return {
        "schema": "proofstone/ruling/1",
        "action": action,
        "group": applied.group,
        "rulings": list(applied.rulings),
        "summary": applied.summary,
        "changes": [_change_form(change) for change in applied.changes],
        "refused": [{"subject": row.subject, "why": row.why} for row in refused],
    }


def _change_form(change: FileChange) -> Json:
    return {"path": change.path, "change": _verb(change)}


def _verb(change: FileChange) -> str:
    if change.before is None:
        return "create"
    return "remove" if change.after is None else "change"


def _entry_form(entry: history.Entry) -> Json:
    ruling = entry.ruling
    return {
        "ruling_id": ruling.ruling_id,
        "group": ruling.group,
        "time": ruling.time,
        "author": ruling.author,
        "via": ruling.via,
        "action": ruling.action,
        "subject": ruling.subject,
        "reason": ruling.reason,
        "choices": plain(ruling.choices),
        "state": entry.state,
        "changes": [
            {"path": path, "before": before, "after": after} for path, before, after in entry.files
        ],
    }


def _whole_id(proposals: Mapping[str, object], memories: Iterable[Memory], given: str) -> str:
    """The id that ``given``, an id or an unmistakable beginning of one, stands for."""
    known = [*proposals, *(memory.memory_id for memory in memories)]
    if given in known:
        return given
    begun = [identifier for identifier in known if identifier.startswith(given)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise ProofstoneError(f"rule: {given} begins {len(begun)} ids; give more of it")
    raise ProofstoneError(f"rule: no proposal or memory {given}; see `proofstone show proposals`")


def _require_layer(proposal: Proposal | None, layer: str | None) -> None:
    """A script that expects a layer is told when the proposal is of the other."""
    if layer is not None and proposal is not None and proposal.layer.value != layer:
        raise ProofstoneError(
            f"rule: {proposal.proposal_id} is {proposal.layer.value}, not {layer}; "
            f"edit its layer first with --set layer={layer}"
        )


def _edit(text: str) -> tuple[str, Value]:
    key, equals, value = text.partition("=")
    if not equals:
        raise ProofstoneError(f"--set {text}: write KEY=VALUE")
    if key in _LISTS:
        return key, tuple(item.strip() for item in value.split(",") if item.strip())
    return key, value
