"""A family of wordings: the forms in which a document says what it says, as a type."""

from collections.abc import Iterator
from typing import Literal, get_args

from pydantic import Field

from causarium.contract.frozen import Frozen

Split = Literal["dev", "test"]
"""Which half of the words and wordings: published sets use `test` alone."""
Rung = Literal["connective", "verb", "nominal", "mechanism", "counterfactual"]
"""How an edge is told, from the most explicit form on; every edge is told at every rung."""
RUNGS: tuple[Rung, ...] = get_args(Rung)

Two = tuple[str, str]
Three = tuple[str, str, str]


class Rungs(Frozen):
    """The forms of a statement at each rung."""

    connective: tuple[str, ...] = Field(min_length=1)
    verb: tuple[str, ...] = Field(min_length=1)
    nominal: tuple[str, ...] = Field(min_length=1)
    mechanism: tuple[Three, ...] = Field(min_length=1)
    counterfactual: tuple[str, ...] = Field(min_length=1)

    def forms(self, rung: Rung) -> tuple[tuple[str, ...], ...]:
        """Return the forms of a rung, each as its sentences."""
        if rung == "mechanism":
            return self.mechanism
        single: tuple[str, ...] = getattr(self, rung)
        return tuple((form,) for form in single)


class Wording(Frozen):
    """One family of wordings."""

    key: str
    split: Split
    anaphors: tuple[str, ...] = Field(min_length=1)
    """What stands for the topic of a paragraph."""
    intro: str
    openers: tuple[str, ...] = Field(min_length=1)
    continuations: tuple[str, ...] = Field(min_length=1)
    """What says that the source is still the last one."""
    topics: tuple[str, ...] = Field(min_length=1)
    affirm: tuple[str, ...] = Field(min_length=1)
    deny: tuple[str, ...] = Field(min_length=1)
    affirm_after: tuple[str, ...] = Field(min_length=1)
    deny_after: tuple[str, ...] = Field(min_length=1)
    """The same for statements of several sentences."""
    named: tuple[Two, ...] = Field(min_length=1)
    paired: tuple[Two, ...] = Field(min_length=1)
    heard: tuple[str, ...] = Field(min_length=1)
    """What opens a verdict, whatever it says."""
    true: tuple[str, ...] = Field(min_length=1)
    turned: tuple[str, ...] = Field(min_length=1)
    false: tuple[str, ...] = Field(min_length=1)
    retractions: tuple[str, ...] = Field(min_length=1)
    decoys: tuple[str, ...] = Field(min_length=1)
    rungs: Rungs

    def pairs(self) -> tuple[Two, ...]:
        """Return the forms that name a thing, or two at once."""
        return (*self.named, *self.paired)

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield every form with the slots it must have; of several sentences, each with its own."""
        plain = {
            "s": (*self.openers, *self.heard),
            "t": self.topics,
            "S": (*self.affirm, *self.deny),
            "": (
                *self.continuations,
                *(*self.affirm_after, *self.deny_after),
                *(*self.true, *self.turned, *self.false),
            ),
            "ab": (*self.retractions, *self.decoys),
        }
        for slots, sentences in plain.items():
            yield from ((sentence, slots) for sentence in sentences)
        for rung in RUNGS:
            for form in self.rungs.forms(rung):
                yield " ".join(form), "cemmm" if rung == "mechanism" else "ce"
        for first, second in self.named:
            yield from ((first, "n"), (second, "k"))
        for first, second in self.paired:
            yield from ((first, "n1 n2"), (second, "k1 k2"))
