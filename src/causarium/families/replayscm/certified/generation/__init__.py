"""Draw an instance: a system, the worlds that are shown of it, and what is asked."""

from causarium.seeds import stream
from ..levels import ReplayConfig
from ..model import FAMILY_NAME, ReplayInstance
from .disguise import disguise_drawn
from .first_rungs import draw_lamp, draw_tree
from .systems import draw_system


def generate(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Return the instance with this address; it depends on nothing else."""
    name = f"{FAMILY_NAME}-rung-{config.rung}-{f's{seed}-' if seed else ''}{index:04d}"
    if config.rung == 1:
        drawn = draw_lamp(seed, index)
    elif config.rung == 2:
        drawn = draw_tree(seed, index)
    else:
        drawn = draw_system(config, stream(seed, FAMILY_NAME, "ladder", config.rung, index))
    rng = stream(seed, FAMILY_NAME, "disguise", config.rung, index)
    return disguise_drawn(name, config, drawn, rng)
