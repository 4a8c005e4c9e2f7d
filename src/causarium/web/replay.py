"""A run, and its episodes step by step: the question, the world, what was done and believed."""

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, nan
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from causarium import families
from causarium.charts.axes import Frame, draw_x_axis, draw_y_axis
from causarium.charts.elastic import draw_key_symbol
from causarium.charts.palette import ACCENT, BAD, INK, SERIES
from causarium.charts.svg import line, make_svg, polyline, tag, text
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Numbers
from causarium.contract.turn import Turn
from causarium.contract.views.scene import ReplayScene, Step
from causarium.engine.logbook.log_files import Story, read_header, read_story
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.errors import CausariumError, UnknownName, UsageError
from causarium.report.data.summaries import name_agent
from causarium.report.figures import draw_history
from causarium.web.page_templates import number, page
from causarium.web.run_page import MOST_REPLY, describe_run, find_telling_turn, read_samples
from causarium.web.world_picture import draw_beliefs, draw_world

WIDTH, HEIGHT = 560.0, 170.0
LINES = ((ACCENT, ""), (BAD, "7 3"), (SERIES[2], "2 3"), (SERIES[4], "9 3 2 3"))
"""Colour and stroke: both tell lines apart."""


def draw_trace(trace: Sequence[Numbers], names: Sequence[str], turn: int) -> str:
    """Draw at most four named numbers over the turns; nothing where there is nothing to draw."""
    finite = {
        name: {at: float(n[name]) for at, n in enumerate(trace, 1) if isfinite(n.get(name, nan))}
        for name in names
    }
    series = {name: values for name, values in finite.items() if values}
    # Shares and counts do not fit one scale; where there are shares, they are what is asked for.
    shares = {k: v for k, v in series.items() if all(0 <= each <= 1 for each in v.values())}
    shown = list((shares or series).items())[: len(LINES)]
    if len(trace) < 2 or not shown:
        return ""
    every = [each for _, values in shown for each in values.values()]
    low, high = min(0.0, *every), max(1.0, *every)
    frame = Frame(40, 16, WIDTH - 190, HEIGHT - 42, (1, len(trace)), (low, high))
    body = [draw_y_axis(frame, (low, high)), draw_x_axis(frame, (1, len(trace)))]
    if 1 <= turn <= len(trace):
        x = frame.x(turn)
        body.append(line((x, frame.top), (x, frame.bottom), stroke=INK, dash="3 3"))
    for place, ((name, values), (colour, dash)) in enumerate(zip(shown, LINES, strict=False)):
        points = [(frame.x(at), frame.y(value)) for at, value in values.items()]
        body.append(polyline(points, stroke=colour, dash=dash))
        body += [tag("circle", cx=x, cy=y, r=2.2, fill=colour) for x, y in points]
        x, y = frame.right + 14, frame.top + 8 + place * 18
        body.append(line((x, y), (x + 24, y), stroke=colour, width=2.2, dash=dash))
        body.append(text((x + 30, y + 4), name[:18], size=11))
    about = ", ".join(name for name, _ in shown)
    return make_svg(WIDTH, HEIGHT, "".join(body), title="Numbers over the turns", about=about)


MOST_HISTORY = 12
"""So many steps of a history are shown; the last ones."""
MOST_READINGS = 8
_LEFT_OUT = ("kind", "thought", "hypothesis", "claims", "why")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Side:
    """One agent's episode, ready to be shown at any step."""

    story: Story
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
        family = families.get(story.record.family, story.record.edition)
        instance, rules = story.record.rebuild(family)
        episode = Episode(family, instance, rules)
        left = [episode.world.budget - episode.world.spent]
        for turn in story.turns:
            episode.step(turn.move(family.actions))
            left.append(episode.world.budget - episode.world.spent)
    except CausariumError as wrong:
        return Side(story, None, _list_turns(story.turns), (), [], [], str(wrong))
    scene, trace, note = _make_scenes(family, episode, story.turns)
    steps = scene.steps if scene and scene.steps else _list_turns(story.turns, scene)
    shown = family.card.shown(story.record.edition)
    return Side(story, scene, steps, shown, trace, left, note)


