"""Paper edition: grade one hypothesis against the mechanism: its arrows, its roots, its numbers.

Abstaining and erring are told apart: `asserted` counts arrows that were drawn, `wrong_edges` those
among them that are not true or point the wrong way, and a short list of true arrows has precision
1.

`direct` asks who was told from whom: of the true pairs of an ancestor and a descendant, some are
arrows and some are joined through others alone. It is the mean of the share of the arrows that were
drawn and the share of the others that were not. Drawing them all and drawing none score one half.

Frequency weights are the coefficients of the frequency's equation, square terms included, the base
apart. One is right within `WEIGHT_TOLERANCE` of its true value. A coefficient that is null or zero
proposes nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import NamedTuple

from causarium.scm.dag import bits
from causarium.scoring.graph_scores import (
    Edge,
    EdgeAgreement,
    SetAgreement,
    compare_edges,
    compare_sets,
)
from causarium.scoring.measures import is_close
from ..levels import LabRules
from ..mechanics.resolve_hypothesis import ResolvedHypothesis
from ..model.instance import FREQUENCY, FREQUENCY_ALIASES, LabInstance, fold_name, join_named

WEIGHT_TOLERANCE = 0.01
"""The greatest error of a right coefficient, as a share of the true one."""
BASE_TOLERANCE = 0.05
"""The least error in Hz that a right base may always have; `WEIGHT_TOLERANCE` may allow more."""
PUBLISHED_TOLERANCE = 1e-6
_PUBLISHED_KEYS = re.compile(r"(?:c|coeff)_")

Weight = tuple[str, str]
"""`linear` or `square`, and the parent."""


class Truth(NamedTuple):
    """What a hypothesis is graded against."""

    nodes: tuple[str, ...]
    edges: frozenset[Edge]
    weights: Mapping[Weight, float]
    base: float
    roots: frozenset[str]
    indirect: frozenset[Edge]
    """Pairs of an ancestor and a descendant that are joined through others alone."""

    @classmethod
    def of(cls, instance: LabInstance, rules: LabRules) -> "Truth":
        """Return what hypotheses about `instance` are graded against."""
        into = [edge for edge in instance.secret.edges if edge.effect == FREQUENCY]
        given = {("linear", e.cause): e.linear for e in into}
        if not rules.published_weights:
            given |= {("square", e.cause): e.square for e in into}
        weights = {key: value for key, value in given.items() if value}
        nodes, edges = instance.public.nodes, instance.secret.edge_pairs
        return cls(
            nodes,
            edges,
            weights,
            instance.secret.base_frequency,
            find_roots(edges),
            _list_descendants(edges, nodes) - edges,
        )


@dataclass(frozen=True, slots=True)
class Grade:
    """How one hypothesis stands against the mechanism."""

    edges: EdgeAgreement
    roots: SetAgreement
    frequency_edges: SetAgreement
    weights: SetAgreement
    base: bool
    direct: float
    """How well direct effects were told from indirect ones; nan where there are none of these."""

    def numbers(self) -> dict[str, float]:
        """Return the grade as named numbers."""
        edges, weights = self.edges, self.weights
        wrong = edges.reversed + edges.extra
        return {
            "edge_f1": edges.f1,
            "edge_precision": edges.precision,
            "edge_recall": edges.recall,
            "direct": self.direct,
            "shd": float(edges.distance),
            "matched": float(edges.matched),
            "reversed": float(edges.reversed),
            "missing": float(edges.missing),
            "extra": float(edges.extra),
            "asserted": float(edges.matched + wrong),
            "wrong_edges": float(wrong),
            "root_f1": self.roots.f1,
            "freq_edge_f1": self.frequency_edges.f1,
            "weight_f1": weights.f1,
            "weight_precision": weights.precision,
            "weight_recall": weights.recall,
            "base": float(self.base),
        }

    @property
    def label(self) -> str:
        """`none`, `partial` (true as far as it goes), `wrong` or `exact`."""
        edges = self.edges
        if edges.reversed or edges.extra:
            return "wrong"
        if edges.missing:
            return "partial" if edges.matched else "none"
        return "exact"


_NOTHING = ResolvedHypothesis(frozenset(), None, {}, {}, ())


def grade(belief: ResolvedHypothesis | None, truth: Truth, rules: LabRules) -> Grade:
    """Grade what is believed, as the rules have it."""
    held = belief or _NOTHING
    claimed = held.edges
    if rules.exact_names:
        claimed = frozenset(
            (_resolve_alias(e.cause), _resolve_alias(e.effect)) for e in held.sent.edges
        )
    arrows = frozenset((cause, effect) for cause, effect in claimed if cause != effect)
    named = {*truth.nodes, *(end for edge in arrows for end in edge)}
    edges = compare_edges(arrows, truth.edges, variables=named)
    weigh = _weigh_as_published if rules.published_weights else _weigh
    return Grade(
        edges=replace(edges, extra=edges.extra + len(claimed) - len(arrows)),
        roots=compare_sets(find_roots(claimed), truth.roots),
        frequency_edges=compare_sets(_into_frequency(claimed), _into_frequency(truth.edges)),
        weights=weigh(held, truth),
        base=held.base is not None
        and is_close(held.base, truth.base, absolute=BASE_TOLERANCE, relative=WEIGHT_TOLERANCE),
        direct=_tell_direct(arrows, truth),
    )


def _tell_direct(claimed: frozenset[Edge], truth: Truth) -> float:
    if not truth.indirect:
        return nan
    drawn = len(claimed & truth.edges) / len(truth.edges)
    return (drawn + len(truth.indirect - claimed) / len(truth.indirect)) / 2


def _list_descendants(edges: frozenset[Edge], nodes: Sequence[str]) -> frozenset[Edge]:
    """Return every pair of an ancestor and a descendant in a graph without cycles."""
    dag = join_named(nodes, edges)
    below = dag.descendants if dag else ()
    return frozenset(
        (nodes[node], nodes[other]) for node, mask in enumerate(below) for other in bits(mask)
    )


def _weigh(held: ResolvedHypothesis, truth: Truth) -> SetAgreement:
    terms = (("linear", held.linear), ("square", held.square))
    given = {(kind, p): v for kind, by_parent in terms for p, v in by_parent.items() if v}
    correct = sum(
        key in truth.weights and is_close(value, truth.weights[key], relative=WEIGHT_TOLERANCE)
        for key, value in given.items()
    )
    return SetAgreement(correct, len(truth.weights) - correct, len(given) - correct)


def find_roots(edges: frozenset[Edge]) -> frozenset[str]:
    """Return the nodes without parents among those with a path to the frequency."""
    above, todo = set[str](), [FREQUENCY]
    while todo:
        node = todo.pop()
        found = {cause for cause, effect in edges if effect == node} - above
        above |= found
        todo += found
    return frozenset(above - {effect for _, effect in edges})


def _into_frequency(edges: frozenset[Edge]) -> frozenset[Edge]:
    return frozenset(edge for edge in edges if edge[1] == FREQUENCY)


def _resolve_alias(name: str) -> str:
    return FREQUENCY if fold_name(name) in FREQUENCY_ALIASES else name


def _weigh_as_published(held: ResolvedHypothesis, truth: Truth) -> SetAgreement:
    """Count coefficients as the released scorer does.

    Proposed are the keys that it finds for true parents, or those with a usual beginning,
    whichever are more.
    """
    given = held.sent.coefficients
    spelled = {key.lower(): key for key in given}
    matched: set[str] = set()
    correct = 0
    for (_, parent), true in truth.weights.items():
        names = (f"c_{parent}", f"coeff_{parent}_freq", f"coeff_{parent}_frequency", parent)
        keys = (name if name in given else spelled.get(name.lower()) for name in names)
        key = next((key for key in keys if key is not None and given[key] is not None), None)
        if key is not None:
            matched.add(key)
            correct += is_close(given[key] or 0.0, true, absolute=PUBLISHED_TOLERANCE)
    prefixed = sum(bool(_PUBLISHED_KEYS.match(key)) for key in given)
    proposed = max(len(matched), prefixed)
    return SetAgreement(correct, len(truth.weights) - correct, proposed - correct)
