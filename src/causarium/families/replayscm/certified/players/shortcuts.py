"""Programs that fit each rule by itself: no trait, no planning, no question."""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from ..mechanics.case import Case, foretell, list_traits, read_case, suppose, write_rule
from ..mechanics.fits import Evidence
from ..mechanics.systems import TABLES, Rule, sort_rules
from ..model import LETTERS, TRAIT, Answer, ReplayPublic

Chooser = Callable[[Case, int, list[int]], Rule]
"""The rule of a variable, given the rows in which it may hold."""


def play_fewest_mistakes(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Take for each rule the one with the fewest mistakes in the rows shown."""
    yield _answer(public, rng, _choose_fewest)


def play_agreeing(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Take as causes the variables that most often agree or disagree, and then the best table."""
    yield _answer(public, rng, _choose_agreeing)


def _choose_fewest(case: Case, v: int, rows: list[int]) -> Rule:
    others = [one for one in range(case.law.size) if one != v]
    choices = combinations(others, case.law.causes)
    rules = [Rule(causes, table) for causes in choices for table in TABLES[case.law.causes]]
    return min(rules, key=lambda rule: _count_mistakes(rule, v, rows))


def _choose_agreeing(case: Case, v: int, rows: list[int]) -> Rule:
    def rate(other: int) -> int:
        alike = sum((row >> v ^ row >> other) & 1 for row in rows)
        return -abs(2 * alike - len(rows))

    others = sorted((one for one in range(case.law.size) if one != v), key=rate)
    causes = tuple(sorted(others[: case.law.causes]))
    rules = [Rule(causes, table) for table in TABLES[case.law.causes]]
    return min(rules, key=lambda rule: _count_mistakes(rule, v, rows))


def _count_mistakes(rule: Rule, v: int, rows: Sequence[int]) -> int:
    wrong = 0
    for row in rows:
        pattern = sum((row >> cause & 1) << j for j, cause in enumerate(rule.causes))
        wrong += (rule.table >> pattern ^ row >> v) & 1
    return wrong


def _answer(public: ReplayPublic, rng: Random, choose: Chooser) -> Answer:
    """Return answers from rules that are chosen one by one; what they leave open is guessed."""
    case, names = read_case(public), (*public.names, TRAIT)
    rules = {}
    for v in case.law.with_rules:
        shown = [world.rows for world in case.worlds if v not in (world.hand or ())]
        rules[v] = choose(case, v, [row for rows in shown for row in rows])
    answers = {public.names[v]: write_rule(rules[v], names) for v in case.rules_asked}
    unnamed = [world for world in case.worlds if world.hand is None]
    for place, name in zip(case.hands_asked, public.hands_asked, strict=True):
        answers[name] = public.names[_find_hand(rules, unnamed[place])]
    for doubt, one in zip(case.doubts, public.whatifs, strict=True):
        answers[one.id] = rng.choice("01?")
        try:
            ordered = sort_rules(rules)
        except ValueError:  # Rules chosen one by one may form a cycle.
            continue
        if list_traits(case.law, ordered, doubt.row):
            cases = suppose(case.law, doubt.row, [doubt.setting])
            said = foretell(case.law, ordered, doubt.row, cases)
            answers[one.id] = str(said.can_be_1[doubt.variable])
    return Answer(answers=answers | {one.id: rng.choice(LETTERS) for one in public.plans})


def _find_hand(rules: dict[int, Rule], world: Evidence) -> int:
    """Return the variable whose rule is broken most often in a world."""
    return max(rules, key=lambda v: _count_mistakes(rules[v], v, world.rows))
