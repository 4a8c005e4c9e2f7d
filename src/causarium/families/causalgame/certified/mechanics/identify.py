"""Effects read off a law: the ID algorithm, by fixing one node after the other.

After Richardson, Evans, Robins and Shpitser, "Nested Markov properties for acyclic directed mixed
graphs" (2023), theorem 48. A law is an array with one axis of length two for each node, after a
first axis for laws that are treated alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .story import Story, list_nodes, spread

Law = NDArray[np.float64]


@dataclass
class _Kernel:
    """What is left of a story and its law when some nodes have been fixed."""

    parents: list[int]
    siblings: list[int]
    free: int
    law: Law | None

    def can_fix(self, node: int) -> bool:
        """Tell whether no effect of a node is in its district."""
        return self._descend(node) & self._find_district(node) == 1 << node

    def _descend(self, node: int) -> int:
        children = [0] * len(self.parents)
        for child in list_nodes(self.free):
            for cause in list_nodes(self.parents[child]):
                children[cause] |= 1 << child
        return spread(1 << node, tuple(children), self.free)

    def _find_district(self, node: int) -> int:
        return spread(1 << node, tuple(self.siblings), self.free)

    def fix(self, node: int) -> None:
        """Fix a node: divide by its chance given all that it does not move."""
        if self.law is not None:
            later = tuple(1 + other for other in list_nodes(self._descend(node) & ~(1 << node)))
            before = self.law.sum(axis=later, keepdims=True) if later else self.law
            self.law = self.law / (before / before.sum(axis=1 + node, keepdims=True))
        self.free &= ~(1 << node)
        self.parents[node] = 0
        self.siblings[node] = 0
        for other in list_nodes(self.free):
            self.siblings[other] &= ~(1 << node)


def is_identified(story: Story, fixed: int) -> bool:
    """Tell whether the book determines the return when the nodes in a mask are set by hand."""
    return _find_kernels(story, fixed, None) is not None


def find_share(story: Story, law: Law, settings: Mapping[int, int]) -> NDArray[np.float64] | None:
    """Return the share of returns under `settings`, one for each law; None if not identified."""
    found = find_law(story, law, settings, 1 << story.result)
    return None if found is None else found[..., 1].reshape(len(law))


def find_law(story: Story, law: Law, settings: Mapping[int, int], wanted: int) -> Law | None:
    """Return the law of the nodes in a mask under `settings`; None if not identified."""
    fixed = sum(1 << node for node in settings)
    # First by the diagram alone: where it fails, cells may be empty.
    if _find_kernels(story, fixed, None, wanted) is None:
        return None
    kernels = _find_kernels(story, fixed, law, wanted) or []
    product = np.ones((len(law), *[1] * story.nodes))
    for kernel in kernels:
        product = product * kernel
    relevant = _find_relevant(story, fixed, wanted)
    for node in range(story.nodes):
        axis = 1 + node
        if product.shape[axis] == 1:
            continue
        if node in settings or not relevant >> node & 1:
            product = product.take([settings.get(node, 0)], axis=axis)
        elif not wanted >> node & 1:
            product = product.sum(axis=axis, keepdims=True)
    return product


def _find_relevant(story: Story, fixed: int, wanted: int) -> int:
    everything = (1 << story.nodes) - 1
    return spread(wanted, story.parents, everything & ~fixed)


def _find_kernels(
    story: Story, fixed: int, law: Law | None, wanted: int | None = None
) -> list[Law] | None:
    """Return one kernel for each district that matters; None if one cannot be reached."""
    everything = (1 << story.nodes) - 1
    left = _find_relevant(story, fixed, 1 << story.result if wanted is None else wanted)
    relevant, kernels = left, []
    while left:
        district = spread(left & -left, story.siblings, relevant)
        left &= ~district
        kernel = _Kernel(list(story.parents), list(story.siblings), everything, law)
        outside = everything & ~district
        while outside:
            node = next((one for one in list_nodes(outside) if kernel.can_fix(one)), None)
            if node is None:
                return None
            kernel.fix(node)
            outside &= ~(1 << node)
        if kernel.law is not None:
            kernels.append(kernel.law)
    return kernels
