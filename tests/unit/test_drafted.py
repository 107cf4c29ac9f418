"""A turn as its draft accounts for it is the same as if everything were accounted for anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from proofstone.curation import gate_by_hand
from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain.dispositions import dispose
from proofstone.domain.gate_draft import GateDraft


@pytest.fixture
def turns(demo_vault: Path, context: Context) -> Sequence[TurnView]:
    workspace = Workspace.open(demo_vault, context)
    return [view for view in workspace.turns if not gate_by_hand.why_not(view)]


def steps(view: TurnView) -> Sequence[GateDraft]:
    """Drafts of a turn, from the empty one to one that says something of every unit."""
    drafts = [gate_by_hand.start(view)]
    drafts.append(drafts[-1].with_candidate("It is so.", type="fact", scopes=("global",)))
    name = drafts[-1].candidates[0].candidate_id
    for number, unit in enumerate(drafts[0].units):
        last = drafts[-1]
        drafts.append(
            last.bind(name, unit.unit_id) if number % 2 else last.decide(unit.unit_id, "query_only")
        )
    drafts.append(drafts[-1].without(name))
    return drafts


def test_only_what_the_draft_speaks_of_is_accounted_for_anew(turns: Sequence[TurnView]) -> None:
    assert turns
    for view in turns:
        for draft in steps(view):
            drafted = gate_by_hand.drafted(view, draft, DEMO_AUTHOR)
            assert drafted.gate is not None
            assert drafted.gate.answer is not None
            loose = {item.candidate_id for item in draft.unbound}
            answer = drafted.gate.answer
            bound = tuple(c for c in answer.candidates if c.candidate_id not in loose)
            rows = dispose(view.units, replace(answer, candidates=bound))
            assert list(drafted.dispositions.items()) == [(row.unit_id, row) for row in rows]
            kept = view.dispositions.keys() - draft.said
            assert all(drafted.dispositions[name] is view.dispositions[name] for name in kept)


def test_what_is_open_is_counted_and_found_without_a_list(turns: Sequence[TurnView]) -> None:
    for view in turns:
        for draft in steps(view):
            assert draft.open_count == len(draft.uncovered)
            for place, unit in enumerate(draft.units):
                ahead = [one for one in draft.units[place + 1 :] if one in draft.uncovered]
                assert draft.open_after(unit.unit_id) == (ahead[0] if ahead else None)
                assert draft.unit(unit.unit_id) is unit