def play_side(record: EpisodeRecord, player: str) -> Side | None:
    """Let a reference player play the same instance by the same rules, here and now."""
    try:
        family = families.get(record.family, record.edition)
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


def reference_player(story: Story) -> str | None:
    """Return the reference player of an episode's family, if it is quick and another one played."""
    try:
        family = families.get(story.record.family, story.record.edition)
    except UnknownName:
        return None
    name = family.card.reference
    is_quick = name in family.players and not family.players[name].slow
    return name if is_quick and story.agent != f"player/{name}" else None


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
    for place, turn in enumerate(turns, 1):
        note = notes[place] if place < len(notes) else ""
        steps.append(Step(last=place, title=describe_turn(turn), note=note))
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
        "agent": name_agent(side.story.agent),
        "number": number,
        "symbol": draw_key_symbol(number),
        "outcome": scene.outcome if scene and scene.outcome else "",
        "verdict": side.story.verdict,
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
        # Where nothing could be spent, there is nothing to say of a budget.
        "left": side.left[turn] if turn < len(side.left) and side.left[0] else None,
        "reply": side.story.said[turn - 1][:MOST_REPLY] if turn else "",
        "refusal": _tell_refusal(side.story.turns[turn - 1]) if turn else "",
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
    """Return the last steps that brought something, up to one."""
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
        return [("opening", "What it read first", "\n\n".join(side.story.opening))]
    texts = []
    for place in range(steps[at - 1].last + 1, steps[at].last + 1):
        turn = side.story.turns[place - 1]
        several = steps[at].last - steps[at - 1].last > 1
        name = f", turn {place}" if several else ""
        texts += [
            (f"said{place}", f"What it said{name}", side.story.said[place - 1]),
            (f"did{place}", f"What it did{name}", _write_move(turn)),
            (f"answer{place}", f"What it was answered{name}", turn.observation),
        ]
    return [each for each in texts if each[2]]


def _tell_refusal(turn: Turn) -> str:
    """Say why a reply was refused; empty if it was not."""
    if turn.unparsed is not None:
        return f"Refused: {turn.unparsed.detail}"
    return "" if turn.legal else turn.observation.partition("\n")[0]


def _write_move(turn: Turn) -> str:
    if turn.unparsed is not None:
        return f"{turn.unparsed.mode}: {turn.unparsed.detail}"
    return json.dumps(turn.action, indent=2, ensure_ascii=False)


MOST_KEPT = 16
"""So many episodes are kept ready for the scrubber."""
MOST_SIBLINGS = 40
MOST_RUNS = 4
"""So many runs are kept ready for their filters."""
NOBODY, CAUSAL = "nobody", "causal"
"""Who may stand beside an agent, apart from another log."""


