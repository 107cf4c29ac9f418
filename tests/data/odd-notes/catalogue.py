"""Odd notes, each with what must be read from it (spec page 5, Notes)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

TITLE = "title: Plain"
"""A line of every note with a header, for edits that must change nothing else."""

WORDS = "Mira drinks green tea."


@dataclass(frozen=True, kw_only=True)
class OddNote:
    """A note's file, and what a reader must make of it.

    ``reads`` are attributes of the memory that it is, None when it cannot be one. ``lines`` are
    the lines at which something must be reported; None stands for a report on the whole file.
    ``editable`` says that a key may be set without touching anything else.
    """

    name: str
    data: bytes
    reads: Mapping[str, object] | None = field(default_factory=dict)
    lines: tuple[int | None, ...] = ()
    editable: bool = True


def note(name: str, *keys: str, body: str = f"\n{WORDS}\n") -> str:
    """A note with some more keys, from line 4 on."""
    more = "".join(f"{key}\n" for key in keys)
    return f"---\n{TITLE}\nmemory_id: {name}\n{more}---\n{body}"


# What people write and what it must be where text is expected: itself, unless said otherwise.
_THEMSELVES = (
    "yes no on off Yes NO On OFF y n true false True FALSE Null.x 1.10 1.0 10 0 -7 +12 007 014",
    "0o17 0x1F 0b101 1e3 1E5 6.02e23 1e999 .5 5. .inf -.inf .nan 1_000 1,000 12:30 12:30:45",
    "190:20:30 2026-11-27 2026-11-27T09:00:00Z 3.9.1 v2 1.2.3-rc1 a#b c++ x=y = << C:\\dir a/b",
    "123456789012345678901234567890 http://example.invalid/a?b=c#d a,b (x) $x ^x +x /x ;x _x ~x",
    "é 周报 🍵 שלום",
)
SCALARS: dict[str, str] = {word: word for line in _THEMSELVES for word in line.split()} | {
    "null": "",
    "Null": "",
    "NULL": "",
    "~": "",
    "": "",
    "2026-11-27 09:00:00": "2026-11-27 09:00:00",
    "plain words": "plain words",
    "words # a comment": "words",
    "   spaced   ": "spaced",
    '"1.10"': "1.10",
    "'1.10'": "1.10",
    '"yes"': "yes",
    "'it''s'": "it's",
    '"a\\tb"': "a\tb",
    '"\\u5468"': "周",
    '"\\x41"': "A",
    '"" # empty': "",
    "-dash": "-dash",
    "?x": "?x",
    ":x": ":x",
    "x:y": "x:y",
    "!!str 12": "12",
    "!!int '12'": "12",
    "&anchor word": "word",
    "a 'quote' within": "a 'quote' within",
    'a "quote" within': 'a "quote" within',
}

# Keys of which the value cannot be read: the note is, and the key is named with its line.
FAULTY_KEYS: dict[str, tuple[str, ...]] = {
    "globs-stars": ("globs: **/*",),
    "globs-alias": ("globs: *.ts",),
    "text-after-double-quote": ('profile: "x" and more',),
    "text-after-single-quote": ("profile: 'x' and more",),
    "template": ("profile: {{name}}",),
    "template-and-text": ("profile: {{ name }} said",),
    "template-percent": ("profile: {% if x %}",),
    "at-sign": ("profile: @mira",),
    "backtick": ("profile: `code`",),
    "percent": ("profile: %done",),
    "two-colons": ("profile: a: b",),
    "closing-bracket": ("profile: ]",),
    "closing-brace": ("profile: }",),
    "comma-first": ("profile: , x",),
    "undefined-alias": ("profile: *nothing",),
    "object-tag": ("profile: !!python/object:os.system ls",),
    "object-apply-tag": ("profile: !!python/object/apply:os.system [ls]",),
    "own-tag": ("profile: !mine x",),
    "unknown-core-tag": ("profile: !!timestamp 2026-11-27",),
    "binary-tag": ("profile: !!binary aGVsbG8=",),
    "set-tag": ("profile: !!set {a, b}",),
    "duplicate-in-map": ("review: {next_review: a, next_review: b}",),
    "tab-indent": ("tags:", "\t- a", "\t- b"),
    "bad-escape": ('profile: "\\q"',),
    "short-unicode-escape": ('profile: "\\u12"',),
    "list-then-map": ("tags:", "  - a", "  b: c"),
    "key-in-flow-list": ("tags: [a: b: c]",),
    "deep": ("profile: " + "[" * 40 + "]" * 40,),
    "map-as-key": ("profile: {[a]: b}",),
    "literal-with-text": ("profile: | text",),
    "recursive-alias": ("profile: &a [*a]",),
    "dash-tab": ("tags:", "  -\ta", "  -\tb: [", "  - c"),
    "unclosed-list-before-keys": ("tags: [a, b",),
    "unclosed-brackets-as-text": ("profile: [brackets",),
    "dash-as-text": ("profile: - dash",),
    "colon-at-the-end": ("profile: ends with a colon:",),
}

# Keys of the wrong type: the note is read without them, and they are reported.
ODD_KEYS: dict[str, str] = {
    "number-as-list": "tags: {a: b}",
    "list-of-maps-as-texts": "tags: [{a: b}]",
    "text-as-count": 'hit_count: "many"',
    "bool-as-count": "hit_count: true",
    "fraction-as-count": "hit_count: 1.5",
    "confidence-too-large": "confidence: 7",
    "confidence-words": "confidence: high",
    "confidence-nan": "confidence: .nan",
    "unknown-trust-class": "trust_class: gossip",
    "unknown-durability": "durability_signal: eternal",
    "taint-words": 'tainted: "maybe"',
    "taint-yes": "tainted: yes",
    "map-as-text": "profile: {a: b}",
    "list-as-text": "profile: [a, b]",
    "review-as-text": "review: soon",
    "cadence-words": "review: {cadence_days: often}",
    "ratified-as-list": "ratified: [Mira]",
    "sources-as-text": "sources: codex",
    "sources-of-texts": "sources: [a, b]",
}

# Headers that nobody can read as one: reason shown at this line, nothing guessed.
UNREADABLE: dict[str, tuple[int, str]] = {
    "duplicate-key": (4, f"---\n{TITLE}\nmemory_id: x\ntitle: Other\n---\n\n{WORDS}\n"),
    "duplicate-quoted-key": (4, f'---\n{TITLE}\nmemory_id: x\n"title": Other\n---\n\n{WORDS}\n'),
    "duplicate-with-fault": (5, f"---\n{TITLE}\nglobs: **/*\nmemory_id: x\ntitle: B\n---\n"),
    "conflict-in-header": (3, f"---\n{TITLE}\n<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> b\n---\n"),
    "half-a-conflict": (3, f"---\n{TITLE}\n=======\na: 2\n---\n"),
    "no-header": (1, f"{WORDS}\n"),
    "empty": (1, ""),
    "only-line-ends": (1, "\n\n\n"),
    "header-not-closed": (1, f"---\n{TITLE}\nmemory_id: x\n"),
    "header-closed-by-dots": (1, f"---\n{TITLE}\n...\n\n{WORDS}\n"),
    "indented-opening": (1, f" ---\n{TITLE}\n---\n"),
    "four-dashes": (1, f"----\n{TITLE}\n----\n"),
    "blank-line-first": (1, f"\n---\n{TITLE}\n---\n"),
    "header-is-a-list": (2, "---\n- a\n- b\n---\n"),
    "header-is-a-word": (2, "---\nword\n---\n"),
    "header-is-json-list": (2, '---\n["a"]\n---\n'),
    "toml-header": (1, '+++\ntitle = "x"\n+++\n'),
    "second-block-at-once": (5, f"---\n{TITLE}\nmemory_id: x\n---\n---\nlayer: L1\n---\n\nx\n"),
    "complex-key": (2, "---\n? [a, b]\n: c\n---\n"),
    "no-colon": (3, f"---\n{TITLE}\njust words\n---\n"),
    "colon-without-space": (2, "---\ntitle:x\n---\n"),
    "indented-keys-mixed": (3, "---\n  title: a\nmemory_id: b\n---\n"),
    "tab-before-key": (3, f"---\n{TITLE}\n\tlayer: L2\n---\n"),
    "directive": (3, "---\n%YAML 1.1\ntitle: x\n---\n"),
    "control-character": (2, "---\ntitle: a\x07b\n---\n"),
    "unknown-layer": (4, note("x", "layer: L9")),
    "layer-list": (4, note("x", "layer: [L1]")),
    "faulty-layer": (4, note("x", "layer: **")),
    "unknown-standing": (4, note("x", "standing: maybe")),
    "faulty-standing": (4, note("x", "standing: `active`")),
    "id-as-list": (3, f"---\n{TITLE}\nmemory_id: [a]\n---\n\n{WORDS}\n"),
    "id-as-map": (3, f"---\n{TITLE}\nmemory_id: {{a: b}}\n---\n\n{WORDS}\n"),
    "id-faulty": (3, f"---\n{TITLE}\nmemory_id: **\n---\n\n{WORDS}\n"),
    "id-empty-text": (3, f'---\n{TITLE}\nmemory_id: ""\n---\n\n{WORDS}\n'),
}

# Ids that are not the file's name, and what they are.
IDS: dict[str, str] = {
    "id-number": "42",
    "id-exponent": "1e3",
    "id-octal": "0017",
    "id-yes": "yes",
    "id-date": "2026-11-27",
    "id-traversal": "../../outside",
    "id-absolute": "/etc/passwd",
    "id-backslash": "..\\..\\outside",
    "id-reserved": "CON",
    "id-reserved-with-ending": "nul.md",
    "id-dot": ".hidden",
    "id-spaces": "three little words",
    "id-emoji": "🍵",
    "id-rtl": "שלום עולם",
    "id-override": "mem-\u202egnp.exe",
    "id-zero-width": "mem-\u200bx",
    "id-long": "m" * 300,
    "id-colon": "a:b",
    "id-question": "what?",
}


def _lines(text: str, end: str) -> bytes:
    return text.replace("\n", end).encode("utf-8")


def _scalars() -> Iterator[OddNote]:
    for place, (written, read) in enumerate(SCALARS.items()):
        for variant, end, mark in (("lf", "\n", b""), ("crlf", "\r\n", b"\xef\xbb\xbf")):
            name = f"scalar-{place:02}-{variant}"
            text = note(name, f"profile: {written}", "tags: [a]")
            yield OddNote(
                name=name,
                data=mark + _lines(text, end),
                reads={"profile": read, "statement": WORDS, "tags": ("a",)},
            )


def _faulty_keys() -> Iterator[OddNote]:
    for kind, keys in FAULTY_KEYS.items():
        for variant, end in (("lf", "\n"), ("crlf", "\r\n")):
            name = f"{kind}-{variant}"
            yield OddNote(
                name=name,
                data=_lines(note(name, *keys, "layer: L1"), end),
                reads={"title": "Plain", "statement": WORDS, "layer": "L1"},
                lines=tuple(range(4, 4 + len(keys) + 1)),
            )


def _odd_keys() -> Iterator[OddNote]:
    for kind, key in ODD_KEYS.items():
        yield OddNote(
            name=kind,
            data=note(kind, key, "layer: L1").encode("utf-8"),
            reads={"title": "Plain", "statement": WORDS, "layer": "L1"},
            lines=(4,),
        )


def _unreadable() -> Iterator[OddNote]:
    for kind, (line, text) in UNREADABLE.items():
        for variant, end in (("lf", "\n"), ("crlf", "\r\n")):
            yield OddNote(
                name=f"{kind}-{variant}",
                data=_lines(text, end),
                reads=None,
                lines=(line,),
                editable=False,
            )
    bomb = "\n".join(
        ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    )
    raw: dict[str, tuple[bytes, int | None]] = {
        "alias-bomb": (note("x", bomb).encode(), 8),
        "merge-bomb": (note("x", "a: &a {b: c}", "<<: *a", "<<: *a").encode(), 6),
        "latin-1": (b"---\ntitle: caf\xe9\n---\n", 2),
        "latin-1-body": (b"---\ntitle: x\n---\n\none\ncaf\xe9\n", 6),
        "cut-utf-8": ("---\ntitle: 周".encode()[:-1] + b"\n---\n", 2),
        "surrogate-bytes": (b"---\ntitle: \xed\xa0\x80\n---\n", 2),
        "overlong": (b"---\ntitle: \xc0\xaf\n---\n", 2),
        "utf-16": ("---\ntitle: x\n---\n".encode("utf-16"), 1),
        "utf-16-without-mark": ("---\ntitle: x\n---\n".encode("utf-16-le"), 1),
        "nul-in-header": (b"---\ntitle: a\0b\n---\n", 2),
        "nul-in-body": (b"---\ntitle: a\n---\n\nx\0\n", 5),
        "nul-padding": (b"---\ntitle: a\n---\n\nx\n" + b"\0" * 4096, 6),
        "binary": (bytes(range(256)) * 4, 1),
        "two-marks": (b"\xef\xbb\xbf\xef\xbb\xbf---\ntitle: x\n---\n", 1),
        "carriage-returns-faulty": (note("x", "globs: **/*").replace("\n", "\r").encode(), 4),
        "too-large": (b"---\ntitle: a\n---\n\n" + b"x" * (8 * 1024 * 1024), None),
    }
    for kind, (data, line) in raw.items():
        yield OddNote(name=kind, data=data, reads=None, lines=(line,), editable=False)


def _ids() -> Iterator[OddNote]:
    for kind, identifier in IDS.items():
        shown = f'"{identifier}"' if identifier.startswith("mem-") else identifier
        yield OddNote(
            name=kind,
            data=f"---\n{TITLE}\nmemory_id: {shown}\n---\n\n{WORDS}\n".encode(),
            reads={"memory_id": identifier, "statement": WORDS},
            lines=(3,),
        )
    for kind, line in {"id-null": "memory_id: ~", "id-missing": "profile: x"}.items():
        yield OddNote(
            name=kind,
            data=f"---\n{TITLE}\n{line}\n---\n\n{WORDS}\n".encode(),
            reads={"memory_id": kind},
        )
    for name in ("two words", "🍵 tea", "שלום", "周报", "ünï", "a'b", "$(x)", "-rf", "%2e%2e"):
        yield OddNote(
            name=name,
            data=f'---\n{TITLE}\nmemory_id: "{name}"\n---\n\n{WORDS}\n'.encode(),
            reads={"memory_id": name},
        )


def _bodies() -> Iterator[OddNote]:
    bodies: dict[str, tuple[str, str, tuple[int, ...]]] = {
        "no-last-line-end": (f"\n{WORDS}", WORDS, ()),
        "no-body": ("", "", ()),
        "no-blank-line": (f"{WORDS}\n", WORDS, ()),
        "many-blank-lines": (f"\n\n\n{WORDS}\n\n\n", f"\n\n{WORDS}\n\n", ()),
        "only-spaces": ("\n   \n", "   ", ()),
        "long-line": ("\n" + "x" * 100_000 + "\n", "x" * 100_000, ()),
        "five-megabytes": ("\n" + "tea " * 1_310_720 + "\n", "tea " * 1_310_720, ()),
        "many-lines": ("\n" + "x\n" * 100_000, "x\n" * 99_999 + "x", ()),
        "rule-in-body": ("\nabove\n\n---\n\nbelow\n", "above\n\n---\n\nbelow", ()),
        "yaml-in-a-fence": ("\n```\n---\na: 1\n---\n```\n", "```\n---\na: 1\n---\n```", ()),
        "second-block": ("\n---\nlayer: L1\n---\n\nx\n", "---\nlayer: L1\n---\n\nx", (6,)),
        "conflict": (
            "\na\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n",
            "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs",
            (7,),
        ),
        "half-a-conflict-in-body": ("\n=======\n", "=======", ()),
        "separators": (
            "\na\u2028b\u2029c\u0085d\x0be\x0cf\n",
            "a\u2028b\u2029c\u0085d\x0be\x0cf",
            (),
        ),
        "escapes": ("\n\x1b[31mred\x1b[0m \x07\n", "\x1b[31mred\x1b[0m \x07", ()),
        "hidden": ("\na\u200bb\u202ec\U000e0041\n", "a\u200bb\u202ec\U000e0041", ()),
        "lone-carriage-return": ("\na\rb\n", "a\rb", ()),
        "mixed-line-ends": ("\na\r\nb\nc\n", "a\r\nb\nc", ()),
        "html": ("\n<!-- hidden --><script>x</script>\n", "<!-- hidden --><script>x</script>", ()),
        "event-marks": ("\n<!-- memleaf:event:v2 -->\n", "<!-- memleaf:event:v2 -->", ()),
        "markup": ("\n[bold]x[/bold] {{ y }} %s\n", "[bold]x[/bold] {{ y }} %s", ()),
    }
    for kind, (body, read, lines) in bodies.items():
        yield OddNote(
            name=f"body-{kind}",
            data=note(f"body-{kind}", body=body).encode("utf-8"),
            reads={"statement": read, "title": "Plain"},
            lines=lines,
        )


def _layouts() -> Iterator[OddNote]:
    """Headers written in unusual but lawful ways: read, and kept as they are."""
    headers: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
        "block-list": (("tags:", "  - a", "  - b"), {"tags": ("a", "b")}),
        "list-without-indent": (("tags:", "- a", "- b"), {"tags": ("a", "b")}),
        "list-over-lines": (("tags: [a,", "  b]"), {"tags": ("a", "b")}),
        "list-of-numbers": (("tags: [1.10, 014, yes]",), {"tags": ("1.10", "014", "yes")}),
        "one-text-as-list": (("tags: a",), {"tags": ("a",)}),
        "literal": (("profile: |", "  a", "  b"), {"profile": "a\nb\n"}),
        "literal-stripped": (("profile: |-", "  a", "  b"), {"profile": "a\nb"}),
        "folded": (("profile: >-", "  a", "  b"), {"profile": "a b"}),
        "plain-over-lines": (("profile: a", "  b"), {"profile": "a b"}),
        "quoted-over-lines": (('profile: "a', '  b"'), {"profile": "a b"}),
        "quoted-key": (('"profile": a',), {"profile": "a"}),
        "single-quoted-key": (("'profile': a",), {"profile": "a"}),
        "space-before-colon": (("profile : a",), {"profile": "a"}),
        "comments": (("# one", "profile: a # two", "", "# three"), {"profile": "a"}),
        "small-anchor": (("tags: &t [a]", "aliases: *t"), {"tags": ("a",)}),
        "unknown-keys": (("zz_top: {a: [1, 2]}", "ключ: да", "a.b: c"), {"title": "Plain"}),
        "merge-key": (("base: &b {x: y}", "<<: *b"), {"title": "Plain"}),
        "trailing-spaces": (("profile: a   ",), {"profile": "a"}),
        "explicit-nulls": (("profile:", "tags: ~"), {"profile": "", "tags": ()}),
        "long-key": (("k" * 200 + ": x",), {"title": "Plain"}),
        "many-keys": (tuple(f"key{n}: {n}" for n in range(2000)), {"title": "Plain"}),
        "long-list": ((f"tags: [{', '.join(['t'] * 5000)}]",), {"tags": ("t",) * 5000}),
        "long-value": (("profile: " + "x" * 100_000,), {"profile": "x" * 100_000}),
    }
    for kind, (keys, read) in headers.items():
        for variant, end in (("lf", "\n"), ("crlf", "\r\n")):
            name = f"layout-{kind}-{variant}"
            yield OddNote(name=name, data=_lines(note(name, *keys), end), reads=read)
    for kind, data in {
        "carriage-returns": note("carriage-returns").replace("\n", "\r"),
        "spaces-after-dashes": note("spaces-after-dashes").replace("---\n", "---  \n"),
        "no-end-after-closing": f"---\n{TITLE}\nmemory_id: no-end-after-closing\n---",
        "mark": "\ufeff" + note("mark"),
        "title-last": f"---\nmemory_id: title-last\n{TITLE}\n---\n\n{WORDS}\n",
    }.items():
        yield OddNote(name=kind, data=data.encode("utf-8"), reads={"title": "Plain"})


def odd_notes() -> tuple[OddNote, ...]:
    """All of them; their names are different, and each is the name of its file."""
    kinds = (_scalars, _faulty_keys, _odd_keys, _unreadable, _ids, _bodies, _layouts)
    return tuple(odd for kind in kinds for odd in kind())
