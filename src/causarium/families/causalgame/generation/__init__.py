"""Draw expeditions, each from its level, the seed and its index alone."""

from causarium.seeds import entropy
from ..model.config import GameConfig
from ..model.expeditions import Expedition
from .expeditions import draw_expedition

FAMILY_NAME = "causalgame"


def generate(config: GameConfig, seed: int, index: int) -> Expedition:
    """Draw instance `index`: an expedition."""
    address = (FAMILY_NAME, "session", config.edition, config.level, index)
    session_seed = entropy(seed, *address) % 2**63
    id_ = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    return draw_expedition(
        config.tier, config.legs, session_seed, id_, programs_fly=config.programs_fly
    )
