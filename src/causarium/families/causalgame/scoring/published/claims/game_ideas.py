"""The ideas that follow from a game's law: what it is about, and what it tempts one to believe.

They are written with the names that the game gives its parts and variables, so that drawn games
have theirs too. Whether each of them fits a game is for simulation to say.
"""

from causarium.contract.frozen import Frozen
from causarium.families.causalgame.model.published.claims import (
    Claim,
    Confounder,
    Effect,
    Relation,
    Selection,
)
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.model.published.laws import (
    AntennaLaw,
    CalmLaw,
    WeatherLaw,
    ZoneLaw,
)
from causarium.families.causalgame.scoring.published.claims.claim_truth import is_flown_together

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
    law = CalmLaw() if game.has("law_missing") else game.law
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
