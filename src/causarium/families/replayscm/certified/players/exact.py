"""Players that list every system that fits, and differ in what they ask."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.scm.dag import bits
from ..mechanics.case import (
    Case,
    System,
    list_settling,
    list_systems,
    plan_questions,
    read_case,
    show_questions,
    tell_doubt,
    write_rule,
)
from ..mechanics.plan import Planner, TooLongError
from ..model import LETTERS, TRAIT, Answer, Ask, ReplayPublic

_MOST = 2_000

Chooser = Callable[[Planner, int, int, Random], int | None]
"""The question for the systems that still fit, with so many left; None: no more is asked."""


def play_exact(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Ask by a shortest plan, and answer by what is left."""
    yield from _play(public, rng, _choose_shortest)


def play_greedy(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Ask what leaves the fewest systems at worst."""
    yield from _play(public, rng, _choose_even)


def play_random_questions(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Ask any question on which the systems differ."""
    yield from _play(public, rng, _choose_any)


def play_without_questions(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Answer by what is shown alone."""
    yield from _play(public, rng, lambda *_: None)


def _choose_shortest(planner: Planner, systems: int, left: int, rng: Random) -> int | None:
    try:
        question = planner.choose(systems, left)
    except TooLongError:
        question = None
    return _choose_even(planner, systems, left, rng) if question is None else question


def _choose_even(planner: Planner, systems: int, _left: int, _rng: Random) -> int | None:
    rated = []
    for question, part in planner.splits:
        most = max(planner.count_answers(part & systems), planner.count_answers(systems & ~part))
        if most < planner.count_answers(systems):
            rated.append((most, question))
    return min(rated)[1] if rated else None


def _choose_any(planner: Planner, systems: int, _left: int, rng: Random) -> int | None:
    useful = [one for one, part in planner.splits if part & systems and systems & ~part]
    return rng.choice(useful) if useful else None


def _play(public: ReplayPublic, rng: Random, choose: Chooser) -> Moves:
    case = read_case(public)
    systems = list_systems(case, _MOST)
    left = (1 << len(systems)) - 1
    if case.bench:
        planner = plan_questions(case, systems)
        shown, size = show_questions(case.bench, case.law, systems), len(public.names)
        for number in range(case.bench.budget):
            if planner.count_answers(left) <= 1:
                break
            chosen = choose(planner, left, case.bench.budget - number, rng)
            if chosen is None:
                break
            question = case.bench.find_question(chosen, size)
            name = public.names[question.gauge]
            setting = {public.names[v]: value for v, value in question.setting.items()}
            seen = yield Ask(set=setting, read=name)
            ones = sum((column >> chosen & 1) << m for m, column in enumerate(shown))
            left &= ones if seen.data[name] else ~ones
    answers = _vote(public, case, [systems[m] for m in bits(left)])
    for one, plan in zip(public.plans, case.plans, strict=True):
        answers[one.id] = "".join(LETTERS[place] for place in list_settling(case, systems, plan))
    yield Answer(answers=answers)


def _vote(public: ReplayPublic, case: Case, systems: Sequence[System]) -> dict[str, str]:
    """Return the answer to each item that most systems give."""
    names = (*public.names, TRAIT)
    votes: dict[str, Counter[str]] = {name: Counter() for name in public.items}
    for one in systems:
        for v in case.rules_asked:
            votes[public.names[v]][write_rule(one.fit.rules[v], names)] += 1
        for place, world in zip(case.hands_asked, public.hands_asked, strict=True):
            hand = one.fit.hands[place]
            votes[world][public.names[hand] if hand is not None else public.with_rules[0]] += 1
        for whatif, doubt in zip(public.whatifs, case.doubts, strict=True):
            votes[whatif.id][tell_doubt(case.law, one.rules, doubt)] += 1
    return {name: said.most_common(1)[0][0] for name, said in votes.items() if said}
