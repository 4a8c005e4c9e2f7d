"""Draw instances: those of the bench, and those of the paper edition."""

from ..model.stored_instance import by_edition
from .bench import draw_bench_instance
from .published import draw_paper_instance

generate = by_edition(draw_bench_instance, draw_paper_instance)
"""(a level, the seed of a set, the index) to one instance."""
