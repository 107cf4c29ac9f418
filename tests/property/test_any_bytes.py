"""Whatever bytes stand in a file, every reader gives its answer or its own error, and no other."""

from __future__ import annotations

import contextlib
import shutil

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from proofstone.curation.check import check
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.filters import FilterError
from proofstone.domain.filters import parse as parse_filter
from proofstone.domain.gate_contract import check_response
from proofstone.domain.gate_types import GateAnswer, GateRefusal
from proofstone.domain.plan import NoteKind
from proofstone.resources import resource_dir
from proofstone.vault.frontmatter import parse
from proofstone.vault.gate_store import GateRecordError, read_gate
from proofstone.vault.inbox import parse_inbox
from proofstone.vault.journal import Journal
from proofstone.vault.journal_check import verify_files, verify_journal
from proofstone.vault.layout import JOURNAL, PROCESSED, SETTINGS
from proofstone.vault.note_writer import NoteEditError, NoteValueError, edit_note
from proofstone.vault.processed import read_processed
from proofstone.vault.records import read_record
from proofstone.vault.settings import SettingsError, read_settings
from proofstone.vault.tool_evidence import CapturePolicy, read_policy
from tests.conftest import NOW

DEMO = resource_dir("demo-vault")
MANY = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SOME = settings(MANY, max_examples=30)
SPOILERS = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n---\n", b"{", b"[", b'"'),
    *(b"\\ud800", b"*a", b"&a ", b"!!python/object:os.system ", b": ", b"\t", b"- ", b"1e999"),
    *(b"<!-- memleaf:event:v2 -->\n", b"<!-- memleaf:event-end -->\n", b"<<<<<<< x\n", b"NaN"),
    *(b"9" * 500, b"[" * 2000),
)


@st.composite
def spoilt(draw: st.DrawFn, folder: str, pattern: str) -> bytes:
    """A file of the demo vault with pieces cut, put in, doubled or overwritten; or plain bytes."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=300))
    data = draw(st.sampled_from(sorted((DEMO / folder).glob(pattern)))).read_bytes()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.integers(0, 40)))
        match draw(st.sampled_from(["cut", "put", "double", "over"])):
            case "cut":
                data = data[:at] + data[to:]
            case "put":
                data = data[:at] + draw(st.sampled_from(SPOILERS)) + data[at:]
            case "double":
                data = data[:to] + data[at:]
            case "over":
                data = data[:at] + draw(st.binary(max_size=8)) + data[to:]
    return data


NOTES = st.one_of(
    spoilt("knowledge", "*.md"), spoilt("proposals", "*.md"), spoilt("evidence", "*.md"),
    spoilt("history", "*.md"), spoilt("tombstones", "*.md"), spoilt("inquiries", "*.md"),
)  # fmt: skip


@MANY
@given(data=NOTES, kind=st.sampled_from(list(NoteKind)))
def test_the_note_reader_gives_a_record_or_says_why_not(data: bytes, kind: NoteKind) -> None:
    record, problems = read_record(kind, parse(data), "knowledge/x.md", "0" * 64)
    assert record is not None or len(problems) == 1
    for problem in problems:
        assert problem.message
        assert (
            problem.line is None or 1 <= problem.line <= data.count(b"\n") + data.count(b"\r") + 2
        )


@MANY
@given(data=NOTES, value=st.text(max_size=20) | st.lists(st.text(max_size=5)).map(tuple))
def test_the_note_editor_changes_one_key_or_refuses(
    data: bytes, value: str | tuple[str, ...]
) -> None:
    before = parse(data)
    try:
        edited = edit_note(data, {"title": value})
    except (NoteEditError, NoteValueError) as error:
        assert str(error)
        return
    after = parse(edited)
    unchanged = {key: held for key, held in before.fields.items() if key != "title"}
    assert {key: held for key, held in after.fields.items() if key != "title"} == unchanged or any(
        held != held for held in unchanged.values()
    )
    assert after.body == before.body


@MANY
@given(data=spoilt("inbox", "*/*.md"))
@example(data=b"<!-- memleaf:event:v2 -->\n" + b"[" * 5000)
def test_the_inbox_reader_gives_events_and_problems(data: bytes) -> None:
    inbox = parse_inbox(data, "codex", "s", "inbox/codex/s.md", CapturePolicy())
    starts = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    assert len(inbox.events) <= starts.count(b"<!-- memleaf:event:v2 -->")
    assert all(problem.message for problem in inbox.problems)


@MANY
@given(data=spoilt("gate", "*/*/*.json"))
@example(data=b"[" * 100_000)
def test_the_gate_reader_and_parser_accept_or_refuse(data: bytes) -> None:
    with contextlib.suppress(GateRecordError):
        assert read_gate(data, "gate/a/b/1.json").turn
    checked = check_response(data.decode("utf-8", "surrogateescape"), turn_event_keys=[], units=[])
    assert isinstance(checked, (GateAnswer, GateRefusal))


@MANY
@given(data=spoilt("_state", "processed.json") | spoilt(".", "*.yaml"))
def test_settings_and_memleafs_state_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(SettingsError):
        read_settings(data)
    with contextlib.suppress(ValueError):
        read_policy(data)
    _, problems = read_processed(data)
    assert all(problem.message for problem in problems)


@MANY
@given(data=spoilt("_state/proofstone", "journal.jsonl"))
def test_the_journal_reader_reads_what_is_whole(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("journal")
    (root / JOURNAL).parent.mkdir(parents=True)
    (root / JOURNAL).write_bytes(data)
    journal = Journal(root)
    entries = journal.read()
    tail = journal.tail()
    assert tail.whole <= tail.size == len(data)
    assert len(entries) <= data.count(b"\n")
    assert all(problem.message for problem in (*verify_journal(root), *verify_files(root)))


WORDS = st.sampled_from(
    [
        *("layer:", "L1", "risk:high", "-", "not", "(", ")", "or", '"', " ", "state:", "age:>"),
        *("3d", "\0", "周", "\ud800", "tag:*", "::", "match:", "\u202e"),
    ]
)


@MANY
@given(text=st.text(max_size=40) | st.lists(WORDS, max_size=8).map("".join))
def test_the_filter_language_parses_or_says_what_is_wrong(text: str) -> None:
    try:
        parse_filter(text)
    except FilterError as error:
        assert str(error)


@SOME
@given(room=st.sampled_from(["knowledge", "proposals", "evidence"]), data=NOTES)
def test_a_whole_vault_opens_and_is_checked_whatever_one_note_holds(
    room: str, data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("any") / "vault"
    shutil.copytree(DEMO, root)
    (root / room / "spoilt.md").write_bytes(data)
    context = Context(clock=lambda: NOW, author="Mira Tal", via="cli")
    workspace = Workspace.open(root, context)
    intact = Workspace.open(DEMO, context)
    known = {memory.path for memory in intact.holdings.memories}
    assert known <= {memory.path for memory in workspace.holdings.memories}
    assert len(workspace.queue) >= len(intact.queue) - 1
    check(workspace)
    assert (root / room / "spoilt.md").read_bytes() == data


@SOME
@given(data=st.data(), path=st.sampled_from([SETTINGS, PROCESSED, "config.yaml", JOURNAL]))
def test_a_whole_vault_opens_or_says_why_not_whatever_a_state_file_holds(
    data: st.DataObject, path: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("any") / "vault"
    shutil.copytree(DEMO, root)
    folder, _, name = path.rpartition("/")
    (root / path).write_bytes(data.draw(spoilt(folder or ".", name)))
    context = Context(clock=lambda: NOW, author="Mira Tal", via="cli")
    try:
        workspace = Workspace.open(root, context)
    except ProofstoneError as error:
        assert "\n" not in str(error)
        return
    assert len(workspace.holdings.memories) == 18
    check(workspace)
