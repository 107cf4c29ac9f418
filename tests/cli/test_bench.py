"""``proofstone bench``: in a checkout it runs the benchmarks, elsewhere it says where they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proofstone import resources
from tests.conftest import Proofstone


def test_the_benchmarks_of_a_checkout_are_run(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "proofstone", "bench", "no-such-benchmark"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no benchmark no-such-benchmark; there are " in done.stderr
    assert "startup" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_installed_package_says_where_they_are(
    proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "checkout", lambda: None)
    assert "make bench" in proofstone("bench", code=2).err


def test_the_checkout_is_known_by_what_lies_around_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert resources.checkout() == Path(__file__).parents[2]
    installed = tmp_path / "lib" / "site-packages" / "proofstone"
    monkeypatch.setattr(resources, "_PACKAGE", installed)
    assert resources.checkout() is None
