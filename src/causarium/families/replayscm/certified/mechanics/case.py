"""One system as it is asked about: what fits it, what each system that fits would show and answer."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from ..model import ReplayPublic
from .fits import Evidence, Fit, Law, list_fits
from .plan import Planner, lay_cases, list_settings
from .systems import Cases, Rule, Rules, run_system, sort_rules


class Doubt(NamedTuple):
    """A question on what would have been."""

    row: int
    setting: dict[int, int]
    variable: int


class Bench(NamedTuple):
    """How worlds of one's own are made."""

    budget: int
    gauges: tuple[int, ...]
    outside: dict[int, int]


class Case(NamedTuple):
    """What is shown and asked, in places of the listing order."""

    law: Law
    worlds: tuple[Evidence, ...]
    bench: Bench | None
    rules_asked: tuple[int, ...]
    hands_asked: tuple[int, ...]
    """Places among the worlds with unnamed hands."""
    doubts: tuple[Doubt, ...]


class System(NamedTuple):
    """A system that fits, and the trait of the test unit."""

    fit: Fit
    rules: Rules
    """Its rules, causes before effects."""
    trait: int


def list_systems(case: Case, most: int, *, traits: int | None = None) -> list[System]:
    """Return all systems that fit the worlds and the rows of the what-ifs.

    Raises:
        TooManyError: More fit than `most`.
    """
    found = []
    for fit in list_fits(case.law, case.worlds, most, traits=traits):
        rules = sort_rules(fit.rules)
        if all(list_traits(case.law, rules, doubt.row) for doubt in case.doubts):
            own = (0, 1) if case.bench and case.law.trait_rules else (0,)
            found += [System(fit, rules, trait) for trait in own]
    return found


def _row_cases(law: Law, row: int, settings: Sequence[dict[int, int]]) -> Cases:
    outside = {v: row >> v & 1 for v in range(law.size)}
    return lay_cases(law.size, outside, settings)


def list_traits(law: Law, rules: Rules, row: int) -> list[int]:
    """Return the traits with which a unit could have been seen so, with nothing set."""
    return [
        trait
        for trait in ((0, 1) if law.trait_rules else (0,))
        if all(
            bit == row >> v & 1
            for v, bit in enumerate(run_system(rules, _row_cases(law, row, [{}]), trait)[:-1])
        )
    ]


def tell_doubt(law: Law, rules: Rules, doubt: Doubt) -> str:
    """Return what would have been: 0, 1, or ? where the row leaves both open."""
    cases = _row_cases(law, doubt.row, [doubt.setting])
    said = {
        run_system(rules, cases, trait)[doubt.variable]
        for trait in list_traits(law, rules, doubt.row)
    }
    return str(said.pop()) if len(said) == 1 else "?"


def answer_items(case: Case, system: System) -> tuple[Hashable, ...]:
    """Return what a system says to each item: rules, hands, and what would have been."""
    return (
        *(system.fit.rules[v] for v in case.rules_asked),
        *(system.fit.hands[place] for place in case.hands_asked),
        *(tell_doubt(case.law, system.rules, doubt) for doubt in case.doubts),
    )


def show_gauges(case: Case, systems: Sequence[System]) -> list[tuple[int, ...]]:
    """Return what each system would show to every setting: a column for each gauge."""
    if case.bench is None:
        return [() for _ in systems]
    settings = list_settings(case.law.size)
    cases = lay_cases(case.law.size, case.bench.outside, settings)
    shown = []
    for system in systems:
        columns = run_system(system.rules, cases, cases.ones * system.trait)
        shown.append(tuple(columns[gauge] for gauge in case.bench.gauges))
    return shown


def plan_questions(case: Case, systems: Sequence[System]) -> Planner:
    """Return the planner of a case, given the systems that fit."""
    answers = [answer_items(case, system) for system in systems]
    return Planner(show_gauges(case, systems), answers)


def read_case(public: ReplayPublic) -> Case:
    """Return the case that is shown to an agent."""
    place = {name: i for i, name in enumerate(public.names)}
    outside = None if public.outside is None else frozenset(place[v] for v in public.outside)
    worlds = tuple(
        Evidence(
            None if world.hand is None else frozenset(place[v] for v in world.hand),
            tuple(map(read_row, world.rows)),
        )
        for world in public.worlds
    )
    asking = public.asking
    bench = asking and Bench(
        asking.budget,
        tuple(place[v] for v in asking.gauges),
        {place[v]: value for v, value in asking.outside.items()},
    )
    unnamed = [world.id for world in public.worlds if world.hand is None]
    return Case(
        Law(len(place), outside, public.causes, public.rung == 1, public.trait_rules),
        worlds,
        bench or None,
        tuple(place[v] for v in public.rules_asked),
        tuple(unnamed.index(world) for world in public.hands_asked),
        tuple(
            Doubt(read_row(one.row), {place[v]: x for v, x in one.set.items()}, place[one.variable])
            for one in public.whatifs
        ),
    )


def read_row(text: str) -> int:
    """Return a row of digits as a number: bit v is the digit at place v."""
    return int(text[::-1], 2)


def write_row(row: int, size: int) -> str:
    """Return a row as digits, in listing order."""
    return f"{row:0{size}b}"[::-1]


def write_rule(rule: Rule, names: Sequence[str]) -> str:
    """Return a formula for a rule, as an answer says it."""
    if rule.table < 0:
        return "outside"
    said = [names[cause] for cause in rule.causes]
    if len(said) < 2:
        constant = str(rule.table)
        return constant if not said else said[0] if rule.table == 2 else f"not {said[0]}"
    if rule.table in (6, 9):
        text = f"{said[0]} xor {said[1]}"
        return text if rule.table == 6 else f"not ({text})"
    is_or = rule.table.bit_count() == 3
    single = rule.table ^ 15 if is_or else rule.table
    where = single.bit_length() - 1
    # An or is 0 at one pattern, an and is 1 at one: each part is turned to fit it.
    parts = [
        name if (where >> j & 1) != is_or else f"not {name}" for j, name in enumerate(said)
    ]
    return f" {'or' if is_or else 'and'} ".join(parts)