class ReplayPages:
    """Pages on runs and their episodes."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs.resolve()
        self._kept: OrderedDict[tuple[str, str, int, float, str], Side | None] = OrderedDict()
        # A thousand samples take two seconds to read, and a filter is a click.
        self._read_samples = lru_cache(maxsize=MOST_RUNS)(read_samples)
        self._lock = threading.Lock()

    def run(self, request: Request) -> Response:
        """Show the samples of a log, a page at a time, those of one outcome if asked for."""
        path = self._path(request.query_params.get("log", ""))
        query = request.query_params
        header = read_header(path)  # a damaged log is explained
        samples = self._read_samples(path, path.stat().st_mtime)
        return page("run.html", log=query["log"], header=header, **describe_run(samples, query))

    def episode(self, request: Request) -> Response:
        """Show an episode with its scrubber."""
        return page("replay.html", **self._fields(request))

    def turn(self, request: Request) -> Response:
        """Show the part of an episode that changes from step to step."""
        return page("turn.html", **self._fields(request))

    def text(self, request: Request) -> Response:
        """Show one text of a step whole, as plain text."""
        sides, at = self._sides(request)
        side = sides[number(request.query_params.get("side"), 0, most=len(sides) - 1)]
        which = request.query_params.get("which", "")
        texts = {key: text for key, _, text in list_texts(side, at)}
        return PlainTextResponse(texts.get(which, "There is no such text."))

    def _path(self, given: str) -> Path:
        path = (self._logs / given).resolve()
        if not path.is_relative_to(self._logs) or not path.is_file():
            raise UsageError(f"there is no log {given!r} in {self._logs}")
        return path

    def _sides(self, request: Request) -> tuple[list[Side], int]:
        """Return who is shown, and at which step."""
        query = request.query_params
        path, id_ = self._path(query.get("log", "")), query.get("id", "")
        epoch = number(query.get("epoch"), 1, least=1)
        side = self._read(path, id_, epoch)
        if side is None:
            raise UsageError(f"{path.name} has no episode {id_}")
        other = self._find_other(query.get("beside", CAUSAL), side, path, (id_, epoch))
        sides = [side, *([other] if other is not None else [])]
        most = max(len(each.steps) for each in sides) - 1
        if "step" not in query:
            refused = [not turn.legal or turn.unparsed is not None for turn in side.story.turns]
            turn = number(query.get("turn"), find_telling_turn(refused))
            reached = [at for at, step in enumerate(side.steps) if step.last >= turn]
            return sides, reached[0] if reached else len(side.steps) - 1
        return sides, number(query.get("step"), 0, most=most)

    def _find_other(
        self, beside: str, side: Side, path: Path, which: tuple[str, int]
    ) -> Side | None:
        if beside == NOBODY:
            return None
        if beside == CAUSAL:
            player = reference_player(side.story)
            return None if player is None else self._read(path, *which, player=player)
        return self._read(self._path(beside), *which)

    def _read(self, path: Path, id_: str, epoch: int, *, player: str = "") -> Side | None:
        # A log that is still being written is read again when it has grown.
        key = (str(path), id_, epoch, path.stat().st_mtime, player)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        story = read_story(path, id_, epoch)
        side = play_side(story.record, player) if player else read_side(story)
        with self._lock:
            self._kept[key] = side
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return side

    def _fields(self, request: Request) -> dict[str, object]:
        sides, at = self._sides(request)
        query, first = request.query_params, sides[0]
        scene, record = first.scene, first.story.record
        log, name = query.get("log", ""), record.family
        title = families.card(name).title if name in families.names() else name
        return {
            "log": log,
            "id": query.get("id", ""),
            "epoch": number(query.get("epoch"), 1, least=1),
            "at": at,
            "last": max(len(side.steps) for side in sides) - 1,
            "where": f"{title} · {record.edition}, {record.set}",
            "question": scene.question if scene else "",
            "answer": scene.answer if scene else "",
            "legend": _tell_legend(sides),
            "sides": [describe_side(side, at, place) for place, side in enumerate(sides)],
            "beside": query.get("beside", CAUSAL),
            "others": self._list_others(log, first),
        }

    def _list_others(self, log: str, side: Side) -> list[tuple[str, str]]:
        """Return who could stand beside: the value of the field, and its name."""
        others = [(NOBODY, "nobody")]
        player = reference_player(side.story)
        if player is not None:
            others.insert(0, (CAUSAL, f"the reference player ({player})"))
        family = (self._logs / log).parent.parent
        if family.is_relative_to(self._logs):
            runs = sorted(family.glob("*/*.eval"))[:MOST_SIBLINGS]
            names = [str(path.relative_to(self._logs)) for path in runs]
            others += [(name, Path(name).parent.name) for name in names if name != log]
        return others


def _tell_legend(sides: Sequence[Side]) -> str:
    """Say what the marks of the world mean; nothing where no world is drawn."""
    states = [state for side in sides for step in side.steps for state in step.states]
    if not states:
        return ""
    words = {state.on: state.value for state in states}
    dots = f"Filled: {words.get(True, 'on')}; hollow: {words.get(False, 'off')}. "
    if not any(side.scene and side.scene.truth for side in sides):
        return "Framed: acted on; shaded: changed with it."
    return (
        "Arrows: the true graph, hidden from the agents. "
        f"{'' if None in words else dots}Framed: acted on; dashed ring: changed with it."
    )
