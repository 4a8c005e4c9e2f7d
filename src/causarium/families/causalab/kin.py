"""The form of an instance that renaming and listing its properties anew does not change.

Paper: every property has a column of numbers: its value in each record, in the manipulator and in
the reactor. Columns in ascending order stand for the properties, and arrows join columns.

Bench: every node begins with its two readings and whether it can be held, and is described again
and again by its causes, effects and weights, as often as there are nodes.
"""

from causarium.contract.frozen import Json, canonical_json, digest
from causarium.families.causalab.instance import FREQUENCY, LabInstance
from causarium.families.causalab.model.bench_instance import BenchInstance


def make_paper_key(instance: LabInstance) -> str:
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


def make_bench_key(instance: BenchInstance) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    public, secret = instance.public, instance.secret
    marks: dict[str, str] = {
        name: canonical_json([rest, reactor, name in public.holdable, name == FREQUENCY])
        for name, rest, reactor in zip(
            public.nodes, public.manipulator, secret.reactor, strict=True
        )
    }
    for _ in public.nodes:
        beside: dict[str, list[Json]] = {name: [] for name in public.nodes}
        for edge in secret.edges:
            beside[edge.effect].append(["from", edge.weight, marks[edge.cause]])
            beside[edge.cause].append(["to", edge.weight, marks[edge.effect]])
        marks = {
            name: digest(canonical_json([marks[name], sorted(beside[name], key=canonical_json)]))
            for name in public.nodes
        }
    questions: list[Json] = [
        [sorted([marks[name], str(value)] for name, value in one.holds.items()), marks[one.asked]]
        for one in secret.questions
    ]
    return digest(
        canonical_json(
            {
                "nodes": sorted(marks.values()),
                "questions": sorted(questions, key=canonical_json),
                "rules": [public.budget, public.limit, public.largest],
            }
        )
    )
