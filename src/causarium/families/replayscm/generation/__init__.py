"""Drawing problems; what draws them is loaded when the first one is asked for."""

from causarium.families.replayscm.model.config import ReplayConfig
from causarium.families.replayscm.model.instance import ReplayInstance


def generate(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level."""
    if config.pool == "units":
        from causarium.families.replayscm.generation.unit_problems import generate_unit_problem

        return generate_unit_problem(config, seed, index)
    from causarium.families.replayscm.generation.problems import generate_paper_problem

    return generate_paper_problem(config, seed, index)
