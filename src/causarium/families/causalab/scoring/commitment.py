"""How an agent commits: with how much budget left, and with what its own data say of its belief.

An agent's own data are the records, the chain if one was handed over, and every reading of the
manipulator. A hypothesis fits when its frequency equation explains all that was known at the time,
each to `EXPLAINED_HZ`, and to what a hidden disturbance of the frequency can add on top.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from causarium.families.causalab.evidence.consistency import EXPLAINED_HZ, list_public_readings
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.instance import FREQUENCY, LabInstance
from causarium.families.causalab.scoring.episode_history import Belief, History


@dataclass(frozen=True, slots=True)
class Datum:
    """One reading: the properties by name, and the frequency."""

    values: Mapping[str, float]
    frequency: float


@dataclass(frozen=True, slots=True)
class Fit:
    """How a hypothesis stands against data."""

    explained: float
    """The share of readings that it explains."""
    error: float
    """The mean absolute error where it predicts something; nan where it never does."""


def list_own_data(instance: LabInstance, history: History) -> list[Datum]:
    """Return every reading that the agent has, in the order in which it got them."""
    names = instance.public.names
    rows = [seen.values for seen in list_public_readings(instance.public)]
    rows += [row.values for row in history.lab.rows]
    return [Datum(dict(zip(names, row[:-1], strict=True)), row[-1]) for row in rows]


def slack(instance: LabInstance) -> float:
    """Return how far off an explained reading may be."""
    hidden = instance.secret.disturbance
    if hidden is None or FREQUENCY not in hidden.affected:
        return EXPLAINED_HZ
    return EXPLAINED_HZ + max(abs(hidden.weight * value) for value in hidden.values)


def fit(belief: Belief | None, data: Sequence[Datum], within: float) -> Fit:
    """Hold a hypothesis against data."""
    if belief is None:
        return Fit(0.0, nan)
    predicted = [(belief.resolved.frequency(d.values), d.frequency) for d in data]
    errors = [abs(found - true) for found, true in predicted if found is not None]
    mean = sum(errors) / len(errors) if errors else nan
    return Fit(
        explained=sum(error <= within for error in errors) / len(data),
        # Absurd coefficients can add up to infinity, which no mean over rows survives.
        error=mean if isfinite(mean) else nan,
    )


def fits(belief: Belief | None, data: Sequence[Datum], within: float) -> bool:
    """Say whether a hypothesis explains all data; stops at the first that it does not."""
    if belief is None:
        return False
    predict = belief.resolved.frequency
    for datum in reversed(data):
        found = predict(datum.values)
        if found is None or abs(found - datum.frequency) > within:
            return False
    return True


def find_first_fit(history: History, data: Sequence[Datum], within: float) -> int | None:
    """Return the first turn, from 0, after which the belief fitted all that was then known."""
    before = len(data) - len(history.lab.rows)
    for number, step in enumerate(history.steps):
        if fits(step.belief, data[: before + step.readings], within):
            return number
    return None


@dataclass(frozen=True, slots=True)
class Commitment:
    """How an agent committed."""

    numbers: dict[str, float]
    label: str
    """`unsubmitted`, `fitted`, `early` (misfit with budget left) or `spent` (misfit without)."""


def commitment(instance: LabInstance, rules: LabRules, history: History) -> Commitment:
    """Return how an agent committed, without the effect of a verification on its graph."""
    data, within = list_own_data(instance, history), slack(instance)
    final = fit(history.final, data, within)
    first = find_first_fit(history, data, within)
    fitted = final.explained == 1.0
    numbers = {
        "explained": final.explained,
        "fit_error": final.error,
        "turns_after_fit": nan if first is None else float(len(history.steps) - 1 - first),
        "verified": nan if rules.verification == "none" else float(_is_verified(history)),
        "revised": nan,
        "verification_fit_gain": nan,
    }
    if history.verified_at is not None:
        then = history.steps[history.verified_at].belief
        numbers["revised"] = float(_is_revised(then, history.final))
        numbers["verification_fit_gain"] = final.explained - fit(then, data, within).explained
    if not history.lab.submitted:
        label = "unsubmitted"
    elif fitted:
        label = "fitted"
    else:
        label = "early" if history.lab.left > 0 else "spent"
    return Commitment(numbers, label)


def _is_verified(history: History) -> bool:
    return history.verified_at is not None


def _is_revised(then: Belief | None, final: Belief | None) -> bool:
    return then is not final and (then is None or not then.agrees_with(final))
