"""One agent's side of a replay: its steps, and everything that is shown at one of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from causarium import families
from causarium.charts.elastic import draw_key_symbol
from causarium.charts.palette import SERIES
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Numbers
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.views.scene import ReplayScene, Step
from causarium.engine.logbook.browse_logs import Story
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.errors import CausariumError, UnknownName
from causarium.report.figures.thumb import draw_history
from causarium.web.turn_chart import draw_trace
from causarium.web.world_picture import draw_beliefs, draw_world

MOST_HISTORY = 12
"""So many steps of a history are shown; the last ones."""
MOST_READINGS = 8
_LEFT_OUT = ("kind", "thought", "hypothesis", "claims", "why")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Side:
    """One agent's episode, ready to be shown at any step."""

    agent: str
    record: EpisodeRecord
    turns: Sequence[Turn]
    said: Sequence[str]
    opening: Sequence[str]
    verdict: Verdict
    scene: ReplayScene | None
    steps: tuple[Step, ...]
    """At least one: how things stood at the start."""
    headline: tuple[str, ...]
    trace: list[Numbers]
    left: list[int]
    """The budget left before the first turn and after each."""
    note: str
    """Why something cannot be shown."""


def read_side(story: Story) -> Side:
    """Play an episode of a log again, as far as it can be, for what the log does not say."""
    try:
        family = families.get(story.record.family)
        instance, rules = story.record.rebuild(family)
    except (UnknownName, CausariumError) as wrong:
        steps = _list_turns(story.turns)
        nothing: list[Numbers] = []
        return Side(
            *(story.agent, story.record, story.turns, story.said, story.opening, story.verdict),
            *(None, steps, (), nothing, [], str(wrong)),
        )
    episode = Episode(family, instance, rules)
    left = [episode.world.budget - episode.world.spent]
    for turn in story.turns:
        episode.step(turn.move(family.actions))
        left.append(episode.world.budget - episode.world.spent)
    scene, trace, note = _make_scenes(family, episode, story.turns)
    steps = scene.steps if scene and scene.steps else _list_turns(story.turns, scene)
    shown = family.card.shown(story.record.edition)
    return Side(
        *(story.agent, story.record, story.turns, story.said, story.opening, story.verdict),
        *(scene, steps, shown, trace, left, note),
    )


def play_side(record: EpisodeRecord, player: str) -> Side | None:
    """Let a reference player play the same instance by the same rules, here and now."""
    try:
        family = families.get(record.family)
        instance, rules = record.rebuild(family)
        episode = play(family, instance, rules, player)
    except CausariumError:
        return None
    prompt = family.prompt(instance.public, rules)
    story = Story(
        agent=f"player/{player}",
        record=record,
        turns=episode.turns,
        said=[""] * len(episode.turns),
        opening=[prompt.system, prompt.user],
        verdict=episode.score(),
        judgements=(),
    )
    return read_side(story)


def reference_player(record: EpisodeRecord) -> str | None:
    """Return the reference player of an episode's family, where it is quick."""
    try:
        family = families.get(record.family)
    except UnknownName:
        return None
    name = family.card.reference
    return name if name in family.players and not family.players[name].slow else None


def _make_scenes(
    family: AnyFamily, episode: Episode, turns: Sequence[Turn]
) -> tuple[ReplayScene | None, list[Numbers], str]:
    instance, rules = episode.instance, episode.rules
    scene, trace = None, list[Numbers]()
    try:
        scene = family.views.scene(instance, rules, turns) if family.views.scene else None
        numbers = family.training.turn_numbers
        trace = numbers(instance, rules, turns) if numbers else []
    except CausariumError as wrong:
        return scene, trace, str(wrong)
    return scene, trace, ""


def _list_turns(turns: Sequence[Turn], scene: ReplayScene | None = None) -> tuple[Step, ...]:
    """Return one step a turn, where the family does not say what its steps are."""
    notes = [each.note for each in scene.scenes] if scene else []
    steps = [Step(last=0, title="At the start.")]
    for number, turn in enumerate(turns, 1):
        note = notes[number] if number < len(notes) else ""
        steps.append(Step(last=number, title=describe_turn(turn), note=note))
    return tuple(steps)


def describe_turn(turn: Turn) -> str:
    """Say in a sentence what an agent did in a turn.

    Example:
        >>> asked = {"kind": "ask", "of": "a"}
        >>> describe_turn(Turn(action=asked, observation="", legal=True, cost=1))
        'Ask: of a.'
    """
    if turn.unparsed is not None:
        return f"Could not be read: {turn.unparsed.mode}."
    fields = dict(turn.action or {})
    kind = str(fields.get("kind", "")).replace("_", " ").capitalize()
    parts = [
        f"{name.replace('_', ' ')} {_write(value)}"
        for name, value in fields.items()
        if name not in _LEFT_OUT and value not in (None, "", [], {})
    ]
    told = "; ".join(parts[:4])
    refused = "" if turn.legal else " It was refused."
    return f"{kind}{': ' if told else ''}{told}.{refused}"


