"""Merged journals: every row once, every row provable, and every forgery found."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.plan import Ruling
from proofstone.vault.journal import GENESIS, PURGE, Row, closing_row, opening_row, parse_row, seal
from proofstone.vault.journal_check import verify_rows
from proofstone.vault.journal_merge import JournalMergeError, merge_journals
from proofstone.vault.journal_rechain import first_hash, is_as_written, places_of, rechained


def rulings(data: bytes) -> list[str]:
    """The rulings that a journal opens, in order."""
    rows = [json.loads(line) for line in data.splitlines()]
    return [row["ruling"] for row in rows if row["row"] == "open"]


def identities(data: bytes) -> list[str]:
    """What each row is, wherever it stands."""
    return [first_hash(row) for line in data.splitlines() if (row := parse_row(line))]


def append(data: bytes, rows: list[Row]) -> bytes:
    """``data`` with rows chained to its end."""
    lines = data.splitlines()
    previous = json.loads(lines[-1])["hash"] if lines else GENESIS
    for seq, row in enumerate(rows, len(lines)):
        line, previous = seal({**row, "seq": seq, "previous": previous})
        data += line
    return data


def ruled(data: bytes, name: str, reason: str = "") -> bytes:
    """``data`` with one more ruling."""
    ruling = Ruling(
        ruling_id=f"rul-{name}",
        group=f"grp-{name}",
        time="2026-11-27T09:00:00Z",
        author="Mira Tal",
        via="cli",
        action="dismiss",
        subject=f"prop-{name}",
        reason=reason,
    )
    closing = closing_row(ruling.ruling_id, ruling.group, "committed")
    return append(data, [opening_row(ruling, (), ""), closing])


def purged(data: bytes, name: str, seq: int) -> bytes:
    """``data`` with a purge that takes the reason from the row ``seq``."""
    lines = data.splitlines()
    left = {**json.loads(lines[seq]), "reason": "████", "redacted": f"rul-{name}"}
    text = json.dumps(left, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    ruling = Ruling(
        ruling_id=f"rul-{name}",
        group=f"grp-{name}",
        time="2026-11-27T09:00:00Z",
        author="Mira Tal",
        via="cli",
        action=PURGE,
        subject="mem-1",
    )
    row = opening_row(ruling, (), "") | {
        "purged": {"files": [], "objects": [], "rows": {str(seq): sha256(text).hexdigest()}}
    }
    closing = closing_row(ruling.ruling_id, ruling.group, "committed")
    whole = append(data, [row, closing]).splitlines()
    whole[seq] = text
    return b"\n".join(whole) + b"\n"


@dataclass
class Branches:
    """Some journals that grew from one, by rulings and merges."""

    journals: list[bytes]


@st.composite
def histories(draw: st.DrawFn) -> Branches:
    """Three branches; each step rules on one of them or merges another into it."""
    base = b""
    for number in range(draw(st.integers(0, 3))):
        base = ruled(base, f"base{number}", draw(st.text(max_size=5)))
    # What git gives as the ancestor differs with the way of merging; here it is the first.
    journals = [base, base, base]
    for number in range(draw(st.integers(0, 8))):
        one = draw(st.integers(0, 2))
        if draw(st.booleans()):
            journals[one] = ruled(journals[one], f"step{number}", draw(st.text(max_size=5)))
        else:
            other = draw(st.integers(0, 2))
            journals[one] = merge_journals(base, journals[one], journals[other]).data
    return Branches([base, *journals])


@given(histories())
def test_a_merge_holds_every_row_once_and_verifies(history: Branches) -> None:
    base, ours, theirs, _ = history.journals
    merged = merge_journals(base, ours, theirs)
    assert verify_rows(merged.data) == ()
    assert merged.data.startswith(ours)
    found = identities(merged.data)
    assert len(found) == len(set(found))
    assert set(found) == set(identities(ours)) | set(identities(theirs))
    assert len(found) == len(identities(ours)) + merged.added
    # Order within a branch is kept, and merging again changes nothing.
    mine = set(identities(ours))
    new = [name for name in identities(theirs) if name not in mine]
    assert found[len(mine) :] == new
    assert merge_journals(base, merged.data, theirs).data == merged.data
    assert merge_journals(base, merged.data, merged.data).data == merged.data


@given(histories(), st.data())
def test_a_changed_row_that_was_chained_anew_is_found(
    history: Branches, data: st.DataObject
) -> None:
    base, ours, theirs, _ = history.journals
    theirs = ruled(theirs, "theirs")
    ours = ruled(ours, "ours")
    rows = [json.loads(line) for line in merge_journals(base, ours, theirs).data.splitlines()]
    moved = [index for index, row in enumerate(rows) if "merged_from" in row]
    at = data.draw(st.sampled_from(moved))
    key = data.draw(st.sampled_from(["ruling", "group"]))
    rows[at][key] += "x"
    # Who forges it chains everything after it anew, as the chain itself would demand.
    forged, previous = b"", GENESIS
    for row in rows:
        body = {name: value for name, value in row.items() if name != "hash"}
        line, previous = seal({**body, "previous": previous})
        forged += line
    said = {problem.message for problem in verify_rows(forged)}
    assert any("not what was written there" in message for message in said)


def test_a_row_that_moved_twice_is_each_row_that_it_was() -> None:
    row = parse_row(ruled(b"", "a").splitlines()[0])
    assert row is not None
    once = parse_row(rechained(row, 7, "a" * 64)[0].rstrip())
    assert once is not None
    twice = parse_row(rechained(once, 9, "b" * 64)[0].rstrip())
    assert twice is not None
    assert [place[0] for place in places_of(twice)] == [0, 7]
    assert [place[2] for place in places_of(twice)] == [row["hash"], once["hash"]]
    assert first_hash(twice) == row["hash"]
    assert is_as_written(twice)
    for spoiled in ("nothing", [], [["0", "", ""]], [[0, GENESIS]], places_of(twice)[1:]):
        assert not is_as_written({**twice, "merged_from": spoiled})


def test_only_what_a_picked_commit_added_comes_over() -> None:
    base = ruled(b"", "a")
    before = ruled(base, "left")
    picked = ruled(before, "picked")
    ours = ruled(base, "ours")
    merged = merge_journals(before, ours, picked).data
    assert rulings(merged) == ["rul-a", "rul-ours", "rul-picked"]
    assert verify_rows(merged) == ()


def test_a_purge_on_either_side_keeps_its_numbers() -> None:
    base = ruled(b"", "a", "the words")
    plain = ruled(base, "plain")
    purging = purged(ruled(base, "b", "the words"), "purge", 2)
    for ours, theirs in ((plain, purging), (purging, plain)):
        merged = merge_journals(base, ours, theirs).data
        assert verify_rows(merged) == ()
        assert rulings(merged) == ["rul-a", "rul-b", "rul-purge", "rul-plain"]
        assert merged.count(b"the words") == 1


def test_a_purge_of_rows_that_both_have_redacts_both() -> None:
    base = ruled(b"", "a", "the words")
    plain = ruled(base, "plain")
    purging = purged(base, "purge", 0)
    for ours, theirs, order in (
        (plain, purging, ["rul-a", "rul-plain", "rul-purge"]),
        (purging, plain, ["rul-a", "rul-purge", "rul-plain"]),
    ):
        merged = merge_journals(base, ours, theirs).data
        assert verify_rows(merged) == ()
        assert b"the words" not in merged
        assert rulings(merged) == order
    # Afterwards a row that was chained anew can be purged too.
    again = purged(ruled(merged, "later"), "second", 4)
    assert verify_rows(again) == ()


def test_purges_on_both_sides_are_for_a_person() -> None:
    base = ruled(b"", "a", "the words")
    one = purged(ruled(base, "b", "the words"), "one", 2)
    two = purged(ruled(base, "c", "the words"), "two", 2)
    with pytest.raises(JournalMergeError, match="both branches purged"):
        merge_journals(base, one, two)
    with pytest.raises(JournalMergeError, match="both branches purged words from row 0"):
        merge_journals(base, purged(base, "one", 0), purged(base, "two", 0))


@pytest.mark.parametrize("side", [0, 1, 2])
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data.replace(b"Mira", b"Lina"), "was changed"),
        (lambda data: data[:-20], "cut short"),
        (lambda data: b"".join(data.splitlines(keepends=True)[:-1]), "cut short"),
        (lambda data: b"<<<<<<< ours\n" + data, "merge conflict"),
        (lambda data: b"".join(data.splitlines(keepends=True)[2:]), "does not follow"),
    ],
)
def test_a_broken_journal_is_not_merged(side: int, spoil: object, says: str) -> None:
    base = ruled(ruled(b"", "a"), "b")
    sides = [base, ruled(base, "ours"), ruled(base, "theirs")]
    assert callable(spoil)
    sides[side] = spoil(sides[side])
    whose = ("the common ancestor", "ours", "theirs")[side]
    with pytest.raises(JournalMergeError, match=rf"line \d+ of {whose}: .*{says}"):
        merge_journals(*sides)
