"""Certified edition: the verdict on a problem, from the instance and the turns alone.

`exact` is the one number that counts: 1 if every function is the true one (the trait and its
opposite are one), and where worlds are asked for, if what was shown leaves no other model; of a
what-if question, if every cell is right. How an answer was spelt does not enter it.
"""

from collections.abc import Mapping
from math import nan
from pathlib import Path

from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from causarium.scm.boolean.truth_table import column
from causarium.scm.dag import bits
from ..mechanics import mask_names
from ..model.instance import ReplayInstance
from ..play.examine_units import UnitAnswer
from ..play.world import UnitPlay

TABLES = read_metrics(Path(__file__).parents[1] / "metrics.toml")
"""The numbers of either edition."""
UNIT_METRICS = TABLES["certified"]
"""The numbers of the certified edition."""


def score_units(instance: ReplayInstance, play: UnitPlay) -> Verdict:
    """Write the verdict on a problem that was played."""
    numbers = dict.fromkeys(UNIT_METRICS, nan)
    answer = play.answer
    numbers["valid"] = float(answer is not None)
    if instance.public.budget:
        numbers["settled"] = float(answer is not None and _leaves_one_model(instance, play))
        numbers["questions"] = float(len(play.asked))
        numbers["asked"] = float(play.had_to_be_asked)
    # Without an answer nothing is right, in all that an answer of this level is compared in.
    names = instance.public.variables
    none = (0,) * len(names)
    model = answer if isinstance(answer, UnitAnswer) else UnitAnswer(none, none, None, None, 0)
    if row := instance.secret.row:
        said = dict(zip(names, answer, strict=True)) if isinstance(answer, tuple) else {}
        right = [said.get(name) == bit for name, bit in row.items()]
        numbers |= {"exact": float(all(right)), "cells_right": sum(right) / len(right)}
    else:
        numbers |= _compare_models(instance, model)
        if numbers["settled"] == 0:
            numbers["exact"] = 0.0
    numbers[SLIPS] = float(play.slips + model.slips)
    return Verdict(
        numbers=numbers,
        labels={"outcome": _name_outcome(play, numbers), "fault": _name_fault(play)},
        answer=_describe_answer(instance, play),
        explanation=_explain(instance, play, numbers),
    )


def _leaves_one_model(instance: ReplayInstance, play: UnitPlay) -> bool:
    # Loaded here: most problems ask for nothing, and numpy is a fifth of a first session.
    from causarium.scm.boolean.unit_fits import UnitFits
    from ..evidence.ask_by_gain import is_settled, unit_law, unit_worlds

    shown = unit_worlds(instance.public, play.asked)
    return is_settled(UnitFits(unit_law(instance.public), shown))


def _compare_models(instance: ReplayInstance, answer: UnitAnswer) -> dict[str, float]:
    public, secret = instance.public, instance.secret
    names = (*public.variables, *public.traits)
    gold = {
        public.variables.index(name): (mask_names(one.parents, names), int(one.table, 16))
        for name, one in secret.gold.items()
    }
    said = {v: (answer.parents[v], answer.tables[v]) for v in gold}
    trait = 1 << len(public.variables)
    flipped = {v: (mask, _flip(mask, table, trait)) for v, (mask, table) in gold.items()}
    best = max((gold, flipped), key=lambda truth: _count_equal(truth, said))
    right = _count_equal(best, said)
    true_arrows = sum(mask.bit_count() for mask, _ in gold.values())
    said_arrows = sum(mask.bit_count() for mask, _ in said.values())
    common = sum((gold[v][0] & said[v][0]).bit_count() for v in gold)
    found = {
        "exact": float(right == len(gold)),
        "mechanisms_right": right / len(gold),
        "parent_f1": 2 * common / (true_arrows + said_arrows),
    }
    if secret.traits is not None:
        opposite = secret.traits.translate({48: 49, 49: 48})
        found["hidden_right"] = float(answer.traits in (secret.traits, opposite))
    if secret.touched is not None:
        given = answer.touched or (frozenset[str](),) * len(secret.touched)
        hits = [frozenset(true) == one for true, one in zip(secret.touched, given, strict=True)]
        found["touched_right"] = sum(hits) / len(hits)
    return found


def _count_equal(truth: Mapping[int, tuple[int, int]], said: Mapping[int, tuple[int, int]]) -> int:
    return sum(truth[v] == said[v] for v in truth)


def _flip(mask: int, table: int, trait: int) -> int:
    """Return a table with the trait read as its opposite."""
    if not mask & trait:
        return table
    arity, place = mask.bit_count(), list(bits(mask)).index(trait.bit_length() - 1)
    ones, width = column(place, arity), 1 << place
    return (table & ones) >> width | table << width & ones


def _name_outcome(play: UnitPlay, numbers: Mapping[str, float]) -> str:
    if numbers["exact"] == 1:
        return "right"
    if play.answer is not None:
        return "wrong"
    is_unread = play.fault is not None or play.unread is not None
    if play.had_to_be_asked and not (play.sent_back and is_unread):
        return "ran out of budget"
    return "unreadable" if is_unread else "silent"


def _name_fault(play: UnitPlay) -> str:
    if play.answer is not None:
        return "none"
    if play.fault is not None:
        return play.fault.fault
    return "unread" if play.unread is not None else "none"


def _describe_answer(instance: ReplayInstance, play: UnitPlay) -> str | None:
    if play.answer is None:
        return None
    if isinstance(play.answer, UnitAnswer):
        return f"{len(instance.secret.gold)} formulas"
    pairs = zip(instance.public.variables, play.answer, strict=True)
    return ", ".join(f"{name}={bit}" for name, bit in pairs)


def _explain(instance: ReplayInstance, play: UnitPlay, numbers: Mapping[str, float]) -> str:
    if play.answer is None:
        if play.fault is not None:
            return f"The answer counts as nothing: {play.fault.detail}."
        return "No answer was handed in that could be read."
    if instance.public.setting == "whatif":
        return f"{numbers['cells_right']:.0%} of the values are right."
    said = f"{numbers['mechanisms_right']:.0%} of the mechanisms are the true functions."
    if numbers["settled"] == 0:
        said += " What was asked for leaves more than one model."
    return said
