"""What holds for the inventory of any text (spec page 2, Inventory)."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain.clauses import placed_clauses
from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.inventory import inventory, inventory_digest
from proofstone.domain.observations import (
    observation_fields,
    observation_from_fields,
    renormalised,
)
from proofstone.domain.origins import with_user_origins

PIECES = st.sampled_from(
    [
        *("a", "7", ".", ". ", ",", ", ", "，", "。", "?", "!", ";", "；", ":", "：", " ", "\t"),
        *("\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u3000", "\u200b"),
        *("\n```", "~~~\n", "\n> ", "\n- ", "\n• ", "\n1. ", "\n2、", "# ", "\n## ", "1.", "1,0"),
        *("🙂", "👩‍🚀", "e\u0301", "İ", "ı", "ſ", "K", "\ufeff", "\u202e", "\x00", "\ud800"),
        *("what", "how ", "xwhat", "Show ", "please ", "list ", "example ", "fictional"),
        *(
            "请",
            "麻烦你",
            "查询",
            "把",
            "列出",
            "有什么",
            "怎么",
            "么",
            "吗",
            "例如",
            "不要",
            "记住",
        ),
    ]
)
TEXTS = st.lists(PIECES | st.characters(), max_size=30).map("".join)
OPTIONAL = st.sampled_from(["", "x", "y"])
OBSERVATIONS = st.builds(
    Observation,
    tool_name=OPTIONAL,
    call_id=OPTIONAL,
    record_id=OPTIONAL,
    message_id=OPTIONAL,
    kind=st.sampled_from(["", "external_observation", "retrieved_memory", "unknown"]),
    result_status=st.sampled_from(["", "success", "error"]),
    completeness=st.sampled_from(["", "complete", "partial"]),
    retention=st.sampled_from(["", "bounded", "metadata"]),
    content=st.none() | TEXTS,
)
EVENTS = st.builds(
    Event,
    event_key=st.sampled_from(["evt-1", "evt-2"]),
    role=st.sampled_from(Role),
    content=TEXTS,
    observations=st.lists(OBSERVATIONS, max_size=3).map(tuple),
)
REPEATABLE = settings(derandomize=True, deadline=None, max_examples=200)


@REPEATABLE
@given(TEXTS)
def test_a_unit_is_an_exact_clause_at_its_offsets(text: str) -> None:
    units = inventory([Event(event_key="e", role=Role.USER, content=text)])
    for unit in units:
        assert text[unit.start : unit.end] == unit.text
        assert unit.text == unit.text.strip() != ""
        assert len(unit.text.splitlines()) == 1
    ends = [0, *(unit.end for unit in units)]
    assert all(end <= unit.start for end, unit in zip(ends, units, strict=False))


@REPEATABLE
@given(TEXTS)
def test_no_letter_of_a_line_outside_fences_and_bullets_is_lost(text: str) -> None:
    units = inventory([Event(event_key="e", role=Role.USER, content=text)])
    counted = Counter("".join(unit.text for unit in units))
    lines = [line.strip() for line in text.splitlines()]
    whole = "".join(line for line in lines if not line.startswith(("```", "~~~")))
    letters = Counter(character for character in whole if character.isalpha())
    assert all(counted[letter] == count for letter, count in letters.items())


@REPEATABLE
@given(st.lists(EVENTS, max_size=3))
def test_ids_are_unique_and_made_of_what_the_unit_is(events: list[Event]) -> None:
    units = inventory(events)
    assert len({unit.unit_id for unit in units}) == len(units)
    for unit in units:
        assert type(unit) is EvidenceUnit and unit == EvidenceUnit(**unit._asdict())
        row = [unit.event_key, unit.source_role, unit.start, unit.end, unit.text]
        identity = json.dumps(
            [*row, unit.call_id, unit.record_id], ensure_ascii=False, separators=(",", ":")
        ).encode("utf-8", "surrogatepass")
        assert unit.unit_id == "u-" + sha256(identity).hexdigest()[:24]


@REPEATABLE
@given(st.lists(EVENTS, max_size=3), EVENTS)
def test_an_event_more_changes_no_unit_of_the_others(events: list[Event], more: Event) -> None:
    alone = inventory(events)
    assert inventory([*events, more])[: len(alone)] == alone
    assert inventory([*events, *events]) == alone


@REPEATABLE
@given(st.lists(EVENTS, max_size=3))
def test_only_user_text_and_whole_observations_may_be_cited(events: list[Event]) -> None:
    for unit in inventory(events):
        if unit.source_role == "assistant":
            assert unit.partition is Partition.CONTEXT
        elif unit.source_role == "user":
            assert unit.partition is Partition.PHYSICAL
        elif unit.partition is Partition.PHYSICAL:
            assert unit.tool_name and unit.call_id


@REPEATABLE
@given(TEXTS)
def test_the_origin_of_a_clause_depends_on_the_clause_alone(text: str) -> None:
    clauses = list(placed_clauses(text))
    alone = [
        next(with_user_origins(clause, [(0, clause, (), quoted)]))[1]
        for _, clause, _, quoted in clauses
    ]
    assert list(with_user_origins(text, clauses)) == list(zip(clauses, alone, strict=True))


@REPEATABLE
@given(st.lists(EVENTS, max_size=2), st.lists(EVENTS, max_size=2))
def test_the_digest_is_equal_for_equal_units(one: list[Event], other: list[Event]) -> None:
    def without_section(units: tuple[EvidenceUnit, ...]) -> list[EvidenceUnit]:
        return [unit._replace(section_path=()) for unit in units]

    first, second = inventory(one), inventory(other)
    same = without_section(first) == without_section(second)
    assert (inventory_digest(first) == inventory_digest(second)) is same


@REPEATABLE
@given(st.lists(OBSERVATIONS, max_size=12))
def test_reading_what_was_read_changes_nothing_more(observations: list[Observation]) -> None:
    once = renormalised([observation_fields(item) for item in observations])
    fields = [observation_fields(item) for item in once]
    assert renormalised(fields) == once
    assert tuple(map(observation_from_fields, fields)) == once


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(OPTIONAL, inner, max_size=3),
    max_leaves=12,
)


@REPEATABLE
@given(JSON)
def test_whatever_is_on_disk_becomes_at_most_eight_observations(records: object) -> None:
    assert len(renormalised(records)) <= 8
