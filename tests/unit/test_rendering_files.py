"""Writing rendered files: at once, never over what somebody else wrote, never half."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.curation import rendering
from proofstone.curation.context import Context
from proofstone.curation.rendering import Format
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError


@pytest.fixture
def workspace(demo_vault: Path, context: Context) -> Workspace:
    return Workspace.open(demo_vault, context)


def test_planning_writes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    plan = rendering.plan(workspace, tmp_path / "new" / "CLAUDE.md")
    assert [file.change for file in plan.files] == ["created"]
    assert not (tmp_path / "new").exists()
    rendering.write(plan)
    assert rendering.plan(workspace, tmp_path / "new" / "CLAUDE.md").is_up_to_date


def test_a_file_that_changed_in_between_is_not_written(
    workspace: Workspace, tmp_path: Path
) -> None:
    target = tmp_path / "CLAUDE.md"
    target.write_text("# Mine\n")
    plan = rendering.plan(workspace, target)
    target.write_text("# Mine, edited\n")
    with pytest.raises(ProofstoneError, match="changed while it was being rendered"):
        rendering.write(plan)
    assert target.read_text() == "# Mine, edited\n"


def test_a_write_that_fails_leaves_the_file_and_no_rest(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "CLAUDE.md"
    target.write_text("# Mine\n")
    plan = rendering.plan(workspace, target)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("proofstone.curation.rendering.os.fsync", full)
    with pytest.raises(ProofstoneError, match="No space left on device; it is as it was"):
        rendering.write(plan)
    assert target.read_text() == "# Mine\n"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["CLAUDE.md"]


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("CLAUDE.md", Format.MARKDOWN),
        ("notes.markdown", Format.MARKDOWN),
        ("rule.mdc", Format.CURSOR),
        (".cursor/rules", Format.CURSOR),
        ("memory", Format.CLAUDE_FOLDER),
    ],
)
def test_the_target_says_how_it_is_written(
    name: str, format: Format, workspace: Workspace, tmp_path: Path
) -> None:
    assert rendering.plan(workspace, tmp_path / name).format is format


def test_a_topic_file_that_is_a_link_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    rendering.write(rendering.plan(workspace, folder))
    topic = sorted(folder.glob("proofstone-*.md"))[0]
    topic.unlink()
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n")
    topic.symlink_to(outside)
    with pytest.raises(ProofstoneError, match="is a link"):
        rendering.plan(workspace, folder)
    assert outside.read_text() == "mine\n"


def test_a_target_that_is_too_large_or_no_file_is_refused(
    workspace: Workspace, tmp_path: Path
) -> None:
    large = tmp_path / "large.md"
    with large.open("wb") as stream:
        stream.truncate(rendering.MAX_TARGET_BYTES + 1)
    with pytest.raises(ProofstoneError, match="larger than 8 MiB"):
        rendering.plan(workspace, large)
    with pytest.raises(ProofstoneError, match="is a folder"):
        rendering.plan(workspace, tmp_path, format=Format.MARKDOWN)
    loop = tmp_path / "loop.md"
    loop.symlink_to(loop)
    with pytest.raises(ProofstoneError, match="cannot be read"):
        rendering.plan(workspace, loop)
