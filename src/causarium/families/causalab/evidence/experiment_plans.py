"""Plans of experiments: one that anybody can follow, and the shortest that would have done.

Why no shorter plan can do (n properties, q unknowns a parent: 1 linear, 2 quadratic):

* A property that acts on no other property may have any others as parents. Each state of the
  crystal gives its equation one condition, except the first, and except those states in which
  its own base had just been moved to an unknown value (`set`) or it was held (`do`). So a plan
  of m interventions, c of them on it, must have m - c >= q(n - 1).
* If c = 0 for a property j and some other property i is not among j's ancestors, then adding any
  multiple of j's equation to i's changes no reading of the crystal: i's equation stays open. (Take
  j to be the first such in causal order; all its parents were intervened upon.) So c >= 1 unless
  all other properties are j's ancestors. A property j without parents takes c + 1 values in all, so
  in a quadratic mechanism c >= 2, or a parabola through its values can be added to another's
  equation. Under `shift` the base that an intervention leaves behind is known, and a disturbance
  moves properties by itself: neither holds then, and c may be 0.
* The frequency's equation has 1 + qn unknowns, and each reading of a crystal that shares its base
  gives one condition: m + 1 of the manipulator's crystal, and those of records that share the base.
  Records with bases of their own give none, and so m >= qn.

Mechanisms with any real coefficients and any base values are considered: whoever knows more of
them may need less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from causarium.families.causalab.evidence.determination import (
    ExactCrystal,
    frequency_freedom,
    property_freedoms,
    residue,
)
from causarium.families.causalab.instance import LabInstance, LabPublic, Reading
from causarium.scm.dag import mask_of
from causarium.seeds import stream

LEVELS = (200.0, -100.0, 100.0, 0.0)
"""What a quadratic plan puts each property to, round by round."""
_TRIES = 24


@dataclass(frozen=True, slots=True)
class Step:
    """One intervention of a plan."""

    node: int
    value: float


def follow(public: LabPublic, rounds: int) -> Iterator[tuple[int, int]]:
    """Yield `(round, node)` of a plan that puts every property to a value once a round."""
    for number in range(rounds):
        for node in range(len(public.properties)):
            yield number, node


def value_for(public: LabPublic, present: float, number: int) -> float:
    """Return what the plan puts a property to that now reads `present`.

    Linear: the far end of what the manipulator can do, so that neither rounding nor a
    disturbance matters. Quadratic: one level a round, around the values that crystals have.
    """
    if public.form == "linear":
        return -public.limit if present > 0 else public.limit
    return LEVELS[number % len(LEVELS)]


@dataclass(frozen=True, slots=True)
class Fewest:
    """What is known of the fewest interventions that determine one instance's mechanism."""

    at_least: int
    """Proven by counting conditions; see the module."""
    at_most: int | None
    """The length of `plan`; None when no plan was found."""
    plan: tuple[Step, ...]

    @property
    def exact(self) -> int | None:
        """The fewest, where both bounds agree."""
        return self.at_least if self.at_least == self.at_most else None


def fewest(instance: LabInstance) -> Fewest:
    """Find the fewest interventions after which no other mechanism fits the readings."""
    terms = 2 if instance.public.form == "quadratic" else 1
    most = (terms + 1) * len(instance.public.properties)
    least = least_interventions(instance)
    rng = stream(0, "causalab", "plan", instance.id)
    for length in range(least, most + 1):
        for _ in range(_TRIES):
            plan = _spell_out(instance.public, _visits(instance, length, rng), rng)
            if determines(instance, plan):
                return Fewest(least, length, plan)
    return Fewest(least, None, ())


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
    if public.semantics == "shift" or public.hidden is not None:
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


def _visits(instance: LabInstance, length: int, rng: Random) -> list[int]:
    """Share `length` interventions among the properties, each getting what it needs."""
    count = len(instance.public.properties)
    terms = 2 if instance.public.form == "quadratic" else 1
    visits = _count_needed_visits(instance)
    capped = [] if instance.public.semantics == "shift" else _sinks(instance)
    for _ in range(length - sum(visits)):
        able = [
            node
            for node in range(count)
            if node not in capped or visits[node] < length - terms * (count - 1)
        ] or list(range(count))
        fewest_so_far = min(visits[node] for node in able)
        visits[rng.choice([n for n in able if visits[n] == fewest_so_far])] += 1
    return visits


def _spell_out(public: LabPublic, visits: Sequence[int], rng: Random) -> tuple[Step, ...]:
    nodes = [node for node, times in enumerate(visits) for _ in range(times)]
    rng.shuffle(nodes)
    high = int(min(public.limit, 200))
    return tuple(Step(node, float(rng.randint(-high, high))) for node in nodes)


def determines(instance: LabInstance, plan: Sequence[Step]) -> bool:
    """Say whether after `plan`, and with the records, no other mechanism fits all readings.

    Rounding and disturbances are left out. Where the frequency may be a cause, this is about what
    properties do to each other with the frequency's part written out in its parents.
    """
    public, secret = instance.public, instance.secret
    crystal = ExactCrystal(
        secret.mechanism(public),
        (*secret.manipulator_bases, secret.base_frequency),
        public.semantics,
    )
    for step in plan:
        if public.resets:
            crystal.reset()
        crystal.put(step.node, step.value)
    return _is_settled(instance, crystal, public.calibrated)


def chain_determines(instance: LabInstance) -> bool:
    """Say whether the handed-over chain, with the records, leaves no other mechanism."""
    public, secret = instance.public, instance.secret
    mechanism = secret.mechanism(public)
    start = public.chain[0].reading
    bases = mechanism.bases_of((*start.values, start.frequency))
    crystal = ExactCrystal(mechanism, (*bases[:-1], secret.base_frequency), public.semantics)
    for step in public.chain:
        if step.property is None or step.value is None:
            continue
        if step.continues == 0:
            crystal.reset()
        crystal.put(public.names.index(step.property), step.value)
    records = public.records if public.shared_base else ()
    return _is_settled(instance, crystal, (*records, public.manipulator))


def _is_settled(instance: LabInstance, crystal: ExactCrystal, others: Sequence[Reading]) -> bool:
    """Say whether a crystal's states, and readings of `others` with its base, settle it all."""
    squares = instance.public.form == "quadratic"
    rows = [[residue(v) for v in reading.values] for reading in others]
    rows += [list(state.values[:-1]) for state in crystal.states]
    if frequency_freedom(rows, squares=squares):
        return False
    return not any(property_freedoms(crystal.states, squares=squares))


def observation_determines(public: LabPublic) -> bool:
    """Say whether the readings given at the start determine the frequency's equation."""
    readings = [*public.calibrated, public.manipulator]
    rows = [[residue(v) for v in r.values] for r in readings]
    return frequency_freedom(rows, squares=public.form == "quadratic") == 0
