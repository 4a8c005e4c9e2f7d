"""What is proved of a twin pair, by formula: that it is one, and that no design wins both games."""

from collections.abc import Iterator
from random import Random

from causarium.contract.certificate import Proof
from causarium.families.causalgame.evidence.exact_optimum import find_best_design, find_best_of_both
from causarium.families.causalgame.mechanics.archive_law import (
    ArchiveLaw,
    column_table,
    find_best_options,
    option_table,
    rename_archive,
    survival_of,
)
from causarium.families.causalgame.mechanics.twin_law import (
    PARTS,
    SLOTS,
    Target,
    TwinDesign,
    TwinLaw,
    rename,
    survival_at_target,
    survival_in_tests,
)

MARGIN, MOST_MARGIN, ROUNDING = 0.05, 0.08, 0.0005
LEAST_CONFLICT, LEAST_LOSS = 0.05, 0.10
SAMPLED = 50


def prove_twins(law: TwinLaw, target: Target, threshold: float) -> Iterator[Proof]:
    """Prove that a pair of games with test flights keeps its promises.

    Args:
        law: The first twin's law.
        target: The conditions in which the fleet flies.
        threshold: The share of the fleet that has to survive, in both.
    """
    twin = rename(law)
    best, other = find_best_design(law, target), find_best_design(twin, target)
    standard = law.standard
    designs = [standard, best[0], other[0], *_draw_designs(law)]
    yield Proof(
        claim="renaming the twin gives the game back",
        method="comparison of laws, field by field",
        holds=rename(twin) == law,
    )
    yield Proof(
        claim=f"test flights survive alike in both twins: standard, both optima, {SAMPLED} designs",
        method="exact sums",
        holds=all(survival_in_tests(law, d) == survival_in_tests(twin, d) for d in designs),
    )
    yield Proof(
        claim="the threshold lies 5 to 8 points below the optimum of both",
        method="all designs, by formula",
        holds=all(
            MARGIN - ROUNDING <= survival - threshold <= MOST_MARGIN + ROUNDING
            for survival in (best[1], other[1])
        ),
    )
    yield Proof(
        claim="no design comes closer than 5 points to the threshold in both",
        method="all designs, by formula",
        holds=find_best_of_both(law, target) <= threshold - LEAST_CONFLICT,
    )
    yield Proof(
        claim="the standard design misses the threshold by 10 points or more in both",
        method="formula",
        holds=all(
            survival_at_target(one, standard, target) <= threshold - LEAST_LOSS
            for one in (law, twin)
        ),
    )


def prove_archive(law: ArchiveLaw, threshold: float) -> Iterator[Proof]:
    """Prove that a pair of archive games keeps its promises, in exact fractions."""
    twin = rename_archive(law)
    yield Proof(
        claim="options, columns and returns of options are spread alike in both twins",
        method="exact fractions",
        holds=option_table(law) == option_table(twin)
        and all(column_table(law, slot) == column_table(twin, slot) for slot in (0, 1)),
    )
    best, other = find_best_options(law), find_best_options(twin)
    yield Proof(
        claim="the best options of the twins are opposite, and win in one of them alone",
        method="exact fractions",
        holds=best == tuple(1 - option for option in other)
        and survival_of(law, best) > threshold > survival_of(law, other)
        and survival_of(twin, other) > threshold > survival_of(twin, best),
    )
    flipped = [(1 - best[0], best[1]), (best[0], 1 - best[1])]
    yield Proof(
        claim="with one option wrong the threshold is missed in both",
        method="exact fractions",
        holds=all(survival_of(one, wrong) < threshold for one in (law, twin) for wrong in flipped),
    )


def _draw_designs(law: TwinLaw) -> Iterator[TwinDesign]:
    rng = Random("causalgame proofs")
    for _ in range(SAMPLED):
        armour = tuple(rng.randint(0, law.total // PARTS) for _ in range(PARTS))
        yield TwinDesign(armour=armour, options=tuple(rng.randint(0, 1) for _ in range(SLOTS)))
