"""Paper edition: whether a claim is true of a game, and the ideas that a game is about.

A term is a variable of the game, or one value of a categorical one (`mission_zone=delta`,
`coating=stealth`). Agents may also write a component's bare name for its armour, and a few other
words for what happens; `losses` is survival the other way round.

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

An idea has one or more forms; it is held when all claims of one form are. The two published lists
(antenna and zone) are kept as they were graded, with what simulation says against them in `doubt`;
beside them stand those that are true or false of a game by simulation. The distance of a belief is
the number of golden ideas that it lacks and of distractors that it holds.
"""

import math
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from statistics import fmean, pvariance
from typing import TYPE_CHECKING, Literal

from pydantic import TypeAdapter

from causarium.contract.frozen import Frozen
from causarium.contract.turn import Turn
from ..model.actions import (
    Believe,
    Claim,
    Confounder,
    Effect,
    Relation,
    Selection,
)
from ..model.game import (
    ALTITUDES,
    AntennaLaw,
    Design,
    Game,
    Stage,
    Variable,
    WeatherLaw,
    ZoneLaw,
)
from ..play.game_session import SUFFIX

if TYPE_CHECKING:
    from ..mechanics import Column, Draws, Held


_WORDS = {
    **dict.fromkeys(("survival", "survival_rate", "returned"), ("survived", False)),
    **dict.fromkeys(("destroyed", "loss", "losses", "lost"), ("survived", True)),
    **dict.fromkeys(("was_detected", "is_detected"), ("detected", False)),
    **dict.fromkeys(("weather", "storm"), ("is_storm", False)),
    **dict.fromkeys(("interference", "emi"), ("emi_level", False)),
    "hits": ("hit_count", False),
    "zone": ("mission_zone", False),
    "altitude": ("altitude_band", False),
}
_YES_NO = {
    **dict.fromkeys(("true", "yes", "storm", "stormy", "rain"), 1.0),
    **dict.fromkeys(("false", "no", "clear", "calm", "dry"), 0.0),
}


@dataclass(frozen=True, slots=True)
class Term:
    """What one side of a claim speaks of."""

    variable: Variable
    value: str | None = None
    """One value of a categorical variable."""
    flipped: bool = False
    """Whether more of the word means less of the variable."""

    @property
    def name(self) -> str:
        """The variable's name, with the value where there is one."""
        return self.variable.name if self.value is None else f"{self.variable.name}={self.value}"

    @property
    def ordered(self) -> bool:
        """Whether there can be more or less of it."""
        values = self.variable.values
        return self.value is not None or not values or values == ALTITUDES


def term(game: Game, said: str) -> Term | None:
    """Return what a word stands for in a game, or None if it stands for nothing there."""
    name, _, value = (part.strip() for part in said.strip().partition("="))
    found, flipped = _variable(game, name)
    if found is None:
        return None
    if not value:
        return Term(found, flipped=flipped)
    known = {one.casefold(): one for one in found.values}
    if value.casefold() in known:
        return Term(found, known[value.casefold()])
    return None


def _variable(game: Game, name: str) -> tuple[Variable | None, bool]:
    by_name = {one.name.casefold(): one for one in game.variables}
    key = name.casefold().replace(" ", "_")
    if key in by_name:
        return by_name[key], False
    if f"{key}{SUFFIX}" in by_name:
        return by_name[f"{key}{SUFFIX}"], False
    meant, flipped = _WORDS.get(key, ("", False))
    return by_name.get(meant), flipped


def find_held_value(game: Game, name: str, value: float | str) -> tuple[Term, float | str] | None:
    """Return the variable that is held and what it is held at, or None if that cannot be."""
    found = term(game, name)
    if found is None or found.value is not None or found.flipped:
        return None
    values = found.variable.values
    if values:
        known = {one.casefold(): one for one in values}
        chosen = known.get(str(value).strip().casefold())
        return None if chosen is None else (found, chosen)
    number = _number(value)
    return None if number is None else (found, number)


def _number(value: float | str) -> float | None:
    if isinstance(value, str):
        return _YES_NO.get(value.strip().casefold())
    # Beyond this, sums of armour and wind would stop being numbers.
    return float(value) if abs(value) <= 1e6 else None


FLEETS = (4_000, 16_000, 64_000)
"""How many drones are flown: more only where fewer leave it open."""
SHARE_MARGIN = 0.02
"""Shares that differ by less are taken to be the same."""
SPREAD_MARGIN = 0.05
"""Other numbers that differ by less than this part of their standard deviation likewise."""
_QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.99)
_SEED = 0
_SLACK = 0.1
MOST_ARMOUR = 1_000

Setting = dict[str, "Held"]
Level = list[tuple[float, Setting]]
"""A mixture of interventions: weight and what is held."""


def stages(game: Game) -> tuple[Stage, ...]:
    """Return the stages that differ in what drones meet."""
    law = game.law
    if isinstance(law, AntennaLaw | WeatherLaw):
        shares = [law.storm_share]
    else:
        shares = [zone.share for zone in law.zones] if isinstance(law, ZoneLaw) else []
    return (1, 2) if any(first != second for first, second in shares) else (1,)


