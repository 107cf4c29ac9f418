"""Choosing in one pane highlights in the others; every state of a turn has its words."""

from __future__ import annotations

from pathlib import Path

from tui_bench import Bench, Opening, go_to

from proofstone.curation.views import TurnView
from proofstone.domain.evidence_unit import Partition
from proofstone.domain.gate_types import TurnState
from proofstone.tui.panes.gate import GatePane
from proofstone.tui.widgets.line_list import LineList


def linked_rows(bench: Bench, selector: str) -> set[str]:
    """Keys of the rows that a pane highlights."""
    pane = bench.app.screen.query_one(selector, LineList)
    source = pane.source
    return {
        source.key(index)
        for index in range(len(source))
        if source.row(index).link and source.row(index).link in pane._linked
    }


def marked_text(bench: Bench, unit_id: str) -> list[str]:
    """The words that are marked as quotes inside a unit."""
    pane = bench.app.screen.query_one("#evidence", LineList)
    keys = [pane.source.key(index) for index in range(len(pane.source))]
    body = pane.source.row(keys.index(unit_id)).body
    return [body.plain[s.start : s.end] for s in body.spans if "ink-quote" in str(s.style)]


async def go_to_turn(bench: Bench, view: TurnView) -> None:
    await go_to(bench.pilot, "1", view.reference)


async def test_a_proposal_marks_its_quotes_at_their_exact_place(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(lambda v: bool(v.proposal.turn and v.proposal.bindings))
        claims = view.proposal.bindings
        assert {claim.unit_id for claim in claims} <= linked_rows(b, "#evidence")
        for unit_id in {claim.unit_id for claim in claims}:
            quotes = [claim.quote for claim in claims if claim.unit_id == unit_id]
            assert marked_text(b, unit_id) == quotes
        assert linked_rows(b, "#turns") == {view.proposal.turn}
        assert linked_rows(b, "#queue") == {view.proposal_id}
        assert f"candidate-{view.proposal.candidate_id}" in linked_rows(b, "#gate")


async def test_a_unit_shows_what_it_supports(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(lambda v: bool(v.proposal.turn and v.proposal.bindings))
        unit_id = view.proposal.bindings[0].unit_id
        turn = b.workspace.turn(view.proposal.turn)
        place = [unit.unit_id for unit in turn.units].index(unit_id)
        other = "j" if place == 0 else "k"
        await b.press("3", other)
        await b.press("k" if other == "j" else "j")
        assert b.app.screen.query_one("#evidence", LineList).cursor_key == unit_id
        assert f"row-{unit_id}" in linked_rows(b, "#gate")
        assert view.proposal_id in linked_rows(b, "#queue")


async def test_a_coverage_row_leads_to_its_unit(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.select(lambda v: bool(v.proposal.turn and v.proposal.bindings))
        await b.press("4", "g", "j")
        gate = b.app.screen.query_one(GatePane)
        subject = gate.subject(gate.cursor_key)
        assert subject is not None
        assert linked_rows(b, "#evidence") == {subject.unit_id}


async def test_a_finding_shows_the_records_that_it_measured(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(
            lambda v: (
                bool(v.report.findings[0].looked_at)
                and any(record.unit_id for record in v.records)
                and bool(v.proposal.turn)
            )
        )
        await b.press("6", "j", "k")
        looked = view.report.findings[0].looked_at
        units = {r.unit_id for r in view.records if r.evidence_id in looked and r.unit_id}
        assert units <= linked_rows(b, "#evidence")


async def test_a_matched_memory_shows_which_proposals_concern_it(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(lambda v: len(v.match.matched) == 1)
        await b.press("7", "g")
        b.app.screen.query_one("#siblings", LineList).action_choose()
        await b.press("g")
        assert view.proposal_id in linked_rows(b, "#queue")


async def test_a_turn_shows_its_proposals(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        turn = next(turn for turn in b.workspace.turns if turn.counts.waiting > 1)
        await go_to_turn(b, turn)
        waiting = {v.proposal_id for v in b.workspace.queue if v.proposal.turn == turn.reference}
        assert linked_rows(b, "#queue") == waiting
        assert b.subject in waiting


async def test_an_incomplete_turn_says_what_is_missing(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        turn = next(turn for turn in b.workspace.turns if turn.state is TurnState.INCOMPLETE)
        await go_to_turn(b, turn)
        assert "cannot be put before the Gate" in b.shown("#gate")
        assert "This turn is incomplete" in b.shown("#evidence")
        assert b.subject == ""
        await b.press("r")
        assert "no proposal from this turn waits" in b.toasts[-1].lower()


async def test_a_refused_answer_shows_its_diagnostics_only(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        turn = next(turn for turn in b.workspace.turns if turn.state is TurnState.REFUSED)
        await go_to_turn(b, turn)
        assert turn.gate is not None
        _, refusal = turn.gate.refusals[-1]
        assert "No answer was accepted" in b.shown("#gate")
        assert refusal.identifier in b.shown("#gate")


async def test_partitions_are_told_by_letter(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault, (160, 60)) as b:
        turn = next(
            turn
            for turn in b.workspace.turns
            if {unit.partition for unit in turn.units} == set(Partition)
        )
        await go_to_turn(b, turn)
        shown = b.shown("#evidence")
        assert all(f"▌{letter} " in shown for letter in "PCU")


async def test_the_boundary_view_parts_what_was_offered(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        turn = next(turn for turn in b.workspace.turns if turn.counts.unresolved)
        await go_to_turn(b, turn)
        await b.press("b")
        models, hosts = b.shown("#models-view"), b.shown("#hosts-view")
        assert "▌P" in models and "▌C" not in models and "▌U" not in models
        assert "▌P" not in hosts and "▌U" in hosts
        assert "the turn stays open" in " ".join(hosts.split())
        await b.press("escape")
        assert not b.app.screen.has_class("-boundary")
