"""One problem of the paper edition being played: an answer at once.

What cannot be read is asked for once more, at no cost, unless the published rules are played; what
can be read and is wrong is an answer. `open_world` opens problems of either edition.
"""

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation, World
from causarium.families.replayscm.model.actions import Extracted, Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_answer import Disclosure, explain_unreadable
from causarium.families.replayscm.play.unit_play import UnitPlay

_MOST_TURNS = 8


def open_world(instance: ReplayInstance, rules: ReplayRules) -> World:
    """Open a problem of either edition."""
    if instance.public.task is not None:
        return UnitPlay(instance, rules)
    return ReplayWorld(instance, rules)


class ReplayWorld:
    """One problem of the paper edition being played."""

    budget = spent = 0

    def __init__(self, instance: ReplayInstance, rules: ReplayRules) -> None:
        self._public = instance.public
        self._strict = rules.strict_form
        self._sent_back = False
        self._turns_left = _MOST_TURNS
        self.done = False
        self.answer: Submit | None = None
        """What was handed in last, whether it could be read or not."""
        self.unparsed: Unparsed | None = None
        """What could not be read, where nothing was handed in after it."""
        self.asked_again = 0
        """How often something was asked for again because of its form."""

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else (Submit, Extracted)

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
        detail = "nothing like it is expected"
        if isinstance(move, Unparsed):
            self.answer, self.unparsed, detail = None, move, move.detail
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


def _ask_again(detail: str) -> Observation:
    return Observation(
        f"That could not be read: {detail}. Send the whole answer again.", legal=False
    )
