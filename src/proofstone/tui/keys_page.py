"""Print ``docs/keys.md``: ``python -m proofstone.tui.keys_page > docs/keys.md``."""

from __future__ import annotations

import sys

from proofstone.tui.commands import keys_markdown

if __name__ == "__main__":
    sys.stdout.write(keys_markdown())
