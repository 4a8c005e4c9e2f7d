"""A ladder's table: `python -m bench.rungs FAMILY [N [RUNGS [PLAYERS [JOBS [SEED]]]]]`.

Prints, for each rung, the instances drawn and certified in a second of one process and the mean
score of every player with two standard errors, on N instances of SEED. RUNGS is as `1-8`,
PLAYERS as `exact,coin`; `all` stands for all of them. A line of JSON a rung goes to stdout.
"""

import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from statistics import fmean, stdev

from causarium.contract.episode import play
from causarium.contract.rungs import name_rung

Cell = tuple[int, str, int, int]
"""A rung, a player (empty where certificates are timed), and the seed and index of an instance."""


def play_cell(family: str, cell: Cell) -> float:
    """Return the score of a player on an instance, or the seconds that drawing it took."""
    found = import_module(f"causarium.families.{family}.certified").FAMILY
    rung, player, seed, index = cell
    start = time.process_time()
    instance = found.generate(found.level(name_rung(rung)), seed, index)
    if not player:
        if not all(proof.holds for proof in found.proofs.certify(instance).proofs):
            raise SystemExit(f"{instance.id} has a false proof")
        return time.process_time() - start
    score: float = (
        play(found, instance, found.rules_for("certified"), player).score().numbers["score"]
    )
    return score


def main(arguments: list[str]) -> int:
    """Play everybody and print a line a rung."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    name, count, rungs, players, jobs, seed = [
        *arguments,
        *("100", "all", "all", "2", "1000")[len(arguments) - 1 :],
    ]
    family = import_module(f"causarium.families.{name}.certified").FAMILY
    first, _, last = ("1", "-", str(family.rungs.top)) if rungs == "all" else rungs.partition("-")
    wanted = list(family.players) if players == "all" else players.split(",")
    with ProcessPoolExecutor(int(jobs)) as pool:
        pending = {
            (rung, player): [
                pool.submit(play_cell, name, (rung, player, int(seed), index))
                for index in range(int(count) if player else min(int(count), 20))
            ]
            for rung in range(int(first), int(last or first) + 1)
            for player in ["", *wanted]
        }
        for rung in dict.fromkeys(rung for rung, _ in pending):
            line: dict[str, object] = {
                "family": name,
                "rung": rung,
                "n": int(count),
                "seed": int(seed),
            }
            seconds = [one.result() for one in pending[rung, ""]]
            line["certified_a_second"] = round(1 / fmean(seconds), 2)
            for player in wanted:
                scores = [one.result() for one in pending[rung, player]]
                error = 2 * stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0
                line[player] = [round(fmean(scores), 3), round(error, 3)]
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
