"""The judge with an encoder: its features, its decision, and the encoder where its files are."""

import os
from pathlib import Path

import numpy as np
import pytest

from causarium.families.recite.scoring.encoder_judge import (
    FEATURES,
    EncoderJudge,
    JudgeModel,
    features,
    load_model,
)
from causarium.families.recite.scoring.sentence_encoder import SentenceEncoder

NODES = {"Rain": ("Rain", "drizzle"), "Trust in the council": ("Trust in the council",)}
MEANINGS = {
    "Rain": (1.0, 0.0),
    "drizzle": (0.8, 0.6),
    "downpour": (0.8, 0.6),
    "Trust in the council": (0.0, 1.0),
    "distrust of the council": (0.1, 0.99),
    "moon": (-1.0, 0.0),
}


class Fake:
    """An encoder that knows a few words."""

    def vectors(self, names):
        return np.array([MEANINGS[name] for name in names])


def row(word: str, node: str) -> dict[str, float]:
    rows = features(Fake(), word, NODES)  # type: ignore[arg-type]
    return dict(zip(FEATURES, rows[list(NODES).index(node)], strict=True))


def test_features_say_how_near_a_word_is_to_a_node_and_to_the_next() -> None:
    """By hand, for a word that is nearest to an alias."""
    near = row("downpour", "Rain")
    assert near["cosine"] == 1.0
    assert near["cosine to the name"] == 0.8
    assert near["lead"] == pytest.approx(0.4)
    assert (near["is first"], near["is opposite"], near["shared words"]) == (1, 0, 0)
    other = row("downpour", "Trust in the council")
    assert (other["is first"], other["cosine if first"]) == (0, 0)


def test_an_opposite_is_marked() -> None:
    """Though the encoder takes it for the same."""
    turned = row("distrust of the council", "Trust in the council")
    assert turned["is opposite"] == 1
    assert turned["cosine"] > 0.95


def test_each_word_goes_to_its_likeliest_node_or_to_none() -> None:
    """By the model's odds, which the guard can turn."""
    weights = dict.fromkeys(FEATURES, 0.0) | {"cosine": 4.0, "is opposite": -9.0}
    model = JudgeModel(tuple(weights[name] for name in FEATURES), -3.0, 0.5, 100)
    judge = EncoderJudge(Fake(), model)  # type: ignore[arg-type]
    words = ["downpour", "distrust of the council", "moon"]
    assert judge.pick(words, NODES) == {
        "downpour": "Rain",
        "distrust of the council": None,
        "moon": None,
    }
    assert judge.pick(["", "downpour"], {}) == {"": None, "downpour": None}


def test_the_shipped_model_has_every_weight_and_says_how_far_it_agrees() -> None:
    """Measured on pairs of other documents."""
    model = load_model()
    assert len(model.weights) == len(FEATURES)
    assert model.pairs > 1_528
    assert 0.5 < model.kappa < 1
    weights = dict(zip(FEATURES, model.weights, strict=True))
    assert weights["is opposite"] < 0 < weights["lead"]


@pytest.mark.skipif("CAUSARIUM_ENCODER" not in os.environ, reason="needs the encoder's two files")
def test_the_encoder_agrees_with_its_makers_example() -> None:
    """Two sentences of the model's page, to three places."""
    encoder = SentenceEncoder(Path(os.environ["CAUSARIUM_ENCODER"]))
    one, other = encoder.vectors(["That is a happy person", "That is a very happy person"])
    assert float(one @ other) == pytest.approx(0.943, abs=0.001)
    assert float(one @ one) == pytest.approx(1, abs=1e-5)
