"""One problem as a replay shows it: the true model, and the answer's mechanisms beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.charts.causal_graph import draw_graph, edge_kinds
from causarium.charts.layout import lay_out
from causarium.charts.palette import SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import Outcome
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.replayscm.evidence.open_models import open_models
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.play.compile_units import UnitAnswer
from causarium.families.replayscm.play.unit_play import UnitPlay
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.packed_rows import Evaluation, Known, Packed
from causarium.families.replayscm.scoring.score import find_refusal, play_again, play_units
from causarium.families.replayscm.scoring.unit_score import score_units
from causarium.scm.dag import bits

_UNIT_OUTCOMES = {
    "right": Outcome(ending="right", words="the one model that fits"),
    "wrong": Outcome(ending="wrong", words="another model, or another row"),
    "unreadable": Outcome(ending="unreadable", words="cannot be taken, twice"),
    "ran out of budget": Outcome(ending="ran out of budget", words="no answer in time"),
}


def find_outcome(row: Row) -> Outcome | None:
    """Return which model was handed in; the common words do where there was none."""
    if "exact" in row.numbers:
        return _UNIT_OUTCOMES.get(row.labels.get("outcome", ""))
    numbers, stage = row.numbers, row.labels.get("stage", "none")
    if stage == "none":
        return None
    if stage != "valid":
        return Outcome(ending="unreadable", words="formulas cannot be run")
    if numbers.get("heldout_exact") == 1 or numbers.get("alternative_joint") == 1:
        return Outcome(ending="right", words="right, on held-out worlds too")
    if numbers.get("train_exact") == 1 or numbers.get("alternative_train_exact") == 1:
        return Outcome(ending="wrong", words="right on shown worlds only")
    return Outcome(ending="wrong", words="runs, but wrong")


def make_scenes(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    if instance.public.task is not None:
        return make_unit_scenes(instance, rules, turns)
    scenes = [_scene(instance, rules, turns[:count]) for count in range(len(turns) + 1)]
    packed = Desk(instance, strict=rules.strict_form).packed
    public = instance.public
    return ReplayScene(
        question=f"Which formulas bring about the tables of {len(public.train)} "
        f"world{'' if len(public.train) == 1 else 's'} over {len(public.variables)} variables?",
        steps=list_turn_steps(turns, scenes, _describe),
        truth=_graph(packed, packed.gold),
        scenes=tuple(scenes),
        column="formula",
    )


def _describe(action: Mapping[str, Any]) -> str:
    names = list(action.get("mechanisms") or {})
    if not names:
        return "Handed in no formula."
    noun = "a formula" if len(names) == 1 else f"{len(names)} formulas"
    return f"Handed in {noun}, for {', '.join(names)}."


def _scene(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Scene:
    played = play_again(instance, rules, turns)
    determined = open_models(instance.public) == 0
    desk = Desk(instance, strict=rules.strict_form)
    packed = desk.packed
    found = None if played.answer is None else desk.evaluate(played.answer)
    if refusal := find_refusal(played, found):
        note = f"Refused at {refusal.stage}: {refusal.detail}"
        return Scene(note=note, determined=determined)
    if found is None or found.replayed is None:
        return Scene(determined=determined)
    return Scene(
        belief=_graph(packed, found.replayed.known),
        lines=_lines(instance, packed, found),
        determined=determined,
    )


def _graph(packed: Packed, model: Known) -> Graph:
    names = packed.variables
    edges = [
        (names[cause], names[effect])
        for effect, mask in enumerate(model.parents)
        for cause in bits(mask)
    ]
    return Graph(nodes=tuple(names), edges=tuple(edges))


def _lines(instance: ReplayInstance, packed: Packed, found: Evaluation) -> tuple[Line, ...]:
    gold, said = gold_formulas(instance), found.answer.mechanisms
    known = found.replayed.known if found.replayed else packed.gold
    lines = []
    for at, name in enumerate(instance.public.variables):
        if name in gold or name in said:
            right = known.tables[at] == packed.gold.tables[at]
            lines.append(
                Line(
                    name=name,
                    believed=said.get(name, "a root"),
                    true=gold.get(name, "a root"),
                    right=right,
                )
            )
    return tuple(lines)


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
        steps=list_turn_steps(turns, scenes, _describe_unit_move),
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


def _describe_unit_move(action: Mapping[str, Any]) -> str:
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
