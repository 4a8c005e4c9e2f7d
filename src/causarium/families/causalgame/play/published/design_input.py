"""From what an agent sends to a design that flies, or the reason why it cannot.

The paper edition's games declare ranges and a total and never check them (`bounds_unchecked`);
there, equipment that does not exist is passed over in silence.
"""

from collections.abc import Mapping

from causarium.contract.texts.replies import excerpt
from causarium.families.causalgame.model.published.game import Design, Game, Slot

SUFFIX = "_def"
"""What the published keys of a design end in."""
MOST_ARMOUR = 10**6
"""Where nothing else bounds armour, this does, so that every sum stays a number."""
_ON = {"true": "on", "false": "off"}


class Impossible(ValueError):
    """A design that cannot fly; says why, in words for the agent."""


def blueprint(game: Game, design: Mapping[str, int], equipment: Mapping[str, str | bool]) -> Design:
    """Return the design that flies.

    Raises:
        Impossible: It names what does not exist, or is not allowed; nothing is charged for it.
    """
    armour = _armour(game, design)
    if game.has("bounds_unchecked"):
        return Design(armour=armour, equipment=_select_known_equipment(game, equipment))
    _check_bounds(game, armour)
    return Design(armour=armour, equipment=_check_equipment(game, equipment))


def _armour(game: Game, design: Mapping[str, int]) -> dict[str, int]:
    known = game.default
    armour: dict[str, int] = {}
    for key, points in design.items():
        name = key if key in known else key.removesuffix(SUFFIX)
        if name not in known:
            keys = ", ".join(f"{part}{SUFFIX}" for part in known)
            raise Impossible(f"there is no component {excerpt(key)!r}; the keys are {keys}")
        if name in armour:
            raise Impossible(f"the design names {name} twice")
        if points < 0:
            raise Impossible(f"{name}{SUFFIX} is {points}; armour cannot be negative")
        if points > MOST_ARMOUR:
            raise Impossible(f"{name}{SUFFIX} is beyond {MOST_ARMOUR:,} points")
        armour[name] = points
    return armour


def _check_bounds(game: Game, armour: Mapping[str, int]) -> None:
    space = game.space
    for name, points in armour.items():
        if not space.low <= points <= space.high:
            raise Impossible(
                f"{name}{SUFFIX} is {points}; it must lie between {space.low} and {space.high}"
            )
    total = sum({**game.default, **armour}.values())
    if total > space.total:
        raise Impossible(
            f"the armour adds up to {total}, components left out at their defaults included; "
            f"at most {space.total} is allowed"
        )


def _check_equipment(game: Game, equipment: Mapping[str, str | bool]) -> dict[str, str]:
    slots = {slot.name: slot for slot in game.slots if slot.declared}
    chosen: dict[str, str] = {}
    for name, choice in equipment.items():
        if name not in slots:
            known = ", ".join(slots) or "none"
            raise Impossible(f"there is no equipment slot {excerpt(name)!r}; the slots are {known}")
        option = option_named(slots[name], choice)
        if option is None:
            known = ", ".join(one.name for one in slots[name].options)
            raise Impossible(
                f"{name} has no option {excerpt(str(choice))!r}; its options are {known}"
            )
        chosen[name] = option
    return chosen


def _select_known_equipment(game: Game, equipment: Mapping[str, str | bool]) -> dict[str, str]:
    slots = {slot.name: slot for slot in game.slots}
    found = {
        name: option_named(slots[name], choice)
        for name, choice in equipment.items()
        if name in slots
    }
    return {name: option for name, option in found.items() if option is not None}


def option_named(slot: Slot, choice: str | bool) -> str | None:  # noqa: FBT001
    """Return the option of a slot that was chosen, by its name or as true or false."""
    said = str(choice)
    names = {option.name for option in slot.options}
    if said in names:
        return said
    switched = _ON.get(said.lower())
    return switched if switched in names else None
