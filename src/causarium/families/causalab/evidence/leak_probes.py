"""Probes: can a learner read the arrows between properties off what is shown at the start?

Some thirty numbers are made of a pair of properties and the frequency: their readings in every
crystal, means, spreads, correlations, slopes and digits. Each instance asks about as many pairs of
one answer as of the other, so that knowing the level does not help, and says nothing of a chain,
which shows experiments.
"""

import math
from collections.abc import Sequence
from statistics import fmean, pstdev

from causarium.contract.probe import Examples, Probe
from causarium.families.causalab.instance import FREQUENCY, LabInstance, LabPublic, LabSecret
from causarium.seeds import stream

_SHOWN_RECORDS = 2


def _ask_directions(instance: LabInstance) -> Examples:
    """Ask of each arrow which way it points, named in an order that a coin decides."""
    rng = stream(0, "causalab", "probe", "direction", instance.id)
    names = instance.public.names
    examples = []
    for cause, effect in sorted(_between_properties(instance)):
        forward = rng.random() < 0.5
        pair = (cause, effect) if forward else (effect, cause)
        examples.append((pair_features(instance.public, *map(names.index, pair)), forward))
    return examples


def _ask_presence(instance: LabInstance) -> Examples:
    """Ask of as many pairs with an arrow as without one whether the first acts on the second."""
    rng = stream(0, "causalab", "probe", "presence", instance.id)
    names = instance.public.names
    arrows = sorted(_between_properties(instance))
    others = [(a, b) for a in names for b in names if a != b and (a, b) not in arrows]
    count = min(len(arrows), len(others))
    pairs = [(pair, True) for pair in rng.sample(arrows, count)]
    pairs += [(pair, False) for pair in rng.sample(others, count)]
    return [
        (pair_features(instance.public, names.index(a), names.index(b)), there)
        for (a, b), there in pairs
    ]


def _between_properties(instance: LabInstance) -> set[tuple[str, str]]:
    return {pair for pair in instance.secret.edge_pairs if FREQUENCY not in pair}


def pair_features(public: LabPublic, first: int, second: int) -> list[float]:
    """Return what is shown of two properties and the frequency, as numbers."""
    readings = [*public.records, public.manipulator]
    one = [*(r.values[first] for r in readings), public.reactor[first]]
    two = [*(r.values[second] for r in readings), public.reactor[second]]
    frequency = [r.frequency for r in readings]
    shown = range(-_SHOWN_RECORDS - 2, 0)
    return [
        float(first),
        float(second),
        *(_get_reading(one, place) for place in shown),
        *(_get_reading(two, place) for place in shown),
        *(_get_reading(frequency, place) for place in range(-_SHOWN_RECORDS - 1, 0)),
        *_summaries(one),
        *_summaries(two),
        pstdev(one) - pstdev(two),
        _slope(one, two),
        _slope(two, one),
        abs(_slope(one, two)) - abs(_slope(two, one)),
        _slope(one[:-1], frequency),
        _slope(two[:-1], frequency),
        *(_digits(column[-2]) for column in (one, two)),
        *(_digits(column[-1]) for column in (one, two)),
    ]


def _get_reading(column: Sequence[float], place: int) -> float:
    return column[place] if len(column) >= -place else 0.0


def _summaries(column: Sequence[float]) -> tuple[float, float, float]:
    return fmean(column), pstdev(column), max(column) - min(column)


def _slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of y over x by least squares; 0 where x does not vary."""
    middle, level = fmean(x), fmean(y)
    spread = math.fsum((a - middle) ** 2 for a in x)
    together = math.fsum((a - middle) * (b - level) for a, b in zip(x, y, strict=True))
    return together / spread if spread else 0.0


def _digits(value: float) -> float:
    """Return the decimals of a reading, in hundredths."""
    return float(round(abs(value) * 100) % 100)


PROBES: dict[str, Probe[LabPublic, LabSecret]] = {
    "direction": Probe(
        about="Which of two properties that an arrow joins is the cause.", examples=_ask_directions
    ),
    "presence": Probe(
        about="Whether one property acts on another.", examples=_ask_presence, metric="auc"
    ),
}
"""The probes, by name."""
