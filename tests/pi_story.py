"""A pi-persistent-intelligence root in which one record's words stand everywhere they can."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.pi_checker import objects

STATEMENT = "Rosa's spare key lies under the blue flower pot, 住在榆树街五号."
SUBJECT = "mem_20261010_knot"
CANDIDATE = "cap_20261010_knot"
OTHER = "mem_20261009_sail"
NOT_OURS = "notes-of-my-own.txt"
"""A file that PI knows nothing of."""

Json = dict[str, object]


def tell(sample: Path, root: Path) -> Path:
    """Write the words into every file of a copy of the sample; nothing is ruled on yet."""
    shutil.copytree(sample, root)
    said = STATEMENT
    _change(root, "inbox/captured.jsonl", CANDIDATE, text=said, evidence_ids=["ev_key", "ev_1a2b"])
    _change(root, "memory/projects/harbor-web.jsonl", OTHER, known_exceptions=[f"unless {said}"])
    evidence: Json = {
        **_object(root, "memory/evidence.jsonl", "ev_1a2b"),
        "id": "ev_key",
        "source_excerpt": f"remember: {said}",
        "source_summary": "Rosa said where the key is.",
        "related_memory_ids": [OTHER],
    }
    unlinked: Json = {**evidence, "id": "ev_loose", "related_memory_ids": []}
    _append(root, "memory/evidence.jsonl", evidence, unlinked)
    sail = _object(root, "memory/projects/harbor-web.jsonl", OTHER)
    cited = [*sail["evidence"], {"type": "conversation", "ref": "ev_key", "note": "It was said."}]  # type: ignore[misc]
    _change(root, "memory/projects/harbor-web.jsonl", OTHER, evidence=cited)
    _append(root, "memory/reinforcement.jsonl", {"id": "r_2", "note": said.upper()})
    inquiry = _object(root, "memory/inquiries.jsonl", "inq_77")
    asked = {**inquiry, "id": "inq_key", "question": f"Is it so: {said}?", "context": said}
    _append(root, "memory/inquiries.jsonl", {**asked, "related_memory_ids": [SUBJECT]})
    report = root / "reports/meta-consolidation/2026-10-15T08-00-00.json"
    found = json.loads(report.read_bytes())
    found["candidates"][0]["rationale"] = f"because {said}"
    report.write_text(json.dumps(found, indent=2), encoding="utf-8")
    _write(root, "rendered/memory.md", f"- {said}\n")
    _write(root, "search/memory-fts.db", f"SQLite format 3\0{said}")
    _write(root, "runtime/events.jsonl", json.dumps({"at": 1, "text": said}) + "\n{torn: " + said)
    _write(root, "daily/2026-10-10.md", f"09:00 {said}\r\n10:00 another thing\r\n")
    _write(root, "scratchpad.md", f"# Scratch\n\n> {said}\n")
    return root


def add_not_ours(root: Path) -> None:
    """A file of a person's own that says the words."""
    _write(root, NOT_OURS, STATEMENT)


def _object(root: Path, path: str, name: str) -> Json:
    return next(one for one in objects(root, path) if one.get("id") == name)


def _change(root: Path, path: str, name: str, **changed: object) -> None:
    file = root / path
    lines = file.read_bytes().split(b"\n")
    for place, line in enumerate(lines):
        if f'"id":"{name}"'.encode() in line:
            lines[place] = json.dumps({**json.loads(line), **changed}).encode()
    file.write_bytes(b"\n".join(lines))


def _append(root: Path, path: str, *values: Json) -> None:
    file = root / path
    data = file.read_bytes()
    if not data.endswith(b"\n"):
        data += b"\n"
    file.write_bytes(data + b"".join(json.dumps(one).encode() + b"\n" for one in values))


def _write(root: Path, path: str, said: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(said.encode())
