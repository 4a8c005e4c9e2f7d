"""Every pair of worlds that a plan allows, as masks, and which of them fit what was seen.

A *pair* says who plays which part; its two worlds differ in whether the object asked about is in
the first group, or its stand-in. Objects are numbers in listing order without the object asked
about; that one has the highest number. A column holds the mask of one part in each pair.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Self, TypeAlias

import numpy as np

from ..model import LinkPublic, Parts, Plan

Masks: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.uint16]]"
Flags: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.bool_]]"


_ALL = 0xFFFF
"""The mask of all objects; a table has at most sixteen."""


class Pairs:
    """Some pairs of worlds of one plan."""

    def __init__(self, asked: int, columns: dict[str, Masks], lively: int = 0) -> None:
        self.asked = asked
        """The mask of the object asked about."""
        self.lively = lively
        """The mask of the objects that move when they are left alone."""
        self.columns = columns
        self._rivals = [name for name in columns if name.startswith("rival")]

    def __len__(self) -> int:
        return len(self.columns["partners"])

    def take(self, chosen: "Flags | np.ndarray[tuple[int], np.dtype[np.intp]]") -> Self:
        """Return some of these pairs."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        return type(self)(self.asked, columns, self.lively)

    def reach(self, hands: int) -> Flags:
        """Return for which pairs so many hands are enough for a decisive trial.

        Each partner and the object asked about must move, the stand-in and all stoppers must not,
        and no other group may move in full: a hand each, unless they do so left alone.
        """
        parts = self.columns
        still, lively = np.uint16(~self.lively & _ALL), np.uint16(self.lively)
        needed = np.bitwise_count(parts["partners"] & still) + np.bitwise_count(
            (parts["stand_in"] | parts["stoppers"]) & lively
        )
        if not self.asked & self.lively:
            needed = needed + 1
        moving: Masks | np.uint16 = lively
        if "starters" in parts:
            moving = np.where(parts["starters"] & lively, parts["started"] | lively, lively)
        for name in self._rivals:
            needed = needed + (parts[name] & ~moving == 0)
        return np.asarray(needed <= hands)

    def move(self, started: int, held: int) -> tuple[Flags, Flags]:
        """Return in which pairs the target moves if the answer is yes, and if it is no."""
        parts = self.columns
        moving: Masks | np.uint16 = np.uint16((started | self.lively) & ~held)
        if "starters" in parts:
            woken = parts["started"] & np.uint16(~held & _ALL)
            moving = np.where(parts["starters"] & moving, woken | moving, moving)
        free = (parts["stoppers"] & moving) == 0
        rival = np.zeros(len(self), bool)
        for name in self._rivals:
            rival |= (parts[name] & ~moving) == 0
        first = (parts["partners"] & ~moving) == 0
        yes = first if (started | self.lively) & ~held & self.asked else False
        no = first & ((parts["stand_in"] & moving) != 0)
        return free & (rival | yes), free & (rival | no)


@lru_cache(maxsize=4)
def list_pairs(plan: Plan, objects: int) -> Pairs:
    """Return all pairs that a plan allows on a table of so many objects."""
    others = objects - 1
    columns: dict[str, Masks] = {}
    used = np.zeros(1, np.uint16)
    sizes = {"partners": plan.group - 1, "stand_in": 1}
    sizes |= {f"rival{place}": size for place, size in enumerate(plan.rivals)}
    sizes |= {"stoppers": plan.stoppers, "starters": plan.starters}
    for name, size in sizes.items():
        if not size and name == "starters":
            continue
        masks = np.fromiter(_list_masks(others, size), np.uint16)
        fits = (used[:, None] & masks) == 0
        before = sizes.get(previous := _name_before(name))
        if before == size:
            # Groups of one size are told apart by nothing.
            fits &= columns[previous][:, None] < masks
        rows, picks = fits.nonzero()
        columns = {key: column[rows] for key, column in columns.items()}
        columns[name], used = masks[picks], used[rows] | masks[picks]
    if plan.starters:
        columns = _add_started(columns, others)
    return Pairs(1 << others, columns)


def _list_masks(others: int, size: int) -> Iterator[int]:
    return (sum(1 << x for x in chosen) for chosen in combinations(range(others), size))


def _name_before(name: str) -> str:
    return f"rival{int(name[5:]) - 1}" if name.startswith("rival") else ""


def _add_started(columns: dict[str, Masks], others: int) -> dict[str, Masks]:
    """Let the starter start each object of the other groups."""
    rivals = [column for name, column in columns.items() if name.startswith("rival")]
    either = np.bitwise_or.reduce(rivals)
    found = [(either >> x & 1).nonzero()[0] for x in range(others)]
    rows = np.concatenate(found)
    started = np.repeat(1 << np.arange(others, dtype=np.uint16), [len(some) for some in found])
    return {**{name: column[rows] for name, column in columns.items()}, "started": started}


class Table:
    """What is known of an instance: its objects as numbers, and the pairs that fit its rows."""

    def __init__(self, public: LinkPublic) -> None:
        others = [name for name in public.objects if name != public.asked]
        self.names = (*others, public.asked)
        """The objects by their numbers."""
        pairs = list_pairs(public.plan, len(self.names))
        self.pairs = Pairs(pairs.asked, pairs.columns, self.mask(public.lively))
        """The pairs that fit what is shown."""
        if public.trials:
            self.pairs = self.pairs.take(self.pairs.reach(public.hands))
            for row in public.watched:
                yes, no = self.pairs.move(self.mask(row.started), self.mask(row.held))
                self.pairs = self.pairs.take((yes == row.moved) & (no == row.moved))

    def mask(self, names: Collection[str]) -> int:
        """Return the mask of some objects."""
        return sum(1 << number for number, name in enumerate(self.names) if name in names)

    def list_names(self, mask: int) -> tuple[str, ...]:
        """Return the objects of a mask."""
        return tuple(name for number, name in enumerate(self.names) if mask >> number & 1)

    def read_parts(self, place: int) -> Parts:
        """Return who plays which part in the pair at some place."""
        masks = {name: int(column[place]) for name, column in self.pairs.columns.items()}
        names = {name: self.list_names(mask) for name, mask in masks.items()}
        return Parts(
            partners=names["partners"],
            stand_in=names["stand_in"][0],
            rivals=tuple(names[name] for name in names if name.startswith("rival")),
            stoppers=names["stoppers"],
            starters=names.get("starters", ()),
            started=names.get("started", ()),
        )

    def find(self, parts: Parts) -> Flags:
        """Return which of the pairs is that of some parts; none if it is not among them."""
        columns = self.pairs.columns
        found: Flags = columns["partners"] == np.uint16(self.mask(parts.partners))
        # Groups of one size stand in the order of their masks.
        rivals = sorted(map(self.mask, parts.rivals), key=lambda mask: (-mask.bit_count(), mask))
        wanted = {
            "stand_in": self.mask((parts.stand_in,)),
            "stoppers": self.mask(parts.stoppers),
            "starters": self.mask(parts.starters),
            "started": self.mask(parts.started),
            **{f"rival{place}": mask for place, mask in enumerate(rivals)},
        }
        for name, mask in wanted.items():
            if name in columns:
                found = found & (columns[name] == np.uint16(mask))
        return found
