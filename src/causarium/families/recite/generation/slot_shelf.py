"""The slot documents of this package, and which of them a pair of twins is drawn from."""

import hashlib
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

from causarium.errors import BadFile, UsageError
from causarium.families.recite.config import FAMILY_NAME, ReciteConfig, Shape
from causarium.families.recite.generation.slot_checks import load_slot_document
from causarium.families.recite.generation.slot_documents import (
    Draw,
    SlotDocument,
    bind_volume,
    draw_twins,
    list_pages,
    share_names,
)
from causarium.seeds import stream

FOLDER = Path(__file__).parent / "slots"
BOUND = 2
"""So many documents make a volume, where there are as many for a split."""
FIRST_TRAINING_SEED, FIRST_PRIVATE_SEED = 2**60, 3 * 2**60
"""Seeds between these are for training: splits have seed spaces of their own."""


@cache
def read_shelf() -> tuple[SlotDocument, ...]:
    """Return every document, checked, in the order of its file name.

    Raises:
        BadFile: One of them is not what it should be.
    """
    return tuple(load_slot_document(path) for path in sorted(FOLDER.glob("*.slots.toml")))


def draw_pair(config: ReciteConfig, seed: int, pair: int) -> Draw:
    """Draw a pair of twins of a level; pair i is of the (i mod n)-th of n documents.

    Args:
        config: The level.
        seed: The seed; that of a training split draws from documents for training alone.
        pair: The number of the pair.

    Raises:
        UsageError: No document can be drawn at this level.
    """
    documents = _choose_documents(config, seed)
    if not documents:
        raise UsageError(f"no slot document can be drawn at level {config.level}")
    document = documents[pair % len(documents)]
    rng = stream(seed, FAMILY_NAME, config.shape, document.key, pair // len(documents))
    if config.shape == "page":
        document = rng.choice(list_pages(document))
    return draw_twins(document, "far" if config.shape in {"far", "dossier"} else "near", rng)


def _choose_documents(config: ReciteConfig, seed: int) -> Sequence[SlotDocument]:
    if config.slots:
        own = load_slot_document(Path(config.slots))
        return [own] if _fits(own, config.shape) else []
    split = "train" if FIRST_TRAINING_SEED <= seed < FIRST_PRIVATE_SEED else "test"
    fitting = [one for one in read_shelf() if one.split == split and _fits(one, config.shape)]
    if config.shape != "dossier":
        return fitting
    return [
        bind_volume(three, " · ".join(one.title for one in three))
        for three in combinations(fitting, min(BOUND, len(fitting)))
        if not share_names(three)
    ]


def _fits(document: SlotDocument, shape: Shape) -> bool:
    return ("far" if shape == "dossier" else shape) in document.levels


def hash_slot_file(path: str) -> str:
    """Return by what a private file can be told.

    Raises:
        BadFile: It cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]
    except OSError as wrong:
        raise BadFile(f"cannot read the slot file {path}: {wrong}") from wrong
