"""Worlds chosen until nothing is open."""

from random import Random

import pytest

from causarium.scm.boolean.certify_model import is_unique, prove
from causarium.scm.boolean.propose_worlds import Design, World, observe, propose
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.boolean.select_worlds import Effort, Goal, select_worlds
from causarium.scm.dag import bits
from tests.scm.boolean.made import draw_model, draw_world


def together(n, worlds):
    found = Evidence.of(n, [], [])
    for world in worlds:
        found += world.evidence(n)
    return found


def chosen(seed, n, admissible_of, **options):
    rng = Random(seed)
    scm = draw_model(rng, n)
    design = Design.draw(3, 12, rng)
    start = [observe(scm, design)]
    goal = Goal.for_whole_model(scm, admissible_of(scm))
    return scm, goal, start, select_worlds(goal, start, design, rng, **options)


@pytest.mark.parametrize("seed", range(6))
def test_chosen_worlds_make_the_model_unique_whatever_is_disclosed(seed):
    n = 6 + seed % 5
    scm, goal, start, worlds = chosen(seed, n, lambda scm: Admissible.hidden_roots(n, 3))
    assert worlds is not None
    evidence = together(n, [*start, *worlds])
    assert is_unique(scm, evidence, goal.admissible)
    assert is_unique(scm, evidence, Admissible.from_roots(n, scm.roots))
    assert is_unique(scm, evidence, Admissible.from_order(n, scm.roots, scm.order))


@pytest.mark.parametrize("seed", range(3))
def test_no_chosen_world_can_be_spared(seed):
    scm, goal, start, worlds = chosen(
        seed, 8, lambda scm: Admissible.from_roots(8, scm.roots), effort=Effort(disguise=False)
    )
    assert worlds is not None
    for place in range(len(worlds)):
        rest = [*start, *worlds[:place], *worlds[place + 1 :]]
        assert not is_unique(scm, together(8, rest), goal.admissible)


def test_counting_targets_does_not_tell_the_roots():
    more, pairs = 0.0, 0
    for seed in range(25):
        scm, _, _, worlds = chosen(seed, 8, lambda scm: Admissible.hidden_roots(8, 3))
        assert worlds is not None
        counts = [sum(world.targets >> v & 1 for world in worlds) for v in range(8)]
        for root in bits(scm.roots):
            for v in scm.order:
                more += (counts[root] < counts[v]) + 0.5 * (counts[root] == counts[v])
                pairs += 1
        assert all(scm.run(row, w.targets) == row for w in worlds for row in w.rows)
    assert 0.4 < more / pairs < 0.62


def test_the_same_seed_chooses_the_same_worlds():
    one, other = (chosen(3, 8, lambda scm: Admissible.hidden_roots(8, 3))[3] for _ in range(2))
    assert one == other


def test_worlds_that_are_not_admitted_are_not_taken():
    def with_own_values(world: World) -> bool:
        return not world.constant

    scm, goal, start, worlds = chosen(
        1, 7, lambda scm: Admissible.from_roots(7, scm.roots), admits=with_own_values
    )
    assert worlds is not None
    assert not any(world.constant for world in worlds)
    assert is_unique(scm, together(7, [*start, *worlds]), goal.admissible)


def test_where_nothing_is_admitted_nothing_is_found():
    *_, worlds = chosen(
        1, 7, lambda scm: Admissible.from_roots(7, scm.roots), admits=lambda _: False
    )
    assert worlds is None
    few = Effort(worlds=1)
    *_, worlds = chosen(1, 9, lambda scm: Admissible.from_roots(9, scm.roots), effort=few)
    assert worlds is None


def test_rows_that_are_asked_about_are_determined_with_fewer_worlds():
    rng = Random(4)
    scm = draw_model(rng, 9)
    admissible = Admissible.from_roots(9, scm.roots)
    query = [draw_world(rng, scm) for _ in range(3)]
    design = Design.draw(3, 12, rng)
    start = [observe(scm, design)]
    asked = query[0] + query[1] + query[2]
    worlds = select_worlds(Goal.rows(scm, admissible, asked), start, design, Random(1))
    whole = select_worlds(Goal.for_whole_model(scm, admissible), start, design, Random(1))
    assert worlds is not None
    assert whole is not None
    proof = prove(scm, together(9, [*start, *worlds]), query, admissible, with_gap=False)
    assert proof.determined
    assert proof.chance == 1
    assert len(worlds) < len(whole)


def test_a_goal_that_is_reached_asks_for_nothing():
    _, goal, start, worlds = chosen(2, 6, lambda scm: Admissible.from_roots(6, scm.roots))
    assert worlds is not None
    again = select_worlds(goal, [*start, *worlds], Design.draw(3, 4, Random(0)), Random(0))
    assert again == ()


def test_proposed_worlds_follow_from_the_model_and_the_design():
    rng = Random(6)
    scm = draw_model(rng, 8)
    design = Design.draw(3, 11, rng)
    worlds = propose(scm, design, rng, 400, focus=[0b1111])
    kinds = set()
    for place in range(400):
        world = worlds[place]
        kinds.add((world.targets.bit_count(), world.constant))
        assert world.targets.bit_count() <= 3
        assert scm.endogenous & ~world.targets
        assert all(scm.run(row, world.targets) == row for row in world.rows)
        if place % 2:
            assert not world.targets & ~0b1111
        if not world.constant:
            for v in range(8):
                values = {row >> v & 1 for row in world.rows}
                assert not world.targets >> v & 1 or values == {0, 1}
    matched = propose(scm, design, rng, 50, matched=True)
    assert len({(int(t) & scm.roots).bit_count() for t in matched.targets}) == 1
    assert kinds >= {(1, True), (2, True), (3, True), (1, False), (2, False), (3, False)}


def test_units_with_low_thresholds_have_their_roots_on_more_often():
    scm = draw_model(Random(6), 6)
    design = Design(((0.1, 0.1, 0.1), (0.9, 0.9, 0.9)))
    worlds = propose(scm, design, Random(1), 50)
    for place in range(50):
        world = worlds[place]
        free = scm.roots & ~world.targets
        assert world.rows[0] & free == free
        assert world.rows[1] & free == 0
