"""Searches for structural twins: two stories of one law that can call for opposite decisions.

    python -m causarium.families.causalgame.certified.generation.build_catalogue FILE COLUMNS COUNT

A line of the catalogue is a kind, two stories (`Story.write`), the held column and what is hard:

    plain  both stories identify the effect
    lot    the first has an unrecorded cause of module and return, and a column by lot that moves
           the module alone; in the second that column bears on returns, and no cause is unrecorded
    open   the first story does not identify the effect; there is no second

Twins are kept once up to the names of their columns. Drawing depends on this file, so a new one is
a new version of the family.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from causarium.seeds import stream
from ..mechanics.adjust import adjust
from ..mechanics.chances import can_retell, retell
from ..mechanics.identify import Law, is_identified
from ..mechanics.story import Story, spread
from .draw_chances import draw_chances, make_generator
from .draw_twins import find_effect, try_models

NEEDED = 2
"""A pair is kept if so many of the models tried will do, so that drawing is fast."""
COUNTS = {
    1: {"plain": 12, "lot": 1, "open": 12},
    2: {"plain": 700, "lot": 12, "open": 300},
    3: {"plain": 5_400, "lot": 80, "open": 600},
    4: {"plain": 2_000, "lot": 80, "open": 600},
    5: {"plain": 1_000, "lot": 40, "open": 400},
}
PATIENCE = 20_000
"""The search ends when so many candidates in a row bring nothing new."""


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue."""

    kind: str
    story: Story
    twin: Story | None
    held: int | None

    def write(self) -> str:
        """Return the entry without what is hard about it."""
        twin = "-" if self.twin is None else self.twin.write()
        held = "-" if self.held is None else str(self.held)
        return f"{self.kind} {self.story.write()} {twin} {held}"

    def find_key(self) -> str:
        """Return a key that entries share if they differ only in the names of columns."""
        return min(self._rename(names).write() for names in permutations(range(self.story.module)))

    def _rename(self, names: tuple[int, ...]) -> "Entry":
        places = (*names, self.story.module, self.story.result)
        twin = None if self.twin is None else self.twin.rename(places)
        held = None if self.held is None else places[self.held]
        return Entry(self.kind, self.story.rename(places), twin, held)


def draw_story(columns: int, rng: Random, *, linked: float) -> Story:
    """Return a story by lot over pairs; the return has no effects."""
    order = list(range(columns + 1))
    rng.shuffle(order)
    order.append(columns + 1)
    arrows, hidden = set(), set()
    for early, late in combinations(order, 2):
        pair = (min(early, late), max(early, late))
        fate = rng.random()
        if fate < linked * 0.72:
            arrows.add((early, late))
        elif fate < linked:
            hidden.add(pair)
        if pair == (columns, columns + 1) and rng.random() < 0.3:
            hidden.add(pair)
    return Story(columns + 2, frozenset(arrows), frozenset(hidden))


def change_story(story: Story, rng: Random) -> Story:
    """Return the story with one to three of its links changed."""
    arrows, hidden = set(story.arrows), set(story.hidden)
    pairs = list(combinations(range(story.nodes), 2))
    for pair in rng.sample(pairs, rng.choice((1, 2, 2, 2, 3))):
        arrows -= {pair, pair[::-1]}
        hidden -= {pair}
        link = rng.choice((None, "forth", "back", "hidden", "both"))
        if link == "back" and pair[1] != story.result:
            arrows.add(pair[::-1])
        if link == "forth" or (link == "both" and pair == (story.module, story.result)):
            arrows.add(pair)
        if link in {"hidden", "both"}:
            hidden.add(pair)
    return Story(story.nodes, frozenset(arrows), frozenset(hidden))


def search(columns: int, smaller: list[Entry], rng: Random) -> Iterator[Entry]:
    """Yield candidates: pairs that are twins by structure, and open stories.

    Args:
        columns: How many columns they have.
        smaller: Pairs with one column less, on which another is hung; or none.
        rng: Where all randomness comes from.
    """
    while True:
        yield from _draw_lot(columns, rng)
        story = draw_story(columns, rng, linked=rng.choice((0.5, 0.65, 0.8)))
        held = rng.randrange(columns) if columns and rng.random() < 0.5 else None
        if _matters(story) and not is_identified(story, _fix(story, held)):
            yield from _list_open(story, held)
        elif not smaller and _matters(story):
            for _ in range(12):
                yield from _try_pair(story, change_story(story, rng), held)
        if smaller:
            for entry in rng.sample(smaller, min(8, len(smaller))):
                yield from _grow(entry, columns, rng)


def _grow(entry: Entry, columns: int, rng: Random) -> Iterator[Entry]:
    """Yield an entry with one more column, linked alike in both stories or nearly so."""
    places = (*range(columns - 1), columns, columns + 1)
    arrows, hidden = set(), set()
    for node in places:
        fate = rng.random()
        if fate < 0.25:
            arrows.add((columns - 1, node))
        elif fate < 0.5 and node != columns + 1:
            arrows.add((node, columns - 1))
        elif fate < 0.65:
            hidden.add((min(node, columns - 1), max(node, columns - 1)))
    grown = []
    for story in (entry.story, entry.twin):
        assert story is not None  # noqa: S101 - only pairs grow
        larger = story.rename(places)
        grown.append(Story(columns + 2, larger.arrows | arrows, larger.hidden | hidden))
    first, second = grown
    if rng.random() < 0.5:
        second = change_story(second, rng)
    if rng.random() < 0.3:
        first = change_story(first, rng)
    held = entry.held if rng.random() < 0.6 else rng.choice((None, *range(columns)))
    yield from _try_pair(first, second, held)


