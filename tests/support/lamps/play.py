"""How a lamp is played: the words that open a game, reading replies, and what a flip does."""

from pathlib import Path
from string import Template

from causarium.contract.family import Prompt
from causarium.contract.texts.read_reply import read_action
from causarium.contract.texts.replies import fit_action
from causarium.contract.texts.scan_reply import find_json_object
from causarium.contract.world import Action, Move, Observation, Unparsed
from tests.support.lamps.model import Answer, Flip, LampsInstance, LampsPublic, LampsRules

TEXTS = {
    "system_json": """\
You stand before a lamp and several switches. Exactly one switch lights the lamp.
In each message send one JSON object and nothing else: {"switch": NAME} to flip that switch and look
at the lamp, or {"wired": NAME} to say which switch lights it. The second ends the game.""",
    "system_tools": """\
You stand before a lamp and several switches. Exactly one switch lights the lamp.
Flip switches and look at the lamp, then answer which switch lights it. An answer ends the game.""",
    "user": (
        "The switches are: $switches. All are off, and so is the lamp. You may flip $flips times."
    ),
}
"""What an agent reads, by name; a user's folder may have files of these names in their place."""
UNREADABLE = "unreadable"
"""The one error mode of this family."""
MAX_REFUSALS = 3
"""So many moves that cannot be carried out end the game."""


def prompt(public: LampsPublic, rules: LampsRules) -> Prompt:
    """Return the opening words of one game."""
    user = Template(_text("user", rules)).substitute(
        switches=", ".join(public.switches), flips=len(public.switches) - 1
    )
    return Prompt(system=_text(f"system_{rules.interface}", rules), user=user)


def _text(name: str, rules: LampsRules) -> str:
    if rules.prompts is None:
        return TEXTS[name]
    return (Path(rules.prompts) / f"{name}.md").read_text(encoding="utf-8").strip()


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LampsRules
) -> Action | Unparsed:
    """Read `{"switch": NAME}` or `{"wired": NAME}`."""
    if not rules.first_object:
        return read_action(reply, allowed_actions, mode=UNREADABLE)
    value = find_json_object(reply, mode=UNREADABLE)
    return (
        value
        if isinstance(value, Unparsed)
        else fit_action(value, allowed_actions, mode=UNREADABLE)
    )


class LampsWorld:
    """One lamp being played: one flip fewer than there are switches, then an answer."""

    def __init__(self, instance: LampsInstance, _rules: LampsRules) -> None:
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
