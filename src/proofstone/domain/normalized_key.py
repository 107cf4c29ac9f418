"""Normalized keys: what a memory is about, as one comparable string (spec page 3, Matching).

    profile | scope level | scope reference | topic | rule type

Each part is in lower case, with one ``-`` for each run of what is no letter or digit. Letters of
every script are kept, so that two Chinese subjects never share one key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from proofstone.domain import tokens
from proofstone.domain.records import Statement

SEPARATOR = "|"
PARTS = 5
UNNAMED = "unknown"
"""What a part is called that has no letter or digit."""

GENERIC_TAGS: frozenset[str] = frozenset(
    {
        "workflow",
        "preference",
        "convention",
        "architecture",
        "avoid_pattern",
        "prefer_pattern",
        "testing",
        "correction",
        "tool",
        "supersede",
        "supersedes",
    }
)
"""Tags that name a sort of rule and not a subject."""

SUPERSEDES_TAG = "supersedes:"

_TOPIC_WORDS = 5
_STOP_WORDS: frozenset[str] = frozenset(
    {
        *("the", "and", "for", "with", "that", "this", "from", "into"),
        *("should", "always", "never", "not", "don", "dont", "does"),
        *("use", "uses", "using", "instead", "rather", "than", "source", "truth"),
    }
)
_OTHER_THAN_ASCII = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=8192)
def part(text: str, empty: str = UNNAMED) -> str:
    """One part of a key; ``empty`` where nothing of ``text`` is a letter or digit."""
    folded = tokens.fold(text)
    if folded.isascii():
        return _OTHER_THAN_ASCII.sub("-", folded.strip()).strip("-") or empty
    return "-".join(tokens.whole_runs(folded)) or empty


def create(
    *,
    profile: str = "",
    scope_level: str = "",
    scope_reference: str = "",
    topic: str = "",
    rule_type: str = "",
) -> str:
    """A key of its five parts; what is not given has the source's usual name."""
    return _whole(profile, ending(scope_level, scope_reference, topic, rule_type))


def ending(scope_level: str, scope_reference: str, topic: str, rule_type: str) -> str:
    """The last four parts of such a key."""
    return SEPARATOR.join(
        (
            part(scope_level or "global"),
            part(scope_reference or "global"),
            part(topic or "general"),
            part(rule_type or "memory"),
        )
    )


def topic(tags: Iterable[str], statement: str) -> str:
    """The first tag that names a subject, else the statement's first five content words."""
    return topic_of_tags(tags) or _topic_of_words(statement) or "general"


def topic_of_tags(tags: Iterable[str]) -> str:
    """The first tag that names a subject, as part of a key; empty when none does."""
    for tag in tags:
        if tag and tag not in GENERIC_TAGS and not _names_target(tag):
            return part(tag)
    return ""


def scope(scopes: Iterable[str]) -> tuple[str, str]:
    """The level and reference that a list of scopes comes to.

    A project comes before any other level, and global counts only when nothing narrower is named.
    Several references of one level are joined, whatever their order.
    """
    levels: dict[str, set[str]] = {}
    for entry in scopes:
        level, _, reference = entry.partition(":")
        if level:
            levels.setdefault(level, set()).add(reference or level)
    narrower = sorted(levels.keys() - {"global"}, key=lambda level: (level != "project", level))
    if not narrower:
        return "global", "global"
    return narrower[0], "+".join(sorted(levels[narrower[0]]))


def key_of(statement: Statement) -> str:
    """The key of a proposal or memory: the stored one, else the one its words and scopes give.

    A stored key whose topic another program could not name (a subject without Latin letters) is
    made anew. After a change of profile, scopes, tags or words, clear the stored key first.
    """
    stored = stored_key(statement.normalized_key)
    return stored or _whole(statement.profile, _ending_of(statement))


def subject_of(statement: Statement) -> str:
    """``without_profile(key_of(statement))``, with the profile's part never made."""
    stored = stored_key(statement.normalized_key)
    return without_profile(stored) if stored else _ending_of(statement)


def stored_key(key: str) -> str:
    """A stored key if it stands; empty for one whose topic could not be named."""
    return "" if not key or _has_unnamed_topic(key) else key


def without_profile(key: str) -> str:
    """A key's last four parts; a key of another form stays whole."""
    _, separator, rest = key.partition(SEPARATOR)
    return rest if separator and key.count(SEPARATOR) == PARTS - 1 else key


def project_slug(project: str) -> str:
    """The file name that pi-persistent-intelligence gives a project: ASCII letters and digits."""
    return _OTHER_THAN_ASCII.sub("-", project.lower()).strip("-") or "project"


def _whole(profile: str, ending: str) -> str:
    return part(profile or "legacy") + SEPARATOR + ending


def _ending_of(statement: Statement) -> str:
    named = topic(statement.tags, statement.statement)
    # A topic in ASCII is a part already. Another one is perhaps not: what was folded can fold on.
    if not named.isascii():
        named = part(named)
    rule_type = part(statement.rule_type or "memory")
    return f"{_place(tuple(statement.scopes))}{SEPARATOR}{named}{SEPARATOR}{rule_type}"


@lru_cache(maxsize=8192)
def _place(scopes: tuple[str, ...]) -> str:
    """The second and third part of a key."""
    level, reference = scope(scopes)
    return part(level) + SEPARATOR + part(reference)


def _has_unnamed_topic(key: str) -> bool:
    parts = key.split(SEPARATOR)
    return len(parts) == PARTS and parts[3] == UNNAMED


def _names_target(tag: str) -> bool:
    return len(tag) > len(SUPERSEDES_TAG) and tag.startswith(SUPERSEDES_TAG)


def _topic_of_words(statement: str) -> str:
    """The first content words; an unspaced run counts as one for every two characters."""
    folded = tokens.fold(statement)
    if folded.isascii():
        words = (word for word in tokens.long_runs(folded) if word not in _STOP_WORDS)
        return "-".join(islice(words, _TOPIC_WORDS))
    found: list[str] = []
    left = _TOPIC_WORDS
    for run in tokens.runs(folded):
        if left <= 0:
            break
        if tokens.is_unspaced(run):
            found.append(run[: 2 * left])
            left -= (len(run) + 1) // 2
        elif len(run) > 2 and run not in _STOP_WORDS:
            found.append(run)
            left -= 1
    return "-".join(found)
