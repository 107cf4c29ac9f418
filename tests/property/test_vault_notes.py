"""Notes under random input: reading never raises, writing round-trips, edits touch no more."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st
from memleaf.frontmatter import parse_frontmatter

from proofstone.vault.frontmatter import parse
from proofstone.vault.note_writer import NoteEditError, edit_note, new_note
from proofstone.vault.plain_header import read_plain
from proofstone.vault.yaml_header import read_yaml

keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,12}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
odd_texts = texts | st.sampled_from(
    ["yes", "no", "1.10", "null", "~", "# x", "a: b", "'", '"', "[x]", "{y}", "---", "\u2028",
     "\x85", "\ufeff", "\x7f", "- a", "&a", "*b", "!c", "|", ">", "%d", "@e", "`", "é中😀", "\t",
     "\r\n", ""]
)  # fmt: skip
scalars = (
    odd_texts
    | st.integers()
    | st.booleans()
    | st.none()
    | st.floats(allow_nan=False, allow_infinity=False)
)
maps = st.dictionaries(keys, scalars, min_size=1, max_size=4)
values = scalars | st.lists(scalars, max_size=4) | maps | st.lists(maps, min_size=1, max_size=3)
headers = st.dictionaries(keys, values, max_size=8)
bodies = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=80)

# Lines as people and programs write them, well and badly.
lines = st.sampled_from(
    ["a: 1", "b: 1.10", "c: 'x'", 'd: "y"', 'e: "y" z', "f: [1, x, yes]", "g: [", "h: {{ x }}",
     "i: **/*", "j:", "  - x", "  - k: 1", "    l: 2", "  m: n", "- o", "p: |", "  text", "", "# c",
     "q: 2026-01-01", "r: x # c", "s: &a 1", "t: *a", "u: !!str 5", "v: !x y", "a: 2", "\tw: 1",
     "x: \t1", "? y", "z: a: b", "  ", "aa: -1", "ab: - 1", "ac: ~", "ad: .5", "ae: 'it''s'",
     "af: x:y", "ag: [a,b]", 'ah: ["a","b", 1]', "ai: [a, ]", "aj: 1_000", "ak: 0x1f", "al: true ",
     "am: [a: b]", "an: [[1]]", "ao: <<", "<<: x", "ap: =", "aq: +1", "ar: é", "as: 😀", "\u2028"]
)  # fmt: skip


def plain(value: object) -> object:
    """Values by type and exact form, so that 1, 1.0 and True differ."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and math.isnan(value):
        return "float", "nan"
    return type(value).__name__, value


@given(st.binary(max_size=300) | st.lists(lines).map(lambda rows: "\n".join(rows).encode()))
def test_any_bytes_are_read_or_named_unreadable(data: bytes) -> None:
    for candidate in (data, b"---\n" + data, b"---\n" + data + b"\n---\nbody"):
        read = parse(candidate)
        assert read.is_readable or not read.fields


@settings(max_examples=400)
@given(st.lists(lines, max_size=8))
def test_the_quick_reader_agrees_with_the_yaml_reader(rows: list[str]) -> None:
    text = "".join(f"{row}\n" for row in rows)
    quick = read_plain(text)
    if quick is not None:
        full = read_yaml(text)
        assert full.faults == ()
        assert plain(quick.fields) == plain(full.fields)
        assert quick.lines == full.lines
        assert quick.raw.keys() == full.raw.keys()


@given(headers, bodies)
def test_a_new_note_is_read_back_as_written(fields: dict[str, object], body: str) -> None:
    read = parse(new_note(fields, body))
    assert {fault.key for fault in read.faults} <= {"body"}
    assert plain(read.fields) == plain(fields)
    assert read.body == body


@given(headers, bodies)
def test_the_quick_reader_takes_every_note_that_we_write(
    fields: dict[str, object], body: str
) -> None:
    header = new_note(fields, "").decode().removeprefix("---\n").removesuffix("---\n")
    quick = read_plain(header)
    assert quick is not None
    assert plain(quick.fields) == plain(fields)
    assert plain(read_yaml(header).fields) == plain(fields)


@given(headers, st.text(st.characters(categories=["L", "N", "Zs", "P"]), max_size=60))
def test_memleaf_reads_every_note_that_we_write(fields: dict[str, object], body: str) -> None:
    metadata, text = parse_frontmatter(new_note(fields, body).decode())
    assert plain(metadata) == plain(fields)
    assert text == body


notes = st.builds(
    lambda fields, body, crlf, bom, end: _dressed(new_note(fields, body), crlf, bom, end),
    headers,
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


def _dressed(data: bytes, crlf: bool, bom: bool, end: bool) -> bytes:
    if crlf:
        data = data.replace(b"\n", b"\r\n")
    if not end:
        data = data.rstrip(b"\r\n")
    return (b"\xef\xbb\xbf" if bom else b"") + data


@given(notes)
def test_an_edit_of_nothing_is_the_same_bytes(data: bytes) -> None:
    read = parse(data)
    assert edit_note(data, {}) == data
    assert edit_note(data, dict(read.fields), ("absent",), read.body) == data


@given(notes, keys, values)
def test_setting_a_key_changes_its_lines_and_no_others(
    data: bytes, key: str, value: object
) -> None:
    edited = edit_note(data, {key: value})
    before, after = parse(data), parse(edited)
    assert plain(after.fields) == plain({**before.fields, key: value})
    assert after.body == before.body
    assert _other_lines(edited, key) == _other_lines(data, key)


@given(notes, st.data())
def test_removing_a_key_removes_its_lines_and_no_others(data: bytes, draw: st.DataObject) -> None:
    fields = parse(data).fields
    key = draw.draw(st.sampled_from(sorted(fields) or ["absent"]))
    edited = edit_note(data, {}, (key,))
    assert plain(parse(edited).fields) == plain({k: v for k, v in fields.items() if k != key})
    assert _other_lines(edited, key) == _other_lines(data, key)


@given(notes, st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_a_new_body_leaves_the_header_alone(data: bytes, body: str) -> None:
    edited = edit_note(data, {}, (), body)
    assert parse(edited).body == body
    end = data.index(b"---", data.index(b"---") + 3)
    assert edited.startswith(data[:end])


@settings(max_examples=300)
@given(st.lists(lines, min_size=1, max_size=8), st.sampled_from(["a", "j", "p", "new"]), scalars)
def test_odd_notes_are_edited_exactly_or_not_at_all(
    rows: list[str], key: str, value: object
) -> None:
    data = ("---\n" + "".join(f"{row}\n" for row in rows) + "---\n\nbody\n").encode()
    before = parse(data)
    try:
        edited = edit_note(data, {key: value})
    except NoteEditError:
        return
    after = parse(edited)
    assert plain(after.fields) == plain({**before.fields, key: value})
    kept = [line for line in data.splitlines() if line and line not in edited.splitlines()]
    # Whatever stands between the lines of a value that cannot be read goes with that value.
    faulty = key in {fault.key for fault in before.faults}
    unread = before.raw[key].encode().splitlines() if faulty else []
    own = (f"{key}:".encode(), b" ", b"- ", b"\t")
    assert all(line.startswith(own) or line in unread for line in kept)


def _other_lines(data: bytes, key: str) -> list[bytes]:
    """The lines of a note without those of ``key``."""
    kept, own, header = [], False, 0
    for line in data.split(b"\n"):
        if line.strip(b"\xef\xbb\xbf\r") == b"---" and header < 2:
            header += 1
            own = False
        elif header == 1 and not line.startswith(b" "):
            own = line.startswith(key.encode() + b":")
        if not own:
            kept.append(line)
    return kept
