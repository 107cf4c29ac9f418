"""The workbench in a pseudo-terminal of its own: keys in, and what each of them costs.

Counted are the bytes that reach the terminal, the processor time of the whole process (all its
threads, from the kernel's own account in nanoseconds), and the time until the last byte.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import TracebackType

from bench.screen import Screen

WORKBENCH = "import sys; from proofstone.cli.main import main; main()"
ESCAPE = "\x1b"
SIZE = (120, 40)
"""Columns and rows."""

_LOOK = 0.03
"""Seconds between two looks at whether it has come to rest."""
_AT_REST = 3
"""So many looks in a row without a byte and without work."""
_WORK = 0.002
"""Seconds of processor time between two looks that are not work yet: timers, a waiting thread."""
_LONGEST_SEQUENCE = 0.3
"""Seconds within which the rest of an escape sequence would come."""
_PATIENCE = 900.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What one key cost: bytes written, seconds of processor time, seconds to the last byte."""

    written: int
    cpu: float
    paint: float


class TerminalError(RuntimeError):
    """The program ended, or did not come to rest in time."""


class Workbench:
    """The workbench on ``vault``, opened by ``code`` in a pseudo-terminal of ``SIZE``."""

    def __init__(self, vault: Path, *, code: str = WORKBENCH) -> None:
        self._process, self._terminal = pty.fork()
        if not self._process:
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            for name in ("TMUX", "NO_COLOR"):
                os.environ.pop(name, None)
            command = ["-c", code, "open", str(vault), "--as", "Bench"]
            os.execv(sys.executable, [sys.executable, *command])
        columns, rows = SIZE
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen = Screen(columns, rows)
        """What the terminal shows."""
        self._written = 0

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._terminal)

    def wait_for(self, word: str) -> None:
        """Wait until ``word`` is on the screen, and everything has come to rest."""
        begun = perf_counter()
        while word not in self.screen:
            if perf_counter() - begun > _PATIENCE:
                raise TerminalError(f"no {word!r} on the screen")
            self._take(_LOOK)
        self.settle()

    def press(self, keys: str) -> Cost:
        """Send keys, wait for everything that follows from them, and say what that cost."""
        self._written = 0
        before, begun = self._cpu(), perf_counter()
        os.write(self._terminal, keys.encode())
        if keys == ESCAPE:
            # Only after a while is it known that nothing follows that it would begin.
            self._take(_LONGEST_SEQUENCE)
        last = self.settle()
        return Cost(self._written, self._cpu() - before, max(0.0, last - begun))

    def settle(self) -> float:
        """Wait until it neither writes nor works; when the last byte came."""
        begun = last = perf_counter()
        quiet, known = 0, self._cpu()
        while quiet < _AT_REST:
            if perf_counter() - begun > _PATIENCE:
                raise TerminalError("it does not come to rest")
            if self._take(_LOOK):
                last, quiet, known = perf_counter(), 0, self._cpu()
                continue
            now = self._cpu()
            quiet = quiet + 1 if now - known < _WORK else 0
            known = now
        return last

    def _take(self, patience: float) -> bool:
        if not select.select([self._terminal], [], [], patience)[0]:
            return False
        try:
            data = os.read(self._terminal, 65536)
        except OSError as error:
            raise TerminalError("the program has ended") from error
        self._written += len(data)
        self.screen.write(data)
        return True

    def _cpu(self) -> float:
        """Seconds of processor time of all threads; Linux keeps them to the nanosecond."""
        total = 0
        for task in Path(f"/proc/{self._process}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except FileNotFoundError:  # a thread that has just ended
                continue
        return total / 1e9


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each cost by itself."""
    middle = len(costs) // 2
    return Cost(
        sorted(cost.written for cost in costs)[middle],
        sorted(cost.cpu for cost in costs)[middle],
        sorted(cost.paint for cost in costs)[middle],
    )
