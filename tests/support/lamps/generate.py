"""Drawing lamps."""

from causarium.seeds import stream
from tests.support.lamps.config import LampsConfig
from tests.support.lamps.instance import LampsInstance, LampsPublic, LampsSecret

METALS = ("brass", "bronze", "chrome", "copper", "gold", "iron", "nickel", "silver", "steel", "tin")


def generate(config: LampsConfig, seed: int, index: int) -> LampsInstance:
    """Draw the lamp number `index`."""
    rng = stream(seed, "lamps", "1-A", config.level, index)
    switches = tuple(rng.sample(METALS, config.switches))
    return LampsInstance(
        id=f"lamps-{config.level}-{seed}-{index:04d}",
        public=LampsPublic(switches=switches),
        secret=LampsSecret(wired=rng.choice(switches), fuse_ohm=round(rng.uniform(10, 99), 6)),
        facets={"level": config.level, "size": config.switches},
    )
