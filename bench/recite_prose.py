"""What reading prose earns on the written documents, and on those it was not developed on.

The numbers of `players/prose_reading.py` were chosen on every second document, the first, third
and so on by name; the others were not looked at. `python -m bench recite_prose` prints the edge F1
of both halves beside that of players that read less.
"""

from collections.abc import Iterator
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.generation.written_documents import mini_keys

PLAYERS = ("prose", "co_mention", "random_counts")
HALVES = {"developed on": 0, "held out": 1}


def run() -> Iterator[Measurement]:
    """Yield the edge F1 of each player on each half."""
    level, rules = FAMILY.level("paper-mini-names"), FAMILY.rules_for("paper")
    documents = [FAMILY.generate(level, 0, number) for number in range(len(mini_keys()))]
    for half, start in HALVES.items():
        for player in PLAYERS:
            scores = [
                play(FAMILY, one, rules, player).score().numbers["edge_f1"]
                for one in documents[start::2]
            ]
            yield Measurement(f"{player}, documents {half}", "edge F1", fmean(scores))
