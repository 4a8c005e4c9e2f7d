"""A problem being played: one answer.

What cannot be read is asked for once more, at no cost, unless the published rules are played; what
can be read and is wrong is an answer.
"""

from causarium.contract.world import Action, Move, Observation, Unparsed
from ..levels import ReplayRules
from ..model.actions import Extracted, Submit
from ..model.instance import ReplayInstance
from .examine_answer import Disclosure, Reader, Refusal, examine_answer, list_other_answers


class ReplayWorld:
    """A problem being played."""

    def __init__(
        self, instance: ReplayInstance, rules: ReplayRules, read: Reader | None = None
    ) -> None:
        self._public, self._strict, self._read = instance.public, rules.strict_form, read
        self.budget, self.spent, self.done = 0, 0, False
        self.slips = 0
        """How many replies had a form that was forgiven, or were asked for again because of it."""
        self.answer: Submit | None = None
        """What was handed in last, whether it could be read or not."""
        self.unparsed: Unparsed | None = None
        """What could not be read, where nothing was handed in after it."""
        self._sent_back = False

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else (Submit, Extracted)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This problem is over.", legal=False)
        seen = self._respond(move)
        self.slips += seen.legal and isinstance(move, Action) and move.forgiven is not None
        return seen

    def _respond(self, move: Move) -> Observation:
        wrong = "nothing like it is expected"
        if isinstance(move, Submit):
            self.answer, self.unparsed = move, None
            refused = None if self._strict or self._sent_back else self._find_refusal(move)
            if refused is None:
                self.done = True
                return Observation("Your answer is recorded.")
            wrong = refused.detail
        elif isinstance(move, Unparsed):
            self.answer, self.unparsed, wrong = None, move, move.detail
        return self._send_back(f"That could not be read: {wrong}")

    def _send_back(self, said: str) -> Observation:
        """Ask for an answer once more; the second time it counts as nothing."""
        if self._sent_back or self._strict:
            self.done = True
            return Observation(f"{said}. This problem is over.", legal=False)
        self._sent_back = True
        self.slips += 1
        return Observation(f"{said}. Send the whole answer again.", legal=False)

    def _find_refusal(self, answer: Submit) -> Refusal | None:
        """Return what keeps the first answer of a reply from being run; None if any can be."""
        told, first = Disclosure.of(self._public), None
        for one in (answer, *list_other_answers(answer)):
            found = examine_answer(one, told, self._read)
            if not isinstance(found, Refusal):
                return None
            first = first or found
        return first
