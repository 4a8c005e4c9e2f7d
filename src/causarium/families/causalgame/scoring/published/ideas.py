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
        found = _weather(game, law)
    else:
        found = []
    return (*found, *_doctrine(game), *_selection(game))


def _name(game: Game, key: str) -> str:
    return next(variable.name for variable in game.variables if variable.key == key)


def _armour(game: Game, part: str) -> str:
    return _name(game, f"{part}_def")


def _effect(cause: str, relation: Relation, effect: str, **under: float | str) -> Effect:
    return Effect(cause=cause, relation=relation, effect=effect, under=dict(under))


def _make_confounder(confounder: str, first: str, second: str) -> Confounder:
    return Confounder(claim="confounder", confounder=confounder, of=[first, second])


def _either_way(cause: str, effect: str) -> tuple[Form, ...]:
    return (_effect(cause, "raises", effect),), (_effect(cause, "lowers", effect),)


def _hides(part: str) -> Idea:
    """Return the false idea that some armour keeps drones from being noticed."""
    form = (_effect(part, "lowers", "detected"),)
    return _idea("hides", f"{part} hides drones", form, golden=False)


def _idea(name: str, says: str, *forms: Form, golden: bool = True) -> Idea:
    return Idea(id=name, says=says, golden=golden, forms=forms)


def _antenna(game: Game, law: AntennaLaw) -> list[Idea]:
    trap, eyes = _armour(game, law.emitter.part), _armour(game, law.camera.part)
    heavy = _armour(game, law.gust.parts[0])
    return [
        _idea("emission", f"{trap} gives drones away", (_effect(trap, "raises", "detected"),)),
        _idea("trap", f"{trap} costs drones", (_effect(trap, "lowers", "survived"),)),
        _idea(
            "eyes",
            f"{eyes} saves drones once nothing is emitted",
            (_effect(eyes, "raises", "survived", **{trap: game.space.low}),),
        ),
        *_storm_ideas(game, "survived", "detected"),
        _idea(
            "armour_helps",
            f"{trap} saves drones",
            (_effect(trap, "raises", "survived"),),
            golden=False,
        ),
        _hides(heavy),
    ]


def _storm_ideas(game: Game, *moved: str) -> list[Idea]:
    storm, warm, damp = (_name(game, key) for key in ("is_storm", "temperature", "humidity"))
    return [
        _idea(
            "weather",
            "the weather moves both the instruments and what becomes of drones",
            *((_make_confounder(storm, dial, what),) for dial in (warm, damp) for what in moved),
        ),
        _idea(
            "instruments",
            "temperature or humidity themselves change survival",
            *_either_way(warm, "survived"),
            *_either_way(damp, "survived"),
            golden=False,
        ),
    ]


def _zone(game: Game, law: ZoneLaw) -> list[Idea]:
    zone, emi, height, warm = (
        _name(game, key) for key in ("mission_zone", "emi_level", "altitude_band", "temperature")
    )
    shield, engine = _armour(game, law.shield), _armour(game, game.components[0].name)
    # Where the fleet meets so much interference that a filter alone is not enough, its effect
    # shows at the level that makes communication fail half of the time.
    half = round(law.emi_threshold + 0.5 / law.failure_rate, 2)
    where = {emi: half} if game.kind == "zone_shift" else {}
    filters = [
        (_effect(f"{slot.name}={option.name}", "raises", "survived", **where),)
        for slot in game.slots
        for option in slot.options
        if option.effect.emi_resistance >= _best_filter(game) and slot.default != option.name
    ]
    shields: list[Form] = [(_effect(shield, "raises", "survived"),)]
    if where:
        shields.append((_effect(shield, "raises", "survived", **where),))
    found = [
        _idea(
            "interference",
            f"{emi} is what costs drones",
            (_effect(emi, "lowers", "survived"),),
            (_effect(emi, "raises", "detected"),),
        ),
        _idea("shield", f"{shield} saves drones", *shields),
        _idea(
            "zone",
            f"{zone} moves both {height} and survival",
            (_make_confounder(zone, height, "survived"),),
        ),
        _idea(
            "altitude",
            f"low {height} itself costs drones",
            (_effect(f"{height}=low", "lowers", "survived"),),
            (_effect(height, "raises", "survived"),),
            golden=False,
        ),
        _hides(engine),
        _idea(
            "instruments",
            f"{warm} itself changes survival",
            *_either_way(warm, "survived"),
            golden=False,
        ),
    ]
    if filters:
        found.insert(2, _idea("filter", "equipment can keep interference out", *filters))
    return found


def _best_filter(game: Game) -> float:
    kept_out = [option.effect.emi_resistance for slot in game.slots for option in slot.options]
    return max(1e-9, *kept_out)


def _weather(game: Game, law: WeatherLaw) -> list[Idea]:
    lift, engine = _armour(game, law.lift), _armour(game, law.engine)
    storm = _name(game, "is_storm")
    return [
        _idea(
            "in_storms",
            f"{lift} saves drones in storms",
            (_effect(lift, "raises", "survived", **{storm: 1}),),
        ),
        _idea(
            "in_clear",
            f"{lift} costs drones in clear weather",
            (_effect(lift, "lowers", "survived", **{storm: 0}),),
        ),
        _idea("engine", f"{engine} saves drones", (_effect(engine, "raises", "survived"),)),
        *_storm_ideas(game, "survived"),
        _idea(
            "always",
            f"{lift} saves drones whatever the weather",
            (_effect(lift, "raises", "survived"),),
            golden=False,
        ),
        _hides(engine),
    ]


def _doctrine(game: Game) -> list[Idea]:
    """Return the idea that what was fitted in the records went with what was met."""
    forced = sorted({name for recipe in game.past.recipes for name in recipe.force})
    tied = [
        (_make_confounder(name, lever.name, "survived"),)
        for name in forced
        for lever in game.variables
        if is_flown_together(game, name, lever)
    ]
    says = "what was fitted in the records went with what drones met there"
    return [_idea("doctrine", says, *tied)] if tied else []


def _selection(game: Game) -> list[Idea]:
    survivors = (Selection(claim="selection", on="survived"),)
    everyone = (Selection(claim="selection", on="nothing"),)
    if not game.past.hide_failed:
        return [_idea("all_shown", "every flight is on record", everyone)]
    return [
        _idea("survivors", "only flights that came back are on record", survivors),
        _idea("all_shown", "every flight is on record", everyone, golden=False),
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
