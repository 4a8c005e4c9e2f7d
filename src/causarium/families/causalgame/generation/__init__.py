"""Draw instances of both editions, each from its level, the seed and its index alone."""

from collections.abc import Callable
from typing import Any

from causarium.contract.instance import Instance
from causarium.seeds import entropy
from ..model.config import GameConfig
from ..model.instance import AnyGame, by_edition
from ..model.published.paper_games import paper_game
from .expeditions import draw_expedition
from .published import session_of

FAMILY_NAME = "causalgame"


def generate(config: GameConfig, seed: int, index: int) -> AnyGame:
    """Draw instance `index`: a session of the level's game, or an expedition."""
    address = (FAMILY_NAME, "session", config.edition, config.level, index)
    session_seed = entropy(seed, *address) % 2**63
    id_ = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    drawn = _draw(config, session_seed, id_)
    return AnyGame(id=drawn.id, public=drawn.public, secret=drawn.secret, facets=drawn.facets)


_draw: Callable[..., Instance[Any, Any]] = by_edition(
    lambda config, session_seed, id_: session_of(paper_game(config.game), session_seed, id_),
    lambda config, session_seed, id_: draw_expedition(
        config.tier, config.legs, session_seed, id_, programs_fly=config.programs_fly
    ),
)
