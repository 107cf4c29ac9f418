"""``check`` for continuous integration: formats, escaping, and what changed since a revision."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import proofstone as package
from proofstone.curation.check_formats import github_annotation, path_prefix, sarif
from proofstone.curation.finding_help import FINDINGS, help_for
from proofstone.domain.records import Problem
from tests.conftest import Proofstone

CLEAN, FOUND, UNREADABLE = 0, 1, 2
CLEAN_SINCE = "clean in what changed since HEAD\n"
SOURCES = Path(package.__file__).parent
REPOSITORY = Path(__file__).parents[2]


def git(folder: Path, *arguments: str) -> str:
    """Run git with nobody's settings."""
    done = subprocess.run(
        ["git", "-c", "user.name=Mira Tal", "-c", "user.email=mira@example.org", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={
            "PATH": "/usr/bin:/bin:/usr/local/bin",
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
        },
    )
    return done.stdout


@pytest.fixture
def repository(demo_vault: Path) -> Path:
    """The demo vault, committed as the folder ``demo-vault`` of a repository."""
    root = demo_vault.parent
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "before")
    return root


def annotation(text: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner reads it: its name, properties and message."""
    found = re.fullmatch(r"::(\w+) ([^\n]*?)::([^\n]*)", text)
    assert found, text
    properties = dict(part.split("=", 1) for part in found[2].split(","))
    return (
        found[1],
        {key: _unescape(value) for key, value in properties.items()},
        _unescape(found[3]),
    )


def _unescape(text: str) -> str:
    for escaped, plain in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escaped, plain)
    return text


@given(
    path=st.text(min_size=1),
    message=st.text(),
    advice=st.text(),
    line=st.none() | st.integers(0, 10**6),
    severity=st.sampled_from(["error", "warning", "info"]),
)
def test_an_annotation_is_one_command_whatever_the_text(
    path: str, message: str, advice: str, line: int | None, severity: str
) -> None:
    problem = Problem(
        code="broken_link", path=path, message=message, advice=advice, line=line, severity=severity
    )
    text = github_annotation(problem, "memory/")
    assert len(text.splitlines()) == 1
    assert not re.search("[\x00-\x1f\x7f]", text)
    kind, properties, _ = annotation(text)
    assert kind == {"error": "error", "warning": "warning", "info": "notice"}[severity]
    assert set(properties) == {"file", "title"} | ({"line"} if line is not None else set())
    assert properties["file"].startswith("memory/")


def test_an_annotation_keeps_percent_colon_and_comma() -> None:
    problem = Problem(
        code="broken_link", path="a,b:c%0A.md", message="100% sure: no, ::error::", line=3
    )
    kind, properties, message = annotation(github_annotation(problem))
    assert kind == "error"
    assert properties == {"file": "a,b:c%0A.md", "line": "3", "title": "broken_link"}
    assert message == "100% sure: no, ::error::."


def test_the_four_formats_tell_the_same(repository: Path, proofstone: Proofstone) -> None:
    vault = repository / "demo-vault"
    listed = proofstone("check", vault, "--format", "json", code=FOUND)
    assert listed.json == proofstone("check", vault, "--json", code=FOUND).json
    wanted = [(item["code"], item["path"]) for item in listed.items]
    plain = proofstone("check", vault, "--format", "plain", code=FOUND).out
    assert plain == proofstone("check", vault, code=FOUND).out
    assert plain.splitlines()[-1] == "5 findings"
    lines = proofstone("check", vault, "--format", "github", code=FOUND).out.splitlines()
    read = [annotation(line)[1] for line in lines if line.startswith("::")]
    assert [(found["title"], found["file"].removeprefix("demo-vault/")) for found in read] == wanted
    log = proofstone("check", vault, "--format", "sarif", code=FOUND).json
    results = log["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"] for result in results]
    uris = [place["artifactLocation"]["uri"].removeprefix("demo-vault/") for place in places]
    assert list(zip([r["ruleId"] for r in results], uris, strict=True)) == wanted


def test_json_and_another_format_contradict_each_other(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    wrong = proofstone("check", demo_vault, "--json", "--format", "sarif", code=UNREADABLE)
    assert "--format sarif" in wrong.err
    assert proofstone("check", demo_vault, "--json", "--format", "json", code=FOUND).items


@pytest.mark.parametrize("form", ["plain", "json", "github", "sarif"])
def test_a_clean_vault_is_exit_0_in_every_format(
    form: str, tmp_path: Path, proofstone: Proofstone
) -> None:
    vault = tmp_path / "new"
    proofstone("init", vault)
    out = proofstone("check", vault, "--format", form).out
    if form == "sarif":
        assert json.loads(out)["runs"][0]["results"] == []
    assert ("clean" in out) == (form in ("plain", "github"))
    assert proofstone("check", tmp_path / "none", "--format", form, code=UNREADABLE).out == ""


def _requires(value: dict[str, Any], required: set[str], allowed: set[str]) -> None:
    assert required <= set(value), value
    assert set(value) <= required | allowed, value


def check_sarif(log: dict[str, Any]) -> None:
    """The parts of SARIF 2.1.0 that we use: what must be there, and what may."""
    _requires(log, {"version", "runs"}, {"$schema"})
    assert log["version"] == "2.1.0"
    for run in log["runs"]:
        _requires(run, {"tool"}, {"results", "columnKind"})
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
        driver = run["tool"]["driver"]
        _requires(driver, {"name"}, {"version", "rules"})
        rules = driver["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            _requires(
                rule,
                {"id", "help", "shortDescription", "fullDescription"},
                {"name", "defaultConfiguration"},
            )
            for key in ("help", "shortDescription", "fullDescription"):
                assert rule[key]["text"].strip()
            assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        for result in run["results"]:
            _requires(
                result,
                {"message"},
                {"ruleId", "ruleIndex", "level", "locations", "partialFingerprints"},
            )
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert result["message"]["text"].strip()
            for location in result["locations"]:
                place = location["physicalLocation"]
                uri = place["artifactLocation"]["uri"]
                # Relative, and nothing in it but what a URI may hold.
                assert re.fullmatch(r"(?!/)(?:[A-Za-z0-9/._~-]|%[0-9A-F]{2})+", uri)
                assert place["region"]["startLine"] >= 1
            assert all(isinstance(v, str) for v in result["partialFingerprints"].values())


def test_sarif_has_the_shape_that_the_standard_asks_for(
    repository: Path, proofstone: Proofstone
) -> None:
    vault = repository / "demo-vault"
    (vault / "knowledge" / "ein Blatt, 100% неясно.md").write_text("---\na: [\n---\n", "utf-8")
    log = proofstone("check", vault, "--format", "sarif", code=FOUND).json
    check_sarif(log)
    assert len(log["runs"][0]["results"]) == 6
    assert log["runs"][0]["tool"]["driver"]["version"] == package.__version__


@given(
    st.lists(
        st.builds(
            Problem,
            code=st.sampled_from([*FINDINGS, "not_in_the_list"]),
            path=st.text(min_size=1),
            message=st.text(min_size=1).filter(str.strip),
            line=st.none() | st.integers(-1, 10**9),
            severity=st.sampled_from(["error", "warning", "info"]),
        )
    )
)
def test_sarif_has_that_shape_for_any_text(problems: list[Problem]) -> None:
    log = sarif(problems, "1.0", "memory/")
    check_sarif(log)
    json.dumps(log, ensure_ascii=False).encode("utf-8")
    assert len(log["runs"][0]["results"]) == len(problems)


def test_every_code_in_the_sources_has_help() -> None:
    codes: set[str] = set()
    for folder in ("vault", "domain", "curation"):
        for path in (SOURCES / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            codes |= set(re.findall(r'\bcode="(\w+)"', text))
            codes |= set(re.findall(r'\bcode="\w+" if .+ else "(\w+)"', text))
            named = re.findall(r"\bcode=([A-Z]+)\b", text)
            codes |= {re.findall(rf'(?m)^{name} = "(\w+)"', text)[0] for name in named}
            if path.name == "journal_check.py":
                codes |= set(re.findall(r'"(journal_\w+)"', text))
    # Given by `gate verify` alone.
    codes.discard("other_prompt")
    assert codes == set(FINDINGS)
    shorts = [help.short for help in FINDINGS.values()]
    assert len(set(shorts)) == len(shorts)
    assert all(help.text.endswith(".") for help in FINDINGS.values())
    assert help_for("something new").text


def test_the_prefix_names_paths_from_the_repository(repository: Path, tmp_path: Path) -> None:
    vault = repository / "demo-vault"
    assert path_prefix(vault, vault / "knowledge") == "demo-vault/"
    assert path_prefix(repository, vault) == ""
    lonely = tmp_path.parent / f"{tmp_path.name}-lonely" / "in" / "vault"
    lonely.mkdir(parents=True)
    assert path_prefix(lonely, lonely.parent.parent) == "in/vault/"
    assert path_prefix(lonely, tmp_path / "elsewhere") == ""


def test_since_finds_only_what_lies_in_changed_files(
    repository: Path, proofstone: Proofstone
) -> None:
    vault = repository / "demo-vault"
    assert proofstone("check", vault, "--since", "HEAD").out == CLEAN_SINCE
    note = next(iter(sorted((vault / "knowledge").glob("mem-2026*.md"))))
    note.write_text("---\nmemory_id: [\n---\n", encoding="utf-8")
    new = vault / "knowledge" / "mem-new.md"
    new.write_text("no header", encoding="utf-8")
    found = proofstone("check", vault, "--since", "HEAD", "--json", code=FOUND).items
    assert {item["path"] for item in found} == {f"knowledge/{note.name}", "knowledge/mem-new.md"}
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "after")
    assert proofstone("check", vault, "--since", "HEAD").out == CLEAN_SINCE
    again = proofstone("check", vault, "--since", "HEAD~1", "--json", code=FOUND).items
    assert again == found
    assert len(proofstone("check", vault, "--json", code=FOUND).items) > len(found)


def test_since_stands_the_variables_that_git_sets_for_hooks(
    repository: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index.lock")
    assert proofstone("check", repository / "demo-vault", "--since", "HEAD").out == CLEAN_SINCE


@pytest.mark.parametrize("revision", ["no-such-branch", "--output=x", "HEAD~7"])
def test_since_a_revision_that_is_none_is_one_line(
    revision: str, repository: Path, proofstone: Proofstone
) -> None:
    wrong = proofstone("check", repository / "demo-vault", f"--since={revision}", code=UNREADABLE)
    assert wrong.out == ""
    assert "no such revision" in wrong.err
    assert len(wrong.err.splitlines()) == 1


def test_since_without_git_is_one_line(demo_vault: Path, proofstone: Proofstone) -> None:
    wrong = proofstone("check", demo_vault, "--since", "HEAD", code=UNREADABLE)
    assert "not in a git work tree" in wrong.err
    assert wrong.out == ""


def test_the_pre_commit_hook_checks_the_vault_at_the_repositorys_root(
    demo_vault: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = hooks
    assert hook["id"] == "proofstone-check"
    assert hook["language"] == "python"
    assert hook["pass_filenames"] is False
    program, *command = hook["entry"].split()
    assert program == "proofstone"
    monkeypatch.chdir(demo_vault)
    assert proofstone(*command, *hook["args"], code=FOUND).out.endswith("5 findings\n")
    for path in ("knowledge/a.md", "_state/proofstone/journal.jsonl", "gate/codex/s/t.json"):
        assert re.search(hook["files"], path)


def test_the_commands_in_the_documents_run(
    repository: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "demo-vault")
    text = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
    commands = re.findall(r"^proofstone (check .+?)(?:\s+#.*)?$", text, re.M)
    assert len(commands) >= 5
    for command in commands:
        proofstone(*command.split(), code=CLEAN if "--since" in command else FOUND)
    for code in re.findall(r"\(`(\w+)`\)", text):
        if code != "merged_from":
            assert code in FINDINGS


def test_the_workflow_in_the_documents_annotates_what_a_branch_changed(repository: Path) -> None:
    text = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(re.findall(r"```yaml\n(name: .*?)```", text, re.S)[0])
    steps = [step for step in workflow["jobs"]["check"]["steps"] if "name" in step]
    vault = repository / "demo-vault"
    shutil.move(repository / ".git", vault / ".git")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "the vault alone")
    git(vault, "update-ref", "refs/remotes/origin/main", "HEAD")
    (vault / "knowledge" / "mem-new.md").write_text("---\na: [\n---\n", encoding="utf-8")
    command = repository / "bin" / "proofstone"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m proofstone "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
    }
    outputs = [
        subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=vault,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        for step in steps
    ]
    assert [done.returncode for done in outputs] == [FOUND, FOUND]
    said = outputs[0].stdout.splitlines()
    assert [annotation(line)[1]["file"] for line in said[:-1]] == ["knowledge/mem-new.md"]
    check_sarif(json.loads((vault / "proofstone.sarif").read_text(encoding="utf-8")))
