"""Anchors: their forms, their lines, and which file they may name (spec page 4)."""

from __future__ import annotations

import pytest

from proofstone.domain import anchors
from proofstone.domain.anchors import Anchor, AnchorKind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ops/backup.md:12", Anchor(AnchorKind.FILE, "ops/backup.md", 12)),
        ("a b.py:3:9", Anchor(AnchorKind.FILE, "a b.py", 3, 9)),
        ("doc-42", Anchor(AnchorKind.DOCUMENT, "42")),
        ("&77", Anchor(AnchorKind.REFERENCE, "77")),
        ("#12", Anchor(AnchorKind.PULL_REQUEST, "12")),
        ("PR-12", Anchor(AnchorKind.PULL_REQUEST, "12")),
        ("said so in the stand-up", Anchor(AnchorKind.QUOTE, "said so in the stand-up")),
        ("https://atlas.example:80/x", Anchor(AnchorKind.QUOTE, "https://atlas.example:80/x")),
        ("doc-a b", Anchor(AnchorKind.QUOTE, "doc-a b")),
        ("one\ntwo:3", Anchor(AnchorKind.QUOTE, "one\ntwo:3")),
        ("a.py:12\n", Anchor(AnchorKind.QUOTE, "a.py:12\n")),
        ("#x", Anchor(AnchorKind.QUOTE, "#x")),
    ],
)
def test_forms(text: str, expected: Anchor) -> None:
    assert anchors.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "lines"), [("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2), ("\n" * 20, 20), ("", 1)]
)
def test_lines_are_counted_as_given(text: str, lines: int) -> None:
    assert anchors.line_count(text) == lines


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("src/a.py:1", ("src", "a.py")),
        ("./src//a.py:1", ("src", "a.py")),
        ("src\\a.py:1", ("src", "a.py")),
        ("/etc/passwd:1", None),
        ("src/../../a.py:1", None),
        ("..:1", None),
        (".:1", None),
        ("C:\\a.py:1", None),
        ("doc-1", None),
        ("a\0b:1", None),
    ],
)
def test_only_paths_below_the_root_name_a_file(text: str, steps: tuple[str, ...] | None) -> None:
    assert anchors.parts_inside_root(anchors.parse(text)) == steps
