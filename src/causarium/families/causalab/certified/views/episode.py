"""One episode as a replay and as a picture: the true crystal, the experiments and the answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.charts.causal_graph import draw_graph
from causarium.charts.layout import lay_out
from causarium.charts.palette import SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import OutcomeKind
from causarium.contract.views.scene import (
    Graph,
    Line,
    NodeState,
    ReplayScene,
    Scene,
    Step,
    list_turn_steps,
)
from ..levels import LadderRules
from ..model.actions import ACTIONS, Answer, Hold
from ..model.instance import Experiment, LadderInstance
from ..play.wording import count_words, write_experiment, write_hold, write_question
from ..play.world import LadderWorld
from ..scoring import replay_world, score
from .play_page import ask_question

_FREQUENCY = "frequency"
_MARGIN, _LINE, _LETTER = 28.0, 20.0, 6.6
_LEAST_WIDTH = 760.0


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Return the share of right answers; the common words do where nothing was answered."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    right = row.numbers.get("right", 0.0)
    return "all answers right" if right == 1 else f"{right:.0%} of the answers right"


def make_scenes(instance: LadderInstance, rules: LadderRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return an episode as a replay shows it."""
    world, scenes = LadderWorld(instance, rules), [Scene()]
    looks: list[dict[str, Any]] = [{}]
    for turn in turns:
        before = world.spent
        world.act(turn.move(ACTIONS))
        look: dict[str, Any] = {}
        if world.spent > before:
            look = _describe_look(instance, world.experiments[-1])
        looks.append(look)
        lines = _list_lines(instance, world) if world.asks else ()
        scenes.append(Scene(lines=lines, note=_write_note(world, before)))
    steps = list_turn_steps(turns, scenes, _describe)
    return ReplayScene(
        question=ask_question(instance.public),
        answer=f"Right: {', '.join(instance.secret.answers)}.",
        outcome=_tell_outcome(instance, world),
        steps=tuple(
            Step.model_validate({**dict(step), **look})
            for step, look in zip(steps, looks, strict=True)
        ),
        truth=_draw_truth(instance),
        scenes=tuple(scenes),
        column="answer",
    )


def _describe_look(instance: LadderInstance, made: Experiment) -> dict[str, Any]:
    states = [
        NodeState(name=name, value=f"held {made.hold[name]}" if name in made.hold else "not held")
        for name in instance.public.names
    ]
    states.append(NodeState(name=_FREQUENCY, value=made.reading))
    changed = (_FREQUENCY,) if made.reading != "same" else ()
    return {"states": tuple(states), "acted": tuple(made.hold), "changed": changed}


def _write_note(world: LadderWorld, before: int) -> str:
    return (
        f"{write_experiment(world.experiments[-1])}.".capitalize() if world.spent > before else ""
    )


def _describe(action: Mapping[str, Any]) -> str:
    hold = action.get("hold") or {}
    if action.get("kind") == Hold.kind:
        return f"Made an experiment: {write_hold(hold)}." if hold else "Went to the questions."
    return "Answered." if action.get("kind") == Answer.kind else "Did something else."


def _list_lines(instance: LadderInstance, world: LadderWorld) -> tuple[Line, ...]:
    secret = instance.secret
    given = world.answers or (None,) * len(secret.questions)
    return tuple(
        Line(
            name=write_question(question),
            believed=said or "–",
            true=answer,
            right=None if world.answers is None else said == answer,
        )
        for question, answer, said in zip(secret.questions, secret.answers, given, strict=True)
    )


def _tell_outcome(instance: LadderInstance, world: LadderWorld) -> str:
    made = count_words(world.spent, "experiment", "experiments")
    if world.answers is None:
        return f"no answer after {made}"
    pairs = zip(world.answers, instance.secret.answers, strict=True)
    right = sum(said == answer for said, answer in pairs)
    return f"{right} of {len(world.answers)} right after {made}"


def _draw_truth(instance: LadderInstance) -> Graph:
    """Return the properties that act, and what each is a cause of."""
    skeleton, crystal = instance.public.skeleton, instance.secret.crystal
    edges = [
        (crystal[part.cause], crystal[number])
        for number, part in enumerate(skeleton.parts)
        if part.cause is not None
    ]
    last = [*range(skeleton.gates), *skeleton.ends]
    edges += [(crystal[number], _FREQUENCY) for number in last]
    return Graph(nodes=(*crystal, _FREQUENCY), edges=tuple(edges))


def draw_episode(instance: LadderInstance, rules: LadderRules, turns: Sequence[Turn]) -> Figure:
    """Return a picture of an episode: the true crystal, the experiments, and the answers."""
    world, truth = replay_world(instance, rules, turns), _draw_truth(instance)
    layout = lay_out(truth.nodes, sorted(truth.edges), lowest=_FREQUENCY, node_width=96.0)
    drawn = draw_graph(layout, dict.fromkeys(truth.edges, "true"), outcome=_FREQUENCY)
    told = [*instance.public.made, *world.experiments]
    lines = [
        f"{number}. {write_experiment(one).capitalize()}." for number, one in enumerate(told, 1)
    ]
    for one in _list_lines(instance, world):
        mark = "" if one.right is None else " ✓" if one.right else f" ✗, right is {one.true}"
        lines.append(f"{one.name} {one.believed}{mark}")
    about = _tell_outcome(instance, world)
    body = text((_MARGIN, 34), instance.id, size=17, weight="600")
    body += text((_MARGIN, 54), about, size=12.5, fill=SOFT)
    body += tag("g", drawn, transform=f"translate({_MARGIN:.0f} 80)")
    y = 80 + layout.height + 36
    for number, line in enumerate(lines):
        body += text((_MARGIN, y + number * _LINE), line, size=12)
    title = f"{instance.id}: the crystal, experiments and answers"
    longest = max(map(len, lines), default=0)
    width = max(_LEAST_WIDTH, 2 * _MARGIN + layout.width, 2 * _MARGIN + longest * _LETTER)
    svg = make_svg(width, y + len(lines) * _LINE + 8, body, title=title, about=about)
    caption = (
        f"The properties that act, with their arrows; every experiment with what was read; the "
        f"answers. {score(instance, rules, turns).explanation}"
    )
    return Figure(title=title, svg=svg, caption=caption)
