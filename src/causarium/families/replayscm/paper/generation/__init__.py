"""Draw problems; the modules that draw are loaded when the first one is asked for."""

from ..levels import ReplayConfig
from ..model.instance import ReplayInstance


def generate(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level."""
    from .problems import generate_problem

    return generate_problem(config, seed, index)
