"""What was seen, for all sets of variables at once, against looking row by row."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import ContractError, UsageError
from causarium.scm.boolean.row_evidence import (
    Admissible,
    Evidence,
    ModelFacts,
    find_seen_patterns,
    layout,
)
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.dag import bits, mask_of
from tests.scm.boolean.made import draw_evidence, draw_model, few

seeds = st.integers(0, 10_000)


def pairs_of(evidence):
    return list(zip(evidence.rows.tolist(), evidence.targets.tolist(), strict=True))


@pytest.mark.parametrize(("n", "k"), [(5, 2), (7, 4), (8, 4), (11, 3), (12, 4)])
def test_seen_patterns_are_those_of_rows_in_which_the_variable_is_free(n, k):
    rng = Random(n)
    evidence = draw_evidence(rng, draw_model(rng, n), worlds=4, rows=5)
    sets = layout(n, k)
    seen = find_seen_patterns(sets, evidence)
    for _ in range(300):
        s = rng.randrange(len(sets.masks))
        mask = int(sets.masks[s])
        for v in range(n):
            rows = [x for x, t in pairs_of(evidence) if not t >> v & 1 and mask >> v & 1]
            assert int(seen[v, s]) == mask_of(pattern(x, mask) for x in rows)


def test_no_rows_say_nothing():
    none = Evidence.of(4, [], [])
    known = ModelFacts.of(none, Admissible.from_roots(4, 0b0011, 2))
    assert not known.seen.any()
    assert known.explains[known.admissible.inside].all()


@few
@given(seeds)
def test_parents_explain_a_variable_unless_a_pattern_was_seen_with_both_values(seed):
    rng = Random(seed)
    scm = draw_model(rng, 6)
    evidence = draw_evidence(rng, scm, worlds=3)
    known = ModelFacts.of(evidence, Admissible.from_roots(6, scm.roots, 3))
    sets = known.admissible.layout
    for v in range(6):
        for s, mask in enumerate(sets.masks.tolist()):
            parents = mask & ~(1 << v)
            if not mask >> v & 1:
                assert not known.explains[v, s]
                continue
            shown = {
                (pattern(x, parents), x >> v & 1) for x, t in pairs_of(evidence) if not t >> v & 1
            }
            assert known.explains[v, s] == (len({p for p, _ in shown}) == len(shown))
            zeros, ones = known.facts(v, parents)
            assert {(p, 0) for p in bits(zeros)} | {(p, 1) for p in bits(ones)} == shown
            smaller = [sets.place[mask & ~(1 << u)] for u in bits(parents)]
            minimal = known.explains[v, s] and not any(known.explains[v, r] for r in smaller)
            assert known.minimal[v, s] == minimal


@few
@given(seeds)
def test_what_is_ready_is_explained_by_some_of_what_is_placed(seed):
    rng = Random(seed)
    scm = draw_model(rng, 6)
    order = [*bits(scm.roots), *scm.order]
    known = ModelFacts.of(
        draw_evidence(rng, scm, 3), Admissible.from_order(6, scm.roots, order[3:], 3)
    )
    sets = known.admissible.layout
    for placed in range(1 << 6):
        ready = mask_of(
            v
            for v in range(6)
            if any(
                known.explains[v, s] and not int(sets.parents[v, s]) & ~placed
                for s in range(len(sets.masks))
            )
        )
        assert known.ready[placed] == ready


@few
@given(seeds, st.integers(5, 9))
def test_the_true_roots_are_always_feasible(seed, n):
    rng = Random(seed)
    scm = draw_model(rng, n)
    known = ModelFacts.of(draw_evidence(rng, scm, 4), Admissible.hidden_roots(n, 3))
    assert scm.roots in known.feasible_roots
    everything = (1 << n) - 1
    for roots in known.admissible.root_sets:
        assert (known.closure(roots) == everything) == (roots in known.feasible_roots)


def test_allowed_parents_follow_the_disclosure():
    ordered = Admissible.from_order(5, 0b00011, [4, 2, 3])
    assert ordered.allowed[2:] == (0b10011, 0b10111, 0b00011)
    blocks = Admissible.blocks(5, 0b00011, [[4, 2], [3]])
    assert blocks.allowed[2:] == (0b10011, 0b10111, 0b00111)
    assert Admissible.from_roots(5, 0b00011).allowed[2] == 0b11011
    assert len(Admissible.hidden_roots(6, 3).root_sets) == 20


def test_sizes_beyond_the_words_are_refused():
    with pytest.raises(UsageError, match="at most 12 variables and 4 parents"):
        Admissible.from_roots(13, 1)
    with pytest.raises(UsageError, match="at most 12 variables and 4 parents"):
        Admissible.from_roots(8, 1, 5)
    with pytest.raises(ContractError, match="allowed parents"):
        Admissible(3, (1,), (0, 2, 0))
