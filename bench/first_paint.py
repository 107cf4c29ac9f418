"""How long a person looks at nothing: from exec to the first picture, in a pseudo-terminal.

The baseline is a Textual application with one label, run in turn with the workbench. The first
picture is there when a word of it reaches the terminal: the label's, or a pane's title. The
second row is how long it takes until the vault was read and its queue is there. A large vault shows
a page of its queue, not judged yet, before its memories were read.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import sys
import tempfile
import termios
from pathlib import Path
from time import perf_counter

from bench import data
from bench.measure import row
from bench.screen import Screen
from proofstone.curation.demo import copy_demo
from proofstone.vault import index

RUNS = 11
LARGE_RUNS = 5
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


def first_paint(arguments: list[str], word: str) -> float:
    """Seconds from exec until ``word`` stood on the terminal.

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
        screen = Screen(SIZE[1], SIZE[0])
        while perf_counter() - begun < PATIENCE:
            if not select.select([terminal], [], [], 0.05)[0]:
                continue
            try:
                screen.write(os.read(terminal, 65536))
            except OSError:
                break
            if word in screen:
                return perf_counter() - begun
        raise RuntimeError(f"{word!r} did not come to stand on the screen")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def run() -> list[dict[str, object]]:
    """The workbench on the demo vault and on a large one, beside the bare application."""
    bare: list[float] = []
    ours: list[float] = []
    full: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        vault = copy_demo(Path(folder) / "demo-vault")
        opening = ["-c", WORKBENCH, "open", str(vault), "--as", "Bench"]
        for _ in range(RUNS):
            bare.append(first_paint(["-c", BARE], "first-word"))
            ours.append(first_paint(opening, "Verifier"))
            full.append(first_paint(opening, " waiting"))
    large = _large()
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
        *large,
    ]


def _large() -> list[dict[str, object]]:
    """The same on 100,000 notes, with an index and without: paint, and a usable first page."""
    root = data.vault(data.SIZES[-1])
    opening = ["-c", WORKBENCH, "open", str(root), "--as", "Bench"]
    rows: list[dict[str, object]] = []
    for index_is in ("without", "with"):
        if index_is == "with":
            index.update(root)
        else:
            shutil.rmtree(root / "_index", ignore_errors=True)
        bare: list[float] = []
        paint: list[float] = []
        usable: list[float] = []
        for _ in range(LARGE_RUNS):
            bare.append(first_paint(["-c", BARE], "first-word"))
            paint.append(first_paint(opening, "Verifier"))
            usable.append(first_paint(opening, "not judged yet"))
        about = f"100,000 notes {index_is} an index"
        rows.append(
            row(
                f"exec to first paint: bare Textual app -> {about}",
                statistics.median(bare),
                statistics.median(paint),
                "<= 2",
            )
        )
        rows.append(
            row(
                f"exec to a page of the queue, keys alive, s (baseline the same) -> {about}",
                statistics.median(bare),
                statistics.median(usable),
                "<= 1.0 s",
            )
        )
    return rows
