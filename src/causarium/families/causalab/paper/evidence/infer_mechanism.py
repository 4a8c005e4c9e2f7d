"""Paper edition: infer a mechanism from readings, with the fewest parents that explain each node.

For one node, readings that share its base are subtracted, so that the base drops out; what is left
is linear in the terms of its parents and solved by least squares. Parents that can be
left out without leaving a reading unexplained are left out. If the readings of a node do not
determine its equation, or fit none of the stated form, it is left undecided: nothing is asserted.

With a causal order in which interventions move everything below them, one intervention on each
property determines every equation of the linear form: this is the inversion of the matrix of total
effects, written so that it also takes in more readings, squares and disturbances.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self, cast

from causarium.contract.world import Observation
from causarium.scm.dag import mask_of
from ..mechanics.lab import Row
from ..model.instance import LabInstance, LabPublic, Reading

COMMON = 0
"""The number of the base that the frequency has in the manipulator, the reactor and a chain."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One reading."""

    label: str
    values: tuple[float, ...]
    """The properties in listing order, then the frequency."""
    eras: tuple[int, ...]
    """For each node the number of its base value."""
    calm: bool
    """Whether no hidden disturbance can have been at work."""
    target: int | None = None
    """The property that was put to a value just before."""
    before: tuple[float, ...] | None = None
    """The reading of the same crystal just before that."""


class Notebook:
    """Everything a player has seen of an instance."""

    def __init__(self, public: LabPublic) -> None:
        self.public = public
        self.sights: list[Sight] = []
        self._eras = 0
        for number, record in enumerate(public.records, 1):
            self._note_crystal(f"record {number}", record)
        self._note_chain()
        self._now = self._note_crystal("manipulator reading 0", public.manipulator)
        self._before = len(self.sights) - 1

    @classmethod
    def of(cls, public: LabPublic, rows: Iterable[Row]) -> Self:
        """Return a notebook with the readings after interventions in it."""
        notebook = cls(public)
        for row in rows:
            notebook.add(row.target or 0, row.values)
        return notebook

    @property
    def values(self) -> tuple[float, ...]:
        """What the manipulator's crystal now reads."""
        return self._now.values

    def note(self, target: int, seen: Observation) -> bool:
        """Note what putting property `target` to a value showed; False if it was refused."""
        if not seen.legal or "values" not in seen.data:
            return False
        values, frequency = seen.data["values"], seen.data["frequency"]
        self.add(target, (*cast("list[float]", values), cast("float", frequency)))
        return True

    def add(self, target: int, values: Sequence[float]) -> None:
        """Add the reading after property `target` was put to a value."""
        label = f"manipulator reading {len(self.sights) - self._before}"
        self._now = self._make_next_sight(label, self._now, target, values)
        self.sights.append(self._now)

    def _note_crystal(self, label: str, reading: Reading) -> Sight:
        """Note a crystal that is seen for the first time: it has bases of its own."""
        count = len(self.public.properties)
        eras = (*range(self._eras + 1, self._eras + 1 + count), COMMON)
        self._eras += count
        self.sights.append(Sight(label, (*reading.values, reading.frequency), eras, calm=True))
        return self.sights[-1]

    def _make_next_sight(
        self, label: str, last: Sight, target: int, values: Sequence[float]
    ) -> Sight:
        self._eras += 1
        eras = list(last.eras)
        eras[target] = self._eras
        calm = self.public.hidden is None
        return Sight(label, tuple(values), tuple(eras), calm, target, last.values)

    def _note_chain(self) -> None:
        index = self.public.index
        first = len(self.sights)
        for number, step in enumerate(self.public.chain):
            label, reading = f"chain entry {number}", step.reading
            if step.property is None or step.continues is None:
                self._note_crystal(label, reading)
                continue
            last, values = self.sights[first + step.continues], (*reading.values, reading.frequency)
            after = self._make_next_sight(label, last, index[step.property], values)
            # A chain was made without disturbance.
            self.sights.append(replace(after, calm=True))


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

ROUNDING = 0.02
"""How far rounded readings may lie from an equation that holds."""
_LARGEST = 1e7
"""Readings with larger parents are left out of quadratic fits: a double cannot hold their squares
to two decimals."""
_MAX_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Equation:
    """What a node's parents add to it."""

    linear: dict[int, float] = field(default_factory=dict)
    square: dict[int, float] = field(default_factory=dict)

    @property
    def parents(self) -> tuple[int, ...]:
        """The parents, by their index."""
        return tuple(sorted({*self.linear, *self.square}))

    def sum_terms(self, values: Sequence[float]) -> float:
        """Return what the parents add when the nodes read `values`."""
        total = sum(weight * values[p] for p, weight in self.linear.items())
        return total + sum(weight * values[p] ** 2 for p, weight in self.square.items())


