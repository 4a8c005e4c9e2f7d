"""One crystal being played: experiments, then the questions, all answered in one reply.

The last experiment, one that holds nothing and the cap on turns lead to the questions. An answer
that comes too early is refused and loses nothing; one that cannot be taken is asked for once more.
"""

from causarium.contract.frozen import Json
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..levels import LadderRules
from ..mechanics.experiment import read_experiment
from ..model.actions import Answer, Hold
from ..model.instance import LEVELS, Experiment, LadderInstance
from .wording import write_experiment, write_questions

_OVER = "The work is over."
_ASKED_TWICE = 2
_SPARE_TURNS = 6
"""The turns beyond two for each experiment after which the questions are asked."""


class LadderWorld:
    """One instance being played."""

    def __init__(self, instance: LadderInstance, rules: LadderRules) -> None:
        self.rules = rules
        self.public = instance.public
        self._secret = instance.secret
        self._crystal = [instance.public.index[name] for name in instance.secret.crystal]
        self._folded = {name.casefold(): name for name in instance.public.names}
        self._turns = 0
        self.experiments: list[Experiment] = []
        self.asks = int(not instance.public.budget)
        """How often the answers were asked for."""
        self.malformed = 0
        """The number of replies after the questions that were read and could not be taken."""
        self.answers: tuple[str | None, ...] | None = None

    @property
    def budget(self) -> int:
        """The number of experiments that may be made."""
        return self.public.budget

    @property
    def spent(self) -> int:
        """The number of experiments made."""
        return len(self.experiments)

    @property
    def done(self) -> bool:
        """Whether the answers are in, or were asked for in vain."""
        return self.answers is not None or self.asks > _ASKED_TWICE

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """Experiments before the questions, the answer after them."""
        if self.done:
            return ()
        return (Answer,) if self.asks else (Hold,)

    @property
    def offered_actions(self) -> tuple[type[Action], ...]:
        """All actions of this instance."""
        return (Hold, Answer) if self.public.budget else (Answer,)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return _refuse(_OVER[:-1])
        if self.asks:
            return self._take_answer(move)
        self._turns += 1
        seen = self._experiment(move)
        if self.asks or self._turns < 2 * self.budget + _SPARE_TURNS:
            return seen
        return self._ask(f"{seen.text} These were your turns.", seen)

    def _experiment(self, move: Move) -> Observation:
        left = f"you have {self.budget - self.spent} experiments left"
        if isinstance(move, Unparsed):
            return _refuse(f"no experiment could be read ({move.detail}); {left}")
        if not isinstance(move, Hold):
            return _refuse(
                f'nothing was asked yet, and {left}; send {{"hold": {{}}}} to do without them'
            )
        return self._hold(move, left) if move.hold else self._ask("You make no more experiments.")

    def _hold(self, move: Hold, left: str) -> Observation:
        hold: dict[str, str] = {}
        for said, level in move.hold.items():
            name = self._folded.get(said.strip(" \"'`*").casefold(), "")
            if problem := self._find_problem(said, name, level):
                return _refuse(f"{problem}; nothing was done, and {left}")
            hold[name] = level
        if len(hold) > self.public.holds:
            most = self.public.holds
            return _refuse(f"{len(hold)} properties are held, and at most {most} can be; {left}")
        return self._make(hold)

    def _find_problem(self, said: str, name: str, level: str) -> str:
        if name not in self.public.holdable:
            return f"{said!r} cannot be held here; you can hold {', '.join(self.public.holdable)}"
        if level not in LEVELS:
            return f'{name} can be held "up", "down" or at "rest", not at {level!r}'
        return ""

    def _make(self, hold: dict[str, str]) -> Observation:
        made = read_experiment(self.public, self._crystal, hold)
        self.experiments.append(made)
        left = self.budget - self.spent
        text = f"Experiment {self.spent}: {write_experiment(made)}. Experiments left: {left}."
        data: dict[str, Json] = {"reading": made.reading, "left": left}
        seen = Observation(text, data, cost=1)
        return seen if left else self._ask(text, seen)

    def _ask(self, before: str, seen: Observation | None = None) -> Observation:
        self.asks = 1
        questions = self._secret.questions
        asked: dict[str, Json] = {"questions": [one.model_dump(mode="json") for one in questions]}
        text = f"{before}\n{write_questions(self.public, questions)}"
        if seen is None:
            return Observation(text, asked)
        return Observation(text, {**seen.data, **asked}, seen.legal, seen.cost)

    def _take_answer(self, move: Move) -> Observation:
        problem = self._find_fault(move)
        if not problem and isinstance(move, Answer):
            self.answers = move.answers
            return Observation(f"Your answers are recorded. {_OVER}")
        self.malformed += not isinstance(move, Unparsed)
        self.asks += 1
        if self.done:
            return _refuse(f"{problem}. {_OVER[:-1]}")
        count = len(self.public.asked)
        return _refuse(
            f'{problem}. Send {{"answers": [...]}} once more, with {count} '
            f"word{'s' * (count > 1)} in the order of the questions"
        )

    def _find_fault(self, move: Move) -> str:
        expected = len(self.public.asked)
        if isinstance(move, Unparsed):
            return f"no answer could be read: {move.detail}"
        if not isinstance(move, Answer):
            return "there are no experiments left"
        if len(move.answers) != expected:
            return f"{len(move.answers)} answers were given to {expected} questions"
        for kind, word in zip(self.public.asked, move.answers, strict=True):
            offered = self.public.list_answers(kind)
            if word is not None and word not in offered:
                return f"{word!r} is none of {', '.join(offered)}"
        return ""


def _refuse(reason: str) -> Observation:
    return Observation(f"Refused: {reason}.", legal=False)


def open_world(instance: LadderInstance, rules: LadderRules) -> LadderWorld:
    """Return the world of one instance."""
    return LadderWorld(instance, rules)
