"""The readers on sample files in the shape of each program's own (tests/data/sessions)."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.sessions.formats import FORMATS, detect
from proofstone.sessions.reader import Reading
from proofstone.sessions.values import SessionTurn

SAMPLES = Path(__file__).parent.parent / "data" / "sessions"
CLAUDE = SAMPLES / "claude-code" / "-home-mira-orion" / "7d0a1c52-4b1e-4f0e-9a51-3f7f2f6f8a10.jsonl"
CODEX = (
    SAMPLES
    / "codex/2026/11/20"
    / "rollout-2026-11-20T10-00-00-019b64e5-57fa-7463-b644-fba7e456f905.jsonl"
)


def read(path: Path, *, final: bool = False) -> tuple[list[SessionTurn], Reading]:
    found = detect(path)
    assert found is not None
    reading = Reading(path, found, final=final)
    return list(reading.turns()), reading


def kinds(turn: SessionTurn) -> list[tuple[str, str, str]]:
    return [
        (record["tool_name"], record["kind"], record["result_status"]) for record in turn.records
    ]


class TestClaudeCode:
    def test_turns_are_the_users_messages_and_the_visible_answer(self) -> None:
        turns, reading = read(CLAUDE)
        assert [turn.users for turn in turns] == [
            ("Which package manager does Orion use? I want all scripts to use pnpm.",),
            (
                "Run the tests. The deploy token is ghp_a8Kd93jfQ0xLm2Zr7Tn5Vb1Yc4We6Hs9UpGi,"
                " use it.",
                "And tell me how long they take.",
            ),
            ("Then fix the CI file.",),
            ("No, never yarn: pnpm everywhere, in CI too.",),
        ]
        assert turns[0].answer == (
            "I'll look at the lock file.\n\n"
            "Orion uses pnpm: there is a pnpm-lock.yaml. I will use pnpm in all scripts."
        )
        assert turns[3].answer == "Understood: pnpm in CI too."
        assert [turn.line for turn in turns] == [5, 20, 27, 30]
        assert turns[0].session_id == "7d0a1c52-4b1e-4f0e-9a51-3f7f2f6f8a10"
        assert turns[0].turn_id == "00000003-0000-4000-8000-000000000003"
        assert reading.waiting == 35

    def test_calls_and_results_become_records(self) -> None:
        turns, _ = read(CLAUDE)
        assert kinds(turns[0]) == [
            ("Bash", "external_observation", "success"),
            ("mcp__memory__search_nodes", "retrieved_memory", "success"),
            ("Read", "unknown", "error"),
            ("Task", "unknown", "success"),
        ]
        assert turns[0].records[0]["content"] == "Makefile\npackage.json\npnpm-lock.yaml"
        assert turns[0].records[3]["retention"] == "metadata"
        assert "content" not in turns[0].records[3]
        assert kinds(turns[1])[0] == ("Bash", "unknown", "truncated")

    def test_hidden_and_injected_text_is_nowhere(self) -> None:
        turns, reading = read(CLAUDE, final=True)
        text = "\n".join(
            [*(turn.answer for turn in turns), *(user for turn in turns for user in turn.users)]
        )
        for hidden in ("Secretly", "system-reminder", "sub-agent", "/clear", "529", "continued"):
            assert hidden not in text
        assert reading.left_out["sub-agent side chain"] == 2
        assert reading.left_out["hidden reasoning"] == 1
        assert reading.left_out["file snapshot"] == 1

    def test_a_bad_line_is_told_by_number_and_the_rest_is_read(self) -> None:
        _, reading = read(CLAUDE)
        assert [(line.line, line.reason) for line in reading.skipped] == [
            (19, "not JSON (character 89)")
        ]

    def test_the_last_turn_waits_for_its_end(self) -> None:
        turns, _ = read(CLAUDE)
        final, reading = read(CLAUDE, final=True)
        assert len(final) == len(turns) + 1
        assert final[-1].answer == "Let me check."
        assert kinds(final[-1]) == [("Bash", "unknown", "unknown")]
        assert final[-1].records[0]["completeness"] == "missing"
        assert reading.waiting is None

    def test_a_sub_agents_own_file_has_no_turns(self) -> None:
        turns, reading = read(CLAUDE.with_name("agent-a1b2c3.jsonl"), final=True)
        assert turns == []
        assert reading.left_out == {"sub-agent side chain": 2}


class TestCodex:
    def test_items_and_their_echoes_count_once(self) -> None:
        turns, reading = read(CODEX)
        assert [(turn.turn_id, turn.users, turn.answer) for turn in turns] == [
            (
                "turn-aa",
                ("Which Node version do we build with? We decided on Node 22.",),
                "I'll read the Dockerfile.\n\nThe Dockerfile builds with Node 22.",
            ),
            ("turn-bb", ("Add a lint target.",), "Added `make lint`."),
        ]
        assert {turn.session_id for turn in turns} == {"019b64e5-57fa-7463-b644-fba7e456f905"}
        assert reading.waiting == 31

    def test_exit_codes_decide_what_a_result_is(self) -> None:
        turns, _ = read(CODEX)
        assert kinds(turns[0]) == [
            ("exec_command", "external_observation", "success"),
            ("shell", "unknown", "error"),
            ("apply_patch", "external_observation", "success"),
        ]
        assert turns[0].records[1]["content"] == "node: command not found"

    def test_a_line_of_nul_bytes_is_told(self) -> None:
        _, reading = read(CODEX)
        assert [(line.line, line.reason) for line in reading.skipped] == [
            (29, "holds NUL bytes, as after a crash")
        ]

    def test_a_sub_agents_rollout_has_no_turns(self) -> None:
        turns, reading = read(CODEX.with_name("rollout-2026-11-20T11-00-00-child.jsonl"))
        assert turns == []
        assert reading.left_out["sub-agent side chain"] == 3

    def test_the_oldest_files_have_bare_items(self) -> None:
        turns, reading = read(SAMPLES / "codex" / "rollout-2025-04-20-legacy.jsonl")
        assert [(turn.session_id, turn.users, turn.answer) for turn in turns] == [
            ("legacy-1", ("We deploy on Fridays only.",), "Noted: Fridays only."),
            ("legacy-1", ("Thanks.",), "You're welcome."),
        ]
        assert kinds(turns[0]) == [("shell", "external_observation", "success")]
        assert reading.waiting == 10


class TestOpenAI:
    def test_a_chat_document(self) -> None:
        turns, reading = read(SAMPLES / "openai" / "chat.json")
        assert [(turn.users, turn.answer) for turn in turns] == [
            (("What is the retention for logs? It must stay at 30 days.",), "It is 30 days."),
            (("And this picture?",), "It shows a graph."),
        ]
        assert kinds(turns[0]) == [
            ("get_setting", "external_observation", "success"),
            ("recall_memory", "retrieved_memory", "success"),
        ]
        assert reading.left_out == {
            "system record": 1,
            "hidden reasoning": 1,
            "image or file": 1,
        }

    def test_a_responses_document(self) -> None:
        turns, _ = read(SAMPLES / "openai" / "responses.json")
        assert [turn.answer for turn in turns] == ["It is -3 °C in Oslo."]
        assert kinds(turns[0]) == [
            ("get_weather", "external_observation", "success"),
            ("web_search", "unknown", "unknown"),
            ("mcp__places__lookup", "external_observation", "success"),
        ]

    def test_a_message_in_each_line(self) -> None:
        turns, reading = read(SAMPLES / "openai" / "messages.jsonl")
        assert [turn.users for turn in turns] == [("Call me Mira.",), ("Old call?",)]
        assert kinds(turns[1]) == [("lookup", "external_observation", "success")]
        assert [line.line for line in reading.skipped] == [3, 8]

    def test_a_conversation_in_each_line_is_a_session_of_its_own(self) -> None:
        turns, _ = read(SAMPLES / "openai" / "conversations.jsonl")
        assert [turn.session_id for turn in turns] == ["conversations-0f521209", "conv-2"]

    def test_what_stands_before_a_fault_is_read(self) -> None:
        turns, reading = read(SAMPLES / "openai" / "broken.json")
        assert [turn.users for turn in turns] == [("Still readable.",)]
        assert [line.line for line in reading.skipped] == [4]


class TestMarkdown:
    def test_headings_fix_the_style(self) -> None:
        turns, reading = read(SAMPLES / "markdown" / "headings.md")
        assert [turn.users[0].splitlines()[0] for turn in turns] == [
            "Please use British spelling in all documents.",
            "And the date format?",
        ]
        assert "this is quoted, not said" in turns[0].users[0]
        assert turns[0].answer == (
            "I will use British spelling.\n\n### User\n\nis only a heading in my answer."
        )
        assert reading.left_out["hidden reasoning"] == 1

    def test_bold_names(self) -> None:
        turns, _ = read(SAMPLES / "markdown" / "bold.md")
        assert [(turn.users, turn.answer) for turn in turns] == [
            (("We meet on Tuesdays.",), "Noted.\n\nUser: this is quoted text")
        ]

    def test_names_with_colons(self) -> None:
        turns, _ = read(SAMPLES / "markdown" / "plain.txt")
        assert [(turn.users, turn.answer) for turn in turns] == [
            (("What is the code name?\nIt is Orion.",), "Orion it is."),
            (("Good.",), "Anything else?"),
        ]

    def test_a_transcript_that_is_followed_keeps_its_last_turn_open(self) -> None:
        path = SAMPLES / "markdown" / "plain.txt"
        reading = Reading(path, FORMATS["markdown"], follows=True)
        assert [turn.users for turn in reading.turns()] == [
            ("What is the code name?\nIt is Orion.",)
        ]
        assert reading.waiting == 4


@pytest.mark.parametrize(
    "name",
    ["openai/package.json", "markdown/notes.md", "claude-code/-home-mira-orion/memory/MEMORY.md"],
)
def test_other_files_are_no_sessions(name: str) -> None:
    assert detect(SAMPLES / name) is None
