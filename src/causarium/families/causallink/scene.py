"""One case as a replay shows it: the graph, who is active, since when the answer is known."""

from collections.abc import Sequence

from causarium.contract.scene import Graph, Line, ReplayScene, Scene
from causarium.contract.turn import Turn
from causarium.families.causallink.actions import ACTIONS
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.diagnosis import judge
from causarium.families.causallink.instance import ARROW, LinkInstance
from causarium.families.causallink.mechanics.theme import theme
from causarium.families.causallink.score import case_of
from causarium.families.causallink.world import LinkWorld


def stage(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    public = instance.public
    world = LinkWorld(instance, rules)
    made = [0]
    for turn in turns:
        world.act(turn.move(ACTIONS))
        made.append(len(world.steps))
    judged = judge(case_of(instance, world))
    states = [public.start, *(step.after for step in world.steps)]
    said = "" if world.answer is None else f"It answered {world.answer}."
    scenes = [
        Scene(
            lines=_lines(instance, states[count]),
            note=said if number == len(turns) else "",
            determined=judged.since is not None and count >= judged.since,
        )
        for number, count in enumerate(made)
    ]
    pairs = [edge.split(ARROW) for edge in instance.secret.edges]
    truth = Graph(nodes=public.shapes, edges=tuple((cause, effect) for cause, effect in pairs))
    return ReplayScene(truth=truth, scenes=tuple(scenes), column="state")


def _lines(instance: LinkInstance, state: int) -> tuple[Line, ...]:
    words = theme(instance.public.theme)
    return tuple(
        Line(name=name, believed=words.active if state >> at & 1 else words.inactive)
        for at, name in enumerate(instance.public.shapes)
    )
