"""Labelled pairs of a word and a node, from the written documents: is the word the node?

Every alias with its own node, held out of the node's words, with the nearest two other nodes and a
random one of the same document; opposites of nodes, written by hand; words of other documents with
the node nearest to them. `agreement` decides each document's pairs by weights that were set on the
other documents; `refit` writes the weights that are shipped.

`python -m bench.recite_pairs ENCODER_FOLDER` prints the agreement and writes the weights.
"""

import json
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np

from causarium.families.recite.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.scoring import encoder_judge
from causarium.families.recite.scoring.encoder_judge import FEATURES, features
from causarium.families.recite.scoring.match_nodes import match_nodes, strip_name
from causarium.families.recite.scoring.sentence_encoder import SentenceEncoder, load_encoder
from causarium.scoring.rater_agreement import kappa

_OPPOSITES = Path(__file__).with_name("recite_opposites.toml")
FOREIGN = 10
FIRST_TEN = frozenset(
    {
        *("clinic", "embankment", "fishery", "grid", "housing"),
        *("orders", "pasture", "school", "software", "transport"),
    }
)
"""The documents of version 1, on which the design was measured."""


@dataclass(frozen=True)
class Pair:
    """A word and a node of one document, and whether it means the node."""

    document: str
    kind: str
    word: str
    node: str
    same: bool
    row: tuple[float, ...]
    by_words: bool
    """What shared words, the guard and the margin decide."""


def labelled_pairs(encoder: SentenceEncoder) -> list[Pair]:
    """Return all pairs, in a fixed order."""
    opposites = tomllib.loads(_OPPOSITES.read_text("utf-8"))
    pairs: list[Pair] = []
    for key in mini_keys():
        rng = Random(key)
        forms = {n.name: (n.name, *n.aliases) for n in mini_document(key).nodes}
        for name, words in forms.items():
            for alias in words[1:]:
                held = {
                    **forms,
                    name: tuple(w for w in words if strip_name(w) != strip_name(alias)) or (name,),
                }
                rows = dict(zip(held, features(encoder, alias, held), strict=True))
                others = sorted((n for n in held if n != name), key=lambda n: -rows[n][0])
                chosen = [("same", name), ("near", others[0]), ("near", others[1])]
                chosen.append(("random", rng.choice(others[2:])))
                pairs += _pairs(key, alias, held, rows, chosen)
        for name, word in opposites.get(key, {}).items():
            rows = dict(zip(forms, features(encoder, word, forms), strict=True))
            pairs += _pairs(key, word, forms, rows, [("opposite", name)])
        strange = sorted(_foreign_words(key, forms))
        for word in rng.sample(strange, FOREIGN):
            rows = dict(zip(forms, features(encoder, word, forms), strict=True))
            nearest = max(forms, key=lambda n: rows[n][0])
            pairs += _pairs(key, word, forms, rows, [("foreign", nearest)])
    return pairs


def _pairs(key, word, forms, rows, chosen) -> Iterable[Pair]:  # type: ignore[no-untyped-def] # noqa: ANN001
    names = list(forms)
    aliases = {name: words[1:] for name, words in forms.items()}
    found = match_nodes([word], names, aliases).get(word)
    for kind, node in chosen:
        by_words = found is not None and found.true == node
        yield Pair(key, kind, word, node, kind == "same", tuple(rows[node]), by_words)


def _foreign_words(key: str, forms: dict[str, tuple[str, ...]]) -> set[str]:
    known = {strip_name(word) for words in forms.values() for word in words}
    others = (mini_document(other) for other in mini_keys() if other != key)
    words = {w for one in others for node in one.nodes for w in (node.name, *node.aliases)}
    return {word for word in words if strip_name(word) not in known}


def _fitted(pairs: Sequence[Pair]):  # type: ignore[no-untyped-def] # noqa: ANN202
    model = import_module("sklearn.linear_model").LogisticRegression(C=1.0, max_iter=5_000)
    return model.fit(np.array([p.row for p in pairs]), [p.same for p in pairs])


def _threshold(model, pairs: Sequence[Pair]) -> float:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Return the odds above which the decisions on some pairs agree best with their labels."""
    odds = model.decision_function(np.array([p.row for p in pairs]))
    truth = [str(p.same) for p in pairs]
    levels = np.linspace(-2.5, 1.0, 36)
    return float(max(levels, key=lambda level: kappa(truth, [str(bool(o >= level)) for o in odds])))


def agreement(pairs: Sequence[Pair]) -> dict[str, object]:
    """Return how far the judge agrees; weights and threshold are set on the other documents."""
    decided: dict[int, bool] = {}
    for key in sorted({pair.document for pair in pairs}):
        others = [p for p in pairs if p.document != key]
        model = _fitted(others)
        least = _threshold(model, others)
        mine = [n for n, p in enumerate(pairs) if p.document == key]
        odds = model.decision_function(np.array([pairs[n].row for n in mine]))
        decided |= {n: bool(o >= least) for n, o in zip(mine, odds, strict=True)}
    by_kind: dict[str, list[bool]] = {}
    for n, pair in enumerate(pairs):
        by_kind.setdefault(pair.kind, []).append(decided[n] == pair.same)
    truth = [str(p.same) for p in pairs]
    said = [str(decided[n]) for n in range(len(pairs))]
    each = [
        kappa(
            [t for t, p in zip(truth, pairs, strict=True) if p.document == key],
            [s for s, p in zip(said, pairs, strict=True) if p.document == key],
        )
        for key in sorted({pair.document for pair in pairs})
    ]
    return {
        "pairs": len(pairs),
        "kappa": kappa(truth, said),
        "spread over documents": float(np.std(each) / len(each) ** 0.5),
        "kappa of words, guard and margin": kappa(truth, [str(p.by_words) for p in pairs]),
        "right": {kind: (len(hits), round(fmean(hits), 3)) for kind, hits in by_kind.items()},
    }


def refit(pairs: Sequence[Pair], measured: dict[str, object]) -> None:
    """Write the weights that are shipped: set on all documents, with the agreement of above."""
    model = _fitted(pairs)
    weights = {name: round(float(w), 4) for name, w in zip(FEATURES, model.coef_[0], strict=True)}
    stored = {
        "weights": weights,
        "bias": round(float(model.intercept_[0]) - _threshold(model, pairs), 4),
        "kappa": round(float(measured["kappa"]), 3),  # type: ignore[arg-type]
        "pairs": measured["pairs"],
    }
    path = Path(encoder_judge.__file__).with_suffix(".json")
    path.write_text(json.dumps(stored, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    every = labelled_pairs(load_encoder(sys.argv[1]))
    result = agreement(every)
    print(json.dumps(result, indent=2))
    first = [pair for pair in every if pair.document in FIRST_TEN]
    print("the first ten documents:", json.dumps(agreement(first)))
    plain = [pair for pair in first if pair.kind != "opposite"]
    print("the same without opposites:", json.dumps(agreement(plain)))
    refit(every, result)
