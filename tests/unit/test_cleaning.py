"""Cleaning: what is due, what is held back, what goes, and what stays."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from memleaf import Memleaf
from memleaf.inbox import parse_inbox as memleaf_inbox
from memleaf.inspection import audit_vault

from proofstone.curation import cleaning, gate, gate_replay, history
from proofstone.curation.check import check, is_note
from proofstone.curation.cleaning import CleaningDone, CleaningPreview, preview_cleaning
from proofstone.curation.purging import preview_purge, purge
from proofstone.curation.rulings import rule
from proofstone.domain import ids
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import TurnState
from proofstone.domain.rulings import Choices, short_id
from proofstone.vault.captured_turns import REMOVED_EVENTS
from proofstone.vault.inbox_removal import without_events
from proofstone.vault.processed import read_progress
from proofstone.vault.swap import temporary_name
from proofstone.vault.vault import Vault
from tests.clean_story import (
    ANSWERED,
    DEFERRED,
    HALF,
    INBOX,
    ONLY_CAPTURED,
    PAST,
    PLAIN,
    PROPOSED,
    RULED,
    SESSION,
    SOURCE,
    UNANSWERED,
    answer,
    capture,
    new_turn,
    proposal_of,
    session,
    tell,
    workspace,
)
from tests.conftest import contents

OPEN_TURNS = (DEFERRED, UNANSWERED, HALF)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tell(tmp_path / "vault")


def clean(root: Path, **choices: bool) -> CleaningDone:
    view = workspace(root)
    return cleaning.clean(view, preview_cleaning(view, **choices))


def due(found: CleaningPreview) -> list[str]:
    return [turn.reference for turn in found.due]


def why(found: CleaningPreview, reference: str) -> str:
    (held,) = (turn.why for turn in found.held if turn.reference == reference)
    return held


def findings(root: Path) -> list[str]:
    return [problem.code for problem in check(workspace(root)) if not is_note(problem)]


class TestWhenItIsDue:
    def test_both_settled_turns_are_due_once_their_retention_has_passed(self, root: Path) -> None:
        found = preview_cleaning(workspace(root))
        assert due(found) == [PROPOSED, PLAIN]
        assert found.held == ()
        assert [turn.settled_at for turn in found.due] == [
            "2026-11-21T10:00:00Z",
            "2026-11-20T10:00:00Z",
        ]

    def test_the_last_ruling_counts_to_the_second(self, root: Path) -> None:
        found = preview_cleaning(workspace(root, PAST - timedelta(seconds=1)))
        assert due(found) == [PLAIN]
        assert why(found, PROPOSED) == "its text is kept until 2026-11-22T10:00:00Z"

    def test_the_answer_counts_where_nothing_was_proposed(self, root: Path) -> None:
        day = timedelta(hours=24)
        assert PLAIN in due(preview_cleaning(workspace(root, ANSWERED + day)))
        early = preview_cleaning(workspace(root, ANSWERED + day - timedelta(seconds=1)))
        assert PLAIN not in due(early)

    def test_the_setting_says_how_long(self, root: Path) -> None:
        settings = root / "proofstone.yaml"
        text = settings.read_text().replace("retention_hours: 24", "retention_hours: 48")
        settings.write_text(text)
        assert due(preview_cleaning(workspace(root))) == [PLAIN]

    def test_a_ruling_made_again_counts_from_then_on(self, root: Path) -> None:
        history.undo(workspace(root, RULED))
        assert PROPOSED not in due(preview_cleaning(workspace(root)))
        history.redo(workspace(root, PAST))
        assert why(preview_cleaning(workspace(root)), PROPOSED).endswith("2026-11-23T10:00:00Z")

    def test_a_time_that_is_missing_holds_it(self, root: Path) -> None:
        record = Vault(root).read().gate[PLAIN]
        path = root / record.path
        path.write_text(path.read_text().replace("2026-11-20T10:00:00Z", "some day"))
        assert "cannot be told" in why(preview_cleaning(workspace(root)), PLAIN)


class TestWhatIsHeldBack:
    @pytest.mark.parametrize("reference", OPEN_TURNS)
    def test_what_is_not_settled_is_no_candidate(self, root: Path, reference: str) -> None:
        found = preview_cleaning(workspace(root))
        assert reference not in due(found)
        assert reference not in [held.reference for held in found.held]

    def test_a_turn_that_a_waiting_proposal_quotes(self, root: Path) -> None:
        note = next((root / "proposals/ruled").glob("*.md"))
        text = note.read_text().replace(f'turn: "{PROPOSED}"', 'turn: "agent/other#1"')
        text = text.replace('status: "ratified"', 'status: "open"')
        text = text.replace(note.stem, "prop-000000000000000000000000")
        (root / "proposals/prop-000000000000000000000000.md").write_text(text)
        found = preview_cleaning(workspace(root))
        assert why(found, PROPOSED) == "proposal prop-000000000000000000000000 waits, and quotes it"
        assert due(found) == [PLAIN]

    def test_a_proposal_that_cannot_be_read_may_be_of_any_turn_that_proposed(
        self, root: Path
    ) -> None:
        (root / "proposals/torn.md").write_text("---\nproposal_id: [\n---\n")
        found = preview_cleaning(workspace(root))
        assert why(found, PROPOSED).startswith("proposals/torn.md cannot be read")
        assert due(found) == [PLAIN]

    def test_a_file_with_an_event_that_cannot_be_read(self, root: Path) -> None:
        inbox = root / INBOX
        inbox.write_bytes(inbox.read_bytes() + b"\n<!-- memleaf:event:v2 -->\n{torn\n")
        found = preview_cleaning(workspace(root))
        assert due(found) == []
        assert INBOX in why(found, PLAIN)

    def test_text_that_is_not_what_was_answered(self, root: Path) -> None:
        inbox = root / INBOX
        inbox.write_bytes(inbox.read_bytes().replace(b"zebra", b"okapi"))
        found = preview_cleaning(workspace(root))
        assert due(found) == [PROPOSED]
        assert "proofstone check" in why(found, PLAIN)

    def test_two_events_of_one_key_in_two_turns(self, root: Path) -> None:
        view = workspace(root)
        key = view.turn(PLAIN).turn.events[0].event_key
        inbox = root / INBOX
        block = inbox.read_text().partition(key)[2].partition("<!-- memleaf:event:v2")[0]
        other = block.replace('"session_id":"told"', '"session_id":"elsewhere"')
        inbox.write_text(
            f'{inbox.read_text()}\n<!-- memleaf:event:v2 -->\n{{"event_key":"{key}{other}'
        )
        assert "would not read the same" in why(preview_cleaning(workspace(root)), PLAIN)

    def test_nothing_is_removed_when_a_turn_has_changed_since_it_was_shown(
        self, root: Path
    ) -> None:
        view = workspace(root)
        shown = preview_cleaning(view)
        history.undo(workspace(root))
        before = contents(root)
        with pytest.raises(ProofstoneError, match="has changed since it was shown"):
            cleaning.clean(view, shown)
        assert contents(root) == before


def processed(root: Path, state: dict[str, Any], **more: object) -> None:
    """memleaf's record, with ``state`` for the session."""
    path = root / "_state/processed.json"
    path.parent.mkdir(exist_ok=True)
    sessions = {f"{SOURCE}/{SESSION}": state}
    path.write_text(json.dumps({"version": 1, "sessions": sessions, **more}))


