"""``proofstone capture`` and ``proofstone mcp`` as commands (spec page 8)."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Proofstone = Callable[..., Any]

ITEM = {"content": "Atlas rollups are kept for two years", "source": "chat", "anchor": "doc-9"}


def file_of(tmp_path: Path, payload: object) -> Path:
    path = tmp_path / "payload.json"
    path.write_text(payload if isinstance(payload, str) else json.dumps(payload))
    return path


def test_the_answer_is_the_contracts_json(
    proofstone: Proofstone, demo_vault: Path, tmp_path: Path
) -> None:
    outcome = proofstone("capture", demo_vault, file_of(tmp_path, {"items": [ITEM, {}]}))
    assert outcome.json.keys() == {"outcomes", "captured", "deduped", "rejected"}
    assert [row["status"] for row in outcome.json["outcomes"]] == ["captured", "rejected"]
    proposal_id = outcome.json["outcomes"][0]["id"]
    (shown,) = proofstone("show", "proposals", demo_vault, proposal_id, "--json").items
    assert (shown["statement"], shown["origin"]) == (ITEM["content"], "capture")
    again = proofstone("capture", demo_vault, file_of(tmp_path, ITEM))
    assert again.json["deduped"] == 1


def test_exit_1_when_every_item_is_rejected(
    proofstone: Proofstone, demo_vault: Path, tmp_path: Path
) -> None:
    bad = {"items": [{**ITEM, "valid_to": "soon"}, {**ITEM, "confidence": 2}]}
    outcome = proofstone("capture", demo_vault, file_of(tmp_path, bad), code=1)
    assert outcome.json["rejected"] == 2


def test_exit_0_when_there_was_nothing_to_capture(
    proofstone: Proofstone, demo_vault: Path, tmp_path: Path
) -> None:
    assert proofstone("capture", demo_vault, file_of(tmp_path, {"items": []})).json["captured"] == 0


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ("{", "line 1, column 2"),
        ('{"items": [], "content": "x"}', "items and content exclude each other"),
        ("[" * 100_000, "nested too deeply"),
        ("[1]", "one item object"),
        ('{"content": ' + "1" * 5_000 + "}", "number"),
    ],
)
def test_a_refused_call_is_one_line_and_exit_2(
    proofstone: Proofstone, demo_vault: Path, tmp_path: Path, payload: str, said: str
) -> None:
    outcome = proofstone("capture", demo_vault, file_of(tmp_path, payload), code=2)
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1 and said in outcome.err


def test_a_payload_that_is_not_utf_8_is_refused(
    proofstone: Proofstone, demo_vault: Path, tmp_path: Path
) -> None:
    path = tmp_path / "payload.json"
    path.write_bytes(b'{"content": "\xff"}')
    assert "not UTF-8" in proofstone("capture", demo_vault, path, code=2).err


def test_a_payload_beyond_the_limit_is_refused(
    proofstone: Proofstone, demo_vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proofstone.curation.capture.MAX_PAYLOAD_BYTES", 1024 * 1024)
    path = file_of(tmp_path, {**ITEM, "content": "y" * (1024 * 1024)})
    assert "more than 1 MiB" in proofstone("capture", demo_vault, path, code=2).err


def test_no_vault_is_one_line(proofstone: Proofstone, tmp_path: Path) -> None:
    outcome = proofstone("capture", tmp_path, file_of(tmp_path, ITEM), code=2)
    assert "no vault" in outcome.err
    assert "no vault" in proofstone("mcp", tmp_path, code=2).err


def test_the_client_is_the_project_of_a_vault_without_one(
    proofstone: Proofstone, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    proofstone("init", vault)
    proofstone("capture", vault, file_of(tmp_path, ITEM), "--client", "Codex CLI")
    (shown,) = proofstone("show", "proposals", vault, "--json").items
    assert shown["scopes"] == ["project:codex-cli"]


def test_a_payload_comes_from_standard_input_too(tmp_path: Path, demo_vault: Path) -> None:
    program = "from proofstone.cli.main import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", program, "capture", str(demo_vault)],
        input=json.dumps(ITEM).encode(),
        capture_output=True,
        env=dict(os.environ),
        check=True,
    )
    assert json.loads(ended.stdout)["captured"] == 1


def test_without_the_sdk_the_server_says_how_to_get_it(
    proofstone: Proofstone, demo_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    outcome = proofstone("mcp", demo_vault, code=2)
    assert "pip install 'proofstone[mcp]'" in outcome.err
    assert outcome.err.count("\n") == 1


def test_the_command_line_loads_no_sdk_for_other_commands(demo_vault: Path) -> None:
    program = (
        "import sys\nfrom proofstone.cli.main import run\n"
        f"run(['show', 'memories', {str(demo_vault)!r}])\n"
        "sys.exit('mcp.server' in sys.modules or 'starlette' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert ended.returncode == 0
