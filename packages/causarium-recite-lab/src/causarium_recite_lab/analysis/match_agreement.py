"""How far the rule judge agrees with documents that list their aliases.

Every alias is taken out of its node's list in turn and put to the judge as an agent's word: the
right answer is its own node. As many words from other documents are put to it too: the right answer
is none, unless a node of this document happens to be called so. Synonyms that share no word with a
name or another alias are beyond the rule, and the recall printed here says how many those are.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from causarium.families.recite.paper.generation.written_documents import mini_document
from causarium.families.recite.paper.model.instance import Document
from causarium.families.recite.paper.model.names import strip_name
from causarium.families.recite.paper.scoring.match_nodes import match_nodes
from causarium.scoring.rater_agreement import kappa
from causarium.seeds import stream
from causarium_recite_lab.encoder.encoder_judge import load_outside_names


@dataclass(frozen=True, slots=True)
class MatchAgreement:
    """How often the rule finds the node that a word stands for."""

    words: int
    """Words that stand for a node."""
    found: int
    """Those that were taken for that node."""
    mistaken: int
    """Those that were taken for another node."""
    foreign: int
    """Words that stand for no node of the document."""
    invented: int
    """Those that were taken for one all the same."""
    kappa: float
    """Cohen's kappa of the rule's decisions and the right ones: own node, other node, none."""

    @property
    def recall(self) -> float:
        """The share of words that went to their node."""
        return self.found / self.words if self.words else math.nan

    @property
    def precision(self) -> float:
        """The share of matches that are right."""
        made = self.found + self.mistaken + self.invented
        return self.found / made if made else math.nan

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.found} of {self.words} found (recall {self.recall:.3f}), "
            f"{self.mistaken} taken for another node, {self.invented} of {self.foreign} foreign "
            f"words taken for a node (precision {self.precision:.3f}), kappa {self.kappa:.3f}"
        )


class StrangersNames(NamedTuple):
    """What writers who had not seen the judge call the nodes of a document."""

    document: str
    meant: dict[str, str]
    """The node that each name means."""
    foreign: list[str]
    """As many names for nodes of other documents."""


def list_strangers() -> Iterator[StrangersNames]:
    """Yield the names by strangers, document by document."""
    stored = load_outside_names()
    for key, nodes in stored.items():
        meant = {word: node for node, words in nodes.items() for word in words}
        others = [w for k, o in stored.items() if k != key for words in o.values() for w in words]
        foreign = Random(key).sample(others, len(meant))
        yield StrangersNames(key, meant, [word for word in foreign if word not in meant])


def match_strangers() -> MatchAgreement:
    """Measure the rule judge on names by strangers."""
    right: list[str] = []
    decided: list[str] = []
    for key, meant, foreign in list_strangers():
        aliases = {node.name: node.aliases for node in mini_document(key).nodes}
        found = match_nodes([*meant, *foreign], aliases, aliases)
        right += ["own"] * len(meant) + ["none"] * len(foreign)
        decided += [_decision(found[w].true if w in found else None, n) for w, n in meant.items()]
        decided += ["other" if word in found else "none" for word in foreign]
    return _sum_decisions(right, decided)


def match_agreement(documents: Sequence[Document]) -> MatchAgreement:
    """Measure the rule judge on documents with aliases."""
    right: list[str] = []
    decided: list[str] = []
    for document in documents:
        names = [node.name for node in document.nodes]
        aliases = {node.name: node.aliases for node in document.nodes}
        for name, alias in [(n, alias) for n, listed in aliases.items() for alias in listed]:
            others = tuple(
                other for other in aliases[name] if strip_name(other) != strip_name(alias)
            )
            found = match_nodes([alias], names, {**aliases, name: others})
            right.append("own")
            decided.append(_decision(found[alias].true if alias in found else None, name))
        for word in _pick_foreign_names(document, documents):
            found = match_nodes([word], names, aliases)
            right.append("none")
            decided.append("other" if found else "none")
    return _sum_decisions(right, decided)


def _decision(found: str | None, name: str) -> str:
    return "none" if found is None else "own" if found == name else "other"


def _pick_foreign_names(document: Document, documents: Sequence[Document]) -> list[str]:
    """Return as many names and aliases of other documents as this one has aliases."""
    known = {strip_name(word) for word in _words([document])}
    strange = sorted(
        word
        for word in _words(other for other in documents if other.latent != document.latent)
        if strip_name(word) not in known
    )
    wanted = sum(len(node.aliases) for node in document.nodes)
    rng = stream(0, "recite", "match-agreement", document.key)
    return rng.sample(strange, min(wanted, len(strange)))


def _words(documents: Iterable[Document]) -> set[str]:
    return {
        word
        for document in documents
        for node in document.nodes
        for word in (node.name, *node.aliases)
    }


def _sum_decisions(right: Sequence[str], decided: Sequence[str]) -> MatchAgreement:
    pairs = list(zip(right, decided, strict=True))
    return MatchAgreement(
        words=right.count("own"),
        found=pairs.count(("own", "own")),
        mistaken=pairs.count(("own", "other")),
        foreign=right.count("none"),
        invented=pairs.count(("none", "other")),
        kappa=kappa(right, decided),
    )
