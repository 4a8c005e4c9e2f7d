"""What a game is about: ideas to be found, ideas not to be fallen for, and what an agent holds.

An idea has one or more forms; it is held when all claims of one form are. The two
published lists (antenna and zone) are kept as they were graded, with what simulation says against
them in `doubt`. For the other games ideas follow from the law.

The distance of a belief is the number of golden ideas that it lacks and of distractors that it
holds; 0 is the truth. An action without claims leaves the belief as it was, except `believe`, which
states it anew.
"""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from causarium.contract.frozen import Frozen
from causarium.contract.turn import Turn
from causarium.families.causalgame.model.actions import (
    Believe,
    Claim,
    Confounder,
    Effect,
    Relation,
    Selection,
)
from causarium.families.causalgame.model.published.game import (
    AntennaLaw,
    Game,
    WeatherLaw,
    ZoneLaw,
)
from causarium.families.causalgame.scoring.published.claims import (
    NOTHING,
    Term,
    all_of,
    find_held_value,
    is_flown_together,
    term,
    truth,
)

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


def derive_ideas(game: Game) -> tuple[Idea, ...]:
    """Return the ideas that follow from a game's law."""
    law = game.working_law
    if isinstance(law, AntennaLaw):
        found = _antenna(game, law)
    elif isinstance(law, ZoneLaw):
        found = _zone(game, law)
    elif isinstance(law, WeatherLaw):
        found = _weather(law)
    else:
        found = []
    return (*found, *_doctrine(game), *_selection(game))


def _effect(cause: str, relation: Relation, effect: str, **under: float | str) -> Effect:
    return Effect(cause=cause, relation=relation, effect=effect, under=dict(under))


def _make_confounder(confounder: str, first: str, second: str) -> Confounder:
    return Confounder(claim="confounder", confounder=confounder, of=[first, second])


def _either_way(cause: str) -> tuple[Claim, ...]:
    return _effect(cause, "raises", "survived"), _effect(cause, "lowers", "survived")


def _idea(name: str, says: str, *claims: Claim) -> Idea:
    """Return a golden idea that any one of some claims states."""
    return Idea(id=name, says=says, golden=True, forms=tuple((claim,) for claim in claims))


def _myth(name: str, says: str, *claims: Claim) -> Idea:
    """Return a distractor that any one of some claims states."""
    return _idea(name, says, *claims).model_copy(update={"golden": False})


def _hides(part: str) -> Idea:
    """Return the false idea that some armour keeps drones from being noticed."""
    return _myth("hides", f"{part} hides drones", _effect(part, "lowers", "detected"))


def _antenna(game: Game, law: AntennaLaw) -> list[Idea]:
    trap, eyes = f"{law.emitter.part}_def", f"{law.camera.part}_def"
    saves = _effect(eyes, "raises", "survived", **{trap: game.space.low})
    return [
        _idea("emission", f"{trap} gives drones away", _effect(trap, "raises", "detected")),
        _idea("trap", f"{trap} costs drones", _effect(trap, "lowers", "survived")),
        _idea("eyes", f"{eyes} saves drones once nothing is emitted", saves),
        *_storm_ideas("survived", "detected"),
        _myth("armour_helps", f"{trap} saves drones", _effect(trap, "raises", "survived")),
        _hides(f"{law.gust.parts[0]}_def"),
    ]


def _storm_ideas(*moved: str) -> list[Idea]:
    dials = ("temperature", "humidity")
    tied = [_make_confounder("is_storm", dial, what) for dial in dials for what in moved]
    moves = [claim for dial in dials for claim in _either_way(dial)]
    says = "the weather moves both the instruments and what becomes of drones"
    return [
        _idea("weather", says, *tied),
        _myth("instruments", "temperature or humidity themselves change survival", *moves),
    ]


