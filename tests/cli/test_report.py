"""``report``: what it counts and lists, where it writes, and that it is the same every time."""

from __future__ import annotations

import re
import stat
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from proofstone.curation.context import Context
from proofstone.curation.history import entries
from proofstone.curation.report_words import in_short
from proofstone.curation.reporting import make_report
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.records import TrustClass
from proofstone.domain.rulings import Choices
from tests.conftest import NOW, Proofstone, contents

DOCUMENT = Path(__file__).parents[2] / "docs" / "report.md"


def opened(vault: Path, context: Context) -> Workspace:
    """The vault, read."""
    return Workspace.open(vault, context)


def test_both_forms_are_written_and_nothing_else(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    before = contents(demo_vault)
    for name in ("r.html", "r.md"):
        target = tmp_path / name
        assert proofstone("report", demo_vault, "-o", target).out == f"written: {target}\n"
        first = target.read_bytes()
        proofstone("report", demo_vault, "-o", target)
        assert target.read_bytes() == first
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert contents(demo_vault) == before
    assert {path.name for path in tmp_path.iterdir()} == {"demo-vault", "r.html", "r.md"}


def test_it_says_what_the_lists_say(
    demo_vault: Path, context: Context, proofstone: Proofstone
) -> None:
    view = opened(demo_vault, context)
    report = make_report(view)
    figures = {count.label: count.number for count in report.figures}
    rulings = [entry for entry in entries(view) if entry.is_ruling or entry.is_purge]
    assert figures["decisions"] == len(report.decisions) == len(rulings) == 26
    told = proofstone("open", demo_vault).out
    assert (figures["waiting for a person"], figures["deferred"]) == (18, 1)
    assert len(report.waiting) == 19 and "18 waiting · 1 deferred" in told
    with_deferred = "18 proposals wait for a person, the oldest for 6 days, and 1 is deferred: "
    assert next(iter(in_short(report))).startswith(with_deferred)
    assert figures["findings"] == 5
    listed = proofstone("show", "proposals", demo_vault, "--json").items
    waiting = [item for item in listed if item["status"] in ("open", "deferred")]
    assert [shown.proposal_id for shown in report.waiting] == [p["proposal_id"] for p in waiting]
    for counts, of in (
        (report.risks, lambda item: item["verifier"]["poisoning_risk"]),
        (report.matches, lambda item: item["match_kind"]),
        (report.verdicts, lambda item: item["verifier"]["status"]),
    ):
        found = Counter(map(of, waiting))
        assert {count.label: count.number for count in counts if count.number} == found
    assert sum(count.number for count in report.ages) == len(waiting)
    assert sum(count.number for count in report.decided) == len(rulings)
    assert sum(sum(numbers) for _, numbers in report.people) == len(rulings)
    assert {pair.proposal_id for pair in report.twice if pair.how == "duplicate"} == {
        item["proposal_id"] for item in waiting if item["match_kind"] == "duplicate"
    }


def test_what_is_open_is_said_in_words_with_what_it_is_about(
    demo_vault: Path, context: Context
) -> None:
    report = make_report(opened(demo_vault, context))
    first = report.questions[0]
    assert first.priority == "high"
    assert "“From December Orion ships on Thursdays, no longer on Tuesdays.”" in first.question
    assert "mem-" not in first.question and "prop-" not in first.question
    assert [named.identifier[:11] for named in first.concerns] == ["prop-b3bdbe", "mem-eb57086"]
    assert [memory.since for memory in report.due] == ["2026-11-25"]
    assert report.tainted == 3
    assert report.oldest == timedelta(days=6, hours=16, minutes=55)


def test_the_closest_come_first_and_evidence_goes_from_strong_to_weak(
    demo_vault: Path, context: Context
) -> None:
    report = make_report(opened(demo_vault, context))
    assert [pair.how for pair in report.twice[:3]] == [
        "duplicate",
        "strengthens_existing",
        "sibling",
    ]
    scores = [pair.score or 0 for pair in report.twice[2:]]
    assert scores == sorted(scores, reverse=True)
    order = [trust.value for trust in TrustClass]
    told = [order.index(count.label) for count in report.trust]
    assert told == sorted(told)


def test_a_decision_has_its_author_reason_and_evidence(demo_vault: Path, context: Context) -> None:
    view = opened(demo_vault, context)
    chosen = next(found for found in view.queue if found.is_preselected and found.records)
    rule(view, "ratify", [chosen.proposal_id], Choices(reason="she said so"))
    made = make_report(view.reload()).decisions[0]
    assert (made.author, made.action, made.reason) == ("Mira Tal", "ratify", "she said so")
    assert made.statement == chosen.proposal.statement
    assert made.evidence.sources[0].text in chosen.records[0].source_excerpt
    assert made.evidence.sources[0].trust == chosen.records[0].trust_class.value


def test_since_leaves_out_what_was_decided_before(
    demo_vault: Path, tmp_path: Path, context: Context, proofstone: Proofstone
) -> None:
    view = opened(demo_vault, context)
    day = date(2026, 11, 20)
    report = make_report(view, day)
    expected = [
        entry
        for entry in entries(view)
        if entry.is_ruling and entry.ruling.time >= "2026-11-20T00:00:00Z"
    ]
    assert 0 < len(report.decisions) == len(expected) < 26
    assert report.period == "day"
    assert report.decided[0].label == "2026-11-20"
    assert report.decided[-1].label == "2026-11-27"
    assert len(report.waiting) == 19
    proofstone("report", demo_vault, "-o", tmp_path / "r.md", "--since", "2026-11-20")
    written = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert f"- decisions: **{len(expected)}**" in written
    assert "Decisions since `2026-11-20`" in written


@pytest.mark.parametrize(
    ("days", "period"), [(40, "day"), (60, "week"), (400, "month"), (3000, "year")]
)
def test_long_times_are_counted_in_longer_periods(
    days: int, period: str, tmp_path: Path, context: Context, proofstone: Proofstone
) -> None:
    vault = tmp_path / "new"
    proofstone("init", vault)
    report = make_report(opened(vault, context), NOW.date() - timedelta(days=days))
    assert report.period == period
    assert 0 < len(report.decided) <= 45
    assert report.decided[-1].label <= "2026-11-27"


def test_secrets_are_masked_and_long_texts_cut(demo_vault: Path, context: Context) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    view = opened(demo_vault, context)
    subject = view.queue[0].proposal_id
    rule(view, "defer", [subject], Choices(reason="later", note="soon"))
    note = demo_vault / "proposals" / f"{subject}.md"
    text = note.read_text(encoding="utf-8")
    note.write_text(f"{text.rstrip()} The token is {secret}. {'long ' * 200}\n", encoding="utf-8")
    report = make_report(view.reload())
    shown = next(found for found in report.waiting if found.proposal_id == subject).statement
    assert secret not in shown
    assert len(shown) == 400
    assert shown.endswith("…")


def test_an_empty_vault_has_a_report(tmp_path: Path, proofstone: Proofstone) -> None:
    vault = tmp_path / "new"
    proofstone("init", vault)
    for name in ("r.html", "r.md"):
        proofstone("report", vault, "-o", tmp_path / name)
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert "Nothing waits for a ruling." in written
        assert "Nothing was decided in this time." in written


def test_a_time_that_cannot_be_read_or_lies_ahead_is_not_left_out(
    demo_vault: Path, context: Context
) -> None:
    journal = demo_vault / "_state" / "proofstone" / "journal.jsonl"
    text = journal.read_text(encoding="utf-8")
    times = re.findall(r'"time":"([^"]+)"', text)
    text = text.replace(times[-1], "yesterday").replace(times[0], "9999-12-31T23:59:59-09:00")
    journal.write_text(text, encoding="utf-8")
    report = make_report(opened(demo_vault, context), date(2026, 11, 27))
    assert {made.time for made in report.decisions} == {"yesterday", "9999-12-31T23:59:59-09:00"}


@pytest.mark.parametrize(
    ("output", "since", "says"),
    [
        ("r.pdf", "", "FILE.html or FILE.md"),
        ("r", "", "FILE.html or FILE.md"),
        ("none/r.md", "", "cannot be written"),
        ("demo-vault/knowledge/r.md", "", "vault's own files"),
        ("demo-vault/_state/r.html", "", "vault's own files"),
        ("r.md", "last week", "2026-11-20"),
        ("r.md", "2026-13-01", "2026-11-20"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(
    output: str, since: str, says: str, demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    before = contents(tmp_path)
    wrong = proofstone("report", demo_vault, "-o", tmp_path / output, "--since", since, code=2)
    assert says in wrong.err
    assert wrong.out == ""
    assert len(wrong.err.splitlines()) == 1
    assert contents(tmp_path) == before


def test_the_sample_in_the_documents_is_what_the_command_writes(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    sample = text.split("````markdown\n", 1)[1].split("\n…\n````", 1)[0]
    proofstone("report", demo_vault, "-o", tmp_path / "r.md")
    written = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert len(sample.splitlines()) > 40
    assert written.startswith(sample + "\n")


def test_the_commands_in_the_documents_run(
    demo_vault: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo_vault)
    commands = re.findall(
        r"^proofstone (report .+?)(?:\s+#.*)?$", DOCUMENT.read_text("utf-8"), re.M
    )
    assert len(commands) >= 2
    for command in commands:
        arguments = command.split()
        proofstone(*arguments)
        assert datetime.fromtimestamp(Path(arguments[3]).stat().st_mtime)
