"""Every sample store is recognised, read whole, accounted for, and left as it is."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from proofstone.domain.records import Durability, Layer, ProposalStatus, Standing, TrustClass
from proofstone.stores import StoreContents, Subject
from proofstone.stores.companion import companion_folder
from proofstone.stores.detect import UnknownStoreError, detect

SAMPLES = Path(__file__).parents[1] / "data" / "stores"

KINDS = {
    "pi": "pi",
    "claude-memory": "claude-memory",
    "instructions": "instructions",
    "instructions/AGENTS.md": "instructions",
    "codex": "codex-memories",
    "hermes": "hermes",
    "hermes/USER.md": "hermes",
    "basic-memory": "notes",
    "obsidian": "notes",
    "cursor/rules": "cursor-rules",
    "cursor/rules/always.mdc": "cursor-rules",
    "mcp/memory.jsonl": "mcp-memory",
    "mem0/export.json": "mem0",
    "mem0/payloads.jsonl": "mem0",
    "letta/agent.af": "letta",
    "letta/older.af": "letta",
}

WRITABLE = ("pi", "claude-memory")


def read(name: str) -> StoreContents:
    return detect(SAMPLES / name).read()


def statements(contents: StoreContents) -> dict[str, str]:
    """The words of all memories by their place."""
    return {
        str(contents.places[memory.memory_id]): memory.statement
        for memory in contents.holdings.memories
    }


def problems(contents: StoreContents) -> set[tuple[str, str, int | None]]:
    return {(one.code, one.path, one.line) for one in contents.problems}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_samples_are_recognised_and_read_without_a_trace(
    name: str, kind: str, tmp_path: Path
) -> None:
    top = name.split("/")[0]
    shutil.copytree(SAMPLES / top, tmp_path / top)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    store = detect(tmp_path / name)
    contents = store.read()
    assert store.kind == kind
    assert contents.holdings.memories
    assert contents == store.read()
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.parametrize("name", KINDS)
def test_every_record_has_its_own_id_place_and_words(name: str) -> None:
    contents = read(name)
    held = contents.holdings
    ids = [m.memory_id for m in (*held.memories, *held.history)]
    ids += [p.proposal_id for p in held.proposals]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(contents.places)
    for subject in (*held.memories, *held.proposals):
        assert subject.statement.strip()
        assert subject.title
        assert subject.content_hash == hashlib.sha256(subject.statement.encode()).hexdigest()
    for memory in held.memories:
        assert memory.ratified is None


@pytest.mark.parametrize("name", [name for name in KINDS if name not in WRITABLE])
def test_what_a_store_cannot_do_is_said_in_words(name: str) -> None:
    store = detect(SAMPLES / name)
    reason = store.capabilities.refusal(Subject.MEMORY, "ratify")
    assert store.name in reason
    assert "proofstone import" in reason


def test_pi_records() -> None:
    contents = read("pi")
    memories = {memory.memory_id: memory for memory in contents.holdings.memories}
    rope = memories["mem_20261002_rope"]
    assert rope.statement == "Build the harbor image with podman, not docker."
    assert rope.applies_when == ("building locally",)
    assert rope.does_not_apply_when == ("publishing a release",)
    assert rope.known_exceptions == ("the CI runner has docker only",)
    assert rope.evidence == ("ev_1a2b", "mem_20261002_rope#evidence-1")
    assert rope.review is not None
    assert rope.review.cadence_days == 30
    assert rope.rule_type == "prefer_pattern"
    assert rope.profile == "project:harbor"
    assert memories["mem_20260901_keel"].layer is Layer.L1
    assert memories["mem_20261003_tide"].standing is Standing.CONTESTED
    assert memories["mem_20261006_fog"].scopes == ("domain:release", "domain:testing")
    assert memories["mem_20261009_sail"].scopes == ("project:Harbor Web",)
    history = {memory.memory_id: memory for memory in contents.holdings.history}
    assert history["mem_20260910_oars"].active_memory_id == "mem_20261002_rope"
    assert history["mem_20261008_gone"].standing is Standing.DELETED
    assert all(memory.is_history for memory in history.values())


def test_pi_candidates_wait_until_a_patch_is_applied() -> None:
    proposals = {p.proposal_id: p for p in read("pi").holdings.proposals}
    assert {name: p.status for name, p in proposals.items()} == {
        "cap_20261010_knot": ProposalStatus.OPEN,
        "cap_20261010_buoy": ProposalStatus.OPEN,
        "cap_20261011_mast": ProposalStatus.DISMISSED,
        "cap_20261012_deck": ProposalStatus.RATIFIED,
        "cap_20261013_hull": ProposalStatus.OPEN,
        "cap_20261015_odd": ProposalStatus.OPEN,
        "meta_9f8e7d6c5b4a": ProposalStatus.OPEN,
    }
    buoy = proposals["cap_20261010_buoy"]
    assert buoy.supersedes == ("mem_20261002_rope",)
    assert buoy.tags == ("tooling",)
    assert buoy.trust_class is TrustClass.DIRECT_USER_INSTRUCTION
    assert buoy.durability_signal is Durability.PROJECT
    assert proposals["cap_20261015_odd"].trust_class is None
    identity = proposals["meta_9f8e7d6c5b4a"]
    assert identity.layer is Layer.L1
    assert identity.l1_sources == ("mem_20261002_rope", "mem_20261009_sail")
    assert identity.counterexamples == ("mem_20261003_tide", "inq_77")


def test_pi_lines_that_cannot_be_read_are_problems_with_their_line() -> None:
    contents = read("pi")
    assert problems(contents) == {
        ("unknown_value", "memory/evidence.jsonl", 3),
        ("incomplete_record", "memory/tombstones.jsonl", 2),
        ("incomplete_record", "memory/L2.playbooks.jsonl", 4),
        ("unreadable_line", "memory/L2.playbooks.jsonl", 5),
        ("same_id", "memory/L2.playbooks.jsonl", 10),
        ("unreadable_file", "patches/patch_202610140900.json", None),
        ("unreadable_line", "inbox/captured.jsonl", 6),
        ("incomplete_record", "inbox/captured.jsonl", 7),
        ("unknown_value", "inbox/captured.jsonl", 8),
    }
    unknown = next(e for e in contents.holdings.evidence if e.evidence_id == "ev_5e6f")
    assert unknown.trust_class is TrustClass.THIRD_PARTY_DOCUMENTATION
    assert [stone.deleted_id for stone in contents.holdings.tombstones] == ["mem_20261008_gone"]
    assert [one.concerns for one in contents.holdings.inquiries] == [("mem_20261003_tide",)]
    assert "patches/patch_202610130900.json" in {left.path for left in contents.left_out}


def test_pi_places_name_the_line_and_the_hash_of_its_bytes() -> None:
    place = read("pi").places["mem_20261006_fog"]
    raw = (SAMPLES / "pi/memory/L2.playbooks.jsonl").read_bytes().split(b"\n")[6]
    assert (place.line, place.digest) == (7, hashlib.sha256(raw).hexdigest())


def test_claude_folder_reads_both_headers_and_checks_the_index() -> None:
    contents = read("claude-memory")
    memories = {memory.path: memory for memory in contents.holdings.memories}
    assert memories["user_role.md"].title == "Rosa's role"
    assert memories["user_role.md"].tags == ("user",)
    commits = memories["feedback_commits.md"]
    assert commits.statement.split("\n")[0] == "Keep commits to one concern."
    assert "\r" not in commits.statement
    assert commits.updated == "2026-10-04T19:07:18.393Z"
    assert commits.kind == "constraint"
    assert memories["project_deploy_ko.md"].statement == "배포하기 전에 스모크 테스트를 돌린다."
    assert memories["reference_unlinked.md"].keywords == (
        "note: the index never mentions this one",
    )
    assert problems(contents) == {
        ("unreadable_file", "latin1.md", 2),
        ("faulty_header", "project_deploy_ko.md", 3),
        ("faulty_header", "reference_unlinked.md", 3),
        ("dangling_link", "MEMORY.md", 6),
        ("dangling_link", "MEMORY.md", 8),
        ("unlinked_topic", "empty.md", None),
        ("unlinked_topic", "latin1.md", None),
        ("unlinked_topic", "no_header.md", None),
        ("unlinked_topic", "reference_unlinked.md", None),
    }


@pytest.mark.parametrize(
    ("lines", "width", "line"), [(201, 40, 201), (150, 300, None)], ids=["lines", "bytes"]
)
def test_an_index_beyond_what_is_loaded_is_a_problem(
    lines: int, width: int, line: int | None, tmp_path: Path
) -> None:
    folder = tmp_path / ".claude" / "memory"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("words\n")
    (folder / "MEMORY.md").write_text(f"- [A](a.md) — {'x' * width}\n" * lines)
    assert ("index_too_long", "MEMORY.md", line) in problems(detect(folder).read())


def test_a_large_topic_is_read_and_told(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "memory"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("long " * 6_000)
    contents = detect(folder).read()
    assert len(contents.holdings.memories) == 1
    assert problems(contents) == {
        ("large_topic", "a.md", None),
        ("missing_index", "MEMORY.md", None),
    }


def test_instructions_are_cut_where_a_person_would() -> None:
    contents = read("instructions")
    assert statements(contents) == {
        "CLAUDE.md:3": "The harbor service serves tide tables.",
        "CLAUDE.md:9": "Build: `make image`",
        "CLAUDE.md:10": "Test: `make test`\n- one package: `make test PKG=tide`",
        "CLAUDE.md:13": "Run the whole suite before a release:\n\n```sh\n# not a heading\n"
        "make release-check\n```",
        "CLAUDE.md:25": "Four spaces, never tabs.",
        "CLAUDE.md:26": "Wrap at\nninety columns.",
        "CLAUDE.md:29": "Written in\n1984. This is no list.",
        "CLAUDE.md:32": "| file | what |\n|------|------|\n| a.go | entry |",
        "AGENTS.md:3": "提交前运行测试。",
        "AGENTS.md:4": "Never push to main.",
    }
    assert {(left.path, left.line) for left in contents.left_out} == {
        ("CLAUDE.md", 5),
        ("CLAUDE.md", 23),
        ("CLAUDE.md", 36),
        ("CLAUDE.md", 41),
    }


def test_a_link_between_instruction_files_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("- One rule.\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert [m.statement for m in detect(tmp_path).read().holdings.memories] == ["One rule."]


def test_codex_statements_know_what_they_apply_to() -> None:
    contents = read("codex")
    assert set(statements(contents)) == {
        "MEMORY.md:17",
        "MEMORY.md:21",
        "MEMORY.md:25",
        "MEMORY.md:33",
        "memory_summary.md:5",
        "memory_summary.md:9",
        "memory_summary.md:13",
    }
    tides = next(m for m in contents.holdings.memories if m.anchor == "MEMORY.md:33")
    assert tides.applies_when == (
        "scope: reading tide data",
        "applies_to: cwd=/home/rosa/tides; reuse_rule=verify first",
    )


def test_hermes_entries() -> None:
    assert statements(read("hermes")) == {
        "MEMORY.md:1": "This machine has podman and no docker.",
        "MEMORY.md:3": "The tide API answers slowly at noon.\nRetry once.",
        "MEMORY.md:8": "This machine has podman and no docker.",
        "USER.md:1": "Rosa prefers short answers.",
        "USER.md:3": "用户用中文写周报。",
    }


def test_notes_give_observations_and_prose() -> None:
    contents = read("basic-memory")
    assert statements(contents) == {
        "projects/Tide Service.md:13": "Tide Service: Use SQLite for the cache #storage",
        "projects/Tide Service.md:14": (
            "Tide Service: Stations are keyed by their BSH number (since 2024)"
        ),
        "projects/Tide Service.md:10": "Serves tables to the quay displays.\n\n"
        "- [ ] an open task is no observation\n- [x] nor is a done one",
    }
    kinds = [memory.kind for memory in contents.holdings.memories]
    assert kinds == ["decision", "fact", ""]
    assert ("only_relations.md", None) in {(x.path, x.line) for x in contents.left_out}
    obsidian = read("obsidian")
    assert set(statements(obsidian)) == {"Harbor rules.md:6", "daily/2026-10-01.md:1"}
    assert problems(obsidian) == {("faulty_header", "Harbor rules.md", 4)}


def test_cursor_globs_that_are_no_yaml_are_read() -> None:
    contents = read("cursor/rules")
    assert contents.problems == ()
    rules = {memory.anchor: memory.applies_when for memory in contents.holdings.memories}
    assert rules == {
        "always.mdc:6": (),
        "no_header.mdc:1": (),
        "typescript.mdc:9": (
            "working on files that match **/*.ts, **/*.tsx",
            "How TypeScript is written here",
        ),
        "typescript.mdc:10": (
            "working on files that match **/*.ts, **/*.tsx",
            "How TypeScript is written here",
        ),
    }


def test_graph_export_and_agent_files() -> None:
    graph = read("mcp/memory.jsonl")
    assert [memory.statement for memory in graph.holdings.memories] == [
        "Rosa (person): Runs the harbor",
        "Rosa (person): Writes Go",
        "Rosa works_at Quay",
    ]
    assert {line for _, _, line in problems(graph)} == {4, 5, 6, 7}
    export = read("mem0/export.json")
    assert [memory.memory_id for memory in export.holdings.memories] == ["mem0-0f3c", "mem0-1a2b"]
    assert export.holdings.memories[1].valid_to == "2026-10-31"
    assert statements(read("mem0/payloads.jsonl")) == {"payloads.jsonl:1": "Rosa sails on Sundays"}
    agent = read("letta/agent.af")
    assert statements(agent) == {"agent.af#block-0": "Rosa runs the harbor.\nShe writes Go."}
    assert agent.holdings.memories[0].title == "Harbor human"
    assert statements(read("letta/older.af")) == {
        "older.af#persona": "I keep the log of the harbor."
    }


def test_paths_that_are_no_store_are_refused_in_one_line(tmp_path: Path, demo_vault: Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"\0\1")
    for path, says in (
        (tmp_path / "missing", "nothing here"),
        (tmp_path / "data.bin", "no store that is known here"),
        (demo_vault, "is a vault itself"),
    ):
        with pytest.raises(UnknownStoreError, match=says) as caught:
            detect(path)
        assert "\n" not in str(caught.value)


def test_ids_do_not_depend_on_where_a_store_lies_or_on_lines_above(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "instructions", tmp_path / "moved")
    file = tmp_path / "moved" / "AGENTS.md"
    file.write_bytes(file.read_bytes().replace(b"# Agents", b"# Agents\r\n\r\n\r\n"))
    here = {m.memory_id for m in read("instructions").holdings.memories}
    there = {m.memory_id for m in detect(tmp_path / "moved").read().holdings.memories}
    assert here == there


def test_the_companion_folder_is_outside_the_store_and_its_own(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "link").symlink_to("store")
    state = tmp_path / "state"
    folder = companion_folder(tmp_path / "store", state)
    assert folder == companion_folder(tmp_path / "link", state)
    assert folder != companion_folder(tmp_path, state)
    assert folder.is_relative_to(state / "stores")
    assert not folder.exists()
