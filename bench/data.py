"""The vault that the figures are taken on (spec page 9), made from a seed.

Memories of about 600 bytes of text and 12 frontmatter keys, with 53 to 81 distinct tokens each:
English-like words by a Zipf-like law, a fifth in Chinese, one in twenty a near-copy of an earlier
one. A few proposals wait, so that there is a queue. Vaults are kept in the temporary folder under
a name that says how they were made, and used again.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from proofstone.domain.sibling_tokens import tokens

SEED = 20_260_803
VERSION = 1
"""Part of the folder's name: count it up when other files are to be made."""
SIZES = (1_000, 10_000, 100_000)
PROPOSALS = 20

LEAST_TOKENS, MOST_TOKENS = 53, 81
BYTES = 600
VOCABULARY = 60_000
CHARACTERS = 2_500
NEAR_COPIES = 0.05
CHINESE = 0.2

_SYLLABLES = [
    consonant + vowel
    for consonant in "bdfgklmnprstvz"
    for vowel in ("aeio" if consonant in "fgvz" else "aeiou")
]
_TYPES = ("fact", "preference", "project", "procedure", "other")
_KINDS = ("fact", "constraint", "preference", "procedure")
_PROJECTS = 40
_SESSIONS = 500


def vault(size: int) -> Path:
    """The folder of a vault with ``size`` memories, made now if it is not there yet."""
    parent = Path(tempfile.gettempdir()) / f"proofstone-bench-{_user()}"
    root = parent / f"vault-{VERSION}-{SEED}-{size}"
    if (root / "complete").exists():
        return root
    if root.exists():
        shutil.rmtree(root)
    parent.mkdir(mode=0o700, exist_ok=True)
    write_vault(root, size)
    (root / "complete").touch()
    return root


def write_vault(root: Path, size: int, proposals: int = PROPOSALS, seed: int = SEED) -> None:
    """Write a vault with ``size`` memories and some ``proposals`` into the new folder ``root``."""
    chance = random.Random(seed)
    for room in ("knowledge", "history", "proposals/ruled", "evidence", "inbox", "_state"):
        (root / room).mkdir(mode=0o700, parents=True)
    _write(root / "proofstone.yaml", b'format: 1\nprofile: ""\nproject: "p1"\n')
    _write(root / "config.yaml", b"")
    for number, text in enumerate(texts(size, chance)):
        name, data = _memory(number, text, chance)
        _write(f"{root}/knowledge/{name}.md", data)
    for number, text in enumerate(texts(proposals, random.Random(seed + 1))):
        name, data = _proposal(number, text, chance)
        _write(f"{root}/proposals/{name}.md", data)


def texts(count: int, chance: random.Random) -> Iterator[str]:
    """``count`` statements of the kind that page 9 describes."""
    word = _by_rank(_words(), chance)
    character = _by_rank([chr(0x4E00 + number) for number in range(CHARACTERS)], chance)
    earlier: list[str] = []
    for number in range(count):
        if earlier and chance.random() < NEAR_COPIES:
            text = _near_copy(chance.choice(earlier), word, chance)
        elif chance.random() < CHINESE:
            text = _chinese(character, chance)
        else:
            text = _english(word, chance)
        if number % 10 == 0:
            earlier.append(text)
        yield text


def _english(word: Callable[[], str], chance: random.Random) -> str:
    wanted = chance.randint(LEAST_TOKENS, MOST_TOKENS)
    words: list[str] = []
    while len(set(words)) < wanted:
        words.append(word())
    sentences = [" ".join(words[at : at + 12]) for at in range(0, len(words), 12)]
    return _filled([f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences], " ")


def _chinese(character: Callable[[], str], chance: random.Random) -> str:
    wanted = chance.randint(LEAST_TOKENS, MOST_TOKENS)
    sentences: list[str] = []
    found: set[str] = set()
    while len(found) < wanted:
        length = min(max(wanted - len(found) + 1, 4), 14)
        sentences.append("".join(character() for _ in range(length)) + "。")
        found |= tokens(sentences[-1])
    return _filled(sentences, "")


