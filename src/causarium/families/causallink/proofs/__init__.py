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
from functools import reduce
from math import comb
from operator import or_
from statistics import fmean

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.contract.episode import Episode
from causarium.families.causallink import FAMILY
from causarium.families.causallink.evidence.diagnosis import Case
from causarium.families.causallink.evidence.practice import find_depth, find_optimum
from causarium.families.causallink.mechanics import (
    OTHERS,
    Log,
    LogCase,
    Machine,
    build_machine,
)
from causarium.families.causallink.model.instance import (
    Answer,
    LinkInstance,
    LinkPublic,
    LinkSecret,
    MachinePublic,
    MachineSecret,
)
from causarium.families.causallink.players import inquire_optimally
from causarium.families.causallink.proofs.canonical_key import canonical_key
from causarium.families.causallink.proofs.recheck import FAULTS, Claim, list_proofs, recheck
from causarium.seeds import stream


def certify(instance: LinkInstance) -> Findings:
    """Prove that a case can be solved within its budget, and what those who do less can earn."""
    shown, secret = instance.public.machine, instance.secret.machine
    if shown is not None and secret is not None:
        return _certify_log(instance, shown, secret)
    return _certify_graph(instance)


def _certify_log(instance: LinkInstance, shown: MachinePublic, secret: MachineSecret) -> Findings:
    public, case = instance.public, LogCase.of(instance.public)
    left, truth = case.left, case.world(secret)
    suspects = {public.cause, shown.companion}
    machines = [build_machine(needs) for needs in secret.list_needs()]
    earned = {
        # Where nothing fits, any run is as good as another: the bound is that of certainty.
        "ignores_log": bound_without_log(case.machine, left) if left else 1.0,
        "ignores_law": bound_without_law(machines, case.log),
        "repeats_run": fmean(bound_repeating(machine, case.log) for machine in machines),
    }
    proofs = {
        Claim.LOG_ANSWER: secret.suspect in suspects
        and instance.secret.truth == (secret.suspect == public.cause),
        Claim.TOGETHER: all(len(suspects & set(row.moved)) != 1 for row in shown.log),
        Claim.FITS: truth in case.machine.list_fitting(left),
        Claim.COUNT: left.bit_count() == instance.facets.get("worlds"),
        Claim.SURE: bool(left) and case.machine.has_sure(left),
        Claim.LAWS: shown.needs in secret.list_needs() and earned["ignores_law"] <= 1 / 3 + 1e-9,
        Claim.REPEATS: earned["repeats_run"] == 0,
    }
    return Findings(
        optimum=1,
        proofs=list_proofs("bit sets over all worlds", proofs),
        bounds=earned,
        extra={"sure_run": list(case.list_names(case.machine.find_best(left))) if left else []},
    )


# Given all that is shown, the truth is even over the worlds that fit, so whoever plays a background
# earns the share of them in which it is decisive, however it came to be chosen.
def bound_without_log(machine: Machine, left: int) -> float:
    """Return what the best number of others earns, if which of them move is chance.

    Args:
        machine: The machine.
        left: The worlds that fit the log, at least one.
    """
    sums = [0.0] * (OTHERS + 1)
    for background in machine.backgrounds:
        sums[background.bit_count()] += machine.share(left, background)
    return max(total / comb(OTHERS, size) for size, total in enumerate(sums))


def bound_without_law(machines: Sequence[Machine], log: Log) -> float:
    """Return what the best run earns on average over laws, if it is chosen without the law.

    Args:
        machines: The machines of the laws under which the log is shown.
        log: The log.
    """
    pairs = [(machine, machine.fit_all(log)) for machine in machines]
    if not all(left for _, left in pairs):
        return 1.0
    return max(
        fmean(machine.share(left, background) for machine, left in pairs)
        for background in machines[0].backgrounds
    )


def bound_repeating(machine: Machine, log: Log) -> float:
    """Return in how large a share of the worlds that fit some run of the log is decisive."""
    left = machine.fit_all(log)
    some = reduce(or_, (machine.decisive[row.moved] for row in log))
    return (left & some).bit_count() / left.bit_count() if left else 1.0


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


PROOFS: Proofs[LinkPublic, LinkSecret] = Proofs(
    certify=certify, recheck=recheck, faults=FAULTS, canonical_key=canonical_key
)
