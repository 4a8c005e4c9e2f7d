"""From what an agent sends to a design of a twin game, or the reason why it cannot fly."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from causarium.contract.texts.replies import excerpt
from causarium.families.causalgame.instance import TwinPublic
from causarium.families.causalgame.interface.design_input import SUFFIX, Impossible
from causarium.families.causalgame.mechanics.twin_law import TwinDesign


def read_design(
    public: TwinPublic, design: Mapping[str, int], equipment: Mapping[str, str | bool]
) -> TwinDesign:
    """Return the design that flies; parts and slots left out are as in the standard one.

    Raises:
        Impossible: It names what does not exist, or is not allowed; nothing is charged for it.
    """
    armour = list(public.standard.armour)
    for place, points in _by_place(public.parts, design, "part").items():
        if not 0 <= points <= public.highest:
            raise Impossible(
                f"{public.parts[place]} is {excerpt(str(points))}; it must lie between 0 and "
                f"{public.highest}"
            )
        armour[place] = points
    if sum(armour) > public.total:
        raise Impossible(
            f"the armour adds up to {sum(armour)}, parts left out at their standard included; "
            f"at most {public.total} is allowed"
        )
    options = list(public.standard.options)
    names = [slot.name for slot in public.slots]
    for place, choice in _by_place(names, equipment, "equipment slot").items():
        options[place] = _find_option(public, place, choice)
    return TwinDesign(armour=tuple(armour), options=tuple(options))


Value = TypeVar("Value", int, str | bool)


def _by_place(names: Sequence[str], given: Mapping[str, Value], what: str) -> dict[int, Value]:
    """Return what was given by the place of its name; spelling in capitals is forgiven."""
    places = {name.lower(): place for place, name in enumerate(names)}
    chosen: dict[int, Value] = {}
    for key, value in given.items():
        name = key.strip().lower()
        place = places.get(name, places.get(name.removesuffix(SUFFIX)))
        if place is None:
            known = ", ".join(names) or "none here"
            raise Impossible(f"there is no {what} {excerpt(key)!r}; there are {known}")
        if place in chosen:
            raise Impossible(f"the design names {names[place]} twice")
        chosen[place] = value
    return chosen


def _find_option(public: TwinPublic, place: int, choice: object) -> int:
    values = public.slots[place].values
    word = str(choice).strip().lower()
    if word not in values:
        raise Impossible(
            f"{public.slots[place].name} has no option {excerpt(str(choice))!r}; its options are "
            f"{', '.join(values)}"
        )
    return values.index(word)
