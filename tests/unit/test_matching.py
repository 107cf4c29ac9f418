"""Keys, match kinds and inquiries (spec page 3, Matching)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofstone.domain import cues, ids, inquiries, normalized_key, tokens
from proofstone.domain.matching import LISTED, MemoryIndex, match, sketch_of
from proofstone.domain.records import MatchKind, Memory, Proposal, Standing

HELD = Memory(
    memory_id="mem-a",
    statement="Run the orion suite with pnpm before each merge.",
    tags=("orion",),
)


def proposal(statement: str, **fields: object) -> Proposal:
    return Proposal(
        **{"proposal_id": "prop-1", "statement": statement, "tags": ("orion",), **fields}
    )


def kind(statement: str, held: str = HELD.statement) -> MatchKind:
    memory = replace(HELD, statement=held)
    return match(proposal(statement), MemoryIndex.of([memory])).kind


# Keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Orion App", "orion-app"),
        ("  Größe / Maß ", "grösse-mass"),
        ("発行 手順", "発行-手順"),
        ("Тесты_и сборка", "тесты-и-сборка"),
        ("ＯＲＩＯＮ", "orion"),
        ("नमस्ते दुनिया", "नमस्ते-दुनिया"),
        ("🙂", "unknown"),
    ],
)
def test_key_parts_keep_letters_of_any_script(text: str, expected: str) -> None:
    assert normalized_key.part(text) == expected


def test_two_chinese_subjects_never_share_a_key() -> None:
    one = proposal("发布前必须运行全部测试", tags=())
    other = proposal("数据库密码存放在保险箱", tags=())
    assert normalized_key.key_of(one) != normalized_key.key_of(other)
    tagged = [normalized_key.key_of(proposal("x", tags=(tag,))) for tag in ("发布", "数据库")]
    assert tagged == ["legacy|global|global|发布|memory", "legacy|global|global|数据库|memory"]


def test_a_key_that_another_program_could_not_name_is_made_anew() -> None:
    stored = proposal(
        "发布前必须运行全部测试", tags=(), normalized_key="legacy|global|global|unknown|memory"
    )
    assert normalized_key.key_of(stored) == "legacy|global|global|发布前必须运行全部测|memory"


def test_a_stored_key_is_kept() -> None:
    assert normalized_key.key_of(proposal("x", normalized_key="mine")) == "mine"


@pytest.mark.parametrize(
    ("scopes", "expected"),
    [
        ((), ("global", "global")),
        (("global",), ("global", "global")),
        (("global", "project:orion"), ("project", "orion")),
        (("domain:b", "domain:a"), ("domain", "a+b")),
        (("domain:a", "project:x"), ("project", "x")),
        (("project",), ("project", "project")),
    ],
)
def test_scope_of_a_key(scopes: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert normalized_key.scope(scopes) == expected


# The seven kinds


def test_no_memory_with_the_key_is_new() -> None:
    assert match(proposal("x", tags=("vega",)), MemoryIndex.of([HELD])).kind is MatchKind.NEW


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Run the orion suite with pnpm before each merge", MatchKind.DUPLICATE),
        ("The orion suite no longer needs pnpm.", MatchKind.POTENTIAL_CONFLICT),
        ("Update the orion suite to include lint.", MatchKind.UPDATES_EXISTING),
        ("Run the orion suite with pnpm.", MatchKind.STRENGTHENS_EXISTING),
    ],
)
def test_one_memory_with_the_key(statement: str, expected: MatchKind) -> None:
    assert kind(statement) is expected


def test_a_duplicate_is_offered_as_strengthening() -> None:
    found = match(proposal(HELD.statement), MemoryIndex.of([HELD]))
    assert found.similarity == 1.0
    assert "strengthen" in found.reasons[0]


def test_several_with_the_key_are_ambiguous_and_listed_up_to_a_limit() -> None:
    many = [replace(HELD, memory_id=f"mem-{n:03}") for n in range(LISTED + 5)]
    found = match(proposal("Orion builds."), MemoryIndex.of(many))
    assert found.kind is MatchKind.AMBIGUOUS
    assert found.total == LISTED + 5
    assert found.matched == tuple(memory.memory_id for memory in many[:LISTED])


@pytest.mark.parametrize(
    "fields",
    [
        {"supersedes": ("mem-a",)},
        {"tags": ("vega", "supersedes:mem-a")},
        {"statement": "This supersedes mem-a."},
    ],
)
def test_a_named_target_is_superseded(fields: dict[str, object]) -> None:
    named = replace(proposal("Orion is built nightly."), **fields)
    found = match(named, MemoryIndex.of([HELD]))
    assert (found.kind, found.matched) == (MatchKind.SUPERSEDES_EXISTING, ("mem-a",))
    assert found.target_problem == ""


# Beyond the source


@pytest.mark.parametrize(
    ("statement", "held"),
    [
        ("Never run the orion suite with pnpm before each merge.", HELD.statement),
        ("Run the orion suite with pnpm before each merge.", "Don’t " + HELD.statement.lower()),
        ("Run the orion suite with pnpm after each merge.", HELD.statement),
        ("Enable strict mode in orion builds on CI.", "Disable strict mode in orion builds on CI."),
        ("Use npm instead of pnpm for orion", "Use pnpm instead of npm for orion"),
        ("Use npm for orion", "Use pnpm instead of npm for orion"),
        ("发布前不运行猎户座测试套件", "发布前运行猎户座测试套件"),
        ("启用猎户座的缓存功能", "禁用猎户座的缓存功能"),
        ("Ejecuta las pruebas de orion sin pnpm", "Ejecuta las pruebas de orion con pnpm"),
        ("Nunca ejecutes las pruebas de orion", "Ejecutes las pruebas de orion"),
    ],
)
def test_an_opposing_statement_is_a_conflict_however_much_it_shares(
    statement: str, held: str
) -> None:
    assert kind(statement, held) is MatchKind.POTENTIAL_CONFLICT
    assert kind(held, statement) is MatchKind.POTENTIAL_CONFLICT


@pytest.mark.parametrize(
    ("statement", "held"),
    [
        ("Never use pnpm for orion.", "Never use pnpm for orion"),
        ("Orion is deployed on Mondays.", "Never commit secrets to the repository"),
        ("发布前不要跳过测试", "发布前不要跳过测试。"),
        ("Use pnpm for orion", "Use pnpm instead of npm for orion"),
        ("不同分支分别构建", "各分支分别构建"),
    ],
)
def test_statements_that_agree_or_differ_in_subject_do_not_oppose(
    statement: str, held: str
) -> None:
    assert cues.opposition(statement, held) == ""


@pytest.mark.parametrize("apostrophe", ["'", "’", "‘", "ʼ", "＇", "`"])
def test_typographic_apostrophes_count_as_plain_ones(apostrophe: str) -> None:
    assert cues.contradiction(f"Don{apostrophe}t use pnpm here")
    assert kind(f"Don{apostrophe}t use yarn for orion") is MatchKind.POTENTIAL_CONFLICT


@pytest.mark.parametrize(
    "statement",
    [
        "不再使用 pnpm",
        "请勿在周五发布",
        "改用 yarn",
        "Ya no se usa pnpm",
        "Usa yarn en lugar de pnpm",
        "Evita pnpm",
        "No uses pnpm",
    ],
)
def test_contradiction_cues_in_chinese_and_spanish(statement: str) -> None:
    assert cues.contradiction(statement)
    assert kind(statement) is MatchKind.POTENTIAL_CONFLICT


@pytest.mark.parametrize(
    "statement",
    ["现在每晚运行", "增加一次检查", "Ahora se ejecuta cada noche", "Añade otra prueba"],
)
def test_update_cues_in_chinese_and_spanish(statement: str) -> None:
    assert cues.update(statement)
    assert kind(statement) is MatchKind.UPDATES_EXISTING


@pytest.mark.parametrize(
    ("statement", "held"),
    [
        ("The orion gateway speaks protocol v3", "The orion gateway speaks protocol v2"),
        ("The orion gateway listens on 81", "The orion gateway listens on 80"),
    ],
)
def test_another_number_is_no_duplicate(statement: str, held: str) -> None:
    assert kind(statement, held) is MatchKind.UPDATES_EXISTING


GONE = replace(HELD, memory_id="hist-1", active_memory_id="mem-old", archived_at="2026-08-01")


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        (
            replace(GONE, standing=Standing.SUPERSEDED, superseded_by=("mem-new",)),
            "mem-old was superseded by mem-new already",
        ),
        (replace(GONE, standing=Standing.DELETED), "mem-old was deleted"),
    ],
)
def test_a_target_that_is_gone_is_said_to_be_so(version: Memory, problem: str) -> None:
    found = match(proposal("x y z", supersedes=("mem-old",)), MemoryIndex.of([HELD], [version]))
    assert found.kind is MatchKind.SUPERSEDES_EXISTING
    assert found.target_problem == problem


def test_a_target_that_never_was_is_said_to_be_so() -> None:
    found = match(proposal("x", supersedes=("mem-none",)), MemoryIndex.of([HELD]))
    assert found.target_problem == "no memory is called mem-none"
    assert found.targets == ("mem-none",)


def test_words_after_supersedes_are_no_broken_target() -> None:
    found = match(proposal("This supersedes the older rule."), MemoryIndex.of([HELD]))
    assert found.target_problem == ""


def test_an_earlier_version_of_a_living_memory_is_no_problem() -> None:
    version = replace(HELD, memory_id="hist-2", active_memory_id="mem-a", archived_at="2026-08-01")
    found = match(proposal("x", supersedes=("mem-a",)), MemoryIndex.of([HELD], [version]))
    assert found.target_problem == ""


def test_a_contested_target_is_said_to_be_so() -> None:
    contested = replace(HELD, standing=Standing.CONTESTED)
    found = match(proposal("x", supersedes=("mem-a",)), MemoryIndex.of([contested]))
    assert found.target_problem == "mem-a is contested"


def test_the_gates_update_target_is_matched_under_any_key() -> None:
    index = MemoryIndex.of([HELD])
    update = proposal("The orion suite runs nightly.", tags=("vega",), update_memory_id="mem-a")
    assert match(update, index).kind is MatchKind.UPDATES_EXISTING
    reversed_ = replace(update, statement="Never run the orion suite with pnpm before each merge.")
    assert match(reversed_, index).kind is MatchKind.POTENTIAL_CONFLICT


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("p", "p", MatchKind.DUPLICATE),
        ("p", "", MatchKind.DUPLICATE),
        ("", "p", MatchKind.DUPLICATE),
        ("p", "q", MatchKind.NEW),
    ],
)
def test_profiles_are_apart_and_a_missing_one_matches_any(
    mine: str, theirs: str, expected: MatchKind
) -> None:
    index = MemoryIndex.of([replace(HELD, profile=theirs)])
    assert match(proposal(HELD.statement, profile=mine), index).kind is expected


def test_a_target_of_another_profile_is_out_of_reach() -> None:
    index = MemoryIndex.of([replace(HELD, profile="q")])
    found = match(proposal("x", profile="p", supersedes=("mem-a",)), index)
    assert found.kind is MatchKind.NEW
    assert found.target_problem == "mem-a belongs to the profile q"


def test_a_memory_does_not_match_itself() -> None:
    other = replace(HELD, memory_id="mem-b")
    assert match(HELD, MemoryIndex.of([HELD])).kind is MatchKind.NEW
    assert match(HELD, MemoryIndex.of([HELD, other])).matched == ("mem-b",)


def test_an_index_follows_changes() -> None:
    index = MemoryIndex.of([HELD])
    index.put(replace(HELD, tags=("vega",)))
    assert match(proposal(HELD.statement), index).kind is MatchKind.NEW
    index.put(replace(HELD, memory_id="mem-b"))
    assert match(proposal(HELD.statement), index).matched == ("mem-b",)
    index.drop("mem-b")
    index.drop("mem-never-there")
    assert match(proposal(HELD.statement), index).kind is MatchKind.NEW


def test_jaccard_of_texts_in_every_script() -> None:
    assert tokens.jaccard("每次合并前运行测试", "每次合并前运行测试") == 1.0
    assert tokens.jaccard("每次合并前运行测试", "数据库密码在保险箱") == 0.0
    assert tokens.jaccard("", "") == 1.0
    assert tokens.jaccard("cafe\u0301 noir", "CAFÉ NOIR") == 1.0


# Inquiries


@pytest.mark.parametrize(
    ("statement", "fields", "priority"),
    [
        ("Never run the orion suite with pnpm before each merge.", {}, "high"),
        ("Something.", {"supersedes": ("mem-a",)}, "medium"),
    ],
)
def test_conflict_and_supersession_open_an_inquiry(
    statement: str, fields: dict[str, object], priority: str
) -> None:
    raised = proposal(statement, **fields)
    found = match(raised, MemoryIndex.of([HELD]))
    inquiry = inquiries.from_match(raised, found, opened="2026-08-10T12:00:00Z")
    assert inquiry is not None
    assert inquiry.concerns == ("prop-1", "mem-a")
    assert (inquiry.priority, inquiry.status) == (priority, "open")
    assert inquiry.inquiry_id == ids.inquiry_id(inquiry.question, inquiry.concerns)
    assert statement not in inquiry.question + inquiry.context
    assert inquiries.concerning([inquiry], ["mem-a"]) == (inquiry,)
    assert inquiries.concerning([replace(inquiry, status="answered")], ["mem-a"]) == ()


def test_a_duplicate_opens_none() -> None:
    raised = proposal(HELD.statement)
    assert inquiries.from_match(raised, match(raised, MemoryIndex.of([HELD])), opened="") is None


def test_an_index_of_sketches_answers_as_one_of_memories() -> None:
    held = [
        replace(HELD, memory_id=f"mem-{number}", profile=profile, standing=standing)
        for number, (profile, standing) in enumerate(
            [("", Standing.ACTIVE), ("p", Standing.ACTIVE), ("q", Standing.CONTESTED)] * 3
        )
    ]
    by_id = {memory.memory_id: memory for memory in held}
    whole = MemoryIndex.of(held)
    sketched = MemoryIndex.of_sketches(map(sketch_of, held), by_id.get)
    key = sketch_of(HELD).key
    for profile in ("", "p", "q", "r"):
        assert sketched.sharing(key, profile) == whole.sharing(key, profile)
        for memory_id in (*by_id, "mem-none"):
            assert sketched.problem(memory_id, profile) == whole.problem(memory_id, profile)
    for index in (whole, sketched):
        index.drop("mem-1")
        index.drop("mem-none")
    del by_id["mem-1"]
    assert sketched.sharing(key, "p") == whole.sharing(key, "p")
