"""The judge with an encoder: its features, its decision, and the encoder where its files are."""

import os
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest
from causarium_recite_lab.encoder import sentence_encoder
from causarium_recite_lab.encoder.encoder_judge import (
    Agreement,
    EncoderJudge,
    JudgeModel,
    judge_of,
    load_model,
    load_outside_names,
)
from causarium_recite_lab.encoder.name_features import compute_features, count_turns
from causarium_recite_lab.encoder.sentence_encoder import (
    HASHES,
    HEADS,
    LAYERS,
    MOST_TOKENS,
    Meaning,
    SentenceEncoder,
)

from causarium.errors import UsageError
from causarium.families.recite.paper.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.paper.levels import ReciteRules

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

    def encode_names(self, names):
        vectors = [np.array(MEANINGS.get(name, (0.0, -1.0))) for name in names]
        return [Meaning(vector, vector, vector[None]) for vector in vectors]


def row(word: str, node: str) -> dict[str, float]:
    columns = compute_features(Fake(), word, NODES)
    return {name: column[list(NODES).index(node)] for name, column in columns.items()}


def test_features_say_how_near_a_word_is_to_a_node_and_to_the_next() -> None:
    """By hand, for a word that is nearest to an alias."""
    near = row("downpour", "Rain")
    assert near["meaning"] == near["word by word"] == 1.0
    assert near["meaning to the name"] == 0.8
    assert near["mean meaning"] == pytest.approx(0.9)
    assert near["lead in meaning"] == pytest.approx(0.4)
    assert (near["first in meaning"], near["turned, nearest"], near["stems"]) == (1, 0, 0)
    other = row("downpour", "Trust in the council")
    assert (other["first in meaning"], other["mixed if first"]) == (0, 0)


def test_stems_and_letters_are_shared_where_words_are_not() -> None:
    """Which the encoder need not know."""
    near = row("raining", "Rain")
    assert near["stems"] == near["cover"] == 1
    assert 0 < near["letters"] < 1
    assert near["lead in stems"] == 1


def test_an_opposite_is_marked() -> None:
    """Though the encoder takes it for the same."""
    turned = row("distrust of the council", "Trust in the council")
    assert turned["turned, nearest"] == turned["share turned"] == 1
    assert turned["meaning"] > 0.95


@pytest.mark.parametrize(
    ("name", "form", "turned"),
    [
        ("no rain", "rain", True),
        ("warm winters", "cold winters", True),
        ("no warm winters", "cold winters", False),
        ("the doubts of the people", "trust of the people", True),
        ("public trust", "trust", False),
    ],
)
def test_what_turns_a_meaning_round_is_counted(name: str, form: str, turned: object) -> None:
    """Twice round is not turned, and both sides count alike."""
    assert count_turns(name, form).is_odd is turned
    assert count_turns(form, name).is_odd is turned


def test_each_word_goes_to_its_likeliest_node_or_to_none() -> None:
    """By the model's odds, which the guard can turn."""
    unknown = Agreement(0.5, 100, 0.5, 0.1, 0.9)
    model = JudgeModel(
        {"meaning": 4.0, "turned, nearest": -9.0}, -3.0, unknown, unknown, unknown, 0.5
    )
    judge = EncoderJudge(Fake(), model)
    words = ["downpour", "distrust of the council", "moon"]
    assert judge.pick(words, NODES) == {
        "downpour": "Rain",
        "distrust of the council": None,
        "moon": None,
    }
    assert judge.pick(["", "downpour"], {}) == {"": None, "downpour": None}
    assert judge.pick(["downpour"], {"Rain": ("Rain",)}) == {"downpour": "Rain"}


def test_names_that_strangers_gave_are_names_of_a_node() -> None:
    """Beside those that the document lists, wherever a node is called so."""
    unknown = Agreement(0.5, 100, 0.5, 0.1, 0.9)
    model = JudgeModel({"meaning": 4.0}, -3.0, unknown, unknown, unknown, 0.5)
    nodes = {"Flood": ("Flood",), "Trust in the council": ("Trust in the council",)}
    assert EncoderJudge(Fake(), model).pick(["downpour"], nodes) == {"downpour": None}
    judge = EncoderJudge(Fake(), model, {"Flood": ["drizzle"], "Snow": ["downpour"]})
    assert judge.pick(["downpour"], nodes) == {"downpour": "Flood"}


def test_every_node_of_the_written_documents_has_six_names_by_strangers() -> None:
    """And none is the node's own name."""
    names = load_outside_names()
    for key in mini_keys():
        nodes = {node.name for node in mini_document(key).nodes}
        assert names[key].keys() == nodes
        for node, given in names[key].items():
            assert len({name.casefold() for name in given} - {node.casefold()}) == 6, (key, node)


