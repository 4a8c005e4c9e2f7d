"""Names compared by a small model of word meanings, where a run asks for it.

The package `wordllama` carries its weights and its tokenizer inside its wheel, so nothing is
fetched. It averages word vectors: it knows that a car is like a vehicle, and it takes opposites for
alike. Without the rule `embeddings`, scoring never looks whether it is installed, so that scores do
not depend on the machine.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from causarium.errors import UsageError
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.scoring.match_nodes import Similarity

_DIMENSIONS = 256
"""The size of the vectors that the wheel carries."""


class _Model(Protocol):
    def embed(self, texts: list[str], *, norm: bool) -> object: ...


def similarity_of(rules: ReciteRules) -> Similarity | None:
    """Return the comparison that the rules ask for, or None for words alone."""
    return similarity if rules.embeddings else None


def similarity(some: Sequence[str], others: Sequence[str]) -> list[list[float]]:
    """Return the cosine of each of some names with each of others.

    Raises:
        UsageError: The package is not installed.
    """
    import numpy as np

    model = _model()
    left, right = (
        np.asarray(model.embed([name.casefold() for name in names], norm=True), dtype=np.float64)
        for names in (some, others)
    )
    # Rounded, so that the last bits of another machine's sums decide nothing.
    return cast("list[list[float]]", np.round(left @ right.T, 4).tolist())


@cache
def _model() -> _Model:
    try:
        wordllama = import_module("wordllama")
    except ImportError as wrong:
        raise UsageError(
            "names cannot be compared by embeddings: the package wordllama is not installed; "
            "`pip install 'causarium[embeddings]'` does, or play without the rule `embeddings`"
        ) from wrong
    # It looks for its own tokenizer in a folder that it does not have, and then in the cache's.
    packed = Path(str(wordllama.__file__)).parent
    loaded = wordllama.WordLlama.load(dim=_DIMENSIONS, cache_dir=packed, disable_download=True)
    return cast("_Model", loaded)
