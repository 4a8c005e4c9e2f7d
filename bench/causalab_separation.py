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
from causarium.scoring.intervals import paired_difference, summarize

SEED = 90_210
INSTANCES = 150
EVERY_LEVEL, PROVEN = 12, 3
TIMES = 10
"""How many times the size of `standard` the passive player is compared with `blind` on."""
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
    yield from _compare_passive()
    yield from _every_level()
    for level in PROBED:
        training, testing = _draw(level, TRAINING), _draw(level, TESTING, start=TRAINING)
        for name, probe in FAMILY.proofs.probes.items():
            interval = measure_probe(probe, training, testing)
            error = (interval.high - interval.value) / 2
            yield Measurement(
                f"{level}: probe for {name}, s.e. {error:.3f}",
                probe.metric,
                interval.value,
                target=f"within 2 s.e. of {probe.chance:g}",
            )


def _compare_passive() -> Iterator[Measurement]:
    """Hold the passive player against `blind` on fresh instances, in the shares of `standard`.

    What is shown says nothing of the mechanism, so on average nothing passive beats the best
    constant answer; on few instances either of two that are equally good may lead.
    """
    rules = FAMILY.rules_for("certified")
    instances = [
        instance
        for part in FAMILY.card.sets["certified"]["standard"].parts
        for instance in _draw(part.level, TIMES * part.size)
    ]
    clusters = {instance.id: str(instance.facets["mechanism"]) for instance in instances}
    f1 = {
        player: {
            one.id: play(FAMILY, one, rules, player).score().numbers["edge_f1"] for one in instances
        }
        for player in ("blind", "armchair")
    }
    size = f"{len(instances)} instances of {len(set(clusters.values()))} mechanisms"
    for player, values in f1.items():
        mean = summarize(values.values(), clusters=clusters.values(), share=False)
        work = f"{player}, {size}: [{mean.low:.3f}, {mean.high:.3f}]"
        yield Measurement(work, "edge_f1", mean.value, target="equal")
    gap = paired_difference(f1["armchair"], f1["blind"], clusters=clusters)
    work = f"armchair less blind: [{gap.low:.4f}, {gap.high:.4f}]"
    yield Measurement(work, "edge_f1", gap.value, target="0 within the interval")


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
            broken += not all(proof.holds for proof in FAMILY.proofs.certify(instance).proofs)
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
