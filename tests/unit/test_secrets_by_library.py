"""The secret finder with the detect-secrets library behind it."""

from __future__ import annotations

import pytest

from proofstone.curation import secrets
from proofstone.domain.secrets_found import Confidence

ALNUM = "q8Zk2LmW0xTfR7bVn4YsJd6HcPa9UgEe3iOo"


@pytest.mark.parametrize(
    "value",
    [
        "SK" + "9f3a77c2b1e04d58a6f0c3d27b94e81d",
        "9f3a77c2b1e04d58a6f0c3d27b94e81d" + "-us12",
        "sq0csp-" + ALNUM + "wXyz123",
        "M" + ALNUM[:23] + "." + ALNUM[:6] + "." + ALNUM[:27],
    ],
)
def test_the_library_adds_kinds(value: str) -> None:
    text = f"first line\nit is {value} and again {value}\n"
    found = secrets.find(text)
    assert [text[f.start : f.end] for f in found] == [value, value]
    assert {f.confidence for f in found} == {Confidence.HIGH}
    assert value not in secrets.masked(text)


def test_own_and_library_findings_become_one() -> None:
    text = "ghp_" + ALNUM
    assert [(f.kind, f.start, f.end) for f in secrets.find(text)] == [
        ("GitHub token", 0, len(text))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "Passwords are hashed with argon2id.",
        "",
    ],
)
def test_examples_and_prose_are_no_secrets(text: str) -> None:
    assert secrets.find(text) == ()
