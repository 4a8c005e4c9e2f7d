"""One table as people look at it afterwards: as the scenes of a replay, and as one picture.

A filled disc moves and a ring stands still, so that it can be read in grey; a square frames what
was started or held by hand.
"""

from collections.abc import Sequence
from typing import NamedTuple

from causarium.charts.palette import BAD, INK, SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import OutcomeKind
from causarium.contract.views.scene import Graph, NodeState, ReplayScene, Scene, Step
from ..levels import LinkRules
from ..mechanics import list_moving
from ..model import ACTIONS, Answer, LinkInstance, Watched
from ..play.wording import ask_question
from ..play.world import Made, TableWorld, open_world, replay
from ..scoring import score
from ..training import turn_numbers

_LEFT, _TOP, _COLUMN, _ROW = 250, 84, 64, 30


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say whether a trial was decisive, where an answer was taken."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    if row.numbers.get("decisive") == 1:
        return f"{'right' if ending == 'correct' else 'wrong'} after a decisive trial"
    right = row.numbers.get("right") == 1
    return f"{'right' if right else 'wrong'}, but no trial was decisive"


def make_scenes(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return a table as a replay shows it, turn by turn."""
    public, world = instance.public, open_world(instance, rules)
    before = f"{len(public.watched)} trial{'s' * (len(public.watched) != 1)} made before."
    steps = [Step(last=0, title=before, note=_tell_parts(instance))]
    for number, turn in enumerate(turns, 1):
        count = world.spent
        world.act(turn.move(ACTIONS))
        if world.spent > count:
            steps.append(_make_step(instance, world.made[-1], number))
        else:
            steps.append(Step(last=number, title=_tell_turn(turn), states=steps[-1].states))
    sure = [not public.trials, *(one["sure"] == 1 for one in turn_numbers(instance, rules, turns))]
    return ReplayScene(
        question=ask_question(public),
        answer=f"The truth is {instance.secret.answer}.",
        outcome=_tell_outcome(instance, world),
        steps=tuple(steps),
        truth=_draw_truth(instance),
        scenes=tuple(Scene(determined=one) for one in sure),
        column="state",
    )


def _tell_outcome(instance: LinkInstance, world: TableWorld) -> str:
    mark = "✓" if world.answer == instance.secret.answer else "✗"
    given = "no answer" if world.answer is None else f"“{world.answer}” {mark}"
    return f"{given} after {world.spent} trial{'s' * (world.spent != 1)}"


def _tell_parts(instance: LinkInstance) -> str:
    """Return who plays which part, in a sentence."""
    named: dict[str, list[str]] = {}
    for name, role in _name_roles(instance).items():
        named.setdefault(role, []).append(name)
    return " ".join(f"{role.capitalize()}: {', '.join(names)}." for role, names in named.items())


def _name_roles(instance: LinkInstance) -> dict[str, str]:
    """Return the part of each object that plays one in the true world."""
    public, parts = instance.public, instance.secret.parts
    first = public.asked if instance.secret.truth else parts.stand_in
    roles = dict.fromkeys((first, *parts.partners), "first group")
    for number, group in enumerate(parts.rivals, 2):
        roles |= dict.fromkeys(group, f"group {number}")
    roles |= dict.fromkeys(parts.stoppers, "stopper")
    return roles | dict.fromkeys(parts.starters, "starter")


def _draw_truth(instance: LinkInstance) -> Graph:
    """Return who acts on whom."""
    public, parts = instance.public, instance.secret.parts
    starts = dict(zip(parts.starters, parts.started, strict=True))
    edges = [(name, starts.get(name, public.target)) for name in _name_roles(instance)]
    return Graph(nodes=(*public.objects, public.target), edges=tuple(edges))


def _make_step(instance: LinkInstance, made: Made, number: int) -> Step:
    public = instance.public
    moving = _list_moving(instance, made)
    done = [f"held {', '.join(made.held)}"] * bool(made.held)
    done = [f"started {', '.join(made.started)}"] * bool(made.started) + done
    told = " and ".join(done) or "touched nothing"
    seen = f"The {public.target} {'moved' if made.moved else 'stood still'}."
    return Step(
        last=number,
        title=f"{told[0].upper()}{told[1:]}.",
        states=tuple(
            NodeState(name=name, value="moving" if on else "still", on=on)
            for name in (*public.objects, public.target)
            for on in (name in moving,)
        ),
        acted=(*made.started, *made.held),
        note=f"{seen} This trial is {'' if made.decisive else 'not '}decisive.",
    )


def _list_moving(instance: LinkInstance, row: Watched | Made) -> set[str]:
    """Return what moves in a trial, the target too."""
    public = instance.public
    moving = list_moving(public, instance.secret.parts, row.started, row.held)
    return moving | {public.target} if row.moved else moving


def _tell_turn(turn: Turn) -> str:
    if turn.unparsed is not None:
        return f"Could not be read: {turn.unparsed.mode}."
    fields = turn.action or {}
    if fields.get("kind") == Answer.kind and turn.legal:
        return f"Answered “{fields.get('answer')}”."
    return "Asked for something that is not allowed."


class _Column(NamedTuple):
    """One trial of the picture."""

    title: str
    row: Watched | Made
    colour: str


def draw_episode(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Figure:
    """Draw one table, trial by trial."""
    public, world = instance.public, replay(instance, rules, turns)
    columns = [_Column(f"before {n}", row, SOFT) for n, row in enumerate(public.watched, 1)]
    columns += [_Column(f"own {n}", made, BAD) for n, made in enumerate(world.made, 1)]
    names, question = (*public.objects, public.target), ask_question(public)
    roles = _name_roles(instance) | {public.target: "target"}
    body = [
        text((16, 26), question, size=13, weight="600"),
        text((16, 46), score(instance, rules, turns).explanation, size=13, fill=SOFT),
    ]
    for place, name in enumerate(names):
        told = [role for role in (roles.get(name), "asked about" * (name == public.asked)) if role]
        label = f"{name} ({', '.join(told)})" if told else name
        weight = "600" if name in {public.asked, public.target} else None
        at = (_LEFT - 30, _TOP + place * _ROW + 16)
        body.append(text(at, label, size=13, anchor="end", weight=weight))
    for number, column in enumerate(columns):
        body += _draw_column(instance, column, names, _LEFT + number * _COLUMN)
    width = max(_LEFT + len(columns) * _COLUMN + 20, 7 * len(question) + 32, 720)
    caption = (
        "Filled discs move, rings stand still; a square frames what was started or held by hand. "
        "Own trials come after those made before."
    )
    height = _TOP + len(names) * _ROW + 26
    return Figure(
        title=f"{instance.id}: who moved, trial by trial",
        svg=make_svg(width, height, "".join(body), title=instance.id, about=caption),
        caption=caption,
    )


def _draw_column(
    instance: LinkInstance, column: _Column, names: Sequence[str], x: int
) -> list[str]:
    moving, row = _list_moving(instance, column.row), column.row
    marks = [text((x, _TOP - 14), column.title, size=12, fill=column.colour, anchor="middle")]
    for place, name in enumerate(names):
        y, fill = _TOP + place * _ROW + 12, INK if name in moving else "none"
        marks.append(tag("circle", cx=x, cy=y, r=8, stroke=INK, stroke_width=1.5, fill=fill))
        if name in {*row.started, *row.held}:
            frame = f"M{x - 13} {y - 13}h26v26h-26z"
            marks.append(tag("path", d=frame, fill="none", stroke=column.colour, stroke_width=1.5))
    return marks
