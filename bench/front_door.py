"""The front door: how long `import causarium` and the quickest commands take, each a new process.

The baseline is Python that does nothing, in the same run; a ratio of 2 is Python's own start again.
A session's turns are held against the bare episode beneath it.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import causarium as cm
from bench.measure import Measurement, rate
from causarium.contract.episode import Episode

ROUNDS = 5
MOVES = ({"kind": "trial", "hold": []}, {"kind": "answer", "answer": "no"})


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    nothing = _milliseconds("-c", "pass")
    starts = {
        "import causarium": (("-c", "import causarium"), "under 30 ms idle"),
        "causarium --version": (("-m", "causarium", "--version"), "under 150 ms idle"),
        "causarium list": (("-m", "causarium", "list"), "under 1,000 ms"),
    }
    lines = [
        Measurement(work, "ms", _milliseconds(*words), nothing, target=target)
        for work, (words, target) in starts.items()
    ]
    link = cm.load("causallink")
    item, rules = link.instance("smoke", 2), link.rules(interface="tools")
    actions = {action.kind: action for action in link.actions}
    moves = [
        actions[str(move["kind"])].model_validate({k: v for k, v in move.items() if k != "kind"})
        for move in MOVES
    ]

    def by_session() -> int:
        session = link.open(item, rules)
        for move in moves:
            session.step(move)
        return len(moves)

    def bare() -> int:
        episode = Episode(link.family, item, rules)
        for move in moves:
            episode.step(move)
        return len(moves)

    turns = _best(by_session), _best(bare)
    return [*lines, Measurement("turns of a session", "1/s", *turns, target="0.75x a bare episode")]


def _best(work: Callable[[], int]) -> float:
    return max(rate(work, seconds=0.3, clock=time.process_time) for _ in range(ROUNDS))


def _milliseconds(*words: str) -> float:
    return min(_start(words) for _ in range(ROUNDS))


def _start(words: Sequence[str]) -> float:
    before = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return (time.perf_counter() - before) * 1000
