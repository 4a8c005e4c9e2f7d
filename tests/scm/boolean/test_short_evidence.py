"""Few worlds that prove a model, what they must show, and how few could do."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from causarium.scm.boolean.certify_model import is_unique
from causarium.scm.boolean.proof_duties import ProofDuties
from causarium.scm.boolean.propose_worlds import Design, observe
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.boolean.select_worlds import Goal, select_worlds
from causarium.scm.boolean.short_evidence import (
    Pool,
    SearchEffort,
    choose_few,
    draw_pool,
    few_worlds,
)
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.boolean.world_bound import fewest_worlds
from causarium.scm.dag import bits
from tests.scm.boolean.made import draw_model

SMALL = SearchEffort(pool=120, tries=20)


def start(seed, n, units=12):
    rng = Random(seed)
    scm = draw_model(rng, n)
    design = Design.draw(3, units, rng)
    return rng, scm, design, observe(scm, design)


def together(n, worlds):
    found = Evidence.of(n, [], [])
    for world in worlds:
        found += world.evidence(n)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_few_worlds_make_the_model_unique_and_are_fewer_than_a_greedy_choice(seed):
    n = 6 + seed
    rng, scm, design, first = start(seed, n)
    goal = Goal.for_whole_model(scm, Admissible.hidden_roots(n, 3))
    worlds = few_worlds(goal, [first], design, rng)
    assert worlds is not None
    assert is_unique(scm, together(n, [first, *worlds]), goal.admissible)
    assert len(worlds) <= len(select_worlds(goal, [first], design, Random(seed)))
    assert all(world.targets.bit_count() <= 3 for world in worlds)


def test_the_same_seed_chooses_the_same_worlds():
    found = []
    for _ in range(2):
        rng, scm, design, first = start(3, 7)
        goal = Goal.for_whole_model(scm, Admissible.hidden_roots(7, 3))
        found.append(few_worlds(goal, [first], design, rng, SMALL))
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(4))
def test_duties_are_necessary(seed):
    """Whatever leaves one model fulfils them; and they say what they say, pattern by pattern."""
    rng, scm, design, first = start(seed, 7)
    goal = Goal.for_whole_model(scm, Admissible.hidden_roots(7, 3))
    worlds = [first, *select_worlds(goal, [first], design, rng)]
    duties = ProofDuties(scm)
    seen = np.bitwise_or.reduce(
        duties.list_shown(
            np.array([world.rows for world in worlds], np.uint32),
            np.array([world.targets for world in worlds], np.uint32),
        ),
        axis=0,
    )
    assert duties.is_fulfilled(seen)
    assert not duties.list_wanted(seen).any()
    for v, mask, word in zip(duties.variables, duties.sets, seen, strict=True):
        shown = {
            pattern(row, int(mask)) + 16 * (row >> int(v) & 1)
            for world in worlds
            if not world.targets >> int(v) & 1
            for row in world.rows
        }
        assert {bit for bit in range(32) if int(word) >> bit & 1} == shown


def test_only_what_may_be_read_counts():
    _, scm, _, _ = start(2, 8)
    allowed = [0] * 8
    before = scm.roots
    for v in scm.order:
        allowed[v] = before
        before |= 1 << v
    fewer, every = ProofDuties(scm, allowed), ProofDuties(scm)
    assert 0 < len(fewer.sets) <= len(every.sets)
    assert all(
        not int(s) & ~allowed[int(v)] for v, s in zip(fewer.variables, fewer.sets, strict=True)
    )


def pools(seed, n=6, size=24):
    rng, scm, design, first = start(seed, n)
    drawn = draw_pool(ProofDuties(scm), [first], design, rng, SearchEffort(pool=size, tries=20))
    return drawn, rng, design


@pytest.mark.parametrize("seed", range(6))
def test_no_choice_from_the_pool_has_fewer_worlds_than_the_bound(seed):
    drawn, rng, design = pools(seed)
    assert isinstance(drawn, Pool)
    least = fewest_worlds(drawn)
    chosen = choose_few(drawn, design, rng, SMALL)
    assert 0 < least <= len(chosen)
    for size in range(min(least, 3)):
        for places in combinations(range(len(drawn.targets)), size):
            assert not drawn.suffices(list(places))


def test_a_pool_that_cannot_do_is_none():
    rng, scm, design, first = start(1, 8, units=1)
    narrow = Design(design.thresholds, target_counts=((1, 1),))
    found = draw_pool(ProofDuties(scm), [first], narrow, rng, SearchEffort(pool=10, tries=1))
    assert found is None or ProofDuties(scm).is_fulfilled(
        found.list_shown(range(len(found.targets)))
    )


def test_counting_targets_does_not_tell_the_roots():
    more = pairs = 0
    for seed in range(20):
        rng, scm, design, first = start(seed, 7)
        goal = Goal.for_whole_model(scm, Admissible.hidden_roots(7, 3))
        worlds = few_worlds(goal, [first], design, rng, SMALL)
        counts = [sum(world.targets >> v & 1 for world in worlds) for v in range(7)]
        for root in bits(scm.roots):
            for v in scm.order:
                more += (counts[root] < counts[v]) + 0.5 * (counts[root] == counts[v])
                pairs += 1
    assert 0.38 < more / pairs < 0.62
