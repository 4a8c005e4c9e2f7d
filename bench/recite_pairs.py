"""Labelled pairs of a word and a node, from the written documents: is the word the node?

Every alias with its own node, held out of the node's words, with the nearest two other nodes and a
random one of the same document; opposites of nodes; words of other documents with the node nearest
to them. Two sets: `hand`, all documents and opposites written by hand, and `design`, the recipe
that the judge was designed with: the first ten documents and opposites of the kind "lack of …".

A pair is decided as the judge decides: yes if the node is the word's likeliest and likely enough.
`measure` decides each document's pairs by weights and a threshold that were set on the other
documents; `refit` writes the weights that are shipped.

`python -m bench.recite_pairs ENCODER_FOLDER` prints the agreement and writes the weights.
"""

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from causarium.families.recite.evidence.name_skeleton import strip_name
from causarium.families.recite.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.scoring import encoder_judge
from causarium.families.recite.scoring.match_nodes import match_nodes
from causarium.families.recite.scoring.name_features import Encoder, compute_features
from causarium.families.recite.scoring.sentence_encoder import load_encoder
from causarium.scoring.rater_agreement import kappa

_OPPOSITES = Path(__file__).with_name("recite_opposites.toml")
FIRST_TEN = frozenset(
    {
        *("clinic", "embankment", "fishery", "grid", "housing"),
        *("orders", "pasture", "school", "software", "transport"),
    }
)
"""The documents of version 1, on which the design was measured."""
MADE_OPPOSITES = (
    *("lack of {}", "absence of {}", "less {}", "low {}", "no {}", "shortage of {}"),
    "reduced {}",
)
MOST_MADE = 21
FOREIGN = {"hand": 10, "design": 25}
"""How many words of other documents are put to each."""
SETS = tuple(FOREIGN)
Rows = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Word:
    """A word put to the judge, and the pairs with nodes that it is in."""

    document: str
    word: str
    rows: Rows
    """The features with each node, a row each."""
    pairs: tuple[tuple[str, int], ...]
    """The kind of each pair and its node's row; `same` is the node that is meant."""
    by_words: tuple[bool, ...]
    """What shared words, the guard and the margin decide on each pair."""


def list_words(encoder: Encoder, which: str) -> list[Word]:
    """Return the words of a set of pairs, in a fixed order."""
    by_hand = tomllib.loads(_OPPOSITES.read_text("utf-8"))
    words: list[Word] = []
    for key in mini_keys() if which == "hand" else sorted(FIRST_TEN):
        rng = Random(key)
        forms = {n.name: (n.name, *n.aliases) for n in mini_document(key).nodes}
        words += _held_out(encoder, key, forms, rng)
        made = {name: MADE_OPPOSITES[n % len(MADE_OPPOSITES)] for n, name in enumerate(forms)}
        opposites = by_hand.get(key, {}) if which == "hand" else _put_into(made)
        for name, word in opposites.items():
            words.append(_word(encoder, key, word, forms, lambda _, n=name: [("opposite", n)]))
        for word in rng.sample(sorted(_foreign_words(key, forms)), FOREIGN[which]):
            words.append(_word(encoder, key, word, forms, lambda near: [("foreign", near[0])]))
    return words


def _held_out(
    encoder: Encoder, key: str, forms: Mapping[str, tuple[str, ...]], rng: Random
) -> Iterator[Word]:
    for name, listed in forms.items():
        for alias in listed[1:]:
            left = tuple(w for w in listed if strip_name(w) != strip_name(alias)) or (name,)

            def choose(near: list[str], name: str = name) -> list[tuple[str, str]]:
                others = [other for other in near if other != name]
                named = [("same", name), ("near", others[0]), ("near", others[1])]
                return [*named, ("random", rng.choice(others[2:]))]

            yield _word(encoder, key, alias, {**forms, name: left}, choose)


def _put_into(forms: Mapping[str, str]) -> dict[str, str]:
    put = {name: form.format(name[0].lower() + name[1:]) for name, form in forms.items()}
    return dict(list(put.items())[:MOST_MADE])


def _word(encoder, key, word, forms, choose) -> Word:  # type: ignore[no-untyped-def] # noqa: ANN001
    names = list(forms)
    columns = compute_features(encoder, word, forms)
    order = np.argsort(-columns["meaning"], kind="stable")
    chosen = choose([names[n] for n in order])
    aliases = {name: words[1:] for name, words in forms.items()}
    match = match_nodes([word], names, aliases).get(word)
    return Word(
        key,
        word,
        np.stack([columns[name] for name in sorted(columns)], axis=1),
        tuple((kind, names.index(node)) for kind, node in chosen),
        tuple(match is not None and match.true == node for _, node in chosen),
    )


