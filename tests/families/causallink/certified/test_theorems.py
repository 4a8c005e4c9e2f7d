"""The theorems of the ladder: what a coin earns, and what the rows leave open."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import play
from causarium.families.causallink.certified import FAMILY
from causarium.families.causallink.certified.evidence.pairs import Table
from causarium.families.causallink.certified.mechanics import decides, find_decisive
from causarium.families.causallink.certified.model import LinkInstance

RULES = FAMILY.rules_for("certified")
RUNGS = range(1, 9)


def draw(rung: int, index: int, seed: int = 11) -> LinkInstance:
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), seed, index)


@given(rung=st.sampled_from(RUNGS), index=st.integers(0, 10_000))
def test_rows_tell_nothing_where_there_are_trials_and_all_where_there_are_none(
    rung: int, index: int
) -> None:
    public, secret = (instance := draw(rung, index)).public, instance.secret
    for row in public.watched:
        assert len({*row.started, *row.held}) <= public.hands
        decisive = decides(public, secret.parts, row.started, row.held)
        assert decisive == (not public.trials)


@pytest.mark.parametrize("rung", RUNGS)
def test_of_two_neighbours_one_has_the_answer_yes(rung: int) -> None:
    truths = [draw(rung, index).secret.truth for index in range(40)]
    assert all(one != other for one, other in zip(truths[::2], truths[1::2], strict=True))
    assert 4 < sum(truths[::2]) < 16


@pytest.mark.parametrize("player", ["always_yes", "always_no", "random", "echo"])
@pytest.mark.parametrize("rung", [1, 2, 4, 6])
def test_who_does_not_read_earns_nothing(player: str, rung: int) -> None:
    scores = np.array([_play(player, draw(rung, index)) for index in range(400)])
    assert abs(scores.mean()) <= 3 * scores.std() / 20


@pytest.mark.parametrize("rung", RUNGS)
def test_the_truth_earns_all_and_silence_nothing(rung: int) -> None:
    for index in range(6):
        assert _play("oracle", draw(rung, index)) == 1
        assert _play("silent", draw(rung, index)) == 0


@given(rung=st.integers(2, 8), index=st.integers(0, 10_000))
def test_the_hands_are_enough_for_a_decisive_trial(rung: int, index: int) -> None:
    public, secret = (instance := draw(rung, index)).public, instance.secret
    started, held = find_decisive(public, secret.parts)
    assert len(started) + len(held) <= public.hands
    assert decides(public, secret.parts, started, held)


def test_an_answer_without_a_decisive_trial_earns_nothing() -> None:
    for index in range(20):
        verdict = play(FAMILY, draw(3, index), RULES, "start_alone").score().numbers
        assert verdict["decisive"] or verdict["score"] == 0


@settings(max_examples=20, deadline=None)
@given(rung=st.integers(2, 5), index=st.integers(0, 500))
def test_every_pair_that_fits_is_as_likely_as_any_other(rung: int, index: int) -> None:
    # The pair is drawn last, evenly from all that fit: it must be among them once.
    table = Table(draw(rung, index).public)
    assert len(table.pairs) > 0
    assert table.find(draw(rung, index).secret.parts).sum() == 1


@pytest.mark.parametrize("rung", [2, 3, 4, 5])
def test_frequencies_of_dealings_given_the_rows_are_even(rung: int) -> None:
    """Count, over many draws, which of the fitting pairs is the true one."""
    ranks = []
    for index in range(600):
        table = Table((instance := draw(rung, index, seed=5)).public)
        place = int(table.find(instance.secret.parts).nonzero()[0][0])
        order = Random(index).sample(range(len(table.pairs)), len(table.pairs))
        ranks.append((order.index(place) + 0.5) / len(table.pairs))
    assert abs(np.mean(ranks) - 0.5) < 0.05


@pytest.mark.parametrize("rung", [1, 2, 3, 4, 5])
def test_the_reference_earns_nine_tenths(rung: int) -> None:
    scores = [_play("exact", draw(rung, index)) for index in range(40)]
    assert np.mean(scores) >= 0.8


def _play(player: str, instance: LinkInstance) -> float:
    return play(FAMILY, instance, RULES, player).score().numbers["score"]
