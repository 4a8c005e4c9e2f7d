"""Probes: what they ask is balanced, and made of the public part alone."""

import pytest

from causarium.families.causalab.config import LEVELS
from causarium.families.causalab.evidence.leak_probes import PROBES, pair_features
from causarium.families.causalab.generate import generate

LEVEL_NAMES = (
    "linear-4",
    "linear-7",
    "hard-quadratic-5",
    "golden-6",
    "grid-6-0o5i",
    "freqparent-4",
)


@pytest.mark.parametrize("level", LEVEL_NAMES)
@pytest.mark.parametrize("probe", sorted(PROBES))
def test_every_question_has_as_many_features(level, probe):
    sizes = {
        len(features)
        for index in range(5)
        for features, _ in PROBES[probe].examples(generate(LEVELS[level], 0, index))
    }
    assert len(sizes) <= 1
    assert sizes <= {29}


def test_presence_asks_as_often_of_an_arrow_as_of_none():
    for index in range(20):
        asked = PROBES["presence"].examples(generate(LEVELS["linear-6"], 0, index))
        assert sum(there for _, there in asked) * 2 == len(asked)


def test_directions_are_asked_either_way():
    asked = [
        forward
        for index in range(40)
        for _, forward in PROBES["direction"].examples(generate(LEVELS["linear-6"], 0, index))
    ]
    assert 0.35 < sum(asked) / len(asked) < 0.65


def test_features_do_not_know_the_chain_or_the_secret():
    public = generate(LEVELS["golden-4"], 0, 0).public
    assert pair_features(public, 0, 1) == pair_features(
        public.model_copy(update={"chain": ()}), 0, 1
    )
