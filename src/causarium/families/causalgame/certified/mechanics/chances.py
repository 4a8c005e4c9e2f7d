"""Chances: an explicit model of a story, and the laws that it makes.

Many models of one story are treated at once: every array has a first axis for them. All chances of
a drawn model are multiples of 1/32, those of unrecorded causes of 1/8, so that sums and products
over at most seven nodes and six unrecorded causes are exact in floating point.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .identify import Law
from .story import Story, are_separate, list_nodes

BY_LOT = 2
"""In place of a value: half and half, drone by drone."""


@dataclass(frozen=True, eq=False)
class Chances:
    """The chances of each node, given its causes; axes past the nodes are unrecorded causes."""

    nodes: int
    causes: tuple[tuple[int, ...], ...]
    """The causes of each node, in the order of the axes of its table."""
    tables: tuple[NDArray[np.float64], ...]
    """The chance of 1 for each node: an axis for the models, then one for each cause."""
    hidden: tuple[NDArray[np.float64], ...]
    """The chance of 1 for each unrecorded cause."""

    def make_law(self, settings: Mapping[int, int] | None = None) -> Law:
        """Return the law of all nodes, where some may be set by hand or by lot."""
        setting, axes = settings or {}, self.nodes + len(self.hidden)
        law: Law = np.ones((1, *[1] * axes))
        for place, chance in enumerate(self.hidden):
            law = law * _spread_table(chance, (), self.nodes + place, axes)
        for node in range(self.nodes):
            if node in setting:
                value = setting[node]
                chance = np.array([0.5 if value == BY_LOT else float(value)])
                law = law * _spread_table(chance, (), node, axes)
            else:
                law = law * _spread_table(self.tables[node], self.causes[node], node, axes)
        seen: Law = law.sum(axis=tuple(range(1 + self.nodes, 1 + axes)))
        return seen

    def make_rows_law(self, unseen: tuple[int, int] | None) -> Law:
        """Return the law of the rows: of all drones, or of those that passed the check.

        Args:
            unseen: The unrecorded cause and the module's value at which drones have no rows.
        """
        law = self.make_law()
        if unseen is None:
            return law
        place, weight = unseen[0] - self.nodes, self.hidden[unseen[0] - self.nodes]
        certain = (*self.hidden[:place], np.ones(len(weight)), *self.hidden[place + 1 :])
        part = Chances(self.nodes, self.causes, self.tables, certain).make_law()
        where: tuple[int | slice, ...] = (*[slice(None)] * (self.nodes - 1), unseen[1])
        kept = np.array(law)
        kept[where] -= part[where] * weight.reshape(-1, *[1] * (self.nodes - 1))
        rows: Law = kept / kept.sum(axis=tuple(range(1, law.ndim)), keepdims=True)
        return rows

    def rename(self, places: tuple[int, ...]) -> "Chances":
        """Return the models with each axis `v` called `places[v]`."""
        back = sorted(range(self.nodes), key=lambda node: places[node])
        causes = (tuple(places[one] for one in self.causes[node]) for node in back)
        tables = tuple(self.tables[node] for node in back)
        return Chances(self.nodes, tuple(causes), tables, self.hidden)

    def turn(self, turned: int) -> "Chances":
        """Return the models with the values of the nodes in a mask exchanged."""
        tables = []
        for node, (causes, table) in enumerate(zip(self.causes, self.tables, strict=True)):
            axes = tuple(1 + place for place, cause in enumerate(causes) if turned >> cause & 1)
            flipped = np.flip(table, axis=axes)
            tables.append(1 - flipped if turned >> node & 1 else flipped)
        return Chances(self.nodes, self.causes, tuple(tables), self.hidden)

    def find_share(self, result: int, settings: Mapping[int, int]) -> NDArray[np.float64]:
        """Return the share of 1 at node `result` under some settings, one for each model."""
        law = self.make_law(settings)
        others = tuple(1 + node for node in range(self.nodes) if node != result)
        share: NDArray[np.float64] = law.sum(axis=others)[:, 1]
        return share

    def pick(self, chosen: NDArray[np.bool_] | slice) -> "Chances":
        """Return some of the models."""
        tables = tuple(table[chosen] for table in self.tables)
        return Chances(self.nodes, self.causes, tables, tuple(one[chosen] for one in self.hidden))


def _spread_table(
    table: NDArray[np.float64], causes: tuple[int, ...], node: int, axes: int
) -> NDArray[np.float64]:
    """Return the chances of both values of a node, with its axes in their places."""
    order = sorted(range(len(causes)), key=lambda place: causes[place])
    table = table.transpose(0, *(1 + place for place in order))
    shape = [len(table), *[2 if axis in causes else 1 for axis in range(axes)]]
    chance = table.reshape(shape)
    return np.concatenate([1 - chance, chance], axis=1 + node)


def plan_copies(story: Story) -> dict[int, int] | None:
    """Return the node that each unrecorded cause is a copy of, as a mask for the other node.

    None if a pair is joined by an arrow too, or has no end without told causes and without other
    unrecorded causes.
    """
    sources: dict[int, int] = {}
    for pair in sorted(story.hidden):
        if not story.arrows.isdisjoint({pair, pair[::-1]}):
            return None
        for one, other in (pair, pair[::-1]):
            if not story.parents[one] and story.siblings[one] == 1 << other:
                sources[one] = other
                break
        else:
            return None
    return sources


def retell(story: Story, law: Law) -> Chances:
    """Return a model of another story which has this law, if the law is one of that story's.

    Each node has its chances given its told causes, read off the law; the unrecorded cause of two
    nodes is a copy of the natural value of the one that has no told causes (`plan_copies`).
    """
    sources = plan_copies(story) or {}
    axis_of = {source: story.nodes + place for place, source in enumerate(sorted(sources))}
    causes: list[tuple[int, ...]] = []
    tables = []
    for node in range(story.nodes):
        if node in sources:
            causes.append((axis_of[node],))
            tables.append(np.broadcast_to([0.0, 1.0], (len(law), 2)))
            continue
        copied = tuple(source for source in sorted(sources) if sources[source] == node)
        told = tuple(list_nodes(story.parents[node]))
        causes.append((*told, *(axis_of[source] for source in copied)))
        tables.append(_read_chance(law, node, (*told, *copied)))
    hidden = tuple(_read_chance(law, source, ()) for source in sorted(sources))
    return Chances(story.nodes, tuple(causes), tuple(tables), hidden)


def _read_chance(law: Law, node: int, given: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the chance of 1 at a node given others, with axes in their order."""
    kept = sorted((node, *given))
    others = tuple(1 + axis for axis in range(law.ndim - 1) if axis not in kept)
    small = law.sum(axis=others) if others else law
    order = [1 + kept.index(axis) for axis in (*given, node)]
    small = small.transpose(0, *order)
    chance: NDArray[np.float64] = small[..., 1] / small.sum(axis=-1)
    return chance


def can_retell(teller: Story, story: Story) -> bool:
    """Tell whether every law of `teller` is a law of `story`, by the construction of `retell`."""
    sources, order = plan_copies(story), story.order
    if sources is None or order is None:
        return False
    before = 0
    for node in (*sources, *(node for node in order if node not in sources)):
        given = story.parents[node]
        for source, other in sources.items():
            given |= (other == node) << source
        if given & ~before or not are_separate(teller, node, before & ~given, given):
            return False
        before |= 1 << node
    return True
