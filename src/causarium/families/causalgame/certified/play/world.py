"""The rules of a session: trials as long as there are any, then one decision for all legs."""

from collections.abc import Mapping

from causarium.contract.frozen import Json
from causarium.contract.texts.replies import excerpt
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..mechanics.legs import fly_trial
from ..model import ACTIONS, TRIAL_DRONES, Decide, Fly, GameInstance, GameRules, Leg
from .wording import list_words, write_again, write_table

MOST_REFUSALS = 8
"""A session ends when so many replies came to nothing."""
OVER = "The session is over."


class _Impossible(ValueError):
    """A move that the rules do not allow; says why."""


class GameWorld:
    """One session being played."""

    def __init__(self, instance: GameInstance, rules: GameRules) -> None:
        self.instance = instance
        self.public = instance.public
        self.rules = rules
        self.flown: list[int] = []
        """The places of the legs on which trials were flown."""
        self.choices: Mapping[str, str] | None = None
        """The decision by the numbers of legs; None until it is made."""
        self._refusals = 0

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        return ACTIONS if self.spent < self.budget else (Decide,)

    @property
    def done(self) -> bool:
        """Whether the session is over."""
        return self.choices is not None or self._refusals >= MOST_REFUSALS

    @property
    def budget(self) -> int:
        """How many trials can be flown."""
        return self.public.trials

    @property
    def spent(self) -> int:
        """How many were flown."""
        return len(self.flown)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(OVER, legal=False)
        if isinstance(move, Unparsed):
            return self._refuse(write_again(self.public, self.rules, move.detail))
        try:
            if isinstance(move, Fly):
                return self._fly(move)
            if isinstance(move, Decide):
                return self._decide(move)
        except _Impossible as wrong:
            return self._refuse(f"Refused: {wrong}.")
        return self._refuse(f"Refused: there is no action {move.kind}.")

    def _refuse(self, text: str) -> Observation:
        self._refusals += 1
        return Observation(f"{text}\n\n{OVER}" if self.done else text, legal=False)

    def _find_leg(self, number: int) -> Leg:
        if not 1 <= number <= len(self.public.legs):
            known = f"1 to {len(self.public.legs)}" if len(self.public.legs) > 1 else "only leg 1"
            raise _Impossible(f"there is no leg {excerpt(str(number))}; there is {known}")
        return self.public.legs[number - 1]

    def _fly(self, move: Fly) -> Observation:
        if self.spent >= self.budget:
            raise _Impossible(f"all {self.budget} trials are flown; decide now")
        leg = self._find_leg(move.leg)
        settings = dict(_read_setting(leg, name, value) for name, value in move.set.items())
        if not leg.can_fit and not settings:
            raise _Impossible(
                f"the range has no {leg.module}: hold a column by hand, as in "
                f'"set": {{"{leg.columns[0].name}": "{leg.columns[0].values[1]}"}}'
            )
        book = fly_trial(leg, self.instance.secret.legs[move.leg - 1], settings)
        self.flown.append(move.leg - 1)
        held = [f"{leg.columns[n].name} {leg.columns[n].values[v]}" for n, v in settings.items()]
        how = f" with {list_words(held)} by hand" if held else ""
        left = self.budget - self.spent
        text = (
            f"Trial on leg {move.leg}{how}, {TRIAL_DRONES:,} drones:\n{write_table(leg, book)}\n"
            f"Trials left: {left}."
        )
        counts: list[Json] = [list(row) for row in book]
        return Observation(text, {"leg": move.leg, "book": counts}, cost=1)

    def _decide(self, move: Decide) -> Observation:
        for number in move.choices:
            if not number.isdecimal() or len(number) > 3:
                raise _Impossible(f"{excerpt(number)!r} is no number of a leg")
            self._find_leg(int(number))
        if not move.choices:
            raise _Impossible("the decision names no leg; say fit or bare for each")
        self.choices = {str(int(number)): choice for number, choice in move.choices.items()}
        said = [f"leg {number} {choice}" for number, choice in sorted(self.choices.items())]
        return Observation(f"Decided: {', '.join(said)}.\n\n{OVER}")


def _read_setting(leg: Leg, name: str, value: str) -> tuple[int, int]:
    for node, column in enumerate(leg.columns):
        if column.name.casefold() == name.strip().casefold():
            values = [one.casefold() for one in column.values]
            if value.strip().casefold() in values:
                return node, values.index(value.strip().casefold())
            known = " or ".join(column.values)
            raise _Impossible(f"{column.name} can be {known}, not {excerpt(value)!r}")
    known = list_words([column.name for column in leg.columns]) if leg.columns else "none"
    raise _Impossible(f"{excerpt(name)!r} cannot be held on this leg; its columns: {known}")


def open_world(instance: GameInstance, rules: GameRules) -> GameWorld:
    """Return the world of a session."""
    return GameWorld(instance, rules)
