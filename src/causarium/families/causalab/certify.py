"""The certificate: the mechanism is determined within the budget, by which plan, and how cheaply.

What is proven, and over what, is in `experiment_plans.py` (exact arithmetic, any real coefficients)
and in `precision.py` (the worst that rounding and disturbances can do). What no experiment can
settle is computed as a class (`indistinguishable.py`), every member of which the scorer accepts.
What nobody can know or hit without an intervention is in `passive_bounds.py`.
"""

from typing import Any

from causarium.contract.certificate import Findings, Proof
from causarium.families.causalab.config import FormName, LabConfig
from causarium.families.causalab.evidence.experiment_plans import (
    Fewest,
    chain_determines,
    fewest,
    least_interventions,
    observation_determines,
)
from causarium.families.causalab.evidence.indistinguishable import class_size
from causarium.families.causalab.evidence.passive_bounds import passive_bound, shows_the_same
from causarium.families.causalab.evidence.precision import Precision, precision
from causarium.families.causalab.generation.mechanism_law import sample_mechanisms
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.scoring.grade_hypothesis import WEIGHT_TOLERANCE
from causarium.seeds import stream

MAX_ROUNDS = 4
OTHERS = 8
"""How many other mechanisms are made to show the same readings."""
OTHERS_DRAWN = 64
"""From so many mechanisms of the law, which all instances share, each takes its own."""
MOST_BY_LUCK = 0.1
"""No guess without an intervention may hit the target more often than this."""


def certify(instance: LabInstance) -> Findings:
    """Prove what can be proven about one instance."""
    proofs = [_range_proof(instance), _replay_proof(instance)]
    luck: dict[str, Any] = {}
    if not instance.public.printed_order:
        proofs.append(_information_proof(instance))
        if (bound := passive_bound(instance.public, _law(instance).form)) is not None:
            proofs.append(_luck_proof(bound))
            luck["passive_bound"] = bound
    if instance.public.chain or not instance.public.budget:
        return _certify_given(instance, proofs)
    fitted = _fitting_plan(instance)
    if instance.public.hidden is None:
        found = fewest(instance)
    else:
        # What exact readings would settle, disturbed ones need not: only the played plan counts.
        enough = fitted is not None and _is_precise_enough(fitted, instance)
        most = fitted.interventions if fitted and enough else None
        found = Fewest(least_interventions(instance), most, ())
    proofs += _plan_proofs(instance, found, fitted)
    exact = found.exact
    return Findings(
        optimum=None if exact is None else float(exact),
        proofs=tuple(proofs),
        extra={**_describe_determined(instance, found), **_plan_facts(instance, fitted), **luck},
    )


def _describe_determined(instance: LabInstance, found: Fewest) -> dict[str, Any]:
    size = class_size(instance)
    if instance.public.hidden is not None:
        what = "graph, and coefficients to within coefficient_error"
    else:
        what = "mechanism" if size == 1 else "mechanism up to its class"
    return {
        "determined": what,
        "class_size": size,
        "fewest_at_least": found.at_least,
        "fewest_at_most": found.at_most,
        "shortest_plan": [
            {"property": instance.public.names[step.node], "value": step.value}
            for step in found.plan
        ],
    }


def _plan_facts(instance: LabInstance, fitted: Precision | None) -> dict[str, Any]:
    if fitted is None:
        return {}
    where = "to the far end of its range" if instance.public.form == "linear" else "to a level"
    first = "after a reset, " if instance.public.resets else ""
    return {
        "plan": f"{first}put every property {where}, in listing order, {fitted.rounds} time(s)",
        "plan_interventions": fitted.interventions,
        "coefficient_error": fitted.coefficient_error,
        "prediction_error": fitted.prediction_error,
        "weight_error": fitted.weight_error,
    }


def _range_proof(instance: LabInstance) -> Proof:
    low, high = instance.public.reactor_range
    return Proof(
        claim="the target lies inside the range that the reactor can be tuned to",
        method="comparison",
        holds=low <= instance.secret.target <= high,
    )


def _replay_proof(instance: LabInstance) -> Proof:
    public, secret = instance.public, instance.secret
    mechanism = secret.mechanism(public)

    common = secret.base_frequency
    frequencies = secret.record_base_frequencies or (common,) * len(public.records)

    def agrees(bases: tuple[float, ...], values: tuple[float, ...]) -> bool:
        return tuple(mechanism.evaluate(bases)) == values

    start = public.manipulator
    crystals = [
        ((*secret.manipulator_bases, common), (*start.values, start.frequency)),
        ((*secret.reactor_bases, common), (*public.reactor, secret.target)),
        *(
            ((*bases, base), (*r.values, r.frequency))
            for bases, base, r in zip(secret.record_bases, frequencies, public.records, strict=True)
        ),
    ]
    return Proof(
        claim="every crystal that is shown, and the target, follow from the one mechanism",
        method="replay",
        holds=all(agrees(bases, values) for bases, values in crystals),
    )


