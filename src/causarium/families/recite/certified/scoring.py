"""The verdict on one text, from the instance and the recorded turns alone.

The headline `score` is the contrast between the text and its twin, times F1 on what both tell. For
every answer the scores on a text and on its twin sum to 0, so whoever does not read what makes them
differ earns 0.
"""

import math
from collections.abc import Collection, Sequence
from pathlib import Path

from causarium.contract.turn import Turn, count_forgiven
from causarium.contract.verdict import SLIPS, Metric, Verdict, read_metrics
from .levels import ReciteRules
from .model import Edge, ReciteInstance
from .play.replies import ERROR_MODES
from .play.world import replay

METRICS = {
    **read_metrics(Path(__file__).with_name("metrics.toml"))["text"],
    **{
        mode.replace(" ", "_"): Metric(f"1 if the case ended as {mode}.", "lower", share=True)
        for mode in ERROR_MODES
    },
}
"""Every number of a verdict, with a sentence on what it says."""
_SIZES = (1, 2, 3, 4)


def find_contrast(given: Collection[Edge], told: Collection[Edge], twin: Collection[Edge]) -> float:
    """Return, of the edges that only one of two twins tells, the share right less the share wrong.

    Example:
        >>> find_contrast({("a", "c")}, {("a", "c")}, {("b", "c")})
        1.0
    """
    differing = set(told) ^ set(twin)
    if not differing:
        return math.nan
    return sum(1 if (edge in given) == (edge in told) else -1 for edge in differing) / len(
        differing
    )


def find_common_f1(
    given: Collection[Edge], told: Collection[Edge], twin: Collection[Edge]
) -> float:
    """Return F1 on the pairs that twins tell alike: 1 where neither tells nor is given any."""
    differing, common = set(told) ^ set(twin), set(told) & set(twin)
    claimed = set(given) - differing
    if not common and not claimed:
        return 1.0
    return 2 * len(claimed & common) / (len(claimed) + len(common))


def list_asked(instance: ReciteInstance) -> tuple[frozenset[Edge], frozenset[Edge]]:
    """Return the edges that text and twin tell; where questions ask, those that are asked for."""
    told, twin = frozenset(instance.secret.edges), frozenset(instance.secret.twin_edges)
    return (told - twin, twin - told) if instance.public.questions else (told, twin)


def score(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Verdict:
    """Score one text."""
    world = replay(instance, rules, turns)
    secret, given = instance.secret, world.answer
    if given is not None:
        given -= frozenset(secret.uncounted)
    told, twin = list_asked(instance)
    contrast = common = 0.0
    if given:
        contrast, common = find_contrast(given, told, twin), find_common_f1(given, told, twin)
    right = len((given or frozenset()) & told)
    numbers = {
        "score": contrast * common,
        "contrast": contrast,
        "common_f1": common,
        **{f"contrast_k{size}": _contrast_of(instance, given, size) for size in _SIZES},
        "precision": right / len(given) if given else math.nan,
        "recall": right / len(told),
        "answered": float(given is not None),
        "edges_proposed": math.nan if given is None else float(len(given)),
        "edges_told": float(len(told)),
        SLIPS: float(world.slips + count_forgiven(turns)),
        **{mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES},
    }
    error = f" The case ended as {world.error}." if world.error else ""
    return Verdict(
        numbers=numbers,
        labels={"error": world.error or "none"},
        answer=None if given is None else "; ".join(f"{a} > {b}" for a, b in sorted(given)),
        explanation=f"{right} of {len(told)} edges found, {len(given or ()) - right} invented."
        f"{error}",
    )


def _contrast_of(instance: ReciteInstance, given: Collection[Edge] | None, size: int) -> float:
    """Return the contrast on the slots that so many passages decide."""
    slots = [slot for slot in instance.secret.slots if slot.size == size]
    told = {edge for slot in slots for edge in slot.tells}
    twin = {edge for slot in slots for edge in slot.twin_tells}
    return find_contrast(given, told, twin) if given else 0.0 if told ^ twin else math.nan