@lru_cache(maxsize=len(FLEETS) + 1)  # it keeps what was drawn, for all games
def draw_luck(seed: int, size: int) -> "Draws":
    """Return the luck on which fleets of one size are compared."""
    from ..mechanics import Draws

    return Draws(seed, size)


class Trials:
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
        from ..mechanics import fly_on

        address = (stage, *((name, _address(held[name])) for name in sorted(held)))
        if address not in self._flown:
            setting = {name: self._of_its_kind(stage, name, value) for name, value in held.items()}
            flown = fly_on(self.game, Design(), draw_luck(_SEED, self.size), stage, setting)
            self._flown[address] = dict(flown)
        return self._flown[address]

    def allows(self, name: str, value: float | str) -> bool:
        """Return whether a variable can be held at a value: what occurs, and any sane armour.

        Agents name the value, and a fight of a million rounds would never end.
        """
        if isinstance(value, str):
            return True
        if self.game.variable(name).role == "lever":
            return 0 <= value <= MOST_ARMOUR
        met = [self.natural(stage)[name].astype(float) for stage in stages(self.game)]
        low, high = min(float(one.min()) for one in met), max(float(one.max()) for one in met)
        slack = _SLACK * (high - low)
        return low - slack <= value <= high + slack

    def _of_its_kind(self, stage: Stage, name: str, value: "Held") -> "Held":
        """Return a value as the equations have it: what is yes or no is no number."""
        natural = self.natural(stage)[name]
        return bool(value) if natural.dtype == bool and isinstance(value, float) else value

    def read_levels(self, stage: Stage, level: Level, of: Term) -> "Column":
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


def levels(trials: Trials, stage: Stage, cause: Term, held: Setting) -> list[Level]:
    """Return the levels at which a cause is held, lowest first."""
    import numpy as np

    name = cause.variable.name
    if cause.value is not None:
        without = [
            (weight, {**held, name: other})
            for weight, other in _list_other_values(trials, stage, cause)
        ]
        return [without, [(1.0, {**held, name: cause.value})]]
    if cause.variable.values:
        steps: Iterable[float | str] = cause.variable.values
    elif cause.variable.role == "lever":
        space = trials.game.space
        steps = dict.fromkeys(np.linspace(space.low, space.high, 5).round().tolist())
    else:
        met = [trials.natural(one)[name].astype(float) for one in stages(trials.game)]
        natural = np.concatenate(met)
        steps = dict.fromkeys(np.quantile(natural, _QUANTILES).tolist())
        if len(set(natural.tolist())) <= 2:
            steps = (0.0, 1.0)
    return [[(1.0, {**held, name: step})] for step in steps]


def _list_other_values(trials: Trials, stage: Stage, cause: Term) -> list[tuple[float, str]]:
    """Return what is there instead of one value: the default option, or the others."""
    name, values = cause.variable.name, cause.variable.values
    for slot in trials.game.slots:
        if slot.name == name and slot.default != cause.value:
            return [(1.0, slot.default)]
    natural = trials.natural(stage)[name]
    shares = {value: float((natural == code).mean()) for code, value in enumerate(values)}
    shares.pop(str(cause.value))
    whole = sum(shares.values())
    if not whole:
        return [(1 / len(shares), value) for value in shares]
    return [(share / whole, value) for value, share in shares.items() if share]


Truth = Literal["true", "false", "open", "unclear"]

_SURE = 3.0
"""Standard errors from the margin at which a difference is decided."""
_OPTION_GAP = 0.25
NOTHING = ("nothing", "none", "no")


def truth(game: Game, claim: Claim) -> Truth:
    """Say whether a claim is true of a game."""
    return _decide_claim(game.flown if isinstance(claim, Effect) else game, claim)


@lru_cache(maxsize=2_000)  # up to 64,000 flights at each level of the cause
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
    relation = _turn_relation(claim.relation) if cause.flipped else claim.relation
    return all_of(
        _decide_move(trials, stage, levels(trials, stage, cause, held), one, relation)
        for stage in stages(trials.game)
        for one in _list_ordered(effect)
    )


def _turn_relation(relation: Relation) -> Relation:
    turned: dict[Relation, Relation] = {"raises": "lowers", "lowers": "raises"}
    return turned.get(relation, relation)


def _find_held_setting(trials: Trials, claim: Effect) -> Setting | None:
    fixed: Setting = {}
    for name, value in claim.under.items():
        found = find_held_value(trials.game, name, value)
        if found is None or not trials.allows(found[0].variable.name, found[1]):
            return None
        fixed[found[0].variable.name] = found[1]
    return fixed


def _list_ordered(of: Term) -> list[Term]:
    """Return a term, or the values of one that there cannot be more or less of."""
    return [of] if of.ordered else [Term(of.variable, value) for value in of.variable.values]


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
    still = all_of(
        _decide_move(trials, stage, at, one, "does not affect") for one in _list_ordered(effect)
    )
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


