"""``proofstone sessions``: captured turns from agents' own session files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from proofstone.cli.common import (
    context,
    json_option,
    print_json,
    print_line,
    said,
    vault_argument,
)
from proofstone.curation.sessions import AUTO, FileReport, SessionCapture, wanted_format

SHOWN_LINES = 20
"""Skipped lines and files that are printed each; JSON has them all."""

_RECHECK_MS = 5_000


@click.command()
@vault_argument
@click.argument("places", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--from",
    "format_name",
    default=AUTO,
    metavar="FORMAT",
    show_default=True,
    help="claude-code, codex, openai, markdown, or auto to tell by the content.",
)
@click.option(
    "--final", is_flag=True, help="Take the last turn too where nothing says that it is finished."
)
@click.option("--watch", is_flag=True, help="Go on: capture what is added until interrupted.")
@json_option
def sessions(
    path: Path,
    places: tuple[Path, ...],
    format_name: str,
    final: bool,
    watch: bool,
    as_json: bool,
) -> None:
    """Capture turns from agents' own session files into the vault at PATH.

    PLACES are files or folders. Secrets are masked before anything is written. Reading a file
    again adds only what is new.

    \b
    Examples:
      proofstone sessions ~/memories ~/.claude/projects
      proofstone sessions ~/memories ~/.codex/sessions --watch
      proofstone sessions ~/memories --from openai chat.json
    """
    if final and watch:
        raise click.UsageError(
            "--final and --watch exclude each other: the one ends, the other goes on"
        )
    wanted = wanted_format(format_name)
    capture = SessionCapture(path, context(), final=final)
    reports = list(capture.capture(places, wanted, follows=watch))
    _show(reports, as_json=as_json)
    missing = [report for report in reports if report.is_named and report.reason]
    for report in missing:
        click.echo(f"proofstone: {said(str(report.path))}: {said(report.reason)}", err=True)
    told = _tell_faults(reports, frozenset())
    if watch:
        for _ in changes(places):
            news = [r for r in capture.capture(places, wanted, follows=True) if not r.is_unchanged]
            if any(report.turns or report.skipped_count for report in news):
                _show(news, as_json=as_json)
            told = _tell_faults(news, told)
    if missing or told:
        raise click.exceptions.Exit(2)


def _tell_faults(reports: list[FileReport], told: frozenset[str]) -> frozenset[str]:
    """One line for each session that could not be written; what was ``told`` is not told again."""
    faults = [fault for report in reports for fault in report.faults.values()]
    new = [fault for fault in dict.fromkeys(faults) if fault not in told]
    for fault in new[:SHOWN_LINES]:
        click.echo(f"proofstone: not captured: {said(fault)}", err=True)
    if len(new) > SHOWN_LINES:
        click.echo(f"proofstone: not captured: {len(new) - SHOWN_LINES:,} sessions more", err=True)
    return told.union(new)


def changes(places: Iterable[Path]) -> Iterator[object]:
    """Something whenever a file below ``places`` has changed, and every few seconds.

    The regular look finds what was written between the first reading and the first watching.
    Ends when the user interrupts.
    """
    import logging

    from watchfiles import watch

    # It says on stderr that it was interrupted, which whoever did so knows.
    logging.getLogger("watchfiles.main").setLevel(logging.ERROR)
    yield from watch(
        *(place for place in places if place.exists()),
        watch_filter=None,
        rust_timeout=_RECHECK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
    )


def form(report: FileReport) -> dict[str, Any]:
    """A file's report as JSON (docs/json.md)."""
    row: dict[str, Any] = {
        "file": str(report.path),
        "format": report.format,
        "sessions": report.sessions,
        "turns": report.turns,
        "events": report.events,
        "known": report.known,
        "private": report.private,
        "waiting_line": report.waiting,
        "skipped": [{"line": line.line, "reason": line.reason} for line in report.skipped],
        "skipped_count": report.skipped_count,
        "left_out": dict(sorted(report.left_out.items())),
        "unchanged": report.is_unchanged,
    }
    if report.reason:
        row["reason"] = report.reason
    if report.faults:
        row["faults"] = report.faults
    return row


def _show(reports: list[FileReport], *, as_json: bool) -> None:
    if as_json:
        print_json({"schema": "proofstone/sessions/1", "items": [form(r) for r in reports]})
        return
    for report in reports:
        if not report.reason and not report.is_unchanged:
            _show_file(report)
    unread = [report for report in reports if report.reason]
    for report in unread[:SHOWN_LINES]:
        print_line(f"not read: {said(str(report.path))}: {said(report.reason)}")
    if len(unread) > SHOWN_LINES:
        print_line(f"not read: {len(unread) - SHOWN_LINES:,} files more; --json lists them")
    _show_sum(reports)


def _show_file(report: FileReport) -> None:
    parts = [f"{_count(report.turns, 'turn')} ({_count(report.events, 'event')})"]
    if report.known:
        parts.append(f"{report.known:,} known already")
    if report.private:
        parts.append(f"{report.private:,} not to be recorded")
    if report.waiting is not None:
        parts.append(f"the turn from line {report.waiting:,} is not finished")
    print_line(f"{said(str(report.path))}: {report.format}: {', '.join(parts)}")
    for skipped in report.skipped[:SHOWN_LINES]:
        print_line(f"  skipped line {skipped.line:,}: {said(skipped.reason)}")
    more = report.skipped_count - min(len(report.skipped), SHOWN_LINES)
    if more:
        print_line(f"  skipped {_count(more, 'line')} more; --json lists them")


def _show_sum(reports: list[FileReport]) -> None:
    read = [report for report in reports if not report.reason]
    turns = sum(report.turns for report in read)
    unchanged = sum(report.is_unchanged for report in read)
    text = f"{_count(turns, 'turn')} captured from {_count(len(read), 'file')}"
    print_line(f"{text}, {unchanged:,} unchanged" if unchanged else text)
    left_out: Counter[str] = Counter()
    for report in read:
        left_out.update(report.left_out)
    if left_out:
        parts = ", ".join(f"{reason} {count:,}" for reason, count in sorted(left_out.items()))
        print_line(f"left out by rule: {parts}")
    waiting = sum(report.waiting is not None for report in read)
    if waiting:
        print_line(
            f"{_count(waiting, 'file')} with a turn that is not finished: it is captured when it"
            " is, or with --final"
        )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
