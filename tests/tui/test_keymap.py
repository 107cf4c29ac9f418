"""A person's own keys: read as text, checked as a whole, laid over the registry's."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.tui.commands import COMMANDS
from proofstone.tui.keymap import (
    MAX_KEYMAP_BYTES,
    Keymap,
    KeySource,
    canonical,
    combined,
    read_keymap_file,
    vault_source,
    why_not_sent,
)


def source(**keys: str) -> KeySource:
    return KeySource("keymap.yaml", {action: (key,) for action, key in keys.items()})


def written(folder: Path, text: str) -> tuple[KeySource | None, list[str]]:
    (folder / "keymap.yaml").write_text(text, encoding="utf-8")
    return read_keymap_file(folder)


def test_without_a_file_the_registry_holds(tmp_path: Path) -> None:
    assert read_keymap_file(tmp_path) == (None, [])
    assert combined(None, None) == (Keymap(), [])


def test_values_are_the_keys_that_they_look_like(tmp_path: Path) -> None:
    found, faults = written(tmp_path, "ratify: y\ndefer: [n, 0]\nback: ','\nquit: Q, ctrl+w\n")
    assert faults == []
    assert found is not None
    assert found.keys == {
        "ratify": ("y",),
        "defer": ("n", "0"),
        "back": (",",),
        "quit": ("Q", "ctrl+w"),
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ratify: [a", "cannot be read as YAML: line "),
        ("- ratify", "write one line for each action"),
        ("ratify: {key: R}", "“ratify”: must be a key or a list of keys"),
        ("x" * (MAX_KEYMAP_BYTES + 1), "larger than"),
        ("\x1b[2J: a", "cannot be read as YAML"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, text: str, fault: str) -> None:
    found, faults = written(tmp_path, text)
    assert found is None
    assert len(faults) == 1 and faults[0].startswith("keymap.yaml: ") and fault in faults[0]
    assert "\x1b" not in faults[0]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"ratfy": "R"}, "keymap.yaml: “ratfy”: there is no such action; did you mean ratify?"),
        ({"ratify": "ctrl+i"}, "terminals send it as tab"),
        ({"ratify": "ctrl+1"}, "with ctrl, terminals send letters alone"),
        ({"ratify": "shift+r"}, "write R"),
        ({"ratify": "super+r"}, "terminals send ctrl, alt and shift alone"),
        ({"ratify": "hyperspace"}, "no terminal sends such a key"),
        ({"ratify": ""}, "an action cannot be without one"),
        ({"ratify": "enter"}, "enter cannot be given away: it opens"),
        ({"ratify": "ctrl+q"}, "ctrl+q cannot be given away: it always leaves"),
        ({"ratify": "left"}, "left cannot be given away: lists scroll with it"),
        (
            {"ratify": "d"},
            "keymap.yaml: ratify: d is the key of defer on main, memories; "
            "choose another, or give defer another key too",
        ),
        ({"ratify": "?"}, "ratify: ? is the key of help"),
        ({"ratify": "f9", "defer": "f9"}, "f9 is the key of"),
        ({"row_next": "r"}, "row_next: r is the key of ratify"),
    ],
)
def test_a_faulty_source_says_what_is_wrong_and_counts_for_nothing(
    keys: dict[str, str], fault: str
) -> None:
    keymap, faults = combined(source(**keys, mark="m"), None)
    assert keymap == Keymap()
    assert any(fault in said for said in faults), faults


def test_two_actions_may_change_keys_with_one_another() -> None:
    keymap, faults = combined(source(ratify="d", defer="r"), None)
    assert faults == []
    assert keymap.own == {"ratify": ("d",), "defer": ("r",)}


def test_a_key_may_mean_two_things_in_two_places() -> None:
    contest = next(command for command in COMMANDS if command.id == "contest")
    dismiss = next(command for command in COMMANDS if command.id == "dismiss")
    assert not set(contest.screens) & set(dismiss.screens)
    assert combined(source(contest="x"), None)[1] == []


def test_a_person_goes_before_the_vault() -> None:
    keymap, faults = combined(source(ratify="f5"), vault_source({"ratify": "f6", "defer": "f7"}))
    assert faults == []
    assert keymap.own == {"ratify": ("f5",), "defer": ("f7",)}


def test_a_vault_that_takes_a_persons_key_is_passed_over() -> None:
    keymap, faults = combined(source(ratify="f5"), vault_source({"tombstone": "f5"}))
    assert keymap.own == {"ratify": ("f5",)}
    assert faults == [
        "proofstone.yaml: tombstone: f5 is the key of ratify on main, memories; "
        "choose another, or give ratify another key too"
    ]


def test_every_key_of_the_registry_is_one_that_terminals_send() -> None:
    silent = {key: why_not_sent(key) for command in COMMANDS for key in command.keys}
    assert {key: why for key, why in silent.items() if why} == {}


@pytest.mark.parametrize(
    ("written_as", "name"),
    [
        ("?", "question_mark"),
        (",", "comma"),
        ("-", "minus"),
        ("Ctrl+R", "ctrl+r"),
        ("esc", "escape"),
        ("PgUp", "pageup"),
        ("R", "R"),
        ("ö", "ö"),
        ("<", "less_than_sign"),
        ("→", "right"),
        ("ctrl+↓", "ctrl+down"),
    ],
)
def test_keys_are_named_as_events_name_them(written_as: str, name: str) -> None:
    assert canonical(written_as) == name
    assert why_not_sent(written_as) == ""
