"""A person's own keys: read, checked as a whole, and laid over the registry's (spec page 7).

Textual's ``set_keymap`` passes over unknown actions and lets one action take another's only key,
both without a word. So every source of keys is checked here first, and one that has a fault is
left out whole, with every fault said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml
from textual.keys import KEY_NAME_REPLACEMENTS

from proofstone.domain.shown import shown_text
from proofstone.tui.command import Command, label
from proofstone.tui.commands import BY_ID, COMMANDS

KEYMAP_FILE = "keymap.yaml"
MAX_KEYMAP_BYTES = 64 * 1024

_NAMED = frozenset(
    ("escape", "space", "tab", "backspace", "delete", "insert", "home", "end", "pageup")
) | frozenset(("pagedown", "up", "down", "left", "right", *(f"f{n}" for n in range(1, 25))))
_WITH_MODIFIER = _NAMED - {"escape", "space", "tab", "backspace"}
_ALIASES = {
    "esc": "escape",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "del": "delete",
    "return": "enter",
    "→": "right",
    "←": "left",
    "↑": "up",
    "↓": "down",
}
_TYPED = frozenset(("Sm", "Sc", "Sk"))
"""Signs that keyboards have, by Unicode category; pictures are not among them."""

_SENT_AS = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+j": "enter",
    "ctrl+space": "ctrl+@",
}
"""What a terminal sends for these cannot be told from another key."""

KEPT = {
    "enter": "it opens what is under the cursor, and does what a dialog asks",
    "ctrl+c": "it copies what is selected",
    "ctrl+q": "it always leaves",
    "ctrl+p": "it always opens the list of commands",
    **dict.fromkeys(("left", "right", "ctrl+pageup", "ctrl+pagedown"), "lists scroll with it"),
}
"""Keys that no action can be given, and why; two of them are an action's own already."""


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where keys come from, as a fault names it, and what it says: keys by action."""

    name: str
    keys: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys that hold now. Without any of one's own, the registry's."""

    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def keys(self, command_id: str) -> tuple[str, ...]:
        """The keys of an action."""
        return self.own.get(command_id) or BY_ID[command_id].keys

    def live(self, command: Command) -> Command:
        """The command with the keys that it has now."""
        own = self.own.get(command.id)
        return replace(command, keys=own) if own else command

    def label(self, command_id: str) -> str:
        """The first key of an action, as people read it."""
        return label(self.keys(command_id)[0])

    def told(self, text: str) -> str:
        """One of our own texts with the key of each ``{command_id}`` in it.

        Raises:
            KeyError: it names a command that there is not.
        """
        return text.format_map(_Labels(self))

    def for_textual(self) -> dict[str, str]:
        """As ``App.set_keymap`` takes it."""
        return {command_id: ",".join(keys) for command_id, keys in self.own.items()}


@dataclass(frozen=True, slots=True)
class _Labels(Mapping[str, str]):
    """The label of every command's key, by the command's id."""

    keymap: Keymap

    def __getitem__(self, command_id: str) -> str:
        return self.keymap.label(command_id)

    def __iter__(self) -> Iterator[str]:
        return iter(BY_ID)

    def __len__(self) -> int:
        return len(BY_ID)


DEFAULT = Keymap()


def read_keymap_file(folder: Path) -> tuple[KeySource | None, list[str]]:
    """The keymap file in ``folder``, and its faults; None where there is no file or it is faulty.

    Every value is taken as text, so that ``y``, ``no`` and ``1`` are the keys that they look like.
    """
    path = folder / KEYMAP_FILE
    try:
        with path.open("rb") as file:
            data = file.read(MAX_KEYMAP_BYTES + 1)
    except FileNotFoundError:
        return None, []
    except OSError as error:
        return None, [f"{KEYMAP_FILE}: cannot be read: {error.strerror}"]
    if len(data) > MAX_KEYMAP_BYTES:
        return None, [f"{KEYMAP_FILE}: larger than {MAX_KEYMAP_BYTES:,} bytes"]
    try:
        found = yaml.load(data.decode("utf-8-sig"), Loader=yaml.BaseLoader)
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        return None, [f"{KEYMAP_FILE}: cannot be read as YAML: {_place(error)}"]
    if found in (None, ""):
        return None, []
    faults = list(_shape_faults(found))
    if faults:
        return None, faults
    return KeySource(KEYMAP_FILE, {action: _split(keys) for action, keys in found.items()}), []


def _shape_faults(found: object) -> Iterator[str]:
    if not isinstance(found, dict):
        yield f"{KEYMAP_FILE}: write one line for each action, such as “ratify: R”"
        return
    for action, keys in found.items():
        one_key = isinstance(keys, str)
        several = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        if not isinstance(action, str) or not (one_key or several):
            yield f"{KEYMAP_FILE}: {_said(action)}: must be a key or a list of keys"


def vault_source(keys: Mapping[str, str]) -> KeySource | None:
    """The ``keymap`` of a vault's settings."""
    if not keys:
        return None
    return KeySource("proofstone.yaml", {action: _split(value) for action, value in keys.items()})


def _split(keys: str | Sequence[str]) -> tuple[str, ...]:
    if not isinstance(keys, str):
        return tuple(key.strip() for key in keys)
    if keys.strip() == ",":
        return (",",)
    return tuple(key.strip() for key in keys.split(","))


