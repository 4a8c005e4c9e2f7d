"""The bench as a world: experiments, then the lock, then the questions, each answered once.

The last experiment, `lock`, an answer that comes too early and the cap on turns all lead to the
questions, so that nobody loses them. An answer that cannot be taken is asked for once more.
"""

from collections.abc import Sequence

from causarium.contract.frozen import Json
from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..model.actions import BENCH_ACTIONS, Answer, Hold, Lock
from ..model.bench import BenchInstance, BenchPublic, Experiment, Question
from ..model.config import LabRules
from ..model.instance import fold_name, name_index
from .world import turn_limit

_OVER = "The work is over."
_ASKED_TWICE = 2


class BenchWorld:
    """One instance of the bench being played."""

    def __init__(self, instance: BenchInstance, rules: LabRules) -> None:
        self.rules = rules
        self.public = instance.public
        self._secret = instance.secret
        self._mechanism = instance.secret.mechanism(instance.public.nodes)
        self._names = name_index(instance.public.properties)
        self._cap = turn_limit(instance.public, rules)
        self.turns = 0
        self.experiments: list[Experiment] = []
        self.opened = ""
        """Why the questions were asked; empty before the lock."""
        self.asks = 0
        """How often an answer was asked for."""
        self.malformed = 0
        """How many replies after the lock were read, but not as answers that could be taken."""
        self.answers: tuple[int | None, ...] | None = None
        self.arrows: tuple[tuple[str, str], ...] | None = None

    @property
    def budget(self) -> int:
        """How many experiments may be made."""
        return self.public.budget

    @property
    def spent(self) -> int:
        """How many were made."""
        return len(self.experiments)

    @property
    def done(self) -> bool:
        """Whether the answers are in, or were asked for in vain."""
        return self.answers is not None or self.asks > _ASKED_TWICE

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """Experiments and the lock before it, the answer afterwards."""
        if self.done:
            return ()
        return (Answer,) if self.opened else (Hold, Lock, Answer)

    def follow(self, turn: Turn) -> None:
        """Take a recorded turn again."""
        self.act(turn.move(BENCH_ACTIONS))

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(f"Refused. {_OVER}", legal=False)
        self.turns += 1
        if self.opened:
            return self._take_answer(move)
        seen = self._experiment(move)
        if self.opened or self.turns < self._cap:
            return seen
        return self._ask_questions("turns", f"{seen.text}\nThese were your turns.", seen)

    def _experiment(self, move: Move) -> Observation:
        if isinstance(move, Unparsed):
            return _refuse(
                f"no action could be read: {move.detail}. Nothing was done or counted; "
                "send it again"
            )
        if isinstance(move, Lock):
            return self._ask_questions("lock")
        if isinstance(move, Answer):
            early = "Refused: nothing was asked yet, so these answers are left aside."
            return self._ask_questions("early answer", early, Observation(early, legal=False))
        if isinstance(move, Hold):
            return self._hold(move)
        return _refuse(f"{move.kind!r} is not an action of this laboratory")

    def _hold(self, move: Hold) -> Observation:
        public = self.public
        name = self._names.get(fold_name(move.property), "")
        if name not in public.holdable:
            which = f"{move.property[:80]!r} cannot be held here"
            return _refuse(f"{which}; you can hold {', '.join(public.holdable)}")
        node = public.names.index(name)
        rest = public.manipulator[node]
        if not 1 <= abs(move.value - rest) <= public.limit:
            low, high = rest - public.limit, rest + public.limit
            return _refuse(
                f"{move.value} is not a value to hold {name} at; it reads {rest}, so take a whole "
                f"number from {low} to {high} other than that"
            )
        offset = move.value - rest
        changes = self._mechanism.changes({node: offset})
        readings = tuple(r + c for r, c in zip(public.manipulator, changes, strict=True))
        self.experiments.append(Experiment(node, offset, changes))
        left = public.budget - self.spent
        text = (
            f"Experiment {self.spent}: {name} held at {move.value}. The crystal reads:\n"
            f"{write_readings(public, readings)}\n{name} is let go. Experiments left: {left}."
        )
        data: dict[str, Json] = {"readings": list(readings), "left": left}
        seen = Observation(text, data, cost=1)
        return seen if left else self._ask_questions("budget", text, seen)

    def _ask_questions(
        self, why: str, before: str = "", seen: Observation | None = None
    ) -> Observation:
        self.opened, self.asks = why, 1
        questions = self._secret.questions
        asked: dict[str, Json] = {
            "reactor": list(self._secret.reactor),
            "questions": [{"holds": dict(one.holds), "asked": one.asked} for one in questions],
        }
        text = "\n".join(
            part
            for part in (before, write_questions(self.public, self._secret.reactor, questions))
            if part
        )
        if seen is None:
            return Observation(text, asked)
        return Observation(text, {**seen.data, **asked}, seen.legal, seen.cost)

    def _take_answer(self, move: Move) -> Observation:
        problem, expected = "", self.public.questions
        if isinstance(move, Unparsed):
            problem = f"no answer could be read: {move.detail}"
        elif not isinstance(move, Answer):
            problem = f"the manipulator is locked, so {move.kind!r} cannot be done any more"
        elif len(move.answers) != expected:
            problem = f"{len(move.answers)} answers were given, and {expected} questions asked"
        elif texts := [repr(one) for one in move.answers if isinstance(one, str)]:
            problem = f"an answer is a whole number or null, not {', '.join(texts[:3])}"
        self.malformed += bool(problem) and not isinstance(move, Unparsed)
        if problem and self.asks < _ASKED_TWICE:
            self.asks += 1
            return _refuse(
                f'{problem}. Send {{"action": "answer", "answers": [...]}} once more, with '
                f"{expected} whole numbers in the order of the questions, null where you do not "
                "know"
            )
        if isinstance(move, Answer):
            given = [one if isinstance(one, int) else None for one in move.answers[:expected]]
            self.answers = (*given, *(None for _ in range(expected - len(given))))
            self.arrows = move.arrows
            return Observation(f"Your answers are recorded. {_OVER}")
        self.asks += 1
        return _refuse(f"{problem}. {_OVER[:-1]}")


def write_readings(public: BenchPublic, readings: Sequence[int]) -> str:
    """Write what all nodes read, a line each."""
    return "\n".join(
        f"- {name}: {value}" for name, value in zip(public.nodes, readings, strict=True)
    )


def write_questions(
    public: BenchPublic, reactor: Sequence[int], questions: Sequence[Question]
) -> str:
    """Write what is shown after the lock."""
    lines = [f"{number}. {write_question(one)}" for number, one in enumerate(questions, 1)]
    return "\n".join(
        [
            "The manipulator is locked. At rest the crystal in the reactor reads:",
            write_readings(public, reactor),
            "Each question begins from these readings. Answer all of them at once:",
            *lines,
        ]
    )


def write_question(question: Question) -> str:
    """Write one question as a sentence.

    Example:
        >>> write_question(Question(holds={"ph": 7, "density": -3}, asked="moisture", kind="held"))
        'density is held at -3 and ph at 7. What does moisture read?'
    """
    (first, value), *others = question.holds.items()
    held = [f"{first} is held at {value}", *(f"{name} at {at}" for name, at in others)]
    together = f"{', '.join(held[:-1])} and {held[-1]}" if others else held[0]
    return f"{together}. What does {question.asked} read?"


def _refuse(reason: str) -> Observation:
    return Observation(f"Refused: {reason}.", legal=False)
