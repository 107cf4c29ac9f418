"""``proofstone serve``: a browser on this machine with the token, and nobody else."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

pytest.importorskip("textual_serve")


@pytest.fixture
def url(demo_vault: Path) -> Iterator[str]:
    """The URL that a running server printed."""
    command = [sys.executable, "-m", "proofstone", "serve", str(demo_vault), "--as", "Mira Tal"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait(timeout=20)


def _get(url: str, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
    place = urlsplit(url)
    assert place.hostname and place.port
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=given)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def test_the_page_is_given_with_the_token_alone(url: str) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", url)
    place = urlsplit(url)
    whole = f"/?{place.query}"

    status, headers, page = _get(url, whole)
    assert status == 200
    assert 'id="terminal"' in page and "//fonts." not in page
    assert not re.search(r"https?://(?!127\.0\.0\.1)", page)
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    kept = cookie.partition(";")[0]
    assert _get(url, "/", Cookie=kept)[0] == 200
    assert _get(url, "/static/js/textual.js", Cookie=kept)[0] == 200

    for path in ("/", "/?token=", "/?token=wrong", "/static/js/textual.js", "/ws"):
        assert _get(url, path)[0] == 403
    wrong = f"/?token={'A' * 43}"
    assert _get(url, wrong)[0] == 403

    # Another name that points here, and pages from elsewhere, are refused even with the token.
    assert _get(url, whole, Host="evil.example")[0] == 403
    assert _get(url, whole, Host=f"evil.example:{place.port}")[0] == 403
    assert _get(url, whole, Origin="http://evil.example")[0] == 403
    assert _get(url, whole, Origin="null")[0] == 403
    assert _get(url, whole, Origin=f"http://{place.netloc}")[0] == 200
    assert _get(url, f"/ws?{place.query}")[0] == 403


async def test_the_workbench_is_carried_over_the_socket(url: str) -> None:
    place = urlsplit(url)
    socket_url = f"ws://{place.netloc}/ws?width=120&height=40&{place.query}"
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(socket_url, origin="http://evil.example")
        assert refused.value.status == 403
        async with session.ws_connect(socket_url, origin=f"http://{place.netloc}") as socket:
            drawn = b""
            while b"Queue" not in drawn or b"Mira" not in drawn:
                message = await socket.receive(timeout=60)
                assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), drawn
                if message.type is aiohttp.WSMsgType.BINARY:
                    drawn += message.data


def test_a_missing_vault_is_one_line(proofstone: Callable[..., Any], tmp_path: Path) -> None:
    outcome = proofstone("serve", tmp_path / "nowhere", code=2)
    assert outcome.err.count("\n") == 1 and "nowhere" in outcome.err


def test_without_the_extra_it_says_what_to_install(
    proofstone: Callable[..., Any], demo_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    outcome = proofstone("serve", demo_vault, code=2)
    assert "pip install 'proofstone[web]'" in outcome.err and outcome.err.count("\n") == 1
