"""How many models fit all rows, exactly, and one of them drawn uniformly.

A mechanism of `v` that reads just the set `P` can be chosen in as many ways as there are functions
that fit and depend on all of `P`. Weighted so, acyclic graphs are counted by their sinks with
inclusion and exclusion. Counting the models that fit further rows as well gives the exact chance
that a model drawn uniformly among those that fit the first gets the further ones right.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.errors import UsageError
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence, Known
from causarium.scm.boolean.shortest_formulas import fitting
from causarium.scm.dag import bits, mask_of


@dataclass(frozen=True, eq=False)
class Count:
    """The models that fit what is known, counted."""

    known: Known

    @classmethod
    def of(cls, evidence: Evidence, admissible: Admissible) -> "Count":
        """Count the admissible models that fit all of `evidence`."""
        return cls(Known.of(evidence, admissible))

    @cached_property
    def by_roots(self) -> dict[int, "Graphs"]:
        """The models with each root set that is feasible."""
        ways = mechanisms(self.known)
        return {roots: Graphs(self.known, roots, ways) for roots in self.known.feasible_roots}

    @cached_property
    def total(self) -> int:
        """How many models fit."""
        return sum(graphs.total for graphs in self.by_roots.values())

    def draw(self, rng: Random) -> BooleanScm:
        """Draw one of the models that fit, each with the same probability.

        Raises:
            UsageError: None fits.
        """
        if not self.total:
            raise UsageError("no admissible model fits these rows, so none can be drawn")
        at = rng.randrange(self.total)
        for graphs in self.by_roots.values():
            if at < graphs.total:
                return graphs.draw(rng)
            at -= graphs.total
        raise AssertionError("a number below the total lies in one of its parts")


def mechanisms(known: Known) -> NDArray[np.int64]:
    """Return, for each variable and mask of parents, how many fitting functions read just these."""
    layout, n = known.admissible.layout, known.admissible.n
    counts = np.zeros((n, 1 << n), np.int64)
    covered = np.bitwise_count(known.seen).astype(np.int64)
    free = (np.int64(1) << (layout.sizes - 1)) - covered
    for v in range(n):
        fits = known.explains[v]
        counts[v, layout.parents[v, fits]] = np.int64(1) << free[v, fits]
    for v in range(n):
        pairs = counts.reshape(n, -1, 2, 1 << v)
        pairs[:, :, 1] -= pairs[:, :, 0]
    small = np.zeros(1 << n, np.bool_)
    small[0] = True
    small[layout.masks[layout.sizes <= layout.k]] = True
    counts[:, ~small] = 0
    return _keep_allowed_ways(known, counts)


def _keep_allowed_ways(known: Known, ways: NDArray[np.int64]) -> NDArray[np.int64]:
    masks = np.arange(1 << known.admissible.n, dtype=np.uint32)
    outside = ~np.array(known.admissible.allowed, np.uint32)[:, None]
    return cast("NDArray[np.int64]", np.where(masks & outside, 0, ways))


class Graphs:
    """The fitting models with one root set.

    Sets of variables are masks over the variables with mechanisms alone, counted from 0.
    """

    def __init__(self, known: Known, roots: int, ways: NDArray[np.int64]) -> None:
        self.known, self.roots, self.ways = known, roots, ways
        n = known.admissible.n
        self.variables = [v for v in range(n) if not roots >> v & 1]
        summed = ways[self.variables]
        for v in range(n):
            if roots >> v & 1:
                pairs = summed.reshape(len(summed), -1, 2, 1 << v)
                pairs[:, :, 1] += pairs[:, :, 0]
        sets = np.array([self._mask(s) | roots for s in range(1 << len(self.variables))])
        exact = summed[:, sets]
        self.exact = cast("list[list[int]]", exact.tolist())
        """For each variable and set, the ways to read just this set, and any of the roots."""
        for i in range(len(self.variables)):
            pairs = exact.reshape(len(exact), -1, 2, 1 << i)
            pairs[:, :, 1] += pairs[:, :, 0]
        self.within = cast("list[list[int]]", exact.tolist())
        """For each variable and set, the ways to read within this set and the roots."""
        self._without_sinks: dict[int, list[int]] = {}

    def _mask(self, inner: int) -> int:
        return mask_of(self.variables[i] for i in bits(inner))

    @cached_property
    def counts(self) -> list[int]:
        """For each set, how many models there are of it alone."""
        totals = [1] + [0] * ((1 << len(self.variables)) - 1)
        for below, count in enumerate(totals):
            if count:
                for sinks, ways in self._add_sinks(below, -count):
                    if sinks:
                        totals[below | sinks] += ways
        return totals

    @property
    def total(self) -> int:
        """How many models there are."""
        return self.counts[-1]

    def _add_sinks(self, below: int, start: int) -> list[tuple[int, int]]:
        """Return, for each set of sinks above `below`, `start` times its ways, sign by sign."""
        signed = [(0, start)]
        for i, within in enumerate(self.within):
            if not below >> i & 1 and within[below]:
                factor = -within[below]
                signed += [(sinks | 1 << i, ways * factor) for sinks, ways in signed]
        return signed

    def draw(self, rng: Random) -> BooleanScm:
        """Draw one of the models, each with the same probability.

        Variables are taken away one by one, each time the sink with the lowest number. What is
        taken away must be remembered as far as it left others without a child.
        """
        n = self.known.admissible.n
        parents, tables = [0] * n, [0] * n
        left, busy = (1 << len(self.variables)) - 1, 0
        while left:
            i, inner, busy = self._draw_sink(rng, left, busy)
            left &= ~(1 << i)
            v = self.variables[i]
            parents[v] = self._draw_parents(rng, v, inner)
            tables[v] = draw_function(rng, self.known, v, parents[v])
        return BooleanScm(n, self.roots, tuple(parents), tuple(tables))

    def _draw_sink(self, rng: Random, left: int, busy: int) -> tuple[int, int, int]:
        """Draw the lowest sink, its parents, and which of the rest must have a child there."""
        options: list[tuple[int, int, int]] = []
        weights: list[int] = []
        for i in bits(left & ~busy):
            rest = left & ~(1 << i)
            childless = busy | left & ((1 << i) - 1)
            without = self._count_without_sinks(rest)
            inner = rest
            while True:
                weight = self.exact[i][inner] * without[childless & ~inner]
                if weight:
                    options.append((i, inner, childless & ~inner))
                    weights.append(weight)
                if not inner:
                    break
                inner = (inner - 1) & rest
        return options[_pick(rng, weights)]

    def _count_without_sinks(self, nodes: int) -> list[int]:
        """Return, for each set, how many models of `nodes` have no sink in the set."""
        if nodes not in self._without_sinks:
            counts = [0] * (1 << len(self.variables))
            below = nodes
            while True:
                ways = self.counts[below]
                for i in bits(nodes & ~below) if ways else ():
                    ways *= -self.within[i][below]
                counts[nodes & ~below] = ways
                if not below:
                    break
                below = (below - 1) & nodes
            for i in bits(nodes):
                bit = 1 << i
                for s in range(len(counts)):
                    if s & bit:
                        counts[s] += counts[s ^ bit]
            self._without_sinks[nodes] = counts
        return self._without_sinks[nodes]

    def _draw_parents(self, rng: Random, variable: int, inner: int) -> int:
        own, some = self._mask(inner), self.roots
        options = []
        while True:
            options.append(own | some)
            if not some:
                break
            some = (some - 1) & self.roots
        return options[_pick(rng, [int(self.ways[variable, mask]) for mask in options])]


def draw_function(rng: Random, known: Known, variable: int, parents: int) -> int:
    """Draw one of the functions that fit and depend on all of `parents`, uniformly."""
    zeros, ones = known.facts(variable, parents)
    tables = fitting(zeros, ones, parents.bit_count())
    return int(tables[rng.randrange(len(tables))])


def _pick(rng: Random, weights: list[int]) -> int:
    at = rng.randrange(sum(weights))
    for i, weight in enumerate(weights):
        if at < weight:
            return i
        at -= weight
    raise AssertionError("a number below the total lies in one of its parts")
