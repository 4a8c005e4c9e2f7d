"""Draw a system, and show just so much of it that the rest is settled by the questions allowed."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from causarium.scm.dag import bits
from ..levels import ReplayConfig
from ..mechanics.case import (
    Bench,
    Case,
    Doubt,
    Outcomes,
    System,
    foretell,
    list_systems,
    list_traits,
    show_settings,
)
from ..mechanics.fits import MOST_HANDS, Evidence, Law, TooManyError
from ..mechanics.plan import Planner, TooLongError, lay_cases, list_settings
from ..mechanics.systems import TABLES, Rule, run_system
from .disguise import Drawn

_ROW_TRIES = 20
_GAUGE_TRIES = 12
_LUCK = 1
"""The number of questions that luck may spare."""
_MOST_SYSTEMS = 16
"""The number of systems that may fit, for two questions; it doubles with every second one more."""
_LEAST_RULES, _MOST_RULES = 2, 4
"""The number of open rules that are asked for at most."""


class _Truth(NamedTuple):
    """A system and all that may be shown of it."""

    law: Law
    rules: Mapping[int, Rule]
    """Causes before effects."""
    traits: int
    trait: int
    hands: tuple[int, ...]
    """The variable set by hand in each world but the first."""
    worlds: tuple[tuple[int, ...], ...]
    seen: tuple[int, ...]
    """The rows of the what-ifs."""
    kinds: tuple[str, ...]
    """The answers that the what-ifs are to have."""


def draw_system(config: ReplayConfig, rng: Random) -> Drawn:
    """Return a system of which the worlds shown and the questions allowed settle every item."""
    kinds = tuple(rng.choice("01?") for _ in range(config.whatifs))
    while True:
        truth = _draw_truth(config, kinds, rng)
        if not config.questions and not _can_ask(truth):
            continue
        drawn = _show_worlds(config, truth, rng)
        if drawn is not None:
            return drawn


def _can_ask(truth: _Truth) -> bool:
    """Tell whether each row has a what-if with the answer that it is to have."""
    for row, kind in zip(truth.seen, truth.kinds, strict=True):
        said = foretell(truth.law, truth.rules, row)
        pairs = zip(said.can_be_0, said.can_be_1, strict=True)
        if not any(_pick_kind(kind, *pair) for pair in pairs):
            return False
    return True


def _draw_truth(config: ReplayConfig, kinds: tuple[str, ...], rng: Random) -> _Truth:
    size, units = config.variables, config.units
    law = Law(
        size, frozenset(range(config.outside)), 2, at_most=False, trait_rules=config.trait_rules
    )
    order = rng.sample(range(config.outside, size), size - config.outside)
    with_trait = rng.sample(order, config.trait_rules)
    rules: dict[int, Rule] = {}
    for v in order:
        before = [*range(config.outside), *rules]
        causes = (rng.choice(before), size) if v in with_trait else sorted(rng.sample(before, 2))
        rules[v] = Rule(tuple(causes), rng.choice(TABLES[2]))
    traits = rng.randrange(2, 1 << units, 2) if config.trait_rules else 0
    hands = tuple(rng.sample([v for v in order for _ in range(MOST_HANDS)], config.worlds[1] - 1))
    worlds = [tuple(_draw_row(law, rules, traits >> u & 1, None, rng) for u in range(units))]
    worlds += [
        tuple(_draw_row(law, rules, traits >> u & 1, hand, rng) for u in range(units))
        for hand in hands
    ]
    seen = tuple(_draw_seen(law, rules, kind, rng) for kind in kinds)
    trait = rng.getrandbits(1) if config.trait_rules else 0
    return _Truth(law, rules, traits, trait, hands, tuple(worlds), seen, kinds)


def _draw_seen(law: Law, rules: Mapping[int, Rule], kind: str, rng: Random) -> int:
    """Return the row of a what-if; where the answer is to be open, one that hides the trait."""
    for _ in range(_ROW_TRIES):
        row = _draw_row(law, rules, rng.getrandbits(1), None, rng)
        if kind != "?" or len(list_traits(law, rules, row)) == 2:
            break
    return row


def _draw_row(
    law: Law, rules: Mapping[int, Rule], trait: int, hand: int | None, rng: Random
) -> int:
    outside = {v: rng.getrandbits(1) for v in sorted(law.outside or ())}
    setting = {} if hand is None else {hand: rng.getrandbits(1)}
    columns = run_system(rules, lay_cases(law.size, outside, [setting]), trait)
    return sum(columns[v] << v for v in range(law.size))


def _show_worlds(config: ReplayConfig, truth: _Truth, rng: Random) -> Drawn | None:
    """Show one world more until the case is as open as it should be; None if it never is."""
    most = _MOST_SYSTEMS << config.questions // 2 if config.questions else 1
    for count in range(config.worlds[0], config.worlds[1] + 1):
        case = _lay_case(config, truth, count)
        try:
            if config.questions:  # Those with the true hands and traits are few, or all are many.
                told = case._replace(worlds=_tell_hands(case, truth))
                list_systems(told, most, traits=truth.traits)
            systems = list_systems(case, most)
        except TooManyError:
            continue
        try:
            drawn = _Asker(config, truth, case, systems, rng).ask_items()
        except TooLongError:
            return None
        if drawn is not None:
            return drawn
        if len(systems) <= config.questions:
            return None
    return None


def _lay_case(config: ReplayConfig, truth: _Truth, count: int) -> Case:
    unnamed = count - 1 if config.unnamed < 0 else config.unnamed
    worlds = [Evidence(frozenset(), truth.worlds[0])]
    for w in range(1, count):
        hand = frozenset({truth.hands[w - 1]}) if w < count - unnamed else None
        worlds.append(Evidence(hand, truth.worlds[w]))
    doubts = tuple(Doubt(row, {}, 0) for row in truth.seen)
    bench = Bench(config.questions, (), {}) if config.questions else None
    return Case(truth.law, tuple(worlds), bench, (), (), doubts)


def _tell_hands(case: Case, truth: _Truth) -> tuple[Evidence, ...]:
    hands = (frozenset(), *(frozenset({hand}) for hand in truth.hands))
    return tuple(
        Evidence(hand, world.rows) for hand, world in zip(hands, case.worlds, strict=False)
    )


class _Asker:
    """Chooses what is asked of a case, given the systems that fit it."""

    def __init__(
        self,
        config: ReplayConfig,
        truth: _Truth,
        case: Case,
        systems: Sequence[System],
        rng: Random,
    ) -> None:
        self.config, self.truth, self.case, self.rng = config, truth, case, rng
        self.systems = systems
        self.settings = list_settings(truth.law.size)
        self.told: list[list[Outcomes]] = []
        """For each row of a what-if, what each system says of all settings."""
        self.open: list[dict[int, int]] = []
        """For each row and variable, the settings of two others on which systems differ, where
        there is more than one."""

    def ask_items(self) -> Drawn | None:
        """Return the case with its items; None if it has too few, or they need other numbers."""
        if not self.config.questions:
            return self._ask_settled() if len(self.systems) == 1 else None
        rng, truth, config = self.rng, self.truth, self.config
        outside = {v: rng.getrandbits(1) for v in sorted(truth.law.outside or ())}
        shown = show_settings(truth.law, outside, self.systems)
        tries = 0
        choices = list(combinations(sorted(truth.rules), config.gauges))
        for gauges in rng.sample(choices, len(choices)):
            seen = [tuple(columns[gauge] for gauge in gauges) for columns in shown]
            alike = self._group_alike(seen)
            found = self._ask_open(alike)
            if found is None:
                continue
            tries += 1
            if tries > _GAUGE_TRIES:
                break
            bench = Bench(config.questions, gauges, outside)
            drawn = self._plant_truth(found._replace(bench=bench), seen, alike)
            if drawn is not None:
                return drawn
        return None

    def _ask_settled(self) -> Drawn | None:
        hands = self._choose_hands([[0]])
        doubts = self._choose_doubts([[0]], 0)
        if hands is None or doubts is None:
            return None
        asked = tuple(sorted(self.truth.rules))
        found = self.case._replace(rules_asked=asked, hands_asked=hands, doubts=doubts)
        return self._end_with(found, 0)

    def _group_alike(self, seen: Sequence[tuple[int, ...]]) -> list[list[int]]:
        """Return the systems in groups that no question tells apart."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for m, columns in enumerate(seen):
            groups.setdefault(columns, []).append(m)
        return list(groups.values())

    def _ask_open(self, alike: Sequence[Sequence[int]]) -> Case | None:
        """Return the case with rules and hands that questions settle; None if too few are."""
        if len(alike) < 1 << self.config.questions - 1:
            return None
        rules = self._choose_rules(alike)
        hands = self._choose_hands(alike) if len(rules) >= _LEAST_RULES else None
        if hands is None:
            return None
        return self.case._replace(rules_asked=rules, hands_asked=hands, doubts=())

    def _plant_truth(
        self, case: Case, seen: Sequence[tuple[int, ...]], alike: Sequence[Sequence[int]]
    ) -> Drawn | None:
        """Return the case with one of the systems as the true one; None if none is hard enough.

        All that was shown is the same whichever is true. The true one is drawn among those that
        luck proves with at most one question to spare, and never with only one question.
        """
        number = self.config.questions
        planner = Planner(seen, self._answer(case))
        if planner.find_fewest(number) not in {number - 1, number}:
            return None
        some_order = self.rng.sample(range(len(self.systems)), len(self.systems))
        least = max(1, number - 1 - _LUCK)
        true = next((m for m in some_order if planner.find_least_for(m, least) is None), None)
        if true is None:
            return None
        doubts = self._choose_doubts(alike, true)
        if doubts is None:
            return None
        found = case._replace(doubts=doubts)
        if Planner(seen, self._answer(found)).find_fewest(number) != number:
            return None
        return self._end_with(found, true)

    def _end_with(self, case: Case, true: int) -> Drawn:
        system = self.systems[true]
        unnamed = [place for place, world in enumerate(case.worlds) if world.hand is None]
        # A hand that broke no rule is as it was drawn: it shows nowhere.
        hands = tuple(
            self.truth.hands[place - 1] if hand is None else hand
            for place, hand in zip(unnamed, system.fit.hands, strict=True)
        )
        return Drawn(case, system.rules, hands, system.fit.traits, system.trait)

    def _answer(self, case: Case) -> list[tuple[object, ...]]:
        """Return the answers of each system."""
        said: list[list[object]] = [[] for _ in self.systems]
        for m, system in enumerate(self.systems):
            said[m] += [system.fit.rules[v] for v in case.rules_asked]
            said[m] += [system.fit.hands[place] for place in case.hands_asked]
        for told, doubt in zip(self.told, case.doubts, strict=False):
            q, v = self.settings.index(doubt.setting), doubt.variable
            for m, one in enumerate(told):
                said[m].append((one.can_be_0[v] >> q & 1, one.can_be_1[v] >> q & 1))
        return [tuple(one) for one in said]

    def _choose_rules(self, alike: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return open rules that questions settle."""
        found = []
        for v in sorted(self.truth.rules):
            said = [{self.systems[m].fit.rules[v] for m in group} for group in alike]
            if all(len(group) == 1 for group in said) and len(set().union(*said)) > 1:
                found.append(v)
        return tuple(sorted(self.rng.sample(found, min(len(found), _MOST_RULES))))

    def _choose_hands(self, alike: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
        """Return unnamed hands that are settled; None if there are too few."""
        found = []
        for place in range(sum(1 for world in self.case.worlds if world.hand is None)):
            said = [{self.systems[m].fit.hands[place] for m in group} for group in alike]
            if all(len(group) == 1 and None not in group for group in said):
                found.append(place)
        if len(found) < self.config.hands_asked:
            return None
        return tuple(sorted(self.rng.sample(found, self.config.hands_asked)))

    def _choose_doubts(self, alike: Sequence[Sequence[int]], true: int) -> tuple[Doubt, ...] | None:
        """Return what-ifs with the answers they are to have; None if a row has none."""
        if not self.told:
            self._foretell_all()
        chosen = []
        rows = zip(self.truth.seen, self.truth.kinds, self.told, self.open, strict=True)
        for row, kind, told, opened in rows:
            left = {
                v: _pick_kind(kind, told[true].can_be_0[v], told[true].can_be_1[v]) & good
                for v, good in opened.items()
            }
            for group in alike:
                if len(group) > 1:
                    for v in left:
                        left[v] &= ~_differ([told[m] for m in group], v)
            choices = [(v, q) for v, good in left.items() for q in bits(good)]
            if not choices:
                return None
            v, q = self.rng.choice(choices)
            chosen.append(Doubt(row, self.settings[q], v))
        return tuple(chosen)

    def _foretell_all(self) -> None:
        law = self.truth.law
        pairs = sum(1 << q for q, setting in enumerate(self.settings) if len(setting) == 2)
        for row in self.truth.seen:
            told = [foretell(law, one.rules, row) for one in self.systems]
            opened = {}
            for v in sorted(self.truth.rules):
                own = sum(1 << q for q, setting in enumerate(self.settings) if v in setting)
                opened[v] = pairs & ~own
                if len(told) > 1:
                    opened[v] &= _differ(told, v)
            self.told.append(told)
            self.open.append(opened)


def _pick_kind(kind: str, can_be_0: int, can_be_1: int) -> int:
    if kind == "?":
        return can_be_0 & can_be_1
    return can_be_1 & ~can_be_0 if kind == "1" else can_be_0 & ~can_be_1


def _differ(said: Sequence[Outcomes], v: int) -> int:
    """Return the settings in which some systems do not say the same of a variable."""
    first, found = said[0], 0
    for one in said[1:]:
        found |= one.can_be_0[v] ^ first.can_be_0[v] | one.can_be_1[v] ^ first.can_be_1[v]
    return found
