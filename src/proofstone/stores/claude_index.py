"""The index of a Claude Code memory folder: links to topics, of which single ones change."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from proofstone.domain.managed_block import newline_of
from proofstone.domain.rendered_text import link_text, one_line

_LINK = re.compile(r"(?<!!)\[(?P<words>[^\]\n]*)\]\((?P<target><[^>\n]+>|[^)\s]+)[^)\n]*\)")
_ITEM = re.compile(r"\s*[-*+]\s")
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")


def targets(text: str) -> list[str]:
    """What the links of ``text`` name, relative to the folder."""
    return [_target(link) for link in _LINK.finditer(text)]


def without(text: str, path: str) -> str:
    """The index without ``path``: its line goes; where a line says more, only the link does."""
    lines = []
    for line in _lines(text):
        links = [link for link in _LINK.finditer(line) if _target(link) == path]
        if links and _ITEM.match(line) and len(targets(line)) == len(links):
            continue
        for link in reversed(links):
            line = line[: link.start()] + link["words"] + line[link.end() :]
        lines.append(line)
    return "".join(lines)


def renamed(text: str, path: str, title: str) -> str:
    """The index with ``title`` as the words of every link to ``path``."""
    lines = []
    for line in _lines(text):
        for link in reversed(list(_LINK.finditer(line))):
            if _target(link) == path:
                line = line[: link.start("words")] + link_text(title) + line[link.end("words") :]
        lines.append(line)
    return "".join(lines)


def extended(text: str, path: str, title: str, hook: str) -> str:
    """The index with a line for ``path`` after its last item."""
    newline = newline_of(text)
    lines = _lines(text)
    last = max((n for n, line in enumerate(lines) if _ITEM.match(line)), default=len(lines) - 1)
    if lines and not lines[last].endswith("\n"):
        lines[last] += newline
    added = f"- [{link_text(title)}]({quote(path)}) — {one_line(hook)}{newline}"
    lines.insert(last + 1, added)
    return "".join(lines)


def _lines(text: str) -> list[str]:
    return [line for line in _LINE.findall(text) if line]


def _target(link: re.Match[str]) -> str:
    target = unquote(link["target"].strip("<>")).partition("#")[0]
    return target.removeprefix("./")
