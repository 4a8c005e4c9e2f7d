"""The form of a case that renaming and listing its variables anew does not change.

A graph is its reachability relation, and a case adds what is active at the start and who is asked
about. Variables are told apart by colours, which are refined until nothing changes; where several
still look alike, each is taken for the first of them in turn, and the least form counts. Variables
that have the same relatives can change places, so one of them stands for all. A log is its rows in
any order, with its parts in the order that gives the least form.

A case and its twin, which differs in the answer alone, share their key: who has seen one knows the
other, and the answers of a split stay as even as they were drawn.
"""

from itertools import permutations, product

from causarium.contract.frozen import canonical_json, digest
from causarium.families.causallink.evidence.diagnosis import Case
from causarium.families.causallink.mechanics import LogCase
from causarium.families.causallink.model.instance import LinkInstance
from causarium.families.causallink.model.reach import Reach
from causarium.scm.dag import bits

Colours = tuple[int, ...]


def canonical_key(instance: LinkInstance) -> str:
    """Return a digest that a case shares with its twin and with all that are the same otherwise."""
    return _key_graph(instance) if instance.public.machine is None else _key_log(instance)


def _key_log(instance: LinkInstance) -> str:
    case = LogCase.of(instance.public)
    columns = {
        x: tuple(sorted((row.suspects, row.target, row.moved >> x & 1) for row in case.log))
        for x in range(len(case.others))
    }
    groups = [
        [x for x in columns if columns[x] == column] for column in sorted(set(columns.values()))
    ]
    forms = (
        sorted(
            [row.suspects, row.target, *(row.moved >> x & 1 for group in order for x in group)]
            for row in case.log
        )
        for order in product(*(permutations(group) for group in groups))
    )
    return digest(canonical_json(min(forms)))


def _key_graph(instance: LinkInstance) -> str:
    case = Case.of(instance)
    colours = tuple(
        4 * (case.start >> x & 1) + 2 * (x == case.cause) + (x == case.effect)
        for x in range(case.reach.n)
    )
    worlds = [world for world in (case.reach, case.twin) if world is not None]
    forms = sorted(_least_form(world, colours) for world in worlds)
    return digest(canonical_json([list(map(list, forms)), sorted(colours)]))


def _least_form(world: Reach, colours: Colours) -> Colours:
    colours = _refine(world, colours)
    shared = next((c for c in sorted(set(colours)) if colours.count(c) > 1), None)
    if shared is None:
        places = [1 << colour for colour in colours]
        rows = {colours[x]: sum(places[y] for y in bits(world.below[x])) for x in range(world.n)}
        return tuple(rows[colour] for colour in sorted(rows))
    alike = [x for x, colour in enumerate(colours) if colour == shared]
    forms, tried = [], set()
    for x in alike:
        relatives = (world.below[x] & ~(1 << x), world.above[x])
        if relatives not in tried:
            tried.add(relatives)
            marked = tuple(2 * c + (c == shared and y != x) for y, c in enumerate(colours))
            forms.append(_least_form(world, marked))
    return min(forms)


def _refine(world: Reach, colours: Colours) -> Colours:
    """Tell variables apart by the colours of their relatives, as far as that goes."""
    while True:
        keys = [
            (
                colour,
                tuple(sorted(colours[y] for y in bits(world.below[x]))),
                tuple(sorted(colours[y] for y in bits(world.above[x]))),
            )
            for x, colour in enumerate(colours)
        ]
        order = {key: place for place, key in enumerate(sorted(set(keys)))}
        if len(order) == len(set(colours)):
            return tuple(order[key] for key in keys)
        colours = tuple(order[key] for key in keys)
