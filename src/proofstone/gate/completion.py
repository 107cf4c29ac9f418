"""The text of a chat completion, whether it comes whole or as a stream of events.

Nothing here reads the network. What a model says besides its answer (reasoning, tool calls) is
passed over, and a refusal in words is an answer without content: the contract decides what
becomes of it. Code fences and prose around JSON are left as they are, for the same reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from proofstone.gate.errors import CallFailedError, cut, not_a_completion

MAX_RESPONSE_BYTES = 8 * 1024 * 1024
"""The most that is read of one response (docs/gate.md). The vault stores no larger answer."""

_DONE = "[DONE]"


def whole_text(body: bytes) -> str:
    """The text of a completion that came as one JSON object.

    Raises:
        CallFailedError: it is none, or reports a failure.
    """
    choice = _first_choice(_json_object(body))
    if choice is None:
        raise not_a_completion()
    message = choice.get("message")
    if not isinstance(message, dict):
        raise not_a_completion()
    return _text_of(message.get("content"))


class StreamedText:
    """Collects the text of a completion that comes as server-sent events.

    It is whole once the endpoint has said so, by ``[DONE]`` or by a reason for having finished; a
    stream that merely ends was cut.
    """

    def __init__(self) -> None:
        self._events = _Events()
        self._pieces: list[str] = []
        self._has_finished = False
        self.is_done = False
        self.characters = 0
        """How much of the text has come."""

    def feed(self, data: bytes) -> None:
        """Take in the next bytes. Raises CallFailedError for what is no such stream."""
        for event in self._events.feed(data):
            self._take(event)

    def text(self) -> str:
        """The whole text, after the last bytes. Raises CallFailedError when it is not whole."""
        if not self.is_done:
            rest = self._events.rest()
            if rest.strip() == _DONE:
                self.is_done = True
        if not (self.is_done or self._has_finished):
            raise cut()
        # An endpoint may cut between the two halves of a character that JSON writes as two.
        halves = "".join(self._pieces).encode("utf-16-le", "surrogatepass")
        return halves.decode("utf-16-le", "surrogatepass")

    def _take(self, event: str) -> None:
        if self.is_done or not event.strip():
            return
        if event.strip() == _DONE:
            self.is_done = True
            return
        choice = _first_choice(_json_object(event))
        if choice is None:
            return
        delta = choice.get("delta")
        if isinstance(delta, dict):
            piece = _text_of(delta.get("content"))
            self._pieces.append(piece)
            self.characters += len(piece)
        if choice.get("finish_reason"):
            self._has_finished = True


class _Events:
    """Splits server-sent events from bytes, by their own line ends alone: JSON text may hold
    characters that other ways of splitting lines would break at."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[str]:
        """The data of each event that ``data`` completes."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            line = bytes(self._line + piece).removesuffix(b"\r")
            self._line.clear()
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                yield self._taken()
        self._line += rest

    def rest(self) -> str:
        """The data of an event whose end never came."""
        tail = bytes(self._line).removesuffix(b"\r")
        if tail.startswith(b"data:"):
            self._data.append(tail[5:])
        return self._taken()

    def _taken(self) -> str:
        joined = b"\n".join(self._data)
        self._data.clear()
        try:
            return joined.decode("utf-8")
        except UnicodeDecodeError:
            raise not_a_completion() from None


def _json_object(data: bytes | str) -> dict[str, object]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise not_a_completion() from None
    if not isinstance(value, dict):
        raise not_a_completion()
    if value.get("error"):
        raise CallFailedError(
            "the endpoint reports an error in its answer; nothing was stored, run it again"
        )
    return value


def _first_choice(value: dict[str, object]) -> dict[str, object] | None:
    """The first choice; None when there is none, as in an event that only tells the usage."""
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    return choices[0]


def _text_of(content: object) -> str:
    """The text of a message's content, which is text, nothing, or a list of typed parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(
            part["text"]
            for part in content
            if isinstance(part, dict)
            and part.get("type") == "text"
            and isinstance(part.get("text"), str)
        )
    return ""
