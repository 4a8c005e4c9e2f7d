"""Could a draw be kin to a test instance? For families with dear draws, by structure alone.

`python -m bench.kin_structure [DRAWS [FAMILY ...]]` makes so many draws a family (300 by default),
spread over splits and the levels of its ladder. Drawn is what lies behind an instance and costs
little: the model of ReplaySCM, the graph of ReCITE. Of that a form is taken that names and order do
not change. Instances that are kin share it: the worlds of a certified problem leave one model, and
the kin of a document holds the edges of its graph. So a draw in a form that no test instance has is
kin to none of them, whichever split it is for. The others are drawn whole and compared.
"""

import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from bench.kin import DRAWS, SALT, SEED, SHARES
from bench.measure import Measurement
from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.sets.splits import (
    list_test_places,
    read_reserved_kin,
    shorten_kin,
    split_seed,
)
from causarium.errors import UnknownName
from causarium.families.recite.generation.generate import generate as draw_recite
from causarium.families.recite.generation.made_graphs import Latent
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits

ROUNDS = 3
"""How often each node takes up the colours of its neighbours."""


Node = TypeVar("Node", bound=Hashable)


def find_form(colours: Mapping[Node, int], edges: Iterable[tuple[Node, Node]]) -> int:
    """Return a number that two graphs share if they are the same under other names.

    Args:
        colours: What is known of each node, without its name.
        edges: Cause and effect of each edge.
    """
    pairs = list(edges)
    for _ in range(ROUNDS):
        around: dict[Node, list[int]] = {node: [] for node in colours}
        for cause, effect in pairs:
            around[cause].append(2 * colours[effect])
            around[effect].append(2 * colours[cause] + 1)
        colours = {node: hash((colours[node], *sorted(around[node]))) for node in colours}
    return hash(tuple(sorted(colours.values())))


def find_model_form(model: BooleanScm) -> int:
    """Return the form of a Boolean model."""
    ones = {x: table.bit_count() for x, table in enumerate(model.tables)}
    edges = ((cause, x) for x, parents in enumerate(model.parents) for cause in bits(parents))
    return find_form(ones, edges)


def find_edge_form(edges: Sequence[tuple[Node, Node]]) -> int:
    """Return the form of a graph; only its edges count."""
    return find_form({node: 0 for edge in edges for node in edge}, edges)


class Structure(NamedTuple):
    """How a family's structure is drawn alone, and found in a whole draw."""

    draw: Callable[[Any, int, int], int]
    """The form at a level, seed and index, at little cost."""
    read: Callable[[Any, int, int], int]
    """The same from what is drawn there whole."""


STRUCTURES = {
    "recite": Structure(
        lambda level, seed, index: find_edge_form(Latent(level, seed, index).loops.edges),
        lambda level, seed, index: find_edge_form(draw_recite(level, seed, index).secret.pairs),
    ),
}


def run(draws: int = DRAWS // 2, names: Iterable[str] = STRUCTURES) -> Iterator[Measurement]:
    """Yield the lines of this bench.

    Args:
        draws: How many draws a family.
        names: Which families.
    """
    for name in names:
        if name not in STRUCTURES:
            raise UnknownName("family", name, STRUCTURES)
        family, structure = families.get(name), STRUCTURES[name]
        test_kin, test_forms = read_reserved_kin(family), _collect_forms(family, structure)
        start = time.process_time()
        count = whole = hits = 0
        for level_name, seed, index in _list_places(family, draws):
            level = family.level(level_name)
            count += 1
            if structure.draw(level, seed, index) in test_forms:
                whole += 1
                hits += shorten_kin(family, family.generate(level, seed, index)) in test_kin
        seconds = time.process_time() - start
        about = f"{name}: {count:,} draws"
        work = f"{about}, kin of {len(test_kin):,} test instances"
        yield Measurement(work, "hits", hits, target="0")
        yield Measurement(f"{about}, of a test instance's form and drawn whole", "draws", whole)
        yield Measurement(f"{name}: CPU time of a draw", "ms", 1000 * seconds / count)


def _collect_forms(family: AnyFamily, structure: Structure) -> frozenset[int]:
    """Return the forms of all test instances."""
    forms = set()
    for name, seed, index in list_test_places(family):
        # On these levels a slow test holds one against the other.
        find = structure.draw if name in family.card.ladder else structure.read
        forms.add(find(family.level(name), seed, index))
    return frozenset(forms)


def _list_places(family: AnyFamily, draws: int) -> Iterator[tuple[str, int, int]]:
    """Yield level, seed and index of so many draws; levels that share a pool share no index."""
    levels = family.card.ladder
    for split, share in SHARES.items():
        seed = split_seed(split, SEED, SALT)
        for index in range(draws * share // sum(SHARES.values())):
            yield levels[index % len(levels)], seed, index


def main() -> int:
    """Run it with the size and the families of the command line; 1 where there is a hit."""
    draws = int(sys.argv[1]) if sys.argv[1:] else DRAWS // 2
    hits = 0.0
    for line in run(draws, sys.argv[2:] or STRUCTURES):
        print(f"{line.work}: {line.ours:,.4g} {line.unit}", flush=True)
        hits += line.ours if line.unit == "hits" else 0
    return 1 if hits else 0


if __name__ == "__main__":
    raise SystemExit(main())
