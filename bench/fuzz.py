"""Hostile replies, read, taken, recorded, written down and scored by every family; and the reader.

Noise, prose and JSON, whole or damaged, the right keys with absurd values, some good replies that
lead on, some of up to 200 kB. `CAUSARIUM_FUZZ` says how many there are, 20,000 unless it is set,
and `CAUSARIUM_FUZZ_SEED` which; a million take some twenty minutes of a core. Without a count a
family gets `MOST_S` seconds at most.
"""

import os
import time
from collections.abc import Callable, Iterator

from bench.measure import Measurement
from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.texts.read_reply import read_object

REPLIES = 20_000
SIZES = (1_000, 10_000, 100_000, 200_000, 1_000_000)
FREE_S = 0.02
"""What any reply may take, however short."""
MOST_S = 120.0
ROUNDS = 3


def run() -> Iterator[Measurement]:
    """Yield the lines of this bench."""
    asked = os.environ.get("CAUSARIUM_FUZZ")
    names = families.names()
    for name in names:
        yield from _fuzz(
            families.get(name),
            int(asked or REPLIES) // len(names),
            most_s=float("inf") if asked else MOST_S,
        )
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
    read("")
    for size in SIZES:
        for shape in SHAPES:
            quickest = float("inf")
            for number in range(ROUNDS):
                # Another text each time: what was read last may be remembered.
                reply = f"{number}{make_shape(shape, size - 1)}"
                start = time.process_time()
                read(reply)
                quickest = min(quickest, time.process_time() - start)
                if quickest < FREE_S:
                    break
            worst = max(worst, (quickest - FREE_S) / size * 1e6)
    return Measurement(f"{work}: a byte of a reply of 1 kB to 1 MB", "us", worst, target="under 1")


def _fuzz(family: AnyFamily, count: int, *, most_s: float) -> Iterator[Measurement]:
    from tests.support.hostile_replies import play_hostile_replies

    seed, start = int(os.environ.get("CAUSARIUM_FUZZ_SEED", "1")), time.process_time()
    found = play_hostile_replies(family, count, seed=seed, most_s=most_s)
    for line in found.raised[:5]:
        print(f"{family.name}, seed {seed}: {line}")
    work = f"{family.name}: {found.played:,} replies"
    yield Measurement(f"{work}: of a core", "s", time.process_time() - start)
    yield Measurement(f"{work}: exceptions", "replies", len(found.raised), target="0")
    yield Measurement(f"{work}: over a second", "replies", found.late, target="0")
    yield Measurement(f"{work}: slowest", "s", found.slowest_s, target="under 1")
