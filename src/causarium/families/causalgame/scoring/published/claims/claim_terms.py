"""From the words of a claim to the variables of a game.

A term is a variable of the game, or one value of a categorical one (`mission_zone=delta`,
`coating=stealth`). Agents may also write a component's bare name for its armour, and a few other
words for what happens; `losses` is survival the other way round.
"""

from dataclasses import dataclass

from causarium.families.causalgame.model.published.game import Game, Variable
from causarium.families.causalgame.model.published.laws import ALTITUDES

SUFFIX = "_def"
_WORDS = {
    "survival": ("survived", False),
    "survival_rate": ("survived", False),
    "returned": ("survived", False),
    "destroyed": ("survived", True),
    "loss": ("survived", True),
    "losses": ("survived", True),
    "lost": ("survived", True),
    "was_detected": ("detected", False),
    "is_detected": ("detected", False),
    "hits": ("hit_count", False),
    "weather": ("is_storm", False),
    "storm": ("is_storm", False),
    "zone": ("mission_zone", False),
    "altitude": ("altitude_band", False),
    "interference": ("emi_level", False),
    "emi": ("emi_level", False),
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
    by_key = {one.key: one for one in game.variables}
    meant, flipped = _WORDS.get(key, ("", False))
    return by_key.get(meant), flipped


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
