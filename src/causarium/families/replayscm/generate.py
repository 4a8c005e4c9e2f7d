"""The way in to drawing problems; what draws them is loaded when it is first asked for."""

from causarium.families.replayscm.config import ReplayConfig
from causarium.families.replayscm.instance import ReplayInstance


def generate(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level."""
    from causarium.families.replayscm.generation.problems import generate_instance

    return generate_instance(config, seed, index)
