"""The levels: the small structures, and graphs of the released generator."""

from typing import Literal

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Edition

QUESTIONS_PER_GRAPH = 6
"""How many questions the paper edition asks of each random graph, as published."""


class LinkConfig(Config):
    """One level of CausalLink."""

    edition: Edition = "paper"
    level: str
    """The level's own name; instance ids carry it."""
    kind: Literal["core", "released"]
    """`core` enumerates the small structures, `released` draws as the released generator does."""
    draw: str
    """The address of the random streams: levels that share it ask the same questions."""
    size: int = Field(default=0, ge=0, le=12)
    """The number of variables of a drawn graph; core structures bring their own."""
    distinct: bool = False
    """Whether core cases that repeat others under new names are left out."""


LEVELS = {
    config.level: config
    for config in (
        LinkConfig(level="paper-core", kind="core", draw="paper-core"),
        LinkConfig(level="paper-core60", kind="core", draw="paper-core", distinct=True),
        *(
            LinkConfig(
                level=f"paper-advanced-{size}", kind="released", draw="paper-advanced", size=size
            )
            for size in range(4, 8)
        ),
    )
}
"""Every named configuration."""
