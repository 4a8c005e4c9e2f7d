"""The machine of `laws`: which worlds there may be, and which of them a log leaves.

A machine has two suspects, a target and six others. In a run every part but the target is moved or
held by hand. Of the others two are *helpers*, two *rivals* and two *guards*. No rival is a guard;
one helper is a rival or a guard as well, and the other one is neither. The target moves when the
guards allow it and something drives it: the rivals, or the live suspect with its helpers. What each
pair has to do for that is the law, one of the words of `MEETS` for each.

A world says who helps, who rivals and who guards; which suspect is live is a coin beside it. A
*background* says which others move. It is *decisive* in a world if guards and helpers do what they
must and the rivals do not: then, with one suspect moved and the other held, the target moves
exactly if the moved one is live. Any other background looks the same whichever it is. Every world
has a decisive background.

Others are numbers from 0 on, and a set of others is a mask. A set of worlds is an array of flags,
one for each in the order of `Machine.worlds`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from causarium.errors import ContractError
from causarium.scm.dag import bits, mask_of
from .model.instance import LinkPublic, MachineSecret, Need, Needs

if TYPE_CHECKING:
    import numpy as np

OTHERS = 6
"""How many parts a machine has beside its suspects and its target."""
MEETS: Mapping[Need, Callable[[Any], Any]] = {
    "all": lambda moved: moved == 2,
    "none": lambda moved: moved == 0,
    "one": lambda moved: moved == 1,
    "some": lambda moved: moved > 0,
    "not all": lambda moved: moved < 2,
}
"""Whether a pair does what is needed if so many of its parts move; also for arrays."""


def _is_met(need: Need, moved: int) -> bool:
    return bool(MEETS[need](moved.bit_count()))


class World(NamedTuple):
    """One way in which the machine may be built, as masks over the others."""

    helpers: int
    rivals: int
    guards: int
    needs: Needs

    def moves(self, background: int, *, live: bool) -> bool:
        """Say whether the target moves.

        Args:
            background: Which others move.
            live: Whether the live suspect moves.
        """
        helped = _is_met(self.needs[0], self.helpers & background)
        return self.allows(background) and (self.is_driven(background) or (live and helped))

    def is_driven(self, background: int) -> bool:
        """Say whether the rivals do what drives the target."""
        return _is_met(self.needs[1], self.rivals & background)

    def allows(self, background: int) -> bool:
        """Say whether the guards do what lets the target move."""
        return _is_met(self.needs[2], self.guards & background)

    def decides(self, background: int) -> bool:
        """Say whether a run on this background tells which suspect is live."""
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

    def __init__(self, needs: Needs) -> None:
        # Here, so that importing the family does not import numpy.
        import numpy as np

        self.needs = needs
        self.backgrounds = range(1 << OTHERS)
        self.sizes = np.bitwise_count(self.backgrounds)
        """How many others move, by background."""
        self.parts = np.array(list(list_builds())).T
        """Helpers, rivals and guards, by world."""
        met = self.find_met(np.arange(1 << OTHERS))
        # A machine in which the suspects never make a difference is none.
        can_tell = (met[0] & ~met[1] & met[2]).any(axis=0)
        self.parts = self.parts[:, can_tell]
        self.worlds = tuple(World(h, r, g, needs) for h, r, g in self.parts.T.tolist())
        helped, rivalled, allowed = met[..., can_tell]
        self.moves = np.stack([allowed & rivalled, allowed & (rivalled | helped)])
        """Whether the target moves without and with the suspects, by background and by world."""
        self.decisive = self.moves[1] & ~self.moves[0]
        """Whether a background is decisive, by background and by world."""

    def find_met(self, backgrounds: "np.ndarray") -> "np.ndarray":
        """Say where helpers, rivals and guards do what is needed, by background and world."""
        import numpy as np

        moved = np.bitwise_count(self.parts[:, None] & backgrounds[:, None])
        return np.stack([MEETS[need](count) for need, count in zip(self.needs, moved, strict=True)])

    def fit_all(self, log: Log) -> "np.ndarray":
        """Return the worlds that fit every row of a log."""
        import numpy as np

        suspects, moved, target = np.array(log).T
        left: np.ndarray = (self.moves[suspects, moved] == target[:, None]).all(axis=0)
        return left

    def fit_without_helpers(self, log: Log) -> "np.ndarray":
        """Return by world whether a log leaves it for those who forget that anybody helps.

        Where the target moves, the guards allow it, and the rivals drive it or the suspects may;
        where it rests, guards and rivals do not both do what is needed.
        """
        import numpy as np

        _, rivalled, allowed = self.find_met(np.array([row.moved for row in log]))
        suspects, _, target = np.array(log).T[:, :, None] > 0
        barred = target & ~allowed | target & ~suspects & ~rivalled | ~target & allowed & rivalled
        left: np.ndarray = ~barred.any(axis=0)
        return left

    def weigh_runs(self, left: "np.ndarray") -> "np.ndarray":
        """Return in how large a share of some worlds each background is decisive.

        Given all that is shown, the truth is even over the worlds that fit. So whoever plays a
        background earns this share of them, however it came to be chosen.
        """
        shares: np.ndarray = self.decisive[:, left].mean(axis=1)
        return shares

    def weigh_new_runs(self, log: Log, left: "np.ndarray") -> "np.ndarray":
        """Return the shares of all backgrounds, and 0 for those that a log has."""
        shares = self.weigh_runs(left)
        shares[[row.moved for row in log]] = 0
        return shares

    def list_fitting(self, left: "np.ndarray") -> list[World]:
        """Return the worlds of a set, in order."""
        return [self.worlds[place] for place in left.nonzero()[0]]

    def has_sure(self, left: "np.ndarray") -> bool:
        """Say whether some background is decisive in all of these worlds, at least one."""
        return bool(left.any() and self.decisive[:, left].all(axis=1).any())

    def find_best(self, left: "np.ndarray") -> int:
        """Return the background that is decisive in most of these worlds, the leanest of them."""
        shares = self.weigh_runs(left)
        return int((self.sizes + 2 * OTHERS * (shares < shares.max())).argmin())


def list_builds() -> Iterator[tuple[int, int, int]]:
    """Yield every choice of helpers, rivals and guards."""
    pairs = [1 << one | 1 << other for one, other in combinations(range(OTHERS), 2)]
    for helpers, rivals, guards in product(pairs, repeat=3):
        if not rivals & guards and (helpers & (rivals | guards)).bit_count() == 1:
            yield helpers, rivals, guards


@lru_cache(maxsize=64)  # milliseconds each, and every case asks for three
def build_machine(needs: Needs) -> Machine:
    """Return the machine of a law."""
    return Machine(needs)


class LogCase(NamedTuple):
    """A case of `laws` as numbers: its others are its names in listing order."""

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
        case = cls(build_machine(shown.needs), (), others)
        rows = (Row(public.cause in r.moved, case.mask(r.moved), r.target) for r in shown.log)
        return case._replace(log=tuple(rows))

    @property
    def left(self) -> "np.ndarray":
        """The worlds that fit the log."""
        return self.machine.fit_all(self.log)

    def world(self, secret: MachineSecret) -> World:
        """Return the true world."""
        helpers, rivals, guards = map(self.mask, (secret.helpers, secret.rivals, secret.guards))
        return World(helpers, rivals, guards, self.machine.needs)

    def mask(self, names: Collection[str]) -> int:
        """Return the mask of those others that are among `names`."""
        return mask_of(x for x, name in enumerate(self.others) if name in names)

    def list_names(self, background: int) -> tuple[str, ...]:
        """Return who moves on a background."""
        return tuple(self.others[x] for x in bits(background))
