"""Choose what is asked of a case, so that every item is open and the questions allowed settle all.

All choices but those of what-ifs are made from what every system that fits would show and answer,
before it is drawn which of them is the true one.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations
from random import Random
from statistics import fmean

from causarium.scm.dag import bits
from ..levels import ReplayConfig
from ..mechanics.case import (
    Bench,
    Case,
    Doubt,
    Outcomes,
    Plan,
    System,
    foretell,
    show_settings,
    suppose,
)
from ..mechanics.plan import Planner, Split, TooLongError, list_settings, list_splits
from ..model import LETTERS
from .disguise import Drawn
from .truths import Truth

_GAUGE_CHOICES = 24
"""The number of choices of gauges that are compared."""
_GAUGE_TRIES = 4
_CASE_TRIES = 4
_TRUTH_TRIES = 4
_DOUBT_TRIES = 4
_NODES = 60
"""The largest number of nodes of a search: a plan that takes longer is not looked for."""
_ROUNDS = 24
"""The games of chance questions from which it is estimated what they leave open."""
_LIKELIEST = 0.51
"""The largest share of systems with the same answer to an item."""
_SETTINGS = 60
"""The number of settings from which a what-if is chosen."""
_CHOICES_TRIED = 40
"""The number of what-ifs that are tried for a row."""
_LEAST_RULES, _MOST_RULES = 2, 4
"""The number of open rules that are asked for."""
_RULES_TRIED = 6
"""The number of open rules, the most open ones, of which some are asked for."""


class ItemChooser:
    """Chooses what is asked of a case, given the systems that fit it."""

    def __init__(
        self,
        config: ReplayConfig,
        truth: Truth,
        case: Case,
        systems: Sequence[System],
        rng: Random,
    ) -> None:
        self.config, self.truth, self.case, self.rng = config, truth, case, rng
        self.systems = systems
        self.rules_said = {
            v: _number([one.fit.rules[v] for one in systems]) for v in sorted(truth.rules)
        }
        """For each variable, the rule that each system has, as a number."""
        unnamed = sum(1 for world in case.worlds if world.hand is None)
        hands = [[one.fit.hands[place] for one in systems] for place in range(unnamed)]
        self.hands_said = [[] if None in said else _number(said) for said in hands]
        """For each unnamed hand, the variable in each system, as a number; none if one has none."""
        self.told: list[list[Outcomes]] = []
        """For each row of a what-if, what each system says of the settings it may have."""
        self.supposed: list[dict[int, int]] = []
        """The settings of two variables from which what-ifs are chosen."""

    def choose_settled(self) -> Drawn | None:
        """Return the case with items on all that is settled; None if that is not all."""
        if len(self.systems) > 1:
            return None
        hands = self._list_hands(1.0)
        doubts = self._choose_doubts(self._list_doubts([0]), 0)
        if len(hands) < self.config.hands_asked or doubts is None:
            return None
        asked = tuple(sorted(self.truth.rules))
        chosen = tuple(sorted(self.rng.sample(hands, self.config.hands_asked)))
        found = self.case._replace(rules_asked=asked, hands_asked=chosen, doubts=doubts)
        return self._end_with(found, 0)

    def choose_open(self) -> Drawn | None:
        """Return the case with items that questions settle; None if it has too few."""
        cases = self._list_cases()
        if not cases:
            return None
        law = self.truth.law
        outside = {v: self.rng.getrandbits(1) for v in sorted(law.outside or ())}
        shown = show_settings(law, outside, self.systems)
        for gauges in self._list_gauges(shown):
            bench = Bench(0, gauges, outside)
            seen = [bench.join_columns(columns) for columns in shown]
            alike = _number(seen)
            settled = [case for case in cases if self._are_settled(case, alike)]
            splits = list_splits(seen) if settled else []
            for case in settled[:_CASE_TRIES]:
                planner = Planner(splits, self._answer(case), most_nodes=_NODES)
                number = (planner.count_answers(planner.all) - 1).bit_length()
                if not _takes(planner, number) or not self._resists_chance(case, planner, number):
                    continue
                asking = case._replace(bench=bench._replace(budget=number))
                drawn = self._plant_truth(asking, alike, planner)
                if drawn is not None:
                    return drawn
        return None

    def _list_gauges(self, shown: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """Return those of some choices of gauges that tell the most systems apart."""
        numbers = {v: _number([columns[v] for columns in shown]) for v in sorted(self.truth.rules)}
        moving = [v for v, said in numbers.items() if max(said)]
        choices = list(combinations(moving, self.config.gauges))
        rated = []
        for gauges in self.rng.sample(choices, min(len(choices), _GAUGE_CHOICES)):
            alike = set(zip(*(numbers[gauge] for gauge in gauges), strict=True))
            rated.append((-len(alike), gauges))
        return [gauges for _, gauges in sorted(rated)[:_GAUGE_TRIES]]

    def _list_cases(self) -> list[Case]:
        """Return cases with open rules, and a hand, of as many joint answers as there should be."""
        fewest, highest = self.config.questions
        open_rules = [(_rate_likeliest(said), v) for v, said in self.rules_said.items()]
        evenest = sorted(one for one in open_rules if one[0] <= _LIKELIEST)[:_RULES_TRIED]
        hands: list[tuple[int, ...]] = [(place,) for place in self._list_hands(_LIKELIEST)]
        rules = sorted(v for _, v in evenest)
        cases = [
            self.case._replace(rules_asked=asked, hands_asked=hand, doubts=())
            for number in range(_LEAST_RULES, _MOST_RULES + 1)
            for asked in combinations(rules, number)
            for hand in (*hands[: self.config.hands_asked], ())
        ]
        least, most = (1 << fewest - 1) + 1, 1 << highest
        found = [one for one in cases if least <= len(set(self._answer(one))) <= most]
        return self.rng.sample(found, len(found))

    def _are_settled(self, case: Case, alike: Sequence[int]) -> bool:
        """Tell whether questions settle the rules and hands of a case."""
        return all(_is_settled(alike, said) for said in self._list_said(case))

    def _list_said(self, case: Case) -> list[list[int]]:
        """Return, for each rule and hand that is asked for, what each system says."""
        said = [self.rules_said[v] for v in case.rules_asked]
        return said + [self.hands_said[place] for place in case.hands_asked]

    def _resists_chance(self, case: Case, planner: Planner, number: int) -> bool:
        """Tell whether chance questions leave enough open."""
        answers = self._answer(case)
        right = [self._ask_by_chance(planner, answers, number) for _ in range(_ROUNDS)]
        return fmean(right) <= self.config.chance_right

    def _ask_by_chance(
        self, planner: Planner, answers: Sequence[tuple[int, ...]], number: int
    ) -> float:
        """Return the share of items that the likeliest answers get right after chance questions."""
        true = 1 << self.rng.randrange(planner.count)
        left = planner.all
        for _ in range(number):
            useful = [part for _, part in planner.splits if part & left and ~part & left]
            if not useful or planner.count_answers(left) == 1:
                break
            part = self.rng.choice(useful)
            left &= part if part & true else ~part
        here = [answers[m] for m in bits(left)]
        return fmean(
            Counter(answer[item] for answer in here).most_common(1)[0][1] / len(here)
            for item in range(len(here[0]))
        )

    def _plant_truth(self, case: Case, alike: Sequence[int], planner: Planner) -> Drawn | None:
        """Return the case with one of the systems as the true one; None if none is hard enough.

        All that was shown is the same whichever is true. Each joint answer is as likely to be the
        true one, among those that luck does not prove with half the questions.
        """
        number = case.bench.budget if case.bench else 0
        choices = self._list_doubts(alike)
        if not all(choices):
            return None
        for one in self.rng.sample(planner.classes, len(planner.classes))[:_TRUTH_TRIES]:
            true = self.rng.choice(list(bits(one)))
            if planner.find_least_for(true, number // 2) is not None:
                continue
            for _ in range(_DOUBT_TRIES):
                doubts = self._choose_doubts(choices, true)
                if doubts is None:
                    break
                found = case._replace(doubts=doubts)
                answers = self._answer(found)
                if len(set(answers)) > 1 << number:
                    continue
                if _takes(Planner(planner.splits, answers, most_nodes=_NODES), number):
                    return self._plan_items(found, planner.splits, true)
        return None

    def _plan_items(self, case: Case, splits: Sequence[Split], true: int) -> Drawn | None:
        """Return the case with an item on planning where it is to have one; None if it can't."""
        if not self.config.plans:
            return self._end_with(case, true)
        useful = {part: question for question, part in splits}
        settling = {}
        for v, said in self.rules_said.items():
            part = sum(1 << m for m, rule in enumerate(said) if not rule)
            if max(said) == 1 and part in useful:
                settling[v] = part
        if not settling or len(useful) < len(LETTERS):
            return None
        v = self.rng.choice(sorted(settling))
        others = [question for part, question in useful.items() if part != settling[v]]
        asked = [useful[settling[v]], *self.rng.sample(others, len(LETTERS) - 1)]
        order = self.rng.sample(range(len(LETTERS)), len(LETTERS))
        bench, size = case.bench, case.law.size
        options = tuple(bench.find_question(asked[place], size) for place in order if bench)
        found = case._replace(plans=(Plan(v, options),))
        return self._end_with(found, true, (LETTERS[order.index(0)],))

    def _end_with(self, case: Case, true: int, letters: tuple[str, ...] = ()) -> Drawn:
        system = self.systems[true]
        unnamed = [place for place, world in enumerate(case.worlds) if world.hand is None]
        # A hand that broke no rule is as it was drawn: it shows nowhere.
        hands = tuple(
            self.truth.hands[place - 1] if hand is None else hand
            for place, hand in zip(unnamed, system.fit.hands, strict=True)
        )
        return Drawn(case, system.rules, hands, system.fit.traits, system.trait, letters)

    def _answer(self, case: Case) -> list[tuple[int, ...]]:
        """Return the answers of each system, as numbers."""
        said = self._list_said(case)
        for told, doubt in zip(self.told, case.doubts, strict=False):
            q, v = self.supposed.index(doubt.setting), doubt.variable
            said.append([_tell(one, v, q) for one in told])
        return list(zip(*said, strict=True))

    def _list_hands(self, most: float) -> list[int]:
        """Return unnamed hands that show somewhere, and whose likeliest one is not too likely."""
        found = [
            place
            for place, said in enumerate(self.hands_said)
            if said and _rate_likeliest(said) <= most
        ]
        return self.rng.sample(found, len(found))

    def _list_doubts(self, alike: Sequence[int]) -> list[list[tuple[int, int]]]:
        """Return what-ifs for each row, open and settled: a variable, and a setting's place."""
        if not self.told:
            self._foretell_rows()
        found = []
        for told in self.told:
            choices = [
                (v, q)
                for v in sorted(self.truth.rules)
                for q in (bits(_differ(told, v)) if len(told) > 1 else range(len(self.supposed)))
                if v not in self.supposed[q]
            ]
            tried = self.rng.sample(choices, min(len(choices), _CHOICES_TRIED))
            found.append([one for one in tried if self._is_open(alike, told, *one)])
        return found

    def _choose_doubts(
        self, choices: Sequence[Sequence[tuple[int, int]]], true: int
    ) -> tuple[Doubt, ...] | None:
        """Return the what-ifs, with the answers they are to have; None if a row has none."""
        chosen = []
        rows = zip(self.truth.seen, self.truth.kinds, self.told, choices, strict=True)
        for row, kind, told, listed in rows:
            good = {
                v: pick_kind(kind, told[true].can_be_0[v], told[true].can_be_1[v])
                for v in self.truth.rules
            }
            left = [(v, q) for v, q in listed if good[v] >> q & 1]
            if not left:
                return None
            v, q = self.rng.choice(left)
            chosen.append(Doubt(row, self.supposed[q], v))
        return tuple(chosen)

    def _is_open(self, alike: Sequence[int], told: Sequence[Outcomes], v: int, q: int) -> bool:
        """Tell whether a what-if is open enough, and is settled by questions."""
        if len(told) == 1:
            return True
        said = [_tell(one, v, q) for one in told]
        return _rate_likeliest(said) <= self.config.whatif_likeliest and _is_settled(alike, said)

    def _foretell_rows(self) -> None:
        pairs = [setting for setting in list_settings(self.truth.law.size) if len(setting) == 2]
        self.supposed = self.rng.sample(pairs, min(len(pairs), _SETTINGS))
        law = self.truth.law
        for row in self.truth.seen:
            cases = suppose(law, row, self.supposed)
            self.told.append([foretell(law, one.rules, row, cases) for one in self.systems])


