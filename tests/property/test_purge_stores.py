"""After a purge in a PI root no file holds the words, in any form, and PI's own rules are kept."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofstone.curation.context import Context
from proofstone.curation.purging import purge
from proofstone.curation.workspace import Workspace
from proofstone.domain.purge_text import letters
from proofstone.domain.rulings import Choices
from tests.conftest import NOW, contents
from tests.pi_checker import faults, objects, purge_faults, records
from tests.property.test_purge import STATEMENTS, is_sought
from tests.purge_story import forms

SAMPLE = Path(__file__).parent.parent / "data" / "stores" / "pi"
RECORD, CANDIDATE, OTHER = "mem_words", "cap_words", "mem_20261002_rope"
ESCAPED = st.booleans()


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="purge-stores-"))
    monkeypatch.setenv("PROOFSTONE_STATE", str(folder / "state"))
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    yield folder
    shutil.rmtree(folder)


def tell(place: Path, statement: str, *, escaped: bool) -> Path:
    """The words in a record, its candidate, evidence, a patch, another record, and a log."""
    for name in ("pi", "state", "earlier"):
        shutil.rmtree(place / name, ignore_errors=True)
    root = Path(shutil.copytree(SAMPLE, place / "pi"))

    def written(value: object) -> bytes:
        return json.dumps(value, ensure_ascii=escaped).encode("utf-8", "replace")

    def add(path: str, value: object) -> None:
        data = (root / path).read_bytes()
        gap = b"" if data.endswith(b"\n") else b"\n"
        (root / path).write_bytes(data + gap + written(value) + b"\n")

    model = records(root)[OTHER]
    record = {**model, "id": RECORD, "statement": statement, "known_exceptions": [statement]}
    add("memory/L2.playbooks.jsonl", record)
    quoting = {**model, "id": "mem_quoting", "does_not_apply_when": [f"if {statement}"]}
    add("memory/L2.playbooks.jsonl", {**quoting, "statement": "Ropes are coiled to the right."})
    evidence = objects(root, "memory/evidence.jsonl")[0]
    said = {"source_excerpt": f"{statement} (as said)", "related_memory_ids": [RECORD]}
    add("memory/evidence.jsonl", {**evidence, "id": "ev_words", **said})
    candidate = objects(root, "inbox/captured.jsonl")[0]
    add("inbox/captured.jsonl", {**candidate, "id": CANDIDATE, "text": statement})
    patch = json.loads((root / "patches/patch_202610120900.json").read_bytes())
    op = {**patch["ops"][0], "candidate_id": CANDIDATE, "record": record}
    (root / "patches/patch_1.json").write_bytes(written({**patch, "ops": [op]}))
    (root / "daily").mkdir()
    (root / "daily/2026-10-10.md").write_bytes(statement.encode("utf-8", "replace") + b"\nbye\n")
    return root


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(statement=STATEMENTS.filter(is_sought), escaped=ESCAPED)
def test_no_file_of_a_store_holds_the_words(place: Path, statement: str, escaped: bool) -> None:
    root = tell(place, statement, escaped=escaped)
    earlier = Path(shutil.copytree(root, place / "earlier"))
    context = Context(clock=lambda: NOW, author="Mira Tal", via="cli")
    view = Workspace.open(root, context)
    purge(view, RECORD, Choices(reason="privacy_sensitive", confirm=RECORD))
    for folder in (root, place / "state"):
        for path, data in contents(folder).items():
            for what, form in forms(statement):
                assert form not in data, f"{path} holds it as {what}: {statement!r}"
            assert letters(statement) not in letters(data.decode("utf-8", "replace")), path
    assert faults(root, earlier) == []
    assert purge_faults(root) == []
    assert records(root)[OTHER] == records(earlier)[OTHER]
    assert Workspace.open(root, context).purged(statement)
