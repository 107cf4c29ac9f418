"""Ratified memories as a managed block for agents' own files (spec page 8, render).

Pure: which memories go in, in which order, and what the block says. The same memories give the same
bytes on any machine and any day on which none of them expires.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from proofstone.domain import managed_block, rendered_text
from proofstone.domain.capture_items import instant
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Layer, Memory, Standing
from proofstone.domain.rulings.steps import title_of

MARKABLE = ("contested", "deprecated", "expired")
"""What may be shown with a mark instead of being left out."""

LAYER_NAMES = {Layer.L1: "Identity", Layer.L2: "Playbook"}

_HEADING = "## What people have ratified"
_PREAMBLE = (
    "Statements that a person ratified. They say what holds; they give no orders beyond that.\n"
    "Written by `proofstone render`: change them in the vault, not here."
)
_NOTHING = "Nothing is ratified yet."


class BudgetTooSmallError(ProofstoneError):
    """Not even the frame of the block fits into the budget."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A memory that is not rendered, and why."""

    memory_id: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """A memory to render, and the mark that it is shown with, if any."""

    memory: Memory
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A managed block, what stands in it, and what did not fit."""

    text: str
    rendered: tuple[Chosen, ...]
    omitted: tuple[Omission, ...] = ()


def choose(
    memories: Iterable[Memory],
    *,
    now: datetime,
    scopes: Collection[str] = (),
    marked: Collection[str] = (),
    tombstoned: Collection[str] = (),
    refused: Mapping[str, str] | None = None,
) -> tuple[tuple[Chosen, ...], tuple[Omission, ...]]:
    """The memories to render in their order, and those left out, each with its reason.

    ``scopes`` narrows to memories of these scopes; those of others are no omissions. ``marked``
    names what is shown with a mark rather than left out, out of `MARKABLE`. ``tombstoned`` has the
    ids that a tombstone forbids, ``refused`` further reasons by id.
    """
    wanted = frozenset(scopes)
    chosen: list[Chosen] = []
    omitted: list[Omission] = []
    for memory in sorted(memories, key=_order):
        if wanted and wanted.isdisjoint(memory.scopes):
            continue
        reason = (refused or {}).get(memory.memory_id) or _never(memory, now, tombstoned)
        flag = _flag(memory, now)
        if not reason and flag and flag not in marked:
            reason = flag
        if reason:
            omitted.append(Omission(memory.memory_id, memory.title, reason))
        else:
            chosen.append(Chosen(memory, flag))
    return tuple(chosen), tuple(omitted)


def block(chosen: Sequence[Chosen], budget: int | None = None) -> Block:
    """The managed block for ``chosen``, of at most ``budget`` bytes of UTF-8 when that is given.

    What does not fit is left out from the end of the order, though a later, shorter statement may
    still find room; the block says how many are missing.

    Raises:
        BudgetTooSmallError: the block's frame alone is larger than the budget.
    """
    whole = _text(chosen, 0)
    if budget is None or _size(whole) <= budget:
        return Block(whole, tuple(chosen))
    frame = _size(_text((), len(chosen)))
    if frame > budget:
        raise BudgetTooSmallError(
            f"a budget of {budget} bytes does not even hold the block's frame of {frame} bytes;"
            " give it more"
        )
    left = budget - frame
    kept: list[Chosen] = []
    omitted: list[Omission] = []
    groups: set[str] = set()
    for one in chosen:
        group = _group(one.memory)
        cost = _size(_item(one)) + 1
        if group not in groups:
            cost += _size(group) + 3
        if cost <= left:
            left -= cost
            groups.add(group)
            kept.append(one)
        else:
            reason = f"does not fit into {budget} bytes"
            omitted.append(Omission(one.memory.memory_id, one.memory.title, reason))
    return Block(_text(kept, len(omitted)), tuple(kept), tuple(omitted))


def body_of(one: Chosen) -> str:
    """A memory's words by themselves, as a topic file holds them."""
    lines = rendered_text.statement_lines(one.memory.statement)
    if one.mark:
        lines.insert(0, f"({one.mark})")
    details = _details(one.memory)
    return "\n".join([*lines, "", *details] if details else lines)


def title_line(memory: Memory) -> str:
    """A memory's title as one safe line."""
    return rendered_text.one_line(memory.title or title_of(memory.statement))


def repeats(title: str, statement: str) -> bool:
    """Whether a title says no more than the statement does at its beginning."""
    words = " ".join(title.split()).rstrip(" .。!！…").casefold()
    return " ".join(statement.split()).casefold().startswith(words)


def _order(memory: Memory) -> tuple[str, bool, str, str, str]:
    scopes = ", ".join(memory.scopes)
    return (
        memory.layer.value,
        scopes != "global",
        scopes,
        memory.title.casefold(),
        memory.memory_id,
    )


def _never(memory: Memory, now: datetime, tombstoned: Collection[str]) -> str:
    """Why a memory is never rendered, marked or not."""
    if memory.memory_id in tombstoned:
        return "tombstoned"
    if memory.ratified is None:
        return "unreviewed"
    if memory.standing in (Standing.SUPERSEDED, Standing.DELETED):
        return memory.standing.value
    if not memory.statement.strip():
        return "no words"
    starts = _moment(memory.valid_from)
    if starts is not None and starts > now:
        return f"not valid before {memory.valid_from}"
    return ""


def _flag(memory: Memory, now: datetime) -> str:
    if memory.standing in (Standing.CONTESTED, Standing.DEPRECATED):
        return memory.standing.value
    ends = _moment(memory.valid_to, is_end=True)
    return "expired" if ends is not None and ends < now else ""


def _moment(text: str, *, is_end: bool = False) -> datetime | None:
    """An RFC 3339 time; a date alone is its first moment, or its last where something ends."""
    if not text:
        return None
    return instant(text) or instant(text + ("T23:59:59Z" if is_end else "T00:00:00Z"))


def _text(chosen: Sequence[Chosen], missing: int) -> str:
    parts = [_HEADING, "", _PREAMBLE]
    group = ""
    for one in chosen:
        if _group(one.memory) != group:
            group = _group(one.memory)
            parts += ["", group, ""]
        parts.append(_item(one))
    if not chosen and not missing:
        parts += ["", _NOTHING]
    if missing:
        parts += ["", f"({missing} more did not fit into the size that was set.)"]
    return managed_block.framed("\n".join(parts))


def _group(memory: Memory) -> str:
    scopes = rendered_text.one_line(", ".join(memory.scopes))
    return f"### {LAYER_NAMES[memory.layer]} ({memory.layer.value}), {scopes}"


def _item(one: Chosen) -> str:
    memory = one.memory
    lines = rendered_text.statement_lines(memory.statement)
    title = rendered_text.one_line(memory.title).replace("*", r"\*")
    label = f"({one.mark}) " if one.mark else ""
    if not repeats(memory.title, memory.statement):
        label += f"**{title}**"
        separate = len(lines) > 1 or rendered_text.is_fence(lines[0])
        lines = [label, *lines] if separate else [f"{label}: {lines[0]}"]
    elif label and rendered_text.is_fence(lines[0]):
        lines = [label.rstrip(), *lines]
    else:
        lines[0] = label + lines[0]
    return rendered_text.item([*lines, *(f"- {detail}" for detail in _details(memory))])


def _details(memory: Memory) -> list[str]:
    named = (
        ("Applies when", memory.applies_when),
        ("Does not apply when", memory.does_not_apply_when),
        ("Except", memory.known_exceptions),
    )
    return [
        f"{name}: {'; '.join(rendered_text.one_line(text) for text in texts)}"
        for name, texts in named
        if texts
    ]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
