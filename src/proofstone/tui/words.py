"""How the screens say things: one place for labels, glyphs and colours of the domain's values.

Every meaning has a word or a letter beside its colour, so that nothing is told by colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from textual.content import Content

from proofstone.domain.evidence_unit import Origin, Partition
from proofstone.domain.gate_types import Decision, TurnState
from proofstone.domain.records import MatchKind, Standing
from proofstone.domain.shown import DEFAULT_LIMIT, Shown, shown
from proofstone.domain.verification import Eligibility, Verdict, VerificationStatus
from proofstone.domain.worddiff import Change, DiffPart, word_diff

BAR = "▌"

PARTITION_LETTER = {Partition.PHYSICAL: "P", Partition.CONTEXT: "C", Partition.UNRESOLVED: "U"}
PARTITION_STYLE = {
    Partition.PHYSICAL: "$partition-physical",
    Partition.CONTEXT: "$partition-context",
    Partition.UNRESOLVED: "$partition-unresolved",
}
PARTITION_TEXT_STYLE = {
    Partition.PHYSICAL: "$ink",
    Partition.CONTEXT: "$ink-dim",
    Partition.UNRESOLVED: "$partition-unresolved",
}
ROLE_WORD = {"user": "user", "assistant": "asst", "external": "tool"}

HELD_BACK = {
    Origin.ASSISTANT_SYNTHESIS: "the assistant's own words are context, not evidence",
    Origin.RETRIEVED_MEMORY: "a memory read back is context, not evidence",
    Origin.UNKNOWN: "the source is missing, failed or partial",
}

DECISION_STYLE = {
    Decision.CANDIDATE: "$decision-candidate",
    Decision.NO_CHANGE: "$decision-no-change",
    Decision.DEFERRED: "$decision-deferred",
}
DECISION_WORD = {
    Decision.CANDIDATE: "candidate",
    Decision.NO_CHANGE: "no change",
    Decision.DEFERRED: "deferred",
}

STATE_GLYPH = {
    TurnState.INCOMPLETE: ("!", "$verdict-flag"),
    TurnState.WAITING: ("…", "$ink-dim"),
    TurnState.REFUSED: ("✗", "$verdict-block"),
    TurnState.OPEN: ("○", "$decision-candidate"),
    TurnState.SETTLED: ("✓", "$verdict-pass"),
}
STATE_WORD = {
    TurnState.INCOMPLETE: "incomplete",
    TurnState.WAITING: "no Gate answer",
    TurnState.REFUSED: "answer refused",
    TurnState.OPEN: "open",
    TurnState.SETTLED: "settled",
}

VERDICT_GLYPH = {
    Verdict.PASS: ("✓", "$verdict-pass"),
    Verdict.FLAG: ("!", "$verdict-flag"),
    Verdict.BLOCK: ("✗", "$verdict-block"),
    Verdict.NOT_APPLICABLE: ("–", "$verdict-idle"),
}
STATUS_LOOK = {
    VerificationStatus.VERIFIED: ("✓", "verified", "$verdict-pass"),
    VerificationStatus.REVIEW_REQUIRED: ("!", "review required", "$verdict-flag"),
    VerificationStatus.REJECTED: ("✗", "rejected", "$verdict-block"),
    VerificationStatus.LEGACY_UNVERIFIED: ("?", "legacy, unverified", "$verdict-idle"),
}
STATUS_SHORT = {
    VerificationStatus.VERIFIED: "clean",
    VerificationStatus.REVIEW_REQUIRED: "flagged",
    VerificationStatus.REJECTED: "rejected",
    VerificationStatus.LEGACY_UNVERIFIED: "unverified",
}
RISK_STYLE = {"low": "$risk-low", "medium": "$risk-medium", "high": "$risk-high"}
ELIGIBILITY_WORD = {
    Eligibility.AUTO_CANDIDATE: "may be preselected",
    Eligibility.REVIEW_ONLY: "review only",
    Eligibility.L1_REVIEW_ONLY: "L1: its own review only",
    Eligibility.NEVER: "never while it is rejected",
}
MATCH_SHORT = {
    MatchKind.NEW: "new",
    MatchKind.DUPLICATE: "duplicate",
    MatchKind.POTENTIAL_CONFLICT: "conflict",
    MatchKind.UPDATES_EXISTING: "update",
    MatchKind.STRENGTHENS_EXISTING: "strengthens",
    MatchKind.SUPERSEDES_EXISTING: "supersedes",
    MatchKind.AMBIGUOUS: "ambiguous",
}
STANDING_STYLE = {
    Standing.ACTIVE: "$verdict-pass",
    Standing.CONTESTED: "$verdict-flag",
    Standing.DEPRECATED: "$verdict-idle",
    Standing.SUPERSEDED: "$verdict-idle",
    Standing.DELETED: "$verdict-block",
}


def safe(text: str, style: str = "", *, limit: int = 2_000, newlines: bool = False) -> Content:
    """Untrusted text as content: made displayable, marks visible, never read as markup."""
    return safe_shown(displayed(text, limit=limit, newlines=newlines), style)


def displayed(text: str, *, limit: int = 2_000, newlines: bool = False) -> Shown:
    """Untrusted text with its secrets covered and nothing hidden in it; offsets can be mapped.

    The one way of text to the screen: whatever older stores hold, no secret is drawn.
    """
    return shown(without_secrets(text, limit), limit=limit, newlines=newlines)


def without_secrets(text: str, limit: int = DEFAULT_LIMIT) -> str:
    """``text`` with secrets covered in as much of it as ``limit`` characters show.

    Every character keeps its place. A secret that the limit would cut in two is covered whole.
    """
    head = text[: limit + _LONGEST_SECRET]
    if len(head) <= _KEPT_LENGTH:
        covered = _covered(head)
    else:
        from proofstone.curation.masking import cover_secrets

        covered = cover_secrets(head)
    return text if covered == head else covered + text[len(head) :]


_LONGEST_SECRET = 2_000
"""Characters beyond a limit that are looked at, to know a secret by more than its beginning."""
_KEPT_LENGTH = 2_000


@lru_cache(maxsize=4_096)
def _covered(text: str) -> str:
    # The same texts are drawn again at every key. The finder is loaded behind the first picture.
    from proofstone.curation.masking import cover_secrets

    return cover_secrets(text)


def safe_shown(view: Shown, style: str = "") -> Content:
    """Displayable text as content, with what was replaced standing out."""
    content = Content(view.text)
    if style:
        content = content.stylize(style)
    for start, end in view.marks:
        content = content.stylize("$ink-hidden bold", start, end)
    return content


_IDENTIFIER = re.compile(r"(?<!\w)[a-z][a-z0-9]{0,15}(?:_[a-z][a-z0-9]{0,15})+(?!\w)")


def spoken(text: str) -> str:
    """Identifiers from closed lists, alone or within words, as words; the rest stays as it is."""
    return _IDENTIFIER.sub(lambda found: found[0].replace("_", " "), text)


def difference(before: str, after: str) -> Content:
    """A word-level difference as one text: removals struck through, additions underlined."""
    # Covered before they are compared: a difference could cut a secret into harmless words.
    return difference_of(word_diff(without_secrets(before), without_secrets(after)))


def difference_of(parts: Iterable[DiffPart], limit: int = 2_000) -> Content:
    """The same of parts that were compared; of each at most ``limit`` characters are shown."""
    looks = {
        Change.SAME: "$ink",
        Change.REMOVED: "$diff-removed strike",
        Change.ADDED: "$diff-added bold underline",
    }
    shown: list[Content] = []
    before = ""
    for part in parts:
        if before and not before[-1:].isspace() and part.change is not Change.SAME:
            # What comes in place of a word would be read as its ending.
            shown.append(Content(" "))
        shown.append(safe(part.text, looks[part.change], limit=limit))
        before = part.text if part.change is not Change.SAME else ""
    return Content("").join(shown)


def shortened(text: str, most: int) -> str:
    """Displayed words, cut to ``most`` characters with a sign that they are."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def held_together(text: str) -> str:
    """Words of our own that no line break may part."""
    return text.replace(" ", "\u00a0")


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
