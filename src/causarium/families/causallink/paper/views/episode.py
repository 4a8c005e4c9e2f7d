"""One case as people look at it afterwards: as the scenes of a replay, and as one picture.

The picture shows who was active after each intervention, and since when the answer was known.
Active is a filled disc and inactive an empty ring, so that it can be read in grey.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from causarium.charts.palette import BAD, INK, SOFT
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import Graph, NodeState, ReplayScene, Scene, Step
from causarium.scm.dag import bits
from ..evidence import Case, judge, name_bias
from ..model.instance import (
    ACTIONS,
    ARROW,
    Answer,
    Choose,
    LinkInstance,
    LinkPublic,
)
from ..model.rules import LinkRules
from ..model.theme import theme
from ..play.wording import ask_question
from ..play.world import CaseWorld, open_world
from ..scoring import replay, tell_answer

_LEFT, _TOP, _COLUMN, _ROW = 190, 84, 64, 30


def make_scenes(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return the scenes of a replay, one after each turn, and the steps, one after each action."""
    world = open_world(instance, rules)
    steps, counts = [_make_first_step(instance.public)], [0]
    for number, turn in enumerate(turns, 1):
        world.act(turn.move(ACTIONS))
        counts.append(len(world.steps))
        if counts[-1] > counts[-2]:
            steps.append(_make_step(instance, world, number))
        elif (turn.action or {}).get("kind") == Choose.kind and turn.legal and len(steps) > 1:
            # A turn that only says to go on belongs to the action before.
            steps[-1] = steps[-1].model_copy(update={"last": number})
        else:
            still = {"last": number, "title": _tell_turn(turn), "acted": (), "changed": ()}
            steps.append(steps[-1].model_copy(update={**still, "note": ""}))
    since = judge(Case.of(instance, world.steps)).since
    done = f"{counts[-1]} action{'' if counts[-1] == 1 else 's'}"
    pairs = (edge.split(ARROW) for edge in instance.secret.edges)
    truth = Graph(nodes=instance.public.shapes, edges=tuple((a, b) for a, b in pairs))
    mark = "✓" if world.answer == instance.secret.answer else "✗"
    given = "no answer" if world.answer is None else f"“{world.answer}” {mark}"
    return ReplayScene(
        question=ask_question(instance.public),
        answer=f"The truth is {instance.secret.answer}.",
        outcome=f"{given} after {done}",
        steps=tuple(steps),
        truth=truth,
        scenes=tuple(Scene(determined=since is not None and count >= since) for count in counts),
        column="state",
    )


def _make_first_step(public: LinkPublic) -> Step:
    return Step(last=0, title="At the start.", states=_list_states(public, public.moving))


def _make_step(instance: LinkInstance, world: CaseWorld, number: int) -> Step:
    public, words = instance.public, theme(instance.public.theme)
    made = world.steps[-1]
    acted, verb = public.shapes[made.x], words.start if made.starts else words.stop
    changed = tuple(public.shapes[x] for x in bits(made.before ^ made.after))
    others = ", ".join(name for name in changed if name != acted)
    nothing = "Nothing else changed." if changed else "Nothing changed."
    return Step(
        last=number,
        title=f"{verb.capitalize()} {acted}.",
        states=_list_states(public, {public.shapes[x] for x in bits(made.after)}),
        acted=(acted,),
        changed=changed,
        note=f"With it changed {others}." if others else nothing,
    )


def _tell_turn(turn: Turn) -> str:
    if turn.unparsed is not None:
        return f"Could not be read: {turn.unparsed.mode}."
    fields = turn.action or {}
    if fields.get("kind") == Answer.kind:
        return f"Answered “{fields.get('answer')}”."
    return "Chose to answer." if turn.legal else "Asked for something that is not allowed."


def _list_states(public: LinkPublic, active: Collection[str]) -> tuple[NodeState, ...]:
    words = theme(public.theme)
    return tuple(
        NodeState(name=name, value=words.active if on else words.inactive, on=on)
        for name in public.shapes
        for on in (name in active,)
    )


class _Column(NamedTuple):
    """One state that was seen."""

    title: str
    active: Collection[str]
    own: bool = False
    """Whether the agent brought it about."""
    acted: str = ""
    """Who was acted upon."""


class _Picture(NamedTuple):
    """What is drawn of a case: a column of discs for each state."""

    title: str
    roles: Mapping[str, str]
    """What is said beside some of the names."""
    columns: Sequence[_Column]
    told: str
    known: int | None = None
    """After how many columns the answer was known."""


def draw_episode(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Figure:
    """Draw one case, intervention by intervention."""
    public, world = instance.public, replay(instance, rules, turns)
    picture, names = _show_graph(instance, world), public.shapes
    words, question, bottom = theme(public.theme), ask_question(public), _TOP + len(names) * _ROW
    body = [
        text((16, 26), question, size=13, weight="600"),
        text((16, 46), tell_answer(instance, world), size=13, fill=SOFT),
    ]
    for row, name in enumerate(names):
        at, role = (_LEFT - 30, _TOP + row * _ROW + 16), picture.roles.get(name, "")
        weight = "600" if role else None
        body.append(text(at, f"{name}{role}", size=13, anchor="end", weight=weight))
    for number, column in enumerate(picture.columns):
        x, colour = _LEFT + number * _COLUMN, BAD if column.own else SOFT
        body.append(text((x, _TOP - 14), column.title, size=13, fill=colour, anchor="middle"))
        for row, name in enumerate(names):
            y, fill = _TOP + row * _ROW + 12, INK if name in column.active else "none"
            body.append(tag("circle", cx=x, cy=y, r=8, stroke=INK, stroke_width=1.5, fill=fill))
            if name == column.acted:
                frame = f"M{x - 13} {y - 13}h26v26h-26z"
                body.append(tag("path", d=frame, fill="none", stroke=BAD, stroke_width=1.5))
    if picture.known is not None:
        x = _LEFT + picture.known * _COLUMN + _COLUMN // 2
        body.append(line((x, _TOP - 26), (x, bottom), stroke=SOFT, dash="4 3"))
        body.append(text((x, bottom + 16), "answer known", size=11, fill=SOFT, anchor="middle"))
    width = max(_LEFT + len(picture.columns) * _COLUMN + 20, 7 * len(question) + 32, 560)
    caption = f"Filled discs are {words.active}, rings are {words.inactive}{picture.told}"
    return Figure(
        title=f"{instance.id}: {picture.title}",
        svg=make_svg(width, bottom + 26, "".join(body), title=instance.id, about=caption),
        caption=caption,
    )


def _show_graph(instance: LinkInstance, world: CaseWorld) -> _Picture:
    public, words = instance.public, theme(instance.public.theme)
    case = Case.of(instance, world.steps)
    evidence, since = judge(case)
    columns = [_Column("at first", public.moving)]
    for step in case.steps:
        active = [public.shapes[x] for x in bits(step.after)]
        verb = words.start if step.starts else words.stop
        columns.append(_Column(verb, active, own=True, acted=public.shapes[step.x]))
    told = {None: "What was seen left the answer open.", 0: "The first look determines the answer."}
    later = f"What was seen determines the answer from intervention {since} on."
    bias = name_bias(case, world.answer, evidence)
    bias_note = "" if bias in {"none", "unclassified"} else f" The failure fits the {bias} bias."
    return _Picture(
        title=f"who was {words.active}, intervention by intervention",
        roles={public.cause: " (cause?)", public.effect: " (effect?)"},
        columns=columns,
        told=f"; a square frames what was acted upon. {told.get(since, later)}{bias_note}",
        known=since,
    )
