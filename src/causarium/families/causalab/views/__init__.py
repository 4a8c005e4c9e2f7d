"""What people look at in CausaLab: boards, replays, pictures, and how episodes ended."""

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.views.outcome import OutcomeKind
from ..model.config import LabRules
from ..model.stored_instance import EitherPublic, EitherSecret, by_edition
from .bench_views import PLAY_PAGE, make_bench_scenes
from .figures import draw_bench_episode, draw_episode, draw_rows
from .scene import make_scenes


def _explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say of a correct answer whether experiments, or the graph, bear it out."""
    if ending != "correct":
        return ""
    numbers = row.numbers
    if numbers.get("answered") == 1:
        return f"all correct, {'' if numbers.get('settled') == 1 else 'not '}settled by experiments"
    if numbers.get("prediction") != 1:
        return ""
    return f"correct, graph {'' if row.labels.get('graph') == 'exact' else 'not '}exact"


VIEWS: Views[EitherPublic, EitherSecret, LabRules] = Views(
    draw_episode=by_edition(draw_bench_episode, draw_episode),
    scene=by_edition(make_bench_scenes, make_scenes),
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    explain_outcome=_explain_outcome,
)
