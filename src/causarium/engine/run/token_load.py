"""Calls and tokens: what a model would read and write, least, most and likely."""

from causarium.contract.frozen import Frozen
from causarium.engine.run.prices import Price


class Load(Frozen):
    """Calls to a model, and what it reads and writes in them, in tokens."""

    calls: int | float = 0
    input: int | float = 0
    """Read, all of it."""
    cached: int | float = 0
    """The part of it that begins as an earlier call did, so that a provider's cache may have it."""
    output: int | float = 0

    def __add__(self, other: "Load") -> "Load":
        return Load(
            calls=self.calls + other.calls,
            input=self.input + other.input,
            cached=self.cached + other.cached,
            output=self.output + other.output,
        )

    def times(self, factor: float) -> "Load":
        """Return so many of this."""
        return Load(
            calls=self.calls * factor,
            input=self.input * factor,
            cached=self.cached * factor,
            output=self.output * factor,
        )

    def cost(self, price: Price, *, hits: bool) -> float:
        """Return US dollars; `hits` says whether caches have what they may have."""
        cached = self.cached if hits and price.cached is not None else 0.0
        fresh = (self.input - cached) * price.input + self.output * price.output
        return (fresh + cached * (price.cached or 0.0)) / 1e6


class Range(Frozen):
    """The least, the most, and what is likely."""

    low: Load
    high: Load
    likely: Load = Load()

    def __add__(self, other: "Range") -> "Range":
        return Range(
            low=self.low + other.low,
            high=self.high + other.high,
            likely=self.likely + other.likely,
        )

    def times(self, factor: float) -> "Range":
        """Return so many of this."""
        return Range(
            low=self.low.times(factor),
            high=self.high.times(factor),
            likely=self.likely.times(factor),
        )

    def round_counts(self) -> "Range":
        """Return this in whole calls and tokens."""
        loads = (self.low, self.high, self.likely)
        low, high, likely = ({k: round(v) for k, v in load} for load in loads)
        return Range(low=Load(**low), high=Load(**high), likely=Load(**likely))


NOTHING = Range(low=Load(), high=Load())
