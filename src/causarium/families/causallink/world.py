"""One case being played: four phases as text, or two tools, over the same dynamics.

As text: an intervention, then again and again the choice between another one and the answer, so
at least one intervention is made before any answer. With tools: interventions until an answer.

Without quirks every unambiguous form of a move is taken, also an intervention or an answer that
comes where the choice is asked for. The first reply in a row that cannot be taken is asked for once
more and costs nothing; the second ends the case under its error mode. Every intervention counts.

The published protocol has two loops without end (a choice turn answered with actions, or with a
misspelt choice, for ever). Here all of a case's turns are limited to `TURNS_PER_ATTEMPT` times the
cap, and a case that gets there ends as too many attempts: the one deviation of the paper edition.
"""

from functools import cached_property
from typing import Literal

from causarium.contract.texts.replies import excerpt
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from causarium.families.causallink.actions import CONTINUE, STOP, Answer, Choose, Intervene
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.version_space import Step
from causarium.families.causallink.instance import LinkInstance
from causarium.families.causallink.interface.board import open_board
from causarium.families.causallink.interface.spellings import (
    ANSWERS,
    CHOICES,
    fold_text,
    match_name,
)
from causarium.families.causallink.interface.wording import Wording
from causarium.families.causallink.parse import (
    ERROR_MODES,
    INVALID_ACTION,
    INVALID_ANSWER,
    INVALID_FORMAT,
    TOO_MANY,
)

TURNS_PER_ATTEMPT = 10
"""How many turns a case may have for each intervention that its cap allows."""

Phase = Literal["first", "interaction", "choice", "answer", "late", "tools", "over"]

_EXPECTED: dict[Phase, tuple[type[Action], ...]] = {
    "first": (Intervene,),
    "interaction": (Intervene, Answer),
    "choice": (Choose, Intervene, Answer),
    "answer": (Answer,),
    "late": (Intervene, Answer),
    "tools": (Intervene, Answer),
    "over": (),
}
_STRICTLY_EXPECTED: dict[Phase, tuple[type[Action], ...]] = {
    **_EXPECTED,
    "interaction": (Intervene,),
    "choice": (Choose,),
}


