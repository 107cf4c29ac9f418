"""``proofstone bench``: the figures of spec page 9, measured by the benchmarks of a checkout."""

from __future__ import annotations

import subprocess
import sys

import click

from proofstone import resources
from proofstone.domain.errors import ProofstoneError


@click.command(
    epilog="""\b
Examples:
  proofstone bench
  proofstone bench startup ruling
"""
)
@click.argument("names", nargs=-1, metavar="[NAME]…")
def bench(names: tuple[str, ...]) -> None:
    """Measure what is promised of speed and size, each figure beside its baseline.

    The benchmarks are in a checkout and not in an installed package; bench/README.md there says
    what each NAME measures. Without NAME all of them run, which takes a long while.
    """
    root = resources.checkout()
    if root is None or not (root / "bench" / "__main__.py").is_file():
        raise ProofstoneError(
            "bench: the benchmarks are in a checkout and not in an installed package; "
            "run `make bench` there"
        )
    done = subprocess.run([sys.executable, "-m", "bench", *names], cwd=root, check=False)
    raise click.exceptions.Exit(done.returncode)
