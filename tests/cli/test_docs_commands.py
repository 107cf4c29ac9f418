"""Every command that the README and the documents show is run, page by page, as it stands there.

A block ``sh`` is run whole. Of a block ``console`` each line after ``$ `` is run, and its output
must be what the page says; a line ``…`` stands for any lines. What cannot be run here carries its
reason in the fence, ``sh skip="…"``, and is counted below, so that nothing is passed over unseen.
The keys of a block ``keys vault="…"`` are pressed in the workbench, the first word of each line.
Commands may contain words that stand for a reader's own; PLACEHOLDERS says what stands for what.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import NOW

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^(?P<marks>`{3,})(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=marks)[ ]*$", re.M | re.S)
SKIP = re.compile(r'^(?:sh|console) skip="(?P<reason>[^"]+)"$')
REASONS = {
    "it needs a network",
    "it needs an agent's program",
    "it installs",
    "it serves until it is stopped",
}

SKIPPED = {
    "README.md": 2,
    "docs/gate.md": 1,
    "docs/how-to/ask-a-model.md": 3,
    "docs/how-to/connect-an-agent.md": 3,
    "docs/how-to/install.md": 4,
    "docs/index.md": 1,
    "docs/mcp.md": 2,
    "docs/tutorial.md": 2,
    "docs/web.md": 1,
}
"""How many blocks of which page are not run."""

PLACEHOLDERS = {
    "codex/s-1#1": "claude-code/atlas-load#4",
    "prop-1a2b3c": "prop-6521b5",
    "mem-9f8e7d": "mem-20261013102244-a5d3917f",
    "Your Name": "Mira Tal",
}
"""What a reader puts in the place of the words on the left."""

# `check` finds the faults that the demo vault has on purpose, and says so with exit code 1.
PRELUDE = """set -e
proofstone() {
    command proofstone "$@" || { code=$?; [ "$1 $code" = "check 1" ] || return "$code"; }
}
"""


@dataclass(frozen=True)
class Block:
    """One fenced block: where it stands, what its fence says, and its text."""

    page: str
    line: int
    info: str
    text: str

    @property
    def language(self) -> str:
        """The first word of the fence."""
        return self.info.split()[0] if self.info else ""

    @property
    def is_run(self) -> bool:
        """Whether the block holds commands that are run."""
        return self.language in {"sh", "console", "keys"} and "skip" not in self.info


def blocks_of(page: Path) -> list[Block]:
    """Every fenced block of a page, in order."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [
        Block(name, text.count("\n", 0, found.start()) + 1, found["info"].strip(), found["text"])
        for found in FENCE.finditer(text)
    ]


BLOCKS = {page.relative_to(ROOT).as_posix(): blocks_of(page) for page in PAGES}


