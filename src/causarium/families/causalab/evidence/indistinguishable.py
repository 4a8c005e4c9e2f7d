"""Which mechanisms no experiment can tell from the true one, where the frequency may be a cause.

The frequency cannot be put to a value, and its base never changes: it is an exact function of its
parents. What it adds to a property X can therefore be moved to its parents, in part or whole,

    X = base + (c + d) * f + sum((t_p - d * w_p) * p) - d * base_f,     f = base_f + sum(w_p * p),

and every d gives the same readings whatever is done, since X's own base is not known. Each d is a
member of the class; the arrows differ only at the few d for which a coefficient vanishes. Members
in which influences cancel out exactly are left out: whatever acts on the frequency, and with it on
X in such a member, must act on X in the truth.

Under `shift` an intervention tells X's base, which settles d, so the class has one member there.
A hidden disturbance never makes the class smaller here, though one of the frequency could.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import isclose

from causarium.families.causalab.instance import LabInstance
from causarium.scm.dag import bits
from causarium.scm.mechanism import Mechanism, Term

_GENERIC = 0.381966
"""A share of the frequency's influence at which no coefficient vanishes, but for a coincidence."""


@dataclass(frozen=True, slots=True)
class Parents:
    """One set of parents that a node has in some member of the class."""

    mask: int
    moved: float
    """How much of the frequency's linear coefficient this member adds: `d` above."""


def parent_options(instance: LabInstance) -> tuple[tuple[Parents, ...], ...]:
    """Return, for each node, the sets of parents it has among the members; the true one first.

    Every combination of them is a member.
    """
    mechanism = instance.secret.mechanism(instance.public)
    dag, outcome = mechanism.dag, len(instance.public.properties)
    options: list[tuple[Parents, ...]] = [(Parents(mask, 0.0),) for mask in dag.parents]
    settled = instance.public.semantics == "shift" and instance.secret.base_frequency != 0
    if not instance.public.frequency_may_cause or settled:
        return tuple(options)
    above = dag.ancestors[outcome]
    for node in range(outcome):
        if above >> node & 1 or above & ~dag.ancestors[node]:
            continue
        options[node] = _options(mechanism, node, outcome)
    return tuple(options)


def _options(mechanism: Mechanism, node: int, outcome: int) -> tuple[Parents, ...]:
    found = {mechanism.dag.parents[node]: 0.0}
    moves = [*_find_vanishing_shifts(mechanism, node, outcome), _GENERIC]
    for moved in moves:
        terms = move_terms(mechanism, node, outcome, moved)
        found.setdefault(sum(1 << term.parent for term in terms), moved)
    return tuple(Parents(mask, moved) for mask, moved in found.items())


def _find_vanishing_shifts(mechanism: Mechanism, node: int, outcome: int) -> Iterator[float]:
    own = {term.parent: term for term in mechanism.terms[node]}
    if outcome in own and not own[outcome].square:
        yield -own[outcome].linear
    for term in mechanism.terms[outcome]:
        mine = own.get(term.parent, Term(term.parent, 0.0))
        yield mine.linear / term.linear if term.linear else mine.square / term.square


def move_terms(mechanism: Mechanism, node: int, outcome: int, moved: float) -> tuple[Term, ...]:
    """Return `node`'s terms when `moved` of the outcome's coefficient comes from its parents."""
    terms = {term.parent: term for term in mechanism.terms[node]}
    own = terms.get(outcome, Term(outcome, 0.0))
    terms[outcome] = Term(outcome, own.linear + moved, own.square)
    for given in mechanism.terms[outcome]:
        mine = terms.get(given.parent, Term(given.parent, 0.0))
        terms[given.parent] = Term(
            given.parent,
            _subtract_closely(mine.linear, moved * given.linear),
            _subtract_closely(mine.square, moved * given.square),
        )
    return tuple(term for term in terms.values() if term.linear or term.square)


def _subtract_closely(one: float, other: float) -> float:
    return 0.0 if isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) else one - other


def member_edges(instance: LabInstance) -> Iterator[frozenset[tuple[str, str]]]:
    """Yield the arrows of every member of the class, the truth first."""
    nodes = instance.public.nodes
    for chosen in product(*parent_options(instance)):
        yield frozenset(
            (nodes[parent], nodes[node])
            for node, option in enumerate(chosen)
            for parent in bits(option.mask)
        )


def class_size(instance: LabInstance) -> int:
    """Return how many graphs no experiment can tell from the true one, itself included."""
    size = 1
    for options in parent_options(instance):
        size *= len(options)
    return size
