"""The version space, held against listing every world."""

from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causallink.paper.evidence import Case, judge, version_space
from causarium.families.causallink.paper.evidence.version_space import (
    EvidenceBook,
    SearchTooLong,
    Step,
)
from causarium.families.causallink.paper.model.reach import Reach
from tests.families.causallink.paper.worlds import all_worlds


def walk(reach: Reach, rng: Random, length: int) -> tuple[int, list[Step]]:
    start = state = rng.choice(reach.closed_states())
    steps = []
    for _ in range(length):
        x, starts = rng.randrange(reach.n), rng.random() < 0.35
        after = reach.move(state, x) if starts else reach.hold(state, x)
        steps.append(Step(x, starts, state, after))
        state = after
    return start, steps


def read_all(n: int, start: int, steps: list[Step]) -> EvidenceBook:
    return reduce(EvidenceBook.add_step, steps, EvidenceBook.at_start(n, start))


def agreeing(n: int, start: int, steps: list[Step]) -> list[Reach]:
    return [
        world
        for world in all_worlds(n)
        if world.is_closed(start) and all(step.agrees(world) for step in steps)
    ]


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 9))
def test_it_decides_as_listing_every_world_does(n, seed, length):
    rng = Random(seed)
    start, steps = walk(rng.choice(all_worlds(n)), rng, length)
    book, listed = read_all(n, start, steps), agreeing(n, start, steps)
    assert listed
    for a in range(n):
        for b in range(n):
            if a != b:
                for causes in (True, False):
                    found = book.find(a, b, causes=causes)
                    assert (found is not None) == any(w.causes(a, b) == causes for w in listed)


@settings(max_examples=60, deadline=None)
@given(st.integers(6, 12), st.integers(0, 2**32), st.integers(0, 24))
def test_what_it_finds_agrees_with_everything_seen(n, seed, length):
    rng = Random(seed)
    order = rng.sample(range(n), n)
    pairs = [(order[i], order[j]) for i in range(n) for j in range(i + 1, n)]
    truth = Reach.of_edges(n, [pair for pair in pairs if rng.random() < 0.25])
    start, steps = walk(truth, rng, length)
    book = read_all(n, start, steps)
    for causes in (True, False):
        found = book.find(0, 1, causes=causes)
        if found is None:
            assert truth.causes(0, 1) != causes
        else:
            assert found.causes(0, 1) == causes
            assert found.is_closed(start)
            assert all(step.agrees(found) for step in steps)


def test_the_first_look_can_be_enough():
    book = EvidenceBook.at_start(2, 0b01)
    assert book.find(0, 1, causes=True) is None
    assert book.find(0, 1, causes=False) is not None


def test_one_stop_among_many_does_not_tell():
    collider = Reach.of_edges(3, [(0, 2), (1, 2)])
    step = Step(0, starts=False, before=7, after=collider.hold(7, 0))
    book = EvidenceBook.at_start(3, 7).add_step(step)
    assert book.find(0, 2, causes=True) is not None
    assert book.find(0, 2, causes=False) is not None


def test_a_search_that_is_given_up_says_so(monkeypatch):
    monkeypatch.setattr(version_space, "SEARCH_LIMIT", 0)
    with pytest.raises(SearchTooLong):
        EvidenceBook.at_start(3, 7).find(0, 1, causes=True)
    # The first variable causes the last through the second, so there is no twin to think of first.
    chain = Reach.of_edges(3, [(0, 1), (1, 2)])
    case = Case(reach=chain, start=7, cause=0, effect=2, steps=())
    assert judge(case).evidence == "undecided"
