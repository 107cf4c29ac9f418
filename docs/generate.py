"""Write the generated pages of the reference: ``python docs/generate.py``.

They say what the program itself says: the commands from their definitions, the settings from their
fields, the keys of notes from what is written of them, the findings and refusals from their closed
lists, and samples of JSON from the demo vault.
``tests/unit/test_docs.py`` fails when a page is no longer what this script would write.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections import abc
from collections.abc import Iterator, Mapping
from enum import Enum, StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import click
import yaml

from proofstone.cli.common import NOW_VARIABLE
from proofstone.cli.main import cli
from proofstone.curation.author import AUTHOR_VARIABLE
from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR, DEMO_NOW
from proofstone.curation.finding_help import FINDINGS
from proofstone.curation.places import VAULT_VARIABLE
from proofstone.curation.show import KINDS, listing
from proofstone.curation.workspace import Workspace
from proofstone.domain import note_fields, records
from proofstone.domain.gate_meanings import meaning
from proofstone.domain.gate_types import (
    Cleaned,
    EvidenceCheck,
    GateRecord,
    ValidationDetail,
    ValidationReason,
)
from proofstone.domain.plan import Ruling
from proofstone.gate.configured import MODEL_VARIABLE, URL_VARIABLE
from proofstone.gate.settings import KEY_VARIABLES
from proofstone.resources import resource_dir
from proofstone.stores.companion import STATE_VARIABLE
from proofstone.vault.gate_store import write_gate
from proofstone.vault.journal import closing_row, opening_row
from proofstone.vault.journal_rechain import rechained
from proofstone.vault.settings import Settings

REFERENCE = Path(__file__).parent / "reference"
MADE = "This page is made by `python docs/generate.py`; change the program, not the page.\n"

_LONG_LIST = 1
"""How many entries of a list a sample of JSON shows."""


def pages() -> Mapping[str, str]:
    """Every generated page by its file name in ``docs/reference``."""
    return {
        "commands.md": commands_page(),
        "settings.md": settings_page(),
        "notes.md": notes_page(),
        "errors.md": errors_page(),
        "json-samples.md": json_page(),
    }


# --- commands ---------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its arguments, options and examples."""
    context = click.Context(cli, info_name="proofstone", **cli.context_settings)
    lines = ["# Commands", "", MADE]
    lines += _help_text(cli)
    lines += ["", "| command | what it does |", "|---|---|"]
    all_commands = list(_commands(cli, context))
    for command, inner in all_commands:
        anchor = inner.command_path.replace(" ", "-")
        first = _sentence(_help_text(command))
        lines.append(f"| [`{inner.command_path}`](#{anchor}) | {_cell(first)} |")
    lines += [
        "",
        "Exit codes and the form of `--json` are in [JSON](../json.md). Errors are one line on",
        "standard error that says what, where, and what to do. For `tab` in your shell see",
        "[completion](../how-to/install.md#completion-in-your-shell).",
    ]
    for command, inner in all_commands:
        lines += ["", f"## {inner.command_path}", "", *_one_command(command, inner)]
    return _joined(lines)


def _commands(
    group: click.Group, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, inner)
        else:
            yield command, inner


def _one_command(command: click.Command, context: click.Context) -> list[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    lines = ["```text", f"{context.command_path} {usage}", "```", "", *_help_text(command)]
    choices = [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Argument) and isinstance(parameter.type, click.Choice)
    ]
    for argument in choices:
        words = ", ".join(f"`{choice}`" for choice in argument.type.choices)
        lines += ["", f"{argument.make_metavar(context)}: {words}."]
    lines += ["", "| option | what it does |", "|---|---|"]
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            # No bar in a table's code is shown alike by the site and by a repository's browser.
            form = record[0].replace("|", " / ")
            lines.append(f"| `{_cell(form)}` | {_cell(record[1])} |")
    if command.epilog:
        examples = inspect.cleandoc(command.epilog.replace("\b", "").strip("\n"))
        lines += ["", "```text", *examples.splitlines(), "```"]
    return lines


def _help_text(command: click.Command) -> list[str]:
    return [line.rstrip() for line in inspect.cleandoc(command.help or "").splitlines()]


def _sentence(lines: list[str]) -> str:
    paragraph = " ".join(lines).split("  ")[0]
    return paragraph.split(". ")[0].rstrip(".") + "."


# --- settings ---------------------------------------------------------------------------------

_SETTINGS = {
    "format_version": ("format", "the version of the vault's format"),
    "profile": ("profile", "whose memory it is, such as `project:orion`"),
    "project": ("project", "the project that captures belong to when they name none"),
    "governance_mode": (
        "governance_mode",
        "`strict`, or `compatibility`: proposals without trust metadata are `legacy_unverified`",
    ),
    "retention_hours": (
        "retention_hours",
        "hours for which a settled turn keeps its text at least ([retention](../retention.md))",
    ),
    "anchor_root": (
        "anchor_root",
        "the folder that anchors like `path:line` are relative to; if empty, the vault's parent",
    ),
    "keymap": ("keymap", "actions and the keys for them ([keys](../keys.md))"),
    "theme": ("theme", "the workbench's theme"),
}

