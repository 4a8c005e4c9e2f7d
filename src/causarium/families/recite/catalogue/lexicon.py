"""The words of made documents: what nodes, nicknames, people and sources may be called."""

import tomllib
from functools import cache
from itertools import product
from pathlib import Path

from causarium.contract.frozen import Frozen
from causarium.families.recite.mechanics.wording import Split

_FILE = Path(__file__).parent / "lexicon.toml"


class Property(Frozen):
    """Something about a subject that can grow and shrink."""

    name: str
    others: tuple[str, ...]


class Area(Frozen):
    """An area of life, and the subjects that matter in it."""

    split: Split
    label: str
    """Its published domain label."""
    field: str
    subjects: tuple[str, ...]


class SplitWords(Frozen):
    """The words that only one half of the documents uses."""

    nickname_adjectives: tuple[str, ...]
    nickname_nouns: tuple[str, ...]
    trades: tuple[str, ...]
    surnames: tuple[str, ...]
    kinds: tuple[str, ...]


class SharedWords(Frozen):
    """The words that both halves use."""

    mediator_adjectives: tuple[str, ...]


class Lexicon(Frozen):
    """All words."""

    properties: tuple[Property, ...]
    areas: tuple[Area, ...]
    test: SplitWords
    dev: SplitWords
    shared: SharedWords

    def words(self, split: Split) -> SplitWords:
        """Return the words of one half."""
        return self.test if split == "test" else self.dev

    def nicknames(self, split: Split) -> list[str]:
        """Return every nickname of one half, with its article."""
        words = self.words(split)
        pairs = product(words.nickname_adjectives, words.nickname_nouns)
        return [f"the {adjective} {noun}" for adjective, noun in pairs]

    def mediators(self, split: Split) -> list[str]:
        """Return everybody who may stand between a cause and an effect, with the article."""
        pairs = product(self.shared.mediator_adjectives, self.words(split).trades)
        return [f"the {adjective} {trade}" for adjective, trade in pairs]


class Term(Frozen):
    """One node in words."""

    name: str
    """As it is listed: `Ferry line cost`."""
    spoken: str
    """The same within a sentence: `the ferry line cost`."""
    synonyms: tuple[str, ...]
    """Other ways to say it, with the article."""


@cache
def lexicon() -> Lexicon:
    """Return all words."""
    return Lexicon.model_validate(tomllib.loads(_FILE.read_text(encoding="utf-8")))


def make_term(subject: str, property_: Property) -> Term:
    """Return the node that a subject and a property make.

    Example:
        >>> make_term("ferry line", lexicon().properties[0]).synonyms[0]
        'the spending on the ferry line'
    """
    name = property_.name.format(s=subject)
    return Term(
        name=name[0].upper() + name[1:],
        spoken=f"the {name}",
        synonyms=tuple(f"the {other.format(s=subject)}" for other in property_.others),
    )


@cache
def area_terms(number: int) -> tuple[Term, ...]:
    """Return every node that area `number` can have."""
    pairs = product(lexicon().areas[number].subjects, lexicon().properties)
    return tuple(make_term(subject, property_) for subject, property_ in pairs)