def _law(instance: LabInstance) -> LabConfig:
    """Return a configuration under which such a mechanism can be drawn."""
    public = instance.public
    told: FormName = "hard-quadratic" if _is_hard(instance) else public.form
    return LabConfig(
        nodes=len(public.nodes), form=told, frequency_parent=public.frequency_may_cause
    )


def _is_hard(instance: LabInstance) -> bool:
    return instance.facets.get("form") == "hard-quadratic"


def _information_proof(instance: LabInstance) -> Proof:
    public, law = instance.public, _law(instance)
    drawn = sample_mechanisms(
        law.nodes, law.form, frequency_parent=law.frequency_parent, count=OTHERS_DRAWN
    )
    others = stream(0, "causalab", "other mechanisms", instance.id).sample(drawn, OTHERS)
    what = "exactly these property readings" if public.calibrated else "exactly these readings"
    return Proof(
        claim=f"zero information: every mechanism of the form shows {what}",
        method="replay under other mechanisms",
        holds=shows_the_same(public, others),
    )


def _luck_proof(bound: float) -> Proof:
    return Proof(
        claim="passive bound: without an intervention nobody hits the target with probability "
        f"above {bound:.4f}",
        method="highest density of one term",
        holds=bound <= MOST_BY_LUCK,
    )


def _fitting_plan(instance: LabInstance) -> Precision | None:
    """Return the shortest round-by-round plan that pins down enough, or the longest tried."""
    found = None
    count = len(instance.public.properties)
    for rounds in range(1 if instance.public.form == "linear" else 2, MAX_ROUNDS + 1):
        if rounds * count > instance.public.budget:
            break
        found = precision(instance, rounds) or found
        if found and _is_precise_enough(found, instance):
            break
    return found


def _is_precise_enough(found: Precision, instance: LabInstance) -> bool:
    return (
        found.edges_told_apart
        and found.prediction_error <= instance.public.tolerance
        and found.weight_error <= WEIGHT_TOLERANCE
    )


def _plan_proofs(instance: LabInstance, found: Fewest, fitted: Precision | None) -> list[Proof]:
    public, at_most = instance.public, found.at_most
    played = "plan played, worst-case error of the fit"
    if public.hidden is not None:
        method, left = played, "leave no other graph"
    else:
        method, left = "exact plan, rank modulo a prime", "read exactly, leave no other mechanism"
    return [
        Proof(
            claim=f"{at_most} interventions, of {public.budget}, {left} of the stated form",
            method=method,
            holds=at_most is not None and at_most <= public.budget,
        ),
        Proof(
            claim=f"fewer than {found.at_least} interventions always leave another mechanism",
            method="counting conditions and unknowns",
            holds=at_most is None or found.at_least <= at_most,
        ),
        Proof(
            claim="a plan that needs no foreknowledge, within the budget, tells every arrow from "
            "none in spite of rounding and disturbance",
            method=played,
            holds=fitted is not None and fitted.edges_told_apart,
        ),
        Proof(
            claim="the same plan predicts the reactor's frequency within the tolerance",
            method=played,
            holds=fitted is not None and fitted.prediction_error <= public.tolerance,
        ),
        Proof(
            claim="the same plan finds the frequency's coefficients within the scorer's tolerance",
            method=played,
            holds=fitted is not None and fitted.weight_error <= WEIGHT_TOLERANCE,
        ),
    ]


def _certify_given(instance: LabInstance, proofs: list[Proof]) -> Findings:
    """Certify an instance in which nothing can be done, only read."""
    proofs.append(
        Proof(
            claim="the readings that are given determine the frequency's equation",
            method="rank modulo a prime",
            holds=observation_determines(instance.public),
        )
    )
    whole = False
    if instance.public.chain:
        whole = chain_determines(instance)
        proofs.append(
            Proof(
                claim="the chain that is given leaves no other mechanism of the stated form",
                method="replay, rank modulo a prime",
                holds=whole,
            )
        )
    return Findings(
        optimum=0.0,
        proofs=tuple(proofs),
        extra={
            "determined": "mechanism" if whole else "the frequency's equation, all that is graded",
            "class_size": class_size(instance) if whole else None,
            "observational": not whole,
        },
    )
