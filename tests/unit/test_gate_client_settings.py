"""What a person may give: addresses, names, keys, limits; each refused in one clear line."""

from __future__ import annotations

from typing import Any

import pytest

from proofstone.domain.errors import ProofstoneError
from proofstone.gate.settings import client_settings

SECRET = "s3cret-value"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions"),
        ("http://localhost:1234/v1/", "http://localhost:1234/v1/chat/completions"),
        (" https://api.openai.com/v1 ", "https://api.openai.com/v1/chat/completions"),
        ("https://x.test/v1/chat/completions", "https://x.test/v1/chat/completions"),
        ("http://[::1]:8080", "http://[::1]:8080/chat/completions"),
    ],
)
def test_where_requests_go(given: str, url: str) -> None:
    assert client_settings(given, "m", environment={}).url == url


@pytest.mark.parametrize(
    "given",
    [
        "",
        "localhost:11434",
        "ftp://x.test/v1",
        "http://",
        "http://x.test:99999/v1",
        "http://x.test:port/v1",
        "http://[::1/v1",
        "https://exämple.test/v1",
        "https://x.test/v1 /y",
        "https://x.test/v1\x1b[2J",
        f"https://user:{SECRET}@x.test/v1",
        f"https://{SECRET}@x.test/v1",
        f"https://x.test/v1?key={SECRET}",
        f"https://x.test/v1#{SECRET}",
    ],
)
def test_addresses_that_are_refused(given: str) -> None:
    with pytest.raises(ProofstoneError, match="--base-url: ") as caught:
        client_settings(given, "m", environment={})
    assert SECRET not in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("base_url", ["http://x.test/v1", "http://10.0.0.7:8000/v1"])
def test_a_key_does_not_cross_a_network_in_the_clear(base_url: str) -> None:
    with pytest.raises(ProofstoneError, match="in the clear") as caught:
        client_settings(base_url, "m", environment={"OPENAI_API_KEY": SECRET})
    assert SECRET not in str(caught.value)
    assert client_settings(base_url, "m", environment={}).key == ""
    empty = {"PROOFSTONE_GATE_KEY": "", "OPENAI_API_KEY": SECRET}
    assert client_settings(base_url, "m", environment=empty).key == ""


@pytest.mark.parametrize(
    "base_url", ["https://x.test/v1", "http://localhost/v1", "http://127.9.9.9/v1", "http://[::1]"]
)
def test_a_key_goes_over_tls_or_stays_on_this_machine(base_url: str) -> None:
    environment = {"OPENAI_API_KEY": f" {SECRET}\n"}
    assert client_settings(base_url, "m", environment=environment).key == SECRET


@pytest.mark.parametrize("key", [f"{SECRET} x", f"{SECRET}\r\nX-Other: 1", f"{SECRET}é", "\x00k"])
def test_a_key_that_would_break_a_header_is_refused_unseen(key: str) -> None:
    with pytest.raises(ProofstoneError, match="PROOFSTONE_GATE_KEY") as caught:
        client_settings("https://x.test", "m", environment={"PROOFSTONE_GATE_KEY": key})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "option"),
    [
        ({"model": ""}, "--model"),
        ({"model": "a\nb"}, "--model"),
        ({"model": "m" * 201}, "--model"),
        ({"timeout": 0.0}, "--timeout"),
        ({"timeout": -1.0}, "--timeout"),
        ({"timeout": float("nan")}, "--timeout"),
        ({"timeout": float("inf")}, "--timeout"),
        ({"limit": 0}, "--limit"),
        ({"limit": 65}, "--limit"),
    ],
)
def test_other_values_that_are_refused(values: dict[str, Any], option: str) -> None:
    given: dict[str, Any] = {"base_url": "http://localhost", "model": "m", "environment": {}}
    with pytest.raises(ProofstoneError, match=f"{option}: "):
        client_settings(**(given | values))
