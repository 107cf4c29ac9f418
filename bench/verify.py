"""Verifying and matching many proposals against many memories (spec page 9).

Each figure counts the whole pass: indexes of memories, evidence and tombstones made anew, then a
match and a report for every proposal. Times are in seconds, medians of five runs.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from time import perf_counter

from proofstone.domain import evidence_records, ids
from proofstone.domain.matching import MemoryIndex, match
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Memory,
    Proposal,
    Tombstone,
    TrustClass,
)
from proofstone.domain.verifier import TombstoneIndex, verify

SIZES = ((1_000, 10_000), (10_000, 10_000), (1_000, 100_000), (10_000, 100_000))
GOAL_SECONDS = 5.0
LINEAR = 1.3
RUNS = 5

_SEED = 20260810
_VOCABULARY = 4_000
_WORDS = 90
"""Words of a statement: about 600 bytes."""
_CHINESE = (
    "发布测试数据库缓存合并分支部署服务配置权限日志监控用户密钥接口版本回滚备份"
    "队列任务前后每次必须运行检查更新"
)


def run() -> list[dict[str, object]]:
    """Rows of figure, baseline, measured, ratio and goal.

    Baselines are what linear work would take: ten times the smallest size for ten times the
    proposals or ten times the memories, and for both the sum that the three other sizes predict.
    A pass that compared every proposal with every memory would take several times as long.
    """
    measured: list[float] = []
    rows: list[dict[str, object]] = []
    for proposals, memories in SIZES:
        data = _Data(proposals, memories)
        seconds = statistics.median(_timed(data) for _ in range(RUNS))
        measured.append(seconds)
        baseline = _linear(measured)
        goal = f"<= {LINEAR:g} x linear"
        if len(measured) == len(SIZES):
            goal = f"<= {GOAL_SECONDS:g} s, {goal}"
        rows.append(
            {
                "figure": f"verify and match {proposals:,} proposals against {memories:,} memories",
                "baseline": round(baseline, 3),
                "measured": round(seconds, 3),
                "ratio": round(seconds / baseline, 2),
                "goal": goal,
            }
        )
    return rows


def _linear(measured: Sequence[float]) -> float:
    """What linear work would take for the last size measured, by those before it."""
    smallest = measured[0]
    if len(measured) == len(SIZES):
        return measured[1] + measured[2] - smallest
    return smallest if len(measured) == 1 else 10 * smallest


class _Data:
    """Memories, proposals and their evidence; one proposal in ten repeats a memory."""

    def __init__(self, proposals: int, memories: int) -> None:
        chance = random.Random(_SEED)
        weights = [1 / rank for rank in range(1, _VOCABULARY + 1)]
        vocabulary = [_word(number) for number in range(_VOCABULARY)]
        self.memories = [
            Memory(
                memory_id=f"mem-{number:06}",
                statement=_statement(chance, vocabulary, weights, number),
                tags=(f"subject{chance.randrange(memories)}",) if number % 2 else (),
                scopes=(f"project:p{chance.randrange(50)}",),
            )
            for number in range(memories)
        ]
        self.proposals: list[Proposal] = []
        self.records: list[EvidenceRecord] = []
        for number in range(proposals):
            like = self.memories[chance.randrange(memories)]
            words = (
                like.statement
                if number % 10 == 0
                else _statement(chance, vocabulary, weights, number)
            )
            self.proposals.append(
                Proposal(
                    proposal_id=f"prop-{number:06}",
                    statement=words,
                    tags=like.tags,
                    scopes=like.scopes,
                    evidence=(f"e{number}",),
                    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
                    durability_signal=Durability.PROJECT,
                )
            )
            self.records.append(
                EvidenceRecord(
                    evidence_id=f"e{number}",
                    source_kind="conversation",
                    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
                    source_excerpt=words if number % 3 else self.memories[0].statement,
                    scopes=like.scopes,
                )
            )
        self.tombstones = [
            Tombstone(
                tombstone_id=f"tomb-{number}",
                deleted_id=f"gone-{number}",
                deleted_at="2026-08-10T12:00:00Z",
                content_hash=ids.content_hash(str(number)),
            )
            for number in range(memories // 100)
        ]


def _timed(data: _Data) -> float:
    started = perf_counter()
    index = MemoryIndex.of(data.memories)
    records = evidence_records.by_id(data.records)
    tombstones = TombstoneIndex.of(data.tombstones)
    for proposal in data.proposals:
        verify(
            proposal,
            records=records,
            match=match(proposal, index),
            tombstones=tombstones,
        )
    return perf_counter() - started


def _statement(
    chance: random.Random, vocabulary: Sequence[str], weights: Sequence[float], number: int
) -> str:
    """Every fifth statement is Chinese."""
    if number % 5 == 0:
        return "".join(chance.choices(_CHINESE, k=_WORDS * 2))
    return " ".join(chance.choices(vocabulary, weights, k=_WORDS)) + "."


def _word(number: int) -> str:
    letters = "etaoinshrdlucmfwypvbgk"
    word = ""
    number += 17
    while number:
        number, letter = divmod(number, len(letters))
        word += letters[letter]
    return word + "en" if len(word) < 3 else word
