"""Draw a system, and show just so much of it that the rest is settled by the questions allowed."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from ..levels import ReplayConfig
from ..mechanics.case import Bench, Case, Doubt, System, list_systems, list_traits, plan_questions, show_gauges, tell_doubt
from ..mechanics.fits import Evidence, Law, TooManyError
from ..mechanics.plan import TooLongError, lay_cases
from ..mechanics.systems import TABLES, Rule, run_system
from .drawn import Drawn

_DOUBT_TRIES = 80
_ROW_TRIES = 20
_GAUGE_TRIES = 4
_MOST_RULES = 4
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
        drawn = _show_worlds(config, truth, rng)
        if drawn is not None:
            return drawn


def _draw_truth(config: ReplayConfig, kinds: tuple[str, ...], rng: Random) -> _Truth:
    size, units = config.variables, config.units
    law = Law(size, frozenset(range(config.outside)), 2, False, config.trait_rules)
    order = rng.sample(range(config.outside, size), size - config.outside)
    with_trait = rng.sample(order, config.trait_rules)
    rules: dict[int, Rule] = {}
    for v in order:
        before = [*range(config.outside), *rules]
        causes = (rng.choice(before), size) if v in with_trait else sorted(rng.sample(before, 2))
        rules[v] = Rule(tuple(causes), rng.choice(TABLES[2]))
    traits = rng.randrange(2, 1 << units, 2) if config.trait_rules else 0
    hands = tuple(rng.choice(order) for _ in range(config.worlds[1] - 1))
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
    most = 1 if not config.questions else 12 << config.questions // 2
    for count in range(config.worlds[0], config.worlds[1] + 1):
        case = _lay_case(config, truth, count)
        try:
            if config.questions:
                told = case._replace(worlds=_tell_hands(case, truth))
                list_systems(told, most, traits=truth.traits)
            systems = list_systems(case, most)
        except TooManyError:
            continue
        try:
            asked = _ask_items(config, truth, case, systems, rng)
        except TooLongError:
            return None
        if asked is not None:
            unnamed = [place for place, world in enumerate(case.worlds) if world.hand is None]
            hands = tuple(truth.hands[place - 1] for place in unnamed)
            return Drawn(asked, truth.rules, hands, truth.traits, truth.trait)
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


def _ask_items(
    config: ReplayConfig, truth: _Truth, case: Case, systems: Sequence[System], rng: Random
) -> Case | None:
    """Return the case with its items; None if it has too few, or they need other numbers."""
    if not config.questions:
        hands = _choose_hands(config, case, truth, [systems], rng)
        doubts = _choose_doubts(truth, case, systems, [systems], rng)
        if len(systems) != 1 or hands is None or doubts is None:
            return None
        asked = tuple(sorted(truth.rules))
        return case._replace(rules_asked=asked, hands_asked=hands, doubts=doubts)
    outside = {v: rng.getrandbits(1) for v in sorted(truth.law.outside or ())}
    for _ in range(_GAUGE_TRIES):
        gauges = tuple(rng.sample(sorted(truth.rules), config.gauges))
        found = case._replace(bench=Bench(config.questions, gauges, outside))
        alike = _group_alike(found, systems)
        if len(alike) < 1 << config.questions - 1:
            continue
        rules = _choose_rules(truth, systems, alike, rng)
        if len(rules) < 2:
            continue
        hands = _choose_hands(config, case, truth, alike, rng)
        doubts = _choose_doubts(truth, case, systems, alike, rng)
        if hands is None or doubts is None:
            continue
        found = found._replace(rules_asked=rules, hands_asked=hands, doubts=doubts)
        if plan_questions(found, systems).find_fewest(config.questions) == config.questions:
            return found
    return None


def _group_alike(case: Case, systems: Sequence[System]) -> list[list[System]]:
    """Return the systems in groups that no question tells apart."""
    groups: dict[tuple[int, ...], list[System]] = {}
    for shown, system in zip(show_gauges(case, systems), systems, strict=True):
        groups.setdefault(shown, []).append(system)
    return list(groups.values())


def _choose_rules(
    truth: _Truth, systems: Sequence[System], alike: Sequence[Sequence[System]], rng: Random
) -> tuple[int, ...]:
    """Return open rules that questions settle."""
    found = [
        v
        for v in sorted(truth.rules)
        if len({system.fit.rules[v] for system in systems}) > 1
        and all(len({system.fit.rules[v] for system in group}) == 1 for group in alike)
    ]
    return tuple(sorted(rng.sample(found, min(len(found), _MOST_RULES))))


def _choose_hands(
    config: ReplayConfig,
    case: Case,
    truth: _Truth,
    alike: Sequence[Sequence[System]],
    rng: Random,
) -> tuple[int, ...] | None:
    """Return unnamed hands that are settled; None if there are too few."""
    unnamed = [place for place, world in enumerate(case.worlds) if world.hand is None]
    found = [
        place
        for place in range(len(unnamed))
        if all(len({system.fit.hands[place] for system in group}) == 1 for group in alike)
        and all(group[0].fit.hands[place] is not None for group in alike)
    ]
    if len(found) < config.hands_asked:
        return None
    return tuple(sorted(rng.sample(found, config.hands_asked)))


def _choose_doubts(
    truth: _Truth,
    case: Case,
    systems: Sequence[System],
    alike: Sequence[Sequence[System]],
    rng: Random,
) -> tuple[Doubt, ...] | None:
    """Return what-ifs with the answers they are to have; None if there is none for a row."""
    chosen = []
    for row, kind in zip(truth.seen, truth.kinds, strict=True):
        doubt = _choose_doubt(truth, row, kind, systems, alike, rng)
        if doubt is None:
            return None
        chosen.append(doubt)
    return tuple(chosen)


def _choose_doubt(
    truth: _Truth,
    row: int,
    kind: str,
    systems: Sequence[System],
    alike: Sequence[Sequence[System]],
    rng: Random,
) -> Doubt | None:
    law = truth.law
    for _ in range(_DOUBT_TRIES):
        first, second, variable = rng.sample(range(law.size), 3)
        if variable not in truth.rules:
            continue
        setting = {v: rng.getrandbits(1) for v in (first, second)}
        doubt = Doubt(row, setting, variable)
        if tell_doubt(law, truth.rules, doubt) != kind:
            continue
        said = [{tell_doubt(law, one.rules, doubt) for one in group} for group in alike]
        is_open = len(systems) == 1 or len(set().union(*said)) > 1
        if is_open and all(len(group) == 1 for group in said):
            return doubt
    return None
