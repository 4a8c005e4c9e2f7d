"""What is proven about each instance: what fits, what questions settle, and how few do."""

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from ..mechanics.case import (
    Case,
    System,
    list_settling,
    list_systems,
    plan_questions,
    read_case,
    tell_doubt,
)
from ..mechanics.fits import TooManyError
from ..mechanics.plan import Planner, TooLongError
from ..mechanics.systems import OUTSIDE
from ..model import LETTERS, TRAIT, ReplayInstance, ReplayPublic, ReplaySecret
from ..play.examine import examine_answers
from .canonical_key import canonical_key
from .claims import Claim, list_proofs
from .recheck import recheck

_MOST = 2_000
_MOST_QUESTIONS = 12
_LEFT = 2
_BY = "complete count"


def certify(instance: ReplayInstance) -> Findings:
    """Return the findings on an instance, from its public part and the true system."""
    case = read_case(instance.public)
    try:
        systems = list_systems(case, _MOST)
    except TooManyError:
        return Findings(optimum=None, proofs=list_proofs(_BY, {Claim.FITS: False}))
    planner = plan_questions(case, systems)
    true = [m for m, one in enumerate(systems) if is_true(instance, one)]
    budget = case.bench.budget if case.bench else 0
    proofs = {
        Claim.FITS: len(true) == 1,
        Claim.OPEN: not case.bench or _is_open(case, systems),
        Claim.SETTLED: planner.can_settle(),
        Claim.FEWEST: _find_fewest(planner, budget) == budget,
        Claim.PLAN: _has_plans(case, systems),
        Claim.KEY: bool(true) and _has_answers(instance, case, systems[true[0]], systems),
    }
    alone = planner.find_least_for(true[0], _MOST_QUESTIONS) if true else None
    return Findings(
        optimum=float(budget),
        proofs=list_proofs(_BY, proofs),
        extra={"systems": len(systems), "fewest_in_hindsight": alone},
    )


def is_true(instance: ReplayInstance, system: System) -> bool:
    """Tell whether a system is the true one."""
    public, secret = instance.public, instance.secret
    names = (*public.names, TRAIT)
    for v, rule in system.fit.rules.items():
        true = secret.rules.get(public.names[v])
        said = (tuple(names[c] for c in rule.causes), rule.table)
        if (rule == OUTSIDE) != (true is None):
            return False
        if true is not None and said != (true.causes, true.table):
            return False
    if not secret.traits:
        return True
    digits = "".join(str(system.fit.traits >> u & 1) for u in range(len(secret.traits) - 1))
    own = str(system.trait) if public.asking else secret.traits[-1]
    return digits + own == secret.traits


def _is_open(case: Case, systems: list[System]) -> bool:
    return all(len({one.fit.rules[v] for one in systems}) > 1 for v in case.rules_asked)


def _has_plans(case: Case, systems: list[System]) -> bool:
    return all(
        len({one.fit.rules[plan.variable] for one in systems}) == _LEFT
        and len(list_settling(case, systems, plan)) == 1
        for plan in case.plans
    )


def _find_fewest(planner: Planner, budget: int) -> int | None:
    try:
        return planner.find_fewest(budget)
    except TooLongError:
        return None


def _has_answers(
    instance: ReplayInstance, case: Case, system: System, systems: list[System]
) -> bool:
    public = instance.public
    meant = examine_answers(public, instance.secret.answers)
    rules = {public.names[v]: system.fit.rules[v] for v in case.rules_asked}
    hands = {
        world: None if hand is None else public.names[hand]
        for world, hand in zip(
            public.hands_asked, (system.fit.hands[place] for place in case.hands_asked), strict=True
        )
    }
    doubts = {
        one.id: tell_doubt(case.law, system.rules, doubt)
        for one, doubt in zip(public.whatifs, case.doubts, strict=True)
    }
    plans = {
        one.id: "".join(LETTERS[place] for place in list_settling(case, systems, plan))
        for one, plan in zip(public.plans, case.plans, strict=True)
    }
    return not meant.faults and meant.rules == rules and meant.words == {**hands, **doubts, **plans}


def _turn_rule(instance: ReplayInstance) -> ReplayInstance | None:
    """Return the instance with one true rule turned into its opposite."""
    rules = dict(instance.secret.rules)
    name = next(iter(sorted(rules)))
    ones = (1 << (1 << len(rules[name].causes))) - 1
    rules[name] = rules[name].model_copy(update={"table": rules[name].table ^ ones})
    secret = instance.secret.model_copy(update={"rules": rules})
    return instance.model_copy(update={"secret": secret})


def _change_key(instance: ReplayInstance) -> ReplayInstance | None:
    """Return the instance with a wrong answer to its first item."""
    item = instance.public.items[0]
    public = instance.public
    wrong = {**instance.secret.answers}
    said = wrong[item]
    wrong[item] = said.removeprefix("not ") if said.startswith("not ") else f"not ({said})"
    if said in {"0", "1"}:
        wrong[item] = "1" if said == "0" else "0"
    if said == "outside":
        wrong[item] = next(name for name in public.names if name != item)
    secret = instance.secret.model_copy(update={"answers": wrong})
    return instance.model_copy(update={"secret": secret})


def _drop_world(instance: ReplayInstance) -> ReplayInstance | None:
    """Return the instance without the worlds in which something was set."""
    public = instance.public
    if public.rung > 2 and public.asking:
        return None
    kept = tuple(w for w in public.worlds if w.hand == ())[:1] or public.worlds[:1]
    changed = public.model_copy(update={"worlds": kept, "hands_asked": ()})
    return instance.model_copy(update={"public": changed})


def _add_question(instance: ReplayInstance) -> ReplayInstance | None:
    """Return the instance with one question too many."""
    asking = instance.public.asking
    if asking is None:
        return None
    more = asking.model_copy(update={"budget": asking.budget + 1})
    return instance.model_copy(
        update={"public": instance.public.model_copy(update={"asking": more})}
    )


PROOFS: Proofs[ReplayPublic, ReplaySecret] = Proofs(
    certify=certify,
    recheck=recheck,
    canonical_key=canonical_key,
    faults={
        "a rule is another one": _turn_rule,
        "an answer is wrong": _change_key,
        "too little is shown": _drop_world,
        "a question can be spared": _add_question,
    },
    # An answer may stand in a prompt as an option, or as two names of a list.
    revealed_fields=frozenset({"answers"}),
)
