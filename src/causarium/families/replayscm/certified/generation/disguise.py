"""Give a drawn system names and signs by fair chance, and write it down as an instance.

All names are dealt anew and each variable is turned or not by a fair coin, after everything else is
settled. So whatever was kept or thrown away in drawing, a blind answer is right as often as wrong
answers of its kind cost.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

from ..levels import ReplayConfig
from ..mechanics.case import Case, tell_doubt, write_row, write_rule
from ..mechanics.systems import OUTSIDE, Disguise, Rule, sort_rules
from ..model import (
    TRAIT,
    Asking,
    PlanItem,
    Question,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    ShownWorld,
    TrueRule,
    WhatIf,
)

_NAMES = 9
"""The first rung takes its two names from so many."""


class Drawn(NamedTuple):
    """A case and the truth about it."""

    case: Case
    rules: Mapping[int, Rule]
    hands: tuple[int, ...]
    """The variable behind each unnamed hand."""
    traits: int
    """Bit u is the trait of unit u."""
    trait: int
    """The trait of the test unit."""
    letters: tuple[str, ...] = ()
    """The answers to the items on planning."""


def disguise_drawn(name: str, config: ReplayConfig, drawn: Drawn, rng: Random) -> ReplayInstance:
    """Return a drawn system as an instance."""
    writer = _Writer(config, drawn, rng)
    return ReplayInstance(
        id=name,
        public=writer.write_public(),
        secret=writer.write_secret(),
        facets={"rung": config.rung},
    )


class _Writer:
    """Writes a drawn system under names and signs of its own."""

    def __init__(self, config: ReplayConfig, drawn: Drawn, rng: Random) -> None:
        self.config, self.drawn, self.case = config, drawn, drawn.case
        size = self.case.law.size
        flips = tuple(rng.getrandbits(1) for _ in range(size)) if config.rung > 2 else (0,) * size
        places = rng.sample(range(size), size)
        self.change = Disguise((*places, size), (*flips, 0))
        numbers = sorted(rng.sample(range(1, _NAMES + 1), 2)) if size == 2 else range(1, size + 1)
        self.names = tuple(f"X{number}" for number in numbers)
        self.of = {v: self.names[place] for v, place in enumerate(places)}
        self.rng = rng

    def _sort(self, variables: Iterable[int]) -> tuple[str, ...]:
        names = {self.of[v] for v in variables}
        return tuple(name for name in self.names if name in names)

    def _row(self, row: int) -> str:
        return write_row(self.change.change_row(row), len(self.names))

    def _set(self, setting: dict[int, int]) -> dict[str, int]:
        changed = self.change.change_setting(setting)
        return {self.names[place]: changed[place] for place in sorted(changed)}

    def write_public(self) -> ReplayPublic:
        """Return the public part."""
        case, law = self.case, self.case.law
        bench = case.bench
        return ReplayPublic(
            rung=self.config.rung,
            names=self.names,
            outside=None if law.outside is None else self._sort(law.outside),
            causes=law.causes,
            trait_rules=law.trait_rules,
            worlds=tuple(
                ShownWorld(
                    id=f"W{w}",
                    hand=None if world.hand is None else self._sort(world.hand),
                    rows=tuple(map(self._row, world.rows)),
                )
                for w, world in enumerate(case.worlds)
            ),
            asking=bench
            and Asking(
                budget=bench.budget,
                gauges=self._sort(bench.gauges),
                outside=self._set(bench.outside),
            ),
            rules_asked=self._sort(case.rules_asked),
            hands_asked=self._worlds_asked(),
            whatifs=tuple(
                WhatIf(
                    id=f"Q{number}",
                    row=self._row(doubt.row),
                    set=self._set(doubt.setting),
                    variable=self.of[doubt.variable],
                )
                for number, doubt in enumerate(case.doubts, 1)
            ),
            plans=tuple(
                PlanItem(
                    id=f"P{number}",
                    variable=self.of[plan.variable],
                    options=tuple(
                        Question(set=self._set(one.setting), read=self.of[one.gauge])
                        for one in plan.options
                    ),
                )
                for number, plan in enumerate(case.plans, 1)
            ),
        )

    def _worlds_asked(self) -> tuple[str, ...]:
        unnamed = [f"W{w}" for w, world in enumerate(self.case.worlds) if world.hand is None]
        return tuple(unnamed[place] for place in sorted(self.case.hands_asked))

    def write_secret(self) -> ReplaySecret:
        """Return the truth."""
        drawn, units = self.drawn, len(self.case.worlds[0].rows)
        rules = {self.of[v]: self.change.change_rule(v, rule) for v, rule in drawn.rules.items()}
        names = (*self.names, TRAIT)
        unnamed = [f"W{w}" for w, world in enumerate(self.case.worlds) if world.hand is None]
        hands = {world: self.of[v] for world, v in zip(unnamed, drawn.hands, strict=True)}
        answers = {
            name: write_rule(rules[name], names) for name in self._sort(self.case.rules_asked)
        }
        answers |= {world: hands[world] for world in self._worlds_asked()}
        known = sort_rules({v: rule for v, rule in drawn.rules.items() if rule != OUTSIDE})
        for number, doubt in enumerate(self.case.doubts, 1):
            said = tell_doubt(self.case.law, known, doubt)
            flip = self.change.flips[doubt.variable]
            answers[f"Q{number}"] = said if said == "?" else str(int(said) ^ flip)
        for number, letter in enumerate(self.drawn.letters, 1):
            answers[f"P{number}"] = letter
        digits = write_row(drawn.traits, units) + str(drawn.trait)
        return ReplaySecret(
            rules={
                name: TrueRule(
                    causes=tuple(names[c] for c in rules[name].causes), table=rules[name].table
                )
                for name in self.names
                if name in rules and rules[name] != OUTSIDE
            },
            traits=digits if self.case.law.trait_rules else "",
            hands=hands,
            answers=answers,
        )
