"""Ten clean proposals are ruled on by ten keys, and each that is ruled on was the one seen."""

from __future__ import annotations

from pathlib import Path

import frontmatter
from tui_bench import Opening

from proofstone.curation.check import check
from proofstone.domain.records import MatchKind
from proofstone.domain.verification import VerificationStatus
from proofstone.vault.create import create_vault
from tests.clean_story import RULED, SESSION, SOURCE, answer, capture, new_turn, workspace

SAID = (
    "The ferry to Askøy leaves at six in the morning.",
    "Invoices are numbered by the bookkeeping office.",
    "The greenhouse thermostat belongs to Tomas.",
    "Orders above ninety euro ship without a fee.",
    "Quarterly reports are written in Norwegian.",
    "The spare key hangs behind the blue door.",
    "Backups of the wiki are kept for two years.",
    "Our telephone menu has four choices.",
    "Bicycles are parked under the east stairs.",
    "The choir rehearses in the old library.",
)
"""Ten things of which none is like another."""


def tell(root: Path) -> Path:
    """A vault in which each of the ten waits, from a turn of its own, and nothing else."""
    create_vault(root)
    turns = [new_turn(f"agent/ten#{n}", said, "Noted.") for n, said in enumerate(SAID, 1)]
    capture(root, *turns)
    for n in range(1, len(SAID) + 1):
        answer(workspace(root, RULED), f"{SOURCE}/{SESSION}#{n}", ["CANDIDATE"])
    return root


async def test_ten_keys_rule_on_ten_clean_proposals(tmp_path: Path, bench: Opening) -> None:
    vault = tell(tmp_path / "ten")
    async with bench(vault) as b:
        waiting = [view.proposal_id for view in b.workspace.queue]
        assert len(waiting) == len(SAID)
        for view in b.workspace.queue:
            assert view.report.status is VerificationStatus.VERIFIED
            assert view.match.kind is MatchKind.NEW
        for left in range(len(SAID), 0, -1):
            seen, statement = b.subject, b.workspace.proposals[b.subject].statement
            assert len(b.workspace.queue) == left
            assert statement[:24] in b.shown("#proposal")
            await b.press("r")
            ruled = vault / "proposals" / "ruled" / f"{seen}.md"
            memory = frontmatter.loads(ruled.read_text(encoding="utf-8"))["memory_id"]
            words = (vault / "knowledge" / f"{memory}.md").read_text(encoding="utf-8")
            assert frontmatter.loads(words).content.strip() == statement
        assert not len(b.workspace.queue)
        assert "Nothing waits for a ruling." in b.shown("#queue")
    after = workspace(vault, RULED)
    assert check(after) == ()
    assert len(list((vault / "knowledge").glob("*.md"))) == len(SAID)
