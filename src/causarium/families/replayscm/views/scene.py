"""One problem as a replay shows it: the true model, and the answer's mechanisms beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.replayscm.evidence.open_models import open_models
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.packed_rows import Known, Packed
from causarium.families.replayscm.scoring.replay_answer import Evaluation
from causarium.families.replayscm.scoring.score import find_refusal, play_again
from causarium.families.replayscm.views.unit_scene import make_unit_scenes
from causarium.scm.dag import bits


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
