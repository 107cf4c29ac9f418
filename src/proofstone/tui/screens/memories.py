"""The Memories screen: everything in force, with the history of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from proofstone.curation import sifting
from proofstone.curation.ages import in_words
from proofstone.curation.views import MemoryView
from proofstone.curation.workspace import Workspace
from proofstone.domain.records import Layer, Memory, Standing
from proofstone.tui.anchor_checks import AnchorChecks, anchor_words
from proofstone.tui.command import MEMORIES
from proofstone.tui.commands import bindings_for
from proofstone.tui.panes.evidence import record_row
from proofstone.tui.panes.proposal import fact_row
from proofstone.tui.rows import LazyRows, Row, spaced, text_row
from proofstone.tui.screens.memory_rulings import MemoryRulings
from proofstone.tui.words import RISK_STYLE, STANDING_STYLE, difference, safe, spoken

_EMPTY = "No memory is in force.\n\nRatify a proposal on the main screen ({back}) to make one."


class MemoriesScreen(MemoryRulings):
    """Memories in force."""

    name_in_registry: ClassVar[str] = MEMORIES
    title_of_detail: ClassVar[str] = "Memory"
    title_in_header: ClassVar[str] = "Memories"
    has_filter: ClassVar[bool] = True
    about: ClassVar[str] = (
        "Everything in force. ● reviewed by a person · ○ unreviewed, written by an agent or "
        "another program and not yet confirmed: {ratify} confirms it, {edit} corrects it. At the "
        "right, its words, evidence and earlier versions, newest first, with what changed."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(MEMORIES)

    def __init__(self, prefer: str = "") -> None:
        super().__init__(prefer)
        self._anchors = AnchorChecks(self, self._show_detail)

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw the memories that the filter lets through."""
        self._views = self.let_through(workspace.memories, prefer)
        total = len(workspace.memories)
        shown = f"{len(self._views):,}" + (f" of {total:,}" if len(self._views) != total else "")
        self.fill(
            LazyRows(sifting.identifiers(self._views), self._build, fixed_height=2),
            detail=shown if total else "",
            subtitle=f"/{self.filter.text}" if self.filter.text else "",
            placeholder="No memory matches the filter.\n\n{back} shows everything."
            if total
            else _EMPTY,
            prefer=prefer,
        )

    def unfiltered(self) -> Sequence[MemoryView]:
        """Everything in force."""
        return self.workspace.memories if self.workspace is not None else ()

    def _build(self, index: int) -> Row:
        view = self._views[index]
        memory = view.memory
        glyph, style = ("●", "$verdict-pass") if view.is_reviewed else ("○", "$verdict-flag")
        return Row(
            key=view.memory_id,
            gutter=Content.assemble((glyph, style), " "),
            continuation=Content("  "),
            body=Content.assemble(
                safe(memory.title or memory.statement, "$ink", limit=300), "\n", _badges(view)
            ),
            trailing=Content.styled(in_words(view.age), "$ink-dim"),
        )

    def detail_rows(self, key: str) -> list[Row]:
        """Words, facts, evidence and versions."""
        view = self._views[self._items.cursor]
        memory = view.memory
        return spaced(
            [
                [text_row("statement", safe(memory.statement, "$ink bold", newlines=True))],
                [text_row("badges", _badges(view))],
                _facts(memory, self._anchors.state(memory)),
                _evidence(view),
                _versions(view),
            ]
        )

    async def command_ratify(self) -> None:
        """Confirm the memory after review."""
        self.workbench.start_ruling("ratify", self.subject())

    async def command_defer(self) -> None:
        """Postpone its review."""
        self.workbench.start_ruling("defer", self.subject())

    async def command_supersede(self) -> None:
        """Choose what replaces it."""
        self.workbench.start_ruling("supersede", self.subject())

    async def command_preview(self) -> None:
        """Show what confirming would write."""
        self.workbench.start_preview("ratify", self.subject())


def _badges(view: MemoryView) -> Content:
    memory = view.memory
    parts: list[tuple[str, str]] = []
    if memory.tainted:
        parts.append(("TAINT", "$taint bold"))
    if memory.layer is Layer.L1:
        parts.append(("L1", "$mark bold"))
    if memory.standing is not Standing.ACTIVE:
        parts.append((memory.standing.value, STANDING_STYLE[memory.standing]))
    if not view.is_reviewed:
        parts.append(("unreviewed", "$verdict-flag"))
    if view.review_is_due:
        parts.append(("review due", "$verdict-flag"))
    if memory.poisoning_risk in ("medium", "high"):
        parts.append((f"risk {memory.poisoning_risk}", RISK_STYLE[memory.poisoning_risk]))
    scopes = safe(", ".join(memory.scopes), "$ink-dim", limit=80)
    joined = [Content.styled(*part) for part in parts] + [scopes]
    return Content.styled(" · ", "$ink-dim").join(joined)


def _facts(memory: Memory, anchor: str) -> list[Row]:
    ratified = f"{memory.ratified.by}, {memory.ratified.at[:10]}" if memory.ratified else "nobody"
    review = memory.review.next_review if memory.review else ""
    pairs: list[tuple[str, str | Content]] = [
        ("layer", f"{memory.layer.value} · {memory.type}"),
        ("trust", spoken(memory.trust_class.value) if memory.trust_class else ""),
        ("durable", spoken(memory.durability_signal.value) if memory.durability_signal else ""),
        ("tags", ", ".join(memory.tags)),
        ("ratified", ratified),
        ("review", review),
        ("source", memory.source),
        ("anchor", anchor_words(memory.anchor, anchor) if memory.anchor else ""),
        ("created", memory.created[:10]),
        ("updated", memory.updated[:10]),
        ("id", memory.memory_id),
    ]
    return [fact_row(label, value) for label, value in pairs if value]


def _evidence(view: MemoryView) -> list[Row]:
    if not view.records and not view.missing_evidence:
        return []
    rows = [text_row("evidence", ("Evidence", "$ink-title bold"))]
    rows += [record_row(record) for record in view.records]
    rows += [
        text_row(
            f"missing-{evidence_id}", ("not in the vault: ", "$verdict-flag"), safe(evidence_id)
        )
        for evidence_id in view.missing_evidence
    ]
    return rows


def _versions(view: MemoryView) -> list[Row]:
    if not view.versions:
        return []
    rows = [text_row("versions", ("Earlier versions", "$ink-title bold"))]
    newer = view.memory.statement
    for version in view.versions:
        rows.append(
            Row(
                key=version.memory_id,
                gutter=Content.styled("▌ ", "$ink-dim"),
                continuation=Content.styled("▌ ", "$ink-dim"),
                body=Content.assemble(
                    safe(f"until {version.archived_at[:10]}", "$ink-title", limit=40),
                    safe(f" · {version.standing.value}", "$ink-dim"),
                    "\n",
                    difference(version.statement, newer),
                ),
                wrap=True,
            )
        )
        newer = version.statement
    return rows
