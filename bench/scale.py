"""Scale: what instances cost by the thousand, what parts add, and who shares the work best.

Each size is generated and certified in a process of its own; its CPU seconds and largest memory
are what is printed. With `CAUSARIUM_BENCH_JOBS=2` two more processes share it; their CPU seconds
count with it, and the memory is that of the largest. What parts add is timed within one process,
beside generating and proving: on a shared machine whole runs differ by more than that.
`CAUSARIUM_BENCH_SIZES=1000,10000` leaves out what takes too long; the line of 100,000 takes about a
quarter of an hour of one core.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Measurement
from causarium.api.benchmark import load
from causarium.api.scale.make_parts import write_parts
from causarium.api.scale.workers import Workers
from causarium.contract.shard import Shard
from causarium.errors import MissingExtra

LEVEL = "rung-3"
SIZES = tuple(map(int, os.environ.get("CAUSARIUM_BENCH_SIZES", "1000,10000,100000").split(",")))
JOBS = os.environ.get("CAUSARIUM_BENCH_JOBS", "1")
SHARDS = (1, 2, 16)
SHARED = 480
"""How many instances the shards have together."""
MILLION = 1_000_000

_ALONE = """
import resource, sys
from causarium.api.benchmark import load
from causarium.api.scale.make_parts import write_parts
from causarium.api.scale.workers import Workers
_, out, level, size, jobs = sys.argv
made = write_parts(load("causalab"), out, level, size=int(size), workers=Workers(int(jobs)))
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
seconds = sum(usage.ru_utime + usage.ru_stime for usage in used)
print(seconds, max(usage.ru_maxrss for usage in used) / 1024, made.uncertified)
"""
_PARTS = """
import sys, time
from causarium import families
from causarium.api.scale.make_parts import draw_row
from causarium.contract.places import Place
from causarium.contract.sets.part_files import SetAddress, make_row, write_part
from causarium.players.direct_runner import certify_instance
family, clock = families.get("causalab"), time.process_time
address = SetAddress(
    family="causalab", version=family.card.version, level=sys.argv[2], seed=0, split="train",
    size=1000,
)
begin = clock()
made = []
for index in address.indices(0):
    instance, _ = draw_row(family, address, index)
    made.append((index, instance, certify_instance(family, instance, "certified")))
proved = clock()
rows = [make_row(*row) for row in made]
first = clock()
write_part(Place.parse(sys.argv[1] + "-first"), address, 0, rows, uncertified=0)
again = clock()
write_part(Place.parse(sys.argv[1]), address, 0, rows, uncertified=0)
written = clock() - again
print(proved - begin, first - proved + written, again - first - written)
"""
_READ = """
import resource, sys
from causarium import families
from causarium.contract.sets.instance_sets import open_set
count = sum(1 for _ in open_set(sys.argv[1], families.get("causalab")).instances())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, count)
"""


def run() -> Iterator[Measurement]:
    """Print what each size costs, what parts add, and shards by processes and by Ray."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _grow(Path(folder))
        yield from _time_parts(Path(folder) / "parts")
        yield from _share_out(Path(folder))


def _alone(script: str, *words: str) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", script, *words], check=True, capture_output=True, text=True
    )
    return [float(word) for word in done.stdout.split()]


def _grow(folder: Path) -> Iterator[Measurement]:
    first_memory, each = None, 0.0
    for size in SIZES:
        out = str(folder / f"set-{size}")
        seconds, memory, uncertified = _alone(_ALONE, out, LEVEL, str(size), JOBS)
        first_memory, each = first_memory or memory, seconds / size
        work = f"{size:,} certified instances"
        yield Measurement(f"{work}, CPU an instance", "ms", 1_000 * each, target="the same")
        yield Measurement(
            f"{work}, largest memory", "MB", memory, first_memory, "below 500, ratio below 1.2"
        )
        yield Measurement(f"{work}, not certified", "instances", uncertified, target="0")
        memory, _ = _alone(_READ, out)
        yield Measurement(f"{size:,} instances read as a stream", "MB", memory, target="below 300")
    hours = each * MILLION / 3_600
    work = f"a million, from {SIZES[-1]:,} by extrapolation"
    yield Measurement(work, "core-hours", hours, target="below 3")


def _time_parts(folder: Path) -> Iterator[Measurement]:
    """Time what rows and files take beside generating and proving, in one process.

    The first part that a process writes loads the library: once, however many parts there are.
    """
    made, added, loading = _alone(_PARTS, str(folder), LEVEL)
    work = "parts beside generating and proving"
    yield Measurement(work, "%", 100 * added / made, target="< 5")
    yield Measurement("the first part of a process, besides", "CPU s", loading)
    share = (10 * added + loading) / (10 * made)
    yield Measurement(f"{work}, 10,000 in one process", "%", 100 * share, target="< 5")


def _share_out(folder: Path) -> Iterator[Measurement]:
    """Time shards one after another: here, by two processes that each shard starts, and by Ray.

    Each shard starts two processes of its own, and Ray starts once: each start has a line of its
    own, that of processes measured by two instances alone; Ray's other lines are of one that runs.
    Ray makes its workers nicer than all else by 15; here they have the priority of ours.
    """
    os.environ.setdefault("RAY_worker_niceness", "0")
    lab = load("causalab")
    digests = set()
    start = _time_engine(folder / "pool-start", Workers(2), 1, size=2)
    yield Measurement("2 new processes: their start", "s", start)
    for count in SHARDS:
        begin = time.process_time()
        for number in range(1, count + 1):
            made = write_parts(
                *(lab, folder / f"shards-{count}", LEVEL),
                size=SHARED,
                rows=SHARED // 16,
                shard=Shard(number, count),
            )
        digests.add(made.manifest and made.manifest.digest)
        seconds = time.process_time() - begin
        yield Measurement(f"{SHARED} instances in {count} shards", "CPU s", seconds)
        pool = _time_engine(folder / f"pool-{count}", Workers(2), count)
        yield Measurement(f"{SHARED} instances, {count} shards, 2 new processes each", "s", pool)
        try:
            workers = Workers.parse(2, "ray")
        except MissingExtra as missing:
            print(f"skipped: {missing}", file=sys.stderr)
            continue
        first = _time_engine(folder / "ray-first", workers, 1) if count == SHARDS[0] else None
        ray = _time_engine(folder / f"ray-{count}", workers, count)
        if first is not None:
            yield Measurement("Ray: the start of its workers", "s", max(first - ray, 0))
        work = f"{SHARED} instances, {count} shards, Ray that runs, beside them"
        yield Measurement(work, "s", ray, pool, "1.1 at most")
    yield Measurement("different digests", "sets", len(digests), target="1")


def _time_engine(folder: Path, workers: Workers, count: int, size: int = SHARED) -> float:
    begin = time.perf_counter()
    for number in range(1, count + 1):
        write_parts(
            *(load("causalab"), folder, LEVEL),
            size=size,
            rows=max(size // 16, 1),
            shard=Shard(number, count),
            workers=workers,
        )
    return time.perf_counter() - begin
