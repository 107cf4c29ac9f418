"""``proofstone import``: other stores' memories as tainted proposals."""

from __future__ import annotations

from pathlib import Path

import click

from proofstone.cli.common import (
    author_option,
    context,
    json_option,
    print_json,
    print_line,
    problem_text,
    said,
    vault_argument,
)
from proofstone.curation import importing
from proofstone.curation.importing import ImportReport, ImportRow

SCHEMA = "proofstone/import/1"
_WIDTH = 72
_SHOWN = {
    importing.TAKEN: "taken    ",
    importing.MERGED: "merged   ",
    importing.REJECTED: "rejected ",
    importing.LEFT: "left     ",
}


@click.command(
    name="import",
    epilog="""\b
Examples:
  proofstone import ~/.memleaf ~/.claude/projects/-home-me-orion/memory --dry-run
  proofstone import ~/.memleaf CLAUDE.md AGENTS.md .cursor/rules
  proofstone import ~/.memleaf ~/.local/state/nmemory/memory.sqlite3 --json
""",
)
@vault_argument
@click.argument(
    "sources",
    metavar="SOURCE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
)
@click.option("--dry-run", is_flag=True, help="Say what would become of it; write nothing.")
@author_option
@json_option
def import_memories(
    path: Path, sources: tuple[Path, ...], dry_run: bool, author: str | None, as_json: bool
) -> None:
    """Bring the memories of other programs into the vault at PATH, as proposals.

    PATH may be a memory folder of Claude Code too: what comes in waits beside it.

    SOURCE is a pi-persistent-intelligence root, an nMEMORY file, a memory folder of Claude Code,
    Codex or Hermes, CLAUDE.md or AGENTS.md, Cursor rules, a folder of Markdown notes, an MCP
    memory graph, a mem0 export or a Letta agent file. What comes in is marked as tainted and waits
    for a ruling; nothing is written to the source.
    """
    report = importing.import_stores(path, sources, context(author), dry_run=dry_run)
    if as_json:
        print_json(_form(report))
    else:
        _print(report)


def _print(report: ImportReport) -> None:
    for row in report.rows:
        print_line(_line(row))
    for warning in report.warnings:
        line = "" if warning.line is None else f":{warning.line}"
        text = problem_text(warning.message, warning.advice)
        print_line(f"note      {said(f'{warning.path}{line}')}  {said(text)}")
    counts = ", ".join(f"{report.count(status)} {status}" for status in importing.STATUSES)
    print_line(f"{counts}{' (nothing was written)' if report.is_dry_run else ''}")


def _line(row: ImportRow) -> str:
    taint = f"tainted by {row.taint[0]}" if row.taint else ""
    words = "  ".join(
        said(text, _WIDTH * 2) for text in (row.id, row.reason, taint, row.title) if text
    )
    return f"{_SHOWN[row.status]} {said(f'{row.source} {row.place}')}  {words}"


def _form(report: ImportReport) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "dry_run": report.is_dry_run,
        "sources": [
            {"path": str(store.root), "kind": store.kind, "name": store.name}
            for store in report.sources
        ],
        **{status: report.count(status) for status in importing.STATUSES},
        "items": [_row_form(row) for row in report.rows],
        "warnings": [
            {
                "code": warning.code,
                "path": warning.path,
                "line": warning.line,
                "message": warning.message,
                "advice": warning.advice,
            }
            for warning in report.warnings
        ],
    }


def _row_form(row: ImportRow) -> dict[str, object]:
    form: dict[str, object] = {"status": row.status, "source": row.source, "place": row.place}
    for key in ("id", "title", "reason"):
        if getattr(row, key):
            form[key] = getattr(row, key)
    if row.taint:
        form["taint_findings"] = list(row.taint)
    return form
