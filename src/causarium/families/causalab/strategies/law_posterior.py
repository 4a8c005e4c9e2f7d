"""What is likely by the law of the draw, after one intervention at most and all that is shown.

Mechanisms are sampled from the law. Each is bent to the total effects that were read, exactly: in
causal order, one coefficient of every node that moved is solved for, and must be one that the law
has. What is left, weighted by how much the bending stretched, is a sample of the posterior. It uses
which nodes moved and by how much, to the last digit; of squares it uses only which nodes moved.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from causarium.families.causalab.generation.coefficients import (
    CERTIFIED_LINEAR,
    CERTIFIED_LINEAR_INTO_FREQUENCY,
)
from causarium.families.causalab.generation.mechanism_law import sample_mechanisms
from causarium.families.causalab.instance import Form, LabPublic
from causarium.scm.dag import Dag, bits, is_acyclic, mask_of
from causarium.scm.mechanism import Mechanism, Term

SAMPLE = 2000
"""How many mechanisms are sampled."""
ENOUGH = 30
"""With fewer that agree, those that nearly do are taken in their place."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What one intervention did."""

    node: int
    """The property that was put to a value."""
    total: tuple[float, ...]
    """How far each node moved for each unit of that; 1 for itself, 0 where it did not."""

    @property
    def moved(self) -> int:
        """The mask of the other nodes that moved."""
        return mask_of(n for n, effect in enumerate(self.total) if effect and n != self.node)


@dataclass(frozen=True, slots=True, eq=False)
class _Particle:
    weight: float
    dag: Dag
    terms: tuple[Term, ...]
    """What the parents add to the frequency."""


class Posterior:
    """A weighted sample of mechanisms that agree with what was read."""

    def __init__(self, public: LabPublic, effects: Effects | None = None) -> None:
        self._public = public
        law = (len(public.nodes), public.form, public.frequency_may_cause)
        self._particles = _prior(*law)
        if effects is None:
            return
        bent = (_bend(m, effects, linear=public.form == "linear") for m in _sample(*law))
        agreeing = tuple(particle for particle in bent if particle is not None)
        self._particles = (
            agreeing if len(agreeing) >= ENOUGH else _nearest(self._particles, effects)
        )

    def likeliest_arrows(self) -> tuple[tuple[int, int], ...]:
        """Return arrows without a cycle whose expected F1 is as high as single shares can tell."""
        return _likeliest_arrows(self._particles, len(self._public.nodes))

    def likeliest_frequency(self) -> float:
        """Return the middle of the window, as wide as the tolerance allows, that weighs most."""
        start, width = self._public.manipulator.frequency, 2 * self._public.tolerance
        targets = sorted((start + self._added(p), p.weight) for p in self._particles)
        middle, best, weight, low = start, 0.0, 0.0, 0
        for target, more in targets:
            weight += more
            while target - targets[low][0] > width:
                weight -= targets[low][1]
                low += 1
            if weight > best:
                middle, best = (target + targets[low][0]) / 2, weight
        return middle

    def _added(self, particle: _Particle) -> float:
        """Return by how much the reactor's frequency lies above the manipulator's."""
        total = 0.0
        for term in particle.terms:
            x, y = self._public.reactor[term.parent], self._public.manipulator.values[term.parent]
            total += term.linear * (x - y) + term.square * (x * x - y * y)
        return total


def _sample(nodes: int, form: Form, frequency_parent: bool) -> tuple[Mechanism, ...]:  # noqa: FBT001
    return sample_mechanisms(nodes, form, frequency_parent=frequency_parent, count=SAMPLE)


@lru_cache(maxsize=12)
def _prior(nodes: int, form: Form, frequency_parent: bool) -> tuple[_Particle, ...]:  # noqa: FBT001
    sample = _sample(nodes, form, frequency_parent)
    return tuple(_Particle(1.0, m.dag, m.terms[nodes - 1]) for m in sample)


@lru_cache(maxsize=12)
def _likeliest_arrows(particles: tuple[_Particle, ...], nodes: int) -> tuple[tuple[int, int], ...]:
    shares: defaultdict[tuple[int, int], float] = defaultdict(float)
    for particle in particles:
        for edge in particle.dag.edges:
            shares[edge] += particle.weight
    total = sum(particle.weight for particle in particles)
    arrows: list[tuple[int, int]] = []
    count, best, matched = 0, 0.0, 0.0
    for edge, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        if _has_cycle([*arrows, edge], nodes):
            continue
        arrows.append(edge)
        matched += share / total
        f1 = 2 * matched / (len(arrows) + sum(shares.values()) / total)
        if f1 > best:
            count, best = len(arrows), f1
    return tuple(arrows[:count])


def _nearest(particles: tuple[_Particle, ...], effects: Effects) -> tuple[_Particle, ...]:
    """Return the particles in which nearly the same nodes move, where too few agree wholly."""
    moved = effects.moved

    def differing(particle: _Particle) -> int:
        return (particle.dag.descendants[effects.node] ^ moved).bit_count()

    return tuple(sorted(particles, key=differing)[: 2 * ENOUGH])


def _bend(mechanism: Mechanism, effects: Effects, *, linear: bool) -> _Particle | None:
    """Make a mechanism agree with effects; None if it cannot."""
    dag, outcome = mechanism.dag, len(mechanism.terms) - 1
    total = effects.total
    moved = effects.moved
    if moved != dag.descendants[effects.node]:
        return None
    if not linear:
        return _Particle(1.0, dag, mechanism.terms[outcome])
    # The same mechanism bends in the same way whenever it is asked for.
    rng, weight = Random(moved), 1.0
    frequency_terms = mechanism.terms[outcome]
    for node in bits(moved):
        terms = mechanism.terms[node]
        chosen = rng.choice([i for i, term in enumerate(terms) if total[term.parent]])
        rest = sum(t.linear * total[t.parent] for i, t in enumerate(terms) if i != chosen)
        parent = terms[chosen].parent
        solved = (total[node] - rest) / total[parent]
        low, high = CERTIFIED_LINEAR_INTO_FREQUENCY if node == outcome else CERTIFIED_LINEAR
        if not low <= abs(solved) <= high:
            return None
        weight /= abs(total[parent])
        if node == outcome:
            frequency_terms = (*terms[:chosen], Term(parent, solved), *terms[chosen + 1 :])
    return _Particle(weight, dag, frequency_terms)


def _has_cycle(arrows: list[tuple[int, int]], size: int) -> bool:
    masks = [0] * size
    for cause, effect in arrows:
        masks[effect] |= 1 << cause
    return not is_acyclic(tuple(masks))
