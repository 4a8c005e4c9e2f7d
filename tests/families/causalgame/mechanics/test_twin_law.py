"""Twin laws: formulas against flights, the renaming, and the exact optimum."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from causarium.families.causalgame.evidence.exact_optimum import find_best_design, find_best_of_both
from causarium.families.causalgame.generation.draw_archives import draw_archive
from causarium.families.causalgame.generation.draw_twins import find_twins
from causarium.families.causalgame.mechanics.archive_flights import log_flights
from causarium.families.causalgame.mechanics.archive_law import (
    ArchiveLaw,
    ArchiveSlot,
    column_table,
    find_best_options,
    option_table,
    rename_archive,
    survival_of,
)
from causarium.families.causalgame.mechanics.twin_flights import draw_cells, fly_twin
from causarium.families.causalgame.mechanics.twin_law import (
    CELLS,
    TwinDesign,
    cell_survival,
    rename,
    survival_at_target,
    survival_in_tests,
)
from tests.families.causalgame.twins import drawn_design

KINDS = ("weather", "zone", "antenna")


@pytest.mark.parametrize("kind", KINDS)
def test_a_twin_is_the_same_world_under_other_names(kind):
    rng = Random(kind)
    for _ in range(5):
        twins = find_twins(kind, rng, "test")
        law, twin = twins.law, rename(twins.law)
        assert twin != law
        assert rename(twin) == law
        for _ in range(40):
            design = drawn_design(rng, law.total)
            assert survival_in_tests(law, design) == survival_in_tests(twin, design)
        best, other = find_best_design(law, twins.target), find_best_design(twin, twins.target)
        assert survival_at_target(twin, best[0], twins.target) < twins.threshold
        assert survival_at_target(law, other[0], twins.target) < twins.threshold


@pytest.mark.parametrize("kind", KINDS)
def test_flights_survive_as_the_formula_says(kind):
    twins = find_twins(kind, Random(3), "test")
    law, design = twins.law, drawn_design(Random(4), twins.law.total)
    cells = draw_cells(law, 60_000, 5)
    rows = fly_twin(law, design, cells, 6)
    assert rows[:, -1].mean() == pytest.approx(survival_in_tests(law, design), abs=0.008)
    for place, cell in enumerate(CELLS):
        here = cells == place
        assert here.mean() == pytest.approx(law.share(cell), abs=0.008)
        assert rows[here, -1].mean() == pytest.approx(cell_survival(law, design, cell), abs=0.025)
    assert np.array_equal(rows[:, list(law.active)], np.array(CELLS)[cells])
    inert = [c for c in range(5) if c not in law.active]
    together = np.corrcoef(rows[:, inert[0]], rows[:, inert[1]])[0, 1]
    assert abs(together) < 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_no_design_beats_the_optimum(kind):
    rng = Random(f"{kind} optimum")
    for _ in range(3):
        twins = find_twins(kind, rng, "test")
        law, target = twins.law, twins.target
        design, value = find_best_design(law, target)
        assert sum(design.armour) <= law.total
        assert survival_at_target(law, design, target) == pytest.approx(value, abs=1e-12)
        twin, most = rename(law), find_best_of_both(law, target)
        for start in [drawn_design(rng, law.total) for _ in range(150)]:
            here = survival_at_target(law, start, target)
            assert here <= value + 1e-12
            assert min(here, survival_at_target(twin, start, target)) <= most + 1e-12
        assert _climb(law, target, drawn_design(rng, law.total)) <= value + 1e-12


def _climb(law, target, design):
    """Improve a design by moving single points and options until nothing helps."""
    best = survival_at_target(law, design, target)
    while True:
        steps = []
        for one in range(len(design.armour)):
            for other in range(-1, len(design.armour)):
                armour = list(design.armour)
                armour[one] += 1
                if other >= 0:
                    armour[other] -= 1
                if min(armour) >= 0 and max(armour) <= 30 and sum(armour) <= law.total:
                    steps.append(TwinDesign(armour=tuple(armour), options=design.options))
        for slot in range(len(design.options)):
            options = list(design.options)
            options[slot] = 1 - options[slot]
            steps.append(TwinDesign(armour=design.armour, options=tuple(options)))
        top = max(steps, key=lambda step: survival_at_target(law, step, target))
        value = survival_at_target(law, top, target)
        if value <= best + 1e-15:
            return best
        design, best = top, value


def test_the_worked_front_door():
    slot = ArchiveSlot(a=350, b=70, c=350, g=20, option=1, column=1)
    law = ArchiveLaw(kind="front_door", slots=(slot, slot))
    twin = rename_archive(law)
    assert twin.rates(0)[3] == Fraction(16, 100)
    assert law.effect(0) == Fraction(49, 1000) == -twin.effect(0)
    assert survival_of(law, (1, 1)) - survival_of(law, (0, 1)) == Fraction(98, 1000)


@pytest.mark.parametrize("kind", ["front_door", "instrument"])
def test_archive_twins_agree_in_all_but_what_the_columns_tell(kind):
    rng = Random(kind)
    for _ in range(10):
        law = draw_archive(kind, rng)
        twin = rename_archive(law)
        assert option_table(law) == option_table(twin)
        assert all(column_table(law, slot) == column_table(twin, slot) for slot in (0, 1))
        assert find_best_options(law) == tuple(1 - option for option in find_best_options(twin))
        assert sum(option_table(law).values()) == 1


@pytest.mark.parametrize("kind", ["front_door", "instrument"])
@pytest.mark.parametrize("is_twin", [False, True])
def test_logged_flights_follow_the_exact_tables(kind, is_twin):
    law = draw_archive(kind, Random(8)).model_copy(update={"is_twin": is_twin})
    rows = log_flights(law, 80_000, 9)
    signs = [np.where(rows[:, slot] == 1, 1, -1) * law.slots[slot].option for slot in (0, 1)]
    for (x1, x2, back), chance in option_table(law).items():
        share = ((signs[0] == x1) & (signs[1] == x2) & (rows[:, 4] == back)).mean()
        assert share == pytest.approx(float(chance), abs=0.008)
