"""What people look at in the paper edition: replays, pictures, and how episodes ended."""

from causarium.contract.companions import Views
from causarium.contract.row import Row
from causarium.contract.views.outcome import OutcomeKind
from ..levels import LabRules
from ..model.instance import LabPublic, LabSecret
from .figures import draw_episode, draw_rows
from .scene import make_scenes


def _explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say of a correct answer whether the graph bears it out."""
    if ending != "correct" or row.numbers.get("prediction") != 1:
        return ""
    return f"correct, graph {'' if row.labels.get('graph') == 'exact' else 'not '}exact"


VIEWS: Views[LabPublic, LabSecret, LabRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    draw_rows=draw_rows,
    explain_outcome=_explain_outcome,
)