def _write(value: object) -> str:
    if isinstance(value, dict):
        value = ", ".join(f"{name} {_write(each)}" for name, each in list(value.items())[:6])
    elif isinstance(value, list | tuple):
        value = ", ".join(_write(each) for each in value[:6])
    words = str(value)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def describe_side(side: Side, at: int, number: int) -> dict[str, object]:
    """Return what a template shows of a side at a step; whoever has ended stays at the end.

    Args:
        side: The agent's episode.
        at: The step.
        number: Which side it is, counted from 0; it decides colour and shape.
    """
    at = min(at, len(side.steps) - 1)
    step, scene = side.steps[at], side.scene
    turn = step.last
    turn_scene = scene.scenes[min(turn, len(scene.scenes) - 1)] if scene else None
    names = list(side.trace[-1]) if side.trace else []
    dots = step.states and step.states[0].on is not None
    settled = _settled_since(side)
    return {
        "agent": side.agent,
        "number": number,
        "symbol": draw_key_symbol(number),
        "outcome": scene.outcome if scene and scene.outcome else "",
        "verdict": side.verdict,
        "headline": side.headline,
        "step": step,
        "at": at,
        "ended": at == len(side.steps) - 1,
        "turn": turn,
        "frame": turn_scene.frame if turn_scene else "",
        "blocks": turn_scene.text.split("\n\n") if turn_scene and turn_scene.text else [],
        "world": draw_world(scene, step, number) if scene else "",
        "history": (
            draw_history(scene, MOST_HISTORY, at, colour=SERIES[number]) if scene and dots else ""
        ),
        "readings": [] if dots else _list_readings(side, at),
        "events": [] if step.states else _list_events(side, at),
        "settled": settled,
        "is_settled": settled is not None and at >= settled,
        "beliefs": draw_beliefs(scene, turn) if scene else None,
        "lines": turn_scene.lines if turn_scene else (),
        "column": scene.column if scene else "",
        "truth_column": scene.truth_column if scene else "",
        "scene_note": turn_scene.note if turn_scene and turn_scene.note != step.note else "",
        "curves": draw_trace(side.trace, list(dict.fromkeys([*side.headline, *names])), turn),
        "left": side.left[turn] if turn < len(side.left) else None,
        "texts": list_texts(side, at),
        "note": side.note,
    }


def _settled_since(side: Side) -> int | None:
    """Return the first step after which the evidence settles the answer."""
    if side.scene is None:
        return None
    scenes = side.scene.scenes
    for at, step in enumerate(side.steps):
        if step.last < len(scenes) and scenes[step.last].determined:
            return at
    return None


def _list_events(side: Side, at: int) -> list[tuple[int, Step]]:
    """Return the steps up to one of which something came, the last ones."""
    events = [(n, step) for n, step in enumerate(side.steps[: at + 1]) if step.note]
    return events[-MOST_READINGS:] if len(events) > 1 else []


def _list_readings(side: Side, at: int) -> list[tuple[int, Step]]:
    """Return the steps with readings up to one, the last ones, each with its number."""
    steps = [(n, step) for n, step in enumerate(side.steps[: at + 1]) if step.states]
    shown = [(n, s) for place, (n, s) in enumerate(steps) if place == 0 or s.acted or s.changed]
    return shown[-MOST_READINGS:]


def list_texts(side: Side, at: int) -> list[tuple[str, str, str]]:
    """Return the words of a step: a key, a title and the text."""
    steps = side.steps
    at = min(at, len(steps) - 1)
    if at == 0:
        return [("opening", "What it read first", "\n\n".join(side.opening))]
    texts = []
    for number in range(steps[at - 1].last + 1, steps[at].last + 1):
        turn = side.turns[number - 1]
        several = steps[at].last - steps[at - 1].last > 1
        name = f", turn {number}" if several else ""
        texts += [
            (f"said{number}", f"What it said{name}", side.said[number - 1]),
            (f"did{number}", f"What it did{name}", _write_move(turn)),
            (f"answer{number}", f"What it was answered{name}", turn.observation),
        ]
    return [each for each in texts if each[2]]


def _write_move(turn: Turn) -> str:
    if turn.unparsed is not None:
        return f"{turn.unparsed.mode}: {turn.unparsed.detail}"
    return json.dumps(turn.action, indent=2, ensure_ascii=False)
