"""How well readings determine a mechanism when they are rounded and may be disturbed.

A reading is off by half a hundredth at most, and by the disturbance where there may be one. With
the worst of these in every reading, a least-squares fit is off by at most what is computed here,
whatever the draws: no distribution is assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from causarium.families.causalab.config import LabRules
from causarium.families.causalab.evidence.experiment_plans import follow, value_for
from causarium.families.causalab.instance import FREQUENCY, LabInstance
from causarium.families.causalab.mechanics.lab import Lab, Refusal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

ROUNDING = 0.005


@dataclass(frozen=True, slots=True)
class Precision:
    """What a plan's readings pin down, in the worst case."""

    rounds: int
    """How many times the plan put each property to a value."""
    interventions: int
    coefficient_error: float
    """The largest error that any coefficient of any equation can have."""
    edges_told_apart: bool
    """Whether every true arrow's coefficient stands out from the error that an absent one can
    have."""
    prediction_error: float
    """The largest error that the predicted frequency can have, in Hz."""
    weight_error: float
    """The largest error that a coefficient of the frequency can have, as a share of its size."""


def precision(instance: LabInstance, rounds: int) -> Precision | None:
    """Follow the plan for some rounds and return what it pins down; None if it cannot be done."""
    public = instance.public
    lab = Lab(instance, LabRules())
    for number, node in follow(public, rounds):
        if public.resets:
            lab.reset()
        values = lab.measure()
        if isinstance(values, Refusal):
            return None
        value = value_for(public, values[node], number)
        if isinstance(lab.intervene(public.names[node], value), Refusal):
            return None
    rows = [row.values for row in lab.rows]
    targets = [row.target for row in lab.rows]
    worst, apart = 0.0, True
    truth = _write_out_coefficients(instance)
    for node in range(len(public.properties)):
        errors = _property_errors(instance, node, rows, targets)
        if errors is None:
            return None
        for parent, sizes in errors.items():
            worst = max(worst, *sizes)
            true = truth.get((parent, node))
            if true is not None:
                apart &= any(abs(c) > 2 * e for c, e in zip(true, sizes, strict=False))
    predicted = _frequency_errors(instance, rows)
    if predicted is None:
        return None
    return Precision(rounds, lab.used, worst, apart, *predicted)


def _write_out_coefficients(instance: LabInstance) -> dict[tuple[int, int], tuple[float, float]]:
    """Return the properties' coefficients with the frequency's part put to its parents."""
    public = instance.public
    mechanism = instance.secret.mechanism(public)
    outcome = len(public.properties)
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for node in range(outcome):
        for term in mechanism.terms[node]:
            parts = [(term.parent, term.linear, term.square)]
            if term.parent == outcome:
                parts = [
                    (t.parent, term.linear * t.linear, term.linear * t.square)
                    for t in mechanism.terms[outcome]
                ]
            for parent, linear, square in parts:
                a, b = found.get((parent, node), (0.0, 0.0))
                found[parent, node] = (a + linear, b + square)
    return {key: value for key, value in found.items() if any(value)}


def _bound_reading_error(instance: LabInstance, node: str, disturbed: bool) -> float:  # noqa: FBT001
    hidden, told = instance.secret.disturbance, instance.public.hidden
    if not disturbed or hidden is None or told is None:
        return ROUNDING
    if node == FREQUENCY and not told.frequency:
        return ROUNDING
    # Which properties are disturbed is not told, so any of them may be.
    return ROUNDING + abs(hidden.weight) * max(abs(v) for v in hidden.values)


def _property_errors(
    instance: LabInstance,
    node: int,
    rows: Sequence[tuple[float, ...]],
    targets: Sequence[int | None],
) -> dict[int, tuple[float, ...]] | None:
    import numpy as np

    public = instance.public
    others = [p for p in range(len(public.properties)) if p != node]
    epochs, lines, offs = _epochs(instance, node, targets), [], []
    names = sorted({e for e in epochs if e is not None and e >= 0})
    for number, (row, epoch) in enumerate(zip(rows, epochs, strict=True)):
        if epoch is None:
            continue
        terms = _terms([row[p] for p in others], squares=public.form == "quadratic")
        lines.append([*(float(epoch == e) for e in names), *terms])
        offs.append(_bound_reading_error(instance, public.names[node], disturbed=number > 0))
    errors = _bound_worst_error(np.array(lines), np.array(offs))
    if errors is None:
        return None
    sizes = errors[len(names) :]
    count = len(others)
    return {
        p: tuple(float(sizes[i + k * count]) for k in range(len(sizes) // count))
        for i, p in enumerate(others)
    }


def _epochs(instance: LabInstance, node: int, targets: Sequence[int | None]) -> list[int | None]:
    """Return which base value of `node` each reading shows; None while it is held."""
    semantics, resets = instance.public.semantics, instance.public.resets
    epochs: list[int | None] = []
    now: int | None = 0
    for number, target in enumerate(targets):
        if resets:
            now = 0
        if target == node:
            now = {"do": None, "shift": -1}.get(semantics, number)
        epochs.append(now)
    return epochs


def _terms(values: Sequence[float], *, squares: bool) -> list[float]:
    return [*values, *(v * v for v in values)] if squares else list(values)


def _frequency_errors(
    instance: LabInstance, rows: Sequence[tuple[float, ...]]
) -> tuple[float, float] | None:
    """Return the worst error of the prediction, and of any coefficient relative to its size."""
    import numpy as np

    public = instance.public
    squares = public.form == "quadratic"
    calm = [r.values for r in public.calibrated]
    lines = [[1.0, *_terms(values, squares=squares)] for values in calm]
    lines += [[1.0, *_terms(row[:-1], squares=squares)] for row in rows]
    offs = [ROUNDING] * len(calm)
    offs += [
        _bound_reading_error(instance, FREQUENCY, disturbed=number > 0)
        for number in range(len(rows))
    ]
    aim = np.array([1.0, *_terms(public.reactor, squares=squares)])
    errors = _bound_worst_error(np.array(lines), np.array(offs))
    predicted = _bound_worst_error(np.array(lines), np.array(offs), aim)
    if errors is None or predicted is None:
        return None
    count = len(public.properties)
    shares = []
    for term in instance.secret.mechanism(public).terms[count]:
        shares.append(errors[1 + term.parent] / abs(term.linear) if term.linear else 0.0)
        if term.square:
            shares.append(errors[1 + count + term.parent] / abs(term.square))
    return float(predicted[0]) + ROUNDING, float(max(shares))


def _bound_worst_error(
    lines: "Matrix", offs: "Matrix", aim: "Matrix | None" = None
) -> "Matrix | None":
    """Return the worst error of each coefficient, or of their combination `aim`.

    None when the readings leave a coefficient open.
    """
    import numpy as np

    if lines.ndim != 2 or lines.shape[0] < lines.shape[1]:
        return None
    weighted = lines / offs[:, None]
    scale = np.abs(weighted).max(axis=0)
    if not scale.all():
        return None
    scaled = weighted / scale
    if np.linalg.matrix_rank(scaled) < scaled.shape[1]:
        return None
    fit = np.linalg.pinv(scaled) / scale[:, None]
    # In weighted units every reading is off by at most one.
    found: Matrix = np.abs(fit if aim is None else aim[None, :] @ fit).sum(axis=1)
    return found
