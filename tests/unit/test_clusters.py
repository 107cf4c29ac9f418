"""What waits, in clusters: near-identical together, contradictions apart and side by side."""

from __future__ import annotations

from proofstone.domain.clusters import Cluster, Waiting, among, clusters

PNPM = "Use pnpm for the Orion web client and its build scripts."


def waiting(id: str, statement: str, key: str = "k", *, tainted: bool = False) -> Waiting:
    return Waiting(id, statement, key, tainted)


def ids(found: tuple[Cluster, ...]) -> list[tuple[str, ...]]:
    return [cluster.ids for cluster in found]


def test_near_identical_texts_share_a_cluster_in_the_order_they_came() -> None:
    found = clusters(
        [
            waiting("a", PNPM),
            waiting("b", "The Atlas nightly load starts at half past two.", "other"),
            waiting("c", "Use pnpm for the Orion web client and its release scripts."),
        ]
    )
    assert ids(found) == [("a", "c"), ("b",)]
    assert found[0].head == "a"


def test_the_same_words_are_together_however_short() -> None:
    found = clusters([waiting("a", "Be kind."), waiting("b", " Be kind."), waiting("c", "Be.")])
    assert ids(found) == [("a", "b"), ("c",)]


def test_every_member_is_near_the_head_and_not_only_near_another_member() -> None:
    words = [f"word{number}" for number in range(16)]
    chain = [" ".join(words[start : start + 8]) for start in (0, 4, 8)]
    found = clusters([waiting(str(n), text) for n, text in enumerate(chain)])
    assert ids(found) == [("0", "1"), ("2",)]


def test_a_contradiction_is_apart_next_to_it_and_marked_on_both() -> None:
    found = clusters(
        [
            waiting("a", PNPM),
            waiting("b", "The Atlas nightly load starts at half past two.", "other"),
            waiting("c", "Never use pnpm for the Orion web client and its build scripts."),
        ]
    )
    assert ids(found) == [("a",), ("c",), ("b",)]
    assert found[0].opposed == ("c",)
    assert found[1].opposed == ("a",)
    assert found[2].opposed == ()


def test_a_contradiction_of_the_same_key_is_found_without_likeness() -> None:
    found = clusters(
        [waiting("a", "Deploys are allowed on Friday."), waiting("b", "Deploys are not allowed.")]
    )
    assert len(found) == 2
    assert found[1].opposed == ("a",)


def test_tainted_text_never_shares_a_cluster_with_untainted() -> None:
    found = clusters([waiting("a", PNPM), waiting("b", PNPM, tainted=True), waiting("c", PNPM)])
    assert ids(found) == [("a", "c"), ("b",)]


def test_what_a_filter_hides_leaves_the_rest_in_order() -> None:
    found = (Cluster(("a", "b"), ("c",)), Cluster(("c",), ("a",)), Cluster(("d",)))
    assert among(found, {"b", "c"}) == (Cluster(("b",), ("c",)), Cluster(("c",), ("b",)))
    assert among(found, {"b", "d"}) == (Cluster(("b",)), Cluster(("d",)))
    assert among(found, ()) == ()
