"""The replay of an episode, with the hypothesis in force beside the truth.

An episode with a body has frames as well, drawn by playing it again, where the library for that is
installed.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from causarium.contract.turn import Turn
from causarium.contract.views.scene import (
    Graph,
    Line,
    NodeState,
    ReplayScene,
    Scene,
    Step,
    list_turn_steps,
)
from causarium.contract.world import frame_of
from causarium.scoring.measures import is_close
from ..evidence.infer_mechanism import Notebook, infer
from ..levels import RELEASED, LabRules
from ..mechanics.lab import Lab
from ..mechanics.resolve_hypothesis import ResolvedHypothesis
from ..mechanics.shown_values import brief, decimals, format_entered
from ..model.actions import ACTIONS
from ..model.instance import FREQUENCY, LabInstance
from ..play import open_world
from ..scoring.episode_history import History, recall
from ..scoring.episode_history import Step as HistoryStep
from ..scoring.grade_hypothesis import WEIGHT_TOLERANCE


def make_scenes(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    history = recall(instance, rules, turns)
    truth = _graph(instance, instance.secret.edge_pairs)
    settled = _list_settled(instance, history)
    scenes = [Scene(determined=settled[0])]
    scenes += [_scene(instance, step, determined=settled[step.used]) for step in history.steps]
    # Turns after the end change nothing.
    scenes += [scenes[-1]] * (len(turns) + 1 - len(scenes))
    return ReplayScene(
        question=_ask(instance),
        answer=f"The truth is {decimals(instance.secret.target)} Hz.",
        outcome=_tell_outcome(history),
        steps=_list_steps(instance, history, turns),
        truth=truth,
        scenes=_add_frames(scenes, instance, rules, turns),
    )


def _add_frames(
    scenes: Sequence[Scene], instance: LabInstance, rules: LabRules, turns: Sequence[Turn]
) -> tuple[Scene, ...]:
    """Add the look of the laboratory to each scene.

    There is none without a body, or where the library that draws it is not installed.

    Args:
        scenes: The scenes before the first turn and after each.
        instance: What was played.
        rules: How it was played.
        turns: The recorded turns.
    """
    is_seen = rules.has_body and rules.interface != RELEASED
    if not is_seen or not rules.is_interface_installed():
        return tuple(scenes)
    world, looks = open_world(instance, rules), []
    for turn in (None, *turns):
        if turn is not None:
            world.act(turn.move(ACTIONS))
        looks.append(frame_of(world))
    return tuple(s.model_copy(update={"frame": f}) for s, f in zip(scenes, looks, strict=True))


def _list_settled(instance: LabInstance, history: History) -> list[bool]:
    """Return whether the readings settle the frequency's equation, before and after each act."""
    notebook, calm = Notebook(instance.public), instance.public.hidden is None
    settled = [calm and infer(notebook).frequency is not None]
    for row in history.lab.rows[1:]:
        notebook.add(row.target or 0, row.values)
        settled.append(calm and (settled[-1] or infer(notebook).frequency is not None))
    return settled


def _units(instance: LabInstance) -> dict[str, str]:
    """Return the units, with a space before them, of what has one."""
    shown = {each.name: each.display.partition(" (") for each in instance.public.properties}
    units = {name: f" {unit.rstrip(')')}" for name, (_, _, unit) in shown.items() if unit}
    return {**units, FREQUENCY: " Hz"}


def _graph(instance: LabInstance, edges: Iterable[tuple[str, str]]) -> Graph:
    names = instance.public.labels
    return Graph(
        nodes=tuple(names[node] for node in instance.public.nodes),
        edges=tuple((names[cause], names[effect]) for cause, effect in sorted(edges)),
    )


def _ask(instance: LabInstance) -> str:
    values = zip(instance.public.properties, instance.public.reactor, strict=True)
    given = ", ".join(f"{each.display} {decimals(value)}" for each, value in values)
    return f"What is the frequency of the reactor's crystal ({given})?"


def _tell_outcome(history: History) -> str:
    lab = history.lab
    made = f"{lab.used} experiment{'' if lab.used == 1 else 's'}"
    if not lab.submitted:
        return f"nothing submitted after {made}"
    mark = "✓" if lab.solved else "✗"
    return f"{format_entered(round(lab.submitted[-1], 2))} Hz {mark} after {made}"


def _list_steps(instance: LabInstance, history: History, turns: Sequence[Turn]) -> tuple[Step, ...]:
    """Return one step a turn, with the readings of the crystal after it."""
    rows, nodes, names = history.lab.rows, instance.public.nodes, instance.public.labels
    told = list_turn_steps(turns[: len(history.steps)], (), partial(_title, instance))
    steps, shown = [], 0
    for step, used in zip(told, (0, *(one.used for one in history.steps)), strict=True):
        before, shown = shown, used
        acted = (turns[step.last - 1].action or {}).get("property") if shown > before else None
        moved = zip(nodes, rows[before].values, rows[shown].values, strict=True)
        pictured = {
            "states": _list_states(instance, history.lab, shown),
            "acted": (names[acted],) if acted in names else (),
            "changed": tuple(names[name] for name, a, b in moved if a != b),
        }
        steps.append(step.model_copy(update=pictured))
    return tuple(steps)


def _title(instance: LabInstance, fields: Mapping[str, Any]) -> str:
    names, units = instance.public.labels, _units(instance)
    kind = fields.get("kind")
    if kind == "intervene":
        name = str(fields.get("property"))
        value = f"{format_entered(fields.get('value', 0))}{units.get(name, '')}"
        return f"Set {names.get(name, name)} to {value}."
    if kind == "submit":
        return f"Submitted {format_entered(round(fields.get('value', 0), 2))} Hz."
    return f"{str(kind).capitalize()}."


def _list_states(instance: LabInstance, lab: Lab, row: int) -> tuple[NodeState, ...]:
    nodes, values = instance.public.nodes, lab.rows[row].values
    names, units = instance.public.labels, _units(instance)
    return tuple(
        NodeState(name=names[node], value=f"{decimals(value)}{units.get(node, '')}")
        for node, value in zip(nodes, values, strict=False)
    )


def _scene(instance: LabInstance, step: HistoryStep, *, determined: bool) -> Scene:
    if step.belief is None:
        return Scene(note="No hypothesis yet.", determined=determined)
    return Scene(
        belief=_graph(instance, step.belief.edges),
        lines=_lines(instance, step.belief),
        determined=determined,
    )


def _lines(instance: LabInstance, held: ResolvedHypothesis) -> tuple[Line, ...]:
    """Set the coefficients of the frequency beside the true ones."""
    secret = instance.secret
    true = {edge.cause: edge for edge in secret.edges if edge.effect == FREQUENCY}
    lines = [_line("Base of the frequency", held.base, secret.base_frequency)]
    displays = instance.public.labels
    for name in instance.public.names:
        edge = true.get(name)
        linear, square = (edge.linear, edge.square) if edge else (None, None)
        if edge or name in held.linear:
            lines.append(_line(f"Factor of {displays[name]}", held.linear.get(name), linear))
        if name in held.square or square:
            lines.append(
                _line(f"Factor of {displays[name]} squared", held.square.get(name), square)
            )
    return tuple(lines)


def _line(name: str, believed: float | None, true: float | None) -> Line:
    return Line(
        name=name,
        believed="–" if believed is None else brief(believed),
        true="–" if true is None else brief(true),
        right=None
        if believed is None or true is None
        else is_close(believed, true, relative=WEIGHT_TOLERANCE),
    )
