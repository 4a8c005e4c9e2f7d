"""The form of an instance that renaming and listing its properties anew does not change.

Every property has a column of numbers: its value in each record, in the manipulator and in the
reactor. Columns in ascending order stand for the properties, and arrows join columns.
"""

from causarium.contract.frozen import canonical_json, digest
from causarium.families.causalab.instance import FREQUENCY, LabInstance


def kin(instance: LabInstance) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    public, secret = instance.public, instance.secret
    readings = (*public.records, *(step.reading for step in public.chain), public.manipulator)
    columns = {
        name: [
            *(reading.values[place] for reading in readings),
            public.reactor[place],
            secret.manipulator_bases[place],
            secret.reactor_bases[place],
        ]
        for place, name in enumerate(public.names)
    }
    order = sorted(columns, key=lambda name: columns[name])
    number = {**{name: place for place, name in enumerate(order)}, FREQUENCY: len(order)}
    arrows = sorted(
        [number[edge.cause], number[edge.effect], edge.linear, edge.square] for edge in secret.edges
    )
    return digest(
        canonical_json(
            {
                "columns": [columns[name] for name in order],
                "frequencies": [reading.frequency for reading in readings],
                "arrows": arrows,
                "base": secret.base_frequency,
                "target": secret.target,
            }
        )
    )
