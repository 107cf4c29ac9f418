"""``gate run``, ``gate view`` and ``gate verify`` from the command line."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from proofstone.curation import gate, gate_view
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from tests.conftest import Proofstone, contents
from tests.gate import models, server

TURN = "claude-code/atlas-load#4"
STORES = Path(__file__).parents[1] / "data" / "stores"
INBOX = "inbox/claude-code/atlas-load.md"


def endpoint_options(endpoint: server.Endpoint) -> tuple[str, ...]:
    return ("--base-url", endpoint.base_url, "--model", "loopback-1")


def answered(demo_vault: Path, proofstone: Proofstone, reply: server.Reply) -> None:
    with server.serving(reply) as endpoint:
        proofstone("gate", "run", demo_vault, *endpoint_options(endpoint))


def replace_in(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def replace_once(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_a_run_asks_about_what_was_never_answered(demo_vault: Path, proofstone: Proofstone) -> None:
    with server.serving(server.streamed(models.good)) as endpoint:
        outcome = proofstone("gate", "run", demo_vault, *endpoint_options(endpoint))
    assert outcome.out.splitlines() == [
        f"[1/1] {TURN}: accepted: 1 proposal waiting",
        "1 accepted; 1 new proposal",
    ]
    assert outcome.err == ""
    again = proofstone("gate", "run", demo_vault, *endpoint_options(endpoint))
    assert again.out == "no turn waits for the Gate\n"


def test_a_run_as_json(demo_vault: Path, proofstone: Proofstone) -> None:
    with server.serving(server.whole(models.partial_again)) as endpoint:
        outcome = proofstone("gate", "run", demo_vault, *endpoint_options(endpoint), "--json")
    assert outcome.json["schema"] == "proofstone/gate-run/1"
    (item,) = outcome.items
    assert len(item["proposals"]) == 1
    assert len(item["missing_unit_ids"]) == 1
    assert (item["turn"], item["outcome"], item["correction"]) == (TURN, "accepted", "accepted")
    assert (item["why"], item["refusal"], item["withheld"]) == ("", None, [])


@pytest.mark.parametrize(
    ("replies", "code", "says"),
    [
        ((server.whole(models.fenced),), 1, "refused: invalid_json"),
        ((server.status(500),), 2, "failed: the endpoint failed (HTTP 500)"),
        ((server.whole(models.partial), server.whole("")), 1, "correction refused: empty_content"),
        ((server.whole(models.partial), server.cut_in_the_body), 2, "correction failed: the conn"),
    ],
)
def test_how_a_run_ends(
    demo_vault: Path,
    proofstone: Proofstone,
    replies: tuple[server.Reply, ...],
    code: int,
    says: str,
) -> None:
    with server.serving(*replies) as endpoint:
        outcome = proofstone(
            "gate", "run", demo_vault, TURN, *endpoint_options(endpoint), code=code
        )
    assert says in outcome.out
    assert "Traceback" not in outcome.err


def test_what_cannot_be_asked_is_one_line(demo_vault: Path, proofstone: Proofstone) -> None:
    common = ("gate", "run", demo_vault)
    for rest in (
        ("codex/none#1", "--base-url", "http://127.0.0.1:1", "--model", "m"),
        ("--base-url", "nowhere", "--model", "m"),
        ("--base-url", "http://127.0.0.1:1", "--model", "m", "--limit", "0"),
        ("--base-url", "http://127.0.0.1:1", "--model", "m", "--timeout", "0"),
        ("--base-url", "http://127.0.0.1:1"),
    ):
        outcome = proofstone(*common, *rest, code=2)
        assert outcome.out == ""
        assert outcome.err.startswith("proofstone: ") and outcome.err.count("\n") == 1


def test_endpoint_and_model_may_be_settings(
    demo_vault: Path,
    proofstone: Proofstone,
    own_settings: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server.serving(server.whole(models.good)) as endpoint:
        text = f"base_url: {endpoint.base_url}\nmodel: of-the-file\n"
        (own_settings / "gate.yaml").write_text(text, encoding="utf-8")
        monkeypatch.setenv("PROOFSTONE_GATE_MODEL", "of-the-environment")
        proofstone("gate", "run", demo_vault)
    (request,) = endpoint.requests
    assert request.body["model"] == "of-the-environment"


@pytest.mark.parametrize("store", ["pi", "claude-memory"])
def test_other_programs_stores_have_no_turns_to_ask_about(
    proofstone: Proofstone, tmp_path: Path, store: str
) -> None:
    path = tmp_path / store
    shutil.copytree(STORES / store, path)
    before = contents(path)
    options = ("--base-url", "http://127.0.0.1:1", "--model", "m")
    for rest in ((), ("--again",), ("a/b#1",)):
        outcome = proofstone("gate", "run", path, *rest, *options, code=2)
        assert "the Gate needs a Proofstone vault" in outcome.err
        assert outcome.err.count("\n") == 1
    assert contents(path) == before


def test_without_httpx_one_line_says_how_to_install_it(
    demo_vault: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    monkeypatch.delitem(sys.modules, "proofstone.gate.client", raising=False)
    options = ("--base-url", "http://127.0.0.1:1", "--model", "m")
    outcome = proofstone("gate", "run", demo_vault, *options, code=2)
    assert outcome.err == (
        "proofstone: asking a model needs httpx; install it with: pip install 'proofstone[gate]'\n"
    )


def test_other_gate_commands_load_no_network_library() -> None:
    script = (
        "import sys; from proofstone.cli.main import run; code = run(['gate', '--help'])\n"
        "sys.exit(code or sorted({'httpx', 'asyncio', 'ssl', 'textual'} & set(sys.modules)) or 0)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be sent SIGINT there")
def test_an_interrupt_ends_a_run_in_order(demo_vault: Path) -> None:
    before = contents(demo_vault)
    with server.serving(server.hold) as endpoint:
        script = "import sys; from proofstone.cli.main import run; sys.exit(run(sys.argv[1:]))"
        options = endpoint_options(endpoint)
        process = subprocess.Popen(
            [sys.executable, "-c", script, "gate", "run", str(demo_vault), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert endpoint.held.acquire(timeout=60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
            process.communicate()
    assert (process.returncode, err) == (130, "")
    assert out.splitlines()[-1] == "1 cancelled; 0 new proposals"
    assert contents(demo_vault) == before


def test_view_is_what_was_sent_to_the_character(demo_vault: Path, proofstone: Proofstone) -> None:
    before = proofstone("gate", "view", demo_vault, TURN, "--json").json
    assert before["was_sent"] is None
    with server.serving(server.whole(models.good)) as endpoint:
        proofstone("gate", "run", demo_vault, *endpoint_options(endpoint))
    (request,) = endpoint.requests
    after = proofstone("gate", "view", demo_vault, TURN, "--json").json
    assert after["was_sent"] is True
    assert after["prompt"] == request.prompt
    assert after["offered"] == [unit["unit_id"] for unit in request.units]
    printed = proofstone("gate", "view", demo_vault, TURN).out
    assert request.prompt in printed
    assert "to the character" in printed
    replace_in(demo_vault / INBOX, "I will change the loader", "I will mend the loader")
    changed = proofstone("gate", "view", demo_vault, TURN, "--json").json
    assert changed["was_sent"] is False
    assert "something else" in proofstone("gate", "view", demo_vault, TURN).out


def test_view_names_everything_that_is_held_back_and_why(workspace: Workspace) -> None:
    whys: set[str] = set()
    for view in workspace.turns:
        seen = gate_view.model_view(workspace, view.reference)
        held = {item.unit_id for item in seen.held_back if item.unit_id}
        offered = {unit.unit_id for unit in seen.offered}
        assert held | offered == {unit.unit_id for unit in view.units}
        assert not held & offered
        records = [item for item in seen.held_back if not item.unit_id]
        assert len(records) == len(view.metadata)
        whys |= {item.why for item in seen.held_back}
        if view.turn.is_complete:
            assert seen.prompt == gate.prompt(workspace, view.reference)
            assert {unit.partition.value for unit in seen.offered} <= {"physical"}
    assert whys == {
        gate_view.ASSISTANT_WHY,
        gate_view.RETRIEVED_WHY,
        gate_view.UNRESOLVED_WHY,
        gate_view.METADATA_WHY,
        gate_view.INCOMPLETE_WHY,
    }


def test_view_of_an_incomplete_turn_says_why_there_is_nothing(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    printed = proofstone("gate", "view", demo_vault, "codex/orion-release#4").out
    assert "sent to no model: the assistant's answer is missing" in printed
    outcome = proofstone("gate", "view", demo_vault, "codex/none#1", code=2)
    assert "no such turn" in outcome.err


def test_verify_finds_every_answer_borne_out(demo_vault: Path, proofstone: Proofstone) -> None:
    answered(demo_vault, proofstone, server.whole(models.good))
    before = contents(demo_vault)
    outcome = proofstone("gate", "verify", demo_vault, "--json")
    assert outcome.json["schema"] == "proofstone/gate-replay/1"
    assert outcome.json["findings"] == []
    standings = {item["turn"]: item["standing"] for item in outcome.items}
    assert standings[TURN] == "holds"
    assert set(standings.values()) == {"holds"}
    assert proofstone("gate", "verify", demo_vault).out == "11 answers: 11 hold\n"
    assert contents(demo_vault) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("finance export", "finance import"),
        ("I will change the loader", "We will change the loader"),
    ],
)
def test_verify_finds_changed_text(
    demo_vault: Path, proofstone: Proofstone, before: str, after: str
) -> None:
    answered(demo_vault, proofstone, server.whole(models.good))
    replace_in(demo_vault / INBOX, before, after)
    outcome = proofstone("gate", "verify", demo_vault, "--json", code=1)
    (finding,) = (row for row in outcome.json["findings"] if row["subject"] == TURN)
    assert finding["code"] == "changed_evidence"
    standings = {item["turn"]: item["standing"] for item in outcome.items}
    assert standings[TURN] == "broken"
    printed = proofstone("gate", "verify", demo_vault, code=1).out
    assert TURN in printed and "do not hold" in printed


def test_verify_notes_a_change_around_the_units(demo_vault: Path, proofstone: Proofstone) -> None:
    """Blank lines are in no unit, so the answer stands; what the model read was another text."""
    answered(demo_vault, proofstone, server.whole(models.good))
    replace_in(demo_vault / INBOX, "finance export together.", "finance export together.\n\n ")
    outcome = proofstone("gate", "verify", demo_vault, "--json")
    assert outcome.json["findings"] == []
    assert [(note["code"], note["subject"]) for note in outcome.json["notes"]] == [
        ("other_prompt", TURN)
    ]


def test_verify_finds_an_answer_whose_turn_is_gone_and_one_that_cannot_be_read(
    demo_vault: Path, proofstone: Proofstone, context: Context
) -> None:
    answered(demo_vault, proofstone, server.whole(models.good))
    (demo_vault / "inbox" / "hermes" / "desk.md").unlink()
    stored = Workspace.open(demo_vault, context).turn(TURN).gate
    assert stored is not None
    (demo_vault / stored.path).write_text("{", encoding="utf-8")
    outcome = proofstone("gate", "verify", demo_vault, "--json", code=1)
    codes = {row["code"] for row in outcome.json["findings"]}
    assert codes == {"gate_without_turn", "unreadable_gate_answer"}


def test_a_changed_answer_is_found_by_verify(
    demo_vault: Path, proofstone: Proofstone, context: Context
) -> None:
    answered(demo_vault, proofstone, server.whole(models.good))
    stored = Workspace.open(demo_vault, context).turn(TURN).gate
    assert stored is not None and stored.answer is not None
    quote = stored.answer.bindings[0].claims[0].quote
    replace_in(demo_vault / stored.path, f'"quote": "{quote}"', f'"quote": "{quote.upper()}"')
    outcome = proofstone("gate", "verify", demo_vault, "--json", code=1)
    assert TURN in {row["subject"] for row in outcome.json["findings"]}


def test_an_answer_that_names_no_units_is_held_to_its_quotes(
    demo_vault: Path, proofstone: Proofstone, context: Context
) -> None:
    answered(demo_vault, proofstone, server.whole(models.good))
    stored = Workspace.open(demo_vault, context).turn(TURN).gate
    assert stored is not None
    replace_in(demo_vault / stored.path, stored.inventory_digest, "")
    outcome = proofstone("gate", "verify", demo_vault, "--json")
    assert {item["turn"]: item["standing"] for item in outcome.items}[TURN] == "spans_hold"


def test_verify_after_cleaning_holds_the_rows_to_what_was_kept(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    proofstone("clean", demo_vault, "--yes")
    printed = proofstone("gate", "verify", demo_vault)
    assert printed.out == "10 answers: 9 hold, 1 of turns whose text was removed\n"
    (path,) = (demo_vault / "gate" / "codex" / "orion-release").glob("0001-*.json")
    whole = path.read_bytes()
    replace_once(path, '"reason": "query_only"', '"reason": "negated"')
    changed = proofstone("gate", "verify", demo_vault, "--json", code=1)
    (finding,) = changed.json["findings"]
    assert (finding["code"], finding["subject"]) == ("changed_evidence", "codex/orion-release#1")
    path.write_bytes(whole)
    replace_in(
        demo_vault / "inbox" / "codex" / "orion-release.md",
        "The Orion suite is green again",
        "The Orion suite is red again",
    )
    neighbour = proofstone("gate", "verify", demo_vault, "--json", code=1)
    (finding,) = neighbour.json["findings"]
    assert (finding["code"], finding["subject"]) == ("changed_evidence", "codex/orion-release#2")
