"""All near-duplicates of a collection, against comparing every pair (spec page 9).

The baseline compares the sets of tokens of every pair of a part of the texts, and its time is
multiplied by the number of pairs in all: comparing 10,000 texts takes minutes. Both sides count
tokenising, and both are CPU time. The answers on that part are compared and must be equal.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Callable
from statistics import median
from time import process_time

from bench import data
from bench.measure import RUNS, exponent, python, row
from proofstone.domain.duplicates import Vocabularies, find, pairs
from proofstone.domain.duplicates_kept import KeptDuplicates
from proofstone.domain.sibling_score import has_enough
from proofstone.domain.sibling_tokens import tokens
from proofstone.vault.bulk import bulk_loading

PART = 1_000
EDITS = 20
SMALL, LARGE = 10_000, 100_000

_LARGE = """
import random, sys, time
from bench import data
from bench.duplicates import peak_megabytes
from proofstone.domain.duplicates import find
from proofstone.vault.bulk import bulk_loading
texts = list(data.texts(int(sys.argv[1]), random.Random(data.SEED)))
before, start = peak_megabytes(), time.process_time()
with bulk_loading():
    clusters = find([str(number) for number in range(len(texts))], texts)
print(time.process_time() - start, peak_megabytes() - before, len(clusters))
"""


def run() -> list[dict[str, object]]:
    """10,000 texts beside the baseline; 100,000 by time and memory; equality."""
    texts = list(data.texts(SMALL, random.Random(data.SEED)))
    ids = [str(number) for number in range(SMALL)]
    naive = _by_comparing_all(texts[:PART])
    part = _cpu_seconds(lambda: _by_comparing_all(texts[:PART]))
    everything = part * (SMALL * (SMALL - 1)) / (PART * (PART - 1))
    with bulk_loading():  # as the program does
        ours = _cpu_seconds(lambda: find(ids, texts))
    smallest, edit = _smallest_and_edit(texts, ids)
    vocabularies = Vocabularies(texts[:PART])
    copies = vocabularies.copies
    alike = [(b, a) for places in copies.values() for a in places for b in places if a < b]
    found = set(alike)
    for pair in pairs(vocabularies):
        for one in copies.get(pair.later, [pair.later]):
            for other in copies.get(pair.earlier, [pair.earlier]):
                found.add((max(one, other), min(one, other)))
    seconds, megabytes, _ = map(float, python(_LARGE, str(LARGE)).split())
    return [
        row(
            f"near-duplicates of {SMALL:,} texts, s (baseline: every pair, from {PART:,})",
            everything,
            ours,
            ">= 100 x",
            faster=True,
        ),
        {
            "figure": f"near-duplicates of {LARGE:,} texts, s",
            "baseline": "",
            "measured": round(seconds, 1),
            "ratio": "",
            "goal": "<= 60 s",
        },
        {
            "figure": "looking for near-duplicates grows with the texts to the power of",
            "baseline": "",
            "measured": round(exponent((PART, SMALL, LARGE), [smallest, ours, seconds]), 2),
            "ratio": "",
            "goal": "",
        },
        row(
            f"near-duplicates of {SMALL:,} texts after an edit, s (baseline: all again)",
            ours,
            edit,
            "only what changed",
            faster=True,
        ),
        {
            "figure": f"memory for the near-duplicates of {LARGE:,} texts, MB above the texts",
            "baseline": "",
            "measured": round(megabytes),
            "ratio": "",
            "goal": "<= 1,000 MB",
        },
        {
            "figure": "pairs equal to those of comparing every pair",
            "baseline": len(naive),
            "measured": len(found & naive),
            "ratio": round(len(found & naive) / max(len(found | naive), 1), 3),
            "goal": "1.0",
        },
    ]


def _cpu_seconds(work: Callable[[], object]) -> float:
    """The median CPU time of several runs."""
    times: list[float] = []
    for _ in range(RUNS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times)


def _smallest_and_edit(texts: list[str], ids: list[str]) -> tuple[float, float]:
    """The seconds that the smallest collection takes, and that an edit in the middle one takes."""
    smallest = _cpu_seconds(lambda: find(ids[:PART], texts[:PART]))
    held = dict(zip(ids, texts, strict=True))
    kept = KeptDuplicates(held, held.__getitem__)
    times: list[float] = []
    for number in range(EDITS):
        held[ids[number]] = texts[number + EDITS]
        start = process_time()
        kept.change({ids[number]: held[ids[number]]}, (), held.__getitem__)
        times.append(process_time() - start)
    if kept.clusters != find(ids, held.values()):
        raise AssertionError("edits taken in one by one are not what all together gives")
    return smallest, median(times)


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _by_comparing_all(texts: list[str]) -> set[tuple[int, int]]:
    vocabularies = [tokens(text) for text in texts]
    eligible = [has_enough(vocabulary) for vocabulary in vocabularies]
    found: set[tuple[int, int]] = set()
    for later, own in enumerate(vocabularies):
        for earlier in range(later):
            other = vocabularies[earlier]
            if 2 * len(own & other) >= max(len(own), len(other)) and (
                eligible[later] and eligible[earlier]
            ):
                found.add((later, earlier))
    return found
