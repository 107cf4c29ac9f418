"""Ratified memories as topic files of a Claude Code memory folder, with their index.

Each memory is a file of its own, and the index links it from a managed block. A topic file is known
by its name and by the key ``proofstone`` in its header; what others add to it is kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping

from proofstone.domain import managed_block, rendered_text, rendering
from proofstone.domain.ids import utf8
from proofstone.domain.records import Layer, Memory
from proofstone.domain.rendering import Chosen, body_of, title_line
from proofstone.domain.rulings.steps import title_of

INDEX = "MEMORY.md"
PREFIX = "proofstone-"
LOADED_LINES = 200
LOADED_BYTES = 25 * 1024
"""What of the index is loaded into a session: its first lines, or its first bytes."""

_FEEDBACK_RULES = ("workflow", "preference", "convention", "avoid_pattern", "prefer_pattern")
_FEEDBACK_KINDS = ("testing", "correction", "tool", "procedure", "constraint", "failure_pattern")
_FEEDBACK = frozenset((*_FEEDBACK_RULES, *_FEEDBACK_KINDS, "decision"))
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_HEADER = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<keys>.*?)^---[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_OURS = re.compile(r"^proofstone:[ \t]*(?P<id>\S.*?)[ \t]*\r?$", re.M)
_GONE = "(No longer ratified.)"


def file_name(memory_id: str) -> str:
    """The name of a memory's topic file."""
    name = memory_id
    if _PLAIN_ID.fullmatch(memory_id) is None:
        name = hashlib.sha256(utf8(memory_id)).hexdigest()[:24]
    return f"{PREFIX}{name}.md"


def index_block(chosen: Iterable[Chosen]) -> str:
    """The managed block of the index: one link a memory."""
    lines = [index_line(one) for one in chosen]
    return managed_block.framed("\n".join(["## Ratified by a person", "", *lines]))


def topic(one: Chosen) -> str:
    """The topic file of a memory that has none yet."""
    header = "".join(f"{key}: {value}\n" for key, value in _keys(one.memory).items())
    return f"---\n{header}---\n\n{managed_block.framed(body_of(one))}\n"


def refreshed(text: str, one: Chosen) -> str:
    """An existing topic file with the memory's present words; what others added stays.

    Raises:
        DamagedMarkersError: the file's markers do not enclose exactly one block.
    """
    block = managed_block.framed(body_of(one))
    return managed_block.splice(_with_keys(text, _keys(one.memory)), block)


def retired(text: str) -> str | None:
    """A topic file whose memory is no longer rendered: None when nobody added anything to it.

    Raises:
        DamagedMarkersError: the file's markers do not enclose exactly one block.
    """
    place = managed_block.find(text)
    header = _HEADER.match(text)
    if place is None or header is None:
        return text
    around = text[header.end() : place[0]] + text[place[1] :]
    keys = {line.partition(":")[0] for line in header["keys"].splitlines() if line.strip()}
    if not around.strip() and keys <= {"name", "description", "type", "proofstone"}:
        return None
    told = {"name": _quoted(_GONE), "description": _quoted(_GONE)}
    return managed_block.splice(_with_keys(text, told), managed_block.framed(_GONE))


def memory_id_in(text: str) -> str:
    """The id of the memory that a topic file was rendered for; empty when it is not ours."""
    header = _HEADER.match(text)
    found = _OURS.search(header["keys"]) if header else None
    if found is None:
        return ""
    value = found["id"]
    try:
        read = json.loads(value) if value.startswith('"') else value
    except ValueError:
        return ""
    return read if isinstance(read, str) else ""


def _with_keys(text: str, values: Mapping[str, str]) -> str:
    """``text`` with new values for those of the header's keys that it has."""
    header = _HEADER.match(text)
    if header is None:
        return text
    keys = header["keys"]
    newline = managed_block.newline_of(text)
    for key, value in values.items():
        line = f"{key}: {value}{newline}"
        keys = re.sub(rf"^{key}:.*?\n", lambda _, line=line: line, keys, count=1, flags=re.M)
    return text[: header.start("keys")] + keys + text[header.end("keys") :]


def _keys(memory: Memory) -> dict[str, str]:
    hook = rendered_text.one_line(title_of(memory.statement))
    return {
        "name": _quoted(title_line(memory)),
        "description": _quoted(hook),
        "type": _type(memory),
        "proofstone": _quoted(memory.memory_id),
    }


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _type(memory: Memory) -> str:
    if memory.layer is Layer.L1:
        return "user"
    if {memory.rule_type, memory.kind} & _FEEDBACK:
        return "feedback"
    return "project" if memory.project else "reference"


def index_line(one: Chosen) -> str:
    memory = one.memory
    title = rendered_text.link_text(memory.title or title_of(memory.statement))
    hook = rendered_text.one_line(title_of(memory.statement))
    link = f"- [{title}]({file_name(memory.memory_id)})"
    label = f" ({one.mark})" if one.mark else ""
    repeats = rendering.repeats(memory.title, memory.statement)
    return f"{link}{label}" if repeats else f"{link}{label} — {hook}"
