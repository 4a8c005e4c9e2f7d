"""ReCITE: what texts with twins give away to those who do not read them.

`python -m bench recite_attacks` prints reading, contrast, common F1 and edge F1 of every player on
twelve pairs a level, drawn with a seed that nothing was tuned on, and what tone alone earns on the
slots of each document with the pairs handed to it.
"""

from collections.abc import Iterator
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.recite import FAMILY
from causarium.families.recite.generation.generate import read_shelf
from causarium.families.recite.model.config import SHAPES
from causarium.families.recite.players.tone_of_passages import attack_tone

SEED, PAIRS = 731_204, 12
METRICS = ("reading", "contrast", "common_f1", "edge_f1")


def run() -> Iterator[Measurement]:
    """Print the table: every player at every level, and tone by document."""
    rules = FAMILY.rules_for("certified")
    for shape in SHAPES:
        drawn = [FAMILY.generate(FAMILY.level(shape), SEED, at) for at in range(2 * PAIRS)]
        for player in FAMILY.players:
            numbers = [play(FAMILY, one, rules, player).score().numbers for one in drawn]
            for metric in METRICS:
                value = fmean(one[metric] for one in numbers)
                yield Measurement(f"{shape}: {player}", metric, value)
    for document in read_shelf():
        for result in attack_tone(document, read_shelf()):
            name = f"{document.key}: {result.attack}, {result.kind}"
            yield Measurement(name, f"contrast on {result.slots} slots", result.contrast)
