"""The evidence inventory by example (spec page 2, Inventory); the vectors hold many more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.evidence_unit import EvidenceUnit, Origin, Partition
from proofstone.domain.inventory import NO_BODY_TEXT, inventory, inventory_digest

WHOLE = Observation(
    tool_name="tracker.get",
    call_id="c-1",
    kind="external_observation",
    result_status="success",
    content="OPS-41 is open.",
)


def user(text: str, key: str = "evt-1") -> Event:
    return Event(event_key=key, role=Role.USER, content=text)


def observed(*observations: Observation, key: str = "evt-1") -> Event:
    return Event(event_key=key, role=Role.ASSISTANT, content="", observations=observations)


def units(text: str) -> tuple[EvidenceUnit, ...]:
    return inventory([user(text)])


def texts(text: str) -> list[str]:
    return [unit.text for unit in units(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\n", []),
        (
            "One. Two! Three? 四。五！六？七；八; nine",
            ["One.", "Two!", "Three?", "四。", "五！", "六？", "七；", "八;", "nine"],
        ),
        ("a,b， c", ["a", "b", "c"]),
        ("1,250 but 1, 250 and 1,x and x,1", ["1,250 but 1", "250 and 1", "x and x", "1"]),
        ("1，000 and ١,٢", ["1，000 and ١", "٢"]),
        (",,, ,a,,", ["a"]),
        ("v1.2 e.g. this.. Dr. Who", ["v1.2 e.g.", "this.. Dr.", "Who"]),
        ("é. not a break", ["é. not a break"]),
        ("ends.\nnext", ["ends.", "next"]),
        ("?!;", ["?", "!", ";"]),
        (
            "- one\n* two\n• three\n4. four\n5) five\n6、 six",
            ["one", "two", "three", "four", "five", "six"],
        ),
        ("-none\n- \n1.none", ["-none", "-", "1.none"]),
        ("```py\ncode\n~~~\nafter", ["code", "after"]),
        ("a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i\rj\r\nk", list("abcdefghijk")),
        ("a\x1fb", ["a\x1fb"]),
        ("\u200bkept\u200b", ["\u200bkept\u200b"]),
    ],
)
def test_where_a_text_breaks(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_offsets_are_code_points_of_the_exact_clause() -> None:
    text = "  🙂 one,  two\r\n> 👩‍🚀 three.  four"
    assert [(unit.start, unit.end) for unit in units(text)] == [
        (2, 7),
        (10, 13),
        (15, 27),
        (29, 33),
    ]
    assert all(text[unit.start : unit.end] == unit.text for unit in units(text))


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("1. 1\n2. 2", [0, 5]),
        ("```a\na\nb\n```", [3, 7]),
        ("- x -\n- - -", [2, 6]),
    ],
)
def test_a_clause_is_found_where_its_characters_stand_first(text: str, starts: list[int]) -> None:
    assert [unit.start for unit in units(text)] == starts


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("# Orion: releases", ("Orion",)),
        ("###### Deep：x", ("Deep",)),
        ("####### seven", ()),
        ("#tag", ()),
        ("1. Goals: ship", ("Goals",)),
        ("٣、Risks：none", ("Risks",)),
        ("1. Goals; and: more", ()),
        ("1. no colon", ()),
        ("1.: x", ()),
        ("1. : x", ("",)),
        ("1.: x: y", ("",)),
        ("2) " + "y" * 100 + ":", ("y" * 100,)),
        ("2) " + "y" * 101 + ":", ()),
        ("2)" + "y" * 101 + ":", ()),
        ("> # quoted", ()),
    ],
)
def test_headings_give_the_section_of_themselves_and_what_follows(
    line: str, section: tuple[str, ...]
) -> None:
    assert units(f"before\n{line}\nafter")[-1].section_path == section
    assert units(f"before\n{line}\nafter")[0].section_path == ()
    assert units(line)[-1].section_path == section


def test_a_fence_quotes_what_it_holds_and_headings_leak_out_of_it() -> None:
    in_code, after = units("```\n# note\n```\nOrion ships.")
    assert (in_code.syntax, in_code.origin) == ("quoted", Origin.USER_DOCUMENT)
    assert (after.syntax, after.origin) == ("plain", Origin.USER_ASSERTION)
    assert after.section_path == ("note",)


@pytest.mark.parametrize(
    ("clause", "origin"),
    [
        ("Orion ships", Origin.USER_ASSERTION),
        ("> Orion ships", Origin.USER_DOCUMENT),
        ("> an example", Origin.QUOTED_OR_EXAMPLE),
        ("For EXAMPLE this", Origin.QUOTED_OR_EXAMPLE),
        ("two examples", Origin.USER_ASSERTION),
        ("counterexample", Origin.USER_ASSERTION),
        ("the counterexample and an example", Origin.QUOTED_OR_EXAMPLE),
        ("a test fixture", Origin.QUOTED_OR_EXAMPLE),
        ("仅供内部参考示例", Origin.QUOTED_OR_EXAMPLE),
        ("请举个例子", Origin.QUOTED_OR_EXAMPLE),
        ("不要把这条记住", Origin.QUOTED_OR_EXAMPLE),
        ("不要忘了", Origin.USER_ASSERTION),
        ("Ready?", Origin.USER_QUERY),
        ("I know how it works", Origin.USER_QUERY),
        ("somehow it shows", Origin.USER_ASSERTION),
        ("Show me the plan", Origin.USER_QUERY),
        ("Shows up", Origin.USER_ASSERTION),
        ("please\tLIST it", Origin.USER_QUERY),
        ("I list it", Origin.USER_ASSERTION),
        ("ſhow me", Origin.USER_QUERY),
        ("lİst it", Origin.USER_QUERY),
        ("chec\u212a it", Origin.USER_QUERY),
        ("麻烦你帮我 查询", Origin.USER_QUERY),
        ("请what", Origin.USER_QUERY),
        ("说what", Origin.USER_ASSERTION),
        ("把清单发我", Origin.USER_QUERY),
        ("把清单丢掉", Origin.USER_ASSERTION),
        ("是周一吗。", Origin.USER_QUERY),
        ("吗啡", Origin.USER_ASSERTION),
    ],
)
def test_the_origin_of_user_text_is_a_hint_on_its_syntax(clause: str, origin: Origin) -> None:
    assert [unit.origin for unit in units(clause)] == [origin]
    assert [unit.origin for unit in units(f"Plain.\n{clause}\nPlain.")] == [
        Origin.USER_ASSERTION,
        origin,
        Origin.USER_ASSERTION,
    ]


def test_wording_in_a_fence_line_does_not_decide_for_the_clause_found_in_it() -> None:
    assert [unit.origin for unit in units("```怎么\n么")] == [Origin.USER_DOCUMENT]
    assert [unit.origin for unit in units("~~~xwhat\n~~~\nwhat")] == [Origin.USER_QUERY]


def test_assistant_text_is_never_more_than_synthesis() -> None:
    (unit,) = inventory([Event(event_key="e", role=Role.ASSISTANT, content="For example, ?")])[:1]
    assert (unit.origin, unit.source_role) == (Origin.ASSISTANT_SYNTHESIS, "assistant")
    assert unit.partition is Partition.CONTEXT


@pytest.mark.parametrize(
    ("change", "origin", "partition"),
    [
        ({}, Origin.EXTERNAL_OBSERVATION, Partition.PHYSICAL),
        ({"completeness": "complete"}, Origin.EXTERNAL_OBSERVATION, Partition.PHYSICAL),
        ({"kind": "retrieved_memory"}, Origin.RETRIEVED_MEMORY, Partition.CONTEXT),
        ({"kind": ""}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"tool_name": ""}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"call_id": ""}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"result_status": ""}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"result_status": "error"}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"execution_status": "error"}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"completeness": "partial"}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"content": None}, Origin.UNKNOWN, Partition.UNRESOLVED),
        ({"content": " \n", "kind": "retrieved_memory"}, Origin.UNKNOWN, Partition.UNRESOLVED),
    ],
)
def test_only_a_whole_result_of_a_named_call_may_be_cited(
    change: dict[str, str | None], origin: Origin, partition: Partition
) -> None:
    (unit,) = inventory([observed(replace(WHOLE, **change))])
    assert (unit.source_role, unit.origin, unit.partition) == ("external", origin, partition)


def test_a_record_without_a_body_makes_one_unit_with_the_fixed_text() -> None:
    (unit,) = inventory([observed(Observation(tool_name="t", call_id="c", message_id="m-1"))])
    assert (unit.text, unit.start, unit.end) == (NO_BODY_TEXT, 0, len(NO_BODY_TEXT))
    assert (unit.tool_name, unit.call_id, unit.record_id) == ("t", "c", "m-1")


def test_a_metadata_record_makes_no_unit() -> None:
    assert inventory([observed(replace(WHOLE, retention="metadata"))]) == ()


def test_repeats_are_dropped_and_the_first_stays() -> None:
    again = replace(WHOLE, kind="retrieved_memory")
    other = replace(WHOLE, call_id="c-2")
    first, second = inventory([observed(WHOLE, again), observed(other)])
    assert (first.call_id, first.origin) == ("c-1", Origin.EXTERNAL_OBSERVATION)
    assert second.call_id == "c-2"


def test_a_lone_surrogate_does_not_stop_the_inventory() -> None:
    (unit,) = units("broken \ud800 text")
    assert unit.text == "broken \ud800 text"
    assert len(inventory_digest([unit])) == 64


def test_the_digest_tells_changed_text_from_the_same() -> None:
    before = inventory_digest(units("Orion ships on Tuesdays."))
    assert before == inventory_digest(units("Orion ships on Tuesdays."))
    assert before != inventory_digest(units("Orion ships on Fridays."))
    assert before != inventory_digest(units("> Orion ships on Tuesdays."))
    assert before != inventory_digest(())


class SearchedText(str):
    """A text that counts the characters that searches in it look at."""

    looked_at = 0

    def find(self, sub: str, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        found = super().find(sub, start)
        self.looked_at += (found if found >= 0 else len(self)) - start + len(sub)
        return found


@pytest.mark.parametrize("line", ["1. 1\n", "- - -\n", "```a\na\n", "- x\n", "x, y. z\n"])
def test_finding_clauses_looks_at_each_character_a_few_times_at_most(line: str) -> None:
    text = SearchedText(line * 5_000)
    event = Event(event_key="e", role=Role.ASSISTANT, content=text)
    assert inventory([event])
    assert text.looked_at <= 3 * len(text)


@pytest.mark.parametrize(
    ("piece", "per_piece"),
    [
        *((piece, 0) for piece in (",", " ", "\n", "1,", "# ", "1.", "- ", "> ", "```\n~~~\n")),
        *((piece, 0) for piece in ("吗 ", "麻烦 ", "请", "把", "不要", "举个", "仅供", "🙂")),
        *((piece, 0) for piece in ("what ", "what", "please ", "list\t", "1:")),
        *((piece, 1) for piece in ("a. ", "1. ", "。", "!", "\n吗", "\n1. 1", "\n# a")),
    ],
)
def test_no_text_makes_the_patterns_go_back_again_and_again(piece: str, per_piece: int) -> None:
    # With time quadratic in the text, each of these would run for many minutes.
    times = 50_000
    found = units("1." + piece * times + "x")
    assert per_piece * times <= len(found) <= per_piece * times + 2
