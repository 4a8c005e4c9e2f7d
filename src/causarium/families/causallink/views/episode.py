"""One case as people look at it afterwards: as the scenes of a replay, and as one picture.

A picture of a graph shows who was active after each intervention, and since when the answer was
known; one of a log shows its runs and the agent's own. Active is a filled disc and inactive an
empty ring, so that it can be read in grey.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from causarium.charts.palette import BAD, INK, SOFT
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import Graph, NodeState, ReplayScene, Scene, Step
from causarium.families.causallink.evidence.diagnosis import Case, Judgement, judge, name_bias
from causarium.families.causallink.evidence.version_space import Step as WorldStep
from causarium.families.causallink.mechanics import LogCase
from causarium.families.causallink.model.config import LinkRules
from causarium.families.causallink.model.instance import (
    ACTIONS,
    ARROW,
    Answer,
    Choose,
    LinkInstance,
    LinkPublic,
    MachinePublic,
    MachineSecret,
)
from causarium.families.causallink.model.theme import theme
from causarium.families.causallink.play.wording import ask_question
from causarium.families.causallink.play.world import GraphWorld, LogWorld, move_target
from causarium.families.causallink.scoring import (
    replay,
    tell_answer,
    weigh_run,
)

_LEFT, _TOP, _COLUMN, _ROW = 190, 84, 64, 30


def make_scenes(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn, and after each action.

    Args:
        instance: The case.
        rules: How it was played.
        turns: What was done.
    """
    if instance.public.machine is not None:
        return _make_log_scenes(instance, rules, turns)
    public, world = instance.public, GraphWorld(instance, rules)
    steps = [Step(last=0, title="At the start.", states=_list_states(public, public.moving))]
    counts = [0]
    for number, turn in enumerate(turns, 1):
        world.act(turn.move(ACTIONS))
        counts.append(len(world.steps))
        if counts[-1] > counts[-2]:
            steps.append(_make_step(public, world.steps[-1], number))
        elif (turn.action or {}).get("kind") == Choose.kind and turn.legal and len(steps) > 1:
            # A turn that only says to go on belongs to the action before.
            steps[-1] = steps[-1].model_copy(update={"last": number})
        else:
            still = {"last": number, "title": _tell_turn(turn), "acted": (), "changed": ()}
            steps.append(steps[-1].model_copy(update={**still, "note": ""}))
    since = judge(Case.of(instance, world.steps)).since
    pairs = [edge.split(ARROW) for edge in instance.secret.edges]
    actions = f"{len(world.steps)} action{'' if len(world.steps) == 1 else 's'}"
    return ReplayScene(
        question=ask_question(public),
        answer=f"The truth is {instance.secret.answer}.",
        outcome=_tell_outcome(instance, world.answer, actions),
        steps=tuple(steps),
        truth=Graph(nodes=public.shapes, edges=tuple((cause, effect) for cause, effect in pairs)),
        scenes=tuple(Scene(determined=since is not None and count >= since) for count in counts),
        column="state",
    )


def _make_log_scenes(
    instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]
) -> ReplayScene:
    public, words = instance.public, theme(instance.public.theme)
    case, world = LogCase.of(public), LogWorld(instance, rules)
    steps = [Step(last=0, title=f"A log of {len(case.log)} runs.", note=_tell_left(case))]
    scenes = [Scene()]
    for number, turn in enumerate(turns, 1):
        had_run = world.run is not None
        world.act(turn.move(ACTIONS))
        scenes.append(Scene(determined=weigh_run(instance, world.run)[1]))
        if world.run is None or had_run:
            steps.append(Step(last=number, title=_tell_turn(turn)))
            continue
        moving = world.run | ({public.effect} if move_target(instance, world.run) else set())
        steps.append(
            Step(
                last=number,
                title=f"Ran it with {', '.join(sorted(world.run)) or 'nothing'} {words.active}.",
                states=_list_states(public, moving),
                acted=tuple(sorted(world.run)),
                note=_tell_run(instance, world.run),
            )
        )
    secret = instance.secret.machine
    return ReplayScene(
        question=ask_question(public),
        answer=f"The truth is {instance.secret.answer}. {_tell_machine(secret)}",
        outcome=_tell_outcome(instance, world.answer, "no run" if world.run is None else "one run"),
        steps=tuple(steps),
        scenes=tuple(scenes),
        column="state",
    )


