"""What every player earns on fresh cases of `laws`: `python -m bench.causallink_bars`.

The number is `share`, the exact expectation of what the chosen run earns, so that no coin is left
in it; `+-` is two standard errors. Below it stand the bounds that certificates carry.
"""

import time
from statistics import fmean, median, stdev

from causarium.contract.episode import play
from causarium.families.causallink.certified import FAMILY

SEED, LOGS = 90_210, 200


def measure() -> None:
    """Print the table."""
    instances, draws = [], []
    for number in range(LOGS):
        started = time.process_time()
        instances.append(FAMILY.generate(FAMILY.level("rung-3"), SEED, number))
        draws.append(time.process_time() - started)
    rules = FAMILY.rules_for("certified", interface="tools")
    print(f"## laws: {LOGS} fresh logs")
    for name in FAMILY.players:
        shares = [
            play(FAMILY, instance, rules, name).score().numbers["share"] for instance in instances
        ]
        error = 2 * stdev(shares) / LOGS**0.5
        print(f"{name:14s} {fmean(shares):.3f} +-{error:.3f}")
    costs, bounds = [], []
    for instance in instances:
        started = time.process_time()
        found = FAMILY.proofs.certify(instance)
        costs.append(time.process_time() - started)
        assert all(proof.holds for proof in found.proofs)
        bounds.append(found.bounds)
    for name in bounds[0]:
        values = [bound[name] for bound in bounds]
        print(f"bound {name:12s} mean {fmean(values):.3f}, most {max(values):.3f}")
    for what, times in (("draw", draws), ("certify", costs)):
        print(
            f"{what} mean {1000 * fmean(times):.1f} ms, median {1000 * median(times):.1f} ms (CPU)"
        )


if __name__ == "__main__":
    measure()
