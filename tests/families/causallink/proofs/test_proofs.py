"""Certificates: they hold, another path finds the same, and planted faults are found."""

from collections import Counter
from itertools import permutations

import pytest

from causarium import families
from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.families.causallink.evidence.practice import find_optimum
from causarium.families.causallink.model.instance import LinkPublic, LinkSecret
from causarium.families.causallink.proofs import PROOFS, certify
from causarium.families.causallink.proofs.recheck import Claim, recheck
from tests.families.causallink.worlds import FAMILY, all_worlds, world_of

LEVELS = ("core", "practice-4", "practice-7", "laws", "laws-words")


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


BROKEN = {
    "the other answer": set(),
    "a log cut short": {Claim.COUNT, Claim.SURE},
    "suspects apart": {Claim.TOGETHER},
    "rivals that guard": {Claim.FITS},
    "a law of another log": {Claim.FITS, Claim.COUNT, Claim.LAWS},
    "a single law": {Claim.LAWS},
    "a decisive run in the log": {Claim.LAWS, Claim.REPEATS},
    "an effect at rest": {Claim.START, Claim.TWIN},
    "an arrow left out": {Claim.DEPTH},
}
"""The claims that a fault breaks; it may break others with them."""
ALONE = ("rivals that guard", "a single law", "a decisive run in the log", "an arrow left out")
"""These break no others."""


@pytest.mark.parametrize("fault", PROOFS.faults)
def test_both_paths_find_every_planted_fault(fault):
    tried = 0
    for level in LEVELS:
        for instance in draw(level, 2):
            spoilt = PROOFS.faults[fault](instance)
            if spoilt is not None:
                tried += 1
                found = [find(spoilt) for find in (certify, recheck)]
                for one in found:
                    broken = {proof.claim for proof in one.proofs if not proof.holds}
                    assert broken, instance.id
                    assert broken >= BROKEN[fault], instance.id
                    assert fault not in ALONE or broken == BROKEN[fault], instance.id
                assert found[0].optimum == found[1].optimum
                if fault != "a decisive run in the log":
                    # There some laws leave nothing; one path then bounds by 1, the other the mean.
                    assert found[0].bounds == pytest.approx(found[1].bounds)
    assert tried


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


SPOILT_BY_ALL = {"the other answer"}
SPOILT = {
    "core": set(),
    "practice-7": {"an effect at rest", "an arrow left out"},
    "laws": {
        "a log cut short",
        "suspects apart",
        "rivals that guard",
        "a law of another log",
        "a single law",
        "a decisive run in the log",
    },
}


@pytest.mark.parametrize("level", SPOILT)
def test_a_fault_is_planted_exactly_where_there_is_room_for_it(level):
    planted = {
        fault
        for fault, plant in PROOFS.faults.items()
        if any(plant(instance) is not None for instance in draw(level, 6))
    }
    assert planted == SPOILT[level] | SPOILT_BY_ALL


def test_an_arrow_is_left_out_only_where_the_depth_rests_on_it():
    """Where another way remains, or the depth stays what it was, that is no fault."""
    plant = PROOFS.faults["an arrow left out"]
    planted = [plant(instance) for instance in generate_set(FAMILY, "certified", "practice")]
    spoilt = [one for one in planted if one is not None]
    assert len(planted) > len(spoilt) > len(planted) / 3
    for instance in spoilt:
        broken = {proof.claim for proof in certify(instance).proofs if not proof.holds}
        assert broken == {Claim.DEPTH}, instance.id


def test_depth_is_proven_of_practice_and_of_nothing_else():
    for instance in (*draw("core", 4), *draw("practice-5", 4)):
        for find in (certify, recheck):
            claims = {proof.claim for proof in find(instance).proofs}
            assert ({Claim.TWIN, Claim.DEPTH} <= claims) == ("depth" in instance.facets)
        extra = certify(instance).extra
        assert extra.get("depth") == instance.facets.get("depth")
        assert ("depth" in extra) == ("depth" in instance.facets)


@pytest.mark.parametrize("level", ["laws", "practice-5"])
def test_a_key_is_shared_by_the_cases_of_a_log_and_by_nobody_else(level):
    keys = Counter(PROOFS.canonical_key(instance) for instance in draw(level, 36))
    assert set(keys.values()) <= ({1} if level == "laws" else set(range(2, 37, 2)))


def test_a_key_does_not_change_with_names_order_of_rows_and_skin():
    for index in range(6):
        keys = {
            PROOFS.canonical_key(FAMILY.generate(FAMILY.level(level), 3, index))
            for level in ("laws", "laws-nonsense", "laws-words")
        }
        assert len(keys) == 1


@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_the_core_histograms_are_the_published_ones(edition):
    family = families.get("causallink", edition)
    found = [family.proofs.certify(one) for one in generate_set(family, edition, "core")]
    assert Counter(f.optimum for f in found) == {0: 15, 1: 36, 2: 27, 3: 6}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_plan_is_right_in_every_world_and_never_needs_more_than_the_optimum(n):
    names = tuple("abcd"[:n])
    worst: dict[int, int] = {}
    rules = FAMILY.rules_for("certified", interface="tools")
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
