"""One problem being played: an answer at once, or worlds asked for one by one and then an answer.

What cannot be read is asked for once more, at no cost, unless the published rules are played; what
can be read and is wrong is an answer. Where worlds can be asked for, questions that cannot be read
and worlds that cannot be made are refused and cost nothing. All turns together are limited, so that
every problem ends.
"""

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from causarium.families.replayscm.actions import Ask, Extracted, Submit
from causarium.families.replayscm.config import ReplayRules
from causarium.families.replayscm.instance import ReplayInstance, WorldRows
from causarium.families.replayscm.mechanics.asked_worlds import (
    explain_refused_question,
    make_asked_world,
    true_model,
)
from causarium.families.replayscm.prompts import world_text
from causarium.families.replayscm.scoring.compile_answer import Disclosure, explain_unreadable
from causarium.scm.boolean.model import BooleanScm

_SPARE_TURNS = 8
_SHOT: tuple[type[Action], ...] = (Submit, Extracted)


class ReplayWorld:
    """One problem being played."""

    def __init__(self, instance: ReplayInstance, rules: ReplayRules) -> None:
        self._instance = instance
        self._public = instance.public
        self._strict = rules.strict_form
        self._sent_back = False
        self._scm: BooleanScm | None = None
        self._turns_left = 2 * instance.public.budget + _SPARE_TURNS
        self.budget = instance.public.budget
        self.spent = 0
        self.done = False
        self.asked: list[WorldRows] = []
        """The worlds that were asked for and shown."""
        self.answer: Submit | None = None
        """What was handed in last, whether it could be read or not."""
        self.unparsed: Unparsed | None = None
        """What could not be read, where nothing was handed in after it."""
        self.asked_again = 0
        """How often something was asked for again because of its form."""

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        return (Ask, *_SHOT) if self.spent < self.budget else _SHOT

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This problem is over.", legal=False)
        self._turns_left -= 1
        seen = self._respond(move)
        if self._turns_left <= 0 and not self.done:
            self.done = True
            return Observation(
                "This problem has had too many turns and is over.", legal=seen.legal, cost=seen.cost
            )
        return seen

    def _respond(self, move: Move) -> Observation:
        if isinstance(move, Submit):
            return self._take(move)
        if isinstance(move, Ask):
            return self._ask(move)
        detail = "nothing like it is expected"
        if isinstance(move, Unparsed):
            self.answer, self.unparsed, detail = None, move, move.detail
        if self.budget:
            self.asked_again += 1
            return Observation(f"That could not be read: {detail}. Try again.", legal=False)
        if self._sends_back():
            return _ask_again(detail)
        self.done = True
        return Observation(f"That could not be read: {detail}. This problem is over.", legal=False)

    def _take(self, move: Submit) -> Observation:
        self.answer, self.unparsed = move, None
        wrong = explain_unreadable(move, Disclosure.of(self._public, strict=self._strict))
        if wrong and self._sends_back():
            return _ask_again(wrong)
        self.done = True
        return Observation("Your answer is recorded.")

    def _sends_back(self) -> bool:
        """Say whether an answer that cannot be read is asked for again; that is done once."""
        if self._strict or self._sent_back:
            return False
        self._sent_back = True
        self.asked_again += 1
        return True

    def _ask(self, move: Ask) -> Observation:
        if self.spent >= self.budget:
            return Observation("No further worlds can be asked for; give your answer.", legal=False)
        if wrong := explain_refused_question(move.set, self._public):
            return Observation(f"That world cannot be made: {wrong}.", legal=False)
        if self._scm is None:
            self._scm = true_model(self._instance)
        self.spent += 1
        self.asked.append(make_asked_world(self._public, self._scm, move.set, self.spent))
        return self._show(self.asked[-1])

    def _show(self, world: WorldRows) -> Observation:
        left = self.budget - self.spent
        text = f"{world_text(world, self._public.variables)}\n\nYou may ask for {left} more."
        return Observation(text, world.model_dump(mode="json"), cost=1)


def _ask_again(detail: str) -> Observation:
    return Observation(
        f"That could not be read: {detail}. Send the whole answer again.", legal=False
    )
