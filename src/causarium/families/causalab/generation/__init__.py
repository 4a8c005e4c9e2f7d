"""Draw instances: those of the bench, and those of the paper edition."""

from collections.abc import Callable

from causarium.families.causalab.generation.bench import draw_bench_instance
from causarium.families.causalab.generation.published import draw_paper_instance
from causarium.families.causalab.model.stored_instance import EitherInstance, by_edition

generate: Callable[..., EitherInstance] = by_edition(draw_bench_instance, draw_paper_instance)
"""(a level, a seed, an index) to an instance."""
