"""What people look at in CausalLink: boards, replays, pictures, and how a case ended."""

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome
from causarium.families.causallink.model.config import LinkRules
from causarium.families.causallink.model.instance import LinkPublic, LinkSecret
from causarium.families.causallink.views.episode import draw_episode, make_scenes
from causarium.families.causallink.views.play_page import PLAY_PAGE


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    if not row.turns:
        return Outcome(ending="silent", words="no reply")
    error = row.labels.get("error", "none")
    if error == "too many attempts":
        return Outcome(ending="unreadable", words="ran out of budget")
    if error != "none":
        return Outcome(ending="unreadable", words="no readable or legal answer")
    if row.numbers.get("accuracy") != 1:
        return Outcome(ending="wrong", words="wrong")
    if row.labels.get("evidence") in {"determined", "decisive"}:
        return Outcome(ending="proved", words="right, and shown to be")
    return Outcome(ending="lucky", words="right by luck")


VIEWS: Views[LinkPublic, LinkSecret, LinkRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    find_outcome=find_outcome,
)
