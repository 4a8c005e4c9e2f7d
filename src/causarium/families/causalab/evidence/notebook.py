"""What a player has seen: every reading, and which base value each property had at the time.

A property's equation can be read off readings between which its own base stayed the same, so each
reading keeps, for each node, the number of the base that was at work (`eras`), or None where the
property was held by force. The frequency's base never changes; a record that was not cut from the
same piece has another one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from causarium.contract.world import Observation
from causarium.families.causalab.instance import LabPublic

COMMON = 0
"""The number of the base that the frequency has in the manipulator, the reactor and a chain."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One reading."""

    values: tuple[float, ...]
    """The properties in listing order, then the frequency."""
    eras: tuple[int | None, ...]
    """For each node the number of its base value; None where it was held."""
    calm: bool
    """Whether no hidden disturbance can have been at work."""
    target: int | None = None
    """The property that was put to a value just before."""
    before: tuple[float, ...] | None = None
    """The reading of the same crystal just before that."""
    bases: Mapping[int, float] = field(default_factory=dict)
    """The base values that are known, because an intervention put them there."""

    @property
    def calibrated(self) -> bool:
        """Whether the frequency has the base that it has in the reactor."""
        return self.eras[-1] == COMMON


class Notebook:
    """Everything a player has seen of an instance."""

    def __init__(self, public: LabPublic) -> None:
        self.public = public
        self.sights: list[Sight] = []
        self._eras = 0
        for record in public.records:
            eras = self._crystal()
            self.sights.append(Sight((*record.values, record.frequency), eras, calm=True))
        self._note_chain()
        start = (*public.manipulator.values, public.manipulator.frequency)
        self._start = self._now = Sight(start, self._crystal(), calm=True)
        self.sights.append(self._start)

    @property
    def values(self) -> tuple[float, ...]:
        """What the manipulator's crystal now reads."""
        return self._now.values

    def note(self, target: int, value: float, seen: Observation) -> bool:
        """Note what putting property `target` to a value showed; False if it was refused."""
        found = values_in(seen)
        if not seen.legal or found is None:
            return False
        self.add(target, value, found)
        return True

    def add(self, target: int, value: float, values: Sequence[float]) -> None:
        """Add the reading after property `target` was put to a value."""
        self._now = self._make_next_sight(self._now, target, value, values)
        self.sights.append(self._now)

    def back(self) -> None:
        """Note that the crystal was put back to how it was."""
        self._now = self._start

    def _crystal(self) -> tuple[int, ...]:
        """Return the eras of a crystal that is seen for the first time."""
        count = len(self.public.properties)
        fresh = range(self._eras + 1, self._eras + 1 + count)
        self._eras += count
        return (*fresh, COMMON)

    def _make_next_sight(
        self, last: Sight, target: int, value: float, values: Sequence[float]
    ) -> Sight:
        self._eras += 1
        eras, bases = list(last.eras), dict(last.bases)
        eras[target] = None if self.public.semantics == "do" else self._eras
        if self.public.semantics == "shift":
            bases[target] = value
        calm = self.public.hidden is None
        return Sight(tuple(values), tuple(eras), calm, target, last.values, bases)

    def _note_chain(self) -> None:
        index = {name: i for i, name in enumerate(self.public.names)}
        made: list[Sight] = []
        for step in self.public.chain:
            values = (*step.reading.values, step.reading.frequency)
            if step.property is None or step.continues is None or step.value is None:
                made.append(Sight(values, self._crystal(), calm=True))
            else:
                last = made[step.continues]
                after = self._make_next_sight(last, index[step.property], step.value, values)
                # A chain was made without disturbance.
                made.append(replace(after, calm=True))
        self.sights += made


def values_in(seen: Observation) -> tuple[float, ...] | None:
    """Return the values that an observation shows, the frequency last; None if it shows none."""
    values, frequency = seen.data.get("values"), seen.data.get("frequency")
    if not isinstance(values, Iterable) or not isinstance(frequency, int | float):
        return None
    return (*(float(value) for value in values), float(frequency))
