"""What players earn: `python -m bench.replayscm_bars LEVEL [FIRST LAST | kept]`.

Plays fresh problems, 100 unless told which, or with `kept` those of the set `standard`, ten times
each where worlds are asked for. Prints one JSON line a problem, so that shards can be put together,
and then the mean of `exact` of each player; `+-` is two standard errors over clans and quads, which
count as one problem each. Drawing time is processor time.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from statistics import fmean, median, stdev

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.model.instance import ReplayInstance

SEED = 90_210
_TABLES = ("filler", "world_filler", "cost_filler", "alternating")
PLAYERS = {
    "whatif": (
        *("exact", "copier", "traitless", "difference", "downstream", "local"),
        *("nearest", "snapped", "voter"),
    ),
    "trait": ("exact", "links", "link_blind", *_TABLES),
    "touched": ("exact", *_TABLES, "most_changed", "handless"),
    "both": ("exact", "link_blind", *_TABLES, "most_changed", "handless"),
    "ask": ("exact", "fresh_asker", "small_asker", "cover_asker", "random_asker", "askless"),
}
TIMES = 10


def draw(level: str, first: int, last: int) -> Iterator[ReplayInstance]:
    """Yield fresh problems, and at the end say how long one takes to draw."""
    # Kin are drawn together, so the first of them costs what all do.
    costs: dict[str, list[float]] = {}
    for index in range(first, last):
        begun = time.process_time()
        instance = FAMILY.generate(FAMILY.level(level), SEED, index)
        costs.setdefault(instance.secret.latent, []).append(time.process_time() - begun)
        yield instance
    print(f"drawn in {median(map(fmean, costs.values())):.2f} s of processor time (median)")


def measure(level: str, instances: Iterable[ReplayInstance], times: int) -> None:
    """Print what each player of a level earns."""
    rules = FAMILY.rules_for("certified")
    earned: dict[str, dict[str, list[float]]] = {name: {} for name in PLAYERS[level]}
    for instance in instances:
        marks = {}
        for name, by_kin in earned.items():
            runs = [play(FAMILY, instance, rules, name, seed=seed) for seed in range(times)]
            marks[name] = fmean(run.score().numbers["exact"] for run in runs)
            by_kin.setdefault(instance.secret.latent, []).append(marks[name])
        print(json.dumps({"id": instance.id, **marks}), flush=True)
    for name, by_kin in earned.items():
        means = [fmean(found) for found in by_kin.values()]
        error = 2 * stdev(means) / len(means) ** 0.5
        print(f"{name:14s} {fmean(means):.3f} +-{error:.3f} ({len(means)} clusters)")


if __name__ == "__main__":
    wanted, *words = sys.argv[1:]
    if words == ["kept"]:
        kept = generate_set(FAMILY, "certified", "standard")
        chosen = [one for one in kept if one.public.setting == wanted]
        measure(wanted, chosen, TIMES if wanted == "ask" else 1)
    else:
        measure(wanted, draw(wanted, *(map(int, words) if words else (0, 100))), 1)
