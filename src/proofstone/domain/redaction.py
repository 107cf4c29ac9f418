"""What is masked in a tool record before it is kept: common shapes of credentials.

memleaf masks the same shapes, with the same words in their place, when it captures and again when
it reads. Unit ids depend on the text that is left, so the two must agree to the character. The
time is linear in the text.
"""

from __future__ import annotations

import re

from proofstone.domain.late_pattern import late_pattern

_KEY_BEGIN = late_pattern(r"-----BEGIN [^-\r\n]*PRIVATE KEY-----", re.IGNORECASE)
_KEY_END = late_pattern(r"-----END [^-\r\n]*PRIVATE KEY-----", re.IGNORECASE)
_BEFORE_COOKIE = late_pattern(r"(?<!\s)\s*+(?=(?:set-)?cookie\s*:)", re.IGNORECASE)
_COOKIE = late_pattern(r"((?:set-)?cookie\s*:\s*).+$", re.IGNORECASE | re.MULTILINE)
_BEARER = late_pattern(
    r"(\b(?:authorization\s*:\s*|bearer\s+))[A-Za-z0-9._~+/=-]{16,}+", re.IGNORECASE
)
_LABEL = r"""
    (\b (?: api[_-]?key | access[_-]?key | secret(?:[_-]?key)? | password | passwd | token
          | cookie | private[_-]?key ) \b \s* [:=] \s*)
"""
_QUOTED_VALUE = late_pattern(rf"{_LABEL} (?: \" .*? (\") | ' .*? (') )", re.IGNORECASE | re.VERBOSE)
_BARE_VALUE = late_pattern(rf"{_LABEL} [^\s,;]+", re.IGNORECASE | re.VERBOSE)
_TOKEN = late_pattern(
    r"""
    \b (?: sk-[A-Za-z0-9]{16,} | sk-proj-[A-Za-z0-9_-]{16,} | ghp_[A-Za-z0-9]{20,}
         | github_pat_[A-Za-z0-9_]{20,} | xox[baprs]-[A-Za-z0-9-]{16,} | AKIA[0-9A-Z]{16} ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# The rest is optional so that a run which is no token is consumed once, not once for each place
# in it where a token might begin.
_JSON_WEB_TOKEN = late_pattern(
    r"\beyJ[A-Za-z0-9_-]{10,}+(\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}\b)?+"
)


def redacted(text: str) -> str:
    """The text with credentials masked. Labels stay; masking twice changes nothing more."""
    text = _without_private_keys(text)
    text = _without_cookies(text)
    text = _BEARER.sub(r"\1[REDACTED_TOKEN]", text)
    text = _QUOTED_VALUE.sub(_mask_quoted, text)
    text = _BARE_VALUE.sub(r"\1[REDACTED_SECRET]", text)
    text = _TOKEN.sub("[REDACTED_TOKEN]", text)
    return _JSON_WEB_TOKEN.sub(lambda match: "[REDACTED_TOKEN]" if match[1] else match[0], text)


def _without_private_keys(text: str) -> str:
    parts: list[str] = []
    kept_up_to = 0
    while begin := _KEY_BEGIN.search(text, kept_up_to):
        end = _KEY_END.search(text, begin.end())
        if end is None:
            break
        parts += [text[kept_up_to : begin.start()], "[REDACTED_PRIVATE_KEY]"]
        kept_up_to = end.end()
    parts.append(text[kept_up_to:])
    return "".join(parts)


def _without_cookies(text: str) -> str:
    """Mask the values of cookie headers: nothing but white space may precede one on its line."""
    parts: list[str] = []
    kept_up_to = 0
    for gap in _BEFORE_COOKIE.finditer(text):
        if gap.end() < kept_up_to or (gap.start() and "\n" not in gap[0]):
            continue
        header = _COOKIE.match(text, gap.end())
        if header:
            parts += [text[kept_up_to : header.end(1)], "[REDACTED_COOKIE]"]
            kept_up_to = header.end()
    parts.append(text[kept_up_to:])
    return "".join(parts)


def _mask_quoted(value: re.Match[str]) -> str:
    quote = value[2] or value[3]
    return f"{value[1]}{quote}[REDACTED_SECRET]{quote}"
