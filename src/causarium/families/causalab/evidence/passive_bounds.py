"""What nobody can learn, or hit, without an intervention.

*Zero information.* For every mechanism of the form, and every table of readings, there are base
values under which the mechanism shows that table. The readings were drawn without the mechanism, so
knowing them leaves every mechanism as likely as before.

*Passive bound.* The frequency in the reactor differs from that in the manipulator by a sum of
independent terms, one for each parent of the frequency, of which there is at least one. The density
of a sum is nowhere above the highest density of any of its terms, and that of a term is bounded by
the law of its coefficients and by how far the two crystals are apart in that property. A window of
twice the tolerance is then hit with a probability of at most `passive_bound`, by whatever guess.
"""

from collections.abc import Iterable
from math import log

from causarium.families.causalab.config import FormName
from causarium.families.causalab.instance import LabPublic
from causarium.scm.mechanism import Mechanism

_ROUNDING = 0.005
_HIGHEST_DENSITY: dict[FormName, float] = {
    "linear": 1 / (2 * 6.0),
    "quadratic": 1 / (2 * 2.4),
    "hard-quadratic": log(2) / 0.08 / (2 * 30.0),
}
"""The highest density of a term into the frequency, times how far apart the crystals are.

linear: a weight even on 2..8 and -8..-2. quadratic: a slope even on 0.8..3.2 and -3.2..-0.8, times
the distance, the square being one more term. hard-quadratic: given c, the axis is even on 35..65,
so that the density is at most 1 / (60 c distance), and the mean of 1/c over 0.08..0.16 is
ln 2 / 0.08.
"""


def shows_the_same(public: LabPublic, mechanisms: Iterable[Mechanism]) -> bool:
    """Return whether each mechanism shows exactly what is shown, under bases of its own.

    Whatever follows from a base that crystals share is left out of the claim: the frequencies of
    records that share it. A chain shows what interventions did, and is left out whole.
    """
    crystals = [(*public.manipulator.values, public.manipulator.frequency)]
    if not public.shared_base:
        crystals += [(*record.values, record.frequency) for record in public.records]
    properties = [public.reactor]
    if public.shared_base:
        properties += [record.values for record in public.records]
    return all(
        tuple(mechanism.evaluate(mechanism.bases_of(values))) == values
        for mechanism in mechanisms
        for values in (*crystals, *((*values, 0.0) for values in properties))
    )


def passive_bound(public: LabPublic, form: FormName) -> float | None:
    """Return the probability above which no guess hits the target; None where readings tell."""
    if public.calibrated:
        return None
    apart = min(abs(x - y) for x, y in zip(public.reactor, public.manipulator.values, strict=True))
    width = 2 * (public.tolerance + _ROUNDING)
    return min(1.0, width * _HIGHEST_DENSITY[form] / apart) if apart else 1.0