_VARIABLES = {
    VAULT_VARIABLE: "the vault that `proofstone` alone opens",
    AUTHOR_VARIABLE: "who rules, where `--as` does not say; else git's `user.name`, else the login "
    "name",
    NOW_VARIABLE: "a fixed time (RFC 3339) in place of the clock, for outputs that can be repeated",
    STATE_VARIABLE: "a folder in place of the platform's, for what other programs' stores have no "
    "place for",
    URL_VARIABLE: "the endpoint that is asked for the Gate, where `--base-url` does not say",
    MODEL_VARIABLE: "the endpoint's model, where `--model` does not say",
    KEY_VARIABLES[0]: "the key for the Gate's endpoint; when it is set to nothing, no key is sent",
    KEY_VARIABLES[1]: f"the key for the Gate's endpoint where `{KEY_VARIABLES[0]}` is not set",
    "VISUAL": "the editor that the workbench opens notes in",
    "EDITOR": "the same, where `VISUAL` is not set",
    "NO_COLOR": "when it is set, the workbench shows no colours",
}


def settings_page() -> str:
    """The keys of ``proofstone.yaml`` and the variables of the environment."""
    lines = ["# Settings", "", MADE, "## The vault: `proofstone.yaml`", ""]
    lines += ["| key | unless set | what it says |", "|---|---|---|"]
    for field in dataclasses.fields(Settings):
        key, words = _SETTINGS[field.name]
        lines.append(f"| `{key}` | {_default(field)} | {words} |")
    lines += [
        "",
        "Unknown keys are left alone. A file that cannot be read is listed under Problems, and the",
        "values above hold until it is corrected.",
        "",
        "## Your own folder",
        "",
        "The platform's folder for settings (Settings in the workbench says where) holds what is "
        "yours and no",
        "vault's: `keymap.yaml` ([keys](../keys.md)), `themes/` ([themes](../themes.md)),",
        "`gate.yaml`, the endpoint of the Gate ([asking a model](../gate.md)), `workbench.yaml`",
        "with `theme` (it goes before a vault's) and `author` (after `PROOFSTONE_AUTHOR`, before",
        "git's), and `filters.yaml`, one line for each saved filter. The workbench changes single",
        "lines of the last two, when it is asked to, and leaves the rest of them byte for byte.",
        "",
        "## The environment",
        "",
        "| variable | what it says |",
        "|---|---|",
        *(f"| `{name}` | {words} |" for name, words in _VARIABLES.items()),
    ]
    return _joined(lines)


