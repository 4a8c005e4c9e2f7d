"""The form of a problem that renaming and listing its variables and units anew does not change.

Every variable has a column of bits in every world, and whether it was set there. Columns in
ascending order stand for the variables.
"""

from causarium.contract.frozen import canonical_json, digest
from causarium.families.replayscm.model.instance import ReplayInstance


def kin(instance: ReplayInstance) -> str:
    """Return a digest that a problem shares with all that are the same under other names.

    What is told of the structure and what is asked for do not count: the same worlds are the same
    problem in every setting.
    """
    worlds = (*instance.public.train, *instance.secret.heldout)
    columns = sorted(
        [[name in world.targets, world.columns[name]] for world in worlds]
        for name in instance.public.variables
    )
    return digest(canonical_json(columns))
