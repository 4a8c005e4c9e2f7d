"""CausalGame for people: a board for either edition, and how it ended."""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    PlayPage,
    Problem,
)
from causarium.contract.world import Action
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import AnyPublic, choose_part
from causarium.families.causalgame.views.expedition_board import (
    lay_out_expedition,
    read_expedition_draft,
)
from causarium.families.causalgame.views.published.session_board import (
    lay_out_session,
    read_session_draft,
)


def lay_out(public: AnyPublic, rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how an expedition or a published game stands.

    Args:
        public: What a player may see.
        rules: The rules of the session.
        exchanges: What was done and answered so far.
    """
    return choose_part(public.edition, lay_out_session, lay_out_expedition)(
        public, rules, exchanges
    )


def read_draft(
    public: AnyPublic, rules: GameRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it.

    Args:
        public: What a player may see.
        rules: The rules of the session.
        exchanges: What was done and answered so far.
        draft: What was entered.
    """
    read = choose_part(public.edition, read_session_draft, read_expedition_draft)
    return read(public, rules, exchanges, draft)


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
        sentence = (
            "Won: on every leg no design brings more home."
            if won
            else "Lost: on some leg another design brings more home."
        )
    return Ending(sentence=sentence, facts=facts)


PLAY_PAGE: PlayPage[AnyPublic, GameRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Fit drones by tests that mislead.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
)
