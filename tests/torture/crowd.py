"""Many programs on one vault: rulers, capturers, a Gate and memleaf's own capture, at once.

    python -m tests.torture.crowd                 for a minute, with rulers killed on the way
    python -m tests.torture.crowd --count 4       each program does that much and ends

Every program writes down, outside the vault, what it tried and what it was told. Afterwards the
vault must hold exactly that: nothing lost, nothing twice, nothing that nobody did.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memleaf import Memleaf

from proofstone.curation import gate, history, rulings
from proofstone.curation.capture import capture
from proofstone.curation.check import check, is_note
from proofstone.curation.context import Context, system_clock
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_contract import projection
from proofstone.domain.records import Memory, Proposal
from proofstone.domain.rulings import Choices, RulingRefused
from proofstone.vault.create import create_vault
from proofstone.vault.errors import StaleError, VaultLockedError
from proofstone.vault.journal import COMMITTED, Journal
from proofstone.vault.journal_check import verify_files, verify_journal

SUBJECTS = ("deploys", "reviews", "backups", "alerts", "invoices", "exports", "imports", "tests")
PLACES = ("Orion", "Atlas", "Lyra", "Vega", "Mira", "Ceti")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
DEFERRALS = ("later", "needs_owner", "needs_evidence")
CHOSEN_FROM = 5
"""Rulers take one of so few notes that they often meet."""

Row = dict[str, Any]


class Log:
    """What a program tried and was told, line by line, safe from its own death."""

    def __init__(self, path: Path) -> None:
        self._stream = path.open("a", encoding="utf-8")

    def add(self, kind: str, **row: object) -> None:
        self._stream.write(json.dumps({"kind": kind, **row}, ensure_ascii=False) + "\n")
        self._stream.flush()


def read_log(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@dataclass
class Program:
    """One program's circumstances: its name, its dice, its vault, when it ends."""

    name: str
    root: Path
    log: Log
    count: int
    seconds: float
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"{self.name} {os.getpid()}" if self.seconds else self.name)

    def turns(self) -> Iterator[int]:
        """Numbers until the count, or the time, is used up."""
        ends = time.monotonic() + self.seconds
        number = 0
        while number < self.count if self.count else time.monotonic() < ends:
            yield number
            number += 1

    def open(self) -> Workspace:
        return Workspace.open(self.root, Context(clock=system_clock, author=self.name, via="cli"))


def rule(program: Program) -> None:
    """Rule on notes that others rule on too; now and then take a ruling back."""
    made: list[str] = []
    for number in program.turns():
        workspace = program.open()
        if made and program.dice.random() < 0.2:
            named = program.dice.choice(made)
            program.log.add("attempt", group="", undo=named)
            done = _told(program, lambda w=workspace, n=named: history.undo(w, n))
        else:
            choice = _choose(program, workspace)
            if choice is None:
                continue
            done = _told(program, lambda w=workspace, c=choice: _rule(program, w, *c))
        made += done
        program.log.add("turn", number=number)


def _rule(
    program: Program, workspace: Workspace, action: str, subject: str, choices: Choices
) -> rulings.Applied:
    previewed = rulings.preview(workspace, action, [subject], choices)
    program.log.add("attempt", group=previewed.group, action=action, subject=subject)
    return rulings.apply(workspace, previewed)


def _told(program: Program, make: Any) -> list[str]:
    try:
        applied = make()
    except StaleError as error:
        program.log.add("stale", said=str(error), path=error.path)
    except history.ChangedSinceError as error:
        program.log.add("stale", said=str(error), path=error.differences[0].path)
    except VaultLockedError as error:
        program.log.add("locked", said=str(error))
    except RulingRefused as error:
        program.log.add("refused", said=error.why)
    except ProofstoneError as error:
        program.log.add("refused", said=str(error))
    else:
        program.log.add("ruled", rulings=list(applied.rulings))
        return list(applied.rulings)
    return []


def _choose(program: Program, workspace: Workspace) -> tuple[str, str, Choices] | None:
    waiting = [p for p in workspace.holdings.proposals if p.is_waiting][:CHOSEN_FROM]
    memories = list(workspace.holdings.memories)[:CHOSEN_FROM]
    notes: list[Proposal | Memory] = [*waiting, *memories]
    if not notes:
        return None
    note = program.dice.choice(notes)
    words = f"{program.name} thinks so, {program.dice.random()}"
    if isinstance(note, Proposal):
        action = program.dice.choice(("ratify", "ratify", "defer", "dismiss", "tombstone", "edit"))
        subject = note.proposal_id
    else:
        action = program.dice.choice(("ratify", "contest", "contest", "tombstone", "edit", "defer"))
        subject = note.memory_id
    reason = {
        "defer": program.dice.choice(DEFERRALS),
        "dismiss": "no_future_value",
        "tombstone": "invalid",
    }.get(action, words)
    edits = {"tags": (f"tag-{program.dice.random()}",)} if action == "edit" else {}
    target = ("new",) if action == "ratify" and isinstance(note, Proposal) else ()
    until = f"2030-{program.dice.randint(1, 12):02}-{program.dice.randint(1, 28):02}"
    choices = Choices(
        reason=reason,
        edits=edits,
        target=target,
        note=words if action == "defer" else "",
        until=until if action == "defer" or isinstance(note, Memory) else "",
    )
    return action, subject, choices


