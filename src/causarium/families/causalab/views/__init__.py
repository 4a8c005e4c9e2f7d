"""What people look at in CausaLab: boards, replays, pictures, and how episodes ended."""

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome
from ..model.config import LabRules
from ..model.stored_instance import EitherPublic, EitherSecret, by_edition
from .bench_views import PLAY_PAGE, make_bench_scenes
from .figures import draw_bench_episode, draw_episode, draw_rows
from .scene import make_scenes


def _find_outcome(row: Row) -> Outcome | None:
    """Say of a right answer whether experiments, or the graph, bear it out."""
    numbers = row.numbers
    if numbers.get("answered") == 1:
        settled = numbers.get("settled") == 1
        words = f"all right, {'' if settled else 'not '}settled by experiments"
        return Outcome(ending="right", words=words)
    if numbers.get("prediction") != 1:
        return None
    exact = row.labels.get("graph") == "exact"
    return Outcome(ending="right", words=f"right, graph {'' if exact else 'not '}exact")


VIEWS: Views[EitherPublic, EitherSecret, LabRules] = Views(
    draw_episode=by_edition(draw_bench_episode, draw_episode),
    scene=by_edition(make_bench_scenes, make_scenes),
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    find_outcome=_find_outcome,
)
