"""Every oddity of a note that spec page 5 names, read without losing or guessing anything."""

from __future__ import annotations

import pytest

from proofstone.vault.frontmatter import Split, parse, split
from proofstone.vault.reading import MAX_NOTE_BYTES


def note(header: str, body: str = "\nThe statement.\n") -> bytes:
    return f"---\n{header}---\n{body}".encode()


@pytest.mark.parametrize(
    "data",
    [
        note('title: "x"\n'),
        b"\xef\xbb\xbf---\r\na: 1\r\n---\r\n\r\nbody\r\n",
        b"---\na: 1\n---",
        b"---\ra: 1\r---\rbody",
        b"---  \na: 1\n---\t\nbody without a last line end",
        b"---\n---\n",
    ],
)
def test_a_split_note_joins_to_the_same_bytes(data: bytes) -> None:
    parts = split(data)
    assert isinstance(parts, Split)
    assert parts.bom + parts.opening + parts.header + parts.closing + parts.body == data


def test_a_bom_crlf_and_a_missing_last_newline_are_read_through() -> None:
    read = parse(b"\xef\xbb\xbf---\r\ntitle: Tea\r\ntags:\r\n  - a\r\n---\r\n\r\nOne\r\ntwo")
    assert read.fields == {"title": "Tea", "tags": ["a"]}
    assert read.body == "One\ntwo"
    assert read.faults == ()


def test_words_dates_and_versions_stay_text_and_numbers_keep_what_was_written() -> None:
    read = parse(note("on: yes\na: no\nday: 2026-01-02\nversion: 1.10\nlist: [1.10, off, 007]\n"))
    assert read.fields["on"] == "yes"
    assert read.fields["a"] == "no"
    assert read.fields["day"] == "2026-01-02"
    assert read.as_text("version") == "1.10"
    assert read.as_text("list") == ["1.10", "off", "007"]


def test_core_scalars_are_typed() -> None:
    read = parse(note("a: true\nb: False\nc: null\nd: ~\ne:\nf: 0x1F\ng: 0o17\nh: 014\ni: 1e3\n"))
    assert read.fields == {
        "a": True, "b": False, "c": None, "d": None, "e": None, "f": 31, "g": 15, "h": 14,
        "i": 1000.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "line"),
    [
        ("globs: **/*", 3),
        ('name: "x" and more', 3),
        ("template: {{ value }}", 3),
        ("thing: !!python/object:os.system x", 3),
        ("alias: *nothing", 3),
        ("deep: " + "[" * 40 + "]" * 40, 3),
        ("nested:\n\ttab: 1", 4),
    ],
)
def test_one_key_at_fault_is_named_with_its_line_and_kept_as_raw_text(bad: str, line: int) -> None:
    read = parse(note(f'title: "Tea"\n{bad}\nlayer: L2\n'))
    key, _, raw = bad.partition(":")
    assert read.is_readable
    assert read.fields == {"title": "Tea", "layer": "L2"}
    assert [(fault.key, fault.line) for fault in read.faults] == [(key, line)]
    assert read.raw[key] == raw.strip()
    assert read.body == "The statement."


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (note("a: 1\nb: 2\na: 3\n"), 4, "second time"),
        (note("a: 1\n'a': 2\n"), 3, "second time"),
        (note("a: {x: 1, x: 2}\nb: {x: 1, x: 2}\n"), 2, "second time"),
        (note("<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n"), 2, "merge conflict"),
        (note("just words\n"), 2, "key: value"),
        (note("- a\n- b\n"), 2, "key: value"),
        (note("\ta: 1\n"), 2, "tab"),
        (b"no header\n", 1, "---"),
        (b"", 1, "---"),
        (b"---\na: 1\n", 1, "missing"),
        (b"---\na: \xff\n---\n", 2, "UTF-8"),
        (b"---\na: 1\n---\nx\n\0", 5, "NUL"),
        (b"---\na: 1\n---\n---\nb: 2\n---\nx\n", 4, "second block"),
    ],
)
def test_an_unreadable_note_says_why_and_where(data: bytes, line: int, word: str) -> None:
    read = parse(data)
    assert not read.is_readable
    fault = next(fault for fault in read.faults if not fault.key)
    assert fault.line == line
    assert word in fault.message


def test_a_duplicate_key_within_one_value_faults_that_key_only() -> None:
    read = parse(note("good: 1\nbad: {x: 1, x: 2}\n"))
    assert read.is_readable
    assert [fault.key for fault in read.faults] == ["bad"]


def test_small_aliases_are_followed_and_exploding_ones_condemn_the_note() -> None:
    assert parse(note("a: &x [p, q]\nb: [*x, *x]\n")).fields["b"] == [["p", "q"], ["p", "q"]]
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    read = parse(note("\n".join(rows) + "\n"))
    assert not read.is_readable
    assert "unfold" in read.faults[0].message


def test_a_body_that_looks_like_a_header_or_a_conflict_is_shown_and_flagged() -> None:
    quoted = parse(note("a: 1\n", "\n---\nb: 2\n---\nx\n"))
    assert quoted.is_readable
    assert [(fault.key, fault.line) for fault in quoted.faults] == [("body", 5)]
    conflict = parse(note("a: 1\n", "\nx\n<<<<<<< a\ny\n=======\nz\n>>>>>>> b\n"))
    assert conflict.is_readable
    assert [(fault.key, fault.line) for fault in conflict.faults] == [("body", 6)]
    assert parse(note("a: 1\n", "\nA rule:\n\n---\n\nand ======= signs\n")).faults == ()


def test_long_lines_and_large_notes_are_read_and_larger_ones_refused() -> None:
    line = "word " * 20_000
    assert parse(note(f"title: {line}\n")).fields["title"] == line.strip()
    large = note('title: "x"\n', "\n" + "a line of text\n" * 340_000)
    assert len(large) > 5_000_000
    assert parse(large).faults == ()
    assert not parse(b"---\na: 1\n---\n" + b"x" * MAX_NOTE_BYTES).is_readable


def test_many_unfinished_conflict_marks_do_not_slow_the_reader() -> None:
    body = "<<<<<<< a\n" * 100_000
    assert parse(note("a: 1\n", f"\n{body}")).faults == ()


def test_only_one_blank_line_and_one_line_end_belong_to_the_frame() -> None:
    assert parse(note("a: 1\n", "\n\n  two\n\n\n")).body == "\n  two\n\n"
    assert parse(note("a: 1\n", "no blank line\n")).body == "no blank line"


def test_a_block_text_and_comments_are_read() -> None:
    read = parse(note("# top\na: |\n  one\n   two\n\n# between\nb: x # after\n"))
    assert read.fields == {"a": "one\n two\n", "b": "x"}
    assert read.lines == {"a": 3, "b": 8}
