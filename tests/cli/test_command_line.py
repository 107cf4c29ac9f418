"""What people type wrong, and terminals that are not what they seem: one clear line each."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import Proofstone


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["opne"], "There is no command “opne”. Did you mean `open`? See: proofstone --help"),
        (["xyzzy"], "There is no command “xyzzy”. See: proofstone --help"),
        (["rule", "ratify"], "Missing argument 'PATH'. See: proofstone rule --help"),
        (["show", "turns", ".", "--jsn"], "See: proofstone show --help"),
        (["show", "turns", ".", "a", "b"], "See: proofstone show --help"),
    ],
)
def test_what_is_typed_wrong_is_answered_with_where_to_look(
    proofstone: Proofstone, typed: list[str], said: str
) -> None:
    told = proofstone(*typed, code=2)
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert said in told.err


def test_a_wrong_value_says_which_there_are(proofstone: Proofstone) -> None:
    told = proofstone("rule", "frob", ".", "prop-1", code=2)
    assert "'ratify'" in told.err
    assert "--help" not in told.err


def test_a_command_to_copy_quotes_its_path(proofstone: Proofstone, tmp_path: Path) -> None:
    vault = tmp_path / "my vault"
    vault.mkdir()
    told = proofstone("sessions", vault, tmp_path, code=2)
    assert told.err.endswith(f"make one with: proofstone init '{vault}'\n")
    made = proofstone("init", vault)
    assert made.out.endswith(f"open it with: proofstone open '{vault}'\n")


def test_json_where_there_is_no_standard_output_is_no_error(demo_vault: Path) -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m proofstone log "$1" --json >&-', sys.executable, demo_vault],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """A terminal, as far as anybody asks; standard output is still read by the test."""
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


def test_a_terminal_that_cannot_move_its_cursor_gets_the_summary(
    proofstone: Proofstone, demo_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_a_terminal(monkeypatch, "dumb")
    assert "What needs a person most:" in proofstone("open", demo_vault).out


def test_a_terminal_of_another_encoding_is_refused_and_not_filled_with_escapes(
    proofstone: Proofstone, demo_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_a_terminal(monkeypatch, "xterm-256color")
    monkeypatch.setattr("sys.__stderr__", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    told = proofstone("open", demo_vault, code=2)
    assert "needs a terminal of UTF-8 text, and this one's is latin-1: set LC_ALL=" in told.err
    assert "18 waiting" in proofstone("open", demo_vault, "--plain").out


def test_a_wrong_path_opens_no_screen(
    proofstone: Proofstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_a_terminal(monkeypatch, "xterm-256color")
    told = proofstone("open", tmp_path / "vualt", code=2)
    assert "there is nothing here; check the path" in told.err
