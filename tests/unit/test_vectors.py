"""The runner of vector files: what it counts, what it says, how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from proofstone.testing.vectors import as_json, differences, main

EVIDENCE = Path(__file__).parent.parent / "vectors" / "evidence.json"


def _fails(document: Any, case: Any) -> tuple[Any, Any]:
    raise KeyError(case["id"])


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a vector file whose cases are run by the runners here."""
    module = ModuleType("proofstone.testing.vector_kinds.gate")
    module.RUNNERS = {  # type: ignore[attr-defined]
        "echo": lambda document, case: (case["expected"], case["input"]),
        "document": lambda document, case: (case["expected"], document["source"]),
        "broken": _fails,
    }
    monkeypatch.setitem(sys.modules, module.__name__, module)

    def write(*cases: Any, name: str = "cases.json", **document: Any) -> str:
        path = tmp_path / name
        whole = {"schema": "proofstone-vectors-gate/1", "source": "s", "cases": cases} | document
        path.write_text(json.dumps(whole), encoding="utf-8")
        return str(path)

    return write


def echo(identity: str, expected: Any, got: Any) -> dict[str, Any]:
    return {"id": identity, "kind": "echo", "expected": expected, "input": got}


def test_cases_that_pass_are_counted(
    file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    by_group = {"id": "b", "group": "document", "expected": "s"}
    first = file(echo("a", {"x": [1]}, {"x": [1]}), by_group)
    second = file(echo("c", None, None), name="more.json")
    assert main([first, second]) == 0
    assert capsys.readouterr().out == "3 passed, 0 failed\n"


def test_a_failed_case_shows_where_it_differs(
    file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file(echo("bad", {"x": [1, 2]}, {"x": [1, 3], "y": 0}), echo("ok", 1, 1))]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("FAIL bad (")
    assert out[1:] == [
        "  at $.x[1]",
        "    expected 2",
        "    got      3",
        "  at $.y",
        "    expected (nothing)",
        "    got      0",
        "1 passed, 1 failed",
    ]


def test_what_is_shown_is_bounded_and_cannot_steer_the_terminal(
    file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file(echo("long\x1b[2J", "x" * 10_000, list("\x1b" * 5_000)))]) == 1
    out = capsys.readouterr().out
    assert "long\\x1b[2J" in out
    assert "\x1b" not in out
    assert len(out) < 2_000


def test_an_exception_fails_its_case_alone(
    file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file({"id": "b", "kind": "broken"}, echo("ok", 1, 1))]) == 1
    out = capsys.readouterr().out
    assert "  raised KeyError: 'b'" in out
    assert out.endswith("1 passed, 1 failed\n")


@pytest.mark.parametrize("case", [{"id": "k", "kind": "other"}, {"id": "k"}, 7])
def test_an_unknown_kind_is_a_failed_case(
    case: Any, file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file(case)]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff", "is not UTF-8 at byte 0"),
        (b"[]", "holds no JSON object"),
        (b"{}", 'has no list "cases"'),
        (b'{"schema": "other/1", "cases": []}', 'has the unknown schema "other/1"'),
        (b'{"schema": "proofstone-vectors-os/1", "cases": []}', "has the unknown schema"),
    ],
)
def test_a_file_that_is_no_vector_file_is_one_failure(
    content: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"FAIL {path} {says}")
    assert lines[1:] == ["0 passed, 1 failed"]


def test_a_missing_file_does_not_stop_the_others(
    file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["/nowhere/at all.json", file(echo("a", 1, 1))]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAIL /nowhere/at all.json cannot be read: ")
    assert lines[-1] == "1 passed, 1 failed"


def test_missing_runners_are_an_error_of_their_own(
    file: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = file(echo("a", 1, 1))
    monkeypatch.setitem(sys.modules, "proofstone.testing.vector_kinds.gate", None)
    assert main([path]) == 2
    out = capsys.readouterr().out
    assert out.startswith(f"ERROR {path}: proofstone-vectors-gate/1 cannot be run: ")
    assert out.endswith("0 passed, 0 failed\n")


def test_without_files_it_says_how_to_call_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: ")


@pytest.mark.parametrize(
    ("expected", "got", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ([1], (1,), True),
        ([], {}, False),
        ({"a": None}, {}, False),
        ("1", 1, False),
    ],
)
def test_values_are_compared_as_json(expected: Any, got: Any, equal: bool) -> None:
    assert (not list(differences(as_json(expected), as_json(got)))) is equal


def test_the_evidence_vectors_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(EVIDENCE)]) == 0
    assert capsys.readouterr().out == "73 passed, 0 failed\n"


def test_a_changed_expectation_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    changed = next(case for case in document["cases"] if case["expected"].get("units"))
    changed["expected"]["units"][0]["unit_id"] = "u-" + "0" * 24
    document["cases"] = [changed]
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "at $.units[0].unit_id" in capsys.readouterr().out
