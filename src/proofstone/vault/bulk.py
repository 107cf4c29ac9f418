"""Keeping Python's garbage collector out of the way of many records (spec page 9)."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

FROZEN_FROM = 10_000
"""When this many notes were loaded, the collector is to leave them alone."""


@contextmanager
def bulk_loading() -> Iterator[None]:
    """Keep the garbage collector out of the way while a vault is loaded.

    What is loaded holds no cycles, and going through it in vain would take a third of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def settle(notes: int) -> None:
    """Call it when ``notes`` notes were loaded to stay.

    Many are kept out of later collections too, which would stop a screen for a tenth of a second.
    """
    if notes >= FROZEN_FROM:
        gc.freeze()
