"""Why an endpoint gave no answer. That is no refusal: nothing of it is stored."""

from __future__ import annotations

from proofstone.domain.errors import ProofstoneError


class CallFailedError(ProofstoneError):
    """No whole answer came: one line saying why and what to do.

    The line is made of Proofstone's own words, the status and at most the endpoint's error code:
    the text of an error often repeats the key, or whatever was sent.
    """


def cut() -> CallFailedError:
    """The connection ended before the answer did."""
    return CallFailedError(
        "the connection was cut before the answer was whole; nothing was stored, run it again"
    )


def not_a_completion() -> CallFailedError:
    """The endpoint answered, but not as a chat endpoint does."""
    return CallFailedError(
        "what came back is no chat completion; check the base URL, which usually ends in /v1"
    )


def too_slow(timeout: float) -> CallFailedError:
    """The time limit passed first."""
    return CallFailedError(
        f"no whole answer within {timeout:g} s; raise the timeout, or ask about fewer turns at once"
    )


def too_large(limit: int) -> CallFailedError:
    """The endpoint sent more than any answer needs."""
    return CallFailedError(
        f"the endpoint sent more than {limit // (1024 * 1024)} MiB; the answer was given up"
    )
