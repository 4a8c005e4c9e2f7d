"""How a log is drawn, and the world behind it.

Every condition looks at the log alone. Only when a log is settled are law and truth drawn, the law
evenly from three and the truth evenly over all worlds that fit, so that nothing in the draw says
anything more about them.

Three worlds come first, each of another law. Rows are taken from the runs that come out alike in
all three, and dropped at random while the log still does what it should:

- under each law some run is decisive in all worlds that fit, so that the case can be solved;
- no run is decisive under two of the laws, so that nobody can choose it without the law;
- no run of the log is decisive under any of them, so that nobody can choose it by repeating;
- what the log says of guards and rivals alone leaves no new run that is decisive in more than half
  of the worlds, and under one of the laws the best of them is not, so that those who do not look
  for the helpers have to guess.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

import numpy as np

from causarium.scm.dag import bits
from ..mechanics import OTHERS, Machine, Row, World, build_machine
from ..model.instance import Need, Needs

_MIRROR: dict[Need, Need] = {
    "all": "none",
    "none": "all",
    "one": "one",
    "some": "not all",
    "not all": "some",
}
Laws = tuple[Needs, Needs, Needs]
LAWS: tuple[Laws, ...] = (
    (("none", "not all", "one"), ("none", "not all", "some"), ("one", "some", "all")),
    (("all", "some", "some"), ("all", "some", "not all"), ("one", "not all", "none")),
    (("all", "all", "none"), ("none", "not all", "one"), ("none", "not all", "not all")),
    (("all", "some", "one"), ("all", "some", "some"), ("none", "none", "all")),
    (("all", "all", "not all"), ("none", "one", "all"), ("none", "some", "all")),
    (("all", "one", "none"), ("none", "none", "one"), ("none", "none", "some")),
    (("all", "not all", "none"), ("none", "none", "one"), ("none", "none", "some")),
)
"""Laws under which one log can be shown. With their mirror images, in which moving and being held
change places, they are eighteen, and none is drawn more than 1.3 times as often as on average."""

ROWS_SHOWN = 12
LEAST_ALIKE, LEAST_WORKED = 24, 6
"""Three worlds are passed over if fewer runs come out alike in them, or if the target moves in
fewer of these: most logs of such runs would say too little."""
THREES = 512
"""How many threes of worlds are looked at together."""
MOST_BLIND = 0.151
"""In the worlds that come first, how often a run of so many parts may be decisive by chance."""
BEST_GUESS = 0.5
"""What guards and rivals alone may say of a run that is not in the log."""


class DrawnLog(NamedTuple):
    """A log under one of its laws, and the world that is true."""

    machine: Machine
    log: tuple[Row, ...]
    truth: World


def draw_logs(rng: Random) -> tuple[DrawnLog, ...]:
    """Draw a log, under each of its three laws."""
    laws: Sequence[Needs] = rng.choice(LAWS)
    if rng.random() < 0.5:
        laws = [mirror(needs) for needs in laws]
    machines = [build_machine(needs) for needs in laws]
    log = _draw_rows(machines, rng)
    fitting = [(machine, machine.list_fitting(machine.fit_all(log))) for machine in machines]
    return tuple(DrawnLog(machine, log, rng.choice(worlds)) for machine, worlds in fitting)


def mirror(needs: Needs) -> Needs:
    """Return the law in which moving and being held change places."""
    helped, rivalled, allowed = needs
    return _MIRROR[helped], _MIRROR[rivalled], _MIRROR[allowed]


def _draw_rows(machines: Sequence[Machine], rng: Random) -> tuple[Row, ...]:
    tables = [_pack(machine) for machine in machines]
    hidden = [_find_hidden(machine) for machine in machines]
    while True:
        chance = np.frombuffer(rng.randbytes(2 * len(tables) * THREES), dtype="<u2")
        picks = zip(tables, hidden, chance.reshape(len(tables), THREES), strict=True)
        # By law, without and with the suspects: on which backgrounds the target moves.
        moves = np.stack([table[:, few[pick % len(few)]] for table, few, pick in picks])
        decisive = np.bitwise_or.reduce(moves[:, 1] & ~moves[:, 0])
        alike = ~(np.bitwise_or.reduce(moves) & ~np.bitwise_and.reduce(moves)) & ~decisive
        many = np.bitwise_count(alike).sum(axis=0) >= LEAST_ALIKE
        worked = np.bitwise_count(alike & moves[0]).sum(axis=0) >= LEAST_WORKED
        for three in np.flatnonzero(many & worked):
            log = _Runs(tables, moves[..., three]).drop_rows(alike[:, three].tolist(), rng)
            if log and _needs_helpers(machines, log):
                return log


def _pack(machine: Machine) -> np.ndarray:
    """Return by world, as one number, on which backgrounds the target moves, without and with."""
    flags = np.packbits(machine.moves, axis=1, bitorder="little")
    return np.ascontiguousarray(flags.transpose(0, 2, 1)).view("<u8")[..., 0]


def _find_hidden(machine: Machine) -> np.ndarray:
    """Return the worlds in which a run is seldom decisive that is chosen without the log."""
    by_size = [machine.decisive[machine.sizes == size] for size in range(OTHERS + 1)]
    blind = np.max([some.mean(axis=0) for some in by_size], axis=0)
    return np.flatnonzero(blind <= MOST_BLIND)


class _Runs:
    """The runs of three worlds, one of each law, and where other worlds of these laws differ."""

    def __init__(self, tables: Sequence[np.ndarray], moves: np.ndarray) -> None:
        self._moves = moves[0].tolist()
        self._differ = [table ^ one[:, None] for table, one in zip(tables, moves, strict=True)]
        self._decisive = [table[1] & ~table[0] for table in tables]

    def drop_rows(self, kept: list[int], rng: Random) -> tuple[Row, ...] | None:
        """Drop runs at random, down to a log; None where it would no longer do.

        Args:
            kept: Which runs there are at first, without and with the suspects.
            rng: Where chance comes from.
        """
        if not self._will_do(kept):
            return None
        runs = [(suspects, c) for suspects in (0, 1) for c in bits(kept[suspects])]
        surplus = len(runs) - ROWS_SHOWN
        for suspects, c in rng.sample(runs, len(runs)):
            kept[suspects] ^= 1 << c
            if surplus and self._will_do(kept):
                surplus -= 1
            else:
                kept[suspects] ^= 1 << c
        if surplus:
            return None
        return tuple(
            Row(suspects > 0, c, bool(self._moves[suspects] >> c & 1))
            for suspects, c in runs
            if kept[suspects] >> c & 1
        )

    def _will_do(self, kept: list[int]) -> bool:
        """Say whether each law has a sure run, and no run is decisive twice or logged."""
        rows = np.array(kept, dtype="<u8")[:, None]
        taken = kept[0] | kept[1]
        for differ, decisive in zip(self._differ, self._decisive, strict=True):
            left = decisive[~(differ & rows).any(axis=0)]
            some = int(np.bitwise_or.reduce(left))
            if some & taken or not np.bitwise_and.reduce(left):
                return False
            taken |= some
        return True


def _needs_helpers(machines: Sequence[Machine], log: Sequence[Row]) -> bool:
    """Say whether guards and rivals alone leave it to chance which run is decisive."""
    earned = 0.0
    for machine in machines:
        shares = machine.weigh_new_runs(log, machine.fit_without_helpers(log))
        if shares.max() > BEST_GUESS:
            return False
        best = machine.weigh_runs(machine.fit_all(log))[shares == shares.max()]
        earned += fmean(best.tolist())
    return earned <= len(machines) - 1
