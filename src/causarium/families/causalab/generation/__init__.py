"""Draw instances: those of the bench, and those of the paper edition."""

from collections.abc import Callable

from causarium.families.causalab.generation.bench import draw_bench_instance
from causarium.families.causalab.generation.published import draw_paper_instance
from causarium.families.causalab.model.config import BenchConfig, LabConfig
from causarium.families.causalab.model.stored_instance import EitherInstance, by_edition

_draw: Callable[..., EitherInstance] = by_edition(draw_bench_instance, draw_paper_instance)


def generate(config: LabConfig | BenchConfig, seed: int, index: int) -> EitherInstance:
    """Draw one instance.

    Args:
        config: The level.
        seed: The seed of the set.
        index: Which instance of the level.
    """
    return _draw(config, seed, index)
