"""How hard the levels of a ladder are, measured; cards keep what was found.

`python -m bench.ladder [SIZE [FAMILY ...]]` plays so many instances a level, of the validation
split, and prints for every level what the card says, what was measured and its standard error. It
ends with 1 where two neighbours stand in the wrong order by more than two standard errors.

What is hard is measured by what a reference player needs or loses:

- causallink: experiments of `optimal`, the fewest that settle every case.
- causalab: experiments of `scientist`, one for each property that can be held.
- causalgame: turns of `exact`.
- recite: words of the text for one edge. No reference player finds one rung harder than another, so
  this says how much must be read, and no more.

ReplaySCM has no measure: its reference player wins every level in one turn.
"""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from statistics import fmean, stdev
from typing import Any, cast

from bench.measure import Measurement
from causarium.api.benchmark import load
from causarium.contract.episode import play
from causarium.contract.family import AnyFamily, AnyInstance

SIZE = 40
SMALLER = {"recite": 4}
"""Families with slow instances have so many times fewer."""
_Measure = Callable[[AnyFamily, AnyInstance], float]


def _need(player: str, metric: str) -> _Measure:
    def measure(family: AnyFamily, instance: AnyInstance) -> float:
        rules = family.rules_for("certified")
        return play(family, instance, rules, player).score().numbers[metric]

    return measure


def _count_turns(family: AnyFamily, instance: AnyInstance) -> float:
    return len(play(family, instance, family.rules_for("certified"), "exact").turns)


def _count_words(_: AnyFamily, instance: AnyInstance) -> float:
    public, secret = cast("Any", instance.public), cast("Any", instance.secret)
    return len(public.text.split()) / len(secret.edges)


MEASURES: dict[str, _Measure] = {
    "causallink": _need("optimal", "interventions"),
    "causalab": _need("scientist", "acts"),
    "causalgame": _count_turns,
    "recite": _count_words,
}


def run(size: int = SIZE, names: Sequence[str] = tuple(MEASURES)) -> Iterator[Measurement]:
    """Yield the lines of this bench.

    Args:
        size: How many instances a level.
        names: Which families.
    """
    for name in names:
        for line, _ in measure_ladder(name, size):
            yield line


def measure_ladder(name: str, size: int) -> Iterator[tuple[Measurement, float]]:
    """Yield a measurement of every level of a ladder, and its standard error."""
    benchmark = load(name)
    count = max(2, size // SMALLER.get(name, 1))
    card = benchmark.family.card
    for level, said in zip_longest(card.ladder, card.difficulty):
        items = benchmark.generate(level, size=count, split="validation")
        values = [MEASURES[name](benchmark.family, item) for item in items]
        error = stdev(values) / math.sqrt(count)
        stated = "nothing" if said is None else f"{said:g}"
        work = f"{name} {level}: mean of {count}, ± {error:.3f}; the card says {stated}"
        yield Measurement(work, "", fmean(values), target="not less than the line before"), error


def main() -> int:
    """Run it with the size and the families of the command line; 1 where an order is wrong."""
    size = int(sys.argv[1]) if sys.argv[1:] else SIZE
    wrong = 0
    for name in sys.argv[2:] or MEASURES:
        mean, error = -math.inf, 0.0
        for line, now in measure_ladder(name, size):
            is_reversed = line.ours < mean - 2 * math.hypot(error, now)
            print(f"{line.work}: {line.ours:.3f}{'  REVERSED' if is_reversed else ''}", flush=True)
            wrong += is_reversed
            mean, error = line.ours, now
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
