"""The rule judge, with an encoder: which node a name means, or none.

A logistic model over the features of `name_features.py`. Its weights are in `encoder_judge.json`,
with the agreement that was measured on documents left out; `causarium recite trust --encoder DIR`
makes both.

`outside_names.json` has six more names for each of the 580 nodes of the 24 written documents, by
writers who had not seen the judge, on 17 November 2026. The judge takes them for names of a node
wherever a node is called so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from causarium.families.recite.paper.levels import ReciteRules
from causarium.families.recite.paper.scoring.match_nodes import NameJudge
from causarium_recite_lab.encoder.name_features import Column, Encoder, compute_features
from causarium_recite_lab.encoder.sentence_encoder import encoder_of

_FILE = Path(__file__).with_suffix(".json")
_OUTSIDE = Path(__file__).with_name("outside_names.json")

NamesByDocument = Mapping[str, Mapping[str, Sequence[str]]]
"""More names for nodes, by document and node."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far whole decisions of the judge agree: own node, another node or none.

    Each document's words are decided by weights and a threshold set on all other documents.
    """

    kappa: float
    """Cohen's kappa on names that mean a node of their document and on foreign ones."""
    words: int
    """How many those were."""
    own: float
    """The share of names taken for their own node."""
    another: float
    """The share of names taken for another node."""
    foreign_refused: float

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"kappa {self.kappa:.3f} on {self.words} words, each document by weights set on the "
            f"others; {self.own:.3f} of names taken for their own node and {self.another:.3f} "
            f"for another, {self.foreign_refused:.3f} of foreign words refused"
        )


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A logistic model of whether a name means a node."""

    weights: Mapping[str, float]
    """By feature."""
    bias: float
    agreement: Agreement
    """On aliases and on names by strangers, each held out of its node's forms."""
    strangers: Agreement
    """On names by strangers alone."""
    unaided: Agreement
    """On both, where no name by strangers is among the forms, as in documents of one's own."""
    opposites_refused: float
    """Of opposites of nodes, which are no part of kappa."""

    def weigh(self, columns: Mapping[str, Column]) -> Column:
        """Return the log odds of each node, above 0 where it is likelier meant than not."""
        every = (weight * columns[feature] for feature, weight in self.weights.items())
        odds: Column = np.round(sum(every, start=np.array(self.bias)), 6)
        return odds


def load_model() -> JudgeModel:
    """Return the model that is shipped."""
    stored = json.loads(_FILE.read_text("utf-8"))
    stored |= {name: Agreement(**stored[name]) for name in ("agreement", "strangers", "unaided")}
    return JudgeModel(**stored)


def load_outside_names() -> NamesByDocument:
    """Return the names that strangers gave to the nodes of the written documents."""
    names: NamesByDocument = json.loads(_OUTSIDE.read_text("utf-8"))
    return names


@dataclass(frozen=True, slots=True)
class EncoderJudge:
    """Decides by the model."""

    encoder: Encoder
    model: JudgeModel
    more_names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names for nodes beside those that a document lists."""

    def pick(
        self, names: Sequence[str], nodes: Mapping[str, Sequence[str]]
    ) -> Mapping[str, str | None]:
        """Return the likeliest node of each name, or None where none is likelier than not."""
        forms = {node: (*words, *self.more_names.get(node, ())) for node, words in nodes.items()}
        return {name: self._pick_one(name, forms) for name in names}

    def _pick_one(self, name: str, nodes: Mapping[str, Sequence[str]]) -> str | None:
        if not nodes or not name.strip():
            return None
        odds = self.model.weigh(compute_features(self.encoder, name, nodes))
        best = int(odds.argmax())
        return list(nodes)[best] if odds[best] >= 0 else None


def judge_of(rules: ReciteRules) -> NameJudge:
    """Return the judge of names that the rules ask for.

    Raises:
        UsageError: A file of the encoder, or a package, is missing, or other weights were given.
    """
    more: dict[str, list[str]] = {}
    for nodes in load_outside_names().values():
        for node, names in nodes.items():
            more.setdefault(node, []).extend(names)
    return EncoderJudge(encoder_of(rules), load_model(), more)
