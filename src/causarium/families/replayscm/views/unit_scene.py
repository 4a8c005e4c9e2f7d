"""A problem of the certified edition in a replay and in a picture: the truth, and the answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.charts.causal_graph import draw_graph, edge_kinds
from causarium.charts.layout import lay_out
from causarium.charts.palette import SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_units import UnitAnswer
from causarium.families.replayscm.play.unit_play import UnitPlay
from causarium.families.replayscm.scoring.score import play_units
from causarium.families.replayscm.scoring.unit_score import score_units
from causarium.scm.dag import bits

_MARGIN, _GAP, _HEAD = 28.0, 60.0, 96.0


def make_unit_scenes(
    instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]
) -> ReplayScene:
    """Return what a replay shows after each turn.

    Args:
        instance: The problem.
        rules: The rules that it was played by.
        turns: What was done.
    """
    plays = [play_units(instance, rules, turns[:count]) for count in range(len(turns) + 1)]
    scenes = [_make_scene(instance, play) for play in plays]
    return ReplayScene(
        question=_ask(instance),
        steps=list_turn_steps(turns, scenes, _describe),
        truth=_true_graph(instance),
        scenes=tuple(scenes),
        column="formula",
    )


def _ask(instance: ReplayInstance) -> str:
    public = instance.public
    if public.task is not None and public.task.setting:
        held = ", ".join(f"{name} = {value}" for name, value in public.task.setting.items())
        return f"What would each variable of this unit be if {held} were set?"
    return f"Which mechanisms bring about what {len(public.train[0].units)} units show?"


def _describe(action: Mapping[str, Any]) -> str:
    if action.get("kind") == "ask":
        held = [f"{name} = {value}" for name, value in (action.get("set") or {}).items()]
        return f"Asked for the world with {', '.join(held)}."
    if action.get("kind") == "predict":
        return "Said what each variable would be."
    return f"Handed in {len(action.get('mechanisms') or {})} formulas."


def _make_scene(instance: ReplayInstance, play: UnitPlay) -> Scene:
    if play.fault is not None:
        return Scene(note=f"Sent back: {play.fault.detail}")
    answer = play.answer
    if answer is None:
        return Scene()
    if not isinstance(answer, UnitAnswer):
        row = instance.secret.row or {}
        pairs = zip(instance.public.variables, answer, strict=True)
        return Scene(
            lines=tuple(
                Line(name=name, believed=str(bit), true=str(row[name]), right=bit == row[name])
                for name, bit in pairs
            )
        )
    numbers = score_units(instance, play).numbers
    note = f"{numbers['mechanisms_right']:.0%} of the mechanisms are right."
    return Scene(belief=_answer_graph(instance, answer), note=note)


def _answer_graph(instance: ReplayInstance, answer: UnitAnswer) -> Graph:
    names = _list_nodes(instance)
    return Graph(
        nodes=names,
        edges=tuple(
            (names[cause], names[effect])
            for effect, mask in enumerate(answer.parents)
            for cause in bits(mask)
        ),
    )


def _true_graph(instance: ReplayInstance) -> Graph:
    pairs = [(cause, name) for name, one in instance.secret.gold.items() for cause in one.parents]
    return Graph(nodes=_list_nodes(instance), edges=tuple(pairs))


def _list_nodes(instance: ReplayInstance) -> tuple[str, ...]:
    task = instance.public.task
    traits = task.traits if task is not None and not task.setting else ()
    return (*instance.public.variables, *traits)


def draw_unit_episode(
    instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]
) -> Figure:
    """Draw one problem: the true model, and the answer's beside it.

    Args:
        instance: The problem.
        rules: The rules that it was played by.
        turns: What was done.
    """
    play = play_units(instance, rules, turns)
    verdict = score_units(instance, play)
    true = _true_graph(instance)
    layout = lay_out(true.nodes, sorted(true.edges), node_width=54.0)
    panels = [_draw_panel("The true model", draw_graph(layout, dict.fromkeys(true.edges, "true")))]
    if isinstance(play.answer, UnitAnswer):
        said = frozenset(_answer_graph(instance, play.answer).edges)
        drawn = draw_graph(layout, edge_kinds(said, frozenset(true.edges)))
        panels.append(_draw_panel("The answer", drawn))
    width = max(2 * _MARGIN + 2 * layout.width + _GAP, 760.0)
    title = f"{instance.id}: the answer beside the truth"
    body = [
        text((_MARGIN, 34), instance.id, size=17, weight="600"),
        text((_MARGIN, 54), verdict.explanation, size=12.5, fill=SOFT),
        *(
            tag("g", panel, transform=f"translate({_MARGIN + at * (layout.width + _GAP):.1f} 96)")
            for at, panel in enumerate(panels)
        ),
    ]
    height = _HEAD + layout.height + 40
    return Figure(
        title=title,
        svg=make_svg(width, height, "".join(body), title=title, about=verdict.explanation),
        caption="Arrows of the answer: blue where the true model has them, dashed where they are "
        "the wrong way round, dotted where it has none, hollow grey where one is missing.",
    )


def _draw_panel(title: str, drawn: str) -> str:
    return text((0, -16), title, size=13, weight="600") + drawn
