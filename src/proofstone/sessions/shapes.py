"""Small questions to JSON of unknown shape; none of them ever fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Record = Mapping[str, object]


def text_of(record: Record, *keys: str) -> str:
    """The first of ``keys`` that holds text, else an empty string."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def mapping_of(value: object) -> Record:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def parts_of(content: object) -> Iterator[Record]:
    """The parts of a message's content: text alone counts as one part of text."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, dict):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, str):
                yield {"type": "text", "text": part}
            elif isinstance(part, dict):
                yield part


def joined_text(content: object) -> tuple[str, bool]:
    """The text of all parts, and whether every part was text."""
    if isinstance(content, str):
        return content, True
    texts: list[str] = []
    whole = True
    for part in parts_of(content):
        text = part.get("text")
        if isinstance(text, str) and part.get("type") in TEXT_PARTS:
            texts.append(text)
        else:
            whole = False
    return "\n".join(texts), whole


TEXT_PARTS = frozenset(("text", "input_text", "output_text", None))
