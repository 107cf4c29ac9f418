"""``proofstone import`` and ``proofstone render``, from the command line."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from proofstone.domain import managed_block
from proofstone.domain.managed_block import BEGIN, END
from proofstone.vault.frontmatter import parse
from tests.conftest import Proofstone, contents

SAMPLES = Path(__file__).parents[1] / "data" / "stores"
SOURCES = (
    "pi",
    "claude-memory",
    "instructions",
    "codex",
    "hermes",
    "basic-memory",
    "obsidian",
    "cursor/rules",
    "mcp/memory.jsonl",
    "mem0/export.json",
    "letta/agent.af",
)


@pytest.fixture
def vault(tmp_path: Path, proofstone: Proofstone) -> Path:
    """An empty vault of our own."""
    root = tmp_path / "vault"
    proofstone("init", root)
    return root


@pytest.fixture
def nmemory(tmp_path: Path) -> Path:
    """The sample store of nMEMORY, built."""
    path = tmp_path / "memory.sqlite3"
    database = sqlite3.connect(path)
    database.executescript((SAMPLES / "nmemory/memory.sql").read_text(encoding="utf-8"))
    database.close()
    return path


def proposals(vault: Path) -> dict[str, Any]:
    """The waiting proposals by their statement."""
    notes = [parse(path.read_bytes()) for path in (vault / "proposals").glob("*.md")]
    return {note.body: note.fields for note in notes}


def rows(form: dict[str, Any], status: str) -> dict[str, str]:
    """The reasons of the rows with ``status``, by place."""
    return {row["place"]: row.get("reason", "") for row in form["items"] if row["status"] == status}


def test_every_format_comes_in_as_tainted_proposals(
    vault: Path, nmemory: Path, proofstone: Proofstone
) -> None:
    before = contents(SAMPLES)
    form = proofstone(
        "import", vault, *(SAMPLES / name for name in SOURCES), nmemory, "--json"
    ).json
    assert form["schema"] == "proofstone/import/1"
    assert len(form["sources"]) == len(SOURCES) + 1
    waiting = proofstone("show", "proposals", vault, "--json").items
    assert len(waiting) == form["taken"]
    assert all(row["tainted"] and row["origin"] == "import" for row in waiting)
    assert Counter(row["status"] for row in form["items"]) == {
        status: form[status] for status in ("taken", "merged", "left")
    }
    assert form["taken"] > 40
    assert contents(SAMPLES) == before


def test_importing_again_changes_nothing(vault: Path, proofstone: Proofstone) -> None:
    sources = [SAMPLES / name for name in SOURCES]
    first = proofstone("import", vault, *sources, "--json").json
    before = contents(vault)
    again = proofstone("import", vault, *sources, "--json").json
    assert again["taken"] == 0
    assert again["merged"] == first["taken"] + first["merged"]
    assert contents(vault) == before


def test_a_dry_run_says_what_would_come_and_writes_nothing(
    vault: Path, nmemory: Path, proofstone: Proofstone
) -> None:
    sources = [*(SAMPLES / name for name in SOURCES), nmemory]
    before = contents(vault)
    rehearsed = proofstone("import", vault, *sources, "--dry-run", "--json").json
    assert contents(vault) == before
    real = proofstone("import", vault, *sources, "--json").json
    assert {**rehearsed, "dry_run": False} == real


def test_provenance_names_file_line_and_hash(vault: Path, proofstone: Proofstone) -> None:
    project = vault.parent / "project"
    project.mkdir()
    shutil.copy(SAMPLES / "instructions/AGENTS.md", project)
    proofstone("import", vault, project / "AGENTS.md")
    note = proposals(vault)["Never push to main."]
    assert note["anchor"] == "project/AGENTS.md:4"
    assert note["source"].startswith("instructions AGENTS.md:4 sha256:")
    assert len(note["anchor_hash"]) == 64
    (project / "AGENTS.md").write_text("changed\n")
    findings = proofstone("check", vault, "--json", code=1).items
    assert {finding["code"] for finding in findings} == {"drifted_anchor"}


def test_capsules_keep_their_own_provenance(
    vault: Path, nmemory: Path, proofstone: Proofstone
) -> None:
    form = proofstone("import", vault, nmemory, "--json").json
    note = proposals(vault)["The harbor image is built with podman."]
    assert note["anchor"] == "Makefile:12"
    assert "memory.sqlite3#cap-2 sha256:" in note["source"]
    assert "from chat" in note["source"]
    assert (note["kind"], note["evidence_state"]) == ("decision", "observed")
    assert note["trust_class"] == "third_party_documentation"
    assert note["scopes"] == ["project:harbor"]
    assert rows(form, "left") == {
        "memory.sqlite3#cap-1": "superseded by cap-2",
        "memory.sqlite3#cap-3": "expired on 2026-10-31T23:59:59Z",
        "memory.sqlite3#cap-4": "quarantined in its own store",
        "memory.sqlite3#cap-5": "forgotten; only its marker is left",
        "memory.sqlite3#cap-6": "falsified by cap-7",
        "memory.sqlite3#cap-8": "this capsule cannot be read: not JSON: Expecting value at"
        " character 12",
        "memory.sqlite3#audit_events": "bookkeeping; kept",
    }


def test_pi_brings_records_and_candidates(vault: Path, proofstone: Proofstone) -> None:
    form = proofstone("import", vault, SAMPLES / "pi", "--json").json
    left = rows(form, "left")
    assert left["memory/L2.playbooks.jsonl:9"] == "deleted in its own store"
    assert left["memory/L2.playbooks.jsonl:7"] == "expired on 2026-11-01"
    assert left["inbox/captured.jsonl:3"] == "dismissed in its own store"
    assert left["memory/L2.playbooks.jsonl:5"].startswith("this line cannot be read: not JSON")
    notes = proposals(vault)
    assert notes["Rosa decides what is published; agents only prepare."]["layer"] == "L1"
    assert "Run the linter before every push." in notes
    rope = notes["Build the harbor image with podman, not docker."]
    assert rope["applies_when"] == ["building locally"]
    assert rope["does_not_apply_when"] == ["publishing a release"]
    assert rope["known_exceptions"] == ["the CI runner has docker only"]
    assert (rope["rule_type"], rope["stability"]) == ("prefer_pattern", "semi-stable")
    assert rope["tags"] == ["tooling"]
    sail = notes["Harbor Web keeps its routes in one file."]
    assert sail["scopes"] == ["project:Harbor Web"]


def test_tags_that_group_notes_are_no_topics(vault: Path, proofstone: Proofstone) -> None:
    proofstone("import", vault, SAMPLES / "claude-memory", SAMPLES / "basic-memory")
    notes = proposals(vault)
    commits = next(fields for words, fields in notes.items() if words.startswith("Keep commits"))
    assert commits["keywords"] == ["One concern a commit", "feedback"]
    assert all("tags" not in fields for fields in notes.values())
    assert {fields["match_kind"] for fields in notes.values()} == {"new"}


def test_secrets_are_rejected_without_a_word_of_them(
    vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7" + "bC0eF3hJ6"
    (tmp_path / "CLAUDE.md").write_text(
        f"- The token is {secret}\n\n# Token {secret}\n\n- Be kind.\n"
    )
    for flags in ((), ("--json",), ("--dry-run",)):
        outcome = proofstone("import", vault, tmp_path / "CLAUDE.md", *flags)
        assert secret not in outcome.out + outcome.err
        assert "holds a secret" in outcome.out
    assert set(proposals(vault)) == {"Be kind."}
    assert not any(secret.encode() in data for data in contents(vault).values())


def test_what_people_ruled_on_before_is_not_asked_again(
    vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    source = tmp_path / "CLAUDE.md"
    source.write_text("- Dismissed words.\n- Tombstoned words.\n- Waiting words.\n")
    form = proofstone("import", vault, source, "--json").json
    dismissed, tombstoned, _ = (row["id"] for row in form["items"])
    proofstone(
        "rule", "dismiss", vault, dismissed, "--reason", "no_future_value", "--as", "Mira Tal"
    )
    proofstone("rule", "tombstone", vault, tombstoned, "--reason", "poisoned", "--as", "Mira Tal")
    again = proofstone("import", vault, source, "--json").json
    assert rows(again, "left") == {"CLAUDE.md:1": f"dismissed here before, as {dismissed}"}
    assert "forgotten by a ruling" in rows(again, "rejected")["CLAUDE.md:2"]
    assert list(rows(again, "merged")) == ["CLAUDE.md:3"]


def test_our_own_blocks_are_never_read_back(
    demo_vault: Path, vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    target = tmp_path / "CLAUDE.md"
    folder = tmp_path / "memory"
    proofstone("render", demo_vault, "--into", target)
    proofstone("render", demo_vault, "--into", folder, "--format", "claude-folder")
    form = proofstone("import", vault, target, folder, "--json").json
    assert form["taken"] == 0
    assert form["left"] > 10


@pytest.mark.parametrize("source", ["missing", "vault"])
def test_a_source_that_is_none_stops_before_anything_is_written(
    source: str, vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    (tmp_path / "CLAUDE.md").write_text("- Words.\n")
    outcome = proofstone("import", vault, tmp_path / "CLAUDE.md", tmp_path / source, code=2)
    assert outcome.err.count("\n") == 1
    assert proposals(vault) == {}


def test_a_block_is_added_kept_current_and_checked(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    target = tmp_path / "CLAUDE.md"
    mine = "\ufeff# Mine\r\n\r\nKeep this.  \r\n".encode()
    target.write_bytes(mine)
    target.chmod(0o640)
    assert "changed" in proofstone("render", demo_vault, "--into", target).out
    first = target.read_bytes()
    assert first.startswith(mine)
    assert b"\n" not in first.replace(b"\r\n", b"")
    assert target.stat().st_mode & 0o777 == 0o640
    assert proofstone("render", demo_vault, "--into", target, "--check").code == 0
    proofstone("render", demo_vault, "--into", target)
    assert target.read_bytes() == first
    target.write_bytes(first.replace(b"Atlas keeps snapshots", b"Atlas drops snapshots"))
    stale = target.read_bytes()
    outcome = proofstone("render", demo_vault, "--into", target, "--check", "--json", code=1)
    assert outcome.json["up_to_date"] is False
    assert target.read_bytes() == stale
    proofstone("render", demo_vault, "--into", target)
    assert target.read_bytes() == first


def test_what_is_left_out_is_said_with_its_reason(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    target = tmp_path / "AGENTS.md"
    form = proofstone("render", demo_vault, "--into", target, "--budget", "900", "--json").json
    reasons = Counter(one["reason"] for one in form["left_out"])
    assert reasons["contested"] == 1
    assert reasons["unreviewed"] == 3
    fitted = reasons["does not fit into 900 bytes"]
    assert fitted > 0
    text = target.read_text(encoding="utf-8")
    start, end = managed_block.find(text) or (0, 0)
    assert len(text[start:end].encode()) <= 900
    assert f"({fitted} more did not fit" in text
    assert len(form["rendered"]) + len(form["left_out"]) == 18
    marked = proofstone(
        "render", demo_vault, "--into", target, "--mark", "contested", "--json"
    ).json
    assert [one["mark"] for one in marked["rendered"] if "mark" in one] == ["contested"]


def test_scopes_narrow(demo_vault: Path, tmp_path: Path, proofstone: Proofstone) -> None:
    target = tmp_path / "AGENTS.md"
    proofstone("render", demo_vault, "--into", target, "--scope", "project:orion")
    text = target.read_text(encoding="utf-8")
    assert "pnpm" in text
    assert "Atlas" not in text


@pytest.mark.parametrize(
    "text",
    [
        f"a\n{BEGIN}\nb\n",
        f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n",
        f"{END}\n{BEGIN}\n",
        f"x {BEGIN}\n{END}",
    ],
)
def test_damaged_markers_leave_the_file_alone(
    text: str, demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    target = tmp_path / "CLAUDE.md"
    target.write_text(text)
    outcome = proofstone("render", demo_vault, "--into", target, code=2)
    assert "CLAUDE.md: " in outcome.err
    assert "marker" in outcome.err
    assert target.read_text() == text
    assert [path.name for path in tmp_path.glob("*.tmp")] == []


def test_a_link_stays_a_link(demo_vault: Path, tmp_path: Path, proofstone: Proofstone) -> None:
    (tmp_path / "AGENTS.md").write_text("# Both\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    proofstone("render", demo_vault, "--into", tmp_path / "CLAUDE.md")
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert BEGIN in (tmp_path / "AGENTS.md").read_text()


def test_bytes_that_are_not_utf8_survive_and_utf16_is_refused(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    target = tmp_path / "CLAUDE.md"
    target.write_bytes(b"caf\xe9\n")
    proofstone("render", demo_vault, "--into", target)
    assert target.read_bytes().startswith(b"caf\xe9\n\n<!-- proofstone:begin -->")
    target.write_bytes("# Mine\n".encode("utf-16"))
    assert "NUL" in proofstone("render", demo_vault, "--into", target, code=2).err


def test_cursor_rules_get_a_header_once(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    rules = tmp_path / ".cursor" / "rules"
    rules.mkdir(parents=True)
    proofstone("render", demo_vault, "--into", rules)
    file = rules / "proofstone.mdc"
    text = file.read_text(encoding="utf-8")
    assert text.startswith("---\ndescription: ")
    assert "\nalwaysApply: true\n---\n\n<!-- proofstone:begin -->\n" in text
    file.write_text(text.replace("alwaysApply: true", "alwaysApply: false"), encoding="utf-8")
    proofstone("render", demo_vault, "--into", file, "--scope", "global")
    assert "alwaysApply: false" in file.read_text(encoding="utf-8")


def test_a_rules_folder_that_is_not_there_yet_is_made(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    proofstone("render", demo_vault, "--into", tmp_path / ".cursor" / "rules")
    assert (tmp_path / ".cursor" / "rules" / "proofstone.mdc").is_file()


def test_a_folder_that_says_nothing_is_not_written_into(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    assert "name a file in it" in proofstone("render", demo_vault, "--into", tmp_path, code=2).err
    assert [path for path in tmp_path.iterdir() if path != demo_vault] == []


def test_an_index_keeps_its_budget(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    folder = tmp_path / "memory"
    form = proofstone("render", demo_vault, "--into", folder, "--budget", "600", "--json").json
    assert 0 < len(form["rendered"]) < 14
    assert len((folder / "MEMORY.md").read_bytes().strip()) <= 600
    assert len(list(folder.glob("proofstone-*.md"))) == len(form["rendered"])


def test_a_memory_folder_is_kept_in_step(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    folder = Path(shutil.copytree(SAMPLES / "claude-memory", tmp_path / "memory"))
    before = contents(folder)
    proofstone("render", demo_vault, "--into", folder)
    now = contents(folder)
    topics = {name for name in now if name.startswith("proofstone-")}
    assert len(topics) == 14
    index = now["MEMORY.md"].decode()
    assert index.startswith(before["MEMORY.md"].decode())
    assert all(f"]({name})" in index for name in topics)
    assert {name: data for name, data in now.items() if name in before and name != "MEMORY.md"} == {
        name: data for name, data in before.items() if name != "MEMORY.md"
    }
    assert proofstone("render", demo_vault, "--into", folder, "--check").code == 0
    proofstone("render", demo_vault, "--into", folder, "--scope", "global")
    assert len(list(folder.glob("proofstone-*.md"))) == 3
    assert (folder / "MEMORY.md").read_text(encoding="utf-8").count("](proofstone-") == 3
    proofstone("render", demo_vault, "--into", folder, "--scope", "project:none")
    assert list(folder.glob("proofstone-*.md")) == []


def test_a_topic_that_others_added_to_is_emptied_rather_than_removed(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    folder = tmp_path / "memory"
    proofstone("render", demo_vault, "--into", folder, "--scope", "global")
    topic = sorted(folder.glob("proofstone-*.md"))[0]
    topic.write_text(topic.read_text(encoding="utf-8") + "\nMy own note.\n", encoding="utf-8")
    proofstone("render", demo_vault, "--into", folder, "--scope", "project:none")
    text = topic.read_text(encoding="utf-8")
    assert "My own note." in text
    assert "No longer ratified" in text


def test_a_ratified_secret_is_not_rendered(
    vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7" + "bC0eF3hJ6"
    note = (
        f'---\ntitle: "Token {secret}"\nmemory_id: "mem-1"\ntags: []\ntype: "fact"\n'
        'scopes: ["global"]\nsources: []\ncreated: "2026-10-01T09:00:00Z"\n'
        'updated: "2026-10-01T09:00:00Z"\n'
        'hit_count: 0\nratified:\n  by: "Mira Tal"\n  at: "2026-10-01T09:00:00Z"\n'
        f'  ruling: "rul-1"\n---\n\nThe token is {secret}\n'
    )
    (vault / "knowledge").mkdir(exist_ok=True)
    (vault / "knowledge" / "mem-1.md").write_text(note)
    for flags in ((), ("--json",)):
        outcome = proofstone("render", vault, "--into", tmp_path / "CLAUDE.md", *flags)
        assert "holds a secret" in outcome.out
        assert secret not in (tmp_path / "CLAUDE.md").read_text() + outcome.out
