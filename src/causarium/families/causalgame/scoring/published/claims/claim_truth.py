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
no variable of the game, holds one at what never occurs, or asks whether there is more of something
that has no more, is `unclear`.
"""

import math
from collections.abc import Iterable
from itertools import combinations, pairwise
from statistics import fmean, pvariance
from typing import Literal

from causarium.families.causalgame.mechanics.published.simulation_cache import Memo
from causarium.families.causalgame.model.published.claims import (
    Claim,
    Confounder,
    Effect,
    Selection,
    key,
)
from causarium.families.causalgame.model.published.game import Design, Game, Stage, Variable
from causarium.families.causalgame.scoring.published.claims.claim_terms import (
    SUFFIX,
    Term,
    find_held_value,
    term,
)
from causarium.families.causalgame.scoring.published.held_trials import (
    FLEETS,
    Level,
    Setting,
    Trials,
    levels,
    stages,
)

Truth = Literal["true", "false", "open", "unclear"]

_SURE = 3.0
"""Standard errors from the margin at which a difference is decided."""
_OPTION_GAP = 0.25
_KNOWN: Memo[Truth] = Memo()
NOTHING = ("nothing", "none", "no")


def truth(game: Game, claim: Claim) -> Truth:
    """Say whether a claim is true of a game."""
    effect = isinstance(claim, Effect)
    return _KNOWN.get_or_find(
        game, key(claim), lambda: _decide_claim(game, claim), of_flights=effect
    )


def _decide_claim(game: Game, claim: Claim) -> Truth:
    if isinstance(claim, Selection):
        return _selection(game, claim)
    for size in FLEETS:
        trials = Trials(game, size)
        found = _effect(trials, claim) if isinstance(claim, Effect) else _confounder(trials, claim)
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


def _effect(trials: Trials, claim: Effect) -> Truth:
    cause, effect = term(trials.game, claim.cause), term(trials.game, claim.effect)
    held = _find_held_setting(trials, claim)
    if cause is None or effect is None or held is None:
        return "unclear"
    if cause.variable.name in held or cause.variable.name == effect.variable.name:
        return "unclear"
    if claim.relation != "does not affect" and not (cause.ordered and effect.ordered):
        return "unclear"
    relation = claim.relation
    if cause.flipped and relation != "does not affect":
        relation = "lowers" if relation == "raises" else "raises"
    effects = [effect] if effect.ordered else _list_values(effect)
    return all_of(
        _decide_move(trials, stage, levels(trials, stage, cause, held), one, relation)
        for stage in stages(trials.game)
        for one in effects
    )


def _find_held_setting(trials: Trials, claim: Effect) -> Setting | None:
    fixed: Setting = {}
    for name, value in claim.under.items():
        found = find_held_value(trials.game, name, value)
        if found is None or not trials.allows(found[0].variable.name, found[1]):
            return None
        fixed[found[0].variable.name] = found[1]
    return fixed


def _list_values(of: Term) -> list[Term]:
    return [Term(of.variable, value) for value in of.variable.values]


def _decide_move(
    trials: Trials, stage: Stage, at: list[Level], effect: Term, relation: str
) -> Truth:
    margin = trials.margin(stage, effect)
    seen = [trials.read_levels(stage, level, effect) for level in at]
    if relation == "does not affect":
        pairs = [(i, j) for j in range(len(seen)) for i in range(j)]
        return all_of(_is_within(trials.difference(seen[i], seen[j]), margin) for i, j in pairs)
    if relation == "lowers":
        seen.reverse()
    steps = [trials.difference(low, high) for low, high in pairwise(seen)]
    whole = _is_above(trials.difference(seen[0], seen[-1]), margin)
    return all_of([whole, *(_is_above(step, -margin) for step in steps)])


def _is_above(difference: tuple[float, float], bound: float) -> Truth:
    mean, error = difference
    if abs(mean - bound) <= _SURE * error:
        return "open"
    return "true" if mean > bound else "false"


def _is_within(difference: tuple[float, float], margin: float) -> Truth:
    mean, error = difference
    return _is_above((margin - abs(mean), error), 0.0)


def _confounder(trials: Trials, claim: Confounder) -> Truth:
    cause = term(trials.game, claim.confounder)
    pair = [term(trials.game, said) for said in claim.of]
    named = [one for one in (cause, *pair) if one is not None]
    if cause is None or len(named) < 3 or len({one.variable.name for one in named}) < 3:
        return "unclear"
    first, second = named[1], named[2]
    return all_of((_reaches(trials, cause, first, second), _reaches(trials, cause, second, first)))


def _reaches(trials: Trials, cause: Term, effect: Term, other: Term) -> Truth:
    """Say whether a cause moves an effect other than by way of the `other`."""
    if effect.variable.role in {"lever", "equipment"}:
        tied = is_flown_together(trials.game, cause.variable.name, effect.variable)
        return "true" if tied else "false"
    moved = [_moves(trials, stage, cause, effect, other) for stage in stages(trials.game)]
    return all_of(moved)


def _moves(trials: Trials, stage: Stage, cause: Term, effect: Term, other: Term) -> Truth:
    held: Setting = {}
    if other.variable.role not in {"lever", "equipment"}:
        held = {other.variable.name: trials.natural(stage)[other.variable.name]}
    whole = Term(cause.variable) if cause.value is None else cause
    at = levels(trials, stage, whole, held)
    effects = [effect] if effect.ordered else _list_values(effect)
    still = all_of(_decide_move(trials, stage, at, one, "does not affect") for one in effects)
    opposite: dict[Truth, Truth] = {"true": "false", "false": "true"}
    return opposite.get(still, still)


def is_flown_together(game: Game, name: str, lever: Variable) -> bool:
    """Return whether the opening history fitted a lever by what drones were sent to meet.

    That is so if the mean armour differs by a standard deviation or more between what was met, or
    the share of an option by a quarter.
    """
    if not game.past.rows or lever.role not in {"lever", "equipment"}:
        return False
    groups: dict[object, list[int | str]] = {}
    for recipe in game.past.recipes:
        fitted = _find_choice(game, recipe.design, lever)
        groups.setdefault(recipe.force.get(name), []).extend([fitted] * recipe.weight)
    return None not in groups and any(
        _differ(first, second) for first, second in combinations(groups.values(), 2)
    )


def _differ(first: list[int | str], second: list[int | str]) -> bool:
    numbers, others = ([x for x in some if isinstance(x, int)] for some in (first, second))
    if numbers and others:
        spread = math.sqrt((pvariance(numbers) + pvariance(others)) / 2)
        return abs(fmean(numbers) - fmean(others)) >= max(spread, 1.0)
    options = {*first, *second}
    return any(
        abs(first.count(option) / len(first) - second.count(option) / len(second)) >= _OPTION_GAP
        for option in options
    )


def _find_choice(game: Game, design: Design, lever: Variable) -> int | str:
    for slot in game.slots:
        if slot.name == lever.name:
            return slot.option(design.equipment.get(slot.name)).name
    return game.armour(design)[lever.key.removesuffix(SUFFIX)]


def _selection(game: Game, claim: Selection) -> Truth:
    if claim.on.strip().casefold() in NOTHING:
        return "false" if game.past.hide_failed else "true"
    on = term(game, claim.on)
    if on is None:
        return "unclear"
    return "true" if game.past.hide_failed and on.variable.key == "survived" else "false"
