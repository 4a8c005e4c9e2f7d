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

Where the law is told anew in each case, the others form three pairs, and what is needed of helpers,
rival set and brakes (which are called guards there) is one of the words of `MEETS` for each.

Others are numbers from 0 on, and a set of others is a mask. A set of worlds is a number too, with
one bit for each world in the order of `Machine.worlds`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from causarium.errors import ContractError
from causarium.families.causallink.model.instance import LinkPublic, MachineSecret, Need, Needs

if TYPE_CHECKING:
    import numpy as np

MEETS: Mapping[Need, Callable[[Any, Any], Any]] = {
    "all": lambda moved, size: moved == size,
    "none": lambda moved, _size: moved == 0,
    "one": lambda moved, _size: moved == 1,
    "some": lambda moved, _size: moved > 0,
    "not all": lambda moved, size: moved < size,
}
"""Whether a set of some size in which so many parts move does what is needed; also for arrays."""
PLAIN: Needs = ("all", "all", "none")
"""What is needed where the law is the same in all cases."""


class Law(NamedTuple):
    """What is said of a machine: how many others there are, and how large its sets may be."""

    others: int
    helpers: tuple[int, ...]
    rivals: tuple[int, ...]
    brakes: tuple[int, ...]
    needs: Needs | None = None
    """What is needed of the sets, if they are pairs without a common part; None: as everywhere."""


class World(NamedTuple):
    """One way in which the machine may be built, as masks over the others."""

    helpers: int
    rival: int
    brakes: int
    needs: Needs = PLAIN

    def moves(self, background: int, *, live: bool) -> bool:
        """Say whether the target moves.

        Args:
            background: Which others move.
            live: Whether the suspect of the live set moves.
        """
        helped, rivalled, allowed = (
            MEETS[need]((part & background).bit_count(), part.bit_count())
            for part, need in zip(self[:3], self.needs, strict=True)
        )
        return bool(allowed and (rivalled or (live and helped)))

    def decides(self, background: int) -> bool:
        """Say whether a run on this background tells which suspect is in the live set."""
        return self.moves(background, live=True) and not self.moves(background, live=False)


class Row(NamedTuple):
    """One logged run: the suspects moved together or were held together."""

    suspects: bool
    moved: int
    """The others that moved."""
    target: bool


Log = Sequence[Row]


class Machine:
    """The worlds of one law, and for each background those in which the target moves."""

    def __init__(self, law: Law) -> None:
        # Here, so that importing the family does not import numpy.
        import numpy as np

        self.law = law
        self.worlds = tuple(list_worlds(law))
        self.every = (1 << len(self.worlds)) - 1
        """The set of all worlds."""
        self.backgrounds = range(1 << law.others)
        self.parts = np.array([world[:3] for world in self.worlds]).T
        """Helpers, rival set and brakes, by world."""
        helped, rivalled, allowed = self.find_met(np.arange(1 << law.others))
        self.moves = np.stack([allowed & rivalled, allowed & (rivalled | helped)])
        """Whether the target moves without and with the suspects, by background and by world."""
        self.live = _collect(self.moves[1])
        """For each background, where the target moves if the suspects move."""
        self.rival = _collect(self.moves[0])
        """For each background, where the target moves though the suspects are held."""
        self.decisive = tuple(a & ~b for a, b in zip(self.live, self.rival, strict=True))
        """For each background, where it is decisive."""

    def find_met(self, backgrounds: "np.ndarray") -> "np.ndarray":
        """Say where helpers, rival set and brakes do what is needed, by background and world."""
        import numpy as np

        moved = np.bitwise_count(self.parts[:, None] & backgrounds[:, None])
        three = zip(self.law.needs or PLAIN, moved, self.parts, strict=True)
        return np.stack([MEETS[need](count, np.bitwise_count(part)) for need, count, part in three])

    def fit(self, row: Row) -> int:
        """Return the worlds that fit a row."""
        moves = (self.live if row.suspects else self.rival)[row.moved]
        return moves if row.target else self.every & ~moves

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


def _collect(table: "np.ndarray") -> tuple[int, ...]:
    """Return each row of a table of flags as a set of worlds."""
    import numpy as np

    rows = np.packbits(table, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in rows)


def list_worlds(law: Law) -> Iterator[World]:
    """Yield every world of a law."""
    for helpers in list_masks(law.others, law.helpers):
        for rival in list_masks(law.others, law.rivals):
            if rival & ~helpers and not (law.needs and rival & helpers):
                for brakes in list_masks(law.others, law.brakes):
                    if not brakes & (helpers | rival):
                        yield World(helpers, rival, brakes, law.needs or PLAIN)


def list_masks(others: int, sizes: Iterable[int]) -> Iterator[int]:
    """Yield every set of so many others.

    Args:
        others: How many others there are.
        sizes: How many of them a set may have.
    """
    for size in sizes:
        for chosen in combinations(range(others), size):
            yield sum(1 << other for other in chosen)


@lru_cache(maxsize=32)  # milliseconds each, and every case asks
def build_machine(law: Law) -> Machine:
    """Return the machine of a law: milliseconds to build, and every case of a set asks for one."""
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
        law = Law(len(others), shown.helpers, shown.rivals, shown.brakes, shown.needs)
        rows = tuple(
            Row(public.cause in row.moved, name_mask(others, row.moved), row.target)
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
            needs=self.machine.law.needs or PLAIN,
        )

    def list_names(self, background: int) -> tuple[str, ...]:
        """Return who moves on a background."""
        return tuple(name for x, name in enumerate(self.others) if background >> x & 1)


def name_mask(others: Sequence[str], names: Iterable[str]) -> int:
    """Return the mask of those others that are among `names`."""
    chosen = frozenset(names)
    return sum(1 << x for x, name in enumerate(others) if name in chosen)
