"""Writing notes: a new one in the subset that memleaf reads, an old one changed and no more.

``edit_note`` replaces, adds or removes exactly the keys asked for; every other byte of the note
stays: order, comments, quoting, line ends, unknown keys (spec page 5, Notes).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import Value
from proofstone.vault.frontmatter import NoteText, Split, body_text, parse, split
from proofstone.vault.header import Fault, Header, Span
from proofstone.vault.reading import MAX_NOTE_BYTES
from proofstone.vault.yaml_header import KEY_LINE, read_yaml

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# JSON lets these stand in a string; YAML or memleaf would break a line at them or refuse them.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")


class NoteValueError(ProofstoneError):
    """A key, value or body that a note cannot hold."""


class NoteEditError(ProofstoneError):
    """A note that cannot be changed without touching more than was asked."""


def new_note(fields: Mapping[str, Value], body: str) -> bytes:
    """A note's bytes: one key per line, strings as JSON, and the body as it is.

    Raises NoteValueError for what a note cannot hold: an odd key, a NUL, half a character, a
    number that is not finite, an empty map.
    """
    text = f"---\n{header_lines(fields)}---\n"
    if body:
        text += f"\n{body}\n"
    return _encoded(text)


def header_lines(fields: Mapping[str, Value]) -> str:
    """The lines of a header, without the two ``---``. Raises NoteValueError."""
    return "".join(_lines(key, value, "\n") for key, value in fields.items())


def edit_note(
    original: bytes,
    set: Mapping[str, Value],
    unset: Sequence[str] = (),
    body: str | None = None,
) -> bytes:
    """``original`` with the keys in ``set`` set, those in ``unset`` removed, and a new body.

    A key that already has the value, a missing key to remove and an equal body change nothing.
    Raises NoteEditError when the note is unreadable, or when its form (a header as one flow map,
    an anchor used by other keys) does not let the change be made alone.
    """
    parts = split(original)
    note = parse(original)
    if isinstance(parts, Fault) or not note.is_readable:
        reason = next(fault for fault in note.faults if not fault.key)
        raise NoteEditError(f"an unreadable note is not changed: {reason.message}")
    header = parts.header.decode("utf-8")
    edited = _edited_header(header, note, set, unset, parts.newline)
    new_body = _edited_body(parts, body, body_text(parts))
    closing = parts.closing
    if new_body and not closing.endswith((b"\n", b"\r")):
        closing += parts.newline.encode("ascii")
    data = parts.bom + parts.opening + _encoded(edited) + closing + new_body
    _verify(data, note, set, unset, body)
    return data


def _lines(key: str, value: Value, newline: str) -> str:
    if not _KEY.fullmatch(key):
        raise NoteValueError(f"a note cannot have the key {key[:80]!r}")
    inline = _inline(key, value)
    if inline is not None:
        return f"{key}: {inline}{newline}"
    return f"{key}:{newline}{_block(key, value, newline)}"


def _inline(key: str, value: Value) -> str | None:
    """The value on the key's own line, or None when it needs lines of its own."""
    if isinstance(value, Mapping):
        return None
    if isinstance(value, (tuple, list)):
        if value and any(isinstance(item, Mapping) for item in value):
            return None
        return f"[{', '.join(_scalar(key, item) for item in value)}]"
    return _scalar(key, value)


def _block(key: str, value: Value, newline: str) -> str:
    if isinstance(value, Mapping):
        return "".join(f"  {line}{newline}" for line in _pairs(key, value))
    lines: list[str] = []
    for item in value if isinstance(value, (tuple, list)) else ():
        if not isinstance(item, Mapping):
            raise NoteValueError(f"{key} mixes maps with single values")
        for index, line in enumerate(_pairs(key, item)):
            lines.append(("    " if index else "  - ") + line + newline)
    return "".join(lines)


def _pairs(key: str, mapping: Mapping[str, object]) -> list[str]:
    if not mapping:
        raise NoteValueError(f"{key} holds an empty map, which a note cannot say")
    for name in mapping:
        if not _KEY.fullmatch(name):
            raise NoteValueError(f"{key} cannot hold the key {name[:80]!r}")
    return [f"{name}: {_scalar(f'{key}.{name}', value)}" for name, value in mapping.items()]


