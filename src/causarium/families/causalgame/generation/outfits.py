"""Equipment for drawn games: kinds of slot, each with options that do what their blurbs say."""

from random import Random
from typing import Any

from causarium.families.causalgame.catalogue.certified_hardware import switch
from causarium.families.causalgame.catalogue.published_hardware import profile
from causarium.families.causalgame.mechanics.game import Effect, Kind, Option, Slot


def slots(rng: Random, kind: Kind, words: dict[str, Any]) -> tuple[Slot, ...]:
    """Draw the equipment of a game; a zone game's module comes first."""
    draw = _Draw(rng, words)
    if kind == "antenna":
        extra = draw.agile() if rng.random() < 0.5 else draw.calm()
        return (draw.finish(), draw.mode(), draw.call(), extra)
    if kind == "weather":
        return (draw.instruments(), draw.logging(), draw.spare(), draw.tail())
    second = draw.finish() if rng.random() < 0.5 else draw.call()
    height = (profile(declared=True),) if kind == "zone_shift" else ()
    return (draw.module(), second, draw.agile(), draw.calm(), *height)


class _Draw:
    """Draws slots, with names from the lists."""

    def __init__(self, rng: Random, words: dict[str, Any]) -> None:
        self._rng = rng
        self._words = words

    def _between(self, low: float, high: float) -> float:
        return round(self._rng.uniform(low, high), 2)

    def _slot(self, key: str, *said: tuple[str, Effect]) -> Slot:
        word = self._words[key]
        return Slot(
            name=self._rng.choice(word["names"]),
            default=word["options"][0],
            options=tuple(
                Option(name=name, blurb=blurb, effect=effect)
                for name, (blurb, effect) in zip(word["options"], said, strict=True)
            ),
        )

    def _switch(self, key: str, blurb: str, effect: Effect, default: str = "off") -> Slot:
        name = self._rng.choice(self._words[key]["names"])
        return switch(name, blurb, effect, default=default)

    def finish(self) -> Slot:
        """Draw a surface: as it is, harder to see, or harder."""
        return self._slot(
            "finish",
            ("as it left the works", Effect()),
            (
                "harder to see, on thinner plates",
                Effect(detection=-self._between(0.05, 0.09), armour_factor=0.9),
            ),
            (
                "thicker plates that shine",
                Effect(detection=self._between(0.06, 0.1), armour_factor=1.1),
            ),
        )

    def mode(self) -> Slot:
        """Draw how often the emitter sends."""
        return self._slot(
            "mode",
            ("sends all the time", Effect()),
            (
                "sends with gaps; the crew reacts a little later",
                Effect(emission_factor=self._between(0.82, 0.9), accuracy_factor=1.05),
            ),
            (
                "sends seldom; the crew reacts later",
                Effect(emission_factor=self._between(0.65, 0.75), accuracy_factor=1.12),
            ),
        )

    def call(self) -> Slot:
        """Draw a signal that friend and enemy can see."""
        effect = Effect(detection=self._between(0.04, 0.06))
        return self._switch("call", "shows where the drone is", effect, default="on")

    def agile(self) -> Slot:
        """Draw a help in dodging that strains the frame."""
        effect = Effect(accuracy_factor=self._between(0.94, 0.96), wear_factor=1.5)
        return self._switch("agile", "quick turns, which strain the frame", effect)

    def calm(self) -> Slot:
        """Draw a guard against rough air."""
        effect = Effect(wear_factor=self._between(0.1, 0.4))
        return self._switch("calm", "keeps rough air off the frame", effect)

    def module(self) -> Slot:
        """Draw the slot whose last option keeps interference out."""
        return self._slot(
            "module",
            (
                "sees threats early; its own beam can be seen",
                Effect(accuracy_factor=0.95, detection=self._between(0.02, 0.04)),
            ),
            ("stiffens the frame in rough air", Effect(wear_factor=0.5)),
            ("carries thicker plates", Effect(armour_factor=self._between(1.12, 1.18))),
            ("makes the drone harder to see", Effect(detection=-self._between(0.03, 0.05))),
            (
                "cuts a notch into the control band",
                Effect(emi_resistance=self._between(0.48, 0.56)),
            ),
        )

    def instruments(self) -> Slot:
        """Draw how finely things are read."""
        return self._slot(
            "instruments",
            ("as they left the works", Effect()),
            (
                "finer readings, by probes that can be heard",
                Effect(noise_factor=self._between(0.5, 0.7), detection=0.05),
            ),
        )

    def logging(self) -> Slot:
        """Draw how readings are kept."""
        return self._slot(
            "logging",
            ("as they come", Effect()),
            (
                "steadier readings, a moment late for the crew too",
                Effect(noise_factor=self._between(0.6, 0.8), accuracy_factor=1.05),
            ),
        )

    def spare(self) -> Slot:
        """Draw a second set of probes."""
        effect = Effect(noise_factor=self._between(0.4, 0.6), armour_factor=0.9)
        return self._switch("spare", "a second set, and thinner plates to carry it", effect)

    def tail(self) -> Slot:
        """Draw a help in staying aloft that makes the drone an easier target."""
        effect = Effect(lift=self._between(0.2, 0.4), accuracy_factor=1.08)
        return self._switch("tail", "steadier in any weather, slower in turns", effect)
