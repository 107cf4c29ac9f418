"""What a taint rule is, and the small notation that its patterns are written in.

Patterns are regular expressions over *folded* text (see `taint_views`): lower case, no accents,
no look-alike letters, simplified Chinese. Three things are written short:

- a blank is a gap between words;
- ``<3>`` is up to three words of any kind, each with its gap;
- ``{name}`` is a fragment shared by the rules of a language.

Each rule is compiled twice: for running text, and for text squeezed to its letters, in which an
order was hidden by spreading it out (``i g n o r e``) or by leaving the gaps away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_GAP = r"(?:[\s\"'`*~,%-]{1,4})"
# Fragments of several languages.
ADDRESS = "(?:https?|ftp)s?://|www\\.|[a-z0-9._+-]+@[a-z0-9-]+\\.[a-z]|\\d{1,3}(?:\\.\\d{1,3}){3}"
NEAR = "(?:(?![.!?][\\s])[^\\n]){0,80}?"
RUIN = "rm -|curl |wget |sudo |chmod |mkfs|git push"
TOOL = (
    "(?:delete|remove|drop|send|transfer|write|exec|run|approve|grant|upload|purge|wipe|kill"
    "|forget|merge|push|publish)_\\w+"
)

_SPACED = ("en", "pt", "es")
"""Languages whose words have gaps, so that a rule must begin where a word does."""

_FILLER = re.compile(r"<(\d)>")
_FRAGMENT = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaintRule:
    """A shape of text that tries to give orders to whoever reads it.

    ``order`` rules match only where an order can begin: at the start of a clause, or after words
    such as "please" and "you must"; so "they were made to ignore …" is no finding. ``fires`` and
    ``spares`` are examples that the tests hold the rule to.
    """

    name: str
    language: str
    pattern: str
    fires: str
    spares: str
    order: bool = False
    fragments: Mapping[str, str] = field(default_factory=dict)

    def running(self) -> re.Pattern[str]:
        """The rule for running text."""
        source = _FILLER.sub(lambda found: f"(?:[^\\W_]+ ){{0,{found[1]}}}", self._whole())
        source = source.replace(" ", _GAP)
        if self.language in _SPACED:
            source = rf"(?<![^\W_])(?:{source})"
        return re.compile(source)

    def squeezed(self) -> re.Pattern[str]:
        """The rule for text of which only the letters are left."""
        source = _FILLER.sub("[a-z]{0,24}?", self._whole())
        return re.compile(source.replace(" ?", "").replace(" ", "").replace("(?![a-z])", ""))

    def _whole(self) -> str:
        pattern = self.pattern
        while _FRAGMENT.search(pattern):
            pattern = _FRAGMENT.sub(lambda found: f"(?:{self.fragments[found[1]]})", pattern)
        return pattern
