"""Any complete draft keeps the Gate's contract, whatever the order of its steps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_contract import check_response
from proofstone.domain.gate_draft import DraftError, GateDraft, roles_for
from proofstone.domain.gate_types import (
    CANDIDATE_TYPES,
    DEFERRED_REASONS,
    NO_CHANGE_REASONS,
    GateAnswer,
)
from proofstone.domain.word_selection import WordSelection

REASONS = (*NO_CHANGE_REASONS, *DEFERRED_REASONS)
USER = (
    Origin.USER_ASSERTION,
    Origin.USER_QUERY,
    Origin.USER_DOCUMENT,
    Origin.QUOTED_OR_EXAMPLE,
)
texts = st.text(min_size=1, max_size=30).filter(str.strip)
lines = texts.map(lambda text: " ".join(text.replace("\x00", " ").split())).filter(bool)
scopes = st.one_of(
    st.just(["unscoped"]),
    st.lists(st.sampled_from(["global", "project:atlas", "domain:数据"]), min_size=1),
)


@st.composite
def inventories(draw: st.DrawFn) -> tuple[EvidenceUnit, ...]:
    units = []
    for number in range(draw(st.integers(1, 6))):
        outside = draw(st.booleans())
        origin = Origin.EXTERNAL_OBSERVATION if outside else draw(st.sampled_from(USER))
        text = draw(st.one_of(texts, st.just("the same words")))
        units.append(
            EvidenceUnit(
                unit_id=f"u-{number}",
                event_key=draw(st.sampled_from(["one", "two"])),
                source_role="external" if outside else "user",
                origin=origin,
                start=0,
                end=len(text),
                text=text,
            )
        )
    return tuple(units)


def step(draft: GateDraft, data: st.DataObject) -> GateDraft:
    """One step of a person; one that cannot be made leaves the draft as it is."""
    ids = [unit.unit_id for unit in draft.units]
    kind = data.draw(st.sampled_from(["new", "reword", "bind", "decide", "drop"]))
    try:
        if kind in ("new", "reword"):
            memory = data.draw(st.one_of(lines, st.just("the same words")))
            type = data.draw(st.sampled_from(CANDIDATE_TYPES))
            where = data.draw(scopes)
            target = data.draw(st.sampled_from(["", "mem-1", "mem-2"]))
            if kind == "new":
                return draft.with_candidate(
                    memory, type=type, scopes=where, update_memory_id=target
                )
            return draft.reworded(
                _candidate(draft, data), memory, type=type, scopes=where, update_memory_id=target
            )
        if kind == "bind":
            return _bound(draft, _candidate(draft, data), data.draw(st.sampled_from(ids)), data)
        if kind == "drop":
            return draft.without(_candidate(draft, data))
        return draft.decide(data.draw(st.sampled_from(ids)), data.draw(st.sampled_from(REASONS)))
    except DraftError:
        return draft


def _candidate(draft: GateDraft, data: st.DataObject) -> str:
    known = [candidate.candidate_id for candidate in draft.candidates]
    return data.draw(st.sampled_from([*known, "nobody"]))


def _bound(draft: GateDraft, candidate: str, unit_id: str, data: st.DataObject) -> GateDraft:
    unit = draft.unit(unit_id)
    assert unit is not None
    chosen = WordSelection.of(unit.text)
    span = None
    if chosen is not None and data.draw(st.booleans()):
        places = st.integers(0, len(unit.text))
        span = chosen.between(data.draw(places), data.draw(places)).span
    return draft.bind(candidate, unit_id, span, data.draw(st.sampled_from(roles_for(unit))))


def completed(draft: GateDraft) -> GateDraft:
    """What a person does who wants to be done: leaves out and decides what is left."""
    for candidate in draft.unbound:
        draft = draft.without(candidate.candidate_id)
    for unit in draft.uncovered:
        draft = draft.decide(unit.unit_id, "no_future_value")
    return draft


@settings(max_examples=150, deadline=None)
@given(inventories(), st.data())
def test_any_complete_draft_keeps_the_contract(
    units: tuple[EvidenceUnit, ...], data: st.DataObject
) -> None:
    draft = GateDraft.of(units)
    for _ in range(data.draw(st.integers(0, 12))):
        draft = step(draft, data)
    draft = completed(draft)
    assert draft.is_complete
    answer = check_response(
        draft.to_json().decode(),
        turn_event_keys=list(dict.fromkeys(unit.event_key for unit in units)),
        units=draft.units,
        require_complete=True,
        known_memory_ids=["mem-1", "mem-2"],
    )
    assert isinstance(answer, GateAnswer), answer
    assert answer == draft.answer()


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_chosen_words_are_never_blank(text: str, one: int, other: int) -> None:
    chosen = WordSelection.of(text)
    if chosen is None:
        assert not text.strip()
        return
    start, end = chosen.between(one, other).span
    assert text[start:end] == text[start:end].strip() != ""