def test_the_shipped_model_has_every_weight_and_says_how_far_it_agrees() -> None:
    """Measured on words of documents left out."""
    model = load_model()
    assert model.weights.keys() == compute_features(Fake(), "moon", NODES).keys()
    assert len(model.weights) == 46
    assert (model.agreement.words, model.strangers.words) == (8_655, 6_956)
    assert 0.6 <= model.agreement.kappa < 0.75
    assert 0.6 <= model.unaided.kappa < model.strangers.kappa < 0.75
    assert model.agreement.foreign_refused > 0.85


@pytest.mark.skipif("CAUSARIUM_ENCODER" not in os.environ, reason="needs the encoder's two files")
def test_the_encoder_agrees_with_its_makers_example() -> None:
    """Two sentences of the model's page, to three places."""
    encoder = SentenceEncoder(Path(os.environ["CAUSARIUM_ENCODER"]))
    said = ["That is a happy person", "That is a very happy person"]
    one, other = (meaning.whole for meaning in encoder.encode_names(said))
    assert float(one @ other) == pytest.approx(0.943, abs=0.001)
    assert float(one @ one) == pytest.approx(1, abs=1e-5)


WIDTH = 2 * HEADS


def weights_by_chance() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    inside = [f"attention.self.{name}" for name in ("query", "key", "value")]
    inside += ["attention.output.dense", "attention.output.LayerNorm"]
    inside += ["intermediate.dense", "output.dense", "output.LayerNorm"]
    names = [f"encoder.layer.{layer}.{name}" for layer in range(LAYERS) for name in inside]
    found = {}
    for name in ("embeddings.LayerNorm", *names):
        shape, mean = ((WIDTH,), 1) if name.endswith("LayerNorm") else ((WIDTH, WIDTH), 0)
        found[f"{name}.weight"] = rng.normal(mean, 0.3, shape)
        found[f"{name}.bias"] = rng.normal(0, 0.3, WIDTH)
    for name, rows in (("word", 128), ("position", MOST_TOKENS), ("token_type", 2)):
        found[f"embeddings.{name}_embeddings.weight"] = rng.normal(size=(rows, WIDTH))
    return found


def use_one_thread(limits: int) -> "nullcontext[None]":
    assert limits == 1
    return nullcontext()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SentenceEncoder:
    """An encoder with a token a letter; the packages that read a real one need not be there."""
    for name in HASHES:
        (tmp_path / name).write_bytes(b"")
    tokens = SimpleNamespace(
        no_padding=lambda: None,
        enable_truncation=lambda _: None,
        encode=lambda name: SimpleNamespace(ids=[1, *map(ord, name), 2]),
    )
    packages = {
        "safetensors.numpy": SimpleNamespace(load_file=lambda _: weights_by_chance()),
        "tokenizers": SimpleNamespace(Tokenizer=SimpleNamespace(from_file=lambda _: tokens)),
        "threadpoolctl": SimpleNamespace(threadpool_limits=use_one_thread),
    }
    monkeypatch.setattr(sentence_encoder, "HASHES", dict.fromkeys(HASHES, sha256().hexdigest()))
    monkeypatch.setattr(sentence_encoder, "_import", packages.get)
    return SentenceEncoder(tmp_path)


def test_names_are_vectors_of_length_1(small: SentenceEncoder) -> None:
    """A row for each word, and one each for a name as a whole and for its upper layers."""
    together = small.encode_names(["rain", "moon", "", "moat"])
    for name, meaning in zip(("rain", "moon", "", "moat"), together, strict=True):
        assert meaning.words.shape == (len(name) or 2, WIDTH)
        for row_ in (meaning.whole, meaning.deep, *meaning.words):
            assert float(row_ @ row_) == pytest.approx(1)
    assert float(together[0].whole @ together[1].whole) < 0.9999


def test_the_inner_layer_bends_as_the_normal_distribution() -> None:
    """By its table in the standard library."""
    at = np.linspace(-4, 4, 33)
    bent = [x * NormalDist().cdf(x) for x in at]
    assert sentence_encoder._gelu(at) == pytest.approx(bent, abs=1e-6)


def test_a_folder_that_is_missing_or_wrong_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs encoder=DIR"):
        judge_of(ReciteRules(embeddings="minilm"))
    rules = ReciteRules(embeddings="minilm", encoder=str(tmp_path))
    with pytest.raises(UsageError, match=r"has no model\.safetensors"):
        judge_of(rules)
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(UsageError, match="is not that of all-MiniLM-L6-v2"):
        judge_of(rules)
