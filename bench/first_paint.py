"""How long a person looks at nothing: from exec to the first picture, in a pseudo-terminal.

The baseline is a Textual application with one label, run in turn with the workbench. The first
picture is there when a word of it reaches the terminal: the label's, or a pane's title. The
second row is how long it takes until the vault was read and its queue is there.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
from pathlib import Path
from time import perf_counter

from bench.measure import row
from proofstone.curation.demo import copy_demo

RUNS = 11
SIZE = (40, 120)
"""Rows and columns."""

PATIENCE = 30.0
"""Seconds after which there is no picture to wait for."""

BARE = """
from textual.app import App
from textual.widgets import Label
class Bare(App):
    def compose(self):
        yield Label("first-word")
Bare().run()
"""
WORKBENCH = "import sys; from proofstone.cli.main import main; main()"


def first_paint(arguments: list[str], word: bytes) -> float:
    """Seconds from exec until ``word`` was written to the terminal.

    Raises:
        RuntimeError: the program ended, or waited too long, without writing it.
    """
    begun = perf_counter()
    process, terminal = pty.fork()
    if not process:
        os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        os.execv(sys.executable, [sys.executable, *arguments])
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        written = b""
        while perf_counter() - begun < PATIENCE:
            if not select.select([terminal], [], [], 0.05)[0]:
                continue
            try:
                written += os.read(terminal, 65536)
            except OSError:
                break
            if word in written:
                return perf_counter() - begun
        raise RuntimeError(f"no {word!r} in what was written: {written[-2000:]!r}")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def run() -> list[dict[str, object]]:
    """The workbench on the demo vault, beside the bare application."""
    bare: list[float] = []
    ours: list[float] = []
    full: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        vault = copy_demo(Path(folder) / "demo-vault")
        opening = ["-c", WORKBENCH, "open", str(vault), "--as", "Bench"]
        for _ in range(RUNS):
            bare.append(first_paint(["-c", BARE], b"first-word"))
            ours.append(first_paint(opening, b"Verifier"))
            full.append(first_paint(opening, b" waiting"))
    return [
        row(
            "exec to first paint: bare Textual app -> demo vault",
            statistics.median(bare),
            statistics.median(ours),
            "<= 1.5",
        ),
        row(
            "exec to the queue on the screen: bare Textual app -> demo vault",
            statistics.median(bare),
            statistics.median(full),
            "",
        ),
    ]