class LinkWorld:
    """One case being played."""

    done = False
    spent = 0
    requests = 0
    """How often another intervention was asked for: the published step counter."""
    slips = 0
    """How many replies were asked for once more."""
    error: str | None = None
    answer: Literal["yes", "no"] | None = None
    """The final answer; None while there is none, and when there was no valid one."""
    _slipped = False
    """Whether the last reply was asked for once more."""
    _phase: Phase = "first"
    _turns = 0
    _fast_until = 0
    """While less than this is spent, an intervention needs no other check."""

    def __init__(self, instance: LinkInstance, rules: LinkRules) -> None:
        self._rules = rules
        self._public = public = instance.public
        self._board = board = open_board(public, instance.secret.edges, rules)
        self.budget = cap = public.cap
        all_active = len(public.moving) == len(board.names)
        self.state = board.everything if all_active else public.start
        self._made: list[tuple[int, bool, int, int]] = []
        if rules.interface == "tools":
            self._phase = "tools"
            self._fast_until = cap

    @property
    def steps(self) -> list[Step]:
        """The interventions carried out, counted or not."""
        return [Step(*made) for made in self._made]

    @cached_property
    def _wording(self) -> Wording:
        """The words of later turns."""
        return Wording.of(self._public, self._rules)

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if not self._rules.strict_form:
            return _EXPECTED[self._phase]
        if self._phase == "choice" and self._rules.uncounted_choice_actions:
            return (Choose, Intervene)
        return _STRICTLY_EXPECTED[self._phase]

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if type(move) is Intervene and self.spent < self._fast_until:
            # Most of all acts are these; they are too few for the limit on turns.
            board, state = self._board, self.state
            x, starts = board.places.get(move.shape), board.starts.get(move.action)
            if x is not None and starts is not None:
                if starts:
                    after = state | board.below[x]
                else:
                    after = board.stop(state, x) if state >> x & 1 else state
                self._made.append((x, starts, state, after))
                self.state = after
                self.spent += 1
                self._slipped = False
                return board.views.get(after) or board.view(after)
        if self.done:
            return Observation("This case is over.", legal=False)
        self._turns += 1
        seen = self._answer(move)
        if self._turns >= TURNS_PER_ATTEMPT * self.budget and not self.done:
            self._end(TOO_MANY)
            return Observation(
                "This case has had too many turns and is over.", legal=seen.legal, cost=seen.cost
            )
        return seen

    def _answer(self, move: Move) -> Observation:
        if self._phase == "late":
            return self._end_late(move)
        if isinstance(move, Unparsed):
            mode = move.mode if move.mode in ERROR_MODES else INVALID_FORMAT
            return self._ask_again(mode, move.detail)
        if (
            not isinstance(move, Choose | Intervene | Answer)
            or type(move) not in self.allowed_actions
        ):
            return self._ask_again(INVALID_FORMAT, f"{move.kind!r} is not asked for now")
        if isinstance(move, Choose):
            return self._choose(move.next)
        if isinstance(move, Intervene):
            free = self._phase == "choice" and self._rules.uncounted_choice_actions
            return self._intervene(move, 0 if free else 1)
        return self._grade(move.answer)

    def _intervene(self, move: Intervene, cost: int) -> Observation:
        if cost and self.spent >= self.budget:
            return self._fail(TOO_MANY)
        step = self._board.try_act(self.state, move.shape, move.action) or self._read_names(move)
        if step is None:
            return self._refuse(move, cost)
        self._made.append(step)
        self.state = step.after
        self.spent += cost
        self._slipped = False
        if self._phase != "tools":
            self._phase = "choice"
        return self._board.view(self.state) if cost else self._board.show(self.state)

    def _read_names(self, move: Intervene) -> Step | None:
        """Return the step of an intervention whose names are spelt otherwise."""
        if self._rules.strict_form:
            return None
        shape = match_name(move.shape, self._public.shapes)
        action = match_name(move.action, tuple(self._board.starts))
        if shape is None or action is None:
            return None
        return self._board.try_act(self.state, shape, action)

    def _refuse(self, move: Intervene, cost: int) -> Observation:
        if self._rules.invalid_action_continues:
            self.spent += cost
            self.error = INVALID_ACTION
            if self._phase != "tools":
                self._phase = "choice"
            return self._board.show(self.state, cost=cost, legal=False)
        reason = (
            f"{excerpt(move.action)!r} on {excerpt(move.shape)!r} is not possible; there are "
            f"{', '.join(self._public.shapes)}, and the actions {' and '.join(self._board.starts)}"
        )
        return self._ask_again(INVALID_ACTION, reason, cost=cost)

    def _choose(self, choice: str) -> Observation:
        if not self._rules.strict_form:
            choice = CHOICES.get(fold_text(choice), choice)
        if choice in {STOP, CONTINUE}:
            self._slipped = False
        if choice == STOP:
            self._phase = "answer"
            return Observation(self._wording.answer)
        if choice == CONTINUE:
            return self._ask_for_more()
        if self._rules.misspelt_choice_repeats:
            return self._board.show(self.state, legal=False)
        return self._ask_again(INVALID_FORMAT, f"{excerpt(choice)!r} is neither of the choices")

    def _ask_for_more(self) -> Observation:
        self.requests += 1
        if self.spent < self.budget:
            self._phase = "interaction"
            return Observation(self._wording.interaction)
        if self._rules.late_reply_collected:
            self._phase = "late"
            return Observation(self._wording.interaction)
        return self._fail(TOO_MANY)

    def _end_late(self, move: Move) -> Observation:
        if isinstance(move, Unparsed) and move.mode == INVALID_FORMAT:
            return self._fail(INVALID_FORMAT)
        if self.error is None:
            return self._fail(TOO_MANY)
        return self._grade(move.answer) if isinstance(move, Answer) else self._fail(INVALID_ANSWER)

    def _grade(self, given: str) -> Observation:
        answer = ANSWERS.get(given if self._rules.strict_form else fold_text(given))
        if answer is None or (self._rules.strict_form and given != answer):
            return self._ask_again(INVALID_ANSWER, f"{excerpt(given)!r} is neither yes nor no")
        self.answer = answer
        self._end(self.error)
        return Observation("Your answer is recorded.")

    def _ask_again(self, mode: str, reason: str, *, cost: int = 0) -> Observation:
        """Ask once more at no cost; a second time in a row, or under strict form, fail."""
        if self._slipped or self._rules.strict_form or self._phase == "late":
            self.spent += cost
            return self._fail(mode, cost)
        self._slipped = True
        self.slips += 1
        return Observation(
            f"That reply cannot be taken: {reason}. Nothing has changed. Reply once more; "
            f"another such reply ends the case.\n\n{self._repeat_question()}",
            legal=False,
        )

    def _repeat_question(self) -> str:
        wording = self._wording
        if self._phase == "choice":
            return self._board.view(self.state).text
        if self._phase == "answer":
            return wording.answer
        return wording.question if self._phase == "tools" else wording.interaction

    def _fail(self, mode: str, cost: int = 0) -> Observation:
        self._end(mode)
        return Observation(f"This case is over: {mode}.", legal=False, cost=cost)

    def _end(self, mode: str | None) -> None:
        self.error = mode
        self._phase = "over"
        self._fast_until = 0
        self.done = True
