"""Secrets that an older store holds are drawn, printed and sent nowhere (spec pages 4 and 9)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hostile import drawn, story, write_hostile_vault
from tui_bench import Bench, opened

from proofstone.curation import secrets
from proofstone.curation.masking import cover_each, cover_secrets
from proofstone.curation.show import KINDS
from proofstone.domain.secrets_found import COVER
from proofstone.tui.commands import BY_ID, commands_for
from proofstone.tui.plain import plain
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.snapshot import SCREENS, snapshot
from tests.conftest import Proofstone

VALUES = (
    "ghp_a8Kd93jfQ0xLm2Zr7Tn5Vb1Yc4We6Hs9UpGi",
    "Zx81-Spectrum9",
    "sk-ant-api03-Qw8erTy7uIop3As5dFgh2JklZxcVbnM",
    "AKIAQWERTYUIOPASDFGH",
)
TEXT = (
    f"Deploy with {VALUES[0]} at hand; the password is {VALUES[1]} and the model's key is "
    f"{VALUES[2]}, the cloud's {VALUES[3]}."
)
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bQ1w2E3r4T5y6U7i8\n"
    "oPaSdFgHjKlZxCvBnM0987654321qwertyuiop\n-----END RSA PRIVATE KEY-----"
)


@pytest.fixture
def old_vault(tmp_path: Path) -> Path:
    """Written by a program that let secrets in, in every field."""
    return write_hostile_vault(tmp_path / "old", [TEXT, f"The key:\n{KEY}\nand no more."])


def assert_silent(text: str) -> None:
    joined = "".join(text.replace("&#160;", " ").split())
    for value in (*VALUES, *(line for line in KEY.split("\n")[1:-1])):
        for start in range(0, len(value) - 11, 4):
            assert value[start : start + 12] not in joined, value


def test_the_samples_are_secrets_and_covering_keeps_every_place() -> None:
    for value in VALUES:
        assert secrets.find(TEXT)
        covered = cover_secrets(TEXT)
        assert value not in covered
        assert len(covered) == len(TEXT)
    start = TEXT.index("and the model")
    assert cover_secrets(TEXT)[start : start + 13] == TEXT[start : start + 13]
    covered = cover_secrets(f"before\n{KEY}\nafter")
    assert covered.count("\n") == f"before\n{KEY}\nafter".count("\n")
    assert covered.startswith("before\n")
    assert covered.endswith("\nafter")
    assert COVER in covered
    assert_silent(covered)


def test_many_at_once_are_covered_as_one_by_one() -> None:
    texts = ["plain", TEXT, "", "prop-0646e4d37bb2fd128e0bd78f", KEY, "密码是 Zx81Spectrum"] * 3
    assert cover_each(texts) == [cover_secrets(text) for text in texts]
    assert cover_each([]) == []


def test_no_command_prints_them(old_vault: Path, proofstone: Proofstone) -> None:
    for kind in KINDS:
        assert_silent(proofstone("show", kind, old_vault).out)
        outcome = proofstone("show", kind, old_vault, "--json")
        assert_silent(outcome.out)
        assert json.loads(outcome.out)["items"] is not None
    (unit, *_) = proofstone("show", "proposals", old_vault, "--json").items
    assert len(unit["statement"]) == len(f"{TEXT} 0000a")
    name = unit["proposal_id"]
    for words in (
        ("open", old_vault),
        ("log", old_vault),
        ("log", old_vault, "--json"),
        ("check", old_vault),
        ("check", old_vault, "--json"),
        ("show", "proposals", old_vault, name),
        ("gate", "prompt", old_vault, "agent/s0000#1"),
        ("gate", "view", old_vault, "agent/s0000#1"),
        ("gate", "view", old_vault, "agent/s0000#1", "--json"),
        ("gate", "verify", old_vault),
        ("rule", "ratify", old_vault, name, "--dry-run", "--reason", TEXT),
        ("rule", "ratify", old_vault, name, "--dry-run", "--reason", TEXT, "--json"),
        ("rule", "defer", old_vault, TEXT, "--as", "Mira"),
        ("show", "proposals", old_vault, "--filter", f"no:{TEXT}"),
    ):
        outcome = proofstone(*words, code=None)
        assert "Traceback" not in outcome.err
        assert_silent(outcome.out)
        assert_silent(outcome.err)


def test_no_plain_screen_and_no_picture_shows_them(old_vault: Path) -> None:
    context = story(old_vault).context
    for screen in SCREENS:
        assert_silent(plain(old_vault, context, screen=screen))
    assert_silent(snapshot(old_vault, context, size=(200, 60)))


async def test_no_pane_and_no_dialog_shows_them(old_vault: Path) -> None:
    async with opened(old_vault) as bench:
        tried: set[str] = set()
        for view in bench.workspace.queue:
            for pane in "34567":
                await bench.press(pane, "z")
                assert_silent(drawn(bench.app))
                await bench.press("z")
            if view.proposal.statement[:9] not in tried:
                tried.add(view.proposal.statement[:9])
                for command in ("ratify", "defer", "supersede", "edit", "preview", "boundary"):
                    await _look(bench, BY_ID[command].keys[0])
            await bench.press("2", "j")
        assert len(tried) == 2
        for command in commands_for("main"):
            if command.id in SCREENS and command.id != "boundary":
                await _look(bench, command.keys[0])


async def _look(bench: Bench, key: str) -> None:
    await bench.press(key)
    assert_silent(drawn(bench.app))
    await bench.press("j")
    assert_silent(drawn(bench.app))
    for _ in range(3):
        await bench.press("escape")
        if isinstance(bench.app.screen, MainScreen):
            break
    assert isinstance(bench.app.screen, MainScreen)


async def test_editing_something_else_leaves_what_is_covered_alone(old_vault: Path) -> None:
    """The form draws a cover; the words below it are not changed by drawing."""
    async with opened(old_vault) as bench:
        view = await bench.select(lambda v: v.proposal.statement.startswith("Deploy"))
        await bench.press("e")
        assert_silent(drawn(bench.app))
        await bench.press("tab")
        bench.app.screen.query_one("#tags").value = "deploys"  # type: ignore[attr-defined]
        await bench.press("ctrl+s")
        now = bench.workspace.proposal(view.proposal_id).proposal
        assert now.tags == ("deploys",)
        assert now.statement == view.proposal.statement