def combined(user: KeySource | None, vault: KeySource | None) -> tuple[Keymap, list[str]]:
    """The keymap made of both, a person's own file before the vault's settings, and the faults.

    A source with a fault counts for nothing.
    """
    own: dict[str, tuple[str, ...]] = {}
    faults: list[str] = []
    for source in filter(None, (user, vault)):
        merged = {**_canonical_keys(source), **own}
        found = [*_entry_faults(source), *_stolen(source, merged)]
        if found:
            faults += [f"{source.name}: {fault}" for fault in found]
        else:
            own = merged
    changed = {action: keys for action, keys in own.items() if keys != BY_ID[action].keys}
    return Keymap(changed), faults


def _canonical_keys(source: KeySource) -> dict[str, tuple[str, ...]]:
    return {
        action: tuple(dict.fromkeys(map(canonical, keys)))
        for action, keys in source.keys.items()
        if action in BY_ID
    }


def _entry_faults(source: KeySource) -> Iterator[str]:
    for action, keys in source.keys.items():
        if action not in BY_ID:
            yield f"{_said(action)}: there is no such action{_nearest(action)}"
            continue
        if not any(keys):
            yield f"{action}: name a key; an action cannot be without one"
            continue
        for key in keys:
            why = why_not_sent(key)
            if why:
                yield f"{action}: {_said(key)}: {why}"
                continue
            name = canonical(key)
            if name in KEPT and name not in BY_ID[action].keys:
                yield f"{action}: {name} cannot be given away: {KEPT[name]}"


def _stolen(source: KeySource, merged: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Keys that would mean two things in one place."""
    holders: dict[str, list[Command]] = {}
    for command in COMMANDS:
        for key in merged.get(command.id, command.keys):
            holders.setdefault(key, []).append(command)
    for key, commands in holders.items():
        if key in KEPT:
            continue
        for number, first in enumerate(commands):
            for second in commands[number + 1 :]:
                where = [screen for screen in first.screens if screen in second.screens]
                if not where:
                    continue
                thief, robbed = (first, second) if first.id in source.keys else (second, first)
                if thief.id not in source.keys:
                    continue
                yield (
                    f"{thief.id}: {label(key)} is the key of {robbed.id} on {', '.join(where)}; "
                    f"choose another, or give {robbed.id} another key too"
                )


def canonical(key: str) -> str:
    """A key as events name it: ``?`` is ``question_mark``, ``Ctrl+R`` is ``ctrl+r``."""
    *modifiers, name = key.split("+") if len(key) > 1 else (key,)
    name = _ALIASES.get(name, name)
    if len(name) == 1 and not name.isalnum():
        name = unicodedata.name(name, name).lower().replace("-", "_").replace(" ", "_")
        name = KEY_NAME_REPLACEMENTS.get(name, name)
    elif len(name) > 1:
        name = name.lower()
        name = _ALIASES.get(name, name)
    elif modifiers:
        name = name.lower()
    return "+".join((*(modifier.lower() for modifier in modifiers), name))


def why_not_sent(key: str) -> str:
    """Why no terminal sends this key, or not as a key of its own; empty when one does."""
    name = canonical(key)
    if name in _SENT_AS:
        return f"terminals send it as {_SENT_AS[name]}"
    *modifiers, last = name.split("+")
    if not modifiers:
        if last in _NAMED or last == "enter" or _is_character(last):
            return ""
        return "no terminal sends such a key; write a character, or a name such as f5 or pageup"
    if not set(modifiers) <= {"ctrl", "alt", "shift"}:
        return "terminals send ctrl, alt and shift alone"
    if name == "shift+tab" or last in _WITH_MODIFIER:
        return ""
    if "shift" in modifiers:
        upper = f"; write {last.upper()}" if len(last) == 1 and modifiers == ["shift"] else ""
        return f"no terminal sends shift with it as a key of its own{upper}"
    if modifiers == ["ctrl"]:
        if re.fullmatch("[a-z@]", last):
            return ""
        return "with ctrl, terminals send letters alone"
    if modifiers == ["alt"] and (re.fullmatch("[a-z0-9]", last)):
        return ""
    return "no terminal sends these together"


def _is_character(name: str) -> bool:
    """Whether it is a letter or digit, or the name of a sign."""
    if len(name) == 1:
        return name.isalnum()
    signs = {replaced: original for original, replaced in KEY_NAME_REPLACEMENTS.items()}
    words = signs.get(name, name).replace("_", " ").upper()
    for spelled in (words, words.replace(" ", "-", 1)):
        try:
            found = unicodedata.lookup(spelled)
        except KeyError:
            continue
        return unicodedata.category(found) in _TYPED or unicodedata.category(found)[0] in "LNP"
    return False


def _nearest(action: str) -> str:
    from rapidfuzz import process

    found = process.extractOne(action, list(BY_ID), score_cutoff=60)
    return f"; did you mean {found[0]}?" if found else "; docs/keymap.md lists them"


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"line {mark.line + 1}: {problem}" if mark is not None else _said(problem)


def _said(text: object) -> str:
    line = shown_text(" ".join(str(text).split()))
    return f"“{line[:40]}”"
