"""Systems of Boolean rules: bits of many cases at once, and changes of names and signs."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple


class Rule(NamedTuple):
    """The rule of a variable."""

    causes: tuple[int, ...]
    table: int
    """Bit p is the value at pattern p; bit j of p is the value of the j-th cause."""


OUTSIDE = Rule((), -1)
"""Stands for the rule of a variable that has none."""

TABLES: Mapping[int, tuple[int, ...]] = {
    0: (0b0, 0b1),
    1: (0b01, 0b10),
    2: (1, 2, 4, 6, 7, 8, 9, 11, 13, 14),
}
"""The functions of so many causes in which each cause matters."""

Rules = Mapping[int, Rule]
"""The rules of a system, by variable, causes before effects."""


class Cases(NamedTuple):
    """Many cases of one unit at once: bit q of each number is about case q."""

    ones: int
    fixed: tuple[int, ...]
    """For each variable, the cases in which it is set."""
    values: tuple[int, ...]
    """For each variable, its value where it is set or has no rule."""


def apply_rule(rule: Rule, columns: Sequence[int], ones: int) -> int:
    """Return the value of a rule of at most two causes, given the columns of all variables."""
    if len(rule.causes) < 2:
        cause = columns[rule.causes[0]] if rule.causes else 0
        return (cause if rule.table & 2 else 0) | (ones & ~cause if rule.table & 1 else 0)
    first, second = (columns[cause] for cause in rule.causes)
    found = first & second if rule.table & 8 else 0
    if rule.table & 4:
        found |= second & ~first
    if rule.table & 2:
        found |= first & ~second
    return found | ones & ~(first | second) if rule.table & 1 else found


def sort_rules(rules: Rules) -> dict[int, Rule]:
    """Return acyclic rules with causes before effects."""
    left, placed = dict(rules), dict[int, Rule]()
    while left:
        ready = [v for v in sorted(left) if not any(c in left for c in left[v].causes)]
        if not ready:
            raise ValueError("the rules have a cycle")
        for v in ready:
            placed[v] = left.pop(v)
    return placed


def run_system(rules: Rules, cases: Cases, trait: int) -> list[int]:
    """Return the column of each variable, the trait's last; `trait` is its column."""
    columns = [*cases.values, trait]
    for v, rule in rules.items():
        if rule != OUTSIDE:
            fixed = cases.fixed[v]
            columns[v] = columns[v] & fixed | apply_rule(rule, columns, cases.ones) & ~fixed
    return columns


def flip_table(rule: Rule, flips: Sequence[int]) -> int:
    """Return the table over causes of other signs: where bit j of `flips` is 1, cause j turns."""
    shift = sum(bit << j for j, bit in enumerate(flips))
    return sum((rule.table >> (p ^ shift) & 1) << p for p in range(1 << len(rule.causes)))


def list_signs(rule: Rule, trait: int) -> frozenset[int]:
    """Return the tables that the rule has under all signs of the variables, the trait's kept."""
    ones = (1 << (1 << len(rule.causes))) - 1
    signs = product(*((0,) if cause == trait else (0, 1) for cause in rule.causes))
    tables = {flip_table(rule, flips) for flips in signs}
    return frozenset(tables | {table ^ ones for table in tables})


class Disguise(NamedTuple):
    """Other names and signs for the variables of a system."""

    places: tuple[int, ...]
    """For each variable, and the trait, its new place."""
    flips: tuple[int, ...]
    """For each variable, and the trait, whether its values turn."""

    def change_row(self, row: int) -> int:
        """Return a row under the new names and signs."""
        return sum(
            (row >> i & 1 ^ flip) << place
            for i, (place, flip) in enumerate(zip(self.places, self.flips, strict=True))
        )

    def change_rule(self, v: int, rule: Rule) -> Rule:
        """Return the rule of variable `v` under the new names and signs."""
        if rule == OUTSIDE:
            return rule
        ones = (1 << (1 << len(rule.causes))) - 1
        table = flip_table(rule, [self.flips[cause] for cause in rule.causes])
        table ^= ones * self.flips[v]
        return order_causes(Rule(tuple(self.places[cause] for cause in rule.causes), table))

    def change_setting(self, setting: Mapping[int, int]) -> dict[int, int]:
        """Return a setting under the new names and signs."""
        return {self.places[v]: value ^ self.flips[v] for v, value in setting.items()}


def order_causes(rule: Rule) -> Rule:
    """Return the same rule with its causes in order."""
    order = sorted(range(len(rule.causes)), key=lambda j: rule.causes[j])
    table = 0
    for p in range(1 << len(order)):
        old = sum((p >> place & 1) << j for place, j in enumerate(order))
        table |= (rule.table >> old & 1) << p
    return Rule(tuple(rule.causes[j] for j in order), table)
