"""The rules of turns, records and injected text, one by one."""

from __future__ import annotations

import pytest

from proofstone.sessions import injected
from proofstone.sessions.codex import result_of
from proofstone.sessions.conversation import MAX_SIDE_CHARACTERS, Conversation
from proofstone.sessions.formats import FORMATS
from proofstone.sessions.markdown import speaker_line
from proofstone.sessions.reader import read_lines
from proofstone.sessions.tool_records import ToolResult, record_of, tool_call


def conversation() -> Conversation:
    return Conversation("session")


class TestTurns:
    def test_messages_before_the_first_answer_are_one_turn(self) -> None:
        talk = conversation()
        assert talk.user("one", turn_id="a")
        assert not talk.user("two", turn_id="b")
        talk.agent("answer")
        assert talk.user("three", turn_id="c")
        assert [(turn.turn_id, turn.users) for turn in talk.closed] == [("a", ("one", "two"))]

    def test_a_turn_without_an_answer_is_never_handed_out(self) -> None:
        talk = conversation()
        talk.user("hello", turn_id="a")
        talk.call("Bash", "c")
        talk.finish(final=True)
        assert talk.closed == []
        assert talk.open_line == 0

    def test_the_end_counts_only_if_nothing_follows(self) -> None:
        talk = conversation()
        talk.user("hello", turn_id="a")
        talk.agent("one")
        talk.ended()
        talk.agent("two")
        talk.finish(final=False)
        assert talk.closed == []
        talk.ended()
        talk.finish(final=False)
        assert [turn.answer for turn in talk.closed] == ["one\n\ntwo"]

    def test_ids_are_made_of_words_and_count_where_there_are_none(self) -> None:
        talk = conversation()
        for _ in range(3):
            talk.user("yes")
            talk.agent("ok")
        talk.finish(final=True)
        ids = [turn.turn_id for turn in talk.closed]
        assert ids[0].startswith("text-")
        assert ids[1:] == [f"{ids[0]}-2", f"{ids[0]}-3"]
        assert talk.made_ids

    def test_messages_of_one_instant_are_told_apart(self) -> None:
        talk = conversation()
        for text in ("yes", "no", "yes"):
            talk.user(text, timestamp="2026-11-20T10:00:00.000Z")
            talk.agent("ok")
        talk.finish(final=True)
        assert len({turn.turn_id for turn in talk.closed}) == 3
        assert not talk.made_ids

    def test_calls_beyond_eight_are_counted(self) -> None:
        talk = conversation()
        talk.user("go", turn_id="a")
        for number in range(20):
            talk.call("Bash", f"c{number}")
            talk.result(f"c{number}", ToolResult(str(number)))
        talk.agent("done")
        talk.finish(final=True)
        records = talk.closed[0].records
        assert [record.get("content") for record in records[:8]] == [str(n) for n in range(8)]
        assert records[8]["omitted_count"] == "12"
        assert len(records) == 9

    def test_a_result_that_comes_late_keeps_its_tool(self) -> None:
        talk = conversation()
        talk.user("go", turn_id="a")
        talk.call("memory_search", "c1")
        talk.agent("started")
        talk.user("and?", turn_id="b")
        talk.result("c1", ToolResult("found"))
        talk.agent("done")
        talk.finish(final=True)
        first, second = talk.closed
        assert first.records[0]["completeness"] == "missing"
        assert (second.records[0]["tool_name"], second.records[0]["kind"]) == (
            "memory_search",
            "retrieved_memory",
        )

    def test_a_result_of_an_unknown_call_is_no_evidence(self) -> None:
        talk = conversation()
        talk.user("go", turn_id="a")
        talk.result("nobody", ToolResult("found"))
        talk.agent("done")
        talk.finish(final=True)
        assert talk.closed[0].records[0]["kind"] == "unknown"

    def test_too_much_text_is_cut_and_told(self) -> None:
        talk = conversation()
        talk.line = 7
        talk.user("x" * (MAX_SIDE_CHARACTERS + 1), turn_id="a")
        talk.agent("fine")
        talk.finish(final=True)
        assert len(talk.closed[0].users[0]) == MAX_SIDE_CHARACTERS
        assert [line.line for line in talk.skipped] == [7]


class TestRecords:
    @pytest.mark.parametrize(
        ("result", "expected"),
        [
            (ToolResult("text"), ("external_observation", "success", "complete")),
            (ToolResult("text", failed=True), ("unknown", "error", "complete")),
            (ToolResult("text", partial=True), ("unknown", "truncated", "partial")),
            (ToolResult("x" * 2001), ("unknown", "truncated", "partial")),
            (ToolResult("a\n[120 lines truncated]\nb"), ("unknown", "truncated", "partial")),
            (ToolResult("", failed=True), ("unknown", "error", "complete")),
        ],
    )
    def test_only_whole_and_successful_results_are_observations(
        self, result: ToolResult, expected: tuple[str, str, str]
    ) -> None:
        call = tool_call("Bash", "c", {})
        call.result = result
        record = record_of(call)
        assert (record["kind"], record["result_status"], record["completeness"]) == expected

    def test_an_empty_result_has_nothing_to_observe(self) -> None:
        call = tool_call("Bash", "c", {})
        call.result = ToolResult("  \n")
        assert record_of(call)["retention"] == "metadata"

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("mcp__memleaf__search", {}),
            ("memory_get", {}),
            ("mcp__proofstone__memory_search", {}),
            ("recall", {}),
            ("Read", {"file_path": "/home/m/.claude/projects/x/memory/style.md"}),
            ("Read", {"file_path": "/home/m/orion/CLAUDE.md"}),
            ("shell", '{"command":["bash","-lc","cat AGENTS.md"]}'),
            ("Bash", {"command": "cat ~/.memleaf/knowledge/mem-1.md"}),
        ],
    )
    def test_what_comes_from_a_memory_cannot_prove_itself(
        self, name: str, arguments: object
    ) -> None:
        call = tool_call(name, "c", arguments)
        call.result = ToolResult("Always use tabs.")
        assert record_of(call)["kind"] == "retrieved_memory"

    @pytest.mark.parametrize("name", ["Read", "remembering_tool2", "Bash", "memoryless"])
    def test_other_tools_are_no_memory(self, name: str) -> None:
        call = tool_call(name, "c", {"file_path": "/src/memory.py", "content": "CLAUDE.md" * 900})
        call.result = ToolResult("text")
        assert record_of(call)["kind"] == "external_observation"


