"""One case being played: four phases as text, or two tools, over the same dynamics.

As text: an intervention, then again and again the choice between another one and the answer, so
at least one intervention is made before any answer. With tools: interventions until an answer.

Without quirks everything malformed ends the case under its error mode, every intervention counts,
and the world is bounded by the cap. The published protocol has two loops without end (a choice
turn answered with actions, or with a misspelt choice, for ever). Here all of a case's turns are
limited to `TURNS_PER_ATTEMPT` times the cap, and a case that gets there ends as too many attempts:
the one deviation of the paper edition.
"""

from typing import Literal

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.version_space import Step
from causarium.families.causallink.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkInstance,
)
from causarium.families.causallink.mechanics.theme import theme
from causarium.families.causallink.parse import (
    ERROR_MODES,
    INVALID_ACTION,
    INVALID_ANSWER,
    INVALID_FORMAT,
    TOO_MANY,
)
from causarium.families.causallink.prompts import Wording, state_lines, states_text

TURNS_PER_ATTEMPT = 10
"""How many turns a case may have for each intervention that its cap allows."""

Phase = Literal["interaction", "choice", "answer", "late", "tools", "over"]

_EXPECTS: dict[Phase, tuple[type[Action], ...]] = {
    "interaction": (Intervene,),
    "choice": (Choose,),
    "answer": (Answer,),
    "late": (Intervene, Answer),
    "tools": (Intervene, Answer),
    "over": (),
}


class LinkWorld:
    """One case being played."""

    def __init__(self, instance: LinkInstance, rules: LinkRules) -> None:
        public = instance.public
        self._rules = rules
        self._reach = instance.secret.reach(public.shapes)
        self._theme = theme(public.theme)
        self._shapes = public.shapes
        self._wording = Wording.of(public, rules)
        self._lines = state_lines(self._theme, public.shapes)
        self._outcomes: dict[tuple[int, str, str], tuple[Step, Observation]] = {}
        self._views: dict[int, Observation] = {}
        self._turns_left = TURNS_PER_ATTEMPT * public.cap
        self.done = False
        self._enter("interaction" if rules.interface == "json" else "tools")
        self.budget = public.cap
        self.spent = 0
        self.state = public.start
        self.steps: list[Step] = []
        """The interventions carried out, counted or not."""
        self.requests = 0
        """How often another intervention was asked for: the published step counter."""
        self.error: str | None = None
        self.answer: Literal["yes", "no"] | None = None
        """The final answer; None while there is none, and when there was no valid one."""

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return self._expects

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This case is over.", legal=False)
        self._turns_left -= 1
        if self._open_to_acts and isinstance(move, Intervene):
            seen = self._intervene(move)
        else:
            seen = self._answer(move)
        if self._turns_left <= 0 and not self.done:
            self._end(TOO_MANY)
            return Observation(
                "This case has had too many turns and is over.", legal=seen.legal, cost=seen.cost
            )
        return seen

    def _enter(self, phase: Phase) -> None:
        self._phase: Phase = phase
        self.done = phase == "over"
        self._expects = _EXPECTS[phase]
        if phase == "choice" and self._rules.uncounted_choice_actions:
            self._expects = (Choose, Intervene)
        self._open_to_acts = Intervene in self._expects and phase != "late"
        self._price = 0 if phase == "choice" else 1

    def _answer(self, move: Move) -> Observation:
        if self._phase == "late":
            return self._end_late(move)
        if isinstance(move, Choose) and Choose in self._expects:
            return self._choose(move.next)
        if isinstance(move, Answer) and Answer in self._expects:
            return self._grade(move.answer)
        mode = move.mode if isinstance(move, Unparsed) else INVALID_FORMAT
        return self._fail(mode if mode in ERROR_MODES else INVALID_FORMAT)

    def _intervene(self, move: Intervene) -> Observation:
        cost = self._price
        outcome = self._outcomes.get((self.state, move.shape, move.action))
        if self.spent >= self.budget and cost:
            return self._fail(TOO_MANY)
        self.spent += cost
        if outcome is None:
            outcome = self._work_out(move)
            if outcome is None:
                return self._refuse(cost)
        step, seen = outcome
        self.steps.append(step)
        self.state = step.after
        if self._phase == "interaction":
            self._enter("choice")
        return seen if cost else self._show(step.after)

    def _work_out(self, move: Intervene) -> tuple[Step, Observation] | None:
        """Find and keep what an intervention leads to; None if there is no such one."""
        starts = move.action == self._theme.start
        if move.shape not in self._shapes or not (starts or move.action == self._theme.stop):
            return None
        x = self._shapes.index(move.shape)
        act = self._reach.move if starts else self._reach.hold
        step = Step(x, starts, self.state, act(self.state, x))
        if step.after not in self._views:
            self._views[step.after] = self._show(step.after, cost=1)
        outcome = (step, self._views[step.after])
        self._outcomes[self.state, move.shape, move.action] = outcome
        return outcome

    def _refuse(self, cost: int) -> Observation:
        if not self._rules.invalid_action_continues:
            return self._fail(INVALID_ACTION, cost)
        self.error = INVALID_ACTION
        if self._phase == "interaction":
            self._enter("choice")
        return self._show(self.state, cost=cost, legal=False)

    def _show(self, state: int, *, cost: int = 0, legal: bool = True) -> Observation:
        text = states_text(self._lines, state)
        moving = [name for x, name in enumerate(self._shapes) if state >> x & 1]
        return Observation(self._wording.seen(text), {"moving": moving}, legal=legal, cost=cost)

    def _choose(self, choice: str) -> Observation:
        if choice == STOP:
            self._enter("answer")
            return Observation(self._wording.answer)
        if choice == CONTINUE:
            return self._ask_for_more()
        if self._rules.misspelt_choice_repeats:
            return self._show(self.state, legal=False)
        return self._fail(INVALID_FORMAT)

    def _ask_for_more(self) -> Observation:
        self.requests += 1
        if self.spent < self.budget:
            self._enter("interaction")
            return Observation(self._wording.interaction)
        if self._rules.late_reply_collected:
            self._enter("late")
            return Observation(self._wording.interaction)
        return self._fail(TOO_MANY)

    def _end_late(self, move: Move) -> Observation:
        if isinstance(move, Unparsed) and move.mode == INVALID_FORMAT:
            return self._fail(INVALID_FORMAT)
        if self.error is None:
            return self._fail(TOO_MANY)
        return self._grade(move.answer) if isinstance(move, Answer) else self._fail(INVALID_ANSWER)

    def _grade(self, answer: str) -> Observation:
        if answer not in {"yes", "no"}:
            return self._fail(INVALID_ANSWER)
        self.answer = "yes" if answer == "yes" else "no"
        self._enter("over")
        return Observation("Your answer is recorded.")

    def _fail(self, mode: str, cost: int = 0) -> Observation:
        self._end(mode)
        return Observation(f"This case is over: {mode}.", legal=False, cost=cost)

    def _end(self, mode: str) -> None:
        self.error = mode
        self._enter("over")
