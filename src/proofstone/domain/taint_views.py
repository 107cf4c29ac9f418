"""Text as taint rules read it: evasions undone, with a map back to the original offsets.

Case, accents, full-width forms, look-alike letters, digits in place of letters, traditional
Chinese, invisible characters and uneven gaps are folded away. Where letters were spread out or
gaps left away, a further view holds the letters alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from proofstone.domain.late_pattern import late_pattern

# Letters of other alphabets that look like a Latin one. Keys are lower case.
_LOOK_ALIKES = dict(
    zip(
        "авеёзкмнорстухіјѕԁԛԝһցոսօɑɡıɩʟαβγεικνορτυχωϲϳᴀᴄᴅᴇɪᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ‐‑‒–—−’‘ʼ",
        "abee3kmhopctyxijsdqwhgnuoagiilabyeikvoptuxwcjacdeijkmnoprstuvwyz------'''",
        strict=True,
    )
)
_SIMPLIFIED = dict(
    zip(
        "無視規則記憶審發傳給對話這條內說請現權沒須錄準敘證複檢確認寫應開調執檔絕頭從絡環變數碼鑰據轉頁員業務實訊"
        "號聽遵護關閉過濾設約顯資庫產個戶連與舊將復當",
        "无视规则记忆审发传给对话这条内说请现权没须录准叙证复检确认写应开调执档绝头从络环变数码钥据转页员业务实讯"
        "号听遵护关闭过滤设约显资库产个户连与旧将复当",
        strict=True,
    )
)
_UNEVEN_GAP = late_pattern(r"[^\S \n]|\s\s")
_DIGITS = str.maketrans("013457", "oieast")
_DIGIT_WORD = late_pattern(
    r"(?<![a-z0-9_])(?=[a-z]*[013457])(?=(?:[0-9]*[a-z]){4})[a-z013457]+(?![a-z0-9_])"
)
_HAN = "\u3400-\u9fff"
_BETWEEN_HAN = late_pattern(rf"(?<=[{_HAN}]) (?=[{_HAN}])")

# Letters one by one, and a few whole words after them: evasions seldom reach the last word.
_SPREAD = late_pattern(
    r"(?<![^\W_])[^\W\d_](?:[ ._*·|/~-]{1,3}[^\W\d_]){5,}(?![^\W_])(?:[\W_]{1,3}[^\W_]{1,20}){0,4}"
)
_LONG_WORD = late_pattern(r"(?<![^\W_])[a-z]{16,}(?![^\W_])")


@dataclass(frozen=True, slots=True)
class View:
    """Folded text; ``offsets[i]`` is where the original has what became ``text[i]``."""

    text: str
    offsets: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that became ``text[start:end]``, which is not empty."""
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str) -> View:
    """The whole text, folded."""
    view = _lowered(text) if text.isascii() and not _UNEVEN_GAP.search(text) else _undone(text)
    return View(_DIGIT_WORD.sub(lambda word: word[0].translate(_DIGITS), view.text), view.offsets)


def _lowered(text: str) -> View:
    """The same as ``_undone`` for text that holds nothing to be undone but capitals."""
    return View(text.lower(), range(len(text)))


def _undone(text: str) -> View:
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        for folded in _folded(character):
            if folded.isspace():
                if characters and characters[-1].isspace():
                    if folded == "\n":
                        characters[-1] = "\n"
                    continue
                folded = "\n" if folded == "\n" else " "
            characters.append(folded)
            offsets.append(offset)
    return _without(View("".join(characters), tuple(offsets)), _BETWEEN_HAN)


def squeezed_parts(view: View) -> Iterator[View]:
    """The stretches of a folded text in which words were spread out or run together."""
    for found in _SPREAD.finditer(view.text):
        part = View(found[0], view.offsets[found.start() : found.end()])
        yield _without(part, re.compile(r"[\W_]+"))
    for found in _LONG_WORD.finditer(view.text):
        yield View(found[0], view.offsets[found.start() : found.end()])


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    if character.isascii():
        return character.lower()
    if character in "\u2028\u2029\u0085":
        return "\n"
    result = []
    for part in unicodedata.normalize("NFKD", character):
        category = unicodedata.category(part)
        if category in ("Mn", "Me", "Cf", "Cc") and not part.isspace():
            continue
        for lower in part.lower():
            lower = _LOOK_ALIKES.get(lower, lower)
            result.append(_SIMPLIFIED.get(lower, lower))
    return "".join(result)


def _without(view: View, unwanted: re.Pattern[str]) -> View:
    kept: list[str] = []
    offsets: list[int] = []
    at = 0
    for found in unwanted.finditer(view.text):
        kept.append(view.text[at : found.start()])
        offsets.extend(view.offsets[at : found.start()])
        at = found.end()
    if not at:
        return view
    kept.append(view.text[at:])
    offsets.extend(view.offsets[at:])
    return View("".join(kept), tuple(offsets))
