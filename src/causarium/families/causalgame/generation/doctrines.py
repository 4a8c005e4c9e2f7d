"""The past of a drawn game: crews whose doctrine the trap is."""

from random import Random

from causarium.families.causalgame.generation.airframe import Airframe
from causarium.families.causalgame.mechanics.game import Design, Past, Recipe, Slot, Space, Value
from causarium.families.causalgame.mechanics.laws import AntennaLaw, WeatherLaw, ZoneLaw

CREWS = 25
DrawnLaw = AntennaLaw | ZoneLaw | WeatherLaw
_Flown = tuple[Design, dict[str, Value]]


def trap(parts: Airframe, law: DrawnLaw, slots: tuple[Slot, ...]) -> Design:
    """Return the design that the records praise: the trap armoured, the rest with what is left."""
    armour = {name: points * 2 // 3 for name, points in parts.default.items()}
    if isinstance(law, ZoneLaw):
        armour = dict.fromkeys(armour, 0)
        for name in (parts.heavy[0], parts.heavy[2]):
            armour[name] = parts.total * 2 // 5
    else:
        armour[parts.trap] = 0
        armour[parts.trap] = min(Space().high, parts.total - sum(armour.values()))
    fitted = {slot.name: slot.default for slot in slots[:1]}
    return Design(armour=armour, equipment=fitted)


def past(
    rng: Random, parts: Airframe, law: DrawnLaw, slots: tuple[Slot, ...], named: dict[str, str]
) -> Past:
    """Draw the opening history of a game; `named` says what variables are called."""
    if isinstance(law, WeatherLaw):
        loads: list[_Flown] = [(_load(rng, parts, (0.0, 0.3)), {}) for _ in range(CREWS)]
        return Past(hide_failed=False, recipes=_recipes(loads))
    if isinstance(law, AntennaLaw):
        storm = named["is_storm"]
        rough: list[_Flown] = [(_load(rng, parts, (0.16, 0.27)), {storm: True}) for _ in range(15)]
        quiet: list[_Flown] = [(_load(rng, parts, (0.02, 0.13)), {storm: False}) for _ in range(10)]
        return Past(recipes=_recipes(rough + quiet))
    return Past(recipes=_zone_recipes(rng, parts, law, slots[0], named["mission_zone"]))


def _recipes(flown: list[_Flown]) -> tuple[Recipe, ...]:
    return tuple(Recipe(design=design, force=force) for design, force in flown)


def _load(rng: Random, parts: Airframe, share: tuple[float, float], **fitted: str) -> Design:
    """Draw what one crew fitted: the trap within a share of the total, the rest below default."""
    armour = {
        name: max(0, points * 2 // 3 + rng.randint(-1, 1)) for name, points in parts.default.items()
    }
    armour[parts.trap] = 0
    wanted = round(rng.uniform(*share) * parts.total)
    armour[parts.trap] = min(wanted, parts.total - sum(armour.values()))
    return Design(armour=armour, equipment=fitted)


def _zone_recipes(
    rng: Random, parts: Airframe, law: ZoneLaw, module: Slot, zone: str
) -> tuple[Recipe, ...]:
    """Return crews who sent the trap, under the default module, to the loudest places they met."""
    met = sorted((one for one in law.zones if one.share[0] > 0), key=lambda one: one.emi)
    others = [option.name for option in module.options if option.name != module.default]
    loudest = 1 if len(met) < len(law.zones) else 2
    flown: list[_Flown] = []
    for number in range(CREWS):
        loud = number % 5 < 3
        place = rng.choice(met[-loudest:] if loud else met[:2])
        option = module.default if loud else rng.choice(others)
        load = _load(rng, parts, (0.26, 0.36) if loud else (0.1, 0.2), **{module.name: option})
        extra = 0 if loud else rng.randint(2, 8)
        armour = {**load.armour, parts.shield: extra}
        flown.append((load.model_copy(update={"armour": armour}), {zone: place.name}))
    return _recipes(flown)