def bring(program: Program) -> None:
    """Capture items; every third is one that another capturer may bring as well."""
    for number in program.turns():
        shared = number % 3 == 2
        dice = random.Random(number) if shared else program.dice
        mark = number if shared else f"{program.name}-{os.getpid()}-{number}"
        content = (
            f"{dice.choice(PLACES)} {dice.choice(SUBJECTS)} happen on {dice.choice(DAYS)}, "
            f"note {mark}."
        )
        item = {"content": content, "source": program.name, "anchor": f"doc-{number + 1}"}
        context = Context(clock=system_clock, author=program.name, via="mcp")
        try:
            answer = capture(program.root, item, context)
        except VaultLockedError as error:
            program.log.add("locked", said=str(error))
            continue
        (row,) = answer["outcomes"]
        program.log.add(
            "captured", status=row["status"], id=row.get("id", ""), error=row.get("error", "")
        )


def answer(program: Program) -> None:
    """Answer, as a Gate, the turns that memleaf captures."""
    for _ in program.turns():
        workspace = program.open()
        open_turns = [
            view for view in workspace.turns if view.turn.is_complete and view.gate is None
        ]
        if not open_turns:
            continue
        view = program.dice.choice(open_turns)
        units = projection(view.units)
        value = {
            "candidates": [],
            "coverage": [
                {"unit_id": unit.unit_id, "decision": "NO_CHANGE", "reason": "no_future_value"}
                for unit in units
            ],
            "evidence_bindings": [],
        }
        data = json.dumps(value).encode()
        program.log.add("attempt", group="", turn=view.reference)
        try:
            result = gate.submit(
                workspace, view.reference, data, answered_by=program.name, kind="model"
            )
        except StaleError as error:
            program.log.add("stale", said=str(error), path=error.path)
        except VaultLockedError as error:
            program.log.add("locked", said=str(error))
        else:
            program.log.add("answered", turn=view.reference, accepted=result.refusal is None)


def converse(program: Program) -> None:
    """Capture turns with memleaf itself."""
    service = Memleaf(program.root)
    for number in program.turns():
        turn = f"t-{os.getpid()}-{number}"
        session = f"s-{number % 4}"
        service.capture("codex", session, turn, "user", f"Remember number {number}, please.")
        service.capture("codex", session, turn, "assistant", "Noted.")
        program.log.add("conversed", session=session, turn=turn)


ROLES = {"ruler": rule, "capturer": bring, "gate": answer, "memleaf": converse}
CROWD = (
    *(f"ruler-{number}" for number in (1, 2, 3)),
    *(f"capturer-{number}" for number in (1, 2, 3, 4, 5)),
    "gate-1",
    "memleaf-1",
)


@dataclass
class Verdict:
    """What the crowd did, and what is wrong with the vault afterwards."""

    counts: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    kills: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))
        return f"{told}; {self.rows} in the journal, {self.kills} killed, {len(self.faults)} faults"


def make_vault(root: Path) -> None:
    """A vault that memleaf and Proofstone share, with something to rule on."""
    Memleaf.initialize(root)
    create_vault(root, profile="crowd", project="orion")
    items = [
        {"content": f"{place} {subject} are done by hand.", "source": "seed", "anchor": "doc-1"}
        for place in PLACES
        for subject in SUBJECTS[:3]
    ]
    context = Context(clock=system_clock, author="seed", via="cli")
    capture(root, {"items": items}, context)


def run_crowd(folder: Path, *, count: int = 0, seconds: float = 0.0, kills: int = 0) -> Verdict:
    """Let the crowd loose on a new vault in ``folder`` and judge what is left."""
    root = folder / "vault"
    make_vault(root)
    running = {name: _start(folder, name, count, seconds) for name in CROWD}
    verdict = Verdict()
    for number in range(kills):
        time.sleep(seconds / (kills + 1))
        name = f"ruler-{1 + number % 3}"
        running[name].send_signal(signal.SIGKILL)
        running[name].wait()
        verdict.kills += 1
        left = seconds * (kills - number) / (kills + 1)
        running[name] = _start(folder, name, count, left)
    for name, process in running.items():
        _, errors = process.communicate(timeout=max(120.0, 4 * seconds))
        if process.returncode != 0:
            verdict.faults.append(f"{name} ended with {process.returncode}: {errors[-2000:]}")
    judge(folder, verdict)
    return verdict


