"""Draw a system, and all the worlds that may be shown of it."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from ..levels import ReplayConfig
from ..mechanics.case import Bench, Case, Doubt, list_traits
from ..mechanics.fits import MOST_HANDS, Evidence, Law
from ..mechanics.plan import lay_cases
from ..mechanics.systems import TABLES, Rule, run_system

_ROW_TRIES = 20


class Truth(NamedTuple):
    """A system and all that may be shown of it."""

    law: Law
    rules: Mapping[int, Rule]
    """Causes before effects."""
    traits: int
    hands: tuple[int, ...]
    """The variable set by hand in each world but the first."""
    worlds: tuple[tuple[int, ...], ...]
    seen: tuple[int, ...]
    """The rows of the what-ifs."""
    kinds: tuple[str, ...]
    """The answers that the what-ifs are to have."""

    @property
    def with_trait(self) -> frozenset[int]:
        """The variables with the trait among their causes."""
        return frozenset(v for v, rule in self.rules.items() if self.law.size in rule.causes)

    def lay_case(self, config: ReplayConfig, count: int) -> Case:
        """Return the case of so many worlds, as yet without gauges and items."""
        unnamed = count - 1 if config.unnamed < 0 else config.unnamed
        told = self.tell_hands(count)
        worlds = [
            world if w < count - unnamed else world._replace(hand=None)
            for w, world in enumerate(told)
        ]
        doubts = tuple(Doubt(row, {}, 0) for row in self.seen)
        bench = Bench(0, (), {}) if config.questions[1] else None
        return Case(self.law, tuple(worlds), bench, (), (), doubts)

    def tell_hands(self, count: int) -> list[Evidence]:
        """Return so many worlds with all hands named."""
        named = [frozenset[int](), *(frozenset({hand}) for hand in self.hands)]
        return [Evidence(named[w], self.worlds[w]) for w in range(count)]


def draw_truth(config: ReplayConfig, kinds: tuple[str, ...], rng: Random) -> Truth:
    """Return a system, with as many worlds as are shown at most."""
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
    worlds = tuple(
        tuple(_draw_row(law, rules, traits >> u & 1, hand, rng) for u in range(units))
        for hand in (None, *hands)
    )
    seen = tuple(_draw_seen(law, rules, kind, rng) for kind in kinds)
    return Truth(law, rules, traits, hands, worlds, seen, kinds)


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
