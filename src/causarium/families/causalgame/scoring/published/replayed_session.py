"""A session rebuilt from its recorded turns: what was tried, what was said, what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from causarium.contract.turn import Turn
from causarium.families.causalgame.model.actions import ACTIONS
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GameInstance
from causarium.families.causalgame.play.published.game_session import Batch, Result, Session
from causarium.families.causalgame.play.published.world import GameWorld
from causarium.families.causalgame.scoring.published.beliefs import Belief, beliefs


@dataclass(frozen=True, slots=True)
class Recalled:
    """One session, after the fact."""

    session: Session
    batches: tuple[tuple[int, Batch], ...]
    """Every deployment, with the number of its turn (from 1)."""
    result: Result | None
    """How the fleet fared; None if nothing was submitted."""
    submitted_at: int | None
    """The number of the submission's turn."""
    thoughts: tuple[tuple[int, str], ...]
    """What was said before acting, by turn."""
    report: str
    """The final report, empty if there is none."""
    beliefs: tuple[Belief, ...]
    """The claims held after each turn."""
    refusals: int
    unread: int

    @property
    def belief(self) -> Belief:
        """The claims held in the end."""
        return self.beliefs[-1] if self.beliefs else ()


def recall(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Recalled:
    """Play the recorded turns again and keep what scoring needs."""
    world = GameWorld(instance, rules)
    session = world.session
    batches: list[tuple[int, Batch]] = []
    submitted_at = None
    for number, turn in enumerate(turns, 1):
        world.act(turn.move(ACTIONS))
        if len(session.batches) > len(batches):
            batches.append((number, session.batches[-1]))
        if session.result is not None and submitted_at is None:
            submitted_at = number
    said = [(n, (turn.action or {}).get("thought")) for n, turn in enumerate(turns, 1)]
    reports = [t.action.get("text") for t in turns if t.legal and _kind(t) == "report" and t.action]
    return Recalled(
        session=session,
        batches=tuple(batches),
        result=session.result,
        submitted_at=submitted_at,
        thoughts=tuple((n, thought) for n, thought in said if isinstance(thought, str) and thought),
        report=str(reports[-1]) if reports else "",
        beliefs=tuple(beliefs(turns)),
        refusals=sum(not turn.legal for turn in turns),
        unread=sum(turn.unparsed is not None for turn in turns),
    )


def _kind(turn: Turn) -> object:
    return (turn.action or {}).get("kind")
