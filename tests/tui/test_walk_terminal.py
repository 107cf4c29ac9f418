"""What is sent to terminals with fewer colours, with none, and to people who want no motion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SGR = re.compile(rb"\x1b\[([0-9;]*)m")


def _sent(vault: Path, environment: dict[str, str]) -> bytes:
    """What the workbench writes to a terminal of 120×40 until it is left, footer seen."""
    import fcntl
    import pty
    import struct
    import termios

    left_out = ("COLORTERM", "TMUX", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    process, terminal = pty.fork()
    if not process:  # pragma: no cover - the child
        code = "from proofstone.cli.main import main; main()"
        os.execve(
            sys.executable,
            [sys.executable, "-c", code, "open", str(vault)],
            {**kept, **environment},
        )
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    sent, asked = b"", False
    while True:
        try:
            data = os.read(terminal, 65_536)
        except OSError:
            break
        if not data:
            break
        sent += data
        if not asked and b"ratify" in sent:
            os.write(terminal, b"\x11")
            asked = True
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0 and asked
    return sent


def _colours(sent: bytes) -> set[str]:
    """How colours were named: ``16``, ``256`` or ``rgb``."""
    found = set()
    for match in SGR.finditer(sent):
        parts = [int(part or 0) for part in match[1].split(b";")]
        while parts:
            first = parts.pop(0)
            if first in (38, 48):
                kind = parts.pop(0)
                found.add("rgb" if kind == 2 else "256")
                del parts[: 3 if kind == 2 else 1]
            elif 30 <= first <= 37 or 40 <= first <= 47 or 90 <= first <= 107:
                found.add("16")
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, set()),
        ({"TERM": "xterm"}, {"16"}),
        ({"TERM": "xterm-256color"}, {"256"}),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, {"rgb"}),
    ],
    ids=["none", "16", "256", "all"],
)
def test_a_terminal_gets_no_more_colours_than_it_has(
    demo_vault: Path, environment: dict[str, str], colours: set[str]
) -> None:
    sent = _sent(demo_vault, environment)
    assert _colours(sent) == colours
    assert b"\x1b[1m" in sent or b"\x1b[1;" in sent, "what matters is told by weight as well"


def test_who_wants_no_motion_gets_none() -> None:
    code = (
        "import pathlib; from proofstone.curation.context import Context;"
        "from proofstone.curation.demo import DEMO_NOW;"
        "from proofstone.tui.app import ProofstoneApp;"
        "app = ProofstoneApp(lambda: None, Context(lambda: DEMO_NOW, 'Mira'));"
        "print(app.animation_level)"
    )
    for wanted in ("none", "full"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "TEXTUAL_ANIMATIONS": wanted},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == wanted