def _tell_left(case: LogCase) -> str:
    sure = case.list_names(case.machine.find_best(case.left))
    return (
        f"{case.left.bit_count()} of {len(case.machine.worlds)} worlds fit it. A run of one "
        f"suspect with {', '.join(sure) or 'nobody else'} is decisive in all of them."
    )


def _tell_machine(secret: MachineSecret | None) -> str:
    if secret is None:
        return ""
    return (
        f"{secret.suspect} is live; the helpers are {', '.join(secret.helpers)}, the rivals "
        f"{', '.join(secret.rivals)}, the guards {', '.join(secret.guards)}."
    )


def _tell_outcome(instance: LinkInstance, answer: str | None, done: str) -> str:
    if answer is None:
        return f"no answer after {done}"
    return f"“{answer}” {'✓' if answer == instance.secret.answer else '✗'} after {done}"


def _make_step(public: LinkPublic, made: WorldStep, number: int) -> Step:
    words, changed = theme(public.theme), _name_all(public, made.before ^ made.after)
    acted = public.shapes[made.x]
    verb = words.start if made.starts else words.stop
    return Step(
        last=number,
        title=f"{verb.capitalize()} {acted}.",
        states=_list_states(public, _name_all(public, made.after)),
        acted=(acted,),
        changed=changed,
        note=_tell_change(changed, acted),
    )


def _name_all(public: LinkPublic, mask: int) -> tuple[str, ...]:
    return tuple(name for x, name in enumerate(public.shapes) if mask >> x & 1)


def _tell_turn(turn: Turn) -> str:
    if turn.unparsed is not None:
        return f"Could not be read: {turn.unparsed.mode}."
    fields = turn.action or {}
    if fields.get("kind") == Answer.kind:
        return f"Answered “{fields.get('answer')}”."
    return "Chose to answer." if turn.legal else "Asked for something that is not allowed."


def _tell_change(changed: Sequence[str], acted: str) -> str:
    others = [name for name in changed if name != acted]
    if not changed:
        return "Nothing changed."
    if not others:
        return "Nothing else changed."
    return f"With it changed {', '.join(others)}."


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
    states: Sequence[bool]
    """Who was active."""
    own: bool = False
    """Whether the agent brought it about."""
    acted: int | None = None
    """Who was acted upon."""


