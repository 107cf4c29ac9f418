"""Small questions to JSON of unknown shape; none of them ever fails."""

from __future__ import annotations

from collections.abc import Mapping

Record = Mapping[str, object]


def text_of(record: Record, key: str, *others: str) -> str:
    """The text under ``key``, or the first of ``others`` that holds some, else an empty string."""
    value = record.get(key)
    if isinstance(value, str) and value:
        return value
    return text_of(record, *others) if others else ""


def mapping_of(value: object) -> Record:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def parts_of(content: object) -> list[dict[str, object]]:
    """The parts of a message's content: text alone counts as one part of text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, dict):
        return [content]
    if isinstance(content, list):
        for part in content:
            if not isinstance(part, dict):
                break
        else:
            return content
        return [
            part if isinstance(part, dict) else {"type": "text", "text": part}
            for part in content
            if isinstance(part, (dict, str))
        ]
    return []


def joined_text(content: object) -> tuple[str, bool]:
    """The text of all parts, and whether every part was text."""
    if isinstance(content, str):
        return content, True
    texts: list[str] = []
    whole = True
    for part in parts_of(content):
        text = part.get("text")
        if isinstance(text, str) and part.get("type", "text") in TEXT_PARTS:
            texts.append(text)
        else:
            whole = False
    return "\n".join(texts), whole


TEXT_PARTS = ("text", "input_text", "output_text")
