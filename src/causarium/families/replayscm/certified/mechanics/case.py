"""One system as it is asked about: what fits, and what each system that fits shows and answers."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from ..model import ReplayPublic
from .fits import Evidence, Fit, Law, list_fits
from .plan import Planner, lay_cases, list_settings, list_splits
from .systems import OUTSIDE as NO_RULE
from .systems import Cases, Rule, Rules, apply_rule, run_system, sort_rules


class Doubt(NamedTuple):
    """A question on what would have been."""

    row: int
    setting: dict[int, int]
    variable: int


class Question(NamedTuple):
    """A world of one's own, and the variable that is read in it."""

    setting: dict[int, int]
    gauge: int


class Plan(NamedTuple):
    """An item on which of some questions would settle a rule."""

    variable: int
    options: tuple[Question, ...]


class Bench(NamedTuple):
    """The bench for worlds of one's own."""

    budget: int
    gauges: tuple[int, ...]
    outside: dict[int, int]

    def join_columns(self, columns: Sequence[int]) -> int:
        """Return one column over all questions, given those of all variables over settings."""
        width = len(list_settings(len(columns) - 1))
        return sum(columns[gauge] << place * width for place, gauge in enumerate(self.gauges))

    def find_question(self, number: int, size: int) -> Question:
        """Return a question by its number."""
        settings = list_settings(size)
        place, setting = divmod(number, len(settings))
        return Question(settings[setting], self.gauges[place])

    def find_number(self, question: Question, size: int) -> int:
        """Return the number of a question."""
        settings = list_settings(size)
        return self.gauges.index(question.gauge) * len(settings) + settings.index(question.setting)


class Case(NamedTuple):
    """The evidence and the items, in places of the listing order."""

    law: Law
    worlds: tuple[Evidence, ...]
    bench: Bench | None
    rules_asked: tuple[int, ...]
    hands_asked: tuple[int, ...]
    """Places among the worlds with unnamed hands."""
    doubts: tuple[Doubt, ...]
    plans: tuple[Plan, ...] = ()


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


def list_traits(law: Law, rules: Rules, row: int) -> list[int]:
    """Return the traits with which a unit could have been seen so, with nothing set."""
    # With its trait open, a unit is two cases: bit 0 without the trait, bit 1 with it.
    known = [3 * (row >> v & 1) for v in range(law.size)]
    columns, fits = [*known, 2], 3 if law.trait_rules else 1
    for v, rule in rules.items():
        if rule != NO_RULE:
            fits &= ~(apply_rule(rule, columns, 3) ^ known[v])
    return [trait for trait in (0, 1) if fits >> trait & 1]


class Outcomes(NamedTuple):
    """The outcomes of many settings in one system: a column over them for each variable."""

    can_be_0: list[int]
    can_be_1: list[int]


def suppose(law: Law, row: int, settings: Sequence[Mapping[int, int]] | None = None) -> Cases:
    """Return a unit that was seen once as cases of settings; None: of every setting."""
    return lay_cases(law.size, {v: row >> v & 1 for v in range(law.size)}, settings)


def foretell(law: Law, rules: Rules, row: int, cases: Cases) -> Outcomes:
    """Return the outcomes of some cases of a unit that was seen once."""
    said = Outcomes([0] * law.size, [0] * law.size)
    for trait in list_traits(law, rules, row):
        columns = run_system(rules, cases, cases.ones * trait)
        for v in range(law.size):
            said.can_be_0[v] |= cases.ones & ~columns[v]
            said.can_be_1[v] |= columns[v]
    return said


def tell_doubt(law: Law, rules: Rules, doubt: Doubt) -> str:
    """Return the answer to a what-if: 0, 1, or ? where the row leaves both open."""
    said = foretell(law, rules, doubt.row, suppose(law, doubt.row, [doubt.setting]))
    if said.can_be_0[doubt.variable] and said.can_be_1[doubt.variable]:
        return "?"
    return str(said.can_be_1[doubt.variable])


def answer_items(case: Case, system: System) -> tuple[Hashable, ...]:
    """Return the answers of a system: rules, hands, and what-ifs."""
    return (
        *(system.fit.rules[v] for v in case.rules_asked),
        *(system.fit.hands[place] for place in case.hands_asked),
        *(tell_doubt(case.law, system.rules, doubt) for doubt in case.doubts),
    )


def show_settings(
    law: Law, outside: Mapping[int, int], systems: Sequence[System]
) -> list[list[int]]:
    """Return the outcomes of every setting in each system: a column for each variable."""
    cases = lay_cases(law.size, outside)
    return [run_system(one.rules, cases, cases.ones * one.trait) for one in systems]


def plan_questions(case: Case, systems: Sequence[System]) -> Planner:
    """Return the planner of a case, given the systems that fit."""
    answers = [answer_items(case, system) for system in systems]
    if case.bench is None:
        return Planner([], answers)
    return Planner(list_splits(show_questions(case.bench, case.law, systems)), answers)


def show_questions(bench: Bench, law: Law, systems: Sequence[System]) -> list[int]:
    """Return the readings of each system: one column over all questions."""
    shown = show_settings(law, bench.outside, systems)
    return [bench.join_columns(columns) for columns in shown]


def list_settling(case: Case, systems: Sequence[System], plan: Plan) -> list[int]:
    """Return the places of the options that settle a rule, whatever they show."""
    if case.bench is None:
        return []
    shown = show_questions(case.bench, case.law, systems)
    settling = []
    for place, option in enumerate(plan.options):
        number = case.bench.find_number(option, case.law.size)
        said: tuple[set[Rule], set[Rule]] = (set(), set())
        for one, column in zip(systems, shown, strict=True):
            said[column >> number & 1].add(one.fit.rules[plan.variable])
        if max(map(len, said)) == 1:
            settling.append(place)
    return settling


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
        tuple(
            Plan(
                place[one.variable],
                tuple(
                    Question({place[v]: x for v, x in option.set.items()}, place[option.read])
                    for option in one.options
                ),
            )
            for one in public.plans
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
    parts = [name if (where >> j & 1) != is_or else f"not {name}" for j, name in enumerate(said)]
    return f" {'or' if is_or else 'and'} ".join(parts)
