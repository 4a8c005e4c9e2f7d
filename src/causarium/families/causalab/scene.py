"""One episode as a replay shows it: the hypothesis in force beside the truth, after each turn.

An episode with a body has frames as well, drawn by playing it again, where the library for that is
installed.
"""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.views.figure import FrameGuide
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene
from causarium.contract.world import frame_of
from causarium.families.causalab.config import LEVELS, LabRules
from causarium.families.causalab.generate import generate
from causarium.families.causalab.instance import FREQUENCY, LabInstance
from causarium.families.causalab.interface.lab_plan import THINGS
from causarium.families.causalab.interface.open_world import open_world
from causarium.families.causalab.interface.replay_frames import draw_frames
from causarium.families.causalab.mechanics.shown_values import brief
from causarium.families.causalab.scoring.ambiguity import ambiguity
from causarium.families.causalab.scoring.episode_history import Belief, Step, recall
from causarium.families.causalab.scoring.grade_hypothesis import WEIGHT_TOLERANCE
from causarium.scoring.value_error import is_close


def stage(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    history = recall(instance, rules, turns)
    still_open = ambiguity(instance, rules, turns)
    nodes = instance.public.nodes
    truth = Graph(nodes=nodes, edges=tuple(sorted(instance.secret.edge_pairs)))
    scenes = [Scene(determined=still_open[0].consistent == 1)]
    for step, left in zip(history.steps, still_open[1:], strict=True):
        scenes.append(_scene(instance, step, determined=left.consistent == 1))
    # Turns after the end change nothing.
    scenes += [scenes[-1]] * (len(turns) + 1 - len(scenes))
    frames = draw_frames(instance, rules, turns)
    if frames:
        scenes = [s.model_copy(update={"frame": f}) for s, f in zip(scenes, frames, strict=True)]
    return ReplayScene(truth=truth, scenes=tuple(scenes))


def guide_frame() -> FrameGuide | None:
    """Show the laboratory at the start, and say what each thing in it is."""
    rules = LabRules(interface="embodied", verification="offered")
    if not rules.is_interface_installed():
        return None
    level = next(iter(LEVELS.values()))
    world = open_world(generate(level, 0, 0), rules)
    legend = [(f"{thing.name} [{thing.number}]", thing.about) for thing in THINGS]
    return FrameGuide(
        frame=frame_of(world),
        caption="The laboratory of the embodied interfaces, seen from above, north at the top. "
        "In the west is the manipulator lab, in the east the reactor lab, between them the "
        "corridor with the table in the north and the desk in the south.",
        legend=(("you", "the agent, who begins in the middle of the corridor"), *legend),
    )


def _scene(instance: LabInstance, step: Step, *, determined: bool) -> Scene:
    if step.belief is None:
        return Scene(note="No hypothesis yet.", determined=determined)
    edges = tuple(sorted(step.belief.resolved.edges))
    return Scene(
        belief=Graph(nodes=instance.public.nodes, edges=edges),
        lines=_lines(instance, step.belief),
        determined=determined,
    )


def _lines(instance: LabInstance, belief: Belief) -> tuple[Line, ...]:
    """Set the coefficients of the frequency beside the true ones."""
    held, secret = belief.resolved, instance.secret
    true = {edge.cause: edge for edge in secret.edges if edge.effect == FREQUENCY}
    lines = [_line("base", held.base, secret.base_frequency)]
    for name in instance.public.names:
        edge = true.get(name)
        linear, square = (edge.linear, edge.square) if edge else (None, None)
        if edge or name in held.linear:
            lines.append(_line(f"{name}, linear", held.linear.get(name), linear))
        if name in held.square or square:
            lines.append(_line(f"{name}, squared", held.square.get(name), square))
    return tuple(lines)


def _line(name: str, believed: float | None, true: float | None) -> Line:
    return Line(
        name=name,
        believed="–" if believed is None else brief(believed),
        true="–" if true is None else brief(true),
        right=None if believed is None or true is None else _agree(believed, true),
    )


def _agree(believed: float, true: float) -> bool:
    return is_close(believed, true, relative=WEIGHT_TOLERANCE)