def _number(said: Sequence[Hashable]) -> list[int]:
    """Return a number for each, the same for equal ones."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(one, len(numbers)) for one in said]


def _tell(told: Outcomes, v: int, q: int) -> int:
    """Return the answer to a what-if as a number."""
    return (told.can_be_0[v] >> q & 1) + 2 * (told.can_be_1[v] >> q & 1)


def _takes(planner: Planner, number: int) -> bool:
    """Tell whether so many questions are the fewest that settle every item, found at once."""
    try:
        return planner.find_fewest(number) == number
    except TooLongError:
        return False


def _is_settled(alike: Sequence[int], said: Sequence[Hashable]) -> bool:
    """Tell whether systems that no question tells apart, which have one number, say the same."""
    return len(set(zip(alike, said, strict=True))) == len(set(alike))


def _rate_likeliest(said: Sequence[Hashable]) -> float:
    """Return the share of the commonest."""
    return Counter(said).most_common(1)[0][1] / len(said)


def pick_kind(kind: str, can_be_0: int, can_be_1: int) -> int:
    """Return the cases with an answer of a kind: 0, 1, or ? where both are open."""
    if kind == "?":
        return can_be_0 & can_be_1
    return can_be_1 & ~can_be_0 if kind == "1" else can_be_0 & ~can_be_1


def _differ(said: Sequence[Outcomes], v: int) -> int:
    """Return the settings in which some systems do not say the same of a variable."""
    first, found = said[0], 0
    for one in said[1:]:
        found |= one.can_be_0[v] ^ first.can_be_0[v] | one.can_be_1[v] ^ first.can_be_1[v]
    return found
