"""A person's own small files: one line is changed, and everything else stays byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from proofstone.curation.own_file import MAX_OWN_FILE_BYTES, changed, read_own_file, write_word
from proofstone.curation.own_settings import own_author, read_own_settings
from proofstone.domain.errors import ProofstoneError

KEPT = "# mine\ntheme:   'dusk'  # evenings\nnews: [a, b]\r\nfont: 12\n"


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("", "theme", "dark", 'theme: "dark"\n'),
        ("# nothing yet", "theme", "dark", '# nothing yet\ntheme: "dark"\n'),
        ("theme: dusk", "theme", "dark", 'theme: "dark"'),
        ("a: b\r\ntheme: dusk # x\r\n", "theme", "dark", 'a: b\r\ntheme: "dark" # x\r\n'),
        ("a: b\r\n", "theme", "dark", 'a: b\r\ntheme: "dark"\r\n'),
        ("\ufefftheme: dusk\n", "theme", "dark", '\ufefftheme: "dark"\n'),
        ("a: b\nc: d\ne: f\n", "c", None, "a: b\ne: f\n"),
        ("a: b\nc: d", "c", None, "a: b\n"),
        ("a: b\n", "c", None, "a: b\n"),
        ("a: b\n", "my own", "x: y", 'a: b\n"my own": "x: y"\n'),
    ],
)
def test_only_the_line_that_is_meant_changes(
    before: str, name: str, value: str | None, after: str
) -> None:
    assert changed(before, name, value, "f.yaml") == after


@pytest.mark.parametrize(
    "text",
    [
        "- a\n- b\n",
        "{a: b}",
        "theme: >\n  folded\n  words\nb: c\n",
        "theme: &x dusk\nother: *x\n",
        "a: b\n...\n",
        "theme: [",
        "theme: a\ntheme: b\n",
    ],
)
def test_what_cannot_be_changed_alone_is_refused_or_right(text: str) -> None:
    try:
        after = changed(text, "theme", "dark", "f.yaml")
    except ProofstoneError as refused:
        assert str(refused).startswith("f.yaml: write “theme” there yourself")
        return
    wanted = {**yaml.load(text, Loader=yaml.BaseLoader), "theme": "dark"}
    assert yaml.load(after, Loader=yaml.BaseLoader) == wanted


@given(st.text(max_size=40), st.text(min_size=1, max_size=20).filter(str.strip))
def test_any_words_come_back(value: str, name: str) -> None:
    try:
        text = changed("# first\n", name, value, "f.yaml")
    except ProofstoneError:
        return
    assert text.startswith("# first\n")
    assert yaml.load(text, Loader=yaml.BaseLoader) == {name: value}


def test_a_file_is_made_changed_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "new" / "workbench.yaml"
    write_word(path, "theme", "dark")
    assert path.read_text(encoding="utf-8") == 'theme: "dark"\n'
    path.write_bytes(KEPT.encode())
    path.chmod(0o640)
    write_word(path, "theme", "light")
    assert path.read_bytes().decode() == KEPT.replace("'dusk'", '"light"')
    assert path.stat().st_mode & 0o777 == 0o640
    assert [found.name for found in path.parent.iterdir()] == ["workbench.yaml"]


def test_what_is_wrong_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "filters.yaml"
    assert read_own_file(path).words == {} and read_own_file(path).faults == ()
    for data, fault in (
        (b"- a\n", "filters.yaml: write lines such as “name: words”"),
        (b"a: b\n c\n - d: [\n", "filters.yaml: cannot be read as YAML, line "),
        (b"\xff", "filters.yaml: it is not UTF-8"),
        (b"a: " + b"x" * MAX_OWN_FILE_BYTES, "filters.yaml: larger than 65,536 bytes"),
    ):
        path.write_bytes(data)
        (said,) = read_own_file(path).faults
        assert said.startswith(fault)
        with pytest.raises(ProofstoneError):
            write_word(path, "name", "words")
        assert path.read_bytes() == data
    path.write_text("good: risk:high\nbad: [1, 2]\n", encoding="utf-8")
    found = read_own_file(path)
    assert found.words == {"good": "risk:high"}
    assert found.faults == ("filters.yaml: bad: write one text",)


def test_what_workbench_yaml_says(tmp_path: Path) -> None:
    assert own_author(tmp_path) == ""
    (tmp_path / "workbench.yaml").write_text("theme: light\nauthor:  Ada   Byron\nnew: 1\n")
    settings = read_own_settings(tmp_path)
    assert (settings.theme, settings.author, settings.faults) == ("light", "Ada Byron", ())
    assert own_author(tmp_path) == "Ada Byron"
    assert read_own_settings(None).theme == ""