@dataclass(frozen=True, slots=True)
class Model:
    """A mechanism as far as it was inferred."""

    public: LabPublic
    equations: tuple[Equation | None, ...]
    """One for each property; None where it is undecided."""
    frequency: Equation | None
    base: float

    @property
    def edges(self) -> frozenset[tuple[str, str]]:
        """The arrows that were inferred."""
        names = self.public.nodes
        return frozenset(
            (names[parent], names[node])
            for node, equation in enumerate((*self.equations, self.frequency))
            if equation is not None
            for parent in equation.parents
        )

    def predict(self, values: Sequence[float]) -> float | None:
        """Return the frequency of a crystal that reads `values`."""
        return None if self.frequency is None else self.base + self.frequency.sum_terms(values)


def infer(notebook: Notebook) -> Model:
    """Infer as much of the mechanism as the readings determine."""
    public = notebook.public
    count = len(public.properties)
    moved = [0] * len(public.nodes)
    # A hidden disturbance moves things by itself, so what moves proves nothing then.
    for target, mask in list_moves(notebook.sights) if public.hidden is None else ():
        moved[target] |= mask
    # What the frequency does to properties cannot be told from what its parents do.
    equations = tuple(
        solve(notebook, node, [c for c in range(count) if c != node and not moved[node] >> c & 1])
        for node in range(count)
    )
    outcome = solve(notebook, count, list(range(count)))
    if outcome is None:
        return Model(public, equations, None, 0.0)
    outcome, base = _polish_equation(outcome, notebook.sights)
    return Model(public, equations, outcome, base)


def list_moves(sights: Iterable[Sight]) -> Iterator[tuple[int, int]]:
    """Yield each property that was put to a value, and the mask of what moved with it."""
    for sight in sights:
        if sight.target is not None and sight.before is not None:
            pairs = enumerate(zip(sight.values, sight.before, strict=True))
            moved = mask_of(node for node, (value, was) in pairs if value != was)
            yield sight.target, moved & ~(1 << sight.target)


def solve(notebook: Notebook, node: int, candidates: Sequence[int]) -> Equation | None:
    """Return the equation of `node` with the fewest parents; None where it is not determined."""
    import numpy as np

    squares = notebook.public.form == "quadratic"
    design, wanted = differences(notebook.sights, node, candidates, squares=squares)
    kept = list(range(len(candidates)))
    if not kept:
        return Equation()
    if len(wanted) == 0:
        return None
    scale = np.abs(design).max(axis=0)
    if not scale.all():
        return None
    design = design / scale
    found, _, rank, _ = np.linalg.lstsq(design, wanted, rcond=1e-12)
    if rank < design.shape[1]:
        return None
    residuals = design @ found - wanted
    within = _allow_error(notebook.public, residuals, wanted)
    if np.abs(residuals).max() > within:
        return None
    weight = np.abs(found).reshape(-1, len(candidates)).sum(axis=0)
    for candidate in np.argsort(weight):
        fewer = [c for c in kept if c != candidate]
        if _fit(design, wanted, _columns(fewer, len(candidates), squares=squares))[1] <= within:
            kept = fewer
    columns = _columns(kept, len(candidates), squares=squares)
    parents = [candidates[c] for c in kept]
    weights = (_fit(design, wanted, columns)[0] / scale[columns]).tolist()
    squared = weights[len(parents) :]
    return Equation(
        dict(zip(parents, weights[: len(parents)], strict=True)),
        dict(zip(parents, squared, strict=True)) if squared else {},
    )


def differences(
    sights: Sequence[Sight], node: int, candidates: Sequence[int], *, squares: bool
) -> "tuple[Matrix, Matrix]":
    """Return the terms of `candidates` and the values of `node`, with the node's base taken out.

    Rows are readings that share a base with another, less the mean of all that share it. Columns
    are the candidates' values and then, if asked for, their squares.
    """
    import numpy as np

    groups: dict[int, list[tuple[float, ...]]] = {}
    for sight in sights:
        largest = max((abs(sight.values[c]) for c in candidates), default=0.0)
        if not (squares and largest > _LARGEST):
            groups.setdefault(sight.eras[node], []).append(sight.values)
    columns, wanted = [], []
    for rows in groups.values():
        if len(rows) < 2:
            continue
        values = np.asarray(rows)
        terms = values[:, list(candidates)]
        if squares:
            terms = np.hstack([terms, terms**2])
        columns.append(terms - terms.mean(axis=0))
        wanted.append(values[:, node] - values[:, node].mean())
    width = len(candidates) * (2 if squares else 1)
    if not columns:
        return np.empty((0, width)), np.empty(0)
    return np.vstack(columns), np.concatenate(wanted)


