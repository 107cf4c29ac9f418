"""A key comes from the environment, goes to the endpoint alone, and is shown and kept nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofstone.curation.gate_results import Outcome
from proofstone.curation.gate_run import run_turns
from proofstone.curation.workspace import Workspace
from proofstone.gate.settings import ClientSettings, client_settings
from tests.conftest import Proofstone, contents
from tests.gate import models, server
from tests.gate.conftest import settings_for

TURN = "claude-code/atlas-load#4"
KEY = "key-for-the-loopback-endpoint-0123456789"


def keyed(base_url: str, **environment: str) -> ClientSettings:
    return client_settings(base_url, "loopback-1", environment=environment)


@pytest.mark.parametrize(
    ("environment", "sent"),
    [
        ({}, None),
        ({"OPENAI_API_KEY": "another-key"}, "Bearer another-key"),
        ({"PROOFSTONE_GATE_KEY": KEY, "OPENAI_API_KEY": "another-key"}, f"Bearer {KEY}"),
        ({"PROOFSTONE_GATE_KEY": "", "OPENAI_API_KEY": "another-key"}, None),
    ],
)
def test_the_key_that_is_sent(
    workspace: Workspace, environment: dict[str, str], sent: str | None
) -> None:
    with server.serving(server.whole(models.good)) as endpoint:
        (result,) = run_turns(workspace, [TURN], keyed(endpoint.base_url, **environment))
    assert result.outcome is Outcome.ACCEPTED
    (request,) = endpoint.requests
    assert request.headers.get("authorization") == sent
    assert "another-key" not in json.dumps(request.body)


ECHOES = (
    server.status(401, {"message": f"Incorrect API key provided: {KEY}", "code": KEY}),
    server.status(400, {"message": KEY, "type": KEY}),
    server.status(500, KEY.encode()),
    server.status(307, b"", location=f"http://127.0.0.1/{KEY}"),
    server.streamed("", end=json.dumps({"error": {"message": KEY}})),
    server.whole(f"Your key is {KEY}"),
)


@pytest.mark.parametrize("reply", ECHOES)
def test_a_key_that_the_endpoint_repeats_is_neither_shown_nor_kept(
    demo_vault: Path,
    proofstone: Proofstone,
    monkeypatch: pytest.MonkeyPatch,
    reply: server.Reply,
) -> None:
    monkeypatch.setenv("PROOFSTONE_GATE_KEY", KEY)
    with server.serving(reply) as endpoint:
        for as_json in ((), ("--json",)):
            outcome = proofstone(
                *("gate", "run", demo_vault, TURN, "--base-url", endpoint.base_url),
                *("--model", "loopback-1", *as_json),
                code=None,
            )
            assert outcome.code in (1, 2)
            assert KEY not in outcome.out + outcome.err
    assert len(endpoint.requests) >= 1
    assert not any(KEY.encode() in data for data in contents(demo_vault).values())


def test_a_key_follows_no_redirection(workspace: Workspace) -> None:
    with server.serving(server.whole(models.good)) as elsewhere:
        location = f"{elsewhere.base_url}/chat/completions"
        with server.serving(server.status(307, b"", location=location)) as endpoint:
            (result,) = run_turns(
                workspace, [TURN], keyed(endpoint.base_url, PROOFSTONE_GATE_KEY=KEY)
            )
    assert result.outcome is Outcome.FAILED
    assert elsewhere.requests == []


def test_no_proxy_of_the_environment_stands_between_us_and_loopback(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with server.serving(server.whole(models.good)) as endpoint:
        (result,) = run_turns(workspace, [TURN], settings_for(endpoint.base_url))
    assert result.outcome is Outcome.ACCEPTED


def test_settings_do_not_print_their_key() -> None:
    assert KEY not in repr(keyed("http://127.0.0.1:1/v1", PROOFSTONE_GATE_KEY=KEY))