def _scalar(key: str, value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            if not math.isfinite(value):
                raise NoteValueError(f"{key} is not a finite number")
            return repr(float(value))
        case str():
            text = json.dumps(str(value), ensure_ascii=False)
            return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    raise NoteValueError(f"{key} holds a {type(value).__name__}, which a note cannot say")


def _encoded(text: str) -> bytes:
    if "\0" in text:
        raise NoteValueError("a note cannot hold a NUL character")
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise NoteValueError("a note cannot hold half a character (a lone surrogate)") from None
    if len(data) > MAX_NOTE_BYTES:
        raise NoteValueError(f"a note is at most {MAX_NOTE_BYTES // (1024 * 1024)} MiB")
    return data


def _edited_header(
    text: str, note: NoteText, set: Mapping[str, Value], unset: Sequence[str], newline: str
) -> str:
    header = read_yaml(text)
    changes: list[tuple[int, int, str]] = []
    added: list[str] = []
    for key in unset:
        span = None if key in set else _span(header, key)
        if span is not None:
            changes.append((span.start, span.end, ""))
    for key, value in set.items():
        if key in note.fields and _same(note.fields[key], _plain(value)):
            continue
        span = _span(header, key)
        if span is None:
            added.append(_lines(key, value, newline))
        else:
            changes.append(_replacement(text, span, key, value, newline))
    for start, end, replacement in sorted(changes, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text + "".join(added)


def _span(header: Header, key: str) -> Span | None:
    if any(not fault.key for fault in header.faults):
        raise NoteEditError("the note's header is in a form that cannot be changed here")
    return header.spans.get(key)


def _replacement(
    text: str, span: Span, key: str, value: Value, newline: str
) -> tuple[int, int, str]:
    key_line = KEY_LINE.match(text, span.start)
    if key_line is None or not _KEY.fullmatch(key):
        raise NoteEditError(f"the key {key!r} stands in a form that cannot be changed here")
    colon = key_line.end()
    found = _LINE_END.search(text, colon)
    line_end = found.start() if found else len(text)
    after_line = found.end() if found else len(text)
    old = text[span.value_start : span.value_end]
    starts_here = colon <= span.value_start <= line_end and bool(old)
    ends_in_block = old.endswith(("\n", "\r"))
    inline = _inline(key, value)
    if inline is not None:
        if starts_here and not ends_in_block:
            return span.value_start, span.value_end, inline
        if starts_here:
            return span.value_start, span.end, inline + newline
        comment = text[colon:after_line]
        return colon, max(span.end, after_line), f" {inline}{comment}"
    lines = _block(key, value, newline)
    if starts_here and not ends_in_block and span.value_end <= line_end:
        return colon, after_line, text[span.value_end : after_line] + lines
    if starts_here:
        return colon, span.end, newline + lines
    return after_line, max(span.end, after_line), lines


def _edited_body(parts: Split, body: str | None, current: str) -> bytes:
    if body is None or body == current:
        return parts.body
    newline = parts.newline
    old = parts.body.decode("utf-8")
    text = body.replace("\n", newline) if newline != "\n" else body
    before = newline if not old or old.startswith(newline) else ""
    after = newline if not old or old.endswith(newline) else ""
    if not body:
        return b""
    # Without its blank line or last line end the new text would be read as less, or as keys.
    if text.startswith((newline, "---")):
        before = newline
    if text.endswith(newline):
        after = newline
    return _encoded(before + text + after)


def _verify(
    data: bytes,
    before: NoteText,
    set: Mapping[str, Value],
    unset: Sequence[str],
    body: str | None,
) -> None:
    after = parse(data)
    expected = {key: value for key, value in before.fields.items() if key not in unset}
    expected.update((key, _plain(value)) for key, value in set.items())
    untouched = {fault.key for fault in before.faults} - {*unset, *set, "body"}
    if (
        {fault.key for fault in after.faults} - {"body"} != untouched
        or not _same(dict(after.fields), expected)
        or after.body != (before.body if body is None else body)
    ):
        raise NoteEditError(
            "the note is written in a way that does not let this change be made alone; "
            "change it in an editor"
        )


def _plain(value: object) -> object:
    """A value as reading gives it back: lists and dictionaries."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    return value


def _same(left: object, right: object) -> bool:
    """Equal in value and in type: 1, 1.0 and true are three different things in a note."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    return type(left) is type(right) and left == right
