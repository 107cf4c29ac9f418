"""Giving ratified memories back to agents, in the files that they read (spec page 8, render).

`plan` reads and decides, `write` writes; between the two a person or a script can look. A file that
changed in between is not written.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from proofstone.curation import secrets
from proofstone.curation.workspace import Workspace
from proofstone.domain import managed_block, rendered_topics, rendering
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Memory
from proofstone.domain.rendering import Chosen, Omission
from proofstone.domain.secrets_found import Confidence

MAX_TARGET_BYTES = 8 * 1024 * 1024
"""A larger file is not rendered into (docs/limits.md)."""

CURSOR_FILE = "proofstone.mdc"
_CURSOR_HEADER = (
    "---\n"
    "description: Statements that a person ratified in Proofstone\n"
    "globs:\n"
    "alwaysApply: true\n"
    "---\n\n"
)
_NEW_FILE = 0o644


class Format(StrEnum):
    """How memories are written."""

    MARKDOWN = "markdown"
    CURSOR = "cursor"
    CLAUDE_FOLDER = "claude-folder"


@dataclass(frozen=True, slots=True)
class TargetFile:
    """A file before and after; None means that it does not exist then."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def change(self) -> str:
        """What happens to the file, in one word."""
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderPlan:
    """What a rendering would write; without files everything is up to date already."""

    into: Path
    format: Format
    files: tuple[TargetFile, ...]
    rendered: tuple[Chosen, ...]
    omitted: tuple[Omission, ...]
    warnings: tuple[str, ...] = ()

    @property
    def is_up_to_date(self) -> bool:
        """Whether the target says already what it should."""
        return not self.files


def plan(
    workspace: Workspace,
    into: Path,
    *,
    format: Format | None = None,
    budget: int | None = None,
    scopes: Collection[str] = (),
    marked: Collection[str] = (),
) -> RenderPlan:
    """Work out what rendering the vault's ratified memories ``into`` a file or folder changes.

    ``format`` None chooses by the target. ``budget`` bounds the managed block in bytes: of a folder
    that is the block of its index. ``scopes`` and ``marked`` are as `rendering.choose` has them.

    Raises:
        ProofstoneError: the target or a folder of the vault cannot be read, the target's markers
            are damaged, or the budget is too small.
    """
    workspace.require_listed("render")
    chosen, omitted = rendering.choose(
        workspace.holdings.memories,
        now=workspace.context.now(),
        scopes=scopes,
        marked=marked,
        tombstoned={stone.deleted_id for stone in workspace.holdings.tombstones},
        refused=dict(_secret_bearing(workspace.holdings.memories)),
    )
    kind = format or _format_of(into)
    if kind is Format.CLAUDE_FOLDER:
        return _plan_folder(into, chosen, omitted, budget)
    target = into
    if kind is Format.CURSOR and (into.is_dir() or _is_rules_folder(into)):
        target = into / CURSOR_FILE
    block = rendering.block(chosen, budget)
    target, before = _present(target)
    text = _decoded(target, before)
    if before is None and kind is Format.CURSOR:
        text = _CURSOR_HEADER
    after = _spliced(target, text, block.text)
    files = (TargetFile(target, before, after),) if after != before else ()
    return RenderPlan(
        into=target,
        format=kind,
        files=files,
        rendered=block.rendered,
        omitted=(*omitted, *block.omitted),
    )


def write(plan: RenderPlan) -> None:
    """Write the plan's files, each at once or not at all.

    Raises:
        ProofstoneError: a file changed since it was read, or it cannot be written.
    """
    for file in plan.files:
        _, present = _present(file.path)
        if present != file.before:
            raise ProofstoneError(
                f"{file.path}: changed while it was being rendered; nothing of ours was written"
                " to it, so run the command again"
            )
        try:
            if file.after is None:
                file.path.unlink(missing_ok=True)
            else:
                _write_at_once(file.path, file.after)
        except OSError as error:
            raise ProofstoneError(
                f"{file.path}: cannot be written: {error.strerror or error}; it is as it was"
            ) from error


def _format_of(into: Path) -> Format:
    """What the target's name says; a folder that says nothing is not written into."""
    whole = into.absolute()
    if into.suffix.lower() == ".mdc" or _is_rules_folder(into):
        return Format.CURSOR
    if whole.name == "memory" or (into / rendered_topics.INDEX).is_file():
        return Format.CLAUDE_FOLDER
    if into.is_dir():
        raise ProofstoneError(
            f"{into}: a folder; name a file in it, such as CLAUDE.md, or say what it is"
            " with --format"
        )
    return Format.MARKDOWN


def _is_rules_folder(into: Path) -> bool:
    whole = into.absolute()
    return whole.name == "rules" and whole.parent.name == ".cursor"


def _secret_bearing(memories: Sequence[Memory]) -> Iterator[tuple[str, str]]:
    """Memories that hold a secret: they were ratified before it was known for one."""
    for memory in memories:
        texts = (
            memory.statement,
            memory.title,
            *memory.applies_when,
            *memory.does_not_apply_when,
            *memory.known_exceptions,
        )
        for text in texts:
            found = next(
                (one for one in secrets.find(text) if one.confidence is Confidence.HIGH), None
            )
            if found is not None:
                yield memory.memory_id, f"holds a secret ({found.kind})"
                break