def _start(folder: Path, name: str, count: int, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.torture.crowd", "--name", name, "--in", str(folder)]
    command += ["--count", str(count), "--seconds", str(seconds)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def judge(folder: Path, verdict: Verdict) -> None:
    """Hold the vault against what the programs wrote down."""
    root = folder / "vault"
    logs = {name: read_log(folder / f"{name}.log") for name in CROWD}
    for rows in logs.values():
        verdict.counts.update(
            row.get("status", row["kind"]) for row in rows if row["kind"] not in ("attempt", "turn")
        )
    workspace = Workspace.open(root, Context(clock=system_clock, author="judge", via="cli"))
    entries = Journal(root).read()
    verdict.rows = len(entries)
    fault = verdict.faults.append
    for problem in (*verify_journal(root), *verify_files(root)):
        fault(f"{problem.code} {problem.path}:{problem.line} {problem.message}")
    for problem in check(workspace):
        if not is_note(problem):
            fault(f"check: {problem.code} {problem.path} {problem.message}")
    _judge_rulings(logs, [entry for entry in entries if entry.state == COMMITTED], fault)
    dismissed = Counter(
        entry.subject for entry in entries if entry.state == COMMITTED and entry.action == "dismiss"
    )
    _judge_captures(logs, workspace, dismissed, fault)
    events = Counter(event.turn_id for turn in workspace.contents.turns for event in turn.events)
    for row in logs["memleaf-1"]:
        if events[row["turn"]] != 2:
            fault(f"memleaf's turn {row['turn']} has {events[row['turn']]} events")
    for name, rows in logs.items():
        for row in rows:
            if row["kind"] == "stale" and row["path"] not in row["said"]:
                fault(f"{name} was not told which file is stale: {row['said']}")


def _judge_rulings(logs: dict[str, list[Row]], committed: list[Any], fault: Any) -> None:
    twice = [name for name, n in Counter(entry.ruling_id for entry in committed).items() if n > 1]
    if twice:
        fault(f"rulings stand twice in the journal: {twice}")
    for name, rows in logs.items():
        if not name.startswith("ruler"):
            continue
        told = {ruling for row in rows if row["kind"] == "ruled" for ruling in row["rulings"]}
        stand = {entry.ruling_id: entry for entry in committed if entry.author == name}
        for ruling in told - stand.keys():
            fault(f"lost: {name} was told that {ruling} was made")
        tried = {row["group"] for row in rows if row["kind"] == "attempt"}
        undone = {row.get("undo") for row in rows if row["kind"] == "attempt"}
        for ruling in stand.keys() - told:
            # A ruler that was killed may not have heard of its last ruling.
            if stand[ruling].group not in tried and stand[ruling].undoes not in undone:
                fault(f"nobody made {ruling} of {name}")
    last: dict[str, str | None] = {}
    for entry in committed:
        for change in entry.changes:
            if change.path in last and last[change.path] != change.before:
                fault(f"{entry.ruling_id} wrote {change.path} over a change that it had not seen")
            last[change.path] = change.after


def _judge_captures(
    logs: dict[str, list[Row]], workspace: Workspace, dismissed: Counter[str], fault: Any
) -> None:
    captured: Counter[str] = Counter()
    for name, rows in logs.items():
        for row in rows:
            if row["kind"] != "captured":
                continue
            if row["status"] == "captured":
                captured[row["id"]] += 1
            elif row["status"] == "rejected" and "forgotten by a ruling" not in row["error"]:
                fault(f"{name}: {row['error']}")
    for proposal_id, count in captured.items():
        # What was dismissed may be proposed again.
        if count > 1 + dismissed[proposal_id]:
            fault(f"{proposal_id} was captured {count} times")
        if proposal_id not in workspace.proposals:
            fault(f"{proposal_id} was captured and is not there")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--name", default="", help=argparse.SUPPRESS)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.name:
        log = Log(options.folder / f"{options.name}.log")
        program = Program(
            options.name, options.folder / "vault", log, options.count, options.seconds
        )
        ROLES[options.name.partition("-")[0]](program)
        return 0
    seconds = 0.0 if options.count else options.seconds
    with tempfile.TemporaryDirectory(prefix="proofstone-crowd-") as folder:
        started = time.monotonic()
        verdict = run_crowd(
            Path(folder),
            count=options.count,
            seconds=seconds,
            kills=0 if options.count else options.kills,
        )
    for fault in verdict.faults[:20]:
        print(fault, file=sys.stderr)
    print(f"crowd: {verdict}, {time.monotonic() - started:.0f} s")
    return 1 if verdict.faults else 0


if __name__ == "__main__":
    sys.exit(main())
