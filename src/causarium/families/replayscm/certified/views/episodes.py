"""One game as a replay and as a picture: the true system, and the answers beside it."""

from collections.abc import Mapping, Sequence
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
from ..levels import ReplayRules
from ..mechanics.case import write_rule
from ..mechanics.systems import Rule
from ..model import ACTIONS, TRAIT, ReplayInstance, ReplayPublic
from ..play.examine import Meant
from ..play.world import ReplayWorld
from ..scoring import score, weigh_items
from .play_page import ask_question

_MARGIN, _GAP, _HEAD = 28.0, 60.0, 96.0
_CAPTION = (
    "Arrows into the variables asked for: blue where the answer has the true cause, dotted where "
    "it has another, hollow grey where one is missing."
)


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Return the number of items right; the common words do where nothing was handed in."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    return "all items right" if row.numbers.get("exact") == 1 else "some item wrong"


def make_scenes(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return a game as a replay shows it."""
    world, scenes = ReplayWorld(instance, rules), [Scene()]
    for turn in turns:
        seen = world.act(turn.move(ACTIONS))
        if world.meant is None:
            scenes.append(Scene(note=seen.text))
        else:
            belief = _draw_rules(instance.public, world.meant.rules)
            scenes.append(Scene(belief=belief, lines=_list_lines(instance, world.meant)))
    return ReplayScene(
        question=ask_question(instance.public),
        steps=list_turn_steps(turns, scenes, _describe),
        truth=_draw_truth(instance),
        scenes=tuple(scenes),
        column="answer",
    )


def _describe(action: Mapping[str, Any]) -> str:
    if action.get("kind") == "ask":
        values = (f"{name} = {value}" for name, value in (action.get("set") or {}).items())
        return f"Asked for the world with {', '.join(values)}, and read {action.get('read')}."
    return "Handed in the answers."


def _list_lines(instance: ReplayInstance, meant: Meant) -> tuple[Line, ...]:
    points = weigh_items(instance, meant)
    names = (*instance.public.names, TRAIT)
    said = {name: write_rule(rule, names) for name, rule in meant.rules.items()} | meant.words
    return tuple(
        Line(name=name, believed=said.get(name, ""), true=true, right=points[name] == 1)
        for name, true in instance.secret.answers.items()
    )


def _draw_rules(public: ReplayPublic, rules: Mapping[str, Rule]) -> Graph:
    names = (*public.names, TRAIT)
    edges = [(names[cause], v) for v, rule in rules.items() for cause in rule.causes]
    return Graph(nodes=_list_nodes(public), edges=tuple(edges))


def _draw_truth(instance: ReplayInstance) -> Graph:
    public, rules = instance.public, instance.secret.rules
    edges = [(cause, v) for v, rule in rules.items() for cause in rule.causes]
    return Graph(nodes=_list_nodes(public), edges=tuple(edges))


def _list_nodes(public: ReplayPublic) -> tuple[str, ...]:
    return (*public.names, *((TRAIT,) if public.trait_rules else ()))


def draw_episode(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Figure:
    """Return a picture of a game: the true system, and the rules handed in beside it."""
    shown = make_scenes(instance, rules, turns)
    said = score(instance, rules, turns).answer or "Nothing was handed in."
    true = shown.truth or Graph(nodes=(), edges=())
    layout = lay_out(true.nodes, sorted(true.edges), node_width=54.0)
    panels = {"The true system": draw_graph(layout, dict.fromkeys(true.edges, "true"))}
    if (belief := shown.scenes[-1].belief) is not None:
        asked = frozenset(edge for edge in true.edges if edge[1] in instance.public.rules_asked)
        panels["The answer"] = draw_graph(layout, edge_kinds(frozenset(belief.edges), asked))
    body = text((_MARGIN, 34), instance.id, size=17, weight="600")
    body += text((_MARGIN, 54), said, size=12.5, fill=SOFT)
    for at, (title, drawn) in enumerate(panels.items()):
        x = _MARGIN + at * (layout.width + _GAP)
        panel = text((0, -16), title, size=13, weight="600") + drawn
        body += tag("g", panel, transform=f"translate({x:.1f} {_HEAD:.1f})")
    title = f"{instance.id}: the answer beside the truth"
    size = max(2 * _MARGIN + 2 * layout.width + _GAP, 760.0), _HEAD + layout.height + 40
    svg = make_svg(*size, body, title=title, about=said)
    return Figure(title=title, svg=svg, caption=_CAPTION)
