"""What players earn on fresh instances of the bench: `python -m bench.causalab_bars [LEVEL ...]`.

The bounds of the card's measured classes come from here: the best mean of the members plus two
standard errors, rounded up. Everything is kept in `proofs/measured.json`; a level that is named is
measured anew, and of the others what the file lacks.
"""

import json
import math
import sys
import time
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

from causarium.contract.episode import play
from causarium.contract.family_card import PlayerClass
from causarium.families.causalab.paper import FAMILY

SEED, COUNT = 7_001, 60
STORE = Path(FAMILY.folder) / "proofs" / "measured.json"
LEVELS = ("bench-3", "bench-4", "bench-6", "part-8", "part-12", "top-12", "top-20")
_MEASURED = [one for one in FAMILY.card.classes if one.kind == "measured"]


def list_players() -> dict[str, None]:
    """Return who is measured: all but the members of classes that a theorem bounds."""
    classes = [one for one in FAMILY.card.classes if one.kind != "theorem"]
    members = [name for one in classes for name in one.members]
    return dict.fromkeys((FAMILY.card.reference, "first_fit", "table", *members))


def measure(level: str, known: dict[str, Any]) -> dict[str, Any]:
    """Play fresh instances of one level.

    Args:
        level: The level.
        known: What was measured before.

    Returns:
        Means with two standard errors, by player, and the CPU time of a draw with its certificate.
    """
    players = list_players()
    earned = dict(known.get("earned", {}))
    if earned.keys() >= players.keys():
        return known
    config, rules = FAMILY.level(level), FAMILY.rules_for("certified")
    costs, instances = [], []
    for index in range(COUNT):
        started = time.process_time()
        instance = FAMILY.generate(config, SEED, index)
        found = FAMILY.proofs.certify(instance)
        costs.append(time.process_time() - started)
        assert all(proof.holds for proof in found.proofs), instance.id
        instances.append(instance)
    for name in [name for name in players if name not in earned]:
        verdicts = [play(FAMILY, one, rules, name).score().numbers for one in instances]
        shares = [numbers["answered"] for numbers in verdicts]
        error = 2 * stdev(shares) / COUNT**0.5
        earned[name] = [round(fmean(shares), 4), round(error, 4)]
        print(f"{level:9s} {name:18s} {fmean(shares):.3f} +-{error:.3f}", flush=True)
    spent = round(1000 * median(costs))
    print(f"{level:9s} drawn and certified in {spent} ms of CPU (median)")
    return {"seed": SEED, "instances": COUNT, "earned": earned}


def bound(one: PlayerClass, level: str, stored: dict[str, Any]) -> float:
    """Return the bound of a measured class on a level: its best member's mean plus two errors."""
    earned: dict[str, list[float]] = stored[level]["earned"]
    return math.ceil(100 * max(sum(earned[name]) for name in one.members) - 1e-9) / 100


if __name__ == "__main__":
    kept = json.loads(STORE.read_text()) if STORE.exists() else {}
    for asked in LEVELS:
        kept[asked] = measure(asked, {} if asked in sys.argv else kept.get(asked, {}))
        STORE.write_text(json.dumps(kept, indent=1) + "\n")
    for each in _MEASURED:
        print(each.name, {name: bound(each, name, kept) for name in each.bounds if name in kept})
