"""What the audit tries to read off a problem without looking at any row."""

from causarium.contract.probe import Examples, Probe
from causarium.families.replayscm.instance import (
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    true_roots,
)


def _root_examples(instance: ReplayInstance) -> Examples:
    """Return for each variable how often and how it is set, and whether it is a root.

    That is asked of every problem, also where the roots are told: the worlds are the same.
    """
    public = instance.public
    roots, worlds = true_roots(instance), public.train
    count = len(worlds)
    return [
        (
            (
                sum(name in world.targets for world in worlds) / count,
                sum(name in world.targets for world in worlds if world.mode == "hard_constant"),
                place / len(public.variables),
            ),
            name in roots,
        )
        for place, name in enumerate(public.variables)
    ]


PROBES: dict[str, Probe[ReplayPublic, ReplaySecret]] = {
    "roots": Probe(
        about="Tells the roots by how often, and how, each variable is set.",
        examples=_root_examples,
        metric="auc",
    )
}
