"""Replies made at random, read by every family in every phase: exceptions, and the slowest.

Most are short noise, prose and JSON, whole or damaged; some are 200 kB of a shape that is hard to
read. `CAUSARIUM_FUZZ` says how many replies there are, 20,000 unless it is set. It ends after
`MOST_S` seconds whatever happens, each family having had its part of them.
"""

import os
import random
import time
from collections.abc import Callable, Iterator

from bench.measure import Measurement
from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.texts.read_reply import read_object
from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt

REPLIES = 20_000
LONG_ONE_IN = 2_000
"""One reply in so many is long."""
LIMIT_S = 1.0
SIZES = (1_000, 10_000, 100_000, 200_000, 1_000_000)
FREE_S = 0.02
"""What any reply may take, however short."""
MOST_S = 1_800.0
"""So long the bench takes at most."""


def run() -> Iterator[Measurement]:
    """Yield the lines of this bench."""
    count = int(os.environ.get("CAUSARIUM_FUZZ") or REPLIES)
    names = families.names()
    for name in names:
        deadline = time.monotonic() + MOST_S / len(names)
        yield from _fuzz(families.get(name), count // len(names), deadline, seed=time.time_ns())
    yield _measure_bytes("the reader", lambda reply: read_object(reply, mode="bad"))
    for name in names:
        yield _measure_bytes(name, _read_certified(families.get(name)))


def _read_certified(family: AnyFamily) -> Callable[[str], object]:
    """Return what reads a reply in the phase in which certified episodes of a family begin."""
    from tests.support.hostile_replies import find_phases

    certified = family.rules_for("certified")
    phases = [phase for phase in find_phases(family) if phase[0] == certified]
    rules, allowed_actions, _ = phases[0]
    return lambda reply: family.replies.parse(reply, allowed_actions, rules)


def _measure_bytes(work: str, read: Callable[[str], object]) -> Measurement:
    """Measure what a byte of a reply takes at worst, beyond 20 ms, over all shapes and sizes."""
    from tests.support.hostile_replies import SHAPES, make_shape

    worst = 0.0
    for size in SIZES:
        for shape in SHAPES:
            reply = make_shape(shape, size)
            start = time.process_time()
            read(reply)
            seconds = time.process_time() - start
            worst = max(worst, (seconds - FREE_S) / size * 1e6)
    return Measurement(f"{work}: a byte of a reply of 1 kB to 1 MB", "us", worst, target="under 1")


def _fuzz(family: AnyFamily, count: int, deadline: float, *, seed: int) -> Iterator[Measurement]:
    from tests.support.hostile_replies import SHAPES, find_phases, make_reply, make_shape

    draw = random.Random(seed)
    phases, shapes = find_phases(family), list(SHAPES)
    raised: list[str] = []
    slowest, slowest_reply, late, done = 0.0, "", 0, 0
    for number in range(count):
        if time.monotonic() > deadline:
            print(f"{family.name}: out of time after {number:,} of {count:,} replies")
            break
        done += 1
        rules, allowed_actions, examples = draw.choice(phases)
        if number % LONG_ONE_IN == 0:
            reply = make_shape(draw.choice(shapes), MAX_REPLY_CHARS)
        else:
            reply = make_reply(draw, examples)
        start = time.process_time()
        try:
            family.replies.parse(reply, allowed_actions, rules)
        except Exception as wrong:  # noqa: BLE001 - any exception is what is looked for
            raised.append(f"{type(wrong).__name__}: {wrong}; reply {excerpt(reply)!r}")
        seconds = time.process_time() - start
        late += seconds > LIMIT_S
        if seconds > slowest:
            slowest, slowest_reply = seconds, reply
    for line in raised[:5]:
        print(f"{family.name}: {line}")
    print(f"{family.name}, seed {seed}: slowest {excerpt(slowest_reply)[:40]!r}")
    work = f"{family.name}: {done:,} replies in {len(phases)} phases"
    yield Measurement(f"{work}: exceptions", "replies", len(raised), target="0")
    yield Measurement(f"{work}: over a second", "replies", late, target="0")
    yield Measurement(f"{work}: slowest", "s", slowest, target="under 0.2, recite 0.4")