class Reader:
    """Somebody who follows one page: a home, a copy of the demo vault, and a shell."""

    def __init__(self, home: Path, vault: Path) -> None:
        self.vault = vault
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "PROOFSTONE_NOW": NOW.isoformat(),
            "PROOFSTONE_STATE": str(home / "state"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a script of commands; both streams come back as one."""
        for stands, means in PLACEHOLDERS.items():
            script = script.replace(stands, means)
        return subprocess.run(
            ["bash", "-c", PRELUDE + script],
            cwd=self.vault,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def prepare(self, script: str) -> None:
        """Bring about what a page takes for granted."""
        done = self.run(script)
        assert done.returncode == 0, done.stdout


@pytest.fixture
def reader(tmp_path: Path, demo_vault: Path) -> Reader:
    """A reader in a copy of the demo vault, another at ``~/.memleaf``, who uses Claude Code."""
    home = tmp_path / "home"
    shutil.copytree(demo_vault, home / ".memleaf")
    conversation_kept(home)
    return Reader(home, demo_vault)


GIT = """
git init -q .
git config user.name "Mira Tal"
git config user.email mira@example.org
git add --all
git commit -qm "The vault"
"""

CONFLICT = """
entry() { printf '100644 %s %s\\t_state/proofstone/journal.jsonl\\n' \\
    "$(git rev-parse HEAD:_state/proofstone/journal.jsonl)" "$1"; }
{ entry 1; entry 2; entry 3; } > ../stages
git rm -q --cached _state/proofstone/journal.jsonl
git update-index --index-info < ../stages
"""

CONVERSATION = (
    ("user", "Always make small commits with one change each. Which branch is this?"),
    ("assistant", [{"type": "text", "text": "It is main."}]),
)
"""A conversation that Claude Code kept."""


def conversation_kept(home: Path) -> None:
    """Put it where Claude Code puts its conversations."""
    session = "3f0b6a5e-2d1c-4b7a-8e55-0c9d7e2f1a34"
    rows = [
        {
            "type": role,
            "uuid": f"0000000{place}-0000-4000-8000-000000000000",
            "sessionId": session,
            "cwd": "/home/mira/shop",
            "timestamp": f"2026-11-26T16:0{place}:00.000Z",
            "message": {"role": role, "content": content, "stop_reason": "end_turn"},
        }
        for place, (role, content) in enumerate(CONVERSATION)
    ]
    folder = home / ".claude" / "projects" / "-home-mira-shop"
    folder.mkdir(parents=True)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / f"{session}.jsonl").write_text(lines, encoding="utf-8")


TAKEN_FOR_GRANTED: dict[str, str] = {
    "docs/ci.md": GIT,
    "docs/how-to/check-in-ci.md": GIT,
    "docs/how-to/two-curators-in-git.md": GIT,
}
"""What a page needs before its first block."""


def taken_for_granted(block: Block) -> str:
    """What one block needs: a journal whose merge has stopped at a conflict."""
    return CONFLICT if "git show :1:" in block.text else ""


def follow(reader: Reader, block: Block) -> None:
    """Run a block and hold it to what it says."""
    place = f"{block.page}:{block.line}"
    reader.prepare(taken_for_granted(block))
    if block.language == "keys":
        press(reader, block)
        return
    if block.language == "sh":
        done = reader.run(block.text)
        assert done.returncode == 0, f"{place}\n{block.text}\n{done.stdout}"
        return
    for command, expected in conversation(block.text):
        printed = reader.run(command).stdout
        assert matches(expected, printed), f"{place}\n$ {command}\n{printed}"


KEYS_FENCE = re.compile(r'^keys vault="(?P<vault>[\w/-]+)"$')
KEY_LINE = re.compile(r'^(?:"(?P<typed>[^"]+)"|(?P<key>\S+))')
KEY_NAMES = {"/": "slash", ":": "colon", " ": "space", "?": "question_mark", "esc": "escape"}


def press(reader: Reader, block: Block) -> None:
    """Press the keys of a block in the workbench; words in quotes are typed."""
    fence = KEYS_FENCE.match(block.info)
    assert fence, f'{block.page}:{block.line}: write the fence as ```keys vault="folder"'
    keys: list[str] = []
    for line in block.text.splitlines():
        found = KEY_LINE.match(line)
        assert found, f"{block.page}:{block.line}: {line}"
        keys += list(found["typed"]) if found["typed"] else [found["key"]]
    named = ",".join(KEY_NAMES.get(key, key) for key in keys)
    done = reader.run(
        f'proofstone snapshot {fence["vault"]} --as "Your Name" --keys "{named}" -o ../keys.svg'
    )
    assert done.returncode == 0, f"{block.page}:{block.line}\n{done.stdout}"


def conversation(text: str) -> list[tuple[str, str]]:
    """The commands of a ``console`` block, each with what it is said to print."""
    assert text.startswith("$ "), text
    parts = re.split(r"^\$ ", text, flags=re.M)[1:]
    told: list[tuple[str, str]] = []
    for part in parts:
        lines = part.splitlines(keepends=True)
        end = next(index for index, line in enumerate(lines, 1) if not line.rstrip().endswith("\\"))
        told.append(("".join(lines[:end]), "".join(lines[end:])))
    return told


def matches(expected: str, printed: str) -> bool:
    """Whether the output is what the page says, ``…`` alone on a line standing for any lines."""
    pieces = (".*" if line.strip() == "…" else re.escape(line) for line in expected.splitlines())
    return re.fullmatch(r"\n*".join(pieces), printed.strip("\n"), re.S) is not None


RUN = [name for name, blocks in BLOCKS.items() if any(block.is_run for block in blocks)]


@pytest.mark.parametrize("page", RUN)
def test_a_page_can_be_followed_from_its_first_command_to_its_last(
    page: str, reader: Reader
) -> None:
    reader.prepare(TAKEN_FOR_GRANTED.get(page, ""))
    for block in BLOCKS[page]:
        if block.is_run:
            follow(reader, block)


def test_what_is_not_run_has_a_known_reason_and_is_counted() -> None:
    skipped: dict[str, int] = {}
    for name, blocks in BLOCKS.items():
        for block in blocks:
            if block.language in {"sh", "console"} and not block.is_run:
                found = SKIP.match(block.info)
                assert found, f'{name}:{block.line}: write the fence as ```sh skip="reason"'
                assert found["reason"] in REASONS, f"{name}:{block.line}: {found['reason']}"
                skipped[name] = skipped.get(name, 0) + 1
    assert skipped == SKIPPED


def test_no_command_hides_in_a_block_of_another_language() -> None:
    commands = re.compile(r"^\s*(?:\$ )?(?:proofstone|make|git|pip) ", re.M)
    for name, blocks in BLOCKS.items():
        for block in blocks:
            assert block.language, f"{name}:{block.line}: say what the block holds, such as sh"
            if block.language in {"sh", "console", "yaml"} or name.startswith("docs/reference/"):
                continue
            if block.language == "text":
                told = [line for line in block.text.splitlines() if commands.match(line)]
                assert all(FORM.search(line) for line in told), f"{name}:{block.line}: no form"
                continue
            assert not commands.search(block.text), (
                f"{name}:{block.line}: a block of commands is sh"
            )


FORM = re.compile(r"\b[A-Z]{4,}\b")
"""What tells the form of a command, ``proofstone check PATH``, from a command that can be run."""


COMPARED = [
    ("one\ntwo\n", "one\ntwo\n", True),
    ("one\n…\nfour\n", "one\ntwo\nthree\nfour\n", True),
    ("one\n", "one\ntwo\n", False),
    ("one.\n", "onex\n", False),
    ("", "", True),
    ("", "words\n", False),
]
"""What a page says beside what was printed, and whether they agree."""


@pytest.mark.parametrize(("expected", "printed", "agree"), COMPARED)
def test_outputs_are_compared_line_by_line(expected: str, printed: str, agree: bool) -> None:
    assert matches(expected, printed) is agree
