"""A turn as it may be drawn, printed and sent: what looks like a secret is covered.

A secret is known by all of it. A private key is cut into a unit for each of its lines, so it is
looked for in the text that the units were cut from, and covered in each of them at its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from proofstone.curation.masking import cover_each, cover_secrets
from proofstone.domain.conversation import Turn
from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.verification import VerifierReport


def covered_turn(turn: Turn) -> Turn:
    """``turn`` with the words of its events covered; every offset stays right."""
    said = cover_each([event.content for event in turn.events])
    events = tuple(
        event if event.content == text else replace(event, content=text)
        for event, text in zip(turn.events, said, strict=True)
    )
    return replace(turn, events=events)


_LONG_SOURCE = 50_000


def covered_units(
    turn: Turn, units: Iterable[EvidenceUnit], *, limit: int = 0
) -> tuple[EvidenceUnit, ...]:
    """``units`` of ``turn``, covered; a unit that holds no secret is the same object.

    Args:
        turn: What the units were cut from.
        units: The units.
        limit: Characters of each unit that are shown, so that more need not be looked at; 0 looks
            at all. Long texts are then looked at unit by unit, unless a key is in them.
    """
    units = tuple(units)
    sources = _sources(turn)
    if limit:
        sources = {
            place: text
            for place, text in sources.items()
            if len(text) <= _LONG_SOURCE or "PRIVATE KEY" in text
        }
    places = [sources.get(_source_of(unit), "") for unit in units]
    whole = dict(zip(sources.values(), cover_each(list(sources.values())), strict=True))
    changed = {text: now for text, now in whole.items() if text != now}
    heads = [unit.text[:limit] if limit else unit.text for unit in units]
    own = [
        head + unit.text[len(head) :] for head, unit in zip(cover_each(heads), units, strict=True)
    ]
    covered = []
    for unit, place, text in zip(units, places, own, strict=True):
        now = text
        if place in changed and place[unit.start : unit.end] == unit.text:
            now = changed[place][unit.start : unit.end]
        covered.append(unit if now == unit.text else unit._replace(text=now))
    return tuple(covered)


def _sources(turn: Turn) -> dict[tuple[str, str, str], str]:
    """The texts that units are cut from: of each event, and of each of its tool records."""
    texts: dict[tuple[str, str, str], str] = {}
    for event in turn.events:
        texts[event.event_key, "", ""] = event.content
        for found in event.observations:
            if found.content:
                texts[event.event_key, found.call_id, found.record_id] = found.content
    return texts


def _source_of(unit: EvidenceUnit) -> tuple[str, str, str]:
    if unit.source_role != "external":
        return unit.event_key, "", ""
    return unit.event_key, unit.call_id or "", unit.record_id or ""


def covered_report(statement: str, report: VerifierReport) -> VerifierReport:
    """``report`` without the matched words that stand in a secret of ``statement`` alone."""
    left = cover_secrets(statement)
    if left == statement:
        return report
    words = left.casefold()
    findings = tuple(
        replace(
            found,
            matched=tuple(word for word in found.matched if word.casefold() in words),
            weak=tuple(word for word in found.weak if word.casefold() in words),
        )
        for found in report.findings
    )
    return replace(report, findings=findings)
