"""One case as people look at it afterwards: as the scenes of a replay, and as one picture.

A picture of a graph shows who was active after each intervention, and since when the answer was
known; one of a log shows its runs and the agent's own. Active is a filled disc and inactive an
empty ring, so that it can be read in grey.
"""

from collections.abc import Sequence
from html import escape

from causarium.charts.palette import BAD, INK, SOFT
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import Graph, NodeState, ReplayScene, Scene, Step
from causarium.families.causallink.evidence.diagnosis import Judgement, judge, name_bias
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
from causarium.families.causallink.model.theme import Theme, theme
from causarium.families.causallink.play.wording import ask_question
from causarium.families.causallink.play.world import GraphWorld, LogWorld, move_target
from causarium.families.causallink.scoring import (
    describe_case,
    find_share,
    is_decisive,
    replay_log,
    replay_turns,
)

_INK, _SOFT, _MARK = INK, SOFT, BAD
_FONT = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
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
    public = instance.public
    world = GraphWorld(instance, rules)
    step_counts = [0]
    for turn in turns:
        world.act(turn.move(ACTIONS))
        step_counts.append(len(world.steps))
    judged = judge(describe_case(instance, world))
    scenes = [
        Scene(determined=judged.since is not None and count >= judged.since)
        for count in step_counts
    ]
    pairs = [edge.split(ARROW) for edge in instance.secret.edges]
    return ReplayScene(
        question=ask_question(public),
        answer=f"The truth is {'yes' if instance.secret.truth else 'no'}.",
        outcome=_tell_outcome(instance, world),
        steps=_list_steps(public, world, turns, step_counts),
        truth=Graph(nodes=public.shapes, edges=tuple((cause, effect) for cause, effect in pairs)),
        scenes=tuple(scenes),
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
        decisive = is_decisive(instance, world.run)
        scenes.append(Scene(determined=decisive))
        if world.run is None or had_run:
            steps.append(Step(last=number, title=_tell_turn(turn)))
            continue
        moves = move_target(instance, world.run)
        states = tuple(
            NodeState(
                name=name,
                value=words.active if on else words.inactive,
                on=on,
            )
            for name in public.shapes
            for on in (moves if name == public.effect else name in world.run,)
        )
        share = find_share(public, world.run)
        steps.append(
            Step(
                last=number,
                title=f"Ran it with {', '.join(sorted(world.run)) or 'nothing'} {words.active}.",
                states=states,
                acted=tuple(sorted(world.run)),
                note=f"This run is {'decisive' if decisive else 'not decisive'}; it is so in "
                f"{share:.0%} of the worlds that fit the log.",
            )
        )
    secret = instance.secret.machine
    return ReplayScene(
        question=ask_question(public),
        answer=f"The truth is {'yes' if instance.secret.truth else 'no'}. {_tell_machine(secret)}",
        outcome=_tell_log_outcome(instance, world),
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
        f"The live set is {', '.join((secret.suspect, *secret.helpers))}; the rival set is "
        f"{', '.join(secret.rival)}; the brakes are {', '.join(secret.brakes)}."
    )


def _tell_log_outcome(instance: LinkInstance, world: LogWorld) -> str:
    run = "no run" if world.run is None else "one run"
    if world.answer is None:
        return f"no answer after {run}"
    right = (world.answer == "yes") == instance.secret.truth
    return f"“{world.answer}” {'✓' if right else '✗'} after {run}"


def _tell_outcome(instance: LinkInstance, world: GraphWorld) -> str:
    actions = f"{len(world.steps)} action{'' if len(world.steps) == 1 else 's'}"
    if world.answer is None:
        return f"no answer after {actions}"
    right = (world.answer == "yes") == instance.secret.truth
    return f"“{world.answer}” {'✓' if right else '✗'} after {actions}"


def _list_steps(
    public: LinkPublic, world: GraphWorld, turns: Sequence[Turn], step_counts: Sequence[int]
) -> tuple[Step, ...]:
    """Return one step an action; the turns that only say to go on belong to the one before."""
    words = theme(public.theme)
    steps = [Step(last=0, title="At the start.", states=_list_states(public, words, public.start))]
    for number, turn in enumerate(turns, 1):
        kind = (turn.action or {}).get("kind")
        if step_counts[number] > step_counts[number - 1]:
            made = world.steps[step_counts[number] - 1]
            steps.append(_make_step(public, words, made, number))
        elif kind == Choose.kind and turn.legal and len(steps) > 1:
            steps[-1] = steps[-1].model_copy(update={"last": number})
        else:
            still = {"last": number, "title": _tell_turn(turn), "acted": (), "changed": ()}
            steps.append(steps[-1].model_copy(update={**still, "note": ""}))
    return tuple(steps)


def _make_step(public: LinkPublic, words: Theme, made: WorldStep, number: int) -> Step:
    moved = made.before ^ made.after
    changed = tuple(name for x, name in enumerate(public.shapes) if moved >> x & 1)
    acted = public.shapes[made.x]
    verb = words.start if made.starts else words.stop
    return Step(
        last=number,
        title=f"{verb.capitalize()} {acted}.",
        states=_list_states(public, words, made.after),
        acted=(acted,),
        changed=changed,
        note=_tell_change(changed, acted),
    )


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


def _list_states(public: LinkPublic, words: Theme, state: int) -> tuple[NodeState, ...]:
    return tuple(
        NodeState(
            name=name,
            value=words.active if state >> x & 1 else words.inactive,
            on=bool(state >> x & 1),
        )
        for x, name in enumerate(public.shapes)
    )


def draw_episode(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Figure:
    """Draw one case, intervention by intervention, or run by run.

    Args:
        instance: The case.
        rules: How it was played.
        turns: What was done.
    """
    if instance.public.machine is not None:
        return _draw_log(instance, instance.public.machine, replay_log(instance, rules, turns))
    public, words = instance.public, theme(instance.public.theme)
    world = replay_turns(instance, rules, turns)
    case = describe_case(instance, world)
    judged = judge(case)
    width = max(_LEFT + (len(case.steps) + 1) * _COLUMN + 20, 560)
    height = _TOP + len(public.shapes) * _ROW + 26
    body = [
        _text(16, 26, ask_question(public), size=15, weight="600"),
        _text(16, 46, _tell_answer(instance, world.answer, world.error), fill=_SOFT),
        *(_label(instance, row, name) for row, name in enumerate(public.shapes)),
        *_column(public.start, len(public.shapes), 0),
        _text(_x(0), _TOP - 14, "at first", fill=_SOFT, anchor="middle"),
    ]
    for number, step in enumerate(case.steps, 1):
        body += _column(step.after, len(public.shapes), number)
        body.append(_mark_act(step, number, words))
    body.append(_mark_known(judged, len(public.shapes)))
    bias = name_bias(case, world.answer, judged.evidence)
    bias_note = "" if bias in {"none", "unclassified"} else f" The failure fits the {bias} bias."
    return Figure(
        title=f"{instance.id}: who was {words.active}, intervention by intervention",
        svg=_wrap(instance.id, width, height, body),
        caption=f"Filled discs are {words.active}, rings are {words.inactive}; a square frames "
        f"what was acted upon. {_tell_since(judged)}{bias_note}",
    )


def _draw_log(instance: LinkInstance, shown: MachinePublic, world: LogWorld) -> Figure:
    public, words = instance.public, theme(instance.public.theme)
    names = (*public.parts, public.effect)
    width = max(_LEFT + (len(shown.log) + 1) * _COLUMN + 20, 760)
    height = _TOP + len(names) * _ROW + 26
    roles = {
        public.cause: " (asked about)",
        shown.companion: " (or this)",
        public.effect: " (target)",
    }
    body = [
        _text(16, 26, ask_question(public), size=13, weight="600"),
        _text(16, 46, _tell_answer(instance, world.answer, world.error), fill=_SOFT),
    ]
    for row, name in enumerate(names):
        weight = "600" if name in roles else "400"
        label = f"{name}{roles.get(name, '')}"
        body.append(_text(_LEFT - 30, _y(row) + 4, label, anchor="end", weight=weight))
    for number, run in enumerate(shown.log):
        body.append(_text(_x(number), _TOP - 14, f"run {number + 1}", fill=_SOFT, anchor="middle"))
        for row, name in enumerate(names):
            on = run.target if name == public.effect else name in run.moved
            body.append(_cell(number, row, on=None if name in run.unseen else on))
    if world.run is not None:
        number = len(shown.log)
        moves = move_target(instance, world.run)
        body.append(_text(_x(number), _TOP - 14, "own run", fill=_MARK, anchor="middle"))
        for row, name in enumerate(names):
            body.append(
                _cell(number, row, on=moves if name == public.effect else name in world.run)
            )
    share = find_share(public, world.run)
    decisive = "decisive" if is_decisive(instance, world.run) else "not decisive"
    made = f"The run is {decisive}; it is so in {share:.0%} of the worlds that fit the log."
    return Figure(
        title=f"{instance.id}: the log and the run",
        svg=_wrap(instance.id, width, height, body),
        caption=f"Filled discs are {words.active}, rings are {words.inactive}, a question mark was "
        f"not seen. {made if world.run is not None else 'No run was made.'}",
    )


def _cell(number: int, row: int, *, on: bool | None) -> str:
    if on is None:
        return _text(_x(number), _y(row) + 4, "?", anchor="middle")
    return _disc(number, row, on=on)


def _tell_answer(instance: LinkInstance, answer: str | None, error: str | None) -> str:
    right = "yes" if instance.secret.truth else "no"
    given = "No answer" if answer is None else f"Answered {answer}"
    return f"{given}; {right} is right." + (f" Error mode: {error}." if error else "")


def _tell_since(judged: Judgement) -> str:
    if judged.since is None:
        return "What was seen left the answer open."
    if judged.since == 0:
        return "The first look determines the answer."
    return f"What was seen determines the answer from intervention {judged.since} on."


def _label(instance: LinkInstance, row: int, name: str) -> str:
    role = {instance.public.cause: " (cause?)", instance.public.effect: " (effect?)"}.get(name, "")
    weight = "600" if role else "400"
    return _text(_LEFT - 30, _y(row) + 4, f"{name}{role}", anchor="end", weight=weight)


def _wrap(title: str, width: int, height: int, body: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{_FONT}" role="img">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _disc(number: int, row: int, *, on: bool) -> str:
    return (
        f'<circle cx="{_x(number)}" cy="{_y(row)}" r="8" stroke="{_INK}" stroke-width="1.5" '
        f'fill="{_INK if on else "none"}"/>'
    )


def _column(state: int, n: int, number: int) -> list[str]:
    return [_disc(number, row, on=bool(state >> row & 1)) for row in range(n)]


def _mark_act(step: WorldStep, number: int, words: Theme) -> str:
    verb = words.start if step.starts else words.stop
    x, y = _x(number), _y(step.x)
    return (
        f'<rect x="{x - 13}" y="{y - 13}" width="26" height="26" rx="3" fill="none" '
        f'stroke="{_MARK}" stroke-width="1.5"/>'
        + _text(x, _TOP - 14, verb, fill=_MARK, anchor="middle")
    )


def _mark_known(judged: Judgement, n: int) -> str:
    if judged.since is None:
        return ""
    x, bottom = _x(judged.since) + _COLUMN // 2, _TOP + n * _ROW
    return (
        f'<line x1="{x}" y1="{_TOP - 26}" x2="{x}" y2="{bottom}" stroke="{_SOFT}" '
        'stroke-dasharray="4 3"/>'
        + _text(x, bottom + 16, "answer known", size=11, fill=_SOFT, anchor="middle")
    )


def _x(number: int) -> int:
    return _LEFT + number * _COLUMN


def _y(row: int) -> int:
    return _TOP + row * _ROW + 12


def _text(
    x: int,
    y: int,
    text: str,
    *,
    size: int = 13,
    fill: str = _INK,
    anchor: str = "start",
    weight: str = "400",
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
