"""How sessions and expeditions are shown: pictures, replays, boards and outcomes."""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.verdict import Verdict
from causarium.contract.views.outcome import Outcome
from causarium.contract.views.play_page import Ending, Exchange, PlayPage
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import AnyPublic, AnySecret, by_edition
from causarium.families.causalgame.views.expedition_board import (
    lay_out_expedition,
    read_expedition_draft,
)
from causarium.families.causalgame.views.expedition_pictures import (
    draw_expedition,
    stage_expedition,
)
from causarium.families.causalgame.views.published.figures import draw_session, stage_session
from causarium.families.causalgame.views.published.session_board import (
    lay_out_session,
    read_session_draft,
)
from causarium.families.causalgame.views.row_charts import draw_rows


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether it was won, and with how many drones.

    Args:
        verdict: The verdict.
        exchanges: What was done and answered.
    """
    numbers = verdict.numbers
    drones = sum(exchange.seen.cost for exchange in exchanges)
    won = numbers.get("win", 0.0) == 1
    survival, legs = numbers.get("survival"), numbers.get("legs")
    facts = {"won": "yes" if won else "no", "drones": str(drones)}
    if survival is not None and survival == survival:  # noqa: PLR0124 - nan where it does not apply
        facts["home"] = f"{100 * survival:.0f} %"
        sentence = "Won: enough of the fleet came home." if won else "Lost: too few came home."
    else:
        share = 0.0 if legs is None or legs != legs else legs  # noqa: PLR0124
        facts["legs"] = f"{100 * share:.0f} %"
        told = "Won: on every leg no design brings more home" if won else _tell_loss(verdict)
        steps = numbers.get("right_step", 0.0)
        could = f"; {100 * steps:.0f} % of the legs that fly had a flight that could tell"
        sentence = f"{told}{could if steps == steps else ''}."  # noqa: PLR0124
    return Ending(sentence=sentence, facts=facts)


def _tell_loss(verdict: Verdict) -> str:
    told = verdict.explanation.rstrip(".")
    return f"Lost: {told[:1].lower()}{told[1:]}"


PLAY_PAGE: PlayPage[AnyPublic, GameRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Fit drones by tests that mislead.",
    lay_out=by_edition(lay_out_session, lay_out_expedition),
    read_draft=by_edition(read_session_draft, read_expedition_draft),
    tell_ending=tell_ending,
)


def find_outcome(row: Row) -> Outcome | None:
    """Return what became of a design; the common words do where none was sent."""
    label = row.labels.get("outcome", "nothing sent")
    if label in {"nothing submitted", "nothing sent"}:
        return None
    return Outcome(ending="right" if label == "won" else "wrong", words=label)


VIEWS: Views[AnyPublic, AnySecret, GameRules] = Views(
    draw_episode=by_edition(draw_session, draw_expedition),
    scene=by_edition(stage_session, stage_expedition),
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    find_outcome=find_outcome,
)