def _try_pair(story: Story, twin: Story, held: int | None) -> Iterator[Entry]:
    if story == twin or story.order is None or twin.order is None:
        return
    if not (_matters(story) and _matters(twin)) or not can_retell(story, twin):
        return
    fixed = _fix(story, held)
    if is_identified(story, fixed) and is_identified(twin, fixed):
        yield Entry("plain", story, twin, held)


def _fix(story: Story, held: int | None) -> int:
    return 1 << story.module | (0 if held is None else 1 << held)


def _list_open(story: Story, held: int | None) -> Iterator[Entry]:
    pair = (story.module, story.result)
    if pair not in story.hidden or pair not in story.arrows:
        return
    if held is None or (held, story.result) in story.arrows:
        yield Entry("open", story, None, held)


def _draw_lot(columns: int, rng: Random) -> Iterator[Entry]:
    """Yield a story in which a column moves the module alone, and what is told in its place."""
    rest = draw_story(columns - 1, rng, linked=0.5)
    module, result, column = columns, columns + 1, columns - 1
    rest = rest.rename((*range(columns - 1), module, result))
    arrows = rest.arrows | {(column, module), (module, result)}
    hidden = rest.hidden | {(module, result)}
    story = Story(columns + 2, arrows, hidden)
    twin = Story(columns + 2, arrows | {(column, result)}, hidden - {(module, result)})
    if not (_matters(story) and is_lot(story, column)) or not can_retell(story, twin):
        return
    if is_identified(twin, 1 << module) and not is_identified(story, 1 << module):
        yield Entry("lot", story, twin, None)


def is_lot(story: Story, column: int) -> bool:
    """Tell whether nothing moves a column, and it moves the module alone."""
    alone = not story.parents[column] and not story.siblings[column]
    return alone and story.children[column] == 1 << story.module


def _matters(story: Story) -> bool:
    """Tell whether the module moves the return, and every column is linked with another node."""
    everything = (1 << story.nodes) - 1
    if not spread(1 << story.module, story.children, everything) >> story.result & 1:
        return False
    links = zip(story.parents, story.children, story.siblings, strict=True)
    return all(any(masks) for masks in links)


def find_hard(entry: Entry, rng: np.random.Generator) -> str | None:
    """Return which stories have no adjustment set; None if the pair cannot be drawn fast."""
    twin = entry.twin or entry.story
    settings = {} if entry.held is None else {entry.held: 1}
    few = draw_chances(entry.story, 4, rng)
    law = few.make_law()
    effects = [find_effect(few, twin, settings), find_effect(retell(twin, law), twin, settings)]
    if np.allclose(effects[0], effects[1], atol=1e-6):
        return None
    if try_models(entry.story, twin, settings, rng).found < NEEDED:
        return None
    hard = [not _has_adjustment(law, effect, entry) for effect in effects]
    return {(0, 0): "-", (1, 0): "g", (0, 1): "h", (1, 1): "b"}[hard[0], hard[1]]


def _has_adjustment(law: Law, effect: NDArray[np.float64], entry: Entry) -> bool:
    columns = range(entry.story.module)
    for size in range(len(columns) + 1):
        for chosen in combinations(columns, size):
            for held in {None, entry.held}:
                if held not in chosen:
                    found = adjust(law, chosen, None if held is None else (held, 1))
                    if np.allclose(found, effect, atol=1e-9):
                        return True
    return False


def build(
    columns: int, counts: dict[str, int], smaller: list[Entry], seed: int = 0
) -> dict[Entry, str]:
    """Return entries with so many columns, each with what is hard about it."""
    rng = stream(seed, "causalgame", "catalogue", columns)
    arrays = make_generator(rng)
    found: dict[Entry, str] = {}
    seen: set[str] = set()
    left, patience = dict(counts), 0
    for entry in search(columns, smaller, rng):
        patience += 1
        if not any(left.values()) or patience > PATIENCE:
            break
        text = entry.write()
        if not left[entry.kind] or text in seen:
            continue
        seen.add(text)
        hard = find_hard(entry, arrays) if entry.kind == "plain" else "-"
        key = entry.find_key() if hard else ""
        if hard is None or key in seen - {text}:
            continue
        seen.add(key)
        found[entry] = hard
        left[entry.kind] -= 1
        patience = 0
    return found


def main() -> None:
    """Write the catalogue from one column on."""
    folder, rows = Path(sys.argv[1]), []
    pairs: list[Entry] = []
    for columns, counts in COUNTS.items():
        found = build(columns, counts, pairs)
        pairs = [entry for entry in found if entry.kind == "plain"]
        rows = sorted(f"{entry.write()} {hard}" for entry, hard in found.items())
        text = "".join(f"{row}\n" for row in rows)
        (folder / f"catalogue_{columns}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