def _filled(sentences: list[str], join: str) -> str:
    """The sentences, the first ones once more until the text is as long as wanted."""
    chosen = list(sentences)
    for sentence in itertools.cycle(sentences):
        if sum(len(one.encode()) for one in chosen) >= BYTES - 60:
            return join.join(chosen)
        chosen.append(sentence)
    raise AssertionError("a cycle does not end")


def _near_copy(text: str, word: Callable[[], str], chance: random.Random) -> str:
    changes = chance.randrange(1, 12)
    if text.isascii():
        words = text.split()
        for _ in range(changes):
            words[chance.randrange(len(words))] = word()
        copy = " ".join(words)
    else:
        characters = list(text)
        for _ in range(changes):
            place = chance.randrange(len(characters))
            if characters[place] != "。":
                characters[place] = chr(0x4E00 + chance.randrange(CHARACTERS))
        copy = "".join(characters)
    # Too many changes to a short text would take it out of the range: then it is repeated as it is.
    return copy if LEAST_TOKENS <= len(tokens(copy)) <= MOST_TOKENS else text


def _words() -> list[str]:
    """Pronounceable words, the frequent ones short."""
    found: dict[str, None] = {}
    for syllables in (1, 2, 3):
        for parts in itertools.product(_SYLLABLES, repeat=syllables):
            found["".join(parts)] = None
    return list(found)[:VOCABULARY]


def _by_rank(values: list[str], chance: random.Random) -> Callable[[], str]:
    """Draws from ``values``, the earlier ones more often, as words of a language occur."""
    weights = list(itertools.accumulate(1 / (rank + 20) for rank in range(len(values))))

    def drawn() -> Iterator[str]:
        while True:
            yield from chance.choices(values, cum_weights=weights, k=4_096)

    return drawn().__next__


def _memory(number: int, text: str, chance: random.Random) -> tuple[str, bytes]:
    """A note as memleaf and Proofstone write it: 12 keys."""
    digest = sha256(f"{number} {text}".encode()).hexdigest()
    name = f"mem-{digest[:24]}"
    session = f"session-{chance.randrange(_SESSIONS)}"
    scope = f"project:p{chance.randrange(_PROJECTS)}" if number % 4 else "global"
    tag = f"subject-{chance.randrange(2_000)}"
    time = _time(number)
    header = (
        f"---\n"
        f"title: {_json(' '.join(text.split()[:6])[:60])}\n"
        f'memory_id: "{name}"\n'
        f'tags: ["{tag}"]\n'
        f'type: "{_TYPES[number % len(_TYPES)]}"\n'
        f'scopes: ["{scope}"]\n'
        f"sources:\n"
        f'  - event_key: "{digest}"\n'
        f'    session_id: "{session}"\n'
        f'    turn_id: "{session}-{number % 50}"\n'
        f'    conversation_title: ""\n'
        f'created: "{time}"\n'
        f'updated: "{time}"\n'
        f"hit_count: {number % 7}\n"
        f'layer: "{"L1" if number % 50 == 0 else "L2"}"\n'
        f'standing: "active"\n'
        f'kind: "{_KINDS[number % len(_KINDS)]}"\n'
        f"---\n"
    )
    return name, f"{header}\n{text}\n".encode()


def _proposal(number: int, text: str, chance: random.Random) -> tuple[str, bytes]:
    name = f"prop-{sha256(f'{number} {text}'.encode()).hexdigest()[:24]}"
    header = (
        f"---\n"
        f'proposal_id: "{name}"\n'
        f'status: "open"\n'
        f'origin: "capture"\n'
        f'layer: "L2"\n'
        f"title: {_json(' '.join(text.split()[:6])[:60])}\n"
        f'type: "fact"\n'
        f'scopes: ["project:p{chance.randrange(_PROJECTS)}"]\n'
        f'tags: ["subject-{chance.randrange(2_000)}"]\n'
        f'created: "{_time(number)}"\n'
        f'updated: "{_time(number)}"\n'
        f'kind: "fact"\n'
        f"---\n"
    )
    return name, f"{header}\n{text}\n".encode()


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _time(number: int) -> str:
    minutes = number * 3
    day, minute = divmod(minutes, 24 * 60)
    month, day = divmod(day, 28)
    year, month = divmod(month, 12)
    return f"{2026 + year}-{month + 1:02}-{day + 1:02}T{minute // 60:02}:{minute % 60:02}:00Z"


def _write(path: str | Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"