def _foreign_words(key: str, forms: Mapping[str, tuple[str, ...]]) -> set[str]:
    known = {strip_name(word) for words in forms.values() for word in words}
    others = (mini_document(other) for other in mini_keys() if other != key)
    words = {w for one in others for node in one.nodes for w in (node.name, *node.aliases)}
    return {word for word in words if strip_name(word) not in known}


def _fit(words: Sequence[Word]) -> Any:  # noqa: ANN401
    pipeline, scaler = import_module("sklearn.pipeline"), import_module("sklearn.preprocessing")
    linear = import_module("sklearn.linear_model")
    model = pipeline.make_pipeline(
        scaler.StandardScaler(), linear.LogisticRegression(C=0.3, max_iter=5_000)
    )
    pairs = [(word.rows[row], kind == "same") for word in words for kind, row in word.pairs]
    return model.fit(np.array([row for row, _ in pairs]), [same for _, same in pairs])


def _odds(model: Any, words: Sequence[Word]) -> list[float]:  # noqa: ANN401
    """Return the log odds of each pair; of a node that is not the word's likeliest, -inf."""
    every = iter(model.decision_function(np.concatenate([word.rows for word in words])))
    odds: list[float] = []
    for word in words:
        mine = [next(every) for _ in word.rows]
        odds += [mine[row] if mine[row] == max(mine) else -np.inf for _, row in word.pairs]
    return odds


def _truth(words: Sequence[Word]) -> list[str]:
    return [str(kind == "same") for word in words for kind, _ in word.pairs]


def _threshold(model: Any, words: Sequence[Word]) -> float:  # noqa: ANN401
    """Return the odds above which the decisions on some pairs agree best with their labels."""
    odds, truth = _odds(model, words), _truth(words)
    levels = np.linspace(-2.5, 1.0, 36)
    return float(max(levels, key=lambda level: kappa(truth, [str(bool(o >= level)) for o in odds])))


def measure(words: Sequence[Word]) -> dict[str, Any]:
    """Return how far the judge agrees; weights and threshold are set on the other documents."""
    truth: list[str] = []
    decided: list[str] = []
    kinds: list[str] = []
    by_words: list[str] = []
    each = []
    for key in sorted({word.document for word in words}):
        others = [word for word in words if word.document != key]
        mine = [word for word in words if word.document == key]
        model = _fit(others)
        least = _threshold(model, others)
        right, ours = _truth(mine), [str(bool(o >= least)) for o in _odds(model, mine)]
        each.append(kappa(right, ours))
        truth += right
        decided += ours
        kinds += [kind for word in mine for kind, _ in word.pairs]
        by_words += [str(yes) for word in mine for yes in word.by_words]
    hits: dict[str, list[bool]] = {}
    for kind, right_one, our_one in zip(kinds, truth, decided, strict=True):
        hits.setdefault(kind, []).append(right_one == our_one)
    return {
        "pairs": len(truth),
        "kappa": kappa(truth, decided),
        "spread over documents": float(np.std(each) / len(each) ** 0.5),
        "kappa of words, guard and margin": kappa(truth, by_words),
        "right": {kind: (len(marks), round(fmean(marks), 3)) for kind, marks in hits.items()},
    }


def refit(
    words: Sequence[Word], features: Sequence[str], measured: Mapping[str, Mapping[str, Any]]
) -> None:
    """Write the weights that are shipped: set on all documents, with the agreement of above.

    Args:
        words: The words that the weights are set on.
        features: What the columns of their rows are called.
        measured: What `measure` says of each set.
    """
    model = _fit(words)
    scaler, linear = (step for _, step in model.steps)
    weights = linear.coef_[0] / scaler.scale_
    bias = float(linear.intercept_[0] - weights @ scaler.mean_) - _threshold(model, words)
    agreements = {
        name: {
            "kappa": round(float(measured[which]["kappa"]), 3),
            "pairs": measured[which]["pairs"],
        }
        for name, which in (("agreement", "hand"), ("by_design", "design"))
    }
    named = {name: round(float(w), 4) for name, w in zip(features, weights, strict=True)}
    stored = {"weights": named, "bias": round(bias, 4), **agreements}
    path = Path(encoder_judge.__file__).with_suffix(".json")
    path.write_text(json.dumps(stored, indent=2) + "\n", "utf-8")


def main() -> None:
    """Print how far the judge agrees on each set, and write its weights."""
    encoder = load_encoder(sys.argv[1])
    sets = {which: list_words(encoder, which) for which in SETS}
    measured = {which: measure(words) for which, words in sets.items()}
    for which, words in sets.items():
        print(f"{which}:", json.dumps(measured[which]))
        plain = [word for word in words if word.pairs[0][0] != "opposite"]
        print(f"{which}, without opposites:", json.dumps(measure(plain)))
    columns = compute_features(encoder, "rain", {"Rain": ("Rain",), "Floods": ("Floods",)})
    refit(sets["hand"], sorted(columns), measured)


if __name__ == "__main__":
    main()
