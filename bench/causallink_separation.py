"""What CausalLink's certified score is worth to those who do not reason.

Tables are learnt from 1,500 pairs of one seed and tried on 1,500 of another: all that is seen after
the best fixed acts, and the answer that was usually right. The value by acts is the best that any
strategy can reach that knows the law, by exact search over that law and not over a sample of it.
"""

from collections.abc import Iterator

from bench.measure import Measurement
from causarium.families.causallink.strategies.best_answer import LawSearch
from causarium.families.causallink.strategies.known_law import (
    FirstLook,
    all_active_law,
    draw_worlds,
)
from causarium.families.causallink.strategies.shortcuts import learn_table, watch

PAIRS = 1_500
STUDY_SEED, TEST_SEED = 90_210, 90_211


def separation_lines() -> Iterator[Measurement]:
    """Yield what tables earn, and the best value by acts, for n = 4 to 7."""
    for size in (4, 5, 6, 7):
        for acts in (0, 1, 2):
            yield _try_table(size, acts)
    for size in (4, 5, 6, 7):
        search = LawSearch(all_active_law(size), (1 << size) - 1)
        for acts in range(size):
            target = {size - 2: "at most .56", size - 1: "1"}.get(acts, ".5")
            work = f"best strategy that knows the law, {acts} acts, n={size}"
            yield Measurement(work, "right", search.value(acts), target=target)


def _try_table(size: int, acts: int) -> Measurement:
    look = FirstLook(size, cause_active=True, effect_active=True, others_active=size - 2)
    studied = ((world, 1) for world in draw_worlds(look, PAIRS, seed=STUDY_SEED))
    table = learn_table(studied, look.start, acts)
    right = [
        table.answers.get(watch(world, look.start, table.acts), False) == world.causes(0, 1)
        for world in draw_worlds(look, PAIRS, seed=TEST_SEED)
    ]
    target = "at most .60" if size == 4 else ".5 within .018"
    what = "first look" if not acts else f"table after {acts} act{'s' * (acts > 1)}"
    return Measurement(f"{what}, n={size}", "right", sum(right) / len(right), target=target)
