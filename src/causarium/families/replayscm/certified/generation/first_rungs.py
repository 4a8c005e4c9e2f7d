"""Draw the first two rungs: one switch with a lamp, and three variables with one free.

Members of a clan differ in the answer and share all else, so that each answer comes as often as any
other whatever else is seen: four switches, and nine trees over three variables.
"""

from itertools import product

from causarium.seeds import stream
from ..mechanics.case import Case
from ..mechanics.fits import Evidence, Law
from ..mechanics.plan import lay_cases
from ..mechanics.systems import OUTSIDE, Rule, Rules, run_system, sort_rules
from ..model import FAMILY_NAME
from .disguise import Drawn

_LAMPS = (Rule((0,), 0b10), Rule((0,), 0b01), Rule((), 0), Rule((), 1))
_TREES = tuple(
    parents
    for parents in product((None, 0, 1, 2), repeat=3)
    if parents.count(None) == 1
    and all(parents[v] != v for v in range(3))
    and all(_p is None or parents[_p] is None or parents[_p] != v for v, _p in enumerate(parents))
)
"""For each variable its cause, None for the one that is free: all nine trees."""


def draw_lamp(seed: int, index: int) -> Drawn:
    """Return a switch that is set to 0 and to 1, and what its lamp does."""
    rng = stream(seed, FAMILY_NAME, "lamp", index // 4)
    rule = _LAMPS[rng.randrange(4) ^ index % 4]
    law = Law(2, frozenset({0}), 1, at_most=True, trait_rules=0)
    settings = [{0: value} for value in rng.sample((0, 1), 2)]
    worlds = [_show({1: rule}, 2, {}, setting) for setting in settings]
    case = Case(law, tuple(worlds), None, (1,), (), ())
    return Drawn(case, {1: rule}, (), 0, 0)


def draw_tree(seed: int, index: int) -> Drawn:
    """Return three variables seen twice, and after each was set to 0 and to 1."""
    rng = stream(seed, FAMILY_NAME, "tree", index // 9)
    tree = _TREES[(rng.randrange(9) + index) % 9]
    signs = [rng.getrandbits(1) for _ in range(3)]
    rules = {
        v: OUTSIDE if cause is None else Rule((cause,), 0b01 if signs[v] ^ signs[cause] else 0b10)
        for v, cause in enumerate(tree)
    }
    rest = [rng.getrandbits(1) for _ in range(4)]
    free = tree.index(None)
    # The seen rows and the settings are those of the clan: only what follows differs.
    states = rng.sample((0, 1), 2)
    worlds = [_show(rules, 3, {free: state ^ signs[free]}, {}) for state in states]
    worlds += [
        _show(rules, 3, {free: rest[v] ^ signs[free]}, {v: value})
        for v in range(3)
        for value in rng.sample((0, 1), 2)
    ]
    case = Case(
        Law(3, None, 1, at_most=False, trait_rules=0), tuple(worlds), None, (0, 1, 2), (), ()
    )
    return Drawn(case, rules, (), 0, 0)


def _show(rules: Rules, size: int, outside: dict[int, int], setting: dict[int, int]) -> Evidence:
    known = {v: rule for v, rule in rules.items() if rule != OUTSIDE}
    cases = lay_cases(size, outside, [setting])
    columns = run_system(sort_rules(known), cases, 0)
    row = sum(columns[v] << v for v in range(size))
    return Evidence(frozenset(setting), (row,))
