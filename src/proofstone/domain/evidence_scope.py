"""Does the evidence reach as far as the statement? (spec page 3, check 2 and Beyond the source)

A record that states no scope or profile says nothing against any; one that was captured in a
project speaks for that project, unless it was meant for the user everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from proofstone.domain.records import Durability, EvidenceRecord, Layer, Statement

_EVERYWHERE: frozenset[Durability] = frozenset({Durability.USER_GLOBAL, Durability.LONG_TERM})
_GLOBAL = "global"
_PROJECT = "project:"


def problems(
    subject: Statement, records: Iterable[EvidenceRecord], *, profile: str = "", project: str = ""
) -> tuple[str, ...]:
    """How the statement reaches further than its evidence, in words; empty when it does not.

    ``profile`` and ``project`` are the vault's: they stand in where the statement names none.
    """
    found = tuple(records)
    scopes = subject.scopes or ((_PROJECT + project,) if project else (_GLOBAL,))
    return tuple(
        filter(
            None,
            (
                _other_profile(subject.profile or profile, found),
                _other_project(scopes, found),
                _wider_scope(scopes, found),
                _wider_layer(subject.layer, found),
            ),
        )
    )


def _other_profile(profile: str, records: tuple[EvidenceRecord, ...]) -> str:
    others = sorted({r.profile for r in records if r.profile and r.profile != profile})
    if not profile or not others:
        return ""
    return f"evidence of another profile ({', '.join(others)}) stands behind a claim of {profile}"


def _other_project(scopes: tuple[str, ...], records: tuple[EvidenceRecord, ...]) -> str:
    wanted = _projects(scopes)
    if not wanted:
        return ""
    others: set[str] = set()
    for record in records:
        theirs = _projects(record.scopes)
        if theirs and not theirs & wanted and not _reaches_everywhere(record):
            others |= theirs
    if not others:
        return ""
    return (
        f"evidence of another project ({_names(others)}) stands behind a claim on {_names(wanted)}"
    )


def _wider_scope(scopes: tuple[str, ...], records: tuple[EvidenceRecord, ...]) -> str:
    if not records or any(not r.scopes or _reaches_everywhere(r) for r in records):
        return ""
    covered = {scope for record in records for scope in record.scopes}
    beyond = [scope for scope in scopes if scope not in covered]
    if not beyond:
        return ""
    return (
        f"the claim is for {', '.join(beyond)}, its evidence only for {', '.join(sorted(covered))}"
    )


def _wider_layer(layer: Layer, records: tuple[EvidenceRecord, ...]) -> str:
    """Identity binds everywhere and for good, so at least one record must have been meant so."""
    if layer is not Layer.L1 or not records:
        return ""
    signals = {record.durability_signal for record in records}
    if Durability.UNKNOWN in signals or signals & _EVERYWHERE:
        return ""
    return f"layer L1 is asked for, its evidence is meant for {', '.join(sorted(signals))} only"


def _reaches_everywhere(record: EvidenceRecord) -> bool:
    return _GLOBAL in record.scopes or record.durability_signal is Durability.USER_GLOBAL


def _projects(scopes: Iterable[str]) -> set[str]:
    return {scope.removeprefix(_PROJECT) for scope in scopes if scope.startswith(_PROJECT)}


def _names(projects: Iterable[str]) -> str:
    return ", ".join(sorted(projects))
