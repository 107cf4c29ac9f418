"""Names and texts made to escape: they stay in their rooms, and reach a terminal as data."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from proofstone.curation.check import check
from proofstone.curation.rulings import rule
from proofstone.curation.show import KINDS
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange, NoteKind, NoteRef
from proofstone.domain.rulings import Choices, RulingRefused
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.journal import seal
from proofstone.vault.layout import (
    JOURNAL,
    OBJECTS,
    ROOMS,
    UnsafeNameError,
    gate_path,
    inbox_path,
    note_path,
)
from proofstone.vault.note_writer import NoteValueError, new_note
from proofstone.vault.objects import make_object
from proofstone.vault.transaction import write_files
from proofstone.vault.vault import Vault
from tests.conftest import Outcome, Proofstone, contents

# What no line of plain output and no JSON may hold as it is: controls of both sets, invisible and
# direction-changing characters, tag characters, half characters.
RAW = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
HOSTILE = (
    "../../outside",
    "..\\..\\outside",
    "/etc/passwd",
    "C:\\outside",
    "a/../../b",
    "con",
    "NUL.md",
    "com1",
    ".hidden",
    "ends.",
    " spaced ",
    "",
    ".",
    "..",
    "a\0b",
    "a\nb",
    "a\x1b[2Jb",
    "a\x9bb",
    "mem-\u202egpj.exe",
    "zero\u200bwidth",
    "tags\U000e0041",
    "half\ud800",
    "a:b",
    "what?",
    "x" * 500,
)
_SPICE = st.sampled_from(
    [
        *("\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\u202e", "\u2066", "\u200b", "\U000e0041"),
        *(
            "\r",
            "\n",
            "\t",
            "\x7f",
            "\x00",
            "\u2028",
            "\ufeff",
            "\ud800",
            "[bold red]",
            "%s",
            "{0}",
        ),
        *("e" + "\u0301" * 6, "🍵", "周报", "שלום", '"', "\\", "---", "../"),
    ]
)
TEXTS = st.lists(st.one_of(_SPICE, st.text(max_size=8)), max_size=6).map("".join)
FIELDS = ("statement", "title", "scope", "evidence", "note", "source", "kind")
SEVERAL = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_id_becomes_a_path_outside_its_room(name: str) -> None:
    for kind, room in ROOMS.items():
        with pytest.raises(UnsafeNameError) as refused:
            note_path(NoteRef(kind, name))
        assert not RAW.search(str(refused.value)), room
    with pytest.raises(UnsafeNameError):
        inbox_path(name, "session")
    with pytest.raises(UnsafeNameError):
        inbox_path("source", name)
    path = gate_path(name, name, 1, "0" * 64)
    assert re.fullmatch(r"gate/[^/]+/[^/]+/0001-0{12}\.json", path)
    assert not RAW.search(path)
    assert ".." not in path.split("/")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_proposal_with_a_hostile_id_is_shown_and_writes_nothing_elsewhere(
    name: str, tmp_path: Path, proofstone: Proofstone
) -> None:
    root = hostile_vault(tmp_path, proposal_id=name)
    outside = contents(tmp_path, ["vault/"])
    printed(proofstone, root)
    view = Workspace.open(root, Workspace.open(root, _context()).context)
    for proposal_id in list(view.proposals):
        for action, reason in (("ratify", "so"), ("tombstone", "poisoned"), ("defer", "later")):
            try:
                rule(view.reload(), action, [proposal_id], Choices(reason=reason))
            except (ProofstoneError, RulingRefused) as error:
                assert str(error)
    assert contents(tmp_path, ["vault/"]) == outside
    rooms = {*ROOMS.values(), "_state/proofstone", "_state", "_state/proofstone/objects"}
    found = {path.rpartition("/")[0] for path in contents(root)}
    assert found <= rooms | {""}
    assert all("/" not in path.name and not RAW.search(path.name) for path in root.rglob("*"))


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md", "knowledge/../../outside.md", "/etc/outside", "knowledge//x.md",
        "knowledge/./x.md", "knowledge\\..\\x.md", "_state/processed.json", "_state/vault.lock",
        "config.yaml", "README.md", "knowledge", "elsewhere/x.md", "knowledge/x\0.md", "",
    ],
)  # fmt: skip
def test_no_write_reaches_a_path_that_rulings_do_not_own(path: str, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    (root / "knowledge").mkdir(parents=True)
    before = contents(tmp_path)
    with pytest.raises(VaultWriteError) as refused:
        write_files(root, [FileChange(path=path, before=None, after=b"x")])
    assert "\n" not in str(refused.value)
    assert contents(tmp_path, ["vault/_state"]) == before


def test_links_to_folders_and_badly_named_folders_are_named(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    (root / "knowledge").mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "note.md").write_bytes(b"---\ntitle: x\n---\n\nx\n")
    (root / "knowledge/linked").symlink_to(outside)
    (root / "knowledge/file.txt").symlink_to(outside / "note.md")
    told = {problem.path: problem.message for problem in Vault(root).read().problems}
    assert list(told) == ["knowledge/linked"]
    assert "link" in told["knowledge/linked"]
    try:
        folder = Path(os.fsdecode(bytes(root / "knowledge") + b"/caf\xe9"))
        folder.mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (folder / "note.md").write_bytes(b"---\ntitle: x\n---\n\nx\n")
    told = {problem.path: problem.message for problem in Vault(root).read().problems}
    assert "UTF-8" in told["knowledge/caf\\udce9"]


def test_badly_named_files_do_not_stop_any_listing(tmp_path: Path, proofstone: Proofstone) -> None:
    root = hostile_vault(tmp_path, statement="fine")
    names = (b"caf\xe9.md", b"a\x1b[2Jb.md", "\u202egnp.md".encode(), b"new\nline.md")
    try:
        for name in names:
            Path(os.fsdecode(bytes(root / "knowledge") + b"/" + name)).write_bytes(b"no header")
    except OSError:
        pytest.skip("this file system takes other names only")
    printed(proofstone, root)
    assert len(proofstone("show", "problems", root, "--json").items) >= len(names)


@SEVERAL
@given(**dict.fromkeys(FIELDS, TEXTS))
@example(**dict.fromkeys(FIELDS, "\x1b[31m\u202e\x9b\U000e0041\ud800"))
def test_no_field_of_a_proposal_reaches_the_terminal_raw(
    statement: str,
    title: str,
    scope: str,
    evidence: str,
    note: str,
    source: str,
    kind: str,
    tmp_path_factory: pytest.TempPathFactory,
    proofstone: Proofstone,
) -> None:
    fields = {
        "title": title,
        "scopes": (scope,),
        "evidence": (evidence,),
        "deferred": {"reason": "later", "note": note},
        "source": source,
        "kind": kind,
        "anchor": note,
        "stale_if": source,
        "proof_hint": kind,
    }
    root = hostile_vault(tmp_path_factory.mktemp("hostile"), statement=statement, **fields)
    shown = printed(proofstone, root)
    (item,) = shown["proposals"].items
    held = Workspace.open(root, _context()).proposals[item["proposal_id"]]
    assert item["statement"] == held.statement
    assert tuple(item["scopes"]) == held.scopes


@SEVERAL
@given(reason=TEXTS, author=TEXTS)
@example(reason="\x1b[2J\u202e\ud800", author="\x9bMira\u200b")
def test_no_word_of_a_ruling_reaches_the_terminal_raw(
    reason: str, author: str, tmp_path_factory: pytest.TempPathFactory, proofstone: Proofstone
) -> None:
    root = hostile_vault(tmp_path_factory.mktemp("hostile"), statement="Tea is green.")
    ruling = ("rule", "ratify", root, "prop-x", "--reason", reason, "--as", author or "M")
    harmless(proofstone(*ruling, "--dry-run", code=None))
    harmless(proofstone(*ruling, code=None))
    logged = harmless(proofstone("log", root, "--json"))
    harmless(proofstone("log", root))
    if logged.items:
        assert logged.items[0]["reason"] == reason
    harmless(proofstone("undo", root, code=None))


@SEVERAL
@given(words=st.lists(TEXTS.filter(lambda text: not text.startswith("-")), min_size=1, max_size=4))
@example(words=["show", "units", "\x1b[2J"])
@example(words=["\ud800\u202e"])
def test_no_argument_is_echoed_raw(words: list[str], proofstone: Proofstone) -> None:
    refused = proofstone(*(word.replace("\0", "") for word in words), code=None)
    harmless(refused)
    assert "Traceback" not in refused.err


def hostile_vault(
    folder: Path, *, proposal_id: str = "prop-x", statement: str = "Tea is green.", **fields: Any
) -> Path:
    """A vault with one waiting proposal, in a file of an ordinary name."""
    root = folder / "vault"
    (root / "proposals").mkdir(parents=True)
    (root / "knowledge").mkdir()
    keys = {
        "proposal_id": proposal_id,
        "status": "open",
        "origin": "capture",
        "layer": "L2",
        **fields,
    }
    path = root / "proposals/prop-x.md"
    try:
        path.write_bytes(new_note(keys, statement))
    except NoteValueError:
        # By our own writer such a note cannot be made; by hand, with JSON's escapes, it can.
        lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in keys.items())
        body = statement.replace("\0", "").encode("utf-8", "replace")
        path.write_bytes(f"---\n{lines}---\n\n".encode() + body + b"\n")
    return root


def printed(proofstone: Proofstone, root: Path) -> dict[str, Outcome]:
    """Every listing of the vault in both forms, harmless; the JSON ones by kind."""
    shown: dict[str, Outcome] = {}
    for kind in KINDS:
        harmless(proofstone("show", kind, root))
        shown[kind] = harmless(proofstone("show", kind, root, "--json"))
        assert shown[kind].json["schema"] == f"proofstone/{kind}/1"
    harmless(proofstone("check", root, code=None))
    json.loads(harmless(proofstone("check", root, "--json", code=None)).out)
    harmless(proofstone("open", root))
    return shown


def harmless(outcome: Outcome) -> Outcome:
    """``outcome``, when nothing that it printed can act on a terminal or hide in it."""
    assert outcome.code in (0, 1, 2)
    for text in (outcome.out, outcome.err):
        assert not RAW.search(text), repr(RAW.findall(text))
    return outcome


def _context() -> Any:
    from proofstone.curation.context import Context
    from tests.conftest import NOW

    return Context(clock=lambda: NOW, author="Mira Tal", via="cli")


def test_the_kinds_of_note_are_all_tried() -> None:
    assert set(ROOMS) == set(NoteKind)


@pytest.mark.parametrize(
    "name", ["../../precious.txt", "/PRECIOUS", "a/../../../precious.txt", "\ud800", "\0"]
)
@pytest.mark.parametrize("where", ["objects", "path", "purged file", "purged object"])
def test_no_row_of_a_journal_makes_opening_reach_outside(
    name: str, where: str, tmp_path: Path
) -> None:
    """A row that was put in by hand, as of a ruling that was cut short, and what it would undo."""
    root = hostile_vault(tmp_path)
    precious = tmp_path / "precious.txt"
    precious.write_bytes(b"keep")
    name = name.replace("/PRECIOUS", str(precious))
    before_name, after_name = sha256(b"lost").hexdigest(), sha256(b"keep").hexdigest()
    path = name if where == "path" else "knowledge/a.md"
    row: dict[str, Any] = {
        "row": "open", "ruling": "rul-x", "group": "grp-x", "action": "ratify", "seq": 0,
        "previous": "0" * 64, "objects": name if where == "objects" else "0" * 64,
        "changes": [
            {"path": path, "before": before_name, "after": after_name},
            {"path": "knowledge/b.md", "before": None, "after": after_name},
        ],
    }  # fmt: skip
    if where.startswith("purged"):
        kind = "files" if where == "purged file" else "objects"
        row |= {"action": "purge", "purged": {kind: [name], "rows": {}}}
    (root / JOURNAL).parent.mkdir(parents=True)
    (root / JOURNAL).write_bytes(seal(row)[0])
    outside = contents(tmp_path, ["vault/"])
    workspace = Workspace.open(root, _context())
    assert contents(tmp_path, ["vault/"]) == outside
    assert "journal_row_changed" in {problem.code for problem in check(workspace)}


def test_a_linked_index_is_not_emptied_through_the_link(tmp_path: Path) -> None:
    root = hostile_vault(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_bytes(b"keep")
    (root / "_index").symlink_to(outside)
    stored = make_object("grp-x", [])
    row = {
        "row": "open", "ruling": "rul-x", "group": "grp-x", "action": "purge", "seq": 0,
        "previous": "0" * 64, "objects": stored.name, "changes": [],
        "purged": {"files": ["_index/precious.txt"], "objects": [], "rows": {}},
    }  # fmt: skip
    (root / OBJECTS).mkdir(parents=True)
    (root / OBJECTS / stored.name).write_bytes(stored.data)
    (root / JOURNAL).write_bytes(seal(row)[0])
    opened = Workspace.open(root, _context())
    assert "recovered_ruling" in {problem.code for problem in opened.problems}
    assert (outside / "precious.txt").read_bytes() == b"keep"
