"""How few interventions no plan can do without.

Why no shorter plan can do (n properties, q unknowns a parent: 1 linear, 2 quadratic):

* A property that acts on no other property may have any others as parents. Each state of the
  crystal gives its equation one condition, except the first, and except those states in which
  its own base had just been moved to an unknown value. So a plan of m interventions, c
  of them on it, must have m - c >= q(n - 1).
* If c = 0 for a property j and some other property i is not among j's ancestors, then adding any
  multiple of j's equation to i's changes no reading of the crystal: i's equation stays open. (Take
  j to be the first such in causal order; all its parents were intervened upon.) So c >= 1 unless
  all other properties are j's ancestors. A property j without parents takes c + 1 values in all, so
  in a quadratic mechanism c >= 2, or a parabola through its values can be added to another's
  equation. A disturbance moves properties by itself: neither holds then, and c may be 0.
* The frequency's equation has 1 + qn unknowns, and each reading of a crystal that shares its base
  gives one condition: m + 1 of the manipulator's crystal, and those of records that share the base.
  Records with bases of their own give none, and so m >= qn.

Mechanisms with any real coefficients and any base values are considered: whoever knows more of
them may need less.
"""

from causarium.families.causalab.model.instance import LabInstance
from causarium.scm.dag import mask_of


def least_interventions(instance: LabInstance) -> int:
    """Return how many interventions no plan can do without; see the module."""
    public = instance.public
    count = len(public.properties)
    terms = 2 if public.form == "quadratic" else 1
    needed = _count_needed_visits(instance)
    last = terms * (count - 1) + max(needed[sink] for sink in _sinks(instance))
    others = len(public.calibrated)
    return max(last, sum(needed), terms * count - others)


def _sinks(instance: LabInstance) -> list[int]:
    """Return the properties that act on no other property, not even through the frequency."""
    dag = instance.secret.mechanism(instance.public).dag
    count = len(instance.public.properties)
    properties = mask_of(range(count))
    return [node for node in range(count) if not dag.descendants[node] & properties]


def _count_needed_visits(instance: LabInstance) -> list[int]:
    """Return how often at least each property must be intervened upon; see the module."""
    public = instance.public
    dag = instance.secret.mechanism(public).dag
    count = len(public.properties)
    if public.hidden is not None:
        return [0] * count
    everyone = mask_of(range(count))
    needed = []
    for node in range(count):
        if not everyone & ~(dag.ancestors[node] | 1 << node):
            needed.append(0)
        elif public.form == "quadratic" and not dag.parents[node]:
            needed.append(2)
        else:
            needed.append(1)
    return needed
