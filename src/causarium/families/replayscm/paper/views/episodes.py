"""One problem as a replay and as a picture: the true model, and the answer's beside it.

Both graphs have their nodes in the same places, and arrows say what they are beside the truth.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from causarium.charts.causal_graph import draw_graph, edge_kinds
from causarium.charts.layout import lay_out
from causarium.charts.palette import SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import OutcomeKind
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits
from ..levels import ReplayRules
from ..model.instance import ReplayInstance, gold_formulas
from ..play.world import ReplayWorld
from ..scoring.desk import Desk
from ..scoring.score import find_refusal, play_again, score
from .play_page import ask_question

_MARGIN, _GAP, _HEAD = 28.0, 60.0, 96.0
_CAPTION = (
    "Arrows of the answer: blue where the {} model has them, dashed where they are the wrong way "
    "round, dotted where it has none, hollow grey where one is missing."
)


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say how far the mechanisms go that were handed in; the common words do where none were."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    if ending == "incorrect":
        return "wrong" if row.labels.get("stage") == "valid" else "formulas cannot be run"
    whole = row.numbers.get("heldout_exact") == 1 or row.numbers.get("alternative_joint") == 1
    return "correct on held-out worlds too" if whole else "correct on shown worlds only"


def make_scenes(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    parts = [turns[:count] for count in range(len(turns) + 1)]
    desk = Desk(instance, strict=rules.strict_form)
    worlds = [play_again(ReplayWorld(instance, rules, desk.read), part) for part in parts]
    scenes = [_make_scene(desk, played) for played in worlds]
    return ReplayScene(
        question=ask_question(instance.public),
        steps=list_turn_steps(turns, scenes, _describe),
        truth=_make_graph(desk.variables, desk.gold.parents),
        scenes=tuple(scenes),
        column="formula",
    )


def _describe(action: Mapping[str, Any]) -> str:
    names = list(action.get("mechanisms") or {})
    if not names:
        return "Handed in no formula."
    noun = "a formula" if len(names) == 1 else f"{len(names)} formulas"
    return f"Handed in {noun}, for {', '.join(names)}."


def _make_scene(desk: Desk, played: ReplayWorld) -> Scene:
    found = None if played.answer is None else desk.evaluate(played.answer)
    if refusal := find_refusal(played, found):
        return Scene(note=f"Refused at {refusal.stage}: {refusal.detail}")
    if found is None or found.replayed is None:
        return Scene()
    gold, said, known = gold_formulas(desk.instance), found.answer.mechanisms, found.replayed.known
    return Scene(
        belief=_make_graph(desk.variables, known.parents),
        lines=tuple(
            Line(
                name=name,
                believed=said.get(name, "a root"),
                true=gold.get(name, "a root"),
                right=known.tables[at] == desk.gold.tables[at],
            )
            for at, name in enumerate(desk.variables)
            if name in gold or name in said
        ),
    )


def _make_graph(names: tuple[str, ...], parents: Iterable[int]) -> Graph:
    edges = [(names[u], names[v]) for v, mask in enumerate(parents) for u in bits(mask)]
    return Graph(nodes=names, edges=tuple(edges))


def draw_episode(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Figure:
    """Draw one problem: the true model, or the one that is given, and the answer beside it."""
    shown, public = make_scenes(instance, rules, turns), instance.public
    said = score(instance, rules, turns).explanation or ""
    true, kind, beside = shown.truth or Graph(nodes=(), edges=()), "true", "truth"
    if public.reference is not None:
        given = BooleanScm.read(public.variables, public.roots or (), public.reference)
        true, kind, beside = _make_graph(public.variables, given.parents), "given", "given model"
    layout = lay_out(true.nodes, sorted(true.edges), node_width=54.0)
    panels = {f"The {kind} model": draw_graph(layout, dict.fromkeys(true.edges, "true"))}
    if (belief := shown.scenes[-1].belief) is not None:
        kinds = edge_kinds(frozenset(belief.edges), frozenset(true.edges))
        panels["The answer"] = draw_graph(layout, kinds)
    body = text((_MARGIN, 34), instance.id, size=17, weight="600")
    body += text((_MARGIN, 54), said, size=12.5, fill=SOFT)
    for at, (title, drawn) in enumerate(panels.items()):
        x = _MARGIN + at * (layout.width + _GAP)
        panel = text((0, -16), title, size=13, weight="600") + drawn
        body += tag("g", panel, transform=f"translate({x:.1f} {_HEAD:.1f})")
    title = f"{instance.id}: the answer beside the {beside}"
    size = max(2 * _MARGIN + 2 * layout.width + _GAP, 760.0), _HEAD + layout.height + 40
    svg = make_svg(*size, body, title=title, about=said)
    return Figure(title=title, svg=svg, caption=_CAPTION.format(kind))
