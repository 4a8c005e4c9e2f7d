"""Optima and shortest proofs: the published tables, and three ways to the same numbers."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest

from causarium.contract.sets.instance_sets import generate_set
from causarium.families.causallink import FAMILY
from causarium.families.causallink.certify import certify
from causarium.families.causallink.evidence.adversary import fewer_fail
from causarium.families.causallink.evidence.exact_search import (
    all_worlds,
    find_shortest_proof,
    search_optimum,
)
from causarium.families.causallink.evidence.optimum import find_optimum, least_interventions
from causarium.families.causallink.generation.core_cases import STRUCTURES
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.strategies.inquiry import carry_out, inquire_optimally
from tests.families.causallink.worlds import world_of

PER_CASE = {
    "direct": {
        "": "AB 1/1 BA 1/1",
        "B": "AB 2/2 BA 0/0",
        "AB": "AB 1/1 BA 1/1",
    },
    "mediation": {
        "": "AB 1/1 AC 1/1 BA 1/1 BC 1/1 CA 1/1 CB 1/1",
        "C": "AB 1/1 AC 2/2 BA 1/1 BC 2/2 CA 0/0 CB 0/0",
        "BC": "AB 3/2 AC 3/2 BA 0/0 BC 1/1 CA 0/0 CB 1/1",
        "ABC": "AB 2/1 AC 2/1 BA 2/1 BC 2/2 CA 2/1 CB 2/2",
    },
    "confounder": {
        "": "AB 1/1 AC 1/1 BA 1/1 BC 1/1 CA 1/1 CB 1/1",
        "A": "AB 0/0 AC 0/0 BA 2/2 BC 1/1 CA 2/2 CB 1/1",
        "C": "AB 1/1 AC 2/2 BA 1/1 BC 2/2 CA 0/0 CB 0/0",
        "AC": "AB 0/0 AC 1/1 BA 3/2 BC 3/2 CA 1/1 CB 0/0",
        "ABC": "AB 2/1 AC 2/2 BA 2/1 BC 2/1 CA 2/2 CB 2/1",
    },
    "confounder_with_edge": {
        "": "AB 1/1 AC 1/1 BA 1/1 BC 1/1 CA 1/1 CB 1/1",
        "C": "AB 1/1 AC 2/2 BA 1/1 BC 2/2 CA 0/0 CB 0/0",
        "AC": "AB 0/0 AC 1/1 BA 3/2 BC 3/2 CA 1/1 CB 0/0",
        "ABC": "AB 2/1 AC 2/2 BA 2/1 BC 2/1 CA 2/2 CB 2/1",
    },
}


def kinds(n: int):
    for cause, effect, others in product((False, True), (False, True), range(n - 1)):
        yield {"cause_active": cause, "effect_active": effect, "others_active": others}


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda s: s.name)
def test_each_core_case_has_its_published_optimum_and_shortest_proof(structure):
    letters = "ABC"[: structure.size]
    edges = " ".join(f"{letters[a]}>{letters[b]}" for a, b in structure.edges)
    for moving, row in PER_CASE[structure.name].items():
        cells = row.split()
        for pair, value in zip(cells[::2], cells[1::2], strict=True):
            found = certify(world_of(letters, edges, moving, f"{pair[0]}>{pair[1]}"))
            assert f"{found.optimum:.0f}/{found.extra['shortest_proof']}" == value, (moving, pair)
            assert all(proof.holds for proof in found.proofs)


@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_the_core_histograms_are_the_published_ones(edition):
    found = [certify(instance) for instance in generate_set(FAMILY, edition, "core")]
    assert Counter(f.optimum for f in found) == {0: 15, 1: 36, 2: 27, 3: 6}
    assert Counter(f.extra["shortest_proof"] for f in found) == {0: 15, 1: 48, 2: 21}


@pytest.mark.parametrize(
    ("n", "histogram"),
    [
        (2, {0: 2, 1: 4, 2: 2}),
        (3, {0: 12, 1: 18, 2: 12, 3: 6}),
        (4, {0: 48, 1: 60, 2: 36, 3: 36, 4: 12}),
    ],
)
def test_optima_over_all_states_and_questions_are_the_published_ones(n, histogram):
    found: Counter[int] = Counter()
    for state, (a, b) in product(range(1 << n), permutations(range(n), 2)):
        cause, effect = bool(state >> a & 1), bool(state >> b & 1)
        others = state.bit_count() - cause - effect
        found[
            search_optimum(n, cause_active=cause, effect_active=effect, others_active=others)
        ] += 1
    assert found == histogram


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_search_finds_what_the_argument_says(n):
    for kind in kinds(n):
        assert search_optimum(n, **kind) == least_interventions(**kind), kind


@pytest.mark.parametrize("n", range(2, 10))
def test_pairs_of_worlds_show_that_fewer_interventions_fail(n):
    assert all(fewer_fail(n, **kind) for kind in kinds(n))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_plan_is_right_in_every_world_and_never_needs_more_than_the_optimum(n):
    names = tuple("abcd"[:n])
    worst: dict[int, int] = {}
    for reach in all_worlds(n):
        for state in reach.closed_states():
            public = LinkPublic(
                theme="shapes",
                shapes=names,
                moving=tuple(name for x, name in enumerate(names) if state >> x & 1),
                cause="a",
                effect="b",
                cap=2 * n,
            )
            answer, length = carry_out(inquire_optimally(public, Random(state)), public, reach)
            assert answer == reach.causes(0, 1)
            assert length <= find_optimum(public)
            worst[state] = max(worst.get(state, 0), length)
    assert max(worst.values()) == n
    assert worst[(1 << n) - 1] == n - 1


@pytest.mark.parametrize(
    ("n", "no", "yes"),
    [
        (3, {1: 66, 2: 12}, {1: 24, 2: 12}),
        (4, {1: 1416, 2: 372, 3: 48}, {1: 384, 2: 360, 3: 48}),
    ],
)
def test_shortest_proofs_from_all_active_are_the_published_ones(n, no, yes):
    found: dict[bool, Counter[int | None]] = {False: Counter(), True: Counter()}
    for reach in all_worlds(n):
        for a, b in permutations(range(n), 2):
            found[reach.causes(a, b)][find_shortest_proof(reach, (1 << n) - 1, a, b)] += 1
    assert found == {False: no, True: yes}


@pytest.mark.parametrize(
    ("edition", "name"),
    [
        ("certified", "standard"),
        ("certified", "starts"),
        ("certified", "themes"),
        ("paper", "standard"),
    ],
)
def test_every_case_of_these_sets_is_certified(edition, name):
    for instance in generate_set(FAMILY, edition, name):
        found = certify(instance)
        assert all(proof.holds for proof in found.proofs), instance.id
        assert found.optimum == instance.facets["optimum"]
        assert found.extra["shortest_proof_at_most"] <= found.optimum
        if found.extra["shortest_proof"] is not None:
            assert found.extra["shortest_proof"] <= found.extra["shortest_proof_at_most"]


def test_large_worlds_are_certified_beyond_the_reach_of_search():
    instance = FAMILY.generate(FAMILY.level("large-12"), 0, 0)
    found = certify(instance)
    assert found.optimum == 11
    assert all(proof.holds for proof in found.proofs)
    assert "worlds that cannot be told apart" in {proof.method for proof in found.proofs}


def test_a_case_of_a_pair_is_certified_with_its_twin():
    for index in range(20):
        instance = FAMILY.generate(FAMILY.level("advanced-6"), 3, index)
        found = certify(instance)
        depth = instance.facets["depth"]
        assert found.extra["depth"] == depth
        assert len(found.proofs) == 7
        assert f"fewer than {depth} interventions leave it a coin toss" in found.proofs[-1].claim
        assert found.extra["shortest_proof"] is None or found.extra["shortest_proof"] >= depth


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        # A wrong depth; an edge of the cause that the twin would not share; a start of its own.
        (lambda i: {"facets": {**i.facets, "depth": i.facets["depth"] + 1}}, {6}),
        (lambda i: {"secret": _with_detour(i)}, {5, 6}),
        (lambda i: {"public": i.public.model_copy(update={"moving": (i.public.cause,)})}, {1, 4}),
    ],
    ids=["depth", "relation", "start"],
)
def test_a_false_claim_about_the_twin_is_not_certified(change, broken):
    drawn = (FAMILY.generate(FAMILY.level("advanced-5"), 0, index) for index in range(20))
    instance = next(i for i in drawn if i.secret.truth and i.facets["depth"] == 4)
    proofs = certify(instance.model_copy(update=change(instance))).proofs
    assert broken <= {number for number, proof in enumerate(proofs) if not proof.holds}


def _with_detour(instance):
    """The cause also reaches the effect through another, which no longer causes anything else."""
    public = instance.public
    other = next(name for name in public.shapes if name not in {public.cause, public.effect})
    kept = [edge for edge in instance.secret.edges if not edge.endswith(f">{other}")]
    kept = [edge for edge in kept if edge != f"{other}>{public.cause}"]
    edges = tuple(sorted([*kept, f"{public.cause}>{other}"]))
    return instance.secret.model_copy(update={"edges": edges})


def test_a_wrong_answer_on_record_is_not_certified():
    instance = world_of("AB", "A>B", "AB", "A>B")
    lie = instance.model_copy(
        update={"secret": instance.secret.model_copy(update={"truth": False})}
    )
    assert not all(proof.holds for proof in certify(lie).proofs)


def test_a_start_that_cannot_be_is_not_certified():
    assert not all(proof.holds for proof in certify(world_of("AB", "A>B", "A", "B>A")).proofs)


def test_no_world_is_seen_twice_among_all_worlds():
    assert len({reach.below for reach in all_worlds(4)}) == 219
    assert Reach.of_edges(4, [(0, 1), (1, 2)]) in all_worlds(4)
