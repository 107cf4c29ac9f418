"""Reading completions, whole and streamed, in whatever pieces they come."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.errors import ProofstoneError
from proofstone.gate import answers
from proofstone.gate.completion import StreamedText, whole_text
from proofstone.gate.errors import CallFailedError

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def events(pieces: list[str], end: str, *, ascii_only: bool) -> bytes:
    """A stream of one event for each piece."""
    rows = [
        json.dumps({"choices": [{"delta": {"content": piece}}]}, ensure_ascii=ascii_only)
        for piece in pieces
    ]
    return "".join(f"data: {row}{end}{end}" for row in [*rows, "[DONE]"]).encode()


@given(
    st.lists(TEXTS, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.lists(st.integers(0, 400), max_size=8),
)
def test_a_stream_is_the_same_text_wherever_it_is_cut(
    pieces: list[str], end: str, ascii_only: bool, cuts: list[int]
) -> None:
    data = events(pieces, end, ascii_only=ascii_only)
    streamed = StreamedText()
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    for start, stop in pairwise(places):
        streamed.feed(data[start:stop])
    assert streamed.is_done
    assert streamed.text() == "".join(pieces)


@given(st.lists(TEXTS, max_size=4), st.integers(0, 400))
def test_a_stream_that_stops_early_is_cut_and_never_part_of_an_answer(
    pieces: list[str], stop: int
) -> None:
    data = events(pieces, "\n", ascii_only=True)
    streamed = StreamedText()
    streamed.feed(data[: min(stop, len(data) - len("[DONE]\n\n"))])
    with pytest.raises(CallFailedError, match=r"cut|completion"):
        streamed.text()


@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_one_clear_line(data: bytes) -> None:
    streamed = StreamedText()
    for read in (lambda: whole_text(data), lambda: (streamed.feed(data), streamed.text())):
        try:
            read()
        except CallFailedError as failure:
            assert str(failure).isprintable()


def test_a_character_that_comes_in_two_halves_is_joined() -> None:
    streamed = StreamedText()
    for half in ("\\ud83d", "\\ude00"):
        streamed.feed(f'data: {{"choices": [{{"delta": {{"content": "{half}"}}}}]}}\n\n'.encode())
    streamed.feed(b"data: [DONE]\n\n")
    assert streamed.text() == "\N{GRINNING FACE}"


def test_an_end_without_its_blank_line_is_an_end() -> None:
    streamed = StreamedText()
    streamed.feed(b"data: [DONE]")
    assert streamed.text() == ""


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "{}"}, "{}"),
        ({"content": None}, ""),
        ({"content": None, "refusal": "I cannot"}, ""),
        ({"content": "{}", "reasoning_content": "hm"}, "{}"),
        ({"content": [{"type": "text", "text": "{"}, {"type": "text", "text": "}"}]}, "{}"),
        (
            {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "{}"}]},
            "{}",
        ),
        ({"content": [{"type": "text"}, "x", 1]}, ""),
        ({}, ""),
    ],
)
def test_what_counts_as_the_answer(message: dict[str, object], text: str) -> None:
    assert whole_text(json.dumps({"choices": [{"message": message}]}).encode()) == text


@pytest.mark.parametrize(
    ("retry_after", "waits", "seconds"),
    [
        ("0", 0, 0.0),
        ("2", 0, 2.0),
        (" 1.5 ", 0, 1.5),
        ("Fri, 27 Nov 2026 09:01:00 GMT", 0, 60.0),
        ("Fri, 27 Nov 2026 08:00:00 GMT", 0, 0.0),
        ("", 0, 1.0),
        ("", 1, 2.0),
        ("", 2, 4.0),
        ("-5", 0, 1.0),
        ("later", 0, 1.0),
        ("nan", 0, 1.0),
    ],
)
def test_how_long_to_wait(retry_after: str, waits: int, seconds: float) -> None:
    assert answers.wait_asked(retry_after, waits, NOW) == seconds


@given(st.text(max_size=30))
def test_any_retry_after_gives_a_time(text: str) -> None:
    assert answers.wait_asked(text, 0, NOW) >= 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"error": {"code": "model_not_found"}}', "model_not_found"),
        (b'{"error": {"code": null, "type": "invalid_request_error"}}', "invalid_request_error"),
        (b'{"error": {"code": "sk-abc"}}', ""),
        (b'{"error": {"code": "the.key"}}', ""),
        (b'{"error": {"code": "Two words"}}', ""),
        (b'{"error": {"code": 404}}', ""),
        (b'{"error": "text"}', ""),
        (b"[" * 100_000, ""),
        (b"", ""),
    ],
)
def test_an_error_is_named_by_its_code_alone(body: bytes, code: str) -> None:
    assert answers.error_code(body, "the.key") == code


@given(st.integers(300, 599), st.sampled_from(["", "some_code"]))
def test_every_status_has_one_line(status: int, code: str) -> None:
    line = str(answers.failure(status, code))
    assert line.isprintable()
    assert str(status) in line and code in line
    assert isinstance(answers.failure(status, code), ProofstoneError)
