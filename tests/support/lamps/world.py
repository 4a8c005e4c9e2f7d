"""What happens when a switch is flipped."""

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from tests.support.lamps.actions import Answer, Flip
from tests.support.lamps.config import LampsRules
from tests.support.lamps.instance import LampsInstance

MAX_REFUSALS = 3
"""So many moves that cannot be carried out end the game."""


class LampsWorld:
    """One lamp being played: one flip fewer than there are switches, then an answer."""

    def __init__(self, instance: LampsInstance, rules: LampsRules) -> None:
        self._switches = instance.public.switches
        self._wired = instance.secret.wired
        self._lit = False
        self._refusals = 0
        self.done = False
        self.budget = len(self._switches) - 1
        self.spent = 0

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """A flip while there is budget, an answer until there is one."""
        if self.done:
            return ()
        return (Flip, Answer) if self.spent < self.budget else (Answer,)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("The game is over.", legal=False)
        match move:
            case Flip(switch=name) if name in self._switches and self.spent < self.budget:
                return self._flip(name)
            case Answer(wired=name) if name in self._switches:
                self.done = True
                return Observation("Your answer is noted.")
            case Unparsed(detail=detail):
                return self._refuse(f"That could not be read: {detail}.")
            case Flip() if self.spent == self.budget:
                return self._refuse("No flips are left; answer now.")
        return self._refuse("There is no such switch.")

    def _flip(self, name: str) -> Observation:
        self.spent += 1
        self._lit ^= name == self._wired
        left = self.budget - self.spent
        return Observation(
            f"The lamp is {'on' if self._lit else 'off'}. Flips left: {left}.",
            data={"lit": self._lit, "left": left},
            cost=1,
        )

    def _refuse(self, why: str) -> Observation:
        self._refusals += 1
        self.done = self._refusals == MAX_REFUSALS
        return Observation(f"{why} The game is over." if self.done else why, legal=False)
