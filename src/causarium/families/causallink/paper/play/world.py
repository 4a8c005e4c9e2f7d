"""One case being played: four phases as text, or two tools, over the same dynamics.

As text: an intervention, then again and again the choice between another one and the answer, so at
least one intervention is made before any answer. With tools: interventions until an answer.

Without quirks every unambiguous form of a move is taken, also an intervention or an answer that
comes where the choice is asked for. The first reply in a row that cannot be taken is asked for once
more and costs nothing; the second ends the case under its error mode. Every intervention counts,
and an agent that has used them all is asked for its answer.

The published protocol has two loops without end (a choice turn answered with actions, or with a
misspelt choice, for ever). Here all of a case's turns are limited to `TURNS_PER_ATTEMPT` times the
cap, and a case that gets there ends as too many attempts: the one deviation of the paper edition.
"""

from typing import Literal

from causarium.contract.frozen import Json
from causarium.contract.texts.replies import excerpt
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..evidence.version_space import Step
from ..model.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkInstance,
)
from ..model.reach import hold_by_edges
from ..model.rules import LinkRules
from ..model.theme import theme
from .replies import (
    ANSWERS,
    CHOICES,
    ERROR_MODES,
    INVALID_ACTION,
    INVALID_ANSWER,
    INVALID_FORMAT,
    TOO_MANY,
    fold_text,
    match_name,
    match_verb,
)
from .wording import Texts, Wording, ask_question

TURNS_PER_ATTEMPT = 10
"""How many turns a case may have for each intervention that its cap allows."""

Phase = Literal["first", "interaction", "choice", "answer", "late", "tools"]

_EXPECTED: dict[Phase, tuple[type[Action], ...]] = {
    "first": (Intervene,),
    "interaction": (Intervene, Answer),
    "choice": (Choose, Intervene, Answer),
    "answer": (Answer,),
    "late": (Intervene, Answer),
    "tools": (Intervene, Answer),
}
_STRICTLY_EXPECTED: dict[Phase, tuple[type[Action], ...]] = {
    **_EXPECTED,
    "interaction": (Intervene,),
    "choice": (Choose,),
}


