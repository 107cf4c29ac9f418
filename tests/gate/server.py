"""A chat endpoint on loopback that behaves like real ones, faults included.

Each request is answered by the next reply of its script; the last one goes on for ever. A reply
is a function that writes to the connection, so that it can also cut it or hold it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from proofstone.domain.gate_prompt import UNITS_FROM, UNITS_TO


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """The first message: what the model sees."""
        text = self.body["messages"][0]["content"]
        assert isinstance(text, str)
        return text

    @property
    def units(self) -> list[dict[str, str]]:
        """The units that the prompt offers."""
        lines = self.prompt.split("\n")
        block = lines[lines.index(UNITS_FROM) + 1 : lines.index(UNITS_TO)]
        return [json.loads(line) for line in block]

    @property
    def wanted(self) -> list[str]:
        """The units that a correction asks for; none in a first request."""
        if len(self.body["messages"]) == 1:
            return []
        lines = self.body["messages"][-1]["content"].split("\n")
        return list(json.loads(lines[2]))


class Connection(BaseHTTPRequestHandler):
    """One connection; what it does is up to the endpoint's script."""

    protocol_version = "HTTP/1.1"
    server: Endpoint

    def do_POST(self) -> None:
        """Read the request whole, then let the next reply answer it."""
        length = int(self.headers.get("content-length", "0"))
        body = json.loads(self.rfile.read(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, body)
        self.server.next_reply(asked)(self, asked)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        """Answer whole."""
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def cut(self) -> None:
        """Leave without a word more."""
        self.wfile.flush()
        self.close_connection = True


Reply = Callable[[Connection, Asked], None]
Content = str | None | Callable[[Asked], str]


class Endpoint(ThreadingHTTPServer):
    """The server. ``requests`` is what was asked; ``at_once`` the most that waited together."""

    daemon_threads = True

    def __init__(self, replies: Sequence[Reply]) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self._replies = list(replies)
        self._guard = threading.Lock()
        self.requests: list[Asked] = []
        self.released = threading.Event()
        self.held = threading.Semaphore(0)

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def next_reply(self, asked: Asked) -> Reply:
        """The reply to a request, by its number."""
        with self._guard:
            self.requests.append(asked)
            return self._replies[min(len(self.requests), len(self._replies)) - 1]

    def handle_error(self, *arguments: object) -> None:
        """A client that has gone is no news."""


@contextmanager
def serving(*replies: Reply) -> Iterator[Endpoint]:
    """An endpoint that answers with these replies."""
    endpoint = Endpoint(replies)
    thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.001})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.released.set()
        endpoint.shutdown()
        thread.join()
        endpoint.server_close()


def whole(content: Content, **message: object) -> Reply:
    """The completion in one piece, whatever was asked for."""

    def reply(connection: Connection, asked: Asked) -> None:
        said = {"role": "assistant", "content": _said(content, asked), **message}
        value = {"choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}
        connection.send(200, json.dumps(value).encode(), {"content-type": "application/json"})

    return reply


def streamed(content: Content, *, end: str = "[DONE]", size: int = 7) -> Reply:
    """The completion as events, ``size`` characters each; ``end`` is what ends it, if anything."""

    def reply(connection: Connection, asked: Asked) -> None:
        text = _said(content, asked) or ""
        _start_stream(connection)
        _piece(connection, b": comments keep the connection open\n\n")
        _event(connection, json.dumps({"choices": [{"delta": {"role": "assistant"}}]}))
        for start in range(0, len(text), size):
            delta = {"content": text[start : start + size]}
            _event(connection, json.dumps({"choices": [{"delta": delta, "finish_reason": None}]}))
        if end == "finish_reason":
            _event(connection, json.dumps({"choices": [{"delta": {}, "finish_reason": "stop"}]}))
        elif end:
            _event(connection, json.dumps({"choices": [], "usage": {"total_tokens": 9}}))
            _event(connection, end)
        connection.wfile.write(b"0\r\n\r\n")

    return reply


def status(code: int, error: dict[str, object] | bytes = b"", **headers: str) -> Reply:
    """An answer that is no completion; ``retry_after`` is written ``Retry-After``."""
    body = error if isinstance(error, bytes) else json.dumps({"error": error}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def reply(connection: Connection, asked: Asked) -> None:
        connection.send(code, body, named)

    return reply


def only_without(feature: str, words: str, then: Reply, code: int = 400) -> Reply:
    """Refuses requests that ask for ``feature``."""

    def reply(connection: Connection, asked: Asked) -> None:
        if feature in asked.body:
            status(code, {"message": words, "param": feature})(connection, asked)
        else:
            then(connection, asked)

    return reply


def cut_in_the_body(connection: Connection, asked: Asked) -> None:
    """Promises more than it sends."""
    connection.send_response(200)
    connection.send_header("content-type", "application/json")
    connection.send_header("content-length", "1000")
    connection.end_headers()
    connection.wfile.write(b'{"choices": [{"message": {"content": "{')
    connection.cut()


def cut_in_the_stream(connection: Connection, asked: Asked) -> None:
    """Goes in the middle of a stream, without its last chunk."""
    _start_stream(connection)
    _event(connection, json.dumps({"choices": [{"delta": {"content": '{"candidates": ['}}]}))
    connection.cut()


def cut_before_any_answer(connection: Connection, asked: Asked) -> None:
    """Takes the request and goes."""
    connection.cut()


def hold(connection: Connection, asked: Asked) -> None:
    """Answers nothing until the test is over."""
    connection.server.held.release()
    connection.server.released.wait(30)
    connection.cut()


def trickle(connection: Connection, asked: Asked) -> None:
    """Begins a stream and then says nothing more until the test is over."""
    _start_stream(connection)
    _event(connection, json.dumps({"choices": [{"delta": {"content": "{"}}]}))
    hold(connection, asked)


def _said(content: Content, asked: Asked) -> str | None:
    return content(asked) if callable(content) else content


def _start_stream(connection: Connection) -> None:
    connection.send_response(200)
    connection.send_header("content-type", "text/event-stream; charset=utf-8")
    connection.send_header("transfer-encoding", "chunked")
    connection.end_headers()


def _event(connection: Connection, data: str) -> None:
    _piece(connection, f"data: {data}\n\n".encode())


def _piece(connection: Connection, data: bytes) -> None:
    connection.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    connection.wfile.flush()