def entry(root: Path, **fields: object) -> dict[str, object]:
    turn = workspace(root).turn(PLAIN).turn
    known = {"turn_key": turn.turn_key, "turn_index": turn.turn_index}
    return {**known, "eligible_cleanup_at": "2026-11-21T00:00:00Z", **fields}


class TestMemleaf:
    @pytest.mark.parametrize(
        ("fields", "reason"),
        [
            ({"eligible_cleanup_at": None}, "keeps it open"),
            ({"eligible_cleanup_at": "2026-11-22T10:00:01Z"}, "until 2026-11-22T10:00:01Z"),
            (
                {"deferred_evidence": [{"unit_id": "u", "decision": "DEFERRED"}]},
                "deferred a part",
            ),
            (
                {"candidate_dispositions": [{"candidate_id": "c", "disposition": "DEFERRED"}]},
                "deferred a part",
            ),
        ],
    )
    def test_what_it_has_not_finished_is_kept(
        self, root: Path, fields: dict[str, object], reason: str
    ) -> None:
        processed(root, {"processed_turns": [entry(root, **fields)], "watermark": 2})
        found = preview_cleaning(workspace(root), unprocessed=True)
        assert reason in why(found, PLAIN)
        assert due(found) == [PROPOSED]

    @pytest.mark.parametrize(
        ("status", "reason"), [("processing", "is processing it"), ("failed", "failed on it")]
    )
    def test_what_it_is_at_or_failed_on_is_kept(self, root: Path, status: str, reason: str) -> None:
        key = workspace(root).turn(PLAIN).turn.turn_key
        processed(root, {"processing": {"status": status, "turn_keys": [key]}, "watermark": 9})
        assert reason in why(preview_cleaning(workspace(root), unprocessed=True), PLAIN)

    def test_what_it_has_finished_is_due(self, root: Path) -> None:
        processed(root, {"processed_turns": [entry(root)]})
        assert due(preview_cleaning(workspace(root))) == [PROPOSED, PLAIN]

    def test_a_gap_would_stop_it_so_what_it_has_not_come_to_is_kept_until_asked_for(
        self, root: Path
    ) -> None:
        processed(root, {"turns": {}, "watermark": 1})
        found = preview_cleaning(workspace(root))
        assert due(found) == [PROPOSED]
        assert "--unprocessed" in why(found, PLAIN)
        assert due(preview_cleaning(workspace(root), unprocessed=True)) == [PROPOSED, PLAIN]

    def test_while_it_is_writing_nothing_is_due(self, root: Path) -> None:
        processed(root, {"watermark": 9}, pending_turn_plans={"x": {}})
        assert due(preview_cleaning(workspace(root))) == []

    def test_a_record_that_cannot_be_read_holds_everything(self, root: Path) -> None:
        processed(root, {})
        (root / "_state/processed.json").write_text("{")
        found = preview_cleaning(workspace(root), unprocessed=True)
        assert due(found) == []
        assert "cannot be read" in why(found, PROPOSED)

    def test_a_torn_record_says_nothing_of_how_far_it_is(self) -> None:
        for data in (b"{", b"[]", b'{"sessions": []}', b'{"sessions": {"a/b": 1}}'):
            assert not read_progress(data).waits_for("a", "b", 1)

    def test_it_reads_the_other_turns_as_before_and_finds_nothing_wrong(self, root: Path) -> None:
        Memleaf.initialize(root)
        before = {turn.turn_index: turn for turn in memleaf_inbox(root)}
        clean(root)
        after = {turn.turn_index: turn for turn in memleaf_inbox(root)}
        assert after == {index: before[index] for index in (3, 4, 5)}
        assert audit_vault(root)["status"] == "ok"

    def test_what_it_captures_next_stands_beside_what_was_cleaned(self, root: Path) -> None:
        clean(root)
        service = Memleaf(root)
        service.capture(SOURCE, SESSION, "later", "user", "A later question?")
        service.capture(SOURCE, SESSION, "later", "assistant", "A later answer.")
        states = {view.reference: view.state for view in workspace(root).turns}
        assert states == {
            PROPOSED: TurnState.SETTLED,
            PLAIN: TurnState.SETTLED,
            DEFERRED: TurnState.OPEN,
            UNANSWERED: TurnState.WAITING,
            HALF: TurnState.INCOMPLETE,
            f"{SOURCE}/{SESSION}#6": TurnState.WAITING,
        }
        assert findings(root) == []

    def test_a_turn_that_it_cleaned_itself_is_no_finding(self, root: Path) -> None:
        processed(root, {"processed_turns": [entry(root, cleanup_done_at="2026-11-22T00:00:00Z")]})
        inbox = root / INBOX
        keys = {event.event_key for event in workspace(root).turn(PLAIN).turn.events}
        inbox.write_bytes(without_events(inbox.read_bytes(), keys))
        assert findings(root) == []
        (root / "_state/processed.json").unlink()
        assert findings(root) == ["gate_without_turn"]


