"""The pages ``docs/keymap.md`` and ``docs/themes.md``, made from what the program itself heeds.

``python -m proofstone.tui.pages keymap > docs/keymap.md``
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from proofstone.tui.command import EVERYWHERE, label
from proofstone.tui.commands import COMMANDS
from proofstone.tui.keymap import KEPT
from proofstone.tui.themes import COLOURS, GROUNDS, INKS, LINES, PAIRS, shipped_themes

MEANING: Mapping[str, str] = {
    "ground": "everything, where nothing else is",
    "ground-raised": "dialogs, toasts, the filter line",
    "ground-bar": "header and key bar",
    "ground-cursor": "the row under the cursor, in the list with the focus",
    "ground-cursor-idle": "the same in other lists; fields without the focus",
    "ground-linked": "rows tied to what is chosen in another pane",
    "ground-quote": "under the exact words that a proposal quotes",
    "ink": "text",
    "ink-dim": "what matters less; keys that cannot run now",
    "ink-title": "titles and headings",
    "ink-key": "keys, and the frame's title of the pane with the focus",
    "ink-hidden": "marks that stand for hidden or controlling characters",
    "ink-quote": "the exact words that a proposal quotes",
    "partition-physical": "P, evidence that may be cited",
    "partition-context": "C, what is context and no evidence",
    "partition-unresolved": "U, what is missing, failed or partial",
    "decision-candidate": "the Gate's candidates; open turns",
    "decision-no-change": "units that change nothing",
    "decision-deferred": "what was deferred",
    "decision-open": "units that the answer does not account for",
    "verdict-pass": "✓, a check that passed; what is in force",
    "verdict-flag": "!, a check that asks for a person; warnings",
    "verdict-block": "✗, a check that forbids; errors",
    "verdict-idle": "–, a check that does not apply; what is over",
    "risk-low": "low poisoning risk",
    "risk-medium": "medium poisoning risk",
    "risk-high": "high poisoning risk",
    "match": "how a proposal stands to what is held",
    "taint": "text that tries to steer an agent",
    "link": "the sign beside tied rows",
    "mark": "marked rows; L1",
    "diff-added": "added words",
    "diff-removed": "removed words",
    "frame": "frames",
    "frame-focus": "the frame of the pane with the focus, and of dialogs",
    "meter-empty": "what is left of a meter",
}
"""What each colour of a theme is for."""


def keymap_markdown() -> str:
    """The page ``docs/keymap.md``."""
    lines = [
        "# Your own keys",
        "",
        "Put a file `keymap.yaml` into Proofstone's folder for settings:",
        "",
        "| platform | folder |",
        "|---|---|",
        "| Linux | `~/.config/proofstone` (or `$XDG_CONFIG_HOME/proofstone`) |",
        "| macOS | `~/Library/Application Support/proofstone` |",
        r"| Windows | `%LOCALAPPDATA%\proofstone` |",
        "",
        "One line for each action; what is not named keeps its key:",
        "",
        "```yaml",
        "ratify: R",
        "undo: [u, ctrl+z]",
        "row_next: [J, down]",
        "row_previous: [K, up]",
        "```",
        "",
        "The keys that you give replace all the usual keys of that action. Footer, help sheet",
        "(`?`), command palette and messages name the keys that hold. The file is read again",
        "whenever it is saved, while the workbench runs.",
        "",
        "A vault may have keys too, as `keymap` in its `proofstone.yaml`, one text for each action",
        '(`ratify: "R"`, several keys with commas between). Your own file goes before it.',
        "",
        "## How keys are written",
        "",
        "A letter, digit or sign stands for itself: `R`, `5`, `?`, `','`. Other keys by name:",
        "`space`, `escape`, `tab`, `shift+tab`, `backspace`, `delete`, `insert`, `home`, `end`,",
        "`pageup`, `pagedown`, `up`, `down`, `f1` to `f24`. With `ctrl`: letters (`ctrl+k`). With",
        "`alt`: letters and digits. Function and cursor keys take `shift`, `ctrl` and `alt`.",
        "Nothing needs quoting but what YAML itself would misread, such as `','` or `'#'`: every",
        "value is read as text.",
        "",
        "## What is checked",
        "",
        "A file with a fault is left out whole, and the usual keys hold; a message and the",
        "Settings screen say what is wrong. Faults are an action that there is not; a key that no",
        "terminal sends, or sends as another key (`ctrl+i` is `tab`); a key of another action in",
        "the same place, unless that action gets another key in the same file; an action without a",
        "key; and keys that cannot be given away:",
        "",
        *(f"- `{label(key)}`: {why}" for key, why in KEPT.items()),
        "",
        "In dialogs, `enter` and `escape` always mean the same.",
        "",
        "## Actions",
        "",
        "| action | usual keys | where | what it does |",
        "|---|---|---|---|",
    ]
    for command in COMMANDS:
        where = "everywhere" if command.screens == EVERYWHERE else ", ".join(command.screens)
        keys = " ".join(f"`{label(key)}`" for key in command.keys)
        lines.append(f"| `{command.id}` | {keys} | {where} | {command.help} |")
    lines += ["", "Made by `python -m proofstone.tui.pages keymap`."]
    return "\n".join(lines) + "\n"


def themes_markdown() -> str:
    """The page ``docs/themes.md``."""
    titles = (f"- `{theme.name}`: {theme.title}" for theme in shipped_themes())
    lines = [
        "# Themes",
        "",
        "`ctrl+t` changes to the next theme; `--theme NAME` opens with one. Settings (`,`) keeps",
        "one as `theme` in your `workbench.yaml`; it goes before `theme` in a vault's",
        "`proofstone.yaml`. With `NO_COLOR` set, no colour is sent.",
        "",
        *titles,
        "",
        "Nothing in the workbench is told by colour alone. In every shipped theme, text stands out",
        "from each ground that it may stand on by 4.5:1 at least; tests compute it. Of a theme of",
        "your own in which text is fainter, the workbench says so once, and uses it all the same.",
        "",
        "## Your own",
        "",
        "Put YAML files into `themes/` in the folder for settings that `docs/keymap.md` names. A",
        "theme may extend a shipped one and give only what differs:",
        "",
        "```yaml",
        "name: dusk            # small letters, digits, hyphens; none of the shipped names",
        "title: Dusk",
        "extends: dark",
        "colours:",
        '  ground: "#1a1210"',
        '  ink: "#f0e6dc"',
        "```",
        "",
        "Without `extends`, every colour below has to be given, and `dark: false` says that the",
        "theme is light. Colours are written as `#rrggbb`, by name, or as `ansi_red` and the like",
        "for the terminal's own (then with `ansi: true`).",
        "",
        "A theme that is saved while it is on is drawn anew at once. A file with a fault is left",
        "out, a message says which file, which key and why, and what was shown before stays.",
        "",
        "## Colours",
        "",
        "A *ground* is what text stands on; an *ink* may stand on any ground.",
        "",
        "| colour | kind | what it is for | in `dark` | in `light` |",
        "|---|---|---|---|---|",
    ]
    by_name = {theme.name: theme for theme in shipped_themes()}
    for name in COLOURS:
        dark, light = (by_name[theme].colours[name] for theme in ("dark", "light"))
        lines.append(f"| `{name}` | {_kind(name)} | {MEANING[name]} | `{dark}` | `{light}` |")
    lines += ["", "Made by `python -m proofstone.tui.pages themes`."]
    return "\n".join(lines) + "\n"


def _kind(name: str) -> str:
    if name in GROUNDS:
        return "ground"
    if name in INKS:
        return "ink"
    if name in LINES:
        return "line"
    other = next(pair for pair in PAIRS if name in pair)
    return "ink on `ground-quote`" if name == other[0] else "ground of `ink-quote`"


PAGES: Mapping[str, Callable[[], str]] = {"keymap": keymap_markdown, "themes": themes_markdown}

if __name__ == "__main__":
    sys.stdout.write(PAGES[sys.argv[1]]())
