"""A run, and one of its episodes turn by turn: what was seen, said, done and believed."""

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from causarium import families
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Numbers
from causarium.contract.turn import Turn
from causarium.contract.views.scene import ReplayScene
from causarium.engine.logbook.browse_logs import Story, list_samples, read_story
from causarium.engine.logbook.log_files import read_header
from causarium.errors import CausariumError, UnknownName, UsageError
from causarium.web.belief_graph import draw_staging
from causarium.web.page_templates import PAGE, number, page
from causarium.web.turn_chart import draw_trace

MOST_KEPT = 16
"""So many episodes are kept ready for the scrubber."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One episode, ready to be shown at any turn."""

    story: Story
    family: AnyFamily | None
    """None where the family is not installed: words are all there is then."""
    staging: ReplayScene | None
    trace: list[Numbers]
    left: list[int]
    """The budget left before the first turn and after each."""
    note: str
    """Why something cannot be shown."""


class Replaying:
    """Pages on runs and their episodes."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs.resolve()
        self._kept: OrderedDict[tuple[str, str, int, float], Replay] = OrderedDict()
        self._lock = threading.Lock()

    async def run(self, request: Request) -> Response:
        """Show the samples of a log, a page at a time."""
        path = self._path(request)
        samples = await to_thread.run_sync(list_samples, path)
        samples.sort(key=lambda sample: (sample.id, sample.epoch))
        at = number(request.query_params.get("page"), 1, least=1)
        header = await to_thread.run_sync(read_header, path)
        return page(
            "run.html",
            log=request.query_params["log"],
            header=header,
            samples=samples[(at - 1) * PAGE : at * PAGE],
            total=len(samples),
            at=at,
            pages=max(1, -(-len(samples) // PAGE)),
        )

    async def episode(self, request: Request) -> Response:
        """Show an episode with its scrubber."""
        replay, at = await self._asked(request)
        return page("replay.html", **self._fields(request, replay, at))

    async def turn(self, request: Request) -> Response:
        """Show the part of an episode that changes from turn to turn."""
        replay, at = await self._asked(request)
        return page("turn.html", **self._fields(request, replay, at))

    async def text(self, request: Request) -> Response:
        """Show one text of a turn whole, as plain text."""
        replay, at = await self._asked(request)
        which = request.query_params.get("which", "")
        return PlainTextResponse(_texts(replay.story, at).get(which, "There is no such text."))

    def _path(self, request: Request) -> Path:
        given = request.query_params.get("log", "")
        path = (self._logs / given).resolve()
        if not path.is_relative_to(self._logs) or not path.is_file():
            raise UsageError(f"there is no log {given!r} in {self._logs}")
        return path

    async def _asked(self, request: Request) -> tuple[Replay, int]:
        path, query = self._path(request), request.query_params
        epoch = number(query.get("epoch"), 1, least=1)
        replay = await to_thread.run_sync(self._replay, path, query.get("id", ""), epoch)
        return replay, number(query.get("turn"), 0, most=len(replay.story.turns))

    def _replay(self, path: Path, id_: str, epoch: int) -> Replay:
        # A log that is still being written is read again when it has grown.
        key = (str(path), id_, epoch, path.stat().st_mtime)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        replay = _ready(read_story(path, id_, epoch))
        with self._lock:
            self._kept[key] = replay
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return replay

    def _fields(self, request: Request, replay: Replay, at: int) -> dict[str, object]:
        story, staging = replay.story, replay.staging
        turn = story.turns[at - 1] if at else None
        query = request.query_params
        names = list(replay.trace[-1]) if replay.trace else []
        headline = list(replay.family.card.headline) if replay.family else []
        return {
            "log": query.get("log", ""),
            "id": query.get("id", ""),
            "epoch": number(query.get("epoch"), 1, least=1),
            "at": at,
            "last": len(story.turns),
            "story": story,
            "turn": turn,
            "texts": _texts(story, at),
            "legal": turn.legal if turn else True,
            "left": replay.left[at] if at < len(replay.left) else None,
            "scene": staging.scenes[at] if staging and at < len(staging.scenes) else None,
            "column": staging.column if staging else "",
            "determined": _determined(staging),
            "graphs": draw_staging(staging, at) if staging else "",
            "curves": draw_trace(replay.trace, list(dict.fromkeys([*headline, *names])), at),
            "headline": headline,
            "note": replay.note,
        }


def _determined(staging: ReplayScene | None) -> int | None:
    """Return the first turn after which the evidence settles the answer."""
    if staging is None:
        return None
    return next((at for at, scene in enumerate(staging.scenes) if scene.determined), None)


def _texts(story: Story, at: int) -> dict[str, str]:
    """Return what was seen before a turn, said and done in it, and answered to it."""
    if at == 0:
        return {"opening": "\n\n".join(story.opening)}
    turn = story.turns[at - 1]
    return {"said": story.said[at - 1], "did": _did(turn), "answer": turn.observation}


def _did(turn: Turn) -> str:
    if turn.unparsed is not None:
        return f"{turn.unparsed.mode}: {turn.unparsed.detail}"
    return json.dumps(turn.action, indent=2, ensure_ascii=False)


def _ready(story: Story) -> Replay:
    """Play an episode again, as far as it can be, for what the log does not say in words."""
    try:
        family = families.get(story.record.family)
        instance, rules = story.record.reopen(family)
    except (UnknownName, CausariumError) as wrong:
        return Replay(story, None, None, [], [], str(wrong))
    turns, note = story.turns, ""
    staging, trace = None, list[Numbers]()
    try:
        staging = family.scene(instance, rules, turns) if family.scene else None
        trace = family.turn_numbers(instance, rules, turns) if family.turn_numbers else []
    except CausariumError as wrong:
        note = str(wrong)
    episode = Episode(family, instance, rules)
    left = [episode.world.budget - episode.world.spent]
    for turn in turns:
        episode.step(turn.move(family.actions))
        left.append(episode.world.budget - episode.world.spent)
    return Replay(story, family, staging, trace, left, note)
