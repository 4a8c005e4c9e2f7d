"""What all the equipment of a design does together."""

from collections.abc import Mapping

from causarium.families.causalgame.model.published.game import Design, Effect, Game, Slot

_NOTHING = Effect()


def resolve_equipment(
    game: Game, design: Design, held: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the option in every slot, as it is really fitted; `held` ones are as they are held."""
    held = held or {}
    return {slot.name: held.get(slot.name) or _choice(game, slot, design) for slot in game.slots}


def effect_of(game: Game, design: Design, held: Mapping[str, str] | None = None) -> Effect:
    """Return what the equipment of `design` does, all in all."""
    held = held or {}
    unsent = game.has("defaults_unsent") and not design.equipment
    if unsent and not held:
        return _NOTHING
    choices = resolve_equipment(game, design, held)
    return _join_effects(
        [
            working(slot, game.quirks).option(choices[slot.name]).effect
            for slot in game.slots
            if slot.name in held or not unsent
        ]
    )


def working(slot: Slot, quirks: tuple[str, ...]) -> Slot:
    """Return a slot with the effects that it really has under these oddities."""
    if not slot.declared and "profile_undeclared" not in quirks:
        bare = [Effect() for _ in slot.options]
    elif "equipment_dead" in quirks:
        bare = [Effect(altitude=option.effect.altitude) for option in slot.options]
    else:
        return slot
    options = tuple(
        option.model_copy(update={"effect": effect})
        for option, effect in zip(slot.options, bare, strict=True)
    )
    return slot.model_copy(update={"options": options})


def _choice(game: Game, slot: Slot, design: Design) -> str:
    if slot.boolean and game.has("booleans_stuck"):
        return slot.default
    return slot.option(design.equipment.get(slot.name)).name


def _join_effects(effects: list[Effect]) -> Effect:
    total = _NOTHING
    for effect in effects:
        if effect == _NOTHING:
            continue
        total = Effect(
            detection=total.detection + effect.detection,
            armour_factor=total.armour_factor * effect.armour_factor,
            emi_resistance=total.emi_resistance + effect.emi_resistance,
            emission_factor=total.emission_factor * effect.emission_factor,
            accuracy_factor=total.accuracy_factor * effect.accuracy_factor,
            damage_factor=total.damage_factor * effect.damage_factor,
            wear_factor=total.wear_factor * effect.wear_factor,
            noise_factor=total.noise_factor * effect.noise_factor,
            lift=total.lift + effect.lift,
            altitude=effect.altitude or total.altitude,
        )
    return total
