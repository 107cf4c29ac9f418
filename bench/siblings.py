"""Siblings: the index against comparing with every text (spec page 9), and what it weighs.

Texts are made from a seed: words by a Zipf-like law, most of 60 to 83 distinct tokens, a fifth in
Chinese, one in twenty a near-copy of an earlier one. Medians over the queries of CPU time, both
sides on the same texts in the same run; the answers are compared and must be equal.
"""

from __future__ import annotations

import itertools
import random
import statistics
import time

from bench.measure import exponent
from bench.memory import resident_megabytes
from proofstone.domain.sibling_score import has_enough
from proofstone.domain.sibling_tokens import tokens
from proofstone.domain.siblings import SIBLING_LIMIT, SiblingIndex

TEXTS = 100_000
SIZES = (1_000, 10_000, TEXTS)
QUERIES = 200
ADDED = 2_000
BRUTE_FORCE_QUERIES = 5
SEED = 20_260_803
VOCABULARY = 60_000
CHARACTERS = 3_000


def run() -> list[dict[str, object]]:
    """Top-3 time, its 95th percentile, adding, memory, growth, and equality with brute force."""
    texts = make_texts(TEXTS, random.Random(SEED))
    asked: list[float] = []
    making: list[float] = []
    for size in SIZES:
        rows = [(_id(number), text, _id(number)) for number, text in enumerate(texts[:size])]
        before, start = resident_megabytes(), time.process_time()
        index = SiblingIndex.of(rows)
        making.append(time.process_time() - start)
        megabytes = resident_megabytes() - before
        few = random.Random(SEED + 2).sample(texts[:size], QUERIES)
        asked.append(statistics.median(_asking(index, text) for text in few))
    adding: list[float] = []
    for number, text in enumerate(texts[:ADDED]):
        start = time.process_time()
        index.add(f"new {number}", text, "later than all")
        adding.append(time.process_time() - start)
    for number in range(ADDED):
        index.remove(f"new {number}")
    chosen = random.Random(SEED + 1).sample(range(len(texts)), QUERIES)
    asking: list[float] = []
    found: dict[int, tuple[str, ...]] = {}
    for number in chosen:
        start = time.process_time()
        nearest = index.nearest(texts[number], SIBLING_LIMIT)
        asking.append(time.process_time() - start)
        found[number] = tuple(sibling.id for sibling in nearest)
    brute, equal = _by_brute_force(texts, chosen[:BRUTE_FORCE_QUERIES], found)
    median = statistics.median(asking)
    return [
        {
            "figure": f"top-3 siblings among {TEXTS}, ms, median",
            "baseline": round(brute * 1e3, 1),
            "measured": round(median * 1e3, 2),
            "ratio": f"{brute / median:.0f} x faster",
            "goal": ">= 50 x",
        },
        {
            "figure": f"top-3 siblings among {TEXTS}, ms, 95th percentile",
            "baseline": round(brute * 1e3, 1),
            "measured": round(statistics.quantiles(asking, n=20)[-1] * 1e3, 2),
            "ratio": "",
            "goal": "<= 35 ms",
        },
        {
            "figure": f"adding a text to {TEXTS}, ms, median (baseline: the 99th percentile)",
            "baseline": round(statistics.quantiles(adding, n=100)[-1] * 1e3, 3),
            "measured": round(statistics.median(adding) * 1e3, 3),
            "ratio": "",
            "goal": "<= 1 ms",
        },
        {
            "figure": f"memory of the index of {TEXTS} texts, MB above them and their ids",
            "baseline": "",
            "measured": round(megabytes),
            "ratio": "",
            "goal": "<= 100 MB",
        },
        {
            "figure": "making the index grows with the texts to the power of",
            "baseline": "",
            "measured": round(exponent(SIZES, making), 2),
            "ratio": "",
            "goal": "<= 1.1",
        },
        {
            "figure": "asking for siblings grows with the texts to the power of",
            "baseline": "",
            "measured": round(exponent(SIZES, asked), 2),
            "ratio": "",
            "goal": "<= 1.1",
        },
        {
            "figure": "answers equal to brute force",
            "baseline": BRUTE_FORCE_QUERIES,
            "measured": equal,
            "ratio": round(equal / BRUTE_FORCE_QUERIES, 2),
            "goal": "1.0",
        },
    ]


def _asking(index: SiblingIndex, text: str) -> float:
    """The CPU seconds that the siblings of one text take."""
    start = time.process_time()
    index.nearest(text, SIBLING_LIMIT)
    return time.process_time() - start


def make_texts(count: int, chance: random.Random) -> list[str]:
    """``count`` texts of the kind that page 9 describes."""
    words = [f"w{number}" for number in range(100, VOCABULARY + 100)]
    characters = [chr(0x4E00 + number) for number in range(CHARACTERS)]
    word_weights = list(itertools.accumulate(1 / (rank + 20) for rank in range(VOCABULARY)))
    character_weights = list(itertools.accumulate(1 / (rank + 20) for rank in range(CHARACTERS)))
    texts: list[str] = []
    for _ in range(count):
        if texts and chance.random() < 0.05:
            copied = chance.choice(texts).split()
            for _ in range(chance.randrange(1, 20)):
                copied[chance.randrange(len(copied))] = chance.choice(words)
            texts.append(" ".join(copied))
        elif chance.random() < 0.2:
            runs = (
                chance.choices(characters, cum_weights=character_weights, k=9) for _ in range(9)
            )
            texts.append(" ".join("".join(run) for run in runs))
        else:
            k = chance.randrange(62, 90)
            texts.append(" ".join(chance.choices(words, cum_weights=word_weights, k=k)))
    return texts


def _by_brute_force(
    texts: list[str], numbers: list[int], found: dict[int, tuple[str, ...]]
) -> tuple[float, int]:
    interned: dict[str, str] = {}
    held = [
        (frozenset(interned.setdefault(token, token) for token in tokens(text)), _id(number))
        for number, text in enumerate(texts)
    ]
    eligible = [(vocabulary, id) for vocabulary, id in held if has_enough(vocabulary)]
    times, equal = [], 0
    for number in numbers:
        start = time.process_time()
        query = tokens(texts[number])
        rows = []
        for vocabulary, id in eligible:
            shared, larger = len(query & vocabulary), max(len(query), len(vocabulary))
            if 2 * shared >= larger:
                rows.append((-shared / larger, id))
        best = tuple(id for _, id in sorted(rows)[:SIBLING_LIMIT])
        times.append(time.process_time() - start)
        equal += best == found[number]
    return statistics.median(times), equal


def _id(number: int) -> str:
    return f"{number:07}"
