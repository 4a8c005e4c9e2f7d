"""How expeditions are shown: pictures, replays, the board and outcomes."""

import math
from collections.abc import Sequence
from pathlib import Path

from causarium.contract.companions import Views
from causarium.contract.row import Row, agents_of
from causarium.contract.verdict import Verdict
from causarium.contract.views.figure import Figure
from causarium.contract.views.play_page import Ending, Exchange, PlayPage
from ..model.expeditions import ExpeditionPublic, ExpeditionSecret
from ..scoring import KINDS
from ..shared.marks import average, draw_marks, select_rows
from ..shared.rules import GameRules
from .expeditions import (
    draw_expedition,
    lay_out_expedition,
    read_expedition_draft,
    stage_expedition,
)


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what tables cannot show: right legs by kind."""
    picture = _draw_legs(rows)
    return () if picture is None else (picture,)


def _draw_legs(rows: Sequence[Row]) -> Figure | None:
    """Draw the share of right legs by kind, with the coin at one half; None without expeditions."""
    rows = select_rows(rows, "legs")
    if not rows:
        return None

    def find_share(agent: str, kind: str) -> float:
        return average([row for row in rows if row.agent == agent], f"legs_{kind}")

    return draw_marks(
        "Right legs by kind",
        agents_of(rows),
        KINDS,
        find_share,
        ((0.0, "0"), (0.5, "a coin"), (1.0, "1")),
        "The share of legs with the best design. Whoever is blind on all four legs wins 1 "
        "expedition in 16.",
    )


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether it was won, and with how many drones."""
    numbers = verdict.numbers
    drones = sum(exchange.seen.cost for exchange in exchanges)
    won = numbers.get("win", 0.0) == 1
    # What does not apply is nan.
    steps, depot = (numbers.get(name, math.nan) for name in ("right_step", "legs_depot"))
    return Ending(
        sentence=f"{'Won' if won else 'Lost'}{_tell_evidence(steps, depot)}.",
        facts={
            "won": "yes" if won else "no",
            "drones": str(drones),
            "legs": f"{100 * numbers.get('legs', 0.0):.0f} %",
        },
    )


def _tell_evidence(steps: float, depot: float) -> str:
    """Say on how many legs a flown test, or a depot's book, can tell what the leg is."""
    if math.isnan(steps):
        return "" if math.isnan(depot) else ": a depot's book can tell what the leg is"
    where = {0.0: "no leg", 1.0: "every leg"}.get(steps, f"{100 * steps:.0f} % of the legs")
    book = "" if math.isnan(depot) else "; at the depot its book can tell"
    return f": on {where} with test drones you flew a test that can tell what the leg is{book}"


VIEWS: Views[ExpeditionPublic, ExpeditionSecret, GameRules] = Views(
    draw_episode=draw_expedition,
    scene=stage_expedition,
    play_page=PlayPage(
        folder=Path(__file__).parent,
        invitation="Fit drones by tests that mislead.",
        lay_out=lay_out_expedition,
        read_draft=read_expedition_draft,
        tell_ending=tell_ending,
        editions=("certified",),
    ),
    draw_rows=draw_rows,
)
