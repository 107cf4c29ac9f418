"""The verdict beside the form follows what is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, TextArea
from tui_bench import Bench, Opening, files_of, settled

from proofstone.domain.verification import VerificationStatus
from proofstone.tui.screens import edit
from proofstone.tui.screens.edit import EditDialog


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any waiting for a pause."""
    monkeypatch.setattr(edit, "PAUSE", 0.001)


async def opened_form(b: Bench) -> EditDialog:
    await b.select(lambda view: view.report.status is VerificationStatus.VERIFIED)
    await b.press("e")
    dialog = b.app.screen
    assert isinstance(dialog, EditDialog)
    return dialog


async def judged(b: Bench) -> str:
    """What the verdict says once nothing is being judged any more."""
    for _ in range(3):
        await settled(b.pilot)
    return " ".join(b.shown("#verdict").split())


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_verdict_follows_the_form(
    demo_vault: Path, bench: Opening, size: tuple[int, int]
) -> None:
    async with bench(demo_vault, size) as b:
        before = files_of(demo_vault)
        dialog = await opened_form(b)
        assert "verified" in await judged(b)
        dialog.query_one("#trust_class", Input).value = "third_party_documentation"
        told = await judged(b)
        assert "review required ← was ✓ verified" in told
        assert "+ low trust source" in told
        dialog.query_one("#layer", Input).value = "L9"
        assert "layer must be one of" in await judged(b)
        assert files_of(demo_vault) == before


async def test_the_words_are_compared_with_what_they_were(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault, (200, 60)) as b:
        dialog = await opened_form(b)
        assert "The words are as they were" in await judged(b)
        area = dialog.query_one("#statement", TextArea)
        first = area.text.split()[0]
        area.text = area.text.replace(first, "Surely", 1)
        assert f"{first} Surely" in await judged(b)


async def test_a_memory_is_judged_while_it_is_edited(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault, (120, 40)) as b:
        await b.press("M", "e")
        assert isinstance(b.app.screen, EditDialog)
        assert "verdict" in await judged(b)
