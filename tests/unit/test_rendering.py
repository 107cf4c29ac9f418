"""Which memories are rendered, in which order, and what the block says of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from proofstone.domain import managed_block, rendered_text, rendered_topics, rendering
from proofstone.domain.records import Layer, Memory, Ratification, Standing
from proofstone.domain.rendering import Chosen

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
RATIFIED = Ratification(by="Mira Tal", at="2026-11-20T09:00:00Z", ruling="rul-1")


def memory(memory_id: str, statement: str = "", **keys: object) -> Memory:
    base = Memory(
        memory_id=memory_id, statement=statement or f"Statement {memory_id}.", ratified=RATIFIED
    )
    return replace(base, title=f"Title {memory_id}", **keys)  # type: ignore[arg-type]


def reasons(*memories: Memory, **choices: object) -> dict[str, str]:
    _, omitted = rendering.choose(memories, now=NOW, **choices)  # type: ignore[arg-type]
    return {one.memory_id: one.reason for one in omitted}


def test_only_ratified_memories_in_force_are_rendered() -> None:
    left_out = reasons(
        memory("good"),
        memory("unreviewed", ratified=None),
        memory("contested", standing=Standing.CONTESTED),
        memory("deprecated", standing=Standing.DEPRECATED),
        memory("superseded", standing=Standing.SUPERSEDED),
        memory("expired", valid_to="2026-11-27T08:59:59Z"),
        memory("expired_by_date", valid_to="2026-11-26"),
        memory("still_today", valid_to="2026-11-27"),
        memory("future", valid_from="2026-12-01T00:00:00Z"),
        memory("buried"),
        memory("secret"),
        memory("blank", "  "),
        tombstoned={"buried"},
        refused={"secret": "holds a secret (password)"},
    )
    assert left_out == {
        "unreviewed": "unreviewed",
        "contested": "contested",
        "deprecated": "deprecated",
        "superseded": "superseded",
        "expired": "expired",
        "expired_by_date": "expired",
        "future": "not valid before 2026-12-01T00:00:00Z",
        "buried": "tombstoned",
        "secret": "holds a secret (password)",
        "blank": "no words",
    }


def test_what_is_asked_for_is_marked_instead_of_left_out() -> None:
    chosen, omitted = rendering.choose(
        [
            memory("c", standing=Standing.CONTESTED),
            memory("e", valid_to="2026-01-01"),
            memory("u", ratified=None, standing=Standing.CONTESTED),
        ],
        now=NOW,
        marked=("contested", "expired"),
    )
    assert [(one.memory.memory_id, one.mark) for one in chosen] == [
        ("c", "contested"),
        ("e", "expired"),
    ]
    assert [one.memory_id for one in omitted] == ["u"]
    assert "- (contested) **Title c**: Statement c." in rendering.block(chosen).text


def test_order_is_layer_then_scope_then_title_whatever_the_input_order() -> None:
    memories = [
        memory("5", scopes=("project:orion",)),
        memory("4", scopes=("project:atlas",)),
        memory("3", scopes=("domain:release",)),
        memory("2"),
        memory("1", layer=Layer.L1, scopes=("project:orion",)),
    ]
    forward, _ = rendering.choose(memories, now=NOW)
    backward, _ = rendering.choose(reversed(memories), now=NOW)
    assert [one.memory.memory_id for one in forward] == ["1", "2", "3", "4", "5"]
    assert rendering.block(forward) == rendering.block(backward)
    headings = [
        line for line in rendering.block(forward).text.split("\n") if line.startswith("### ")
    ]
    assert headings == [
        "### Identity (L1), project:orion",
        "### Playbook (L2), global",
        "### Playbook (L2), domain:release",
        "### Playbook (L2), project:atlas",
        "### Playbook (L2), project:orion",
    ]


def test_scopes_narrow_without_being_counted_as_left_out() -> None:
    chosen, omitted = rendering.choose(
        [memory("a"), memory("b", scopes=("project:orion",)), memory("c", scopes=("project:x",))],
        now=NOW,
        scopes=("global", "project:orion"),
    )
    assert [one.memory.memory_id for one in chosen] == ["a", "b"]
    assert omitted == ()


def test_an_item_has_its_conditions_and_no_title_that_repeats_it() -> None:
    one = Chosen(
        replace(
            memory("a", "Use pnpm, never npm.\nIt is pinned in package.json."),
            title="Use pnpm, never npm",
            applies_when=("working on Orion",),
            does_not_apply_when=("on CI",),
            known_exceptions=("the docs site", "old branches"),
        )
    )
    assert rendering.block([one]).text.split("\n")[8:-1] == [
        "- Use pnpm, never npm.",
        "  It is pinned in package.json.",
        "  - Applies when: working on Orion",
        "  - Does not apply when: on CI",
        "  - Except: the docs site; old branches",
    ]


def test_a_statement_that_begins_with_code_stands_below_its_title() -> None:
    block = rendering.block([Chosen(memory("a", "```sh\nmake\n```"))]).text
    assert "- **Title a**\n  ```sh\n  make\n  ```" in block


def test_an_empty_block_says_so() -> None:
    assert "Nothing is ratified yet." in rendering.block([]).text


def test_a_budget_that_holds_no_frame_is_refused() -> None:
    with pytest.raises(rendering.BudgetTooSmallError, match="budget of 10 bytes"):
        rendering.block([Chosen(memory("a"))], 10)


def test_a_long_statement_makes_room_for_a_shorter_one_after_it() -> None:
    chosen, _ = rendering.choose([memory("a", "long " * 200), memory("b")], now=NOW)
    block = rendering.block(chosen, 500)
    assert [one.memory.memory_id for one in block.rendered] == ["b"]
    assert [(one.memory_id, one.reason) for one in block.omitted] == [
        ("a", "does not fit into 500 bytes")
    ]


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("# not a heading", [r"\# not a heading"]),
        ("#hashtag", ["#hashtag"]),
        ("a\n===", ["a", r"\==="]),
        ("a\n-", ["a", r"\-"]),
        ("> said", [r"\> said"]),
        ("- # nested", [r"- \# nested"]),
        ("<script>alert(1)</script>", [r"\<script>alert(1)</script>"]),
        ("a < b and c <-- d", ["a < b and c <-- d"]),
        ("see <!-- x --> y", ["see &lt;!-- x --&gt; y"]),
        ("List<int> stays", ["List<int> stays"]),
        ("@~/.ssh/id_rsa", [r"\@~/.ssh/id_rsa"]),
        ("mail rosa@harbor.example", ["mail rosa@harbor.example"]),
        ("```py\n@property\n# comment\n```", ["```py", "@property", "# comment", "```"]),
        ("```\nopen", ["```", "open", "```"]),
        ("\u202eright to left", ["‹RLO›right to left"]),
        ("zero\u200bwidth", ["zero‹ZWSP›width"]),
        ("نمی\u200cخواهم", ["نمی\u200cخواهم"]),
        ("👩\u200d🚀", ["👩\u200d🚀"]),
        ("hid\u200d\u200cden", ["hid‹ZWJ›‹ZWNJ›den"]),
        ("a\r\nb", ["a", "b"]),
        ("\n\n", ["(no words)"]),
    ],
)
def test_statements_become_harmless_lines(statement: str, lines: list[str]) -> None:
    assert rendered_text.statement_lines(statement) == lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{managed_block.BEGIN}\nx\n", "begin in line 1"),
        (f"x\n{managed_block.END}\n", "end in line 2"),
        (f"{managed_block.END}\n{managed_block.BEGIN}\n", "exactly one block"),
        (
            f"{managed_block.BEGIN}\n{managed_block.END}\n" * 2,
            "begin in line 1, end in line 2, begin in line 3, end in line 4",
        ),
        (f"words {managed_block.BEGIN}\n{managed_block.END}\n", "line 1: a proofstone marker"),
        ("a\n<!-- proofstone:begin\n", "line 2: a proofstone marker is cut short"),
    ],
)
def test_damaged_markers_are_refused(text: str, says: str) -> None:
    with pytest.raises(managed_block.DamagedMarkersError, match=says):
        managed_block.splice(text, "new")


def test_a_block_takes_the_line_ends_of_its_file_and_a_blank_line_before_it() -> None:
    assert managed_block.splice("# Mine\r\n", "a\nb") == "# Mine\r\n\r\na\r\nb\r\n"
    assert managed_block.splice("# Mine", "a") == "# Mine\n\na\n"
    assert managed_block.splice("# Mine\n\n", "a") == "# Mine\n\na\n"
    assert managed_block.splice("", "a") == "a\n"


def test_a_block_may_be_indented_and_annotated() -> None:
    text = "x\n  <!-- proofstone:begin (kept by us) -->\nold\n  <!-- proofstone:end -->\ny"
    assert managed_block.splice(text, "new") == "x\n  new\ny"


def test_topic_files_say_what_they_hold() -> None:
    one = Chosen(memory("mem-1", "Prefer small commits.", rule_type="preference"))
    assert rendered_topics.topic(one) == (
        '---\nname: "Title mem-1"\ndescription: "Prefer small commits."\ntype: feedback\n'
        'proofstone: "mem-1"\n---\n\n<!-- proofstone:begin -->\nPrefer small commits.\n'
        "<!-- proofstone:end -->\n"
    )
    assert rendered_topics.index_line(one) == (
        "- [Title mem-1](proofstone-mem-1.md) — Prefer small commits."
    )


@pytest.mark.parametrize("memory_id", ["../../etc/passwd", "a b", "", "x" * 200, "名"])
def test_topic_file_names_are_plain_whatever_the_id(memory_id: str) -> None:
    name = rendered_topics.file_name(memory_id)
    assert name.startswith("proofstone-")
    assert name.isascii()
    assert "/" not in name
    assert ".." not in name
    assert len(name) < 100


def test_index_links_cannot_be_broken_by_a_title() -> None:
    one = Chosen(replace(memory("mem-1"), title="a](http://evil) [b\nc"))
    assert rendered_topics.index_line(one).startswith(
        r"- [a\](http://evil) \[b c](proofstone-mem-1.md)"
    )


def test_a_refreshed_topic_keeps_what_others_added() -> None:
    text = rendered_topics.topic(Chosen(memory("mem-1", "Old words.")))
    text = text.replace("---\n\n", "originSessionId: s-1\n---\n\nA note by hand.\n\n", 1)
    new = rendered_topics.refreshed(text, Chosen(memory("mem-1", "New words.")))
    assert "originSessionId: s-1\n" in new
    assert "A note by hand.\n" in new
    assert "New words." in new
    assert "Old words." not in new
    gone = rendered_topics.retired(new)
    assert gone is not None
    assert "A note by hand." in gone
    assert "New words." not in gone
    assert "Title mem-1" not in gone
