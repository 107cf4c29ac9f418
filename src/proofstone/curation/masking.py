"""The secret finder on much text: only lines that could hold a secret are given to it.

Every kind of secret needs a word, a prefix, or a long run of letters and digits. These are looked
for with plain searches of bytes first, so that a long session is masked many times faster than by
running the finder's patterns over all of it. The result is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from proofstone.curation import secrets
from proofstone.domain import secrets_found
from proofstone.domain.late_pattern import late_pattern

_NAMES = (b"contrase", b"senha", b"secret")
"""Names of secrets that are looked for by themselves; ``_BY_K`` and ``_BY_P`` find the others."""
_OTHER_NAMES = ("密码".encode(), "口令".encode())
_NAME = (
    "(?:pass(?:word|wd|phrase|code)?|pwd|contrase(?:ñ|Ñ|n)a|senha|密码|口令"
    "|secret(?:[_-]?key)?|token|key)"
)
_NAMED = late_pattern(
    (
        rf"{_NAME}[\"'`\])]{{0,2}}\s{{0,3}}(?::|=|：)"
        r"|(?:password|passphrase|contrase(?:ñ|Ñ|n)a|senha)\s(?:is|es|é|É)|(?:密码|口令)(?:是|为)"
    ).encode()
)
"""A name that a value is given to, in lower-case text, from where a name begins."""
_PLAIN = late_pattern(
    (
        rf"{_NAME}[\"'`\])]{{0,2}}+\s{{0,3}}+(?::=|=>|={{1,3}}+|:|：)\s{{0,3}}+(?![a-z]{{24}})"
        r"[^\s\"'`,;0-9!#$%&*+/=?@^~|\x80-\xff]{1,200}+(?=[\s\"'`,;]|$)"
    ).encode()
)
"""A value without quotes, digits and signs: code, not a secret."""
_LONG_VALUE = late_pattern(rb"key[^\n]{0,12}[a-z0-9_-]{44}")
_WHOSE = late_pattern(
    rb"(?:api|access|auth|service|account|private|encryption|master|admin|secret)[_-]?$"
)
"""What stands before ``key`` where it means a secret."""
_LONGEST_WHOSE = 11
_ENDS_OPEN = late_pattern(
    (
        rf"(?:{_NAME}[\"'`\])]{{0,2}}"
        rf"|(?:{_NAME}|authorization)[\"'`\])]{{0,2}}\s{{0,3}}(?::|=|：){{1,3}}>?[\"']?"
        r"|(?:password|passphrase|contrase(?:ñ|Ñ|n)a|senha)\s(?:is|es|é|É)(?:\snow)?(?:\sset\sto)?:?"
        r"|(?:密码|口令)(?:是|为)|bearer|basic|digest)$"
    ).encode()
)
"""A line after which the value may stand on one of the next."""

_LONGEST_END = 48

_WORDS = (b"bearer", b"sig=")
_RARE = (
    *(late_pattern(rb"z(?:ation(?<=authorization)|on(?<=amazon))"),),
    *(late_pattern(rb"x(?:-api-|-auth-|ox)"), late_pattern(rb"j(?<=eyj)")),
    *(late_pattern(rb"w(?:s(?<=aws)|hsec_)"),),
)
"""Words in lower-case text, looked for by the letter that is rarest in texts: to go from one such
letter to the next takes a fraction of the time of a search for the word."""
_BY_K = late_pattern(rb"k(?:ey|en(?<=token)|s(?<=hooks))")
_BY_P = late_pattern(rb"p(?:ass|wd|utty-)")
_SURE = (b"ks", b"putty-")
"""What these two find that is no name, and enough by itself."""
_SHORT = late_pattern(rb"A(?:KC[A-Za-z0-9]{10}|P[0-9A-F][A-Za-z0-9]{8})")
_PASSWORD_IN_URL = late_pattern(rb"://[^\s/]*:[^\s/]*@")

_RUN = b"a" * 20
_LONG_RUN = 33
"""A run of this length needs neither digit nor prefix to look like a key."""
_ID = late_pattern(rb"(?:[a-z]{1,5}-)?[0-9a-f]+(?:-[0-9a-f]+)*")
"""Ids, hashes and UUIDs: every listing is full of them, and no kind of secret looks like one."""
_DIGIT = late_pattern(rb"[0-9]")
_PREFIXED = late_pattern(
    rb"A3T[A-Z0-9]{17}|(?:ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}|(?:sk-|k_(?:live|test)_|gh[pousr]_"
    rb"|github_pat_|gl[a-z]{2,6}-|npm_|pypi-|hf_|dapi|_v1_|shp[a-z]{2}_|lin_api_|ntn_|AIza|GOCSPX-)"
)
_DOTTED = (b"ya29.", b"hvs.", b"hvb.", b"hvr.")
"""Prefixes that end before the run begins."""
_RUN_BYTES = bytes(
    ord("a") if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "-_") else ord(" ")
    for code in range(256)
)
_APART = "\ufffe\n"
"""Keeps what is searched together apart: no pattern reaches over a character that stands alone."""
_REACH = 6
"""Line ends that may stand between a name and its value."""
_FEW = 8
"""Lines that are looked at one by one."""


def mask_secrets(text: str) -> str:
    """``text`` with each secret replaced by its kind in brackets, as ``secrets.masked`` does."""
    return _without_secrets(text, secrets.masked)


def cover_secrets(text: str) -> str:
    """``text`` with each secret covered by as many characters, as ``secrets.covered`` does."""
    return _without_secrets(text, secrets.covered)


def cover_each(texts: Sequence[str]) -> list[str]:
    """``cover_secrets`` of each text, looking at many that hold none all at once.

    What is covered in one of them is covered in the others too: keys, matched words and slugs are
    made from statements, and repeat parts of a secret that nobody would know by themselves.
    """
    covered = list(texts)
    parts: set[str] = set()
    for index in _doubtful(texts, 0, len(texts)):
        covered[index] = cover_secrets(texts[index])
        parts |= _parts(texts[index], covered[index])
    if parts:
        longest_first = sorted(parts, key=lambda part: (-len(part), part))
        echo = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        covered = [echo.sub(lambda found: secrets_found.COVER * len(found[0]), t) for t in covered]
    return covered


def _parts(text: str, covered: str) -> set[str]:
    """The words that were covered and that no other text would have by chance."""
    hidden = "".join(own if own != now else " " for own, now in zip(text, covered, strict=True))
    return {
        word
        for word in _WORD.findall(hidden)
        if len(word) >= _SHORTEST_PART and (_A_DIGIT.search(word) or len(word) >= _SURE_PART)
    }


_WORD = late_pattern(r"[A-Za-z0-9]+")
_A_DIGIT = late_pattern(r"[0-9]")
_SHORTEST_PART, _SURE_PART = 8, 20


def _doubtful(texts: Sequence[str], start: int, end: int) -> list[int]:
    """The texts of a range that could hold a secret, found by halving it."""
    if start == end:
        return []
    if not _may_hold("\n".join(texts[start:end]).encode("utf-8", "surrogatepass")):
        return []
    if end - start == 1:
        return [start]
    middle = (start + end) // 2
    return _doubtful(texts, start, middle) + _doubtful(texts, middle, end)


def _without_secrets(text: str, without: Callable[[str], str]) -> str:
    data = text.encode("utf-8", "surrogatepass")
    if not _may_hold(data):
        return text
    if b"PRIVATE KEY" in data or _APART[0] in text:
        return without(text)
    lines = data.splitlines(keepends=True) if b"\r" not in data else _lines(data)
    ranges = _ranges(lines)
    seen = _APART.join(_text(lines, start, end) for start, end in ranges)
    masked = without(seen)
    if masked == seen:
        return text
    kept = masked.split(_APART)
    if len(kept) != len(ranges):
        return without(text)
    parts: list[str] = []
    done = 0
    for (start, end), found in zip(ranges, kept, strict=True):
        parts += (_text(lines, done, start), found)
        done = end
    return "".join([*parts, _text(lines, done, len(lines))])


def _lines(data: bytes) -> list[bytes]:
    """The lines of text in which a carriage return is a character like another."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines


