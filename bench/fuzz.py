"""Hostile replies, read, taken, recorded, written down and scored by every family; and the reader.

Noise, prose and JSON, whole or damaged, the right keys with absurd values, some good replies that
lead on, some of up to 200 kB. `CAUSARIUM_FUZZ` says how many there are, 20,000 unless it is set,
and `CAUSARIUM_FUZZ_SEED` which; a million take some twenty minutes of a core. Without a count a
family gets `MOST_S` seconds at most; with a count of 0 the reader alone is measured. What was
found so far is printed as it goes, so a bench that is ended early has said it.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from bench.measure import Measurement
from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.texts.read_reply import read_object

if TYPE_CHECKING:
    from tests.support.hostile_replies import Hostility

REPLIES = 20_000
SIZES = tuple(1_000 * 2**doubling for doubling in range(11))
SMALLEST_DOUBLED = 16_000
FREE_S = 0.02
"""What any reply may take, however short."""
SEEN_S = 0.005
"""Below this a clock's noise says nothing of how a time grows."""
MOST_S = 120.0
TOLD_EVERY_S = 10.0
NOISY_S_A_BYTE, NOISY_RATIO = 0.8e-6, 2.1
"""Above these a time is taken again: a busy machine makes a time many times as long."""
ROUNDS = 40
"""So often at most, and the least counts: no noise makes a time shorter."""


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
    yield from _measure_bytes("the reader", lambda reply: read_object(reply, mode="bad"))
    for name in names:
        yield from _measure_bytes(name, _read_certified(families.get(name)))


def _read_certified(family: AnyFamily) -> Callable[[str], object]:
    """Return what reads a reply in the phase in which certified episodes of a family begin."""
    from tests.support.hostile_replies import find_phases

    certified = family.rules_for("certified")
    phases = [phase for phase in find_phases(family) if phase[0] == certified]
    rules, allowed_actions, _ = phases[0]
    return lambda reply: family.replies.parse(reply, allowed_actions, rules)


def _measure_bytes(work: str, read: Callable[[str], object]) -> Iterator[Measurement]:
    """Measure what a byte takes at worst beyond 20 ms, and what a doubled reply takes."""
    from tests.support.hostile_replies import SHAPES

    a_byte, doubled = (0.0, "none over 20 ms"), (0.0, "none over 5 ms")
    read("")
    for shape, parts in SHAPES.items():
        # What stands before the part that repeats is not doubled; it is to weigh little.
        head = len(parts[0]) if isinstance(parts, tuple) else 0
        before = 0.0
        for size in SIZES:
            took, where = _clock(read, shape, size), f"{shape}, {size:,}"
            for _ in range(ROUNDS):
                if (took - FREE_S) / size <= NOISY_S_A_BYTE:
                    break
                took = min(took, _clock(read, shape, size))
            a_byte = max(a_byte, ((took - FREE_S) / size * 1e6, where))
            if size >= 2 * max(SMALLEST_DOUBLED, 8 * head) and before > SEEN_S:
                ratio = took / before
                if ratio > NOISY_RATIO:
                    ratio = _compare(read, shape, size)
                doubled = max(doubled, (ratio, where))
            before = took
    line = f"{work}: a byte of a reply of 1 kB to 1 MB, at worst ({a_byte[1]})"
    yield Measurement(line, "us", a_byte[0], target="under 1")
    line = f"{work}: time of a doubled reply, at worst ({doubled[1]})"
    yield Measurement(line, "times", doubled[0], target="2 and noise")


def _compare(read: Callable[[str], object], shape: str, size: int) -> float:
    """Return what a reply takes against one of half its length, both read again in turns."""
    whole = half = float("inf")
    for n in range(ROUNDS):
        whole = min(whole, _clock(read, shape, size, [f"w{n}"]))
        half = min(half, _clock(read, shape, size // 2, [f"h{n}"]))
        if whole / half <= NOISY_RATIO:
            break
    return whole / half


def _clock(
    read: Callable[[str], object], shape: str, size: int, marks: Iterable[str] = "123"
) -> float:
    """Return the least processor time that a reply of a shape and size takes."""
    from tests.support.hostile_replies import make_shape

    quickest = float("inf")
    for mark in marks:
        # Another text each time: what was read last may be remembered.
        reply = f"{mark}{make_shape(shape, size - len(mark))}"
        start = time.process_time()
        read(reply)
        quickest = min(quickest, time.process_time() - start)
        if quickest < SEEN_S:
            break
    return quickest


def _fuzz(family: AnyFamily, count: int, *, most_s: float) -> Iterator[Measurement]:
    from tests.support.hostile_replies import Hostility, play_hostile_replies

    seed, start = int(os.environ.get("CAUSARIUM_FUZZ_SEED", "1")), time.process_time()
    began = told = time.monotonic()
    found, name = Hostility(), f"{family.name}, seed {seed}"
    try:
        for found in play_hostile_replies(family, count, seed=seed):
            now = time.monotonic()
            if now - told > TOLD_EVERY_S:
                told = now
                print(f"{name}: {_describe(found)}", flush=True)
            if now - began > most_s:
                break
    finally:
        for line in found.raised[:5]:
            print(f"{name}: {line}")
        print(f"{name}: {_describe(found)}, of {count:,}", flush=True)
    work = f"{family.name}: {found.played:,} replies"
    yield Measurement(f"{work}: of a core", "s", time.process_time() - start)
    yield Measurement(f"{work}: exceptions", "replies", len(found.raised), target="0")
    yield Measurement(f"{work}: over a second", "replies", found.late, target="0")
    yield Measurement(f"{work}: slowest", "s", found.slowest_s, target="under 1")


def _describe(found: "Hostility") -> str:
    return (
        f"{found.played:,} replies, {len(found.raised)} exceptions, {found.late} over a second, "
        f"the slowest {found.slowest_s:.2f} s"
    )
