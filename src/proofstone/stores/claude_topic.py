"""A topic file of a Claude Code memory folder, in both shapes of its header.

The older shape has flat keys, the newer a ``metadata`` map. Changing a topic changes only what was
asked; a header that does not let that be done alone is left to an editor.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping

from proofstone.domain import ids
from proofstone.domain.managed_block import newline_of
from proofstone.domain.rulings.terms import Need, RulingRefused
from proofstone.stores import headers
from proofstone.stores.headers import Note, Value

KIND = "claude-memory"
KINDS = {"user": "", "feedback": "constraint", "project": "fact", "reference": "doc"}
"""The types of topics, and the kind that each stands for."""
TYPE_OF_KIND = {kind: name for name, kind in KINDS.items()}

OWN_KEY = "proofstone"
"""The key that names the memory which a person ratified into the folder."""
_OWN_ID = re.compile(rf"{ids.MEMORY_PREFIX}[A-Za-z0-9-]{{1,80}}")
_HEADER = re.compile(
    r"(?P<open>\ufeff?---[ \t]*\r?\n)(?P<keys>.*?)^---[ \t]*(?:\r?\n|\Z)", re.S | re.M
)
_AROUND = re.compile(r"(?P<before>[\r\n]*).*?(?P<after>[\r\n]*)\Z", re.S)
_PLAIN = re.compile(r"[^\W\d_](?:[\w '’.-]*\w)?")
_NOT_TEXT = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def id_of(path: str) -> str:
    """A topic's id: its file's, so that it stays when the words change."""
    named = json.dumps([KIND, path], ensure_ascii=False)
    return ids.MEMORY_PREFIX + hashlib.sha256(ids.utf8(named)).hexdigest()[: ids.DIGITS]


def id_in(path: str, note: Note) -> str:
    """A topic's id: that under which it was ratified, where the header names it."""
    named = note.text(OWN_KEY)
    return named if _OWN_ID.fullmatch(named) else id_of(path)


def value_of(note: Note, key: str) -> str:
    """A value of the older flat keys, or of the newer ``metadata`` map."""
    value = note.inner("metadata").get(key)
    return value.strip() if isinstance(value, str) else note.text(key)


def words_of(note: Note) -> str:
    """What a topic says: its body, or its description where it has none."""
    return note.body.strip("\n") or note.text("description")


def edited(
    raw: str, *, statement: str | None, title: str | None, kind: str | None, modified: str
) -> str:
    """A topic with new words, a new name or another type; ``modified`` where it says when.

    Raises:
        RulingRefused: the file is written in a way that does not let this be changed alone.
    """
    before = headers.split(_plain(raw))
    wanted: dict[str, Value] = dict(before.fields)
    text = raw
    if statement is not None:
        if before.body.strip("\n"):
            text = _with_body(text, statement)
        else:
            text, wanted = (
                _with_key(text, "description", statement),
                {
                    **wanted,
                    "description": statement,
                },
            )
    if title is not None:
        text, wanted = _with_key(text, "name", title), {**wanted, "name": title}
    nested = before.inner("metadata")
    for key, value in (("type", _type_of(kind)), ("modified", modified)):
        if key in nested and value:
            text = _with_nested(text, key, value)
            wanted["metadata"] = {**_map(wanted["metadata"]), key: value}
        elif value and (key in before.fields or key == "type"):
            text, wanted = _with_key(text, key, value), {**wanted, key: value}
    after = headers.split(_plain(text))
    if dict(after.fields) != wanted or (statement or words_of(before)) != words_of(after):
        raise RulingRefused(
            "this topic is written in a way that does not let it be changed alone; change it in an "
            "editor",
            Need.EDITS,
        )
    return text


def new_topic(
    memory_id: str, title: str, hook: str, statement: str, kind: str, time: str, *, nested: bool
) -> str:
    """A new topic file in the newer shape, or in the older; it names the memory that it is."""
    named = f"name: {_quoted(title)}\ndescription: {_quoted(hook)}\n"
    name = TYPE_OF_KIND.get(kind) or "reference"
    said = f"type: {name}\n"
    if nested:
        said = f"metadata:\n  node_type: memory\n  type: {name}\n  modified: {_quoted(time)}\n"
    own = f"{OWN_KEY}: {_quoted(memory_id)}\n"
    return f"---\n{named}{said}{own}---\n\n{statement}\n"


def _type_of(kind: str | None) -> str:
    if kind is None:
        return ""
    if kind not in TYPE_OF_KIND:
        known = ", ".join(name for name in TYPE_OF_KIND if name)
        raise RulingRefused(f"a topic knows the kinds {known}, and none", Need.EDITS)
    return TYPE_OF_KIND[kind]


def _with_body(text: str, statement: str) -> str:
    header = _HEADER.match(text)
    start = header.end() if header else 0
    around = _AROUND.match(text[start:])
    assert around is not None
    newline = newline_of(text)
    words = statement.replace("\n", newline)
    return text[:start] + around["before"] + words + around["after"]


def _with_key(text: str, key: str, value: str) -> str:
    line = f"{key}: {_scalar(value)}"
    newline = newline_of(text)
    header = _HEADER.match(text)
    if header is None:
        bom = text[: text.startswith("\ufeff")]
        return f"{bom}---{newline}{line}{newline}---{newline}{newline}{text.removeprefix(bom)}"
    keys, count = re.subn(
        rf"^{key}[ \t]*:[^\r\n]*", lambda _: line, header["keys"], count=1, flags=re.M
    )
    if not count:
        keys = f"{line}{newline}{keys}"
    return text[: header.start("keys")] + keys + text[header.end("keys") :]


def _with_nested(text: str, key: str, value: str) -> str:
    header = _HEADER.match(text)
    if header is None:
        return text
    block = re.search(r"^metadata[ \t]*:", header["keys"], re.M)
    start = header.start("keys") + (block.end() if block else 0)
    pattern = re.compile(rf"^(?P<key>[ \t]+{key}[ \t]*:[ \t]*)[^\r\n]*", re.M)
    found = pattern.search(text, start, header.end("keys"))
    if found is None:
        return text
    return text[: found.end("key")] + _scalar(value) + text[found.end() :]


def _scalar(value: str) -> str:
    is_plain = _PLAIN.fullmatch(value) and value.casefold() not in _NOT_TEXT
    return value if is_plain else _quoted(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    """As readers see it: without a byte order mark, and with LF."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _map(value: Value) -> Mapping[str, Value]:
    return value if isinstance(value, dict) else {}
