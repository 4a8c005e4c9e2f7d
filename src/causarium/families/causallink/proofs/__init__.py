"""What is proven about a case of CausalLink, and what tells two apart.

*Graphs.* The stored answer follows from the stored edges, the start is a state that can be, and a
constructive plan finds the answer within W interventions, which the cap allows. That no fewer than
W suffice in the worst case is proven in writing (`evidence.practice`). A practice case has a twin
that looks the same at first, differs in the answer alone, and cannot look different before D acts.

*Logs.* The suspects move together in every row, the truth fits every row, and some run is decisive
in all worlds that fit. What those earn who ignore the log, who do not read the law, and who repeat
a run of the log is computed exactly.
"""

from collections.abc import Sequence
from itertools import permutations, product
from statistics import fmean

import numpy as np

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.contract.episode import Episode
from causarium.contract.frozen import canonical_json, digest
from causarium.scm.dag import bits
from causarium.seeds import stream
from .. import FAMILY
from ..evidence.diagnosis import Case
from ..evidence.practice import find_depth, find_optimum
from ..mechanics import Log, LogCase, Machine, build_machine
from ..model.instance import (
    Answer,
    LinkInstance,
    LinkPublic,
    LinkSecret,
    MachinePublic,
    MachineSecret,
)
from ..players import inquire_optimally
from ..shared.reach import Reach
from .recheck import FAULTS, Claim, list_proofs, recheck


def certify(instance: LinkInstance) -> Findings:
    """Prove that a case can be solved within its budget, and what those who do less can earn."""
    shown, secret = instance.public.machine, instance.secret.machine
    if shown is not None and secret is not None:
        return _certify_log(instance, shown, secret)
    return _certify_graph(instance)


def _certify_log(instance: LinkInstance, shown: MachinePublic, secret: MachineSecret) -> Findings:
    public, case = instance.public, LogCase.of(instance.public)
    left, suspects = case.left, {public.cause, shown.companion}
    machines = [build_machine(needs) for needs in secret.list_needs()]
    fits = [(machine, machine.fit_all(case.log)) for machine in machines]
    # Where nothing fits, any run is as good as another: the bound is that of certainty.
    earned = {
        "ignores_log": bound_without_log(case.machine, left) if left.any() else 1.0,
        "ignores_law": bound_without_law(fits) if all(one.any() for _, one in fits) else 1.0,
        "repeats_run": fmean(
            bound_repeating(machine, one, case.log) if one.any() else 1.0 for machine, one in fits
        ),
    }
    proofs = {
        Claim.LOG_ANSWER: secret.suspect in suspects
        and instance.secret.truth == (secret.suspect == public.cause),
        Claim.TOGETHER: all(len(suspects & set(row.moved)) != 1 for row in shown.log),
        Claim.FITS: case.world(secret) in case.machine.list_fitting(left),
        Claim.COUNT: int(left.sum()) == instance.facets.get("worlds"),
        Claim.SURE: case.machine.has_sure(left),
        Claim.LAWS: shown.needs in secret.list_needs() and earned["ignores_law"] <= 1 / 3 + 1e-9,
        Claim.REPEATS: earned["repeats_run"] == 0,
    }
    return Findings(
        optimum=1,
        proofs=list_proofs("bit sets over all worlds", proofs),
        bounds=earned,
        extra={
            "sure_run": list(case.list_names(case.machine.find_best(left))) if left.any() else []
        },
    )


def bound_without_log(machine: Machine, left: np.ndarray) -> float:
    """Return what the best number of others earns, if which of them move is chance.

    Args:
        machine: The machine.
        left: The worlds that fit the log, at least one.
    """
    totals = np.bincount(machine.sizes, machine.weigh_runs(left))
    return float((totals / np.bincount(machine.sizes)).max())


def bound_without_law(fits: Sequence[tuple[Machine, np.ndarray]]) -> float:
    """Return what the best run earns on average over laws, if it is chosen without the law.

    Args:
        fits: The machine of each law under which the log is shown, and the worlds that fit it.
    """
    return float(np.mean([machine.weigh_runs(left) for machine, left in fits], axis=0).max())


def bound_repeating(machine: Machine, left: np.ndarray, log: Log) -> float:
    """Return in how large a share of the worlds that fit some run of the log is decisive."""
    return float(machine.decisive[[row.moved for row in log]].any(axis=0)[left].mean())


def _certify_graph(instance: LinkInstance) -> Findings:
    public, case = instance.public, Case.of(instance)
    least, closed = find_optimum(public), case.reach.is_closed(case.start)
    plan = Episode(FAMILY, instance, FAMILY.rules_for("certified", interface="tools"))
    plan.follow(inquire_optimally(public, stream(0, "certify", instance.id)))
    answer, length = Answer(answer=instance.secret.answer), plan.world.spent
    proofs = {
        Claim.GRAPH_ANSWER: case.truth == instance.secret.truth,
        Claim.START: closed,
        Claim.PLAN: plan.turns[-1].action == answer.record() and length <= least <= public.cap,
    }
    depth = instance.facets.get("depth")
    if depth is not None:
        twin = case.twin if closed else None
        proofs[Claim.TWIN] = twin is not None
        proofs[Claim.DEPTH] = twin is not None and find_depth(case.reach, twin, case.start) == depth
    return Findings(
        optimum=least,
        proofs=list_proofs("transitive closure and search", proofs),
        extra={"plan": length, **({} if depth is None else {"depth": depth})},
    )


Colours = tuple[int, ...]


def canonical_key(instance: LinkInstance) -> str:
    """Return a digest that a case shares with its twin and with all that are the same otherwise.

    Whoever has seen a twin knows the other, and the answers of a split stay as even as they were
    drawn. A log is its rows in any order, with its parts in the order that gives the least form.
    """
    return _key_graph(instance) if instance.public.machine is None else _key_log(instance)


def _key_log(instance: LinkInstance) -> str:
    case = LogCase.of(instance.public)
    columns = {
        x: tuple(sorted((row.suspects, row.target, row.moved >> x & 1) for row in case.log))
        for x in range(len(case.others))
    }
    groups = [
        [x for x in columns if columns[x] == column] for column in sorted(set(columns.values()))
    ]
    forms = (
        sorted(
            [row.suspects, row.target, *(row.moved >> x & 1 for group in order for x in group)]
            for row in case.log
        )
        for order in product(*(permutations(group) for group in groups))
    )
    return digest(canonical_json(min(forms)))


def _key_graph(instance: LinkInstance) -> str:
    """Return the key of a graph: its reachability, what is active at first, who is asked about.

    Variables are told apart by colours, which are refined until nothing changes; where several
    still look alike, each is taken for the first of them in turn, and the least form counts. Those
    that have the same relatives can change places, so one of them stands for all.
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