def _plan_folder(
    folder: Path, chosen: tuple[Chosen, ...], omitted: tuple[Omission, ...], budget: int | None
) -> RenderPlan:
    if folder.exists() and not folder.is_dir():
        raise ProofstoneError(f"{folder}: not a folder; name the memory folder itself")
    kept, dropped = _within(chosen, budget)
    files: list[TargetFile] = []
    for one in kept:
        path = folder / rendered_topics.file_name(one.memory.memory_id)
        path, before = _present(path, follow=False)
        if before is None:
            files.append(TargetFile(path, None, rendered_topics.topic(one).encode("utf-8")))
            continue
        with _named(path):
            after = rendered_topics.refreshed(_decoded(path, before), one)
        files.append(TargetFile(path, before, _encoded(after)))
    files.extend(_retired(folder, {file.path.name for file in files}))
    index, before = _present(folder / rendered_topics.INDEX)
    text = _decoded(index, before)
    after_index = before
    if kept or managed_block.BEGIN in text:
        after_index = _spliced(index, text, rendered_topics.index_block(kept))
    files.append(TargetFile(index, before, after_index))
    return RenderPlan(
        into=folder,
        format=Format.CLAUDE_FOLDER,
        files=tuple(file for file in files if file.before != file.after),
        rendered=kept,
        omitted=(*omitted, *dropped),
        warnings=_index_warnings(after_index or b""),
    )


def _within(
    chosen: tuple[Chosen, ...], budget: int | None
) -> tuple[tuple[Chosen, ...], tuple[Omission, ...]]:
    """The memories whose links fit into ``budget`` bytes of index, in order."""
    if budget is None:
        return chosen, ()
    kept: list[Chosen] = []
    dropped: list[Omission] = []
    left = budget - len(rendered_topics.index_block(()).encode("utf-8"))
    for one in chosen:
        cost = len(rendered_topics.index_line(one).encode("utf-8")) + 1
        if cost <= left:
            left -= cost
            kept.append(one)
        else:
            reason = f"does not fit into {budget} bytes of index"
            dropped.append(Omission(one.memory.memory_id, one.memory.title, reason))
    return tuple(kept), tuple(dropped)


def _retired(folder: Path, present: Collection[str]) -> Iterator[TargetFile]:
    """Topic files of memories that are no longer rendered."""
    if not folder.is_dir():
        return
    for path in sorted(folder.glob(f"{rendered_topics.PREFIX}*.md")):
        if path.name in present or path.is_symlink():
            continue
        _, before = _present(path, follow=False)
        text = _decoded(path, before)
        if before is None or not rendered_topics.memory_id_in(text):
            continue
        with _named(path):
            after = rendered_topics.retired(text)
        yield TargetFile(path, before, None if after is None else _encoded(after))


def _index_warnings(index: bytes) -> tuple[str, ...]:
    lines = index.count(b"\n")
    if lines <= rendered_topics.LOADED_LINES and len(index) <= rendered_topics.LOADED_BYTES:
        return ()
    return (
        f"{rendered_topics.INDEX} has {lines} lines and {len(index)} bytes; of an index the first"
        f" {rendered_topics.LOADED_LINES} lines or {rendered_topics.LOADED_BYTES // 1024} KB are"
        " loaded: set a budget, or narrow it with a scope",
    )


def _present(path: Path, *, follow: bool = True) -> tuple[Path, bytes | None]:
    """Where a file really is, and its bytes; None when it does not exist.

    A link, such as a CLAUDE.md that names AGENTS.md, stays a link: what it names is written.
    """
    try:
        if path.is_symlink() and not follow:
            raise ProofstoneError(f"{path}: is a link, which topic files must not be; remove it")
        real = path.resolve() if path.is_symlink() else path
        if real.is_dir():
            raise ProofstoneError(
                f"{path}: is a folder; name a file, or use --format claude-folder"
            )
        status = real.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ProofstoneError(f"{path}: is no ordinary file; name another")
        if status.st_size > MAX_TARGET_BYTES:
            raise ProofstoneError(
                f"{path}: larger than {MAX_TARGET_BYTES // (1024 * 1024)} MiB; name another file"
            )
        return real, real.read_bytes()
    except FileNotFoundError:
        return real, None
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ProofstoneError(f"{path}: cannot be read: {why}") from error


def _decoded(path: Path, data: bytes | None) -> str:
    """A file's text, in which bytes that are not UTF-8 survive the way back."""
    if data is None:
        return ""
    if b"\0" in data:
        raise ProofstoneError(
            f"{path}: holds NUL bytes, so it is no UTF-8 text; save it as UTF-8 first"
        )
    return data.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _spliced(path: Path, text: str, block: str) -> bytes:
    with _named(path):
        return _encoded(managed_block.splice(text, block))


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Damaged markers are reported with the file that they stand in."""
    try:
        yield
    except managed_block.DamagedMarkersError as error:
        raise ProofstoneError(f"{path}: {error}") from error


def _write_at_once(path: Path, data: bytes) -> None:
    """Write beside the file, then put it in its place; an existing file keeps its mode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mode = _NEW_FILE
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