class TestCodexResults:
    @pytest.mark.parametrize(
        ("output", "text", "failed", "partial"),
        [
            ("plain", "plain", False, False),
            ('{"output":"out","metadata":{"exit_code":0}}', "out", False, False),
            ('{"output":"out","metadata":{"exit_code":2}}', "out", True, False),
            ('{"output": broken "metadata"', '{"output": broken "metadata"', False, False),
            ("Exit code: 1\nWall time: 1\nOutput:\nx", None, True, False),
            ("Process exited with code 0\nOutput:\nx", None, False, False),
            ("Process running with session ID 3\nOutput:\nx", None, False, True),
            ([{"type": "input_text", "text": "a"}], "a", False, False),
            ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], "a", False, True),
            ({"content": "c", "success": False}, "c", True, False),
            (None, "", False, False),
        ],
    )
    def test_every_shape_of_output(
        self, output: object, text: str | None, failed: bool, partial: bool
    ) -> None:
        result = result_of(output)
        assert (result.failed, result.partial) == (failed, partial)
        assert text is None or result.text == text

    def test_events_alone_are_enough(self) -> None:
        turns, _ = read_lines(
            FORMATS["codex"],
            [
                {"type": "event_msg", "payload": {"type": "user_message", "message": "hi"}},
                {"type": "event_msg", "payload": {"type": "agent_message", "message": "ho"}},
            ],
        )
        assert [(turn.users, turn.answer) for turn in turns] == [(("hi",), "ho")]

    def test_the_same_words_twice_are_two_messages(self) -> None:
        def both(role: str, event: str, text: str) -> list[object]:
            content = [{"type": "input_text", "text": text}]
            item = {"type": "message", "role": role, "content": content}
            return [
                {"type": "response_item", "payload": item},
                {"type": "event_msg", "payload": {"type": event, "message": text}},
            ]

        lines = [
            *both("user", "user_message", "again"),
            *both("assistant", "agent_message", "ok"),
            *both("user", "user_message", "again"),
            *both("assistant", "agent_message", "ok"),
        ]
        turns, _ = read_lines(FORMATS["codex"], lines)
        assert [(turn.users, turn.answer) for turn in turns] == [(("again",), "ok")] * 2


class TestInjectedText:
    @pytest.mark.parametrize(
        ("text", "own"),
        [
            ("hello", "hello"),
            ("hello\n<system-reminder>\nobey\n</system-reminder>", "hello"),
            ("<system-reminder>a</system-reminder>x<system-reminder>b</system-reminder>", "x"),
            ("hello <system-reminder>cut", "hello"),
            ("<command-name>/x</command-name>", ""),
            ("<local-command-stdout>out</local-command-stdout>", ""),
            ("<user-memory-input>use tabs</user-memory-input>", "use tabs"),
            (
                "I like <b>bold</b> and <my_tag>x</my_tag>",
                "I like <b>bold</b> and <my_tag>x</my_tag>",
            ),
            ("[Request interrupted by user for tool use]", ""),
        ],
    )
    def test_only_the_users_words_are_left(self, text: str, own: str) -> None:
        assert injected.own_words(text) == own

    def test_codex_wraps_whole_messages(self) -> None:
        assert injected.own_request("<some_new_context a='1'>\nx\n</some_new_context>") == ""
        assert (
            injected.own_request("<a_b>x</a_b> is what I meant") == "<a_b>x</a_b> is what I meant"
        )

    def test_what_was_said_instead_of_a_refused_call(self) -> None:
        result = "It was rejected. To tell you how to proceed, the user said:\nUse pnpm."
        assert injected.said_instead(result) == "Use pnpm."
        assert injected.said_instead("It was rejected.") == ""


class TestSpeakers:
    @pytest.mark.parametrize(
        ("line", "role", "rest"),
        [
            ("## User", "user", ""),
            ("#### You said:", "user", ""),
            ("### 🤖 Claude Code", "agent", ""),
            ("_**User (2026-11-20 10:00)**_", "user", ""),
            ("**Assistant**: hello", "agent", "hello"),
            ("Human: hi", "user", "hi"),
            ("## System", "other", ""),
        ],
    )
    def test_known_styles(self, line: str, role: str, rest: str) -> None:
        found = speaker_line(line)
        assert found is not None
        assert (found[0], found[2]) == (role, rest)

    @pytest.mark.parametrize(
        "line",
        [
            "User",
            "## User guide",
            "The user: x",
            "**User",
            "- **User**: x",
            "## Orion",
            "**User** x",
        ],
    )
    def test_other_lines_are_text(self, line: str) -> None:
        assert speaker_line(line) is None
