"""What is proven of one leg in fractions, state by state, without the arrays that drawing uses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from ..mechanics.story import Story, list_nodes, read_story
from ..model import FLIGHTS, HiddenLeg, Leg
from .leg_proof import LegFacts, find_unseen, prove_leg

State = tuple[int, ...]
Law = dict[State, Fraction]
CLEAR = Fraction(1, 20)


@dataclass(frozen=True)
class ExactModel:
    """Chances in fractions: of each node by the states of its causes, and of unrecorded causes."""

    causes: tuple[tuple[int, ...], ...]
    tables: tuple[dict[State, Fraction], ...]
    hidden: tuple[Fraction, ...]

    def list_states(self, settings: Mapping[int, int]) -> Iterator[tuple[State, Fraction]]:
        """Yield the states of all nodes and unrecorded causes that can be, with their chances."""
        nodes = len(self.tables)
        for state in product((0, 1), repeat=nodes + len(self.hidden)):
            if any(state[node] != value for node, value in settings.items()):
                continue
            chance = Fraction(1)
            for node in (node for node in range(nodes) if node not in settings):
                of_one = self.tables[node][tuple(state[cause] for cause in self.causes[node])]
                chance *= of_one if state[node] else 1 - of_one
                if not chance:
                    break
            for place, weight in enumerate(self.hidden):
                chance *= weight if state[nodes + place] else 1 - weight
            if chance:
                yield state, chance

    def make_law(
        self, settings: Mapping[int, int] | None = None, unseen: tuple[int, int] | None = None
    ) -> Law:
        """Return the law of the nodes; without the drones that no row shows where some are."""
        nodes = len(self.tables)
        law: Law = {}
        module = nodes - 2
        for state, chance in self.list_states(settings or {}):
            if unseen is None or not (state[unseen[0]] and state[module] == unseen[1]):
                law[state[:nodes]] = law.get(state[:nodes], Fraction(0)) + chance
        total = sum(law.values())
        return {state: chance / total for state, chance in law.items()}

    def find_effect(self, leg: Leg) -> Fraction:
        """Return the effect of the module on the share of the fleet that returns."""
        module = len(leg.columns)
        laws = [self.make_law({**leg.settings, module: value}) for value in (0, 1)]
        shares = [sum(p for state, p in law.items() if state[-1]) for law in laws]
        return Fraction(shares[1] - shares[0])


def prove_leg_exactly(leg: Leg, hidden: HiddenLeg) -> LegFacts:
    """Prove the facts of a leg; those of diagrams alone stand as in floating point."""
    base = _read_base(hidden)
    law = base.make_law(unseen=hidden.unseen)
    models = [base, *_list_others(leg, hidden, base, law)]
    effects = [model.find_effect(leg) for model in models]
    clear = all(abs(effect) >= CLEAR for effect in effects)
    facts = prove_leg(leg, hidden)
    return replace(
        facts,
        book=leg.book == _count(law),
        law=all(model.make_law(unseen=hidden.unseen) == law for model in models),
        opposite=clear and (len(effects) == 1 or effects[0] * effects[1] < 0),
    )


def _read_base(hidden: HiddenLeg) -> ExactModel:
    tables = []
    for causes, table in zip(hidden.causes, hidden.tables, strict=True):
        states = product((0, 1), repeat=len(causes))
        chances = (Fraction(chance, 32) for chance in table)
        tables.append(dict(zip(states, chances, strict=True)))
    weights = tuple(Fraction(weight, 8) for weight in hidden.hidden)
    return ExactModel(hidden.causes, tuple(tables), weights)


def _list_others(leg: Leg, hidden: HiddenLeg, base: ExactModel, law: Law) -> Iterator[ExactModel]:
    """Yield the model of the twin, or that of the other face."""
    if hidden.twin is not None:
        yield _retell(read_story(hidden.twin), law)
    elif hidden.kind in {"hidden", "rows"}:
        module = len(leg.columns)
        cause, value = find_unseen(hidden, module)
        places = [base.causes[-1].index(axis) for axis in (cause, module)]
        turned = {
            state: 1 - chance if (state[places[0]], state[places[1]]) == (1, value) else chance
            for state, chance in base.tables[-1].items()
        }
        yield replace(base, tables=(*base.tables[:-1], turned))


def _retell(story: Story, law: Law) -> ExactModel:
    """Return the twin's model: chances given told causes, and copies of natural values."""
    sources: dict[tuple[int, int], tuple[int, int]] = {}
    for pair in sorted(story.hidden):
        for one, other in (pair, pair[::-1]):
            if not story.parents[one] and story.siblings[one] == 1 << other:
                sources.setdefault(pair, (one, other))
    copies = sorted(sources.values())
    axis_of = {one: story.nodes + place for place, (one, _) in enumerate(copies)}
    causes: list[tuple[int, ...]] = []
    tables: list[dict[State, Fraction]] = []
    for node in range(story.nodes):
        if node in axis_of:
            causes.append((axis_of[node],))
            tables.append({(0,): Fraction(0), (1,): Fraction(1)})
            continue
        given = [*list_nodes(story.parents[node]), *(one for one, other in copies if other == node)]
        told = len(given) - sum(other == node for _, other in copies)
        causes.append((*given[:told], *(axis_of[one] for one in given[told:])))
        tables.append(_read_table(law, node, given))
    hidden = tuple(_read_table(law, one, [])[()] for one, _ in copies)
    return ExactModel(tuple(causes), tuple(tables), hidden)


def _read_table(law: Law, node: int, given: list[int]) -> dict[State, Fraction]:
    sums: dict[State, list[Fraction]] = {}
    for state, chance in law.items():
        pair = sums.setdefault(tuple(state[one] for one in given), [Fraction(0), Fraction(0)])
        pair[state[node]] += chance
    return {state: one / (zero + one) for state, (zero, one) in sums.items()}


def _count(law: Law) -> tuple[tuple[int, int], ...]:
    """Return the flights of each cell, halves rounded up."""
    states = product((0, 1), repeat=len(next(iter(law))) - 1)
    cells = ((law.get((*state, 0), 0), law.get((*state, 1), 0)) for state in states)
    half = Fraction(1, 2)
    return tuple((int(lost * FLIGHTS + half), int(back * FLIGHTS + half)) for lost, back in cells)
