"""How sessions are shown: pictures, replays, the board and outcomes."""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.companions import Views
from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import Ending, Exchange, PlayPage
from ..model.instance import GamePublic, GameSecret
from ..model.rules import GameRules
from .charts import draw_rows
from .episode import (
    draw_session,
    lay_out_session,
    read_session_draft,
    stage_session,
)


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether it was won, and with how many drones."""
    drones = sum(exchange.seen.cost for exchange in exchanges)
    won = verdict.numbers["win"] == 1
    return Ending(
        sentence="Won: enough of the fleet came home." if won else "Lost: too few came home.",
        facts={
            "won": "yes" if won else "no",
            "drones": str(drones),
            "home": f"{100 * verdict.numbers['survival']:.0f} %",
        },
    )


VIEWS: Views[GamePublic, GameSecret, GameRules] = Views(
    draw_episode=draw_session,
    scene=stage_session,
    play_page=PlayPage(
        folder=Path(__file__).parent,
        invitation="Fit drones by tests that mislead.",
        lay_out=lay_out_session,
        read_draft=read_session_draft,
        tell_ending=tell_ending,
        editions=("paper",),
    ),
    draw_rows=draw_rows,
)
