"""Problems being played: an answer at once, or after asking for worlds.

In the paper edition what cannot be read is asked for once more, at no cost, unless the published
rules are played; what can be read and is wrong is an answer. In the certified edition whatever
cannot be taken is sent back once, and the answer is asked for where the budget is spent.
"""

from abc import ABC, abstractmethod

from causarium.contract.world import Action, Move, Observation, Unparsed, World
from ..mechanics import run_question, true_unit_model
from ..model.actions import Ask, Explain, Extracted, Predict, Submit
from ..model.config import ReplayRules
from ..model.instance import ReplayInstance, ReplayPublic, WorldRows
from .examine_answer import Disclosure, Reader, Refusal, examine_answer, list_other_answers
from .examine_units import AnswerFault, UnitAnswer, examine_model, examine_row, match_names
from .prompts import world_text

_MOST_TURNS, _SPARE_TURNS = 8, 6


def open_world(instance: ReplayInstance, rules: ReplayRules) -> World:
    """Open a problem of either edition."""
    if instance.public.task is not None:
        return UnitPlay(instance, rules)
    return ReplayWorld(instance, rules)


class _Play(ABC):
    """One problem being played, for so many turns at most."""

    def __init__(self, instance: ReplayInstance, turns: int) -> None:
        self._instance, self._public, self._turns_left = instance, instance.public, turns
        self.budget, self.spent, self.done = instance.public.budget, 0, False
        self.sent_back = False
        """Whether an answer was sent back because it could not be taken."""
        self.slips = 0
        """How many replies had a form that was forgiven, or were asked for again because of it."""

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This problem is over.", legal=False)
        self._turns_left -= 1
        seen = self._respond(move)
        self.slips += seen.legal and isinstance(move, Action) and move.forgiven is not None
        if self._turns_left <= 0 and not self.done:
            self.done = True
            text = "This problem has had too many turns and is over."
            return Observation(text, legal=seen.legal, cost=seen.cost)
        return seen

    @abstractmethod
    def _respond(self, move: Move) -> Observation: ...

    def _send_back(self, said: str, *, once_more: bool = True) -> Observation:
        """Ask for an answer once more; the second time it counts as nothing."""
        if self.sent_back or not once_more:
            self.done = True
            return Observation(f"{said}. This problem is over.", legal=False)
        self.sent_back = True
        self.slips += 1
        return Observation(f"{said}. Send the whole answer again.", legal=False)


class ReplayWorld(_Play):
    """One problem of the paper edition being played."""

    def __init__(
        self, instance: ReplayInstance, rules: ReplayRules, read: Reader | None = None
    ) -> None:
        super().__init__(instance, _MOST_TURNS)
        self._strict, self._read = rules.strict_form, read
        self.answer: Submit | None = None
        """What was handed in last, whether it could be read or not."""
        self.unparsed: Unparsed | None = None
        """What could not be read, where nothing was handed in after it."""

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else (Submit, Extracted)

    def _respond(self, move: Move) -> Observation:
        wrong = "nothing like it is expected"
        if isinstance(move, Submit):
            self.answer, self.unparsed = move, None
            refused = None if self._strict or self.sent_back else self._find_refusal(move)
            if refused is None:
                self.done = True
                return Observation("Your answer is recorded.")
            wrong = refused.detail
        elif isinstance(move, Unparsed):
            self.answer, self.unparsed, wrong = None, move, move.detail
        return self._send_back(f"That could not be read: {wrong}", once_more=not self._strict)

    def _find_refusal(self, answer: Submit) -> Refusal | None:
        """Return what keeps the first answer of a reply from being run; None if any can be."""
        told, first = Disclosure.of(self._public), None
        for one in (answer, *list_other_answers(answer)):
            found = examine_answer(one, told, self._read)
            if not isinstance(found, Refusal):
                return None
            first = first or found
        return first


class UnitPlay(_Play):
    """One problem of the certified edition being played."""

    def __init__(self, instance: ReplayInstance, _rules: ReplayRules) -> None:
        super().__init__(instance, 2 * instance.public.budget + _SPARE_TURNS)
        self.asked: list[WorldRows] = []
        """The worlds that were asked for and shown."""
        self.answer: UnitAnswer | tuple[int, ...] | None = None
        """What was handed in, if it counts."""
        self.fault: AnswerFault | None = None
        """What was wrong with what was handed in last."""
        self.unread: Unparsed | None = None
        """The last reply, if nothing was read in it."""
        self.had_to_be_asked = False
        """Whether the budget was spent and the answer had to be asked for."""

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        answer = Predict if self._public.setting == "whatif" else Explain
        return (Ask, answer) if self.spent < self.budget else (answer,)

    def _respond(self, move: Move) -> Observation:
        self.unread = move if isinstance(move, Unparsed) else None
        if isinstance(move, Ask):
            return self._ask(move)
        if isinstance(move, Explain) and self._public.setting != "whatif":
            return self._take(examine_model(self._public, move))
        if isinstance(move, Predict) and self._public.setting == "whatif":
            return self._take(examine_row(self._public, move))
        detail = move.detail if isinstance(move, Unparsed) else "nothing like it is expected"
        if self.spent < self.budget:
            self.slips += 1
            return Observation(f"That could not be read: {detail}. Try again.", legal=False)
        return self._ask_for_answer() or self._send_back(f"That could not be taken: {detail}")

    def _take(self, found: UnitAnswer | tuple[int, ...] | AnswerFault) -> Observation:
        if isinstance(found, AnswerFault):
            self.fault = found
            return self._send_back(f"That could not be taken: {found.detail}")
        self.answer, self.fault, self.done = found, None, True
        return Observation("Your answer is recorded.")

    def _ask_for_answer(self) -> Observation | None:
        """Ask for the answer, once, where the budget is spent on questions."""
        if not self.budget or self.had_to_be_asked:
            return None
        self.had_to_be_asked = True
        text = "No further world can be asked for. Give your answer now."
        return Observation(text, legal=False)

    def _ask(self, move: Ask) -> Observation:
        if self.spent >= self.budget:
            said = "That could not be taken: no world can be asked for"
            return self._ask_for_answer() or self._send_back(said)
        question = read_question(move, self._public)
        if isinstance(question, str):
            return Observation(f"That world cannot be made: {question}.", legal=False)
        self.spent += 1
        scm, starts = true_unit_model(self._instance)
        world = run_question(self._public, scm, starts, question, self.spent)
        self.asked.append(world)
        left = self.budget - self.spent
        then = f"You may ask for {left} more." if left else "Give your answer now."
        text = f"{world_text(world, self._public.variables)}\n\n{then}"
        return Observation(text, world.model_dump(mode="json"), cost=1)


def read_question(question: Ask, public: ReplayPublic) -> dict[str, int] | str:
    """Return what is set in a world, or say why it cannot be made."""
    setting = match_names(public.variables, question.set)
    if isinstance(setting, AnswerFault):
        return setting.detail
    if not setting:
        return "nothing is set in it, and that world is shown"
    if (count := len(setting)) > public.max_targets:
        return f"{count} variables are to be set, and at most {public.max_targets} can be"
    if wrong := [name for name, value in setting.items() if value not in (0, 1)]:
        return f"{wrong[0]} can be set to 0 or 1 only"
    return setting