def _zone(game: Game, law: ZoneLaw) -> list[Idea]:
    shield = f"{law.shield}_def"
    # Where the fleet meets so much interference that a filter alone is not enough, its effect
    # shows at the level that makes communication fail half of the time.
    half = round(law.emi_threshold + 0.5 / law.failure_rate, 2)
    where = {"emi_level": half} if game.kind == "zone_shift" else {}
    kept_out = {
        f"{slot.name}={option.name}": option.effect.emi_resistance
        for slot in game.slots
        for option in slot.options
        if option.name != slot.default
    }
    most = max(1e-9, *kept_out.values())
    filters = [
        _effect(name, "raises", "survived", **where)
        for name, out in kept_out.items()
        if out >= most
    ]
    shields = [_effect(shield, "raises", "survived")]
    if where:
        shields.append(_effect(shield, "raises", "survived", **where))
    costs = _effect("emi_level", "lowers", "survived"), _effect("emi_level", "raises", "detected")
    low = _effect("altitude_band=low", "lowers", "survived")
    tied = _make_confounder("mission_zone", "altitude_band", "survived")
    found = [
        _idea("interference", "emi_level is what costs drones", *costs),
        _idea("shield", f"{shield} saves drones", *shields),
        _idea("zone", "mission_zone moves both altitude_band and survival", tied),
        _myth(
            "altitude",
            "low altitude_band itself costs drones",
            low,
            _effect("altitude_band", "raises", "survived"),
        ),
        _hides(f"{game.components[0].name}_def"),
        _myth("instruments", "temperature itself changes survival", *_either_way("temperature")),
    ]
    if filters:
        found.insert(2, _idea("filter", "equipment can keep interference out", *filters))
    return found


def _weather(law: WeatherLaw) -> list[Idea]:
    lift, engine = f"{law.lift}_def", f"{law.engine}_def"
    stormy = _effect(lift, "raises", "survived", is_storm=1)
    clear = _effect(lift, "lowers", "survived", is_storm=0)
    always = _effect(lift, "raises", "survived")
    return [
        _idea("in_storms", f"{lift} saves drones in storms", stormy),
        _idea("in_clear", f"{lift} costs drones in clear weather", clear),
        _idea("engine", f"{engine} saves drones", _effect(engine, "raises", "survived")),
        *_storm_ideas("survived"),
        _myth("always", f"{lift} saves drones whatever the weather", always),
        _hides(engine),
    ]


def _doctrine(game: Game) -> list[Idea]:
    """Return the idea that what was fitted in the records went with what was met."""
    forced = sorted({name for recipe in game.past.recipes for name in recipe.force})
    tied = [
        _make_confounder(name, lever.name, "survived")
        for name in forced
        for lever in game.variables
        if is_flown_together(game, name, lever)
    ]
    says = "what was fitted in the records went with what drones met there"
    return [_idea("doctrine", says, *tied)] if tied else []


def _selection(game: Game) -> list[Idea]:
    survivors, everyone = (Selection(claim="selection", on=on) for on in ("survived", "nothing"))
    if not game.past.hide_failed:
        return [_idea("all_shown", "every flight is on record", everyone)]
    return [
        _idea("survivors", "only flights that came back are on record", survivors),
        _myth("all_shown", "every flight is on record", everyone),
    ]


_LISTED = ("antenna", "zone")


def ideas(game: Game) -> tuple[Idea, ...]:
    """Return the golden ideas and the distractors of a game.

    Games of the two published lists have those; the others have the derived ones that hold.
    """
    if game.kind in _LISTED and not game.has("law_missing"):
        return read_published_ideas(game.kind)
    return select_sound_ideas(game)


@lru_cache(maxsize=2)
def read_published_ideas(kind: str) -> tuple[Idea, ...]:
    """Return the published list of the antenna games or of the zone games."""
    path = Path(__file__).parent / "published_ideas.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
    return tuple(Idea.model_validate(idea) for idea in listed)


@lru_cache(maxsize=32)  # a second of simulation, asked for at every turn
def select_sound_ideas(game: Game) -> tuple[Idea, ...]:
    """Return the derived ideas that fit a game, each in the forms that do."""
    found = []
    for idea in derive_ideas(game):
        forms = tuple(form for form in idea.forms if _fits(game, idea, form))
        if forms:
            found.append(idea.model_copy(update={"forms": forms}))
    return tuple(found)


def _fits(game: Game, idea: Idea, form: Form) -> bool:
    found = all_of(truth(game, claim) for claim in form)
    return found == ("true" if idea.golden else "false")


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
    return ("effect", cause.name, _relation(claim.relation, cause, effect), effect.name)


def _relation(relation: Relation, cause: Term, effect: Term) -> Relation:
    turned: dict[Relation, Relation] = {"raises": "lowers", "lowers": "raises"}
    return turned.get(relation, relation) if cause.flipped != effect.flipped else relation


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
