"""CausaLab, certified: what is earned without acting, by shortcuts, and by inference.

On seeds of its own, so that nothing here was tuned on. Each row is a mean over instances of a
level, with what the design asks for beside it; nothing is timed.
"""

import math
from collections.abc import Iterator
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.causalab import FAMILY
from causarium.families.causalab.instance import LabInstance
from causarium.players.train_probe import measure_probe

SEED = 90_210
INSTANCES = 150
EVERY_LEVEL, PROVEN = 12, 3
TRAINING, TESTING = 2000, 1000
SIZES = (4, 5, 6, 7)
PROBED = ("linear-4", "linear-6", "hard-quadratic-4")
WANTED: dict[str, dict[str, str]] = {
    "scientist": dict.fromkeys(("prediction", "edge_f1", "weight_f1", "direct"), "1"),
    "blind": {"prediction": "<= .05", "edge_f1": "the floor"},
    "armchair": {"prediction": "<= .05", "edge_f1": "<= blind + .03"},
    "whole_numbers": {"prediction": "<= .05", "edge_f1": "<= blind + .03"},
    "sorter": {"prediction": "<= .05", "edge_f1": "<= blind + .03"},
    "one_act_only": {"prediction": "<= .10", "edge_f1": "stated"},
    "one_act_short": {"prediction": "stated", "edge_f1": "stated", "effort": "< 1"},
    "whatever_moved": {"prediction": "<= .10", "edge_f1": "<= .89", "direct": ".50"},
    "fewest_arrows": {"edge_f1": "stated", "direct": "stated"},
    "regresses_after_acts": {"prediction": "stated", "edge_f1": "stated", "direct": "stated"},
    "copies_reactor": {"prediction": "stated", "direct": "stated"},
}
"""By player, the numbers that are printed and what is asked of them."""


def run() -> Iterator[Measurement]:
    for nodes in SIZES:
        instances = _draw(f"linear-{nodes}", INSTANCES)
        for player, metrics in WANTED.items():
            means = _means(player, instances, list(metrics))
            for metric, wanted in metrics.items():
                yield Measurement(f"k = {nodes}: {player}", metric, means[metric], target=wanted)
    yield from _every_level()
    for level in PROBED:
        training, testing = _draw(level, TRAINING), _draw(level, TESTING, start=TRAINING)
        for name, probe in FAMILY.probes.items():
            interval = measure_probe(probe, training, testing)
            error = (interval.high - interval.value) / 2
            yield Measurement(
                f"{level}: probe for {name}, s.e. {error:.3f}",
                probe.metric,
                interval.value,
                target=f"within 2 s.e. of {probe.chance:g}",
            )


def _every_level() -> Iterator[Measurement]:
    """Measure the scientist, and the certificates, on a few instances of every certified level."""
    lowest, broken, count = 1.0, 0, 0
    levels = [name for name, config in FAMILY.levels.items() if config.edition == "certified"]
    for level in levels:
        instances = _draw(level, EVERY_LEVEL)
        means = _means("scientist", instances, ["prediction", "edge_f1", "weight_f1", "direct"])
        lowest = min(lowest, *(mean for mean in means.values() if not math.isnan(mean)))
        for instance in instances[:PROVEN]:
            count += 1
            broken += not all(proof.holds for proof in FAMILY.certify(instance).proofs)
    yield Measurement(
        f"{len(levels)} levels: scientist, lowest of four numbers", "mean", lowest, target="1"
    )
    yield Measurement(f"{count} certificates of {len(levels)} levels", "broken", broken, target="0")


def _draw(level: str, count: int, start: int = 0) -> list[LabInstance]:
    config = FAMILY.level(level)
    return [FAMILY.generate(config, SEED, start + index) for index in range(count)]


def _means(player: str, instances: list[LabInstance], metrics: list[str]) -> dict[str, float]:
    rules = FAMILY.rules_for("certified")
    rows = [play(FAMILY, instance, rules, player).score().numbers for instance in instances]
    means = {}
    for metric in metrics:
        values = [row[metric] for row in rows if not math.isnan(row[metric])]
        means[metric] = fmean(values) if values else math.nan
    return means