Form = tuple[Claim, ...]


class Idea(Frozen):
    """Something that is to be understood about a game, or not to be fallen for."""

    id: str
    says: str
    golden: bool
    """Whether it should be found; otherwise it is a distractor."""
    forms: tuple[Form, ...]
    """Ways of saying it; any of them will do."""
    found_by: float | None = None
    """Published: the share of agents that stated it."""
    doubt: str = ""
    """What is wrong with a published idea, by simulation."""
    games: str = "*"
    """The games that it is about, as a pattern of names."""


_LISTED = ("antenna", "zone")


def ideas(game: Game) -> tuple[Idea, ...]:
    """Return the golden ideas and the distractors of a game.

    Games of the two published lists have those; the others have the ones that hold.
    """
    if game.kind in _LISTED and not game.has("law_missing"):
        return read_ideas(game.kind)
    return list_sound_ideas(game)


@lru_cache(maxsize=3)  # milliseconds to read and check, and every turn asks
def read_ideas(name: str) -> tuple[Idea, ...]:
    """Return the published list of the antenna games or of the zone games, or the sound ideas."""
    path = Path(__file__).parent / "published_ideas.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))[name]
    return tuple(Idea.model_validate(idea) for idea in listed)


def list_sound_ideas(game: Game) -> tuple[Idea, ...]:
    """Return what is true and what is false of a game, with what its records leave out."""
    known = () if game.has("law_missing") else read_ideas("sound")
    found = [idea for idea in known if fnmatch(game.name, idea.games)]
    hides = game.past.hide_failed
    survivors, everyone = (Selection(claim="selection", on=on) for on in ("survived", "nothing"))
    shown = "only flights that came back are on record"
    if hides:
        found.append(Idea(id="survivors", says=shown, golden=True, forms=((survivors,),)))
    says = "every flight is on record"
    found.append(Idea(id="all_shown", says=says, golden=not hides, forms=((everyone,),)))
    return tuple(found)


def claims_of(game: Game, *, golden: bool = True) -> tuple[Claim, ...]:
    """Return what somebody would say who holds all golden ideas of a game, or all distractors."""
    stated = [idea.forms[0] for idea in ideas(game) if idea.golden == golden]
    return tuple(claim for form in stated for claim in form)


Belief = tuple[Claim, ...]
_CLAIMS: TypeAdapter[Belief] = TypeAdapter(Belief)


def beliefs(turns: Sequence[Turn]) -> list[Belief]:
    """Return the claims that are held after each turn."""
    held: Belief = ()
    after = []
    for turn in turns:
        action = turn.action or {}
        if turn.legal and (action.get("claims") or action.get("kind") == Believe.kind):
            held = _CLAIMS.validate_python(action["claims"])
        after.append(held)
    return after


def _shape(game: Game, claim: Claim) -> tuple[str, ...] | None:
    """Return what a claim says, its conditions left out; None if it names nothing of the game."""
    if isinstance(claim, Selection):
        on = term(game, claim.on)
        if on is None:
            return ("selection", "nothing") if claim.on.strip().casefold() in NOTHING else None
        return ("selection", on.name)
    if isinstance(claim, Confounder):
        named = [term(game, said) for said in (claim.confounder, *claim.of)]
        known = [one.name for one in named if one is not None]
        return ("confounder", known[0], *sorted(known[1:])) if len(known) == 3 else None
    cause, effect = term(game, claim.cause), term(game, claim.effect)
    if cause is None or effect is None:
        return None
    is_turned = cause.flipped != effect.flipped
    relation = _turn_relation(claim.relation) if is_turned else claim.relation
    return ("effect", cause.name, relation, effect.name)


def _conditions(game: Game, claim: Claim) -> dict[str, float | str] | None:
    if not isinstance(claim, Effect):
        return {}
    found = [find_held_value(game, name, value) for name, value in claim.under.items()]
    fixed = [one for one in found if one is not None]
    return {what.name: value for what, value in fixed} if len(fixed) == len(found) else None


def states(game: Game, held: Sequence[Claim], idea: Idea) -> bool:
    """Return whether some claims that are held state an idea, in one of its forms."""
    return any(
        all(any(_states(game, claim, part, golden=idea.golden) for claim in held) for part in form)
        for form in idea.forms
    )


def _states(game: Game, held: Claim, wanted: Claim, *, golden: bool) -> bool:
    """Return whether a claim states another one.

    Where both hold the same variables fixed at different values, it does if it is as true.
    """
    shape = _shape(game, held)
    if shape is None or shape != _shape(game, wanted):
        return False
    ours, theirs = _conditions(game, held), _conditions(game, wanted)
    if ours is None or theirs is None or ours.keys() != theirs.keys():
        return False
    return ours == theirs or truth(game, held) == ("true" if golden else "false")


def distance(game: Game, held: Sequence[Claim]) -> int:
    """Return how many golden ideas are missing and how many distractors are held."""
    return sum(states(game, held, idea) != idea.golden for idea in ideas(game))
