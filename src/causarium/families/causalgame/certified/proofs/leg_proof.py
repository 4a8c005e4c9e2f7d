"""What is proven of one leg in floating point, by enumeration and by the ID algorithm."""

from dataclasses import dataclass

import numpy as np

from ..mechanics.chances import Chances, retell
from ..mechanics.identify import find_share
from ..mechanics.legs import count_flights, find_effect, read_base, read_told
from ..mechanics.story import Story, read_story
from ..mechanics.tell_apart import find_telling_set
from ..model import FLIGHTS, HiddenLeg, Leg

BARE = ">"
"""The story of a leg without columns, in which the module was drawn by lot."""
SAME = 1e-9
"""The largest difference of two numbers that are one."""
CLEAR = 0.05
"""The least size of an effect."""
TELLING = 0.1
"""The least difference that a trial makes between two clerks."""


@dataclass(frozen=True)
class LegFacts:
    """What holds of a leg."""

    book: bool
    law: bool
    opposite: bool
    known: bool
    functional: bool
    trial: bool
    needs_trial: bool


def prove_leg(leg: Leg, hidden: HiddenLeg) -> LegFacts:
    """Prove the facts of a leg."""
    base, needs = read_base(hidden), hidden.kind not in {"plain", "lot"}
    rows = base.make_rows_law(hidden.unseen)
    told = read_told(leg, hidden.right)
    effect, read = find_effect(leg, hidden), _read_effect(leg, told, base)
    twin = open_other(leg, hidden)
    # Where a lot decided and nothing else is recorded, there is no other story.
    effects, same = [effect], hidden.base == BARE
    if twin is not None:
        effects.append(_add(twin, told, leg))
        same = bool(np.abs(twin.make_rows_law(hidden.unseen) - rows).max() < SAME)
    is_read = read is not None and hidden.kind != "rows"
    return LegFacts(
        book=count_flights(rows, FLIGHTS) == leg.book,
        law=same,
        opposite=min(map(abs, effects)) >= CLEAR and (twin is None or effects[0] * effects[1] < 0),
        known=is_read != (hidden.kind in {"hidden", "rows"} or _is_by_lot(leg, told)),
        functional=read is None or not is_read or abs(read - effect) < SAME,
        trial=not needs or _can_tell(leg, base),
        needs_trial=needs,
    )


def _is_by_lot(leg: Leg, told: Story) -> bool:
    return leg.uniform and told.is_confounded


def _add(model: Chances, told: Story, leg: Leg) -> float:
    shares = [model.find_share(told.result, {**leg.settings, told.module: v}) for v in (0, 1)]
    return float(shares[1][0] - shares[0][0])


def _read_effect(leg: Leg, told: Story, base: Chances) -> float | None:
    law = base.make_law()
    shares = [find_share(told, law, {**leg.settings, told.module: value}) for value in (0, 1)]
    if shares[0] is None or shares[1] is None:
        return None
    return float(shares[1][0] - shares[0][0])


def open_other(leg: Leg, hidden: HiddenLeg) -> Chances | None:
    """Return a model of the same book that calls for the other decision; None without columns."""
    base = read_base(hidden)
    if hidden.kind in {"hidden", "rows"}:
        return show_other_face(leg, hidden, base)
    if hidden.twin is None:
        return None
    told = read_told(leg, hidden.right)
    if told == read_story(hidden.base):
        return retell(read_story(hidden.twin), base.make_law())
    return base


def show_other_face(leg: Leg, hidden: HiddenLeg, base: Chances) -> Chances:
    """Return the model in which the drones that no row shows return otherwise."""
    module, result = len(leg.columns), len(leg.columns) + 1
    cause, value = find_unseen(hidden, module)
    axes = [1 + base.causes[result].index(axis) for axis in (cause, module)]
    table = np.array(base.tables[result])
    where: list[int | slice] = [slice(None)] * table.ndim
    where[axes[0]], where[axes[1]] = 1, value
    table[tuple(where)] = 1 - table[tuple(where)]
    return Chances(base.nodes, base.causes, (*base.tables[:result], table), base.hidden)


def find_unseen(hidden: HiddenLeg, module: int) -> tuple[int, int]:
    """Return the unrecorded cause and the module's value that no row shows together."""
    if hidden.unseen is not None:
        return hidden.unseen
    story = read_story(hidden.base)
    place = sorted(story.hidden).index((story.module, story.result))
    cause = story.nodes + place
    axis = hidden.causes[module].index(cause)
    table = np.array(hidden.tables[module]).reshape([2] * len(hidden.causes[module]))
    return cause, int(table.take(1, axis=axis).max() == 0)


def _can_tell(leg: Leg, base: Chances) -> bool:
    if len(leg.told) == 1:
        return leg.can_fit
    stories = (read_told(leg, 0), read_told(leg, 1))
    return find_telling_set(stories, base.make_law()).difference >= TELLING