def draw_episode(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Figure:
    """Draw one case, intervention by intervention, or run by run.

    Args:
        instance: The case.
        rules: How it was played.
        turns: What was done.
    """
    if instance.public.machine is not None:
        world = replay(LogWorld(instance, rules), turns)
        return _draw_log(instance, instance.public.machine, world)
    public, words = instance.public, theme(instance.public.theme)
    tried = replay(GraphWorld(instance, rules), turns)
    case = Case.of(instance, tried.steps)
    judged = judge(case)
    places = range(len(public.shapes))
    columns = [_Column("at first", [bool(public.start >> x & 1) for x in places])]
    for step in case.steps:
        verb = words.start if step.starts else words.stop
        states = [bool(step.after >> x & 1) for x in places]
        columns.append(_Column(verb, states, own=True, acted=step.x))
    bias = name_bias(case, tried.answer, judged.evidence)
    bias_note = "" if bias in {"none", "unclassified"} else f" The failure fits the {bias} bias."
    caption = (
        f"Filled discs are {words.active}, rings are {words.inactive}; a square frames what was "
        f"acted upon. {_tell_since(judged)}{bias_note}"
    )
    roles = {public.cause: " (cause?)", public.effect: " (effect?)"}
    labels = {name: roles.get(name, "") for name in public.shapes}
    return Figure(
        title=f"{instance.id}: who was {words.active}, intervention by intervention",
        svg=_draw_columns(instance, tried, labels, columns, caption, known=judged.since),
        caption=caption,
    )


def _draw_log(instance: LinkInstance, shown: MachinePublic, world: LogWorld) -> Figure:
    public, words = instance.public, theme(instance.public.theme)
    columns = [
        _Column(
            f"run {number}",
            [*(name in run.moved for name in public.parts), run.target],
        )
        for number, run in enumerate(shown.log, 1)
    ]
    made = "No run was made."
    if world.run is not None:
        moved = [name in world.run for name in public.parts]
        target = move_target(instance, world.run)
        columns.append(_Column("own run", [*moved, target], own=True))
        made = _tell_run(instance, world.run)
    caption = f"Filled discs are {words.active}, rings are {words.inactive}. {made}"
    roles = {public.cause: " (asked about)", shown.companion: " (or this)"}
    labels = {name: roles.get(name, "") for name in public.parts} | {public.effect: " (target)"}
    return Figure(
        title=f"{instance.id}: the log and the run",
        svg=_draw_columns(instance, world, labels, columns, caption),
        caption=caption,
    )


def _draw_columns(
    instance: LinkInstance,
    world: GraphWorld | LogWorld,
    labels: Mapping[str, str],
    columns: Sequence[_Column],
    about: str,
    known: int | None = None,
) -> str:
    """Draw a disc for each state of each variable; the answer is known after so many columns."""
    question, bottom = ask_question(instance.public), _TOP + len(labels) * _ROW
    body = [
        text((16, 26), question, size=13, weight="600"),
        text((16, 46), tell_answer(instance, world), size=13, fill=SOFT),
    ]
    for row, (name, role) in enumerate(labels.items()):
        at = (_LEFT - 30, _TOP + row * _ROW + 16)
        weight = "600" if role else None
        body.append(text(at, f"{name}{role}", size=13, anchor="end", weight=weight))
    for number, column in enumerate(columns):
        x, colour = _LEFT + number * _COLUMN, BAD if column.own else SOFT
        body.append(text((x, _TOP - 14), column.title, size=13, fill=colour, anchor="middle"))
        for row, on in enumerate(column.states):
            y, fill = _TOP + row * _ROW + 12, INK if on else "none"
            body.append(tag("circle", cx=x, cy=y, r=8, stroke=INK, stroke_width=1.5, fill=fill))
            if row == column.acted:
                body.append(
                    tag(
                        "rect",
                        x=x - 13,
                        y=y - 13,
                        width=26,
                        height=26,
                        rx=3,
                        fill="none",
                        stroke=BAD,
                        stroke_width=1.5,
                    )
                )
    if known is not None:
        x = _LEFT + known * _COLUMN + _COLUMN // 2
        body.append(line((x, _TOP - 26), (x, bottom), stroke=SOFT, dash="4 3"))
        body.append(text((x, bottom + 16), "answer known", size=11, fill=SOFT, anchor="middle"))
    width = max(_LEFT + len(columns) * _COLUMN + 20, 7 * len(question) + 32, 560)
    return make_svg(width, bottom + 26, "".join(body), title=instance.id, about=about)


def _tell_since(judged: Judgement) -> str:
    if judged.since is None:
        return "What was seen left the answer open."
    if judged.since == 0:
        return "The first look determines the answer."
    return f"What was seen determines the answer from intervention {judged.since} on."


def _tell_run(instance: LinkInstance, run: frozenset[str]) -> str:
    share, decisive = weigh_run(instance, run)
    told = "decisive" if decisive else "not decisive"
    return f"This run is {told}; it is so in {share:.0%} of the worlds that fit the log."
