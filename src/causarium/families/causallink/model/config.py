"""What may be varied when CausalLink instances are drawn."""

from typing import Literal

from pydantic import Field

from causarium.contract.family import Config

QUESTIONS_PER_GRAPH = 6
"""How many questions the paper edition asks of each random graph, as published."""


class LinkConfig(Config):
    """One level of CausalLink."""

    level: str
    """The level's own name; instance ids carry it."""
    kind: Literal["core", "practice", "released", "laws"]
    """`core` enumerates the small structures, `practice` draws pairs of graphs that differ in one
    arrow, `released` draws as the released generator does, `laws` draws machines."""
    draw: str
    """The address of the random streams: levels that share it ask the same questions of the
    same graphs and machines."""
    size: int = Field(default=0, ge=0, le=12)
    """How many variables a drawn graph has; core structures and machines bring their own."""
    distinct: bool = False
    """Leave out the core cases that repeat others under new names."""
    theme: str = "shapes"
    """Which theme words the world."""


LEVELS = {
    config.level: config
    for config in (
        LinkConfig(level="core", kind="core", draw="core"),
        LinkConfig(level="core60", kind="core", draw="core", distinct=True),
        *(
            LinkConfig(level=f"practice-{size}", kind="practice", draw="practice", size=size)
            for size in range(4, 8)
        ),
        LinkConfig(level="laws", kind="laws", draw="laws"),
        LinkConfig(level="laws-nonsense", kind="laws", draw="laws", theme="nonsense"),
        LinkConfig(level="laws-words", kind="laws", draw="laws", theme="words"),
    )
}
"""Every named configuration."""
