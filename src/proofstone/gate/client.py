"""Asking an OpenAI-compatible chat endpoint (spec page 8, Gate client). Needs httpx.

One question, one answer. What the endpoint says is never asked for again because it was not
liked: a request is repeated only when there was no answer yet, because the endpoint asked us to
slow down or does not offer what the request asked for.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType

import httpx

from proofstone.domain.errors import ProofstoneError
from proofstone.gate import answers
from proofstone.gate.completion import MAX_RESPONSE_BYTES, StreamedText, whole_text
from proofstone.gate.errors import CallFailedError, cut, too_large, too_slow
from proofstone.gate.settings import ClientSettings
from proofstone.gate.timing import Timing

Message = tuple[str, str]
"""A role (``user`` or ``assistant``) and what it says."""

TOLD_CHARACTERS = 200
"""How much more of an answer must have come before that is told again."""

MAX_ERROR_BYTES = 64 * 1024
"""The most that is read of an answer that is an error."""


@dataclass(frozen=True, slots=True)
class _AskAgain:
    """There is no answer yet. ``wait`` is how many seconds the endpoint asked us to wait; None
    when it does not offer something, which the next request leaves out."""

    wait: float | None = None


class GateClient:
    """Asks one endpoint. Use it as an asynchronous context manager; it may be asked many things
    at once.

    Raises ProofstoneError when a proxy or certificates that the environment names cannot be used.
    """

    def __init__(self, settings: ClientSettings, timing: Timing | None = None) -> None:
        self._settings = settings
        self._timing = timing or Timing()
        self._features = dict(answers.FEATURES)
        headers = {"accept-encoding": "identity", "user-agent": "proofstone"}
        if settings.key:
            headers["authorization"] = f"Bearer {settings.key}"
        try:
            self._http = httpx.AsyncClient(
                headers=headers,
                timeout=None,  # one limit holds for the whole answer, see ``ask``
                limits=httpx.Limits(max_connections=settings.limit),
                follow_redirects=False,  # a key goes to the address that the person gave
                trust_env=not settings.is_loopback,  # no proxy between us and this machine
            )
        except (ImportError, OSError, ValueError):
            raise ProofstoneError(
                "the proxy or certificates that the environment names cannot be used; check "
                "HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE"
            ) from None

    async def __aenter__(self) -> GateClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def ask(
        self,
        messages: Sequence[Message],
        on_wait: Callable[[float], None] | None = None,
        on_text: Callable[[int], None] | None = None,
    ) -> str:
        """The model's answer, exactly. ``on_wait`` is told the seconds of each wait asked of us,
        ``on_text`` now and then how many characters have come.

        Raises:
            CallFailedError: no whole answer came within the time limit.
        """
        deadline = self._timing.monotonic() + self._settings.timeout
        waits = 0
        while True:
            remaining = deadline - self._timing.monotonic()
            if remaining <= 0:
                raise too_slow(self._settings.timeout)
            try:
                async with asyncio.timeout(remaining):
                    answer = await self._request(messages, waits, on_text)
            except TimeoutError:
                raise too_slow(self._settings.timeout) from None
            except (httpx.ConnectError, httpx.InvalidURL, httpx.UnsupportedProtocol):
                raise CallFailedError(
                    f"{self._settings.base_url} cannot be reached; check the base URL, and that "
                    "the endpoint is running"
                ) from None
            except (httpx.HTTPError, httpx.StreamError):
                raise cut() from None
            if isinstance(answer, str):
                return answer
            if answer.wait is not None:
                waits += 1
                if answer.wait > deadline - self._timing.monotonic():
                    raise CallFailedError(
                        f"the endpoint asks us to wait {answer.wait:g} s, beyond the time limit "
                        f"of {self._settings.timeout:g} s; run it later, or raise the timeout"
                    )
                if on_wait is not None:
                    on_wait(answer.wait)
                await self._timing.sleep(answer.wait)

    async def _request(
        self, messages: Sequence[Message], waits: int, on_text: Callable[[int], None] | None
    ) -> str | _AskAgain:
        features = dict(self._features)
        body = {
            "model": self._settings.model,
            "messages": [{"role": role, "content": text} for role, text in messages],
            **features,
        }
        async with self._http.stream(
            "POST",
            self._settings.url,
            content=json.dumps(body).encode("ascii"),
            headers={"content-type": "application/json"},
        ) as response:
            if response.is_success:
                return await _text(response, on_text or (lambda characters: None))
            said = await _beginning(response)
        status = response.status_code
        refused = answers.feature_refused(status, said, features)
        if refused:
            self._features.pop(refused, None)
            return _AskAgain()
        code = answers.error_code(said, self._settings.key)
        if status == 429 and code != answers.NO_CREDIT and waits < answers.MAX_WAITS:
            retry_after = response.headers.get("retry-after", "")
            return _AskAgain(answers.wait_asked(retry_after, waits, self._timing.now()))
        raise answers.failure(status, code)


async def _text(response: httpx.Response, on_text: Callable[[int], None]) -> str:
    if "text/event-stream" not in response.headers.get("content-type", "").lower():
        return whole_text(await _all(response))
    streamed = StreamedText()
    read = told = 0
    async for chunk in response.aiter_bytes():
        read += len(chunk)
        if read > MAX_RESPONSE_BYTES:
            raise too_large(MAX_RESPONSE_BYTES)
        streamed.feed(chunk)
        if streamed.characters >= told + TOLD_CHARACTERS:
            told = streamed.characters
            on_text(told)
        if streamed.is_done:
            break
    return streamed.text()


async def _all(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise too_large(MAX_RESPONSE_BYTES)
    return bytes(body)


async def _beginning(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) >= MAX_ERROR_BYTES:
            break
    return bytes(body[:MAX_ERROR_BYTES])
