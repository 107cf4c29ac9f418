"""Findings as programs of continuous integration read them (spec page 8, check --format)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from proofstone.curation.check_since import work_tree_of
from proofstone.curation.finding_help import help_for
from proofstone.curation.forms import Json
from proofstone.domain.records import Problem
from proofstone.domain.shown import shown_text

SARIF_VERSION = "2.1.0"
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_REPOSITORY = "%SRCROOT%"
"""What programs of code scanning call the repository's folder."""

_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_SARIF = {"error": "error", "warning": "warning", "info": "note"}


def path_prefix(root: Path, current: Path) -> str:
    """What to put before a path of the vault in ``root`` to name it from the repository.

    That is the git work tree that the vault is in, else ``current`` when the vault is below it,
    else the vault itself.
    """
    whole = root.resolve()
    above = work_tree_of(whole) or current.resolve()
    if whole == above or not whole.is_relative_to(above):
        return ""
    return f"{whole.relative_to(above).as_posix()}/"


def github_annotation(problem: Problem, prefix: str = "") -> str:
    """The workflow command that makes GitHub show ``problem`` at its line.

    Whatever the text holds, it is one line and one command.
    """
    kind = _GITHUB.get(problem.severity, "error")
    properties = {"file": prefix + problem.path}
    if problem.line is not None:
        properties["line"] = str(max(problem.line, 1))
    properties["title"] = problem.code
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {named}::{_data(_sentences(problem))}"


def sarif(problems: Sequence[Problem], version: str, prefix: str = "") -> Json:
    """``problems`` as one run of a SARIF 2.1.0 log.

    Args:
        version: The version of the program, which the log names.
        prefix: See ``path_prefix``; paths are relative to the repository.
    """
    codes = list(dict.fromkeys(problem.code for problem in problems))
    severities = {problem.code: problem.severity for problem in reversed(problems)}
    return {
        "$schema": _SARIF_SCHEMA,
        "version": SARIF_VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Proofstone",
                        "version": version,
                        "rules": [_rule(code, severities[code]) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem, codes, prefix) for problem in problems],
            }
        ],
    }


def _rule(code: str, severity: str) -> Json:
    help = help_for(code)
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in code.split("_")),
        "shortDescription": {"text": f"{help.short}."},
        "fullDescription": {"text": f"{help.short}. {help.text}"},
        "help": {"text": help.text},
        "defaultConfiguration": {"level": _SARIF.get(severity, "error")},
    }


def _result(problem: Problem, codes: Sequence[str], prefix: str) -> Json:
    place: Json = {
        "artifactLocation": {
            "uri": quote((prefix + problem.path).encode("utf-8", "surrogateescape"), safe="/"),
            "uriBaseId": _REPOSITORY,
        },
        # Code scanning shows nothing without a line; a finding on a whole file stands at its first.
        "region": {"startLine": max(problem.line or 1, 1)},
    }
    return {
        "ruleId": problem.code,
        "ruleIndex": codes.index(problem.code),
        "level": _SARIF.get(problem.severity, "error"),
        "message": {"text": _sentences(problem)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {
            "proofstone/v1": _fingerprint(
                (problem.code, problem.path, problem.subject, problem.message)
            )
        },
    }


def _sentences(problem: Problem) -> str:
    """What is wrong and what to do about it, as one harmless line of sentences."""
    message = problem.message
    ended = message if not message or message[-1] in ".!?" else f"{message}."
    return shown_text(" ".join(f"{ended} {problem.advice}".split()))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(shown_text(text)).replace(":", "%3A").replace(",", "%2C")


def _fingerprint(parts: Iterable[str]) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256(text).hexdigest()[:32]
