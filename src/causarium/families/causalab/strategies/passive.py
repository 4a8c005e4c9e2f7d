"""Players of the paper edition that never intervene."""

from itertools import combinations
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import LabPublic
from causarium.families.causalab.strategies.final_answers import (
    add_arrows,
    commit,
    regress_frequency,
)


def regress(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Regress the frequency on all properties, over the readings that share its base."""
    model = regress_frequency(public, Notebook(public), range(len(public.properties)))
    yield from commit(model, public, rules)


def sort_by_spread(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Take what spreads wider for an effect of what spreads less, and regress the frequency.

    Where weights of one and more act on bases of one spread, that tells most directions. Here
    readings are drawn, and spread says nothing.
    """
    nodes = _by_spread(public)
    arrows = combinations(nodes, 2)
    model = regress_frequency(public, Notebook(public), range(len(public.properties)))
    yield from commit(add_arrows(model, arrows), public, rules)


def _by_spread(public: LabPublic) -> list[int]:
    readings = [*public.records, public.manipulator]
    tables = [*(reading.values for reading in readings), public.reactor]
    spread = [max(column) - min(column) for column in zip(*tables, strict=True)]
    return sorted(range(len(spread)), key=lambda node: spread[node])
