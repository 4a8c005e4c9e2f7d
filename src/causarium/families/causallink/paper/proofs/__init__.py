"""What is proven about a case of CausalLink, and what tells two apart.

The stored answer follows from the stored edges, the start is a state that can be, and a
constructive plan finds the answer within as many interventions as the worst case needs, which the
cap allows.
"""

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.contract.episode import Episode
from causarium.contract.frozen import canonical_json, digest
from causarium.scm.dag import bits
from causarium.seeds import stream
from .. import FAMILY
from ..evidence import Case, find_optimum
from ..model.instance import Answer, LinkInstance, LinkPublic, LinkSecret
from ..model.reach import Reach
from ..model.rules import LinkRules
from ..players import inquire_optimally
from .recheck import FAULTS, Claim, list_proofs, recheck


def certify(instance: LinkInstance) -> Findings:
    """Prove that a case can be solved within its budget."""
    public, case = instance.public, Case.of(instance)
    least, closed = find_optimum(public), case.reach.is_closed(case.start)
    plan = Episode(FAMILY, instance, LinkRules(interface="tools"))
    plan.follow(inquire_optimally(public, stream(0, "certify", instance.id)))
    answer, length = Answer(answer=instance.secret.answer), plan.world.spent
    proofs = {
        Claim.GRAPH_ANSWER: case.truth == instance.secret.truth,
        Claim.START: closed,
        Claim.PLAN: plan.turns[-1].action == answer.record() and length <= least <= public.cap,
    }
    return Findings(
        optimum=least,
        proofs=list_proofs("transitive closure and search", proofs),
        extra={"plan": length},
    )


Colours = tuple[int, ...]


def canonical_key(instance: LinkInstance) -> str:
    """Return a digest that a case shares with its twin and with all that are the same otherwise.

    Whoever has seen a twin knows the other. The key is of the reachability, what is active at first
    and who is asked about. Variables are told apart by colours, which are refined until nothing
    changes; where several still look alike, each is taken for the first of them in turn, and the
    least form counts. Those that have the same relatives can change places, so one of them stands
    for all.
    """
    case = Case.of(instance)
    colours = tuple(
        4 * (case.start >> x & 1) + 2 * (x == case.cause) + (x == case.effect)
        for x in range(case.reach.n)
    )
    worlds = [world for world in (case.reach, case.twin) if world is not None]
    forms = sorted(_least_form(world, colours) for world in worlds)
    return digest(canonical_json([list(map(list, forms)), sorted(colours)]))


def _least_form(world: Reach, colours: Colours) -> Colours:
    colours = _refine(world, colours)
    shared = next((c for c in sorted(set(colours)) if colours.count(c) > 1), None)
    if shared is None:
        places = [1 << colour for colour in colours]
        rows = {colours[x]: sum(places[y] for y in bits(world.below[x])) for x in range(world.n)}
        return tuple(rows[colour] for colour in sorted(rows))
    alike = [x for x, colour in enumerate(colours) if colour == shared]
    forms, tried = [], set()
    for x in alike:
        relatives = (world.below[x] & ~(1 << x), world.above[x])
        if relatives not in tried:
            tried.add(relatives)
            marked = tuple(2 * c + (c == shared and y != x) for y, c in enumerate(colours))
            forms.append(_least_form(world, marked))
    return min(forms)


def _refine(world: Reach, colours: Colours) -> Colours:
    """Tell variables apart by the colours of their relatives, as far as that goes."""
    while True:
        keys = [
            (
                colour,
                tuple(sorted(colours[y] for y in bits(world.below[x]))),
                tuple(sorted(colours[y] for y in bits(world.above[x]))),
            )
            for x, colour in enumerate(colours)
        ]
        order = {key: place for place, key in enumerate(sorted(set(keys)))}
        if len(order) == len(set(colours)):
            return tuple(order[key] for key in keys)
        colours = tuple(order[key] for key in keys)


PROOFS: Proofs[LinkPublic, LinkSecret] = Proofs(
    certify=certify, recheck=recheck, faults=FAULTS, canonical_key=canonical_key
)
