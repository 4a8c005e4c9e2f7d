"""Certificates: they hold, another path finds the same, and planted faults are found."""

from collections import Counter
from itertools import permutations

import pytest

from causarium.contract.episode import play
from causarium.families.causallink.paper.evidence import find_optimum
from causarium.families.causallink.paper.model.instance import LinkPublic, LinkSecret
from causarium.families.causallink.paper.proofs import PROOFS, certify
from causarium.families.causallink.paper.proofs.recheck import Claim, recheck
from tests.families.causallink.paper.worlds import FAMILY, all_worlds, draw_set, rules_for, world_of

LEVELS = ("paper-core", "paper-advanced-4", "paper-advanced-7")


def draw(level: str, count: int, seed: int = 5):
    return [FAMILY.generate(FAMILY.level(level), seed, index) for index in range(count)]


@pytest.mark.parametrize("level", LEVELS)
def test_another_path_finds_the_same(level):
    for instance in draw(level, 6):
        found, again = certify(instance), recheck(instance)
        assert [proof.claim for proof in found.proofs] == [proof.claim for proof in again.proofs]
        assert all(proof.holds for proof in (*found.proofs, *again.proofs)), instance.id
        assert found.optimum == again.optimum == instance.facets["optimum"]
        assert found.bounds == pytest.approx(again.bounds)


@pytest.mark.parametrize("fault", PROOFS.faults)
def test_both_paths_find_every_planted_fault(fault):
    for level in LEVELS:
        for instance in draw(level, 2):
            spoilt = PROOFS.faults[fault](instance)
            for find in (certify, recheck):
                broken = {proof.claim for proof in find(spoilt).proofs if not proof.holds}
                assert Claim.GRAPH_ANSWER in broken, instance.id


@pytest.mark.parametrize(
    ("moving", "least"), [("", 1), ("A", 0), ("B", 2), ("AB", 1), ("BC", 3), ("ABC", 2), ("C", 1)]
)
def test_a_plan_needs_what_the_start_leaves_open(moving, least):
    instance = world_of("ABC", "C>B", moving, "A>B")
    assert recheck(instance).optimum == least == find_optimum(instance.public)
    for cap, enough in ((least, True), (least - 1, False)):
        public = instance.public.model_copy(update={"cap": cap})
        capped = instance.model_copy(update={"public": public})
        for find in (certify, recheck):
            held = {proof.claim: proof.holds for proof in find(capped).proofs}
            assert held[Claim.PLAN] == enough


def test_the_core_histograms_are_the_published_ones():
    found = [certify(one) for one in draw_set("core")]
    assert Counter(f.optimum for f in found) == {0: 15, 1: 36, 2: 27, 3: 6}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_plan_is_right_in_every_world_and_never_needs_more_than_the_optimum(n):
    names = tuple("abcd"[:n])
    worst: dict[int, int] = {}
    rules = rules_for("repaired", interface="tools")
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
            edges = tuple(
                f"{a}>{b}"
                for (x, a), (y, b) in permutations(enumerate(names), 2)
                if reach.causes(x, y)
            )
            secret = LinkSecret(edges=edges, truth=reach.causes(0, 1))
            case = FAMILY.instance(id="causallink-test-0000", public=public, secret=secret)
            episode = play(FAMILY, case, rules, "optimal")
            assert episode.world.answer == secret.answer
            assert episode.world.spent <= find_optimum(public)
            worst[state] = max(worst.get(state, 0), episode.world.spent)
    assert max(worst.values()) == n
    assert worst[(1 << n) - 1] == n - 1


def test_a_wrong_answer_and_a_start_that_cannot_be_are_not_certified():
    instance = world_of("AB", "A>B", "AB", "A>B")
    secret = instance.secret.model_copy(update={"truth": False})
    lie = instance.model_copy(update={"secret": secret})
    for bad in (lie, world_of("AB", "A>B", "A", "B>A")):
        assert not all(proof.holds for proof in certify(bad).proofs)
        assert not all(proof.holds for proof in recheck(bad).proofs)


def test_no_world_is_seen_twice_among_all_worlds():
    assert len({reach.below for reach in all_worlds(4)}) == 219
