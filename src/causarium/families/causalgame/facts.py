"""Whether a claim is true of a game, by simulated intervention.

Two fleets are flown on the same luck, one with the cause held low and one with it held high, all
else as in the standard design (and as `under` says). What differs between them is the effect.

* **raises**: the effect at the top of the cause's range is higher than at the bottom, and no step
  on the way goes down. **lowers**: the reverse. **does not affect**: no two levels differ.
* Differences count from a margin on: 2 points for shares such as `survived`, a twentieth of the
  standard deviation for other numbers.
* Where tests and evaluation meet different conditions, the claim has to hold in both.
* A **confounder** moves each of the two variables while the other is held as it was. Armour and
  equipment are moved by nothing but the designer; for them it is enough that the opening history
  was flown so.
* A **selection** is true if records with that outcome are withheld, or, for `nothing`, if none are.

What lies too close to the margin for the largest fleet is `open` and counts for nobody; what names
no variable of the game, or asks whether there is more of something that has no more, is `unclear`.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from causarium.families.causalgame.claims import Claim, Confounder, Effect, Selection, key
from causarium.families.causalgame.games.description import Design, Game, Stage
from causarium.families.causalgame.games.laws import AntennaLaw, WeatherLaw, ZoneLaw
from causarium.families.causalgame.memo import Memo
from causarium.families.causalgame.terms import Term, held_value, term

if TYPE_CHECKING:
    from causarium.families.causalgame.games.draws import Draws
    from causarium.families.causalgame.games.trace import Column, Held

Truth = Literal["true", "false", "open", "unclear"]

SHARE_MARGIN = 0.02
"""Shares that differ by less are taken to be the same."""
SPREAD_MARGIN = 0.05
"""Other numbers that differ by less than this part of their standard deviation likewise."""
FLEETS = (4_000, 16_000, 64_000)
"""How many drones are flown: more only where fewer leave it open."""
_SURE = 3.0
"""Standard errors from the margin at which a difference is decided."""
_QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.99)
_SEED = 0
_KNOWN: Memo[Truth] = Memo()
NOTHING = ("nothing", "none", "no")

Setting = dict[str, "Held"]
Level = list[tuple[float, Setting]]
"""A mixture of interventions: weight and what is held."""


def truth(game: Game, claim: Claim) -> Truth:
    """Say whether a claim is true of a game."""
    return _KNOWN.of(game, key(claim), lambda: _decided(game, claim))


def _decided(game: Game, claim: Claim) -> Truth:
    if isinstance(claim, Selection):
        return _selection(game, claim)
    for size in FLEETS:
        lab = _Lab(game, size)
        found = _effect(lab, claim) if isinstance(claim, Effect) else _confounder(lab, claim)
        if found != "open":
            return found
    return "open"


def all_of(parts: Iterable[Truth]) -> Truth:
    """Say whether all of some statements are true; one that is false settles it.

    Example:
        >>> all_of(["true", "open"]), all_of(["open", "false"]), all_of([])
        ('open', 'false', 'true')
    """
    known = set(parts)
    order: tuple[Truth, ...] = ("unclear", "false", "open")
    return next((one for one in order if one in known), "true")


def stages(game: Game) -> tuple[Stage, ...]:
    """Return the stages that differ in what drones meet."""
    law = game.law
    if isinstance(law, AntennaLaw | WeatherLaw):
        shares = [law.storm_share]
    else:
        shares = [zone.share for zone in law.zones] if isinstance(law, ZoneLaw) else []
    return (1, 2) if any(first != second for first, second in shares) else (1,)


@lru_cache(maxsize=len(FLEETS))
def _luck(size: int) -> "Draws":
    from causarium.families.causalgame.games.draws import Draws

    return Draws(_SEED, size)


class _Lab:
    """Fleets of one size, flown on the same luck."""

    def __init__(self, game: Game, size: int) -> None:
        self.game = game
        self.size = size
        self._flown: dict[tuple[object, ...], dict[str, Column]] = {}

    def natural(self, stage: Stage) -> "dict[str, Column]":
        """Return every variable of a fleet that nobody interferes with."""
        return self.fly(stage, {})

    def fly(self, stage: Stage, held: Setting) -> "dict[str, Column]":
        """Return every variable of a fleet with some of them held."""
        from causarium.families.causalgame.games.simulate import fly_on

        address = (stage, *((name, _address(held[name])) for name in sorted(held)))
        if address not in self._flown:
            setting = {name: self._of_its_kind(stage, name, value) for name, value in held.items()}
            flown = fly_on(self.game, Design(), _luck(self.size), stage, setting)
            self._flown[address] = dict(flown.columns)
        return self._flown[address]

    def _of_its_kind(self, stage: Stage, name: str, value: "Held") -> "Held":
        """Return a value as the equations have it: what is yes or no is no number."""
        natural = self.natural(stage)[name]
        return bool(value) if natural.dtype == bool and isinstance(value, float) else value

    def seen(self, stage: Stage, level: Level, of: Term) -> "Column":
        """Return a variable at one level of the cause, drone by drone."""
        import numpy as np

        parts = [weight * _read(self.fly(stage, held), of) for weight, held in level]
        whole: Column = np.sum(parts, axis=0)
        return whole

    def margin(self, stage: Stage, of: Term) -> float:
        """Return the difference from which on a variable counts as moved."""
        import numpy as np

        natural = _read(self.natural(stage), of)
        if bool(np.isin(natural, (0.0, 1.0)).all()):
            return SHARE_MARGIN
        return max(SPREAD_MARGIN * float(natural.std()), 1e-9)

    def difference(self, low: "Column", high: "Column") -> tuple[float, float]:
        """Return how much higher the second is, and the standard error of that."""
        apart = high - low
        return float(apart.mean()), float(apart.std()) / math.sqrt(self.size)


def _address(value: "Held") -> object:
    return value if isinstance(value, float | int | bool | str) else value.tobytes()


def _read(columns: "dict[str, Column]", of: Term) -> "Column":
    column = columns[of.variable.name]
    if of.value is not None:
        column = column == of.variable.values.index(of.value)
    column = column.astype(float)
    return 1 - column if of.flipped else column


def _effect(lab: _Lab, claim: Effect) -> Truth:
    cause, effect = term(lab.game, claim.cause), term(lab.game, claim.effect)
    held = _held(lab.game, claim)
    if cause is None or effect is None or held is None:
        return "unclear"
    if cause.variable.name in held or cause.variable.name == effect.variable.name:
        return "unclear"
    if claim.relation != "does not affect" and not (cause.ordered and effect.ordered):
        return "unclear"
    relation = claim.relation
    if cause.flipped and relation != "does not affect":
        relation = "lowers" if relation == "raises" else "raises"
    effects = [effect] if effect.ordered else _each(effect)
    return all_of(
        _moved(lab, stage, levels(lab, stage, cause, held), one, relation)
        for stage in stages(lab.game)
        for one in effects
    )


def _held(game: Game, claim: Effect) -> Setting | None:
    found = [held_value(game, name, value) for name, value in claim.under.items()]
    fixed = [one for one in found if one is not None]
    if len(fixed) < len(found):
        return None
    return {what.variable.name: value for what, value in fixed}


def _each(of: Term) -> list[Term]:
    return [Term(of.variable, value) for value in of.variable.values]


def levels(lab: _Lab, stage: Stage, cause: Term, held: Setting) -> list[Level]:
    """Return the levels at which a cause is held, lowest first."""
    import numpy as np

    name = cause.variable.name
    if cause.value is not None:
        without = [(weight, {**held, name: other}) for weight, other in _others(lab, stage, cause)]
        return [without, [(1.0, {**held, name: cause.value})]]
    if cause.variable.values:
        steps: Iterable[float | str] = cause.variable.values
    elif cause.variable.role == "lever":
        space = lab.game.space
        steps = dict.fromkeys(np.linspace(space.low, space.high, 5).round().tolist())
    else:
        met = [lab.natural(one)[name].astype(float) for one in stages(lab.game)]
        natural = np.concatenate(met)
        steps = dict.fromkeys(np.quantile(natural, _QUANTILES).tolist())
        if len(set(natural.tolist())) <= 2:
            steps = (0.0, 1.0)
    return [[(1.0, {**held, name: step})] for step in steps]


def _others(lab: _Lab, stage: Stage, cause: Term) -> list[tuple[float, str]]:
    """Return what is there instead of one value: the default option, or the others."""
    name, values = cause.variable.name, cause.variable.values
    for slot in lab.game.slots:
        if slot.name == name and slot.default != cause.value:
            return [(1.0, slot.default)]
    natural = lab.natural(stage)[name]
    shares = {value: float((natural == code).mean()) for code, value in enumerate(values)}
    shares.pop(str(cause.value))
    whole = sum(shares.values())
    if not whole:
        return [(1 / len(shares), value) for value in shares]
    return [(share / whole, value) for value, share in shares.items() if share]


def _moved(lab: _Lab, stage: Stage, at: list[Level], effect: Term, relation: str) -> Truth:
    margin = lab.margin(stage, effect)
    seen = [lab.seen(stage, level, effect) for level in at]
    if relation == "does not affect":
        pairs = [(i, j) for j in range(len(seen)) for i in range(j)]
        return all_of(_within(lab.difference(seen[i], seen[j]), margin) for i, j in pairs)
    if relation == "lowers":
        seen.reverse()
    steps = [lab.difference(low, high) for low, high in pairwise(seen)]
    whole = _above(lab.difference(seen[0], seen[-1]), margin)
    return all_of([whole, *(_above(step, -margin) for step in steps)])


def _above(difference: tuple[float, float], bound: float) -> Truth:
    mean, error = difference
    if abs(mean - bound) <= _SURE * error:
        return "open"
    return "true" if mean > bound else "false"


def _within(difference: tuple[float, float], margin: float) -> Truth:
    mean, error = difference
    return _above((margin - abs(mean), error), 0.0)


def _confounder(lab: _Lab, claim: Confounder) -> Truth:
    cause = term(lab.game, claim.confounder)
    pair = [term(lab.game, said) for said in claim.of]
    named = [one for one in (cause, *pair) if one is not None]
    if cause is None or len(named) < 3 or len({one.variable.name for one in named}) < 3:
        return "unclear"
    first, second = named[1], named[2]
    return all_of((_reaches(lab, cause, first, second), _reaches(lab, cause, second, first)))


def _reaches(lab: _Lab, cause: Term, effect: Term, other: Term) -> Truth:
    """Say whether a cause moves an effect other than by way of the `other`."""
    if effect.variable.role in {"lever", "equipment"}:
        return "true" if _flown_together(lab.game, cause, effect) else "false"
    moved = [_moves(lab, stage, cause, effect, other) for stage in stages(lab.game)]
    return all_of(moved)


def _moves(lab: _Lab, stage: Stage, cause: Term, effect: Term, other: Term) -> Truth:
    held: Setting = {}
    if other.variable.role not in {"lever", "equipment"}:
        held = {other.variable.name: lab.natural(stage)[other.variable.name]}
    whole = Term(cause.variable) if cause.value is None else cause
    at = levels(lab, stage, whole, held)
    effects = [effect] if effect.ordered else _each(effect)
    still = all_of(_moved(lab, stage, at, one, "does not affect") for one in effects)
    opposite: dict[Truth, Truth] = {"true": "false", "false": "true"}
    return opposite.get(still, still)


def _flown_together(game: Game, cause: Term, lever: Term) -> bool:
    """Return whether the opening history was flown with both of them changing together."""
    if not game.past.rows:
        return False
    flown = {
        (recipe.force.get(cause.variable.name), _chosen(game, recipe.design, lever))
        for recipe in game.past.recipes
    }
    forced = {value for value, _ in flown}
    return len(forced) > 1 and len({choice for _, choice in flown}) > 1 and None not in forced


def _chosen(game: Game, design: Design, lever: Term) -> int | str | None:
    name = lever.variable.name
    for slot in game.slots:
        if slot.name == name:
            return slot.option(design.equipment.get(name)).name
    armour = game.armour(design)
    return next((armour[part] for part in armour if f"{part}_def" == lever.variable.key), None)


def _selection(game: Game, claim: Selection) -> Truth:
    if claim.on.strip().casefold() in NOTHING:
        return "false" if game.past.hide_failed else "true"
    on = term(game, claim.on)
    if on is None:
        return "unclear"
    return "true" if game.past.hide_failed and on.variable.key == "survived" else "false"