class TestWhatGoesAndWhatStays:
    def test_the_words_are_nowhere_and_every_other_byte_of_the_inbox_is(self, root: Path) -> None:
        inbox = root / INBOX
        before = inbox.read_bytes()
        inbox.chmod(0o640)
        done = clean(root)
        assert done.turns == (PROPOSED, PLAIN)
        start = before.index(b"<!-- memleaf:event:v2 -->")
        rest = before.index(b"<!-- memleaf:event:v2 -->", before.index(b"zebra way"))
        assert inbox.read_bytes() == before[:start] + before[rest:]
        assert inbox.stat().st_mode & 0o777 == 0o640
        for path, data in contents(root).items():
            assert not [words for words in ONLY_CAPTURED if words.encode() in data], path

    def test_text_that_stays_is_kept_nowhere_else_and_can_be_cleaned_later(
        self, root: Path
    ) -> None:
        clean(root)
        holding = [path for path, data in contents(root).items() if b"walrus" in data]
        assert holding == [INBOX]
        answer(workspace(root), UNANSWERED, ["already_completed"])
        view = workspace(root, PAST + timedelta(hours=24))
        assert cleaning.clean(view, preview_cleaning(view)).turns == (UNANSWERED,)
        assert [path for path, data in contents(root).items() if b"walrus" in data] == []
        assert findings(root) == []

    def test_the_turn_is_listed_with_ids_and_reasons(self, root: Path) -> None:
        before = workspace(root)
        clean(root)
        after = workspace(root)
        assert [v.reference for v in after.turns] == [v.reference for v in before.turns]
        for reference in (PROPOSED, PLAIN):
            was, now = before.turn(reference), after.turn(reference)
            assert now.state is TurnState.SETTLED
            assert now.cleaned_at == "2026-11-22T10:00:00Z"
            assert now.dispositions == was.dispositions
            assert now.counts == was.counts
            assert now.units == ()
            assert [event.event_key for event in now.turn.events] == [
                event.event_key for event in was.turn.events
            ]
            assert now.turn.is_complete
        for reference in OPEN_TURNS:
            assert after.turn(reference).units == before.turn(reference).units

    def test_the_vault_is_clean_and_its_answer_is_passed_over(self, root: Path) -> None:
        clean(root)
        assert findings(root) == []
        replayed = gate_replay.replay(workspace(root))
        assert dict(replayed.answers)[PLAIN] is gate_replay.Standing.CLEANED
        assert dict(replayed.answers)[DEFERRED] is gate_replay.Standing.HOLDS
        assert replayed.findings == ()

    def test_a_second_time_changes_nothing(self, root: Path) -> None:
        clean(root)
        before = contents(root)
        assert clean(root) == CleaningDone()
        assert contents(root) == before

    def test_it_is_put_before_no_gate_again(self, root: Path) -> None:
        clean(root)
        view = workspace(root)
        with pytest.raises(ProofstoneError, match="its text was removed at 2026-11-22T10"):
            gate.prompt(view, PLAIN)
        with pytest.raises(ProofstoneError, match="its text was removed at"):
            gate.submit(view, PLAIN, b"{}", answered_by="a-model", kind="model")

    def test_keys_of_the_gate_record_that_are_not_ours_stay(self, root: Path) -> None:
        path = root / Vault(root).read().gate[PLAIN].path
        value = json.loads(path.read_text())
        path.write_text(json.dumps({"note": "by hand", **value}))
        clean(root)
        stored = json.loads(path.read_text())
        assert stored.pop("cleaned")["turn_index"] == 2
        assert stored == {"note": "by hand", **value}

    def test_text_that_was_put_back_is_captured_again_and_can_be_cleaned_again(
        self, root: Path
    ) -> None:
        before = (root / INBOX).read_bytes()
        clean(root)
        cleaned = (root / INBOX).read_bytes()
        (root / INBOX).write_bytes(before)
        assert workspace(root).turn(PLAIN).cleaned_at == ""
        assert findings(root) == []
        assert clean(root).turns == (PROPOSED, PLAIN)
        assert (root / INBOX).read_bytes() == cleaned
        assert len((root / REMOVED_EVENTS).read_text().split()) == 4

    def test_a_damaged_record_of_what_was_cleaned_is_an_unreadable_answer(self, root: Path) -> None:
        clean(root)
        path = root / Vault(root).read().gate[PLAIN].path
        value = json.loads(path.read_text())
        for damage in (
            [],
            {"turn_index": 0},
            {"turn_index": 1, "events": [{"role": "system"}]},
            {"turn_index": 1, "dispositions": [{"decision": "MAYBE"}]},
            {"turn_index": 1, "dispositions": 1},
            {"turn_index": 1, "at": 1},
            {"turn_index": 1, "dispositions": [{"decision": "DEFERRED", "candidate_ids": "c"}]},
        ):
            path.write_text(json.dumps({**value, "cleaned": damage}))
            assert findings(root) == ["unreadable_gate_answer"], damage


