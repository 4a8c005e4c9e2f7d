"""How much of a model's structure each setting tells."""

from itertools import pairwise
from random import Random
from typing import NamedTuple

from causarium.families.replayscm.generation.true_models import ROOTS, Latent
from causarium.families.replayscm.model.config import FAMILY_NAME, Pool
from causarium.families.replayscm.model.instance import Setting
from causarium.scm.boolean.row_evidence import Admissible
from causarium.seeds import stream


class Disclosure(NamedTuple):
    """What a setting tells of a model's structure."""

    roots: tuple[str, ...] | None
    order: tuple[str, ...] | None = None
    blocks: tuple[tuple[str, ...], ...] | None = None


def disclose_setting(
    setting: Setting, latent: Latent, pool: Pool, seed: int, index: int
) -> Disclosure:
    """Return what a setting tells; of one model it always tells the same."""
    if setting == "hidden_roots":
        return Disclosure(None)
    roots = _names(latent, latent.order[:ROOTS])
    if setting.endswith("ordered"):
        return Disclosure(roots, order=tuple(latent.variables[i] for i in latent.order))
    if setting == "block_order":
        rng = stream(seed, FAMILY_NAME, "blocks", pool, index)
        return Disclosure(roots, blocks=(roots, *_blocks(latent, rng)))
    return Disclosure(roots)


def admissible_of(setting: Setting, latent: Latent) -> Admissible:
    """Return the models that a setting with a full order or with none admits."""
    if setting.endswith("ordered"):
        return Admissible.from_order(latent.n, latent.scm.roots, latent.endogenous)
    return Admissible.from_roots(latent.n, latent.scm.roots)


def _blocks(latent: Latent, rng: Random) -> list[tuple[str, ...]]:
    """Cut the order of the variables with mechanisms into two or three runs of similar length."""
    rest = latent.endogenous
    count = min(rng.choice((2, 3)), len(rest))
    cuts = [round(part * len(rest) / count) for part in range(count + 1)]
    return [_names(latent, rest[a:b]) for a, b in pairwise(cuts)]


def _names(latent: Latent, members: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(latent.variables[i] for i in sorted(members))
