"""What players earn on fresh problems: `python -m bench.replayscm_bars LEVEL [FIRST LAST]`.

Prints one JSON line a problem, so that shards can be put together, and then the mean of `exact` of
each player; `+-` is two standard errors over clans and quads, which count as one problem each.
Drawing time is processor time.
"""

import json
import sys
import time
from collections import defaultdict
from statistics import fmean, median, stdev

from causarium.contract.episode import play
from causarium.families.replayscm import FAMILY

SEED = 90_210
PLAYERS = {
    "whatif": ("exact", "copier", "traitless", "difference", "downstream", "local"),
    "trait": ("exact", "links", "link_blind", "filler"),
    "touched": ("exact", "filler", "most_changed", "handless"),
    "both": ("exact", "link_blind", "filler", "most_changed", "handless"),
    "ask": ("exact", "fresh_asker", "small_asker", "random_asker", "askless"),
}


def measure(level: str, first: int, last: int) -> None:
    """Print what each player of a level earns on the problems from `first` up to `last`."""
    rules = FAMILY.rules_for("certified")
    earned: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in PLAYERS[level]}
    costs = []
    for index in range(first, last):
        begun = time.process_time()
        instance = FAMILY.generate(FAMILY.level(level), SEED, index)
        costs.append(time.process_time() - begun)
        for name, by_kin in earned.items():
            verdict = play(FAMILY, instance, rules, name).score()
            by_kin[instance.secret.latent].append(verdict.numbers["exact"])
        marks = {name: by_kin[instance.secret.latent][-1] for name, by_kin in earned.items()}
        print(json.dumps({"id": instance.id, "drawn": round(costs[-1], 2), **marks}), flush=True)
    print(f"## {level}: {last - first} fresh problems, drawn in {median(costs):.2f} s (median)")
    for name, by_kin in earned.items():
        means = [fmean(marks) for marks in by_kin.values()]
        error = 2 * stdev(means) / len(means) ** 0.5
        print(f"{name:14s} {fmean(means):.3f} +-{error:.3f}")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:]] or [0, 100]
    measure(sys.argv[1], *numbers)
