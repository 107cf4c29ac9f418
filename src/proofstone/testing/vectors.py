"""Run vector files: cases whose expected results were taken from the real systems.

    python -m proofstone.testing.vectors FILE…

A file names its schema, ``proofstone-vectors-<name>/1``; its cases are run by the ``RUNNERS`` of
``proofstone.testing.vector_kinds.<name>``, chosen by a case's ``kind`` (else its ``group``). A
runner takes the whole document and the case, and returns what is expected and what came out; the
case passes when the two are equal as JSON. A file that cannot be read as vectors counts as one
failure. The exit code is 0 when every case passes, 1 on a failure, 2 when runners are missing.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Document = Mapping[str, Any]
Case = Mapping[str, Any]
Runner = Callable[[Document, Case], tuple[Any, Any]]

SCHEMAS: tuple[str, ...] = ("evidence", "gate", "trust", "capture")

_SCHEMA = re.compile(r"proofstone-vectors-([a-z]+)/1")
_SHOWN = 400
"""Longest rendering of an expected or found value in a report, in characters."""
_PATHS = 5
"""Most differing paths shown for one case."""
_ABSENT = object()


class UnreadableFileError(Exception):
    """A vector file that is no vector file: the message says what is wrong with it."""


class MissingRunnersError(Exception):
    """The module that should run a schema's cases is not there."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed case and the lines that explain it."""

    case_id: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one document."""

    passed: int = 0
    failures: tuple[Failure, ...] = field(default=())


def load(path: Path) -> dict[str, Any]:
    """Read one vector file.

    Raises UnreadableFileError when it is missing, no JSON object, or has no list of cases.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableFileError(f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"is not UTF-8 at byte {error.start}") from error
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(f"is not JSON: {_shown_text(str(error))}") from error
    if not isinstance(document, dict):
        raise UnreadableFileError("holds no JSON object")
    if not isinstance(document.get("cases"), list):
        raise UnreadableFileError('has no list "cases"')
    return document


def runners_for(document: Document) -> Mapping[str, Runner]:
    """The runners of the document's schema.

    Raises UnreadableFileError for an unknown schema, MissingRunnersError when the module that
    should run it is missing or broken.
    """
    schema = document.get("schema")
    match = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if match is None or match[1] not in SCHEMAS:
        known = ", ".join(f"proofstone-vectors-{name}/1" for name in SCHEMAS)
        raise UnreadableFileError(f"has the unknown schema {_shown(schema)}; known are {known}")
    module_name = f"proofstone.testing.vector_kinds.{match[1]}"
    try:
        runners: Mapping[str, Runner] = importlib.import_module(module_name).RUNNERS
    except Exception as error:
        raise MissingRunnersError(
            f"{schema} cannot be run: {module_name} has no runners: {_shown_text(str(error))}"
        ) from error
    return runners


def run(document: Document, runners: Mapping[str, Runner]) -> Result:
    """Run every case of a document. A runner that raises fails its case alone."""
    passed = 0
    failures: list[Failure] = []
    for number, case in enumerate(document["cases"], start=1):
        lines = _explain(document, case, runners)
        if lines:
            failures.append(Failure(_case_id(case, number), tuple(lines)))
        else:
            passed += 1
    return Result(passed, tuple(failures))


def _case_id(case: object, number: int) -> str:
    identity = case.get("id") if isinstance(case, dict) else None
    return _shown_text(identity) if isinstance(identity, str) and identity else f"case {number}"


def _explain(document: Document, case: object, runners: Mapping[str, Runner]) -> list[str]:
    """Why a case fails, in lines; no line when it passes."""
    if not isinstance(case, dict):
        return [f"the case is no object: {_shown(case)}"]
    kind = case.get("kind", case.get("group"))
    runner = runners.get(kind) if isinstance(kind, str) else None
    if runner is None:
        return [f"unknown kind {_shown(kind)}; known are {', '.join(sorted(runners))}"]
    try:
        expected, got = runner(document, case)
        different = list(differences(as_json(expected), as_json(got)))
    except Exception as error:
        return [f"raised {type(error).__name__}: {_shown_text(str(error))}"]
    lines: list[str] = []
    for path, wanted, found in different[:_PATHS]:
        lines += [f"at {path}", f"  expected {_shown(wanted)}", f"  got      {_shown(found)}"]
    if len(different) > _PATHS:
        lines.append(f"and {len(different) - _PATHS} more differences")
    return lines


def as_json(value: Any) -> Any:
    """The value with tuples as lists and string enumerations as plain strings."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    return value


def differences(expected: Any, got: Any, path: str = "$") -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ: path, expected, got. ``true`` is not 1; 1 equals 1.0."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in [*expected, *(key for key in got if key not in expected)]:
            yield from differences(
                expected.get(key, _ABSENT), got.get(key, _ABSENT), f"{path}.{key}"
            )
    elif isinstance(expected, list) and isinstance(got, list):
        for index in range(max(len(expected), len(got))):
            yield from differences(
                expected[index] if index < len(expected) else _ABSENT,
                got[index] if index < len(got) else _ABSENT,
                f"{path}[{index}]",
            )
    elif isinstance(expected, bool) is not isinstance(got, bool) or expected != got:
        yield path, expected, got


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "(nothing)"
    try:
        text = json.dumps(value, ensure_ascii=True, sort_keys=True)
    except (TypeError, ValueError):
        text = ascii(value)
    return _shortened(text)


def _shown_text(text: str) -> str:
    """Text from a file or an exception, with what a terminal would obey escaped."""
    return _shortened("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"


def main(arguments: Sequence[str]) -> int:
    """Run the files named, print what fails and the total, and return the exit code."""
    if not arguments:
        print("usage: python -m proofstone.testing.vectors FILE…", file=sys.stderr)
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    passed = failed = unrunnable = 0
    for name in arguments:
        shown_name = _shown_text(name)
        try:
            document = load(Path(name))
            result = run(document, runners_for(document))
        except UnreadableFileError as error:
            failed += 1
            print(f"FAIL {shown_name} {error}")
            continue
        except MissingRunnersError as error:
            unrunnable += 1
            print(f"ERROR {shown_name}: {error}")
            continue
        for failure in result.failures:
            print(f"FAIL {failure.case_id} ({shown_name})")
            for line in failure.lines:
                print(f"  {line}")
        passed += result.passed
        failed += len(result.failures)
    print(f"{passed} passed, {failed} failed")
    if unrunnable:
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