def _text(lines: list[bytes], start: int, end: int) -> str:
    return b"".join(lines[start:end]).decode("utf-8", "surrogatepass")


def _ranges(lines: list[bytes]) -> list[tuple[int, int]]:
    """The ranges of lines that the finder must see, in order and apart from each other."""
    ranges: list[tuple[int, int]] = []
    for index in sorted(set(_suspect(lines, 0, len(lines)))):
        end = index + 1
        filled = 0
        if _ends_open(lines[index]):
            while end < len(lines) and end - index <= _REACH and filled < 2:
                filled += bool(lines[end].strip())
                end += 1
        if ranges and index <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((index, end))
    return ranges


def _suspect(lines: list[bytes], start: int, end: int) -> list[int]:
    """The lines of a range that could hold a secret, or the name of one, found by halving it."""
    if end - start > _FEW:
        # A name and its sign may stand on two lines, so the halves overlap.
        if not _may_hold(b"".join(lines[start : end + _REACH])):
            return []
        middle = (start + end) // 2
        return _suspect(lines, start, middle) + _suspect(lines, middle, end)
    return [
        index for index in range(start, end) if _may_hold(lines[index]) or _ends_open(lines[index])
    ]


def _ends_open(line: bytes) -> bool:
    return _ENDS_OPEN.search(line.rstrip()[-_LONGEST_END:].lower()) is not None


