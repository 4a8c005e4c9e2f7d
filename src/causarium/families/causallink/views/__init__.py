"""What people look at in CausalLink: boards, replays, pictures, and how a case ended."""

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome
from causarium.families.causallink.model.config import LinkRules
from causarium.families.causallink.model.instance import LinkPublic, LinkSecret
from causarium.families.causallink.views.episode import draw_episode, make_scenes
from causarium.families.causallink.views.play_page import PLAY_PAGE


def find_outcome(row: Row) -> Outcome | None:
    """Return how a right answer was found; the common words do for the rest."""
    if row.numbers.get("accuracy") != 1:
        return None
    if row.labels.get("evidence") in {"determined", "decisive"}:
        return Outcome(ending="right", words="right, and shown to be")
    # Certified, such an answer earns nothing; logs of earlier versions have no `earned`.
    earns = row.edition == "paper" or row.numbers.get("earned", 1) == 1
    return Outcome(ending="right" if earns else "wrong", words="right, but not shown")


VIEWS: Views[LinkPublic, LinkSecret, LinkRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    find_outcome=find_outcome,
)
