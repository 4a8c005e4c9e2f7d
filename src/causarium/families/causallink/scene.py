"""One case as a replay shows it: the graph, who is active, since when the answer is known."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, NodeState, ReplayScene, Scene, Step
from causarium.families.causallink.actions import ACTIONS, Answer, Choose
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.diagnosis import judge
from causarium.families.causallink.evidence.version_space import Step as WorldStep
from causarium.families.causallink.instance import ARROW, LinkInstance, LinkPublic
from causarium.families.causallink.mechanics.theme import Theme, theme
from causarium.families.causallink.score import describe_case
from causarium.families.causallink.world import LinkWorld


def make_scenes(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn, and after each action."""
    public = instance.public
    world = LinkWorld(instance, rules)
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
        question=theme(public.theme).ask(public.cause, public.effect),
        answer=f"The truth is {'yes' if instance.secret.truth else 'no'}.",
        outcome=_tell_outcome(instance, world),
        steps=_list_steps(public, world, turns, step_counts),
        truth=Graph(nodes=public.shapes, edges=tuple((cause, effect) for cause, effect in pairs)),
        scenes=tuple(scenes),
        column="state",
    )


def _tell_outcome(instance: LinkInstance, world: LinkWorld) -> str:
    actions = f"{len(world.steps)} action{'' if len(world.steps) == 1 else 's'}"
    if world.answer is None:
        return f"no answer after {actions}"
    right = (world.answer == "yes") == instance.secret.truth
    return f"“{world.answer}” {'✓' if right else '✗'} after {actions}"


def _list_steps(
    public: LinkPublic, world: LinkWorld, turns: Sequence[Turn], step_counts: Sequence[int]
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
