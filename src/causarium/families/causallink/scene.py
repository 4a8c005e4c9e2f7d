"""One case as a replay shows it: the graph, who is active, since when the answer is known."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene
from causarium.families.causallink.actions import ACTIONS
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.diagnosis import judge
from causarium.families.causallink.instance import ARROW, LinkInstance
from causarium.families.causallink.mechanics.theme import theme
from causarium.families.causallink.score import describe_case
from causarium.families.causallink.world import LinkWorld


def make_scenes(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    public = instance.public
    world = LinkWorld(instance, rules)
    step_counts = [0]
    for turn in turns:
        world.act(turn.move(ACTIONS))
        step_counts.append(len(world.steps))
    judged = judge(describe_case(instance, world))
    states = [public.start, *(step.after for step in world.steps)]
    outcome = "" if world.answer is None else f"It answered {world.answer}."
    scenes = [
        Scene(
            lines=_lines(instance, states[count]),
            note=outcome if number == len(turns) else "",
            determined=judged.since is not None and count >= judged.since,
        )
        for number, count in enumerate(step_counts)
    ]
    pairs = [edge.split(ARROW) for edge in instance.secret.edges]
    truth = Graph(nodes=public.shapes, edges=tuple((cause, effect) for cause, effect in pairs))
    return ReplayScene(truth=truth, scenes=tuple(scenes), column="state")


def _lines(instance: LinkInstance, state: int) -> tuple[Line, ...]:
    words = theme(instance.public.theme)
    return tuple(
        Line(name=name, believed=words.active if state >> x & 1 else words.inactive)
        for x, name in enumerate(instance.public.shapes)
    )
