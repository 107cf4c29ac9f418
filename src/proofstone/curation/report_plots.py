"""Plots of a report as inline SVG: drawn here, so that a report needs no network and no script.

A plot is 360 units wide, which is a phone, so that its words are never smaller than the text. Its
colours are the page's. What it shows is in a table beside it too; for who cannot see it, it has a
title and says its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from proofstone.curation.report_values import Count
from proofstone.domain.shown import shown_text

WIDTH = 360
_NUMBER = 40
"""Room for the number after the longest bar."""
_LETTER = 7.6
"""Room for one letter of a label: wider than most are, so that labels never run out of the plot."""
_SHORTEST, _LONGEST = 70, 220
_ROW = 28
_BAR = 16
_HEIGHT = 168
_BASE = 132
_TOP = 24


def bars(title: str, counts: Sequence[Count], name: str) -> str:
    """Horizontal bars, one a row, each with its label and number.

    ``name`` is an id that no other plot of the page has.
    """
    most = max((count.number for count in counts), default=0)
    longest = max((len(count.label) for count in counts), default=0)
    left = min(max(longest * _LETTER + 10, _SHORTEST), _LONGEST)
    room = WIDTH - left - _NUMBER
    rows = []
    for place, count in enumerate(counts):
        top = place * _ROW
        middle = top + _ROW / 2
        length = room * count.number / most if most else 0
        rows.append(
            f'<text class="label" x="{left - 8:.1f}" y="{middle:g}" text-anchor="end" '
            f'dominant-baseline="central">{_text(count.label)}</text>'
            f'<rect class="bar" x="{left:.1f}" y="{top + (_ROW - _BAR) / 2:g}" '
            f'width="{length:.1f}" height="{_BAR}" rx="2"/>'
            f'<text class="number" x="{left + length + 6:.1f}" y="{middle:g}" '
            f'dominant-baseline="central">{count.number}</text>'
        )
    height = max(len(counts), 1) * _ROW
    return _svg(title, _spoken(counts), name, height, "".join(rows))


def columns(title: str, counts: Sequence[Count], name: str) -> str:
    """Upright bars along time, with the first and the last label.

    Each has its number above it where there is room; otherwise the highest one alone.
    """
    most = max((count.number for count in counts), default=0)
    step = WIDTH / max(len(counts), 1)
    parts = [f'<line class="axis" x1="0" y1="{_BASE}" x2="{WIDTH}" y2="{_BASE}"/>']
    has_room, is_named = are_told(counts), False
    for place, count in enumerate(counts):
        if not count.number:
            continue
        height = (_BASE - _TOP) * count.number / most
        # Narrow enough to stand apart, and never so wide that one bar fills the plot.
        width = min(step * 0.72, 40)
        left = place * step + (step - width) / 2
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{_BASE - height:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" rx="1"><title>{_text(count.label)}: {count.number}</title>'
            "</rect>"
        )
        if has_room or (count.number == most and not is_named):
            is_named = True
            middle = min(max(left + width / 2, 10), WIDTH - 10)
            parts.append(
                f'<text class="number" x="{middle:.1f}" y="{_BASE - height - 8:.1f}" '
                f'text-anchor="middle">{count.number}</text>'
            )
    if counts:
        parts.append(f'<text class="label" x="0" y="{_BASE + 20}">{_text(counts[0].label)}</text>')
    if len(counts) > 1:
        parts.append(
            f'<text class="label" x="{WIDTH}" y="{_BASE + 20}" text-anchor="end">'
            f"{_text(counts[-1].label)}</text>"
        )
    return _svg(title, _spoken(counts), name, _HEIGHT, "".join(parts))


def are_told(counts: Sequence[Count]) -> bool:
    """Whether ``columns`` has room for every number."""
    return len(counts) * _NUMBER <= WIDTH


def _svg(title: str, spoken: str, name: str, height: int, content: str) -> str:
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {height}" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{_text(title)}</title><desc id="{name}-d">{_text(spoken)}</desc>'
        f"{content}</svg>"
    )


def _spoken(counts: Sequence[Count]) -> str:
    said = ", ".join(f"{count.label} {count.number}" for count in counts if count.number)
    return said or "none"


def _text(text: str) -> str:
    return escape(shown_text(text.replace("_", " ")))
