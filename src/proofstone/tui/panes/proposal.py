"""The Proposal pane: the words that wait, what they would change, and what describes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.content import Content

from proofstone.domain.records import Layer, MatchKind, Proposal
from proofstone.domain.verification import VerificationStatus
from proofstone.tui.anchor_checks import anchor_warning, anchor_words
from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.queue import badges
from proofstone.tui.panes.tainted import finding_rows, statement_words
from proofstone.tui.rows import Row, Rows, spaced, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.words import count, difference, safe, spoken

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView
    from proofstone.domain.siblings import RewordedReturn

LABEL_CELLS = 10
STALE = "changed on disk, reading again…"
_EMPTY = "No proposal is selected.\n\nChoose one in the Queue ({pane_2}) to rule on it."
_UNREAD = (
    "The vault is still being read.\n\nUntil then Turns ({pane_1}), Evidence ({pane_3}) and Gate "
    "({pane_4}) can be looked at. What waits is judged, and can be ruled on, when all is read."
)
_EMPTY_TURN = "No proposal from this turn waits for a ruling."


class ProposalPane(Pane):
    """The selected proposal."""

    number: ClassVar[int] = 5
    title: ClassVar[str] = "Proposal"
    about: ClassVar[str] = (
        "The statement that waits for your ruling, and what ratifying it would do: make a new "
        "memory, give an existing one new words, or add its evidence to one that says the same. "
        "Below, its layer, scope, trust and durability; {edit} changes them."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: object = None
        self._below = Content("")

    def show(self, scene: Scene) -> None:
        """Draw the proposal."""
        turn = scene.turn if scene.proposal is None else None
        drawn = (scene.proposal, scene.target, scene.anchor, turn, scene.is_unread)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        view = scene.proposal
        if view is None:
            empty = _UNREAD if scene.is_unread else _EMPTY_TURN if scene.turn else _EMPTY
            self.set_rows(Rows(), placeholder=self.told(empty))
            self._below = Content("")
            self.set_titles()
            return
        groups = [
            [text_row("statement", statement_words(view.proposal.statement, view.taint))],
            list(_warnings(view, scene.anchor)),
            list(_effect(view, scene, self.key_label("ratify"))),
            list(_facts(view.proposal, scene.anchor)),
        ]
        self.set_rows(Rows(spaced(groups)), anew=self.starts_anew(view.proposal_id))
        from proofstone.domain.rulings import short_id

        self._below = safe(short_id(view.proposal_id), limit=120)
        self.set_titles(view.proposal.layer.value, self._below)

    def mark_stale(self, stale: bool) -> None:
        """Say in the frame that the card is not what is on disk, or that it is again."""
        self.put_below(Content.styled(STALE, "$verdict-flag bold") if stale else self._below)


def _warnings(view: ProposalView, anchor: str) -> Iterator[Row]:
    if view.is_tainted:
        told = "the text tries to steer an agent:" if view.taint else "marked as tainted"
        yield text_row("taint", ("TAINT ", "$taint bold"), (told, "$ink"))
        yield from finding_rows(view.proposal.statement, view.taint)
    if view.returned:
        yield text_row(
            "returned",
            ("RETURNED ", "$verdict-block bold"),
            safe(f"nearly the same words were tombstoned before: {_returned(view.returned)}"),
        )
    if view.answer_is_replaced:
        yield text_row(
            "replaced",
            ("ANSWER REPLACED ", "$verdict-flag bold"),
            ("its turn has another Gate answer now, which does not propose this", "$ink"),
        )
    warning = anchor_warning(view.proposal.anchor, anchor)
    if warning is not None:
        yield text_row("anchor-warning", warning)
    deferred = view.proposal.deferred
    if deferred is not None:
        until = f" until {deferred.until}" if deferred.until else ""
        note = f": {deferred.note}" if deferred.note else ""
        yield text_row(
            "deferred",
            ("DEFERRED ", "$decision-deferred bold"),
            safe(f"{spoken(deferred.reason)}{until}{note}"),
        )


def _returned(returned: RewordedReturn) -> str:
    """What came back, and why it was refused."""
    reason = spoken(returned.reason) or "no reason was given"
    return f"{returned.id} ({reason}), {returned.score:.2f} of the words"


def _effect(view: ProposalView, scene: Scene, key: str) -> Iterator[Row]:
    """What the ratify key would do, in words; and the difference where a memory would change."""
    if view.report.status is VerificationStatus.REJECTED:
        yield text_row(
            "effect",
            ("It cannot be ratified", "$verdict-block bold"),
            (" while the verifier rejects it; see Verifier.", "$ink-dim"),
        )
    else:
        words = _effect_words(view, scene)
        yield Row(
            key="effect",
            gutter=Content.assemble((f" {key} ", "$ink-key bold reverse"), " "),
            continuation=Content(" " * (cell_len(key) + 3)),
            body=words,
            wrap=True,
            selectable=False,
        )
    if scene.target is not None:
        yield text_row("difference", difference(scene.target.statement, view.proposal.statement))


def _effect_words(view: ProposalView, scene: Scene) -> Content:
    match = view.match.kind
    if view.proposal.layer is Layer.L1:
        ask = "opens its own review: reason, and its short id typed"
    elif view.report.flags or view.is_tainted or view.returned:
        ask = "asks for a reason, then "
    else:
        ask = ""
    if view.proposal.layer is Layer.L1:
        return Content.assemble((ask, "$ink"))
    if scene.target is None:
        return Content.assemble((f"{ask}makes a new memory", "$ink"))
    verb = "adds its evidence to" if match is MatchKind.DUPLICATE else "gives new words to"
    return Content.assemble(
        (f"{ask}{verb} ", "$ink"),
        safe(scene.target.memory_id, "$link", limit=60),
        ("; was:", "$ink"),
    )


def _facts(proposal: Proposal, anchor: str) -> Iterator[Row]:
    trust = spoken(proposal.trust_class.value) if proposal.trust_class else "none given"
    durability = spoken(proposal.durability_signal.value) if proposal.durability_signal else "none"
    pairs: list[tuple[str, str | Content]] = [
        ("title", "" if _is_opening(proposal) else proposal.title),
        ("layer", f"{proposal.layer.value} · {proposal.type}"),
        ("scope", ", ".join(proposal.scopes)),
        ("trust", trust),
        ("durable", durability),
        ("kind", proposal.kind),
        ("tags", ", ".join(proposal.tags)),
        ("applies", "; ".join(proposal.applies_when)),
        ("not when", "; ".join(proposal.does_not_apply_when)),
        ("except", "; ".join(proposal.known_exceptions)),
        (
            "counter",
            count(len(proposal.counterexamples), "example") if proposal.counterexamples else "",
        ),
        ("sources", ", ".join(proposal.l1_sources)),
        ("origin", " · ".join(filter(None, (proposal.origin, proposal.turn or proposal.source)))),
        ("anchor", anchor_words(proposal.anchor, anchor) if proposal.anchor else ""),
        ("stale if", proposal.stale_if),
        ("first was", proposal.original_statement),
        ("id", proposal.proposal_id),
    ]
    for label, value in pairs:
        if value:
            yield fact_row(label, value)


def _is_opening(proposal: Proposal) -> bool:
    """Whether the title only repeats how the statement begins."""
    opening = proposal.title.rstrip("….").casefold()
    return proposal.statement.casefold().startswith(opening)


def fact_row(label: str, value: str | Content) -> Row:
    """A label and what stands for it, aligned with the others."""
    body = value if isinstance(value, Content) else safe(value, "$ink", limit=600)
    return Row(
        key=f"fact-{label}",
        gutter=Content.assemble((f"{label:<{LABEL_CELLS}}", "$ink-dim")),
        continuation=Content(" " * LABEL_CELLS),
        body=body,
        wrap=True,
        selectable=False,
    )


def card(view: ProposalView | None, *, is_stale: bool = False, is_unread: bool = False) -> Content:
    """The proposal in two lines, for screens too small to show its pane beside the others."""
    if view is None:
        none = "No proposal is selected."
        return Content.styled("The vault is still being read." if is_unread else none, "$ink-dim")
    return Content.assemble(
        ("► ", "$ink-key bold"),
        safe(view.proposal.statement, "$ink bold", limit=400),
        "\n  ",
        (f"{STALE} · " if is_stale else "", "$verdict-flag bold"),
        badges(view),
        safe(f" · {', '.join(view.proposal.scopes)}", "$ink-dim", limit=80),
    )
