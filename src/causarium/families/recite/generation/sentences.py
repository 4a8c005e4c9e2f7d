"""Turning the grammar of recite-synth into sentences. Every draw has an address of its own."""

from collections.abc import Mapping, Sequence
from random import Random

from causarium.families.recite.generation.synthetic_words import Grammar, Term

EARLIEST, LATEST = 1871, 1969
"""Made documents are set in these years, in places that do not exist."""

_DRAWN = (
    *("month", "season", "weekday", "colour", "smell"),
    *("trade", "object", "office", "thing"),
)


class Voice:
    """Fills the slots of sentences from one random stream."""

    def __init__(self, rng: Random, words: Grammar) -> None:
        self.rng = rng
        self._words = words

    def sentence(self, template: str, given: Mapping[str, str], *, framed: bool = False) -> str:
        """Return a whole sentence: slots filled, the first letter large, a full stop.

        Args:
            template: The core of the sentence.
            given: What slots of the core hold; the others are drawn.
            framed: Whether a lead and a tail may stand around the core.
        """
        lead = self.rng.choice(self._words.lead["plain"]) if framed else ""
        tail = self.rng.choice(self._words.lead["tail"]) if framed else ""
        return f"{self.phrase(lead + template + tail, given)}."

    def phrase(self, template: str, given: Mapping[str, str]) -> str:
        """Return a template with its slots filled and its first letter large."""
        text = template.format_map({**self._drawn(), **given})
        return text[0].upper() + text[1:]

    def place(self) -> str:
        """Return the name of a place that does not exist."""
        slots = self._words.slots
        return self.rng.choice(slots["place_start"]) + self.rng.choice(slots["place_end"])

    def _drawn(self) -> dict[str, str]:
        # All slots are drawn whether or not they are used, so that two templates with other
        # slots leave the stream in the same place.
        rng, slots = self.rng, self._words.slots
        found = {name: rng.choice(slots[name]) for name in _DRAWN}
        year = rng.randint(EARLIEST, LATEST - 12)
        low = rng.randint(2, 40)
        return {
            **found,
            "person": self._person(),
            "person2": self._person(),
            "place": self.place(),
            "place2": self.place(),
            "year": str(year),
            "year2": str(year + rng.randint(2, 12)),
            "n": str(low),
            "m": str(low + rng.randint(3, 50)),
        }

    def _person(self) -> str:
        slots = self._words.slots
        return f"{self.rng.choice(slots['first'])} {self.rng.choice(slots['last'])}"


def mention(term: Term, label: int, rng: Random, *, synonyms: bool) -> str:
    """Return words for a node: its name or, where that is wanted, one of its other names.

    A node that is not to be named is meant by its hint. The stream is left in the same place
    whichever it is.
    """
    place = rng.randrange(len(term.aliases) + 2)
    if label == 2:
        return term.hint
    named: Sequence[str] = (*term.aliases, term.name, term.name)
    chosen = named[place] if synonyms else term.name
    return f"the {chosen[0].lower()}{chosen[1:]}"
