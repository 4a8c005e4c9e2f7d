"""Draw instances: those of the bench, and those of the paper edition."""

from typing import cast

from causarium.families.causalab.generation.bench import draw_bench_instance
from causarium.families.causalab.generation.published import draw_paper_instance
from causarium.families.causalab.model.config import BenchConfig, LabConfig
from causarium.families.causalab.model.stored_instance import EitherInstance


def generate(config: LabConfig | BenchConfig, seed: int, index: int) -> EitherInstance:
    """Draw instance `index` of a level."""
    if isinstance(config, BenchConfig):
        return cast("EitherInstance", draw_bench_instance(config, seed, index))
    return cast("EitherInstance", draw_paper_instance(config, seed, index))
