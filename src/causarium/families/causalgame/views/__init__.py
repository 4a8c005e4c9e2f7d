"""How sessions and expeditions are shown: pictures, replays, boards and outcomes."""

from collections.abc import Sequence

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import Outcome
from causarium.contract.views.scene import ReplayScene
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import AnyGame, AnyPublic, AnySecret, choose_part
from causarium.families.causalgame.views.expedition_pictures import (
    draw_expedition,
    draw_legs,
    stage_expedition,
)
from causarium.families.causalgame.views.play_page import PLAY_PAGE
from causarium.families.causalgame.views.published.figures import draw_session
from causarium.families.causalgame.views.published.scene import stage_session
from causarium.families.causalgame.views.row_charts import draw_session_rows


def draw_episode(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Draw one session or expedition.

    Args:
        instance: What was played.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    part = choose_part(instance.public.edition, draw_session, draw_expedition)
    return part(instance, rules, turns)


def make_scenes(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn.

    Args:
        instance: What was played.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    part = choose_part(instance.public.edition, stage_session, stage_expedition)
    return part(instance, rules, turns)


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what tables cannot show: gains and judges of sessions, right legs of expeditions."""
    legs = draw_legs(rows)
    return (*((legs,) if legs else ()), *draw_session_rows(rows))


def find_outcome(row: Row) -> Outcome | None:
    """Return what became of a design; the common words do where none was sent."""
    label = row.labels.get("outcome", "nothing sent")
    if label in {"nothing submitted", "nothing sent"}:
        return None
    return Outcome(ending="right" if label == "won" else "wrong", words=label)


VIEWS: Views[AnyPublic, AnySecret, GameRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    find_outcome=find_outcome,
)