class CaseWorld:
    """One case being played."""

    done = False
    spent = 0
    slips = 0
    """How many replies were asked for once more."""
    asked = False
    """Whether more was asked for than the budget allows, so that the answer had to be asked for."""
    error: str | None = None
    answer: Literal["yes", "no"] | None = None
    """The final answer; None while there is none, and when there was no valid one."""
    _slipped = False
    """Whether the last reply was asked for once more."""
    _turns = 0
    requests = 0
    """How often another intervention was asked for: the published step counter."""
    _phase: Phase = "first"

    def __init__(
        self, instance: LinkInstance, rules: LinkRules, texts: Texts | None = None
    ) -> None:
        public = instance.public
        self._public = public
        self.budget = public.cap
        self._rules = rules
        self._theme = theme(public.theme)
        self._wording = Wording(public, rules, texts)
        self._reach = instance.secret.reach(public.shapes)
        # A released dialogue may start in a state that no world brings about.
        closed = self._reach.is_closed(public.start)
        self._edges = None if closed else instance.secret.pairs(public.shapes)
        self.state = public.start
        self.steps: list[Step] = []
        """The interventions carried out, counted or not."""
        if rules.interface == "tools":
            self._phase = "tools"

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else self._list_expected()

    def _list_expected(self) -> tuple[type[Action], ...]:
        if not self._rules.strict_form:
            return _EXPECTED[self._phase]
        if self._phase == "choice" and self._rules.uncounted_choice_actions:
            return (Choose, Intervene)
        return _STRICTLY_EXPECTED[self._phase]

    @property
    def offered_actions(self) -> tuple[type[Action], ...]:
        """Every kind of action that is accepted at some time of the case."""
        return _EXPECTED["tools" if self._rules.interface == "tools" else "choice"]

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This case is over.", legal=False)
        self._turns += 1
        seen = self._answer(move)
        if self._turns >= TURNS_PER_ATTEMPT * self.budget and not self.done:
            self._fail(TOO_MANY)
            return Observation(
                "This case has had too many turns and is over.", legal=seen.legal, cost=seen.cost
            )
        return seen

    def _answer(self, move: Move) -> Observation:
        if self._phase == "late":
            return self._end_late(move)
        if isinstance(move, Choose) and Choose in self.allowed_actions:
            return self._choose(move.next)
        if isinstance(move, Intervene) and Intervene in self.allowed_actions:
            free = self._phase == "choice" and self._rules.uncounted_choice_actions
            return self._intervene(move, 0 if free else 1)
        if isinstance(move, Unparsed):
            mode = move.mode if move.mode in ERROR_MODES else INVALID_FORMAT
            return self._ask_again(mode, move.detail)
        if isinstance(move, Answer) and Answer in self.allowed_actions:
            return self._take_answer(move.answer)
        return self._ask_again(INVALID_FORMAT, f"{move.kind!r} is not asked for now")

    def _take_answer(self, given: str) -> Observation:
        answer = ANSWERS.get(fold_text(given))
        if answer is None or (self._rules.strict_form and given != answer):
            return self._ask_again(INVALID_ANSWER, f"{excerpt(given)!r} is neither yes nor no")
        self.answer, self.done = answer, True
        return Observation("Your answer is recorded.")

    def _intervene(self, move: Intervene, cost: int) -> Observation:
        if cost and self.spent >= self.budget:
            return self._stop_asking()
        step = self._read_step(move)
        if step is None:
            return self._refuse(move, cost)
        self.steps.append(step)
        self.state = step.after
        self.spent += cost
        self._slipped = False
        return self._show(cost=cost)

    def _show(self, *, cost: int = 0, legal: bool = True) -> Observation:
        if self._phase != "tools":
            self._phase = "choice"
        state = self.state
        moving: list[Json] = [
            x for place, x in enumerate(self._public.shapes) if state >> place & 1
        ]
        text = self._wording.describe(state)
        return Observation(text, {"moving": moving}, legal=legal, cost=cost)

    def _read_step(self, move: Intervene) -> Step | None:
        """Return the step that an intervention makes; None if there is no such one."""
        strict = self._rules.strict_form
        shape = move.shape if strict else match_name(move.shape, self._public.shapes)
        action = move.action if strict else match_verb(move.action, self._theme)
        if shape not in self._public.shapes or action not in {self._theme.start, self._theme.stop}:
            return None
        x, starts = self._public.shapes.index(shape), action == self._theme.start
        if starts:
            after = self._reach.move(self.state, x)
        elif self._edges is None:
            after = self._reach.hold(self.state, x)
        else:
            after = hold_by_edges(self.state, x, self._edges)
        return Step(x, starts, self.state, after)

    def _refuse(self, move: Intervene, cost: int) -> Observation:
        if self._rules.invalid_action_continues:
            self.spent += cost
            self.error = INVALID_ACTION
            return self._show(cost=cost, legal=False)
        reason = (
            f"{excerpt(move.action)!r} on {excerpt(move.shape)!r} is not possible; there are "
            f"{', '.join(self._public.shapes)}, and the actions {self._theme.start} and "
            f"{self._theme.stop}"
        )
        return self._ask_again(INVALID_ACTION, reason, cost=cost)

    def _choose(self, choice: str) -> Observation:
        if not self._rules.strict_form:
            choice = CHOICES.get(fold_text(choice), choice)
        if choice in {STOP, CONTINUE}:
            self._slipped = False
        if choice == STOP:
            self._phase = "answer"
            return Observation(self._wording.fill("answer"))
        if choice == CONTINUE:
            self.requests += 1
            left = self.spent < self.budget
            if not (left or self._rules.late_reply_collected):
                return self._stop_asking()
            self._phase = "interaction" if left else "late"
            return Observation(self._wording.fill("interaction"))
        if self._rules.misspelt_choice_repeats:
            return self._show(legal=False)
        return self._ask_again(INVALID_FORMAT, f"{excerpt(choice)!r} is neither of the choices")

    def _stop_asking(self) -> Observation:
        """Ask for the answer where all interventions are used; as published, end the case."""
        if self._rules.strict_form:
            return self._fail(TOO_MANY)
        self.asked = True
        self._phase = "answer"
        return Observation(
            f"You have used all your actions.\n\n{self._repeat_question()}", legal=False
        )

    def _end_late(self, move: Move) -> Observation:
        if isinstance(move, Unparsed) and move.mode == INVALID_FORMAT:
            return self._fail(INVALID_FORMAT)
        if self.error is None:
            return self._fail(TOO_MANY)
        if isinstance(move, Answer):
            return self._take_answer(move.answer)
        return self._fail(INVALID_ANSWER)

    def _ask_again(self, mode: str, reason: str, *, cost: int = 0) -> Observation:
        """Ask once more at no cost; a second time in a row, or under strict form, fail."""
        if self._slipped or self._rules.strict_form or self._phase == "late":
            self.spent += cost
            return self._fail(TOO_MANY if self.asked else mode, cost)
        self._slipped = True
        self.slips += 1
        return Observation(
            f"That reply cannot be taken: {reason}. Nothing has changed. Reply once more; "
            f"another such reply ends the case.\n\n{self._repeat_question()}",
            legal=False,
        )

    def _fail(self, mode: str, cost: int = 0) -> Observation:
        self.error, self.done = mode, True
        return Observation(f"This case is over: {mode}.", legal=False, cost=cost)

    def _repeat_question(self) -> str:
        if self._phase == "choice":
            return self._wording.describe(self.state)
        if self._rules.interface == "tools":
            return ask_question(self._public)
        return self._wording.fill("answer" if self._phase == "answer" else "interaction")


def open_world(instance: LinkInstance, rules: LinkRules, texts: Texts | None = None) -> CaseWorld:
    """Return a case, ready to be played.

    Args:
        instance: The case.
        rules: How it is played.
        texts: Other texts than those that the rules name.
    """
    return CaseWorld(instance, rules, texts)
