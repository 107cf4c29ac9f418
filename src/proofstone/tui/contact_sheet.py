"""Every screen and the most important states at three sizes, on one page to look over.

``python -m proofstone.tui.contact_sheet docs/contact-sheet.html``, or ``make contact-sheet``. Drawn
from the demo vault at the story's time, without a terminal and without any network; the pictures
stand in a folder beside the page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR, DEMO_NOW
from proofstone.resources import resource_dir
from proofstone.tui.snapshot import SCREENS, snapshot, without_far_fonts
from proofstone.tui.themes import DEFAULT_THEME, shipped_themes

SIZES = ((80, 24), (120, 40), (200, 60))
_THEME_SIZE = (120, 40)
_FAR = re.compile(r"""(?:\b(?:href|src)\s*=\s*["']|url\(\s*["']?)\s*(?:https?:)?//""")


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: a screen, the keys pressed on it, a size, a theme."""

    name: str
    screen: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()
    theme: str = DEFAULT_THEME

    @property
    def file(self) -> str:
        """The picture's file name."""
        return f"{self.name}-{self.size[0]}x{self.size[1]}.svg"


STATES: dict[str, tuple[str, ...]] = {
    "evidence": ("3", "j", "k"),
    "gate": ("4", "g", "j"),
    "verifier": ("6", "j"),
    "siblings": ("7",),
    "filter": ("slash", "r", "i", "s", "k", "colon", "h", "i", "g", "h"),
    "reason": ("r",),
    "defer": ("d",),
    "replace": ("s",),
    "edit": ("e",),
    "preview": ("p",),
    "batch": ("A", "r"),
}
"""States of the main screen, by the keys that lead there."""


def pictures() -> Iterator[Picture]:
    """Everything that the sheet shows, in its order."""
    for screen in SCREENS:
        yield from (Picture(screen, screen, size) for size in SIZES)
    for state, keys in STATES.items():
        yield from (Picture(state, "main", size, keys) for size in SIZES)
    for theme in shipped_themes():
        yield Picture(f"theme-{theme.name}", "main", _THEME_SIZE, ("3", "j", "k"), theme.name)


def near(svg: str) -> str:
    """The picture without fonts from a network.

    Raises:
        ValueError: something far away is left in it.
    """
    kept = without_far_fonts(svg)
    if _FAR.search(kept):
        raise ValueError("the picture would load something from a network")
    return kept


def draw(picture: Picture) -> str:
    """The picture as SVG."""
    context = Context(lambda: DEMO_NOW, DEMO_AUTHOR)
    drawn = snapshot(
        resource_dir("demo-vault"),
        context,
        screen=picture.screen,
        size=picture.size,
        theme=picture.theme,
        keys=picture.keys,
    )
    return near(drawn)


def page(folder: str, shown: list[Picture]) -> str:
    """The page, one row for each screen or state."""
    rows: dict[str, list[Picture]] = {}
    for picture in shown:
        row = "themes" if picture.name.startswith("theme-") else picture.name
        rows.setdefault(row, []).append(picture)
    parts = [_HEAD]
    for name, group in rows.items():
        parts.append(f'<h2 id="{escape(name)}">{escape(name.capitalize())}</h2>\n<div class="row">')
        parts += [_figure(folder, picture) for picture in group]
        parts.append("</div>")
    return "\n".join([*parts, "</body></html>", ""])


def _figure(folder: str, picture: Picture) -> str:
    width, height = picture.size
    told = f"{picture.name}, {width}×{height}"
    path = f"{folder}/{picture.file}"
    return (
        f'<figure style="flex: {width} 1 0"><a href="{escape(path)}">'
        f'<img loading="lazy" src="{escape(path)}" alt="{escape(told)}"></a>'
        f"<figcaption>{escape(told)}</figcaption></figure>"
    )


_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Proofstone: contact sheet</title>
<style>
body { margin: 2rem; background: #f4f4f2; color: #222; font: 15px/1.5 sans-serif; }
.row { display: flex; gap: 1rem; align-items: flex-start; flex-wrap: wrap; }
figure { margin: 0; min-width: 18rem; } img { width: 100%; } figcaption { color: #555; }
</style></head><body>
<h1>Contact sheet</h1>
<p>Every screen and the most important states, drawn from the demo vault at 2026-11-27 09:00 UTC by
<code>make contact-sheet</code>.</p>"""


def write(destination: Path) -> int:
    """Draw everything beside ``destination``, write the page, and give the number of pictures."""
    folder = destination.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    shown = list(pictures())
    for old in folder.glob("*.svg"):
        if old.name not in {picture.file for picture in shown}:
            old.unlink()
    for picture in shown:
        (folder / picture.file).write_text(draw(picture), encoding="utf-8")
    destination.write_text(page(folder.name, shown), encoding="utf-8")
    return len(shown)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    print(f"{write(target)} pictures on {target}")
