"""A run, and its episodes step by step: the question, the world, what was done and believed."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from causarium import families
from causarium.engine.logbook.browse_logs import list_samples, read_story
from causarium.engine.logbook.log_files import read_header
from causarium.errors import UsageError
from causarium.web.page_templates import PAGE, number, page
from causarium.web.replay_sides import (
    Side,
    describe_side,
    list_texts,
    play_side,
    read_side,
    reference_player,
)

MOST_KEPT = 16
"""So many episodes are kept ready for the scrubber."""
MOST_SIBLINGS = 40
NOBODY, CAUSAL = "nobody", "causal"
"""Who may stand beside an agent, apart from another log."""


class ReplayPages:
    """Pages on runs and their episodes."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs.resolve()
        self._kept: OrderedDict[tuple[str, str, int, float, str], Side | None] = OrderedDict()
        self._lock = threading.Lock()

    async def run(self, request: Request) -> Response:
        """Show the samples of a log, a page at a time."""
        path = self._path(request.query_params.get("log", ""))
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
        return page("replay.html", **await to_thread.run_sync(self._fields, request))

    async def turn(self, request: Request) -> Response:
        """Show the part of an episode that changes from step to step."""
        return page("turn.html", **await to_thread.run_sync(self._fields, request))

    async def text(self, request: Request) -> Response:
        """Show one text of a step whole, as plain text."""
        sides, at = await to_thread.run_sync(self._sides, request)
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
        if "turn" in query and "step" not in query:
            turn = number(query.get("turn"), 0)
            reached = [at for at, step in enumerate(side.steps) if step.last >= turn]
            return sides, reached[0] if reached else len(side.steps) - 1
        return sides, number(query.get("step"), 0, most=most)

    def _find_other(
        self, beside: str, side: Side, path: Path, which: tuple[str, int]
    ) -> Side | None:
        if beside == NOBODY:
            return None
        if beside == CAUSAL:
            player = reference_player(side.record)
            if player is None or side.agent == f"player/{player}":
                return None
            return self._read(path, *which, player=player)
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
        scene, record = first.scene, first.record
        log = query.get("log", "")
        return {
            "log": log,
            "id": query.get("id", ""),
            "epoch": number(query.get("epoch"), 1, least=1),
            "at": at,
            "last": max(len(side.steps) for side in sides) - 1,
            "where": f"{_name_family(record.family)} · {record.edition}, {record.set}",
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
        player = reference_player(side.record)
        if player is not None and side.agent != f"player/{player}":
            others.insert(0, (CAUSAL, f"the reference player ({player})"))
        family = (self._logs / log).parent.parent
        if family.is_relative_to(self._logs):
            runs = sorted(family.glob("*/*.eval"))[:MOST_SIBLINGS]
            names = [str(path.relative_to(self._logs)) for path in runs]
            others += [(name, Path(name).parent.name) for name in names if name != log]
        return others


def _name_family(name: str) -> str:
    return families.card(name).title if name in families.names() else name


def _tell_legend(sides: Sequence[Side]) -> str:
    """Say what the marks of the world mean; nothing where no world is drawn."""
    states = [state for side in sides for step in side.steps for state in step.states]
    if not states:
        return ""
    words = {state.on: state.value for state in states}
    dots = f"Filled: {words.get(True, 'on')}; hollow: {words.get(False, 'off')}. "
    return (
        "Arrows: the true graph, hidden from the agents. "
        f"{'' if None in words else dots}Framed: acted on; dashed ring: changed with it."
    )
