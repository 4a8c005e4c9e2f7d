"""The components of a drawn game, and the roles that they play in its law."""

import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from causarium.families.causalgame.mechanics.game import Component, Kind


@cache
def words() -> dict[str, Any]:
    """Return the words that games are drawn from."""
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


class Airframe:
    """The components of a candidate, and the roles that they play."""

    def __init__(self, rng: Random, kind: Kind) -> None:
        pool = words()
        zone = kind in {"zone", "zone_shift"}
        self.heavy = rng.sample(pool["heavy"], 4)
        self.emitter, self.eyes, self.teeth = (
            rng.choice(pool[role]) for role in ("emitter", "eyes", "teeth")
        )
        self.shield = rng.choice(pool["shield"]) if zone else ""
        self.filler = rng.choice(pool["filler"]) if rng.random() < 0.4 else ""
        self.trap = self.heavy[0] if zone else self.emitter
        self.components = tuple(self._parts(rng))
        if kind == "weather":
            # A lifting part with as much armour as usual would lose the standard design nothing.
            self.components = self._with(self.emitter, rng.randint(10, 13))
        self.default = {part.name: part.armour for part in self.components}
        self.total = sum(self.default.values())

    def _parts(self, rng: Random) -> list[Component]:
        found = []
        for place, name in enumerate(self.heavy):
            front = place < 2
            found.append(
                Component(
                    name=name,
                    hp=rng.randint(92, 108) if front else rng.randint(74, 86),
                    armour=rng.randint(16, 20) if front else rng.randint(13, 16),
                    critical=True,
                    vital=front,
                    exposure=round(rng.uniform(1.0, 1.6), 1),
                )
            )
        light = [
            (self.emitter, rng.randint(45, 55), rng.randint(9, 11), 0.8),
            (self.eyes, rng.randint(18, 24), rng.randint(4, 6), 0.5),
            (self.teeth, rng.randint(27, 34), rng.randint(4, 6), 0.5),
        ]
        light += [(self.filler, rng.randint(30, 60), rng.randint(2, 4), 0.6)] if self.filler else []
        light += [(self.shield, 30, 0, 1.0)] if self.shield else []
        found += [
            Component(name=name, hp=hp, armour=armour, exposure=exposure)
            for name, hp, armour, exposure in light
        ]
        return found

    def _with(self, name: str, armour: int) -> tuple[Component, ...]:
        return tuple(
            part.model_copy(update={"armour": armour}) if part.name == name else part
            for part in self.components
        )

    def hp(self, name: str) -> int:
        """Return a component's hit points."""
        return next(part.hp for part in self.components if part.name == name)
