"""Whether the roots can be told by how the worlds were chosen, without a look at any row.

Setting effects tells more than setting roots, so few worlds would set roots seldom. The choice of
worlds works against that; what is left of it is stated on the family's page and bounded here.
"""

from itertools import product

from causarium.contract.probe import Examples, Probe
from causarium.families.replayscm.instance import (
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    true_roots,
)

_MOST_COUNTED = 3
"""Worlds of so many targets or more are counted together."""


def _ask_which_is_root(instance: ReplayInstance) -> Examples:
    """Ask of a root and another variable which is the root: so often this, so often that first.

    Asking of each variable apart would let the number of variables tell something, for there are
    always three roots; that number is public and no leak.
    """
    roots = true_roots(instance)
    others = [name for name in instance.public.variables if name not in roots]
    pairs = product(enumerate(roots), enumerate(others))
    questions = []
    for (one, root), (two, other) in pairs:
        root_first = (one + two) % 2 == 0
        first, second = (root, other) if root_first else (other, root)
        counts = zip(
            count_settings(instance.public, first),
            count_settings(instance.public, second),
            strict=True,
        )
        questions.append(([a - b for a, b in counts], root_first))
    return questions


def count_settings(public: ReplayPublic, name: str) -> list[float]:
    """Return in how many worlds a variable is set, in all and by kind of world."""
    worlds = [world for world in public.train if name in world.targets]
    constant = sum(world.mode == "hard_constant" for world in worlds)
    sizes = [min(len(world.targets), _MOST_COUNTED) for world in worlds]
    by_size = [float(sizes.count(size)) for size in range(1, _MOST_COUNTED + 1)]
    return [float(len(worlds)), float(constant), float(len(worlds) - constant), *by_size]


PROBES: dict[str, Probe[ReplayPublic, ReplaySecret]] = {
    "roots": Probe(
        about="Which of two variables is a root, by how often and with what each is set.",
        examples=_ask_which_is_root,
        metric="auc",
        allowance=0.08,
        levels=frozenset({"roots"}),
    )
}
"""The probes, by name."""
