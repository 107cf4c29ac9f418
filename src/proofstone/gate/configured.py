"""Which endpoint is meant when a command names none: one way for every door (docs/gate.md).

What is given with the command counts first, then the environment, then ``gate.yaml`` in the
person's own folder. A vault is never asked: whoever can write into one could otherwise send
captured text, and a key, to an address of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import yaml

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.shown import shown_text
from proofstone.gate.settings import (
    DEFAULT_LIMIT,
    DEFAULT_TIMEOUT,
    KEY_VARIABLES,
    ClientSettings,
    client_settings,
)

Number = TypeVar("Number", int, float)

GATE_FILE = "gate.yaml"
MAX_GATE_FILE_BYTES = 16 * 1024
URL_VARIABLE = "PROOFSTONE_GATE_URL"
MODEL_VARIABLE = "PROOFSTONE_GATE_MODEL"

_OPTIONS = {
    "base_url": "--base-url",
    "model": "--model",
    "timeout": "--timeout",
    "limit": "--limit",
}
_VARIABLES = {"base_url": URL_VARIABLE, "model": MODEL_VARIABLE}


@dataclass(frozen=True, slots=True)
class GateFile:
    """What ``gate.yaml`` says, by name, or what is wrong with it; then it says nothing."""

    values: Mapping[str, str]
    faults: tuple[str, ...] = ()


def read_gate_file(folder: Path | None) -> GateFile:
    """The endpoint that a person's ``folder`` names; without a folder or a file, none."""
    if folder is None:
        return GateFile({})
    try:
        with (folder / GATE_FILE).open("rb") as file:
            data = file.read(MAX_GATE_FILE_BYTES + 1)
    except FileNotFoundError:
        return GateFile({})
    except OSError as error:
        return GateFile({}, (f"{GATE_FILE}: cannot be read: {error.strerror}",))
    if len(data) > MAX_GATE_FILE_BYTES:
        return GateFile({}, (f"{GATE_FILE}: larger than {MAX_GATE_FILE_BYTES:,} bytes",))
    try:
        found = yaml.load(data.decode("utf-8-sig"), Loader=yaml.BaseLoader)
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        # Only the place is said: the line itself may hold a key that does not belong there.
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        return GateFile({}, (f"{GATE_FILE}: cannot be read as YAML{place}",))
    if found in (None, ""):
        return GateFile({})
    faults = tuple(f"{GATE_FILE}: {fault}" for fault in _faults(found))
    return GateFile({}, faults) if faults else GateFile(dict(found))


def _faults(found: object) -> Iterator[str]:
    if not isinstance(found, dict):
        yield "write lines such as “base_url: http://127.0.0.1:11434/v1”"
        return
    for name, value in found.items():
        if name not in _OPTIONS:
            yield (
                f"“{_short(name)}” is no setting of it; it has {', '.join(_OPTIONS)}, and a key "
                f"comes from {KEY_VARIABLES[0]} alone"
            )
        elif not isinstance(value, str):
            yield f"{name}: write one value"


def endpoint(
    *,
    environment: Mapping[str, str],
    folder: Path | None,
    given: Mapping[str, object] | None = None,
) -> ClientSettings:
    """The endpoint and model to ask. ``given`` is what the command itself names, by name.

    Raises:
        ProofstoneError: none is named anywhere, the file is faulty, or a value cannot be used;
            the line names where the value came from and repeats no key.
    """
    file = read_gate_file(folder)
    return endpoint_from(file, environment=environment, folder=folder, given=given)


def endpoint_from(
    file: GateFile,
    *,
    environment: Mapping[str, str],
    folder: Path | None,
    given: Mapping[str, object] | None = None,
) -> ClientSettings:
    """As ``endpoint``, of a file that has been read already."""
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for name, option in _OPTIONS.items():
        variable = _VARIABLES.get(name, "")
        chosen = (given or {}).get(name)
        if chosen is not None:
            values[name], sources[name] = chosen, option
        elif variable and environment.get(variable, "").strip():
            values[name], sources[name] = environment[variable], variable
        elif name in file.values:
            values[name], sources[name] = file.values[name], f"{GATE_FILE}: {name}"
    for name in ("base_url", "model"):
        if name not in values:
            how = _how_to_name(name, folder, by_option=given is not None)
            raise ProofstoneError(file.faults[0] if file.faults else how)
    return client_settings(
        str(values["base_url"]),
        str(values["model"]),
        environment=environment,
        timeout=_number(float, values.get("timeout", DEFAULT_TIMEOUT), sources, "timeout"),
        limit=_number(int, values.get("limit", DEFAULT_LIMIT), sources, "limit"),
        sources=sources,
    )


def _number(kind: type[Number], value: object, sources: Mapping[str, str], name: str) -> Number:
    try:
        return kind(str(value))
    except ValueError:
        raise ProofstoneError(f"{sources[name]}: not a number") from None


def _how_to_name(name: str, folder: Path | None, *, by_option: bool) -> str:
    what = "endpoint" if name == "base_url" else "model"
    place = str(folder / GATE_FILE) if folder is not None else GATE_FILE
    option = f"give {_OPTIONS[name]}, " if by_option else ""
    return f"no {what} is named: {option}set {_VARIABLES[name]}, or write “{name}: …” in {place}"


def _short(name: object) -> str:
    return shown_text(" ".join(str(name).split()))[:40]
