"""One episode as Inspect runs it, whoever plays: moves in, observations out, turns to the store.

The turns go to the sample's store as they are taken, so that a log that ends early still holds
what happened.
"""

from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.world import Move, Observation, Program
from causarium.engine.gate import BudgetSpent
from causarium.engine.play.answer_check import Recheck
from causarium.engine.play.ask_roles import judge_episode, repair_with_helper
from causarium.engine.play.programs import run_program
from causarium.engine.record.episode_record import read_record
from causarium.engine.record.episode_store import EpisodeStore
from causarium.engine.record.transcript import Repair

_MOST_REASON_CHARS = 500


class Play:
    """An episode, and the sample that it is played for."""

    def __init__(self, family: AnyFamily, state: TaskState) -> None:
        instance, rules = read_record(state.metadata).open(family)
        self._store = EpisodeStore(state.store)
        self._turns = self._store.start_turns()
        self.state = state
        self.episode = Episode(family, instance, rules)
        self._recheck = Recheck(state, self.episode)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.episode.done

    async def make(self, move: Move) -> Observation:
        """Make a model's move: as its assistant reads it and, if it is a program, once it has run.

        An answer that the rules want checked first is held back, and what is returned then says so.
        """
        move, replies = await repair_with_helper(self.episode, move)
        if replies:
            self._store.add_repair(Repair(turn=len(self.episode.turns), replies=tuple(replies)))
        held = self._recheck.hold(move)
        if held is not None:
            return held
        if isinstance(move, Program):
            over = self.done
            move = await run_program(self.episode, move, self.make)
            if self.done and not over:
                # What the program did ended the episode; its own turn would come after the end.
                return Observation("It is over.")
        return self.take(move)

    def take(self, move: Move) -> Observation:
        """Make a move as it is."""
        seen = self.episode.take(move)
        turn = self.episode.turns[-1].model_dump(mode="json")
        self._turns.append(turn)
        return seen

    async def finish(self) -> TaskState:
        """Have the episode judged, if there is a judge, and return the sample as it is then.

        A judge that fails costs what only a judge can say, and nothing else.

        Raises:
            BudgetSpent: The run may make no more calls; it is judged when the run resumes.
        """
        self._recheck.settle()
        try:
            judgements = await judge_episode(self.episode)
        except (BudgetSpent, LimitExceededError):
            raise
        except Exception as wrong:  # noqa: BLE001 — every provider has errors of its own
            self._store.judge_failed = f"{type(wrong).__name__}: {wrong}"[:_MOST_REASON_CHARS]
        else:
            if judgements:
                self._store.judgements = judgements
        self.state.completed = True
        return self.state
