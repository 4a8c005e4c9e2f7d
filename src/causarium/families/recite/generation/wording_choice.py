"""Which family of wordings a document is written in."""

from pathlib import Path
from random import Random

from causarium.families.recite.catalogue.wordings import read_wording, wordings
from causarium.families.recite.config import ReciteConfig
from causarium.families.recite.mechanics.wording import Wording


def choose_wording(config: ReciteConfig, rng: Random) -> Wording:
    """Return a family of the level's half, or the private one that it names."""
    if config.wordings:
        return read_wording(Path(config.wordings))
    return rng.choice([wording for wording in wordings() if wording.split == config.split])