def _may_hold(data: bytes) -> bool:
    low = data.lower()
    for word in _WORDS:
        if word in low:
            return True
    for pattern in _RARE:
        if pattern.search(low):
            return True
    for pattern in (_BY_K, _BY_P):
        for found in pattern.finditer(low):
            if found[0] in _SURE or _is_named(low, found[0], found.start()):
                return True
    for name in _NAMES if data.isascii() else (*_NAMES, *_OTHER_NAMES):
        at = low.find(name)
        while at >= 0:
            if _is_named(low, name, at):
                return True
            at = low.find(name, at + 1)
    if b"@" in data and b"://" in data and _PASSWORD_IN_URL.search(data):
        return True
    return _SHORT.search(data) is not None or _has_key_like_run(data)


def _is_named(low: bytes, name: bytes, at: int) -> bool:
    """Whether what begins or ends with ``name`` at ``at`` may be the name of a secret's value."""
    if name == b"key":
        return bool(
            _LONG_VALUE.match(low, at)
            or low.endswith(b"private ", 0, at)
            or (
                _NAMED.match(low, at)
                and not _PLAIN.match(low, at)
                and _WHOSE.search(low, max(0, at - _LONGEST_WHOSE), at)
            )
        )
    if name == b"ken":
        at -= 2
    return bool(_NAMED.match(low, at) and not _PLAIN.match(low, at))


def _has_key_like_run(data: bytes) -> bool:
    runs = data.translate(_RUN_BYTES)
    start = runs.find(_RUN)
    while start >= 0:
        end = runs.find(b" ", start)
        end = len(runs) if end < 0 else end
        looks_long = end - start >= _LONG_RUN or _DIGIT.search(data, start, end)
        if (
            (looks_long and not _is_id(data, start, end))
            or _PREFIXED.search(data, start, end)
            or data.endswith(_DOTTED, 0, start)
        ):
            return True
        start = runs.find(_RUN, end)
    return False


def _is_id(data: bytes, start: int, end: int) -> bool:
    """Whether a run stands alone as an id; beside a dot or a slash it may be part of more."""
    around = data[max(0, start - 1) : start] + data[end : end + 1]
    return not around.strip(b" \t\n\r\"'`,;()[]{}|") and bool(_ID.fullmatch(data, start, end))
