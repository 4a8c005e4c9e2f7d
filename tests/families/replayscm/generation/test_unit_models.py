"""Clans, quads and askings: what their proofs rest on, on draws small enough to list."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.replayscm.generation.unit_problems import (
    HANDS,
    Clan,
    Evidence,
    draw_clan,
    draw_evidence,
    draw_quad,
)
from causarium.scm.boolean.unit_clauses import UnitClauses, true_fit
from causarium.scm.boolean.unit_fits import UnitFits, UnitLaw, UnitWorld
from causarium.scm.dag import bits

SHAPES = {"trait": (6, 2, True), "touched": (8, 3, False), "both": (7, 2, True)}
seeds = st.integers(0, 10**6)


def find_evidence(level: str, seed: int) -> tuple[Clan, Evidence]:
    n, roots, trait = SHAPES[level]
    attempt = 0
    while True:
        rng = Random(f"{level}/{seed}/{attempt}")
        clan = draw_clan(n, roots, rng, trait=trait)
        if found := draw_evidence(clan, rng, named=level == "trait"):
            return clan, found
        attempt += 1


def law_of(level: str, clan: Clan) -> UnitLaw:
    touched = 0 if level == "trait" else HANDS
    return UnitLaw(clan.n, clan.roots, len(clan.units), clan.arrows, clan.kids is not None, touched)


def worlds_of(clan: Clan, found: Evidence, member: int) -> list[UnitWorld]:
    recorded = (1 << clan.n) - 1
    return [
        UnitWorld(tuple(row & recorded for row in rows), targets)
        for rows, targets in zip(found.rows[member], found.targets, strict=True)
    ]


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_a_clan_shows_the_same_rows_in_every_world_whatever_is_set(seed: int) -> None:
    rng = Random(seed)
    clan = draw_clan(rng.choice((6, 7, 8)), 2, rng, trait=True)
    drawn = [rng.getrandbits(clan.n) for _ in clan.units]
    alike = clan.upstream
    values = [drawn[u] & ~alike | drawn[min(u, p)] & alike for u, p in enumerate(clan.partner)]
    targets = rng.getrandbits(clan.n)
    rows = clan.run([value & targets for value in values], targets)
    trait = 1 << clan.n
    for member, scm in enumerate(clan.members):
        shown = clan.swap(rows, member)
        assert sorted(row & ~trait for row in shown) == sorted(row & ~trait for row in rows)
        for start, row in zip(clan.units, shown, strict=True):
            assert row & trait == start & trait
            assert (row ^ start) & clan.roots & ~targets == 0
            assert scm.run(row & (targets | scm.roots), targets) == row
    assert len({scm.tables for scm in clan.members}) == 4


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_no_model_without_the_trait_says_both_kids(seed: int) -> None:
    clan = draw_clan(6, 2, Random(seed), trait=True)
    rows = clan.run([0] * len(clan.units), 0)
    assert clan.kids is not None
    for u, partner in enumerate(clan.partner):
        apart = rows[u] ^ rows[partner]
        assert apart >> clan.kids.first & 1
        before = clan.order[: clan.order.index(clan.kids.first)]
        assert not any(apart >> v & 1 for v in before)


@pytest.mark.parametrize("level", SHAPES)
@pytest.mark.parametrize("seed", range(2))
def test_one_model_is_left_of_every_member_by_search_and_by_clauses(level: str, seed: int) -> None:
    clan, found = find_evidence(level, seed)
    law = law_of(level, clan)
    needed = [False] * len(found.targets)
    for member, scm in enumerate(clan.members):
        worlds = worlds_of(clan, found, member)
        truth = true_fit(scm.parents, clan.units, found.targets, clan.n)
        fits = UnitFits(law, worlds)
        assert fits.find() == [truth]
        assert UnitClauses(law, worlds).is_only_fit(truth)
        for place in range(1, len(worlds)):
            rest = [other for other in range(len(worlds)) if other != place]
            unique = fits.find_unique(rest) is not None
            less = replace(truth, touched=tuple(truth.touched[other] for other in rest))
            clauses = UnitClauses(law, [worlds[other] for other in rest])
            assert unique == clauses.is_only_fit(less)
            needed[place] |= not unique or level == "touched"
    assert len(found.targets) > 1


@pytest.mark.parametrize("level", ["touched", "both"])
def test_hands_leave_no_plain_mark(level: str) -> None:
    clan, found = find_evidence(level, 1)
    for rows in found.rows:
        for world, targets in zip(rows[1:], found.targets[1:], strict=True):
            changes = [a ^ b for a, b in zip(rows[0], world, strict=True)]
            counts = [sum(change >> v & 1 for change in changes) for v in range(clan.n)]
            touched = {v: counts[v] for v in bits(targets)}
            others = [count for v, count in enumerate(counts) if v not in touched]
            assert 0 < min(touched.values()) <= max(others)


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(8, 12))
def test_each_unit_of_a_quad_needs_an_answer_and_a_change_of_its_own(seed: int, n: int) -> None:
    quad = draw_quad(n, Random(seed))
    recorded = (1 << n) - 1
    assert len({row & recorded for row in quad.shown}) == 4
    assert len({row & recorded for row in quad.asked}) == 4
    pairs = list(zip(quad.shown, quad.asked, strict=True))
    assert len({(one ^ other) & recorded for one, other in pairs}) == 4
    assert all((one ^ other) >> quad.target & 1 for one, other in pairs)
    assert len({row & quad.scm.roots & recorded for row in quad.shown}) == 1
