"""Plain Markdown transcripts: who speaks stands on a line of its own, as heading or in bold.

``## User``, ``**Assistant:**``, ``_**User (2026-11-01)**_``, ``#### You said:``, ``User: words``.
The first such line fixes the style; lines of another style, and all lines in code fences, are
text. In a plain transcript nothing else tells a speaker's line from a quoted one.
"""

from __future__ import annotations

import re

from proofstone.sessions import injected
from proofstone.sessions.conversation import Conversation

SOURCE = "markdown"

_USERS = frozenset(("user", "human", "you", "me", "you said", "prompt"))
_AGENTS = frozenset(
    (
        "assistant",
        "agent",
        "ai",
        "bot",
        "model",
        "answer",
        "response",
        "claude",
        "claude code",
        "codex",
        "chatgpt",
        "chatgpt said",
        "gpt",
        "gemini",
        "cursor",
        "copilot",
    )
)
_OTHERS = frozenset(
    ("system", "developer", "tool", "tool call", "tool result", "thinking", "thoughts", "reasoning")
)
_ROLES = (
    dict.fromkeys(_USERS, "user")
    | dict.fromkeys(_AGENTS, "agent")
    | dict.fromkeys(_OTHERS, "other")
)
_SPEAKER = re.compile(
    r"(?P<heading>#{1,6}[ \t]+)?(?P<open>_?\*\*|__)?(?:[^\w\s*_#>`|\[\]()-]{1,3}[ \t]*)?"
    r"(?P<who>[A-Za-z][A-Za-z ]{0,14}?)(?=[ \t]*(?:[(:*_]|$))"
    r"(?P<note>[ \t]*\([^()\n]{1,80}\))?(?P<colon>:)?(?P<close>\*\*_?|__)?"
    r"(?P<late>:)?[ \t]*(?P<rest>.*)"
)
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HIDDEN = re.compile(
    r"<(think|thinking|details)(?:\s[^<>]{0,200})?>(?:(?!<\1[\s>])[\s\S])*?</\1>", re.I
)
_RULE = re.compile(r"-{3,}|\*{3,}|_{3,}")

Style = tuple[int, str, bool]
"""Heading level, emphasis, and whether the words follow on the same line."""


def speaker_line(line: str) -> tuple[str, Style, str] | None:
    """Who starts to speak here (``user``, ``agent`` or ``other``), in which style, and words that
    follow on the same line; None for a line of text.
    """
    found = _SPEAKER.fullmatch(line.rstrip())
    if found is None:
        return None
    who = found["who"].casefold()
    role = _ROLES.get(who)
    has_colon = bool(found["colon"] or found["late"])
    is_marked = bool(found["heading"] or (found["open"] and found["close"]))
    if role is None or bool(found["open"]) != bool(found["close"]):
        return None
    if not is_marked and not has_colon:
        return None
    rest = found["rest"]
    if rest and (found["heading"] or not has_colon):
        return None
    level = len(found["heading"].strip()) if found["heading"] else 0
    return role, (level, (found["open"] or "").strip("_"), not is_marked), rest


class MarkdownParser:
    """Reads one line of text after another."""

    def __init__(self, conversation: Conversation, state: tuple[str, ...] = ()) -> None:
        self._conversation = conversation
        self._style: Style | None = None
        self._role = ""
        self._lines: list[str] = []
        self._from = 1
        self._fence = ""

    def state(self) -> tuple[str, ...]:
        """Files of this kind are read from the beginning."""
        return ()

    def feed(self, record: object) -> None:
        """Read one line."""
        line = record if isinstance(record, str) else str(record)
        fence = _FENCE.match(line)
        if fence and not self._fence:
            self._fence = fence[1]
        elif fence and fence[1].startswith(self._fence) and not line.strip().strip("`~"):
            self._fence = ""
        elif not self._fence:
            found = speaker_line(line)
            if found and (self._style is None or found[1] == self._style):
                self._flush()
                self._role, self._style, rest = found
                self._from = self._conversation.line
                self._lines = [rest] if rest else []
                return
        self._lines.append(line)

    def end(self) -> None:
        """The last speaker's words are whole."""
        self._flush()
        self._conversation.ended()

    def _flush(self) -> None:
        text = "\n".join(self._lines)
        self._lines = []
        here, self._conversation.line = self._conversation.line, self._from
        self._fence = ""
        if self._role == "user":
            own = injected.own_words(_without_rule(text))
            if own:
                self._conversation.user(own)
            elif text.strip():
                self._conversation.leave_out("injected context or summary")
        elif self._role == "agent":
            visible = _HIDDEN.sub("", text)
            if visible != text:
                self._conversation.leave_out("hidden reasoning")
            self._conversation.agent(_without_rule(visible).strip())
        elif text.strip():
            self._conversation.leave_out(
                "system record" if self._role else "text before the first speaker"
            )
        self._conversation.line = here


def _without_rule(text: str) -> str:
    """``text`` without a horizontal rule at its end, which separates it from the next speaker."""
    text = text.rstrip()
    before, _, last = text.rpartition("\n")
    return before if _RULE.fullmatch(last.strip()) else text