def _default(field: dataclasses.Field[object]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"`{field.default}`" if field.default not in ("", None) else "nothing"
    return "nothing"


# --- notes ------------------------------------------------------------------------------------

_ENUMS: Mapping[str, type[StrEnum]] = {
    "standing": records.Standing,
    "status": records.ProposalStatus,
    "trust_class": records.TrustClass,
    "durability_signal": records.Durability,
    "match_kind": records.MatchKind,
    "polarity": records.Polarity,
    "redaction_status": records.Redaction,
}
"""Keys with a closed list of values."""
_NO_LIST = {("memory", "status"), ("inquiry", "status")}
"""Keys of the same name whose values are another program's, or are told by their meaning."""


def notes_page() -> str:
    """Every key of every kind of note, of Gate records, and of rows of the journal."""
    meanings = yaml.safe_load((Path(__file__).parent / "note_keys.yaml").read_text("utf-8"))
    shared = meanings.pop("statement")
    memory = list(note_fields.memory_fields(_filled(records.Memory)))
    proposal = list(note_fields.proposal_fields(_filled(records.Proposal)))
    assert set(shared) <= {*memory, *proposal}, set(shared) - {*memory, *proposal}
    tables = (
        ("Memories", "`knowledge/`, `history/`", "memory", memory),
        ("Proposals", "`proposals/`, `proposals/ruled/`", "proposal", proposal),
        (
            "Evidence records",
            "`evidence/`",
            "evidence",
            list(note_fields.evidence_fields(_filled(records.EvidenceRecord))),
        ),
        (
            "Tombstones",
            "`tombstones/`",
            "tombstone",
            list(note_fields.tombstone_fields(_filled(records.Tombstone))),
        ),
        (
            "Inquiries",
            "`inquiries/`; the body is the context",
            "inquiry",
            list(note_fields.inquiry_fields(_filled(records.Inquiry))),
        ),
        ("Gate records", "`gate/…/*.json`", "gate", _gate_keys()),
        ("Rows of the journal", "`_state/proofstone/journal.jsonl`", "journal", _journal_keys()),
    )
    lines = ["# Notes, key by key", "", MADE]
    lines += [
        "[The vault on disk](../vault.md) says how notes are read and written. The statement of a",
        "memory or proposal is the note's body. A key that says nothing is not there; keys that",
        "are not listed here are left alone.",
    ]
    for title, where, name, keys in tables:
        said = {**shared, **meanings[name]} if name in ("memory", "proposal") else meanings[name]
        assert set(meanings[name]) <= set(keys), set(meanings[name]) - set(keys)
        lines += ["", f"## {title}", "", f"In {where}.", "", "| key | what it says |", "|---|---|"]
        lines += [f"| `{key}` | {_cell(said[key] + _values(name, key))} |" for key in keys]
    return _joined(lines)


def _values(name: str, key: str) -> str:
    if key not in _ENUMS or (name, key) in _NO_LIST:
        return ""
    return ": " + " ".join(f"`{member.value}`" for member in _ENUMS[key])


def _gate_keys() -> list[str]:
    stored = write_gate(GateRecord(turn="t#1"), "k")
    written = list(json.loads(stored))
    with_all = GateRecord(turn="t#1", prompt_digest="p", corrected_at="c", cleaned=_filled(Cleaned))
    return list(dict.fromkeys([*written, *json.loads(write_gate(with_all, "k"))]))


def _journal_keys() -> list[str]:
    opening = opening_row(_filled(Ruling), [], "o") | {"purged": {}}
    closing = closing_row("r", "g", "committed", recovered=True)
    moved, _ = rechained({"seq": 1, "previous": "p", "hash": "h"}, 2, "p")
    return list(dict.fromkeys([*opening, *closing, *json.loads(moved)]))


def _filled(kind: type[Any]) -> Any:
    """A record of ``kind`` in which nothing is empty."""
    hints = get_type_hints(kind)
    return kind(**{field.name: _sample(hints[field.name]) for field in dataclasses.fields(kind)})


def _sample(hint: Any) -> Any:
    inner = [given for given in get_args(hint) if given not in (NoneType, Ellipsis)]
    origin = get_origin(hint)
    if origin is tuple:
        return (_sample(inner[0]),)
    if inner and origin not in (Mapping, abc.Mapping):
        return _sample(inner[0])
    if origin is not None:
        return {}
    if issubclass(hint, Enum):
        return next(iter(hint))
    if dataclasses.is_dataclass(hint):
        return _filled(hint)
    return hint(1)


# --- errors -----------------------------------------------------------------------------------


def errors_page() -> str:
    """Every finding of ``check`` and every reason for which a Gate answer is refused."""
    lines = ["# Findings and refusals", "", MADE]
    lines += ["## What `proofstone check` finds", "", "| code | what it means | what to do |"]
    lines.append("|---|---|---|")
    for code, help_text in FINDINGS.items():
        lines.append(f"| `{code}` | {_cell(help_text.short)} | {_cell(help_text.text)} |")
    lists = (
        ("It breaks the evidence contract", EvidenceCheck),
        ("Something else in it is at fault", ValidationDetail),
        ("It is no answer", ValidationReason),
    )
    lines += [
        "",
        "## Why a Gate answer is refused",
        "",
        "Of a refused answer only the identifier, the stage and the time are kept.",
    ]
    for title, kinds in lists:
        lines += ["", f"### {title}", "", "| identifier | what it means |", "|---|---|"]
        lines += [f"| `{kind.value}` | {_cell(meaning(kind.value))} |" for kind in kinds]
    lines += [
        "",
        "## Why a proposal is flagged or rejected",
        "",
        "[The verifier](../verifier.md) has its seven checks and the reasons of each.",
    ]
    return _joined(lines)


# --- JSON -------------------------------------------------------------------------------------


def json_page() -> str:
    """The first item of every list of the demo vault, as ``show --json`` prints it."""
    context = Context(clock=lambda: DEMO_NOW, author=DEMO_AUTHOR, via="cli")
    workspace = Workspace.open(resource_dir("demo-vault"), context)
    lines = [
        "# JSON by example",
        "",
        MADE,
        "One item of every list of the [demo vault](../demo-vault.md), as",
        "`proofstone show KIND demo-vault --json` prints it. [JSON](../json.md) explains them.",
        "",
        "Lists within an item are cut to their first entry here.",
    ]
    for kind in KINDS:
        form = listing(workspace, kind)
        form["items"] = [_short(item) for item in form["items"][:1]]
        lines += ["", f"## {kind}", "", "```json"]
        lines += json.dumps(form, ensure_ascii=False, indent=2).splitlines()
        lines.append("```")
    return _joined(lines)


def _short(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _short(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_short(inner) for inner in value[:_LONG_LIST]]
    return value


# --- writing ----------------------------------------------------------------------------------


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write every page that is not there or has changed."""
    REFERENCE.mkdir(exist_ok=True)
    for name, text in pages().items():
        path = REFERENCE / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path}")


if __name__ == "__main__":
    main()
