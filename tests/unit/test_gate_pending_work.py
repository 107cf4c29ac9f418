"""Which turns wait is told at every key, so it must not make a prompt for each answered turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.curation import gate_pending
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace


def test_what_waits_is_told_without_a_prompt_for_what_is_answered(
    demo_vault: Path, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(gate_pending, "prompt_for", lambda view: made.append(view.reference) or "")
    for path in (demo_vault / "gate").rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        digest = '"answered_by_kind": "model",\n  "prompt_digest": "0"'
        path.write_text(text.replace('"answered_by_kind": "model"', digest), encoding="utf-8")
    workspace = Workspace.open(demo_vault, context)
    answered = [view.gate for view in workspace.turns if view.gate is not None and view.gate.answer]
    assert any(record.prompt_digest for record in answered)
    assert gate_pending.unanswered(workspace) == ("claude-code/atlas-load#4",)
    assert made == []
