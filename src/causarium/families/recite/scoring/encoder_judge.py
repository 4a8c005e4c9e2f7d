"""The judge without a key, with an encoder: which node a name means, or none.

A logistic model over nearness by the encoder, by words and by letters, each to the node and beside
the next one. Its weights are in `encoder_judge.json`, with the agreement that was measured where
weights were set on other documents; `bench/recite_pairs.py` makes both.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from causarium.families.recite.config import ReciteRules
from causarium.families.recite.scoring.match_nodes import NameJudge, strip_name
from causarium.families.recite.scoring.opposites import are_opposites
from causarium.families.recite.scoring.sentence_encoder import SentenceEncoder, encoder_of

FEATURES = (
    "cosine",
    "cosine squared",
    "lead",
    "cosine to the name",
    "is first",
    "cosine if first",
    "shared words",
    "words shared with another",
    "is part of",
    "is opposite",
    "shared letters",
    "lead in letters",
)
_FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A logistic model of whether a name means a node."""

    weights: tuple[float, ...]
    bias: float
    kappa: float
    """Cohen's kappa with labelled pairs, each document's decided by weights set on the others."""
    pairs: int
    """How many pairs those were."""


@cache
def load_model() -> JudgeModel:
    """Return the model that is shipped."""
    stored = json.loads(_FILE.read_text("utf-8"))
    weights = tuple(stored["weights"][name] for name in FEATURES)
    return JudgeModel(weights, stored["bias"], stored["kappa"], stored["pairs"])


def features(
    encoder: SentenceEncoder, name: str, nodes: Mapping[str, Sequence[str]]
) -> list[list[float]]:
    """Return the features of a name with each node, in the order of `FEATURES`.

    Args:
        encoder: Who turns words into vectors.
        name: The name in an answer.
        nodes: Every word for each node, the name first.
    """
    every = [form for forms in nodes.values() for form in forms]
    # Rounded, so that the last bits of another machine's sums decide nothing.
    cosines = np.round(encoder.vectors(every) @ encoder.vectors([name])[0], 4).tolist()
    by_form = iter(cosines)
    near = [[next(by_form) for _ in forms] for forms in nodes.values()]
    best = [max(row) for row in near]
    words = [max(_shared_words(name, form) for form in forms) for forms in nodes.values()]
    letters = [max(_shared_letters(name, form) for form in forms) for forms in nodes.values()]
    rows = []
    for place, forms in enumerate(nodes.values()):
        lead = best[place] - _best_other(best, place)
        closest = forms[near[place].index(best[place])]
        own = strip_name(name)
        rows.append(
            [
                best[place],
                best[place] ** 2,
                lead,
                near[place][0],
                float(lead >= 0),
                best[place] * (lead >= 0),
                words[place],
                _best_other(words, place),
                float(any(own < strip_name(form) or own > strip_name(form) for form in forms)),
                float(are_opposites(name, closest)),
                letters[place],
                letters[place] - _best_other(letters, place),
            ]
        )
    return rows


def _dot(weights: Sequence[float], row: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(weights, row, strict=True))


def _best_other(values: Sequence[float], place: int) -> float:
    return max((*values[:place], *values[place + 1 :]), default=0.0)


def _shared_words(name: str, form: str) -> float:
    ours, theirs = strip_name(name), strip_name(form)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def _shared_letters(name: str, form: str) -> float:
    ours, theirs = _trigrams(name), _trigrams(form)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours and theirs else 0.0


def _trigrams(name: str) -> set[str]:
    text = "  ".join(sorted(strip_name(name)))
    return {f" {text} "[at : at + 3] for at in range(len(text))}


@dataclass(frozen=True, slots=True)
class EncoderJudge:
    """Decides by the model."""

    encoder: SentenceEncoder
    model: JudgeModel

    def pick(
        self, names: Sequence[str], nodes: Mapping[str, Sequence[str]]
    ) -> Mapping[str, str | None]:
        """Return the likeliest node of each name, or None where none is likelier than not."""
        return {name: self._pick_one(name, nodes) for name in names}

    def _pick_one(self, name: str, nodes: Mapping[str, Sequence[str]]) -> str | None:
        if not nodes or not name.strip():
            return None
        rows = features(self.encoder, name, nodes)
        odds = [self.model.bias + _dot(self.model.weights, row) for row in rows]
        top = max(odds)
        return list(nodes)[odds.index(top)] if top >= 0 else None


def judge_of(rules: ReciteRules) -> NameJudge | None:
    """Return the judge of names that the rules ask for, or None for words alone.

    Raises:
        UsageError: A file of the encoder, or a package, is missing, or other weights were given.
    """
    encoder = encoder_of(rules)
    return None if encoder is None else EncoderJudge(encoder, load_model())
