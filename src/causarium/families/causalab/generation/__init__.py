"""Draw instances: those of the bench, and those of the paper edition."""

from causarium.families.causalab.generation.bench import draw_bench_instance
from causarium.families.causalab.generation.published import draw_paper_instance
from causarium.families.causalab.model.stored_instance import by_edition

generate = by_edition(draw_bench_instance, draw_paper_instance)
"""(a level, the seed of a set, the index) to one instance."""
