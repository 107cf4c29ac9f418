"""Origins: hints on the syntax of user text, and what an observation may be (spec page 2).

The patterns recognise wording in English and Chinese and nothing of a text's subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from proofstone.domain.clauses import PlacedClause
from proofstone.domain.conversation import Observation
from proofstone.domain.evidence_unit import Origin
from proofstone.domain.late_pattern import late_pattern

_EXAMPLE = late_pattern(
    r"""
      仅供.{0,8}(?:参考示例|示例|测试)
    | 举一?个.{0,16}(?:例子|示例)
    | (?:只是|以下是|这是|作为).{0,12}(?:示例|样例|模板|测试数据)
    | 假设|例如|测试数据
    | 不要.{0,16}(?:记住|记录|当成真实)
    | \b(?:example|hypothetical|suppose|fictional|test[ ]fixture)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_QUESTION = late_pattern(
    r"""
      有没有|有什么|有哪些|是什么|是谁|多少|哪个|哪些|什么时候|何时
    | 如何|怎么|为什么|是否|能否|可否|[?？]
    | \b(?:what|which|who|when|where|why|how)\b
    | [吗么呢][。！!\s]*+$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COURTESY = late_pattern(r"(?:(?:麻烦你?|请问?|帮我|替我|劳驾)\s*+)++")
_QUERY_OPENING = late_pattern(
    r"""
      查询|查一下|查下|看看|看下|查看|阅读|读取|检查|汇总|列出|罗列|告诉我|梳理|盘点|总结|给我
    | 把.+(?:列出|发我|告诉我|整理|汇总|梳理|总结)
    | (?:please\s++)?
      (?:list|show|tell|summari[sz]e|recap|check|find|what|which|who|when|where|why|how)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)

# Signs: where alone a match of _EXAMPLE or of _QUESTION can begin. Looking for a few fixed words
# in a whole text is far quicker than running the patterns over every clause. A sign takes up one
# character, so that none hides another.
_EXAMPLE_WORDS = ("example", "hypothetical", "suppose", "fictional", "test fixture")
_EXAMPLE_HAN = late_pattern(
    "仅(?=供)|举(?=一?个)|只(?=是)|以(?=下是)|这(?=是)|作(?=为)"
    "|假(?=设)|例(?=如)|测(?=试数据)|不(?=要)"
)
_QUESTION_WORDS = ("what", "which", "who", "when", "where", "why", "how", "?")
_QUESTION_HAN = late_pattern(
    "有(?=没有|什么|哪些)|是(?=什么|谁|否)|多(?=少)|哪(?=个|些)|什(?=么时候)|何(?=时)"
    "|如(?=何)|怎(?=么)|为(?=什么)|能(?=否)|可(?=否)|？|吗|么|呢"
)
_OPENINGS = frozenset("麻请帮替劳查看阅读检汇列罗告梳盘总给把plstrcfwhPLSTRCFWHſ")
"""The characters that _COURTESY or _QUERY_OPENING can begin with."""


def with_user_origins(
    text: str, clauses: Iterable[PlacedClause]
) -> Iterator[tuple[PlacedClause, Origin]]:
    """The clauses of a user's text in order, each with its origin."""
    folded = _folded(text)
    examples = _signs(text, folded, _EXAMPLE_WORDS, _EXAMPLE_HAN)
    questions = _signs(text, folded, _QUESTION_WORDS, _QUESTION_HAN)
    example_at = next(examples)
    question_at = next(questions)
    for placed in clauses:
        start, clause, _, quoted = placed
        end = start + len(clause)
        while example_at < start:
            example_at = next(examples)
        while question_at < start:
            question_at = next(questions)
        if example_at < end and _EXAMPLE.search(clause, example_at - start):
            yield placed, Origin.QUOTED_OR_EXAMPLE
        elif quoted:
            yield placed, Origin.USER_DOCUMENT
        elif (clause[0] in _OPENINGS and _opens_a_query(clause)) or (
            question_at < end and _QUESTION.search(clause, question_at - start)
        ):
            yield placed, Origin.USER_QUERY
        else:
            yield placed, Origin.USER_ASSERTION


def _opens_a_query(clause: str) -> bool:
    """Whether a clause reads as a query from its start, or right behind a courtesy."""
    courtesy = _COURTESY.match(clause)
    # Cut, not skipped: behind Chinese without a space a word begins only at the text's start.
    request = clause[courtesy.end() :] if courtesy else clause
    return _QUERY_OPENING.match(request) is not None


def _signs(text: str, folded: str, words: tuple[str, ...], han: re.Pattern[str]) -> Iterator[int]:
    """The positions of signs, ascending; the text's length closes them."""
    positions = [at for word in words for at in _occurrences(folded, word)]
    if not text.isascii():
        positions += [match.start() for match in han.finditer(text)]
    positions.sort()
    positions.append(len(text))
    return iter(positions)


def _folded(text: str) -> str:
    """The text in lower case, character for character.

    The characters outside ASCII that a pattern without regard to case takes for ASCII letters
    become those letters. ``İ`` is the one character that ``lower`` alone would make longer.
    """
    if not text.isascii():
        text = text.replace("İ", "i").replace("ı", "i").replace("ſ", "s")
    return text.lower()


def _occurrences(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def observation_origin(observation: Observation) -> Origin:
    """What the body of an observation counts as.

    An execution that was not reported counts as successful, a completeness that was not reported
    as complete; a result that was not reported does not count as a success.
    """
    if not has_body(observation):
        return Origin.UNKNOWN
    if observation.kind == "retrieved_memory":
        return Origin.RETRIEVED_MEMORY
    whole = (
        observation.tool_name
        and observation.call_id
        and observation.kind == "external_observation"
        and observation.result_status == "success"
        and observation.execution_status in ("", "success")
        and observation.completeness in ("", "complete")
    )
    return Origin.EXTERNAL_OBSERVATION if whole else Origin.UNKNOWN


def has_body(observation: Observation) -> bool:
    """Whether an observation holds any text."""
    return bool(observation.content and observation.content.strip())