def _allow_error(public: LabPublic, residuals: "Matrix", wanted: "Matrix") -> float:
    """Return how far off readings may be that an equation explains."""
    import numpy as np

    within = ROUNDING + 1e-12 * float(np.abs(wanted).max())
    if public.hidden is None:
        return within
    # How large the disturbance is was not told; what the best fit leaves over bounds it.
    return within + 4 * float(np.abs(residuals).max())


def _columns(kept: Sequence[int], count: int, *, squares: bool) -> list[int]:
    return [*kept, *(c + count for c in kept)] if squares else list(kept)


def _fit(design: "Matrix", wanted: "Matrix", columns: list[int]) -> "tuple[Matrix, float]":
    """Return the weights of some columns by least squares, and the largest error they leave."""
    import numpy as np

    part, found = design[:, columns], np.zeros(len(columns))
    if columns:
        found[:] = np.linalg.lstsq(part, wanted, rcond=1e-12)[0]
    return found, float(np.abs(part @ found - wanted).max())


def _polish_equation(outcome: Equation, sights: Sequence[Sight]) -> tuple[Equation, float]:
    """Write an equation with as few decimals as explain every calm reading, and find its base.

    Only readings beyond those that the coefficients take up can say that fewer decimals do.
    """
    calm = [sight.values for sight in sights if sight.calm]
    if len(calm) > len(outcome.linear) + len(outcome.square):
        for decimals in range(_MAX_DECIMALS + 1):
            shorter = Equation(
                {p: round(w, decimals) for p, w in outcome.linear.items()},
                {p: round(w, decimals) for p, w in outcome.square.items()},
            )
            lowest, highest = _bases(shorter, calm)
            if highest - lowest <= ROUNDING and all(shorter.linear.values()):
                base = (lowest + highest) / 2
                rounded = (round(base, decimals) for decimals in (0, 1, 2, 6))
                return shorter, next(r for r in rounded if abs(r - base) <= ROUNDING / 2)
    # Large readings carry the coefficients' errors into the base; the smallest one the least.
    return outcome, _bases(outcome, [min(calm, key=lambda values: abs(values[-1]))])[0]


def _bases(outcome: Equation, calm: Sequence[Sequence[float]]) -> tuple[float, float]:
    bases = [values[-1] - outcome.sum_terms(values) for values in calm]
    return min(bases), max(bases)


def least_interventions(instance: LabInstance) -> int:
    """Return how many interventions no plan can do without.

    Why no shorter plan can do (n properties, q unknowns a parent: 1 linear, 2 quadratic):

    * A property that acts on no other property may have any others as parents. Each state of the
      crystal gives its equation one condition, except the first, and except those states in which
      its own base had just been moved to an unknown value. So a plan of m interventions, c of them
      on it, must have m - c >= q(n - 1).
    * If c = 0 for a property j and some other property i is not among j's ancestors, then adding
      any multiple of j's equation to i's changes no reading of the crystal: i's equation stays
      open. (Take j to be the first such in causal order; all its parents were intervened upon.) So
      c >= 1 unless all other properties are j's ancestors. A property j without parents takes c + 1
      values in all, so in a quadratic mechanism c >= 2, or a parabola through its values can be
      added to another's equation. A disturbance moves properties by itself: neither holds then, and
      c may be 0.
    * The frequency's equation has 1 + qn unknowns, and each reading of a crystal that shares its
      base gives one condition: m + 1 of the manipulator's crystal, and those of records that share
      the base. Records with bases of their own give none, and so m >= qn.

    Mechanisms with any real coefficients and any base values are considered: whoever knows more of
    them may need less.
    """
    public = instance.public
    count = len(public.properties)
    terms = 2 if public.form == "quadratic" else 1
    dag, everyone = instance.secret.mechanism(public).dag, mask_of(range(count))

    def count_visits(node: int) -> int:
        """Return how often at least a property must be intervened upon."""
        if public.hidden is not None or not everyone & ~(dag.ancestors[node] | 1 << node):
            return 0
        return 1 if dag.parents[node] else terms

    needed = [count_visits(node) for node in range(count)]
    # Properties that act on no other property, not even through the frequency.
    sinks = [node for node in range(count) if not dag.descendants[node] & everyone]
    last = terms * (count - 1) + max(needed[sink] for sink in sinks)
    return max(last, sum(needed), terms * count - len(public.calibrated))
