"""Small YAML files of a person's own, in which the workbench changes one line and nothing else.

Such a file is one text for each name. Comments, order, quoting and names that the workbench does
not know stay byte for byte; what cannot be changed that way is refused, and the file left alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.shown import shown_text

MAX_OWN_FILE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What such a file says, by name, or what is wrong with it; then it says nothing."""

    words: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


def read_own_file(path: Path) -> OwnFile:
    """Read ``path``; a missing file is an empty one. Values that are no text are left out."""
    try:
        text = _text_of(path)
        found = yaml.load(text, Loader=yaml.BaseLoader) if text.strip() else None
    except ProofstoneError as error:
        return OwnFile(faults=(str(error),))
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        return OwnFile(faults=(f"{path.name}: cannot be read as YAML{place}",))
    if found in (None, ""):
        return OwnFile()
    if not isinstance(found, dict):
        return OwnFile(faults=(f"{path.name}: write lines such as “name: words”",))
    words = {k: v for k, v in found.items() if isinstance(k, str) and isinstance(v, str)}
    faults = tuple(
        f"{path.name}: {shown_text(' '.join(str(name).split()))[:40]}: write one text"
        for name in found
        if name not in words
    )
    return OwnFile(words, faults)


def write_word(path: Path, name: str, value: str | None) -> None:
    """Give ``name`` another value in ``path``, or take it out; the file is replaced at once.

    Raises:
        ProofstoneError: the file cannot be read, changed without changing more, or written.
    """
    before = _text_of(path)
    after = changed(before, name, value, path.name)
    if after == before:
        return
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(after.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                Path(made).chmod(path.stat().st_mode & 0o777)
            Path(made).replace(path)
        except BaseException:
            Path(made).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ProofstoneError(f"{path}: cannot be written: {error.strerror}") from error


def changed(text: str, name: str, value: str | None, file: str) -> str:
    """``text`` with one line changed, added, or (for None) taken out.

    Raises:
        ProofstoneError: more than that line would change; ``file`` is what the error names.
    """
    how = f"{file}: write “{name}” there yourself; it cannot be changed without changing more"
    try:
        before = yaml.load(text, Loader=yaml.BaseLoader) or {}
        root = yaml.compose(text, Loader=yaml.BaseLoader)
        if not isinstance(before, dict):
            raise ProofstoneError(how)
        after = _with_line(text, root, name, value)
        wanted = {key: kept for key, kept in before.items() if key != name}
        if value is not None:
            wanted[name] = value
        if (yaml.load(after, Loader=yaml.BaseLoader) or {}) != wanted:
            raise ProofstoneError(how)
    except (yaml.YAMLError, RecursionError) as error:
        raise ProofstoneError(how) from error
    return after


def _with_line(text: str, root: yaml.Node | None, name: str, value: str | None) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    written = json.dumps(value, ensure_ascii=False)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    for key, held in pairs:
        if key.value != name:
            continue
        start, end = held.start_mark.index, held.end_mark.index
        if value is not None:
            return text[:start] + written + text[end:]
        first = text.rfind("\n", 0, key.start_mark.index) + 1
        last = text.find("\n", end)
        return text[:first] + (text[last + 1 :] if last >= 0 else "")
    if value is None:
        return text
    gap = "" if not text or text.endswith("\n") else line_end
    key_written = json.dumps(name, ensure_ascii=False) if not name.isidentifier() else name
    return f"{text}{gap}{key_written}: {written}{line_end}"


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_OWN_FILE_BYTES + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ProofstoneError(f"{path.name}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_OWN_FILE_BYTES:
        raise ProofstoneError(f"{path.name}: larger than {MAX_OWN_FILE_BYTES:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProofstoneError(f"{path.name}: it is not UTF-8") from error
