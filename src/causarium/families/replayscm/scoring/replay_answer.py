"""What a model did in the worlds of a problem, counted, and how much it is like another one."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from causarium.families.replayscm.play.compile_answer import Answer, Executable, Refusal
from causarium.families.replayscm.scoring.packed_rows import Group, Known
from causarium.scm.dag import bits
from causarium.scoring.graph_scores import EdgeAgreement


class Worlds(NamedTuple):
    """How a model replays one group of worlds."""

    exact: int
    """How many worlds it replays in every scored cell."""
    of: int
    wrong_cells: int
    cells: int
    """How many cells are scored: those of its own mechanisms, where nobody intervened."""

    @property
    def all_exact(self) -> bool:
        """Whether every world is replayed exactly."""
        return self.exact == self.of


class Replayed(NamedTuple):
    """What a model does in a problem."""

    model: Executable
    train: Worlds
    heldout: Worlds
    wrong: dict[str, int]
    """For each mechanism, causes first, the rows whose replayed value is not the seen one."""
    columns: dict[str, int]
    """The replayed values of every variable."""
    known: Known
    """Its truth tables and what its mechanisms really depend on."""


class Evaluation(NamedTuple):
    """What became of one answer."""

    answer: Answer
    refusal: Refusal | None
    replayed: Replayed | None
    """None if the answer was refused."""
    slips: int = 0
    """How many formulas had to be forgiven their form."""


def count_worlds(group: Group, wrong: Mapping[str, int], cells: int) -> Worlds:
    """Count what is right and wrong in a group of worlds.

    Args:
        group: The worlds.
        wrong: For each mechanism the rows that are wrong.
        cells: How many cells are scored.
    """
    anywhere = mistakes = 0
    for mask in wrong.values():
        if mask and (here := mask & group.rows):
            anywhere |= here
            mistakes += here.bit_count()
    count = len(group.places)
    if not anywhere:
        return Worlds(count, count, 0, cells)
    exact = count - sum([bool(anywhere & place.rows) for place in group.places])
    return Worlds(exact, count, mistakes, cells)


class Likeness(NamedTuple):
    """How much a model is like a known one, mechanism by mechanism."""

    same_parents: int
    """How many mechanisms depend on exactly what the known ones do."""
    same_rule: int
    """How many are the same function."""
    of: int


def compare(ours: Known, theirs: Known) -> Likeness:
    """Compare two models that have mechanisms for the same variables."""
    mechanisms = theirs.mechanisms
    return Likeness(
        same_parents=sum([ours.parents[i] == theirs.parents[i] for i in mechanisms]),
        same_rule=sum([ours.tables[i] == theirs.tables[i] for i in mechanisms]),
        of=len(mechanisms),
    )


def compare_parents(proposed: Sequence[int], true: Sequence[int]) -> EdgeAgreement:
    """Count how the edges into every variable agree, given as masks of parents."""
    matched = extra = missing = turned = 0
    for i, (ours, theirs) in enumerate(zip(proposed, true, strict=True)):
        matched += (ours & theirs).bit_count()
        if ours == theirs:
            continue
        missing += (theirs & ~ours).bit_count()
        extra += (ours & ~theirs).bit_count()
        for j in bits(ours & ~theirs):
            turned += (true[j] & ~proposed[j]) >> i & 1
    return EdgeAgreement(
        matched=matched, reversed=turned, missing=missing - turned, extra=extra - turned
    )
