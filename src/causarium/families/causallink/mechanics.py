"""The machine of the log levels: which worlds there may be, and which of them a log leaves.

A machine has two suspects, a target and some others. In a run every part but the target is moved or
held by hand. The target moves when all parts of one of its sets move and no brake moves. One set,
the *live* one, holds one of the two suspects and some others, its *helpers*; the *rival* set holds
others alone; a *brake* is in no set, and no set lies within another.

A world says who helps, who is the rival set and who brakes; which suspect is in the live set is a
coin beside it. A *background* says which others move. It is *decisive* in a world if all helpers
move, the rival set does not and no brake does: then, with one suspect moved and the other held, the
target moves exactly if the moved one is in the live set. Any other background looks the same
whichever it is.

Others are numbers from 0 on, and a set of others is a mask. A set of worlds is a number too, with
one bit for each world in the order of `Machine.worlds`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from causarium.errors import ContractError
from causarium.families.causallink.model.instance import LinkPublic, MachineSecret


class Law(NamedTuple):
    """What is said of a machine: how many others there are, and how large its sets may be."""

    others: int
    helpers: tuple[int, ...]
    rivals: tuple[int, ...]
    brakes: tuple[int, ...]


class World(NamedTuple):
    """One way in which the machine may be built, as masks over the others."""

    helpers: int
    rival: int
    brakes: int

    def moves(self, background: int, *, live: bool) -> bool:
        """Say whether the target moves.

        Args:
            background: Which others move.
            live: Whether the suspect of the live set moves.
        """
        if self.brakes & background:
            return False
        return not self.rival & ~background or (live and not self.helpers & ~background)

    def decides(self, background: int) -> bool:
        """Say whether a run on this background tells which suspect is in the live set."""
        return self.moves(background, live=True) and not self.moves(background, live=False)


class Row(NamedTuple):
    """One logged run: the suspects moved together or were held together."""

    suspects: bool
    moved: int
    """The others that were seen to move."""
    unseen: int
    """The others behind the screen; all that are neither were seen to be held."""
    target: bool

    def fillings(self) -> Iterator[int]:
        """Yield every background that the row may have had."""
        part = self.unseen
        while True:
            yield self.moved | part
            if not part:
                return
            part = (part - 1) & self.unseen

    def state(self, other: int) -> str:
        """Return what was seen of one of the others: `1` moved, `0` held, `?` unseen."""
        return "?" if self.unseen >> other & 1 else str(self.moved >> other & 1)


Log = Sequence[Row]


class Machine:
    """The worlds of one law, and for each background those in which the target moves."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.worlds = tuple(list_worlds(law))
        self.every = (1 << len(self.worlds)) - 1
        """The set of all worlds."""
        self.backgrounds = range(1 << law.others)
        self.live = self._collect(live=True)
        """For each background, where the target moves if the suspects move."""
        self.rival = self._collect(live=False)
        """For each background, where the target moves though the suspects are held."""
        self.decisive = tuple(a & ~b for a, b in zip(self.live, self.rival, strict=True))
        """For each background, where it is decisive."""

    def _collect(self, *, live: bool) -> tuple[int, ...]:
        return tuple(
            sum(1 << bit for bit, world in enumerate(self.worlds) if world.moves(c, live=live))
            for c in self.backgrounds
        )

    def fit(self, row: Row) -> int:
        """Return the worlds that some filling of a row fits."""
        moves = self.live if row.suspects else self.rival
        fitting = 0
        for background in row.fillings():
            fitting |= moves[background] if row.target else self.every & ~moves[background]
        return fitting

    def fit_all(self, log: Log) -> int:
        """Return the worlds that fit every row of a log."""
        left = self.every
        for row in log:
            left &= self.fit(row)
        return left

    def list_fitting(self, left: int) -> Iterator[World]:
        """Yield the worlds of a set, in order."""
        while left:
            lowest = left & -left
            yield self.worlds[lowest.bit_length() - 1]
            left ^= lowest

    def share(self, left: int, background: int) -> float:
        """Return in how large a share of some worlds a background is decisive.

        Args:
            left: The worlds, at least one.
            background: Which others move.
        """
        return (left & self.decisive[background]).bit_count() / left.bit_count()

    def has_sure(self, left: int) -> bool:
        """Say whether some background is decisive in all of these worlds."""
        return any(not left & ~decisive for decisive in self.decisive)

    def find_best(self, left: int) -> int:
        """Return the background that is decisive in most of these worlds, the leanest of them."""
        return max(self.backgrounds, key=lambda c: (self.share(left, c), -c.bit_count()))


def list_worlds(law: Law) -> Iterator[World]:
    """Yield every world of a law."""
    for helpers in list_masks(law.others, law.helpers):
        for rival in list_masks(law.others, law.rivals):
            if rival & ~helpers:
                for brakes in list_masks(law.others, law.brakes):
                    if not brakes & (helpers | rival):
                        yield World(helpers, rival, brakes)


def list_masks(others: int, sizes: Iterable[int]) -> Iterator[int]:
    """Yield every set of so many others.

    Args:
        others: How many others there are.
        sizes: How many of them a set may have.
    """
    for size in sizes:
        for chosen in combinations(range(others), size):
            yield sum(1 << other for other in chosen)


@lru_cache(maxsize=4)
def build_machine(law: Law) -> Machine:
    """Return the machine of a law: 45 ms to build for six others, and a family has two laws."""
    return Machine(law)


class LogCase(NamedTuple):
    """A case of a log level as numbers: its others are its names in listing order."""

    machine: Machine
    log: tuple[Row, ...]
    others: tuple[str, ...]

    @classmethod
    def of(cls, public: LinkPublic) -> "LogCase":
        """Read what is shown of a case.

        Raises:
            ContractError: The case has no machine.
        """
        shown = public.machine
        if shown is None:
            raise ContractError("a case without a machine has no log to be read")
        three = {public.cause, shown.companion, public.effect}
        others = tuple(name for name in public.shapes if name not in three)
        law = Law(len(others), shown.helpers, shown.rivals, shown.brakes)
        rows = tuple(
            Row(
                public.cause in row.moved,
                name_mask(others, row.moved),
                name_mask(others, row.unseen),
                row.target,
            )
            for row in shown.log
        )
        return cls(build_machine(law), rows, others)

    @property
    def left(self) -> int:
        """The worlds that fit the log."""
        return self.machine.fit_all(self.log)

    def world(self, secret: MachineSecret) -> World:
        """Return the true world."""
        return World(
            helpers=name_mask(self.others, secret.helpers),
            rival=name_mask(self.others, secret.rival),
            brakes=name_mask(self.others, secret.brakes),
        )

    def list_names(self, background: int) -> tuple[str, ...]:
        """Return who moves on a background."""
        return tuple(name for x, name in enumerate(self.others) if background >> x & 1)


def name_mask(others: Sequence[str], names: Iterable[str]) -> int:
    """Return the mask of those others that are among `names`."""
    chosen = frozenset(names)
    return sum(1 << x for x, name in enumerate(others) if name in chosen)