class TestWhatFollows:
    def test_a_session_reader_does_not_bring_the_text_back(self, root: Path) -> None:
        clean(root)
        before = (root / INBOX).read_bytes()
        assert capture(root, *session()).events == 0
        assert (root / INBOX).read_bytes() == before

    def test_no_other_turn_gets_the_number_of_a_cleaned_one(self, tmp_path: Path) -> None:
        root = tell(tmp_path / "vault")
        inbox = root / INBOX
        data = inbox.read_bytes()
        inbox.write_bytes(data[: data.index(b"<!-- memleaf:event:v2", data.index(b"zebra way"))])
        clean(root)
        assert b"memleaf" not in inbox.read_bytes()
        capture(root, new_turn("new", "Where is the yak?", "Here."))
        (new,) = (view for view in workspace(root).turns if not view.cleaned_at)
        assert new.reference == f"{SOURCE}/{SESSION}#4"

    def test_a_number_that_was_given_again_is_a_note_and_hides_nothing(self, root: Path) -> None:
        clean(root)
        (root / INBOX).unlink()
        for path in (root / "gate").rglob("0003-*.json"):
            path.unlink()
        service = Memleaf(root)
        service.capture(SOURCE, SESSION, "other", "user", "Where is the yak?")
        service.capture(SOURCE, SESSION, "other", "assistant", "Here.")
        view = workspace(root)
        assert view.turn(PROPOSED).state is TurnState.WAITING
        assert view.turn(PROPOSED).gate is None
        (problem,) = (p for p in check(view) if p.code == "number_given_again")
        assert (problem.subject, problem.severity) == (PROPOSED, "info")
        assert findings(root) == []

    def test_it_cannot_be_undone_and_undo_passes_it_over(self, root: Path) -> None:
        done = clean(root)
        with pytest.raises(ProofstoneError, match="a clean cannot be undone"):
            history.undo(workspace(root), done.ruling)
        log = history.entries(workspace(root))
        assert (log[0].ruling.action, log[0].is_ruling) == ("clean", False)
        with pytest.raises(ProofstoneError, match="keeps nothing of what it removed"):
            workspace(root).journal.changes(log[0].ruling)
        undone = history.undo(workspace(root))
        assert undone.summary.startswith("undone: ratify of prop-")
        view = workspace(root)
        assert view.turn(PROPOSED).state is TurnState.OPEN
        assert view.turn(PROPOSED).cleaned_at
        assert findings(root) == []
        rule(view, "ratify", [proposal_of(view, PROPOSED)], Choices())
        assert workspace(root).turn(PROPOSED).state is TurnState.SETTLED

    def test_an_answer_that_it_changed_since_cannot_be_undone(self, root: Path) -> None:
        clean(root)
        log = history.entries(workspace(root))
        (stored,) = (e for e in log if e.ruling.action == "gate" and e.ruling.subject == PLAIN)
        with pytest.raises(ProofstoneError, match=r"changed since by clean rul-.*cannot be undone"):
            history.undo(workspace(root), stored.ruling.ruling_id)

    def test_a_capture_afterwards_is_no_change_by_another_hand(self, root: Path) -> None:
        clean(root)
        capture(root, new_turn("new", "Where is the yak?", "Here."))
        assert check(workspace(root)) == ()

    def test_a_purge_afterwards_finds_what_is_left_of_the_words(self, root: Path) -> None:
        clean(root)
        subject = ids.memory_id_for(proposal_of(workspace(root), PROPOSED))
        assert preview_purge(workspace(root), subject).others == ()
        confirmed = Choices(reason="user_requested", confirm=short_id(subject))
        purge(workspace(root), subject, confirmed)
        for path, data in contents(root).items():
            assert b"The ferry leaves at six" not in data, path
        view = workspace(root).turn(PROPOSED)
        assert (view.state, view.cleaned_at) == (TurnState.SETTLED, "2026-11-22T10:00:00Z")
        assert findings(root) == []

    def test_what_an_earlier_purge_kept_of_the_inbox_goes_too(self, root: Path) -> None:
        answer(workspace(root, RULED), UNANSWERED, ["CANDIDATE"])
        subject = proposal_of(workspace(root), UNANSWERED)
        confirmed = Choices(reason="user_requested", confirm=short_id(subject))
        purge(workspace(root, RULED), subject, confirmed)
        assert any(
            b"zebra way" in data for path, data in contents(root).items() if "objects" in path
        )
        clean(root)
        for path, data in contents(root).items():
            assert not [words for words in ONLY_CAPTURED if words.encode() in data], path
        assert findings(root) == []


def test_a_capture_that_was_killed_leaves_no_copy_of_the_text(root: Path) -> None:
    leftover = (root / INBOX).with_name(temporary_name("captured", INBOX))
    leftover.write_bytes((root / INBOX).read_bytes())
    clean(root)
    assert not leftover.exists()
