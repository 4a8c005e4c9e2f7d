"""Sets the weights of the judge with an encoder, and measures it on documents left out.

Words put to the judge are every alias and every name by strangers, held out of its node's forms,
and as many of either kind from other documents; opposites of nodes, written by hand, are words
that mean no node. A decision is a whole one: which node, or none. Each document's words are decided
by weights and a threshold that were set on the words of all other documents, and the agreement of
those decisions is the only one that is printed.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.families.recite.paper.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.paper.model.names import strip_name
from causarium.scoring.rater_agreement import kappa
from causarium_recite_lab.analysis.match_agreement import list_strangers
from causarium_recite_lab.encoder.encoder_judge import Agreement, JudgeModel, load_outside_names
from causarium_recite_lab.encoder.name_features import Column, Encoder, compute_features

FOREIGN_WORDS = 40
"""So many words of other documents are put to each document."""
PENALTY = 10.0
"""The weight of squared coefficients, of features scaled to one standard deviation."""
_OPPOSITES = Path(__file__).with_name("opposites.toml")
_THRESHOLDS = np.linspace(-4.0, 2.0, 61)
_MOST_STEPS = 50


class JudgedWord(NamedTuple):
    """A word put to the judge."""

    document: str
    kind: str
    """`alias`, `foreign`, `stranger`, `foreign stranger` or `opposite`."""
    rows: Column
    """Its features with each node, a row a node."""
    meant: int
    """The row of the node that it means; -1 for none."""


class Decision(NamedTuple):
    """What became of a word of a document left out: `own`, `another` or `none`."""

    kind: str
    right: str
    decided: str


class Weights(NamedTuple):
    """A logistic model of whether a word means a node."""

    weights: Column
    bias: float

    def weigh(self, rows: Column) -> Column:
        """Return the log odds of each row."""
        odds: Column = rows @ self.weights + self.bias
        return odds


def list_words(encoder: Encoder, *, aided: bool = True) -> list[JudgedWord]:
    """Return the words of all written documents, in a fixed order.

    Args:
        encoder: Who turns names into meanings.
        aided: Whether the other names by strangers are among the forms of a node.
    """
    opposites = tomllib.loads(_OPPOSITES.read_text("utf-8"))
    outside = load_outside_names()
    strangers = {one.document: one for one in list_strangers()}
    words: list[JudgedWord] = []
    for key in mini_keys():
        nodes = {node.name: (node.name, *node.aliases) for node in mini_document(key).nodes}
        named = {name: (*listed, *outside[key][name]) for name, listed in nodes.items()}
        forms = named if aided else nodes
        for name, listed in named.items():
            for place, word in enumerate(listed[1:], 1):
                left = tuple(w for w in forms[name] if strip_name(w) != strip_name(word)) or (name,)
                kind = "alias" if place < len(nodes[name]) else "stranger"
                words.append(_put_word(encoder, key, kind, word, {**forms, name: left}, name))
        foreign = {
            "foreign": Random(key).sample(_list_foreign_words(key, named), FOREIGN_WORDS),
            "foreign stranger": strangers[key].foreign,
            "opposite": list(opposites.get(key, {}).values()),
        }
        words += [
            _put_word(encoder, key, kind, word, forms)
            for kind, listed in foreign.items()
            for word in listed
        ]
    return words


def _put_word(
    encoder: Encoder,
    document: str,
    kind: str,
    word: str,
    forms: Mapping[str, Sequence[str]],
    meant: str = "",
) -> JudgedWord:
    columns = compute_features(encoder, word, forms)
    rows = np.stack([columns[name] for name in sorted(columns)], axis=1)
    return JudgedWord(document, kind, rows, list(forms).index(meant) if meant else -1)


def _list_foreign_words(key: str, forms: Mapping[str, Sequence[str]]) -> list[str]:
    known = {strip_name(word) for words in forms.values() for word in words}
    nodes = (n for other in mini_keys() if other != key for n in mini_document(other).nodes)
    words = {word for node in nodes for word in (node.name, *node.aliases)}
    return sorted(word for word in words if strip_name(word) not in known)


def fit_weights(words: Sequence[JudgedWord]) -> Weights:
    """Fit a logistic model to all pairs of a word and a node, by Newton's method.

    The threshold that agrees best with the same words is part of the bias.
    """
    rows = np.concatenate([word.rows for word in words])
    truth = np.concatenate([np.arange(len(word.rows)) == word.meant for word in words])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    scaled = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    penalty = np.append(np.full(rows.shape[1], PENALTY), 0.0)
    found = np.zeros(len(penalty))
    for _ in range(_MOST_STEPS):
        likely = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (likely - truth) + penalty * found
        bend = (scaled * (likely * (1 - likely))[:, None]).T @ scaled + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        found -= step
        if np.abs(step).max() < 1e-8:
            break
    weights = found[:-1] / spread
    plain = Weights(weights, float(found[-1] - weights @ mean))
    return Weights(weights, plain.bias - _find_threshold(plain, words))


def _find_threshold(model: Weights, words: Sequence[JudgedWord]) -> float:
    odds = [model.weigh(word.rows) for word in words]
    right = [_name_decision(word, word.meant) for word in words]

    def agree(least: float) -> float:
        decided = [
            _name_decision(word, int(one.argmax()) if one.max() >= least else -1)
            for word, one in zip(words, odds, strict=True)
        ]
        return kappa(right, decided)

    return float(max(_THRESHOLDS, key=agree))


def _name_decision(word: JudgedWord, row: int) -> str:
    return "none" if row < 0 else "own" if row == word.meant else "another"


def decide_left_out(
    words: Sequence[JudgedWord], put: Sequence[JudgedWord] | None = None
) -> list[Decision]:
    """Decide each document's words by weights that were set on the others.

    Args:
        words: What weights are set on.
        put: What is decided; None: the same.
    """
    decisions = []
    for key in sorted({word.document for word in words}):
        model = fit_weights([word for word in words if word.document != key])
        for word in (word for word in put or words if word.document == key):
            odds = model.weigh(word.rows)
            decided = _name_decision(word, int(odds.argmax()) if odds.max() >= 0 else -1)
            decisions.append(Decision(word.kind, _name_decision(word, word.meant), decided))
    return decisions


def _sum_decisions(decisions: Sequence[Decision]) -> Agreement:
    meant = [one.decided for one in decisions if one.right == "own"]
    foreign = [one.decided for one in decisions if one.right == "none"]
    return Agreement(
        kappa=round(kappa([one.right for one in decisions], [one.decided for one in decisions]), 3),
        words=len(decisions),
        own=_share(meant, "own"),
        another=_share(meant, "another"),
        foreign_refused=_share(foreign, "none"),
    )


def _share(decided: Sequence[str], which: str) -> float:
    return round(decided.count(which) / len(decided), 3)


def fit_judge(encoder: Encoder) -> JudgeModel:
    """Set weights on the words of all documents, with the agreement of those left out."""
    columns = compute_features(encoder, "rain", {"Rain": ("Rain",), "Floods": ("Floods",)})
    unaided = list_words(encoder, aided=False)
    return fit_model(list_words(encoder), unaided, sorted(columns))


def fit_model(
    words: Sequence[JudgedWord], unaided: Sequence[JudgedWord], features: Sequence[str]
) -> JudgeModel:
    """Set weights on words, with the agreement of those left out.

    Args:
        words: The words of all documents.
        unaided: The same, put to a judge that knows no name by strangers.
        features: What the columns of their rows are called.
    """
    model, decisions = fit_weights(words), decide_left_out(words)
    alone = decide_left_out(words, unaided)
    opposites = [one.decided for one in decisions if one.kind == "opposite"]
    weights = zip(features, model.weights, strict=True)
    return JudgeModel(
        weights={name: round(float(weight), 4) for name, weight in weights},
        bias=round(model.bias, 4),
        agreement=_sum_decisions([one for one in decisions if one.kind != "opposite"]),
        strangers=_sum_decisions([one for one in decisions if "stranger" in one.kind]),
        unaided=_sum_decisions([one for one in alone if one.kind != "opposite"]),
        opposites_refused=_share(opposites, "none"),
    )
