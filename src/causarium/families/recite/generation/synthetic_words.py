"""The words of recite-synth: what its nodes are called, and how they are meant but not named."""

import tomllib
from functools import cache
from itertools import product
from pathlib import Path

from pydantic import Field

from causarium.contract.frozen import Frozen

_FOLDER = Path(__file__).parent


class Subject(Frozen):
    """A thing that has properties."""

    name: str
    other: str
    """Another name for it."""
    hint: str
    """Words that mean it and do not name it."""


class Property(Frozen):
    """Something about a thing that can grow and shrink."""

    name: str
    others: tuple[str, ...]
    hint: str


class Area(Frozen):
    """An area of life, and the things that matter in it."""

    label: str
    """Its published domain label."""
    field: str
    subjects: tuple[tuple[str, str, str], ...]
    """Name, other name and hint of each."""


class Lexicon(Frozen):
    """All words that nodes are made of."""

    properties: tuple[Property, ...]
    domains: tuple[Area, ...]


class Term(Frozen):
    """One node in words."""

    name: str
    aliases: tuple[str, ...]
    hint: str


class Edges(Frozen):
    """Sentences about a cause and an effect, by direction of change and order of mention."""

    up: tuple[str, ...]
    down: tuple[str, ...]
    up_reversed: tuple[str, ...]
    down_reversed: tuple[str, ...]
    oblique: tuple[str, ...]
    """For ends that are meant but not named."""
    oblique_reversed: tuple[str, ...]


class Grammar(Frozen):
    """The sentences of recite-synth and what fills their slots."""

    edges: Edges
    decoys: dict[str, tuple[str, ...]]
    alone: dict[str, tuple[str, ...]]
    lead: dict[str, tuple[str, ...]]
    filler: dict[str, tuple[str, ...]]
    headings: dict[str, tuple[str, ...]]
    slots: dict[str, tuple[str, ...]] = Field(min_length=1)


@cache
def lexicon() -> Lexicon:
    """Return the words that nodes are made of."""
    return Lexicon.model_validate(_read("lexicon.toml"))


@cache
def grammar() -> Grammar:
    """Return the sentences."""
    return Grammar.model_validate(_read("grammar.toml"))


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))


@cache
def subjects(number: int) -> tuple[Subject, ...]:
    """Return the things that matter in area `number` of the lexicon."""
    listed = lexicon().domains[number].subjects
    return tuple(Subject(name=name, other=other, hint=hint) for name, other, hint in listed)


@cache
def terms(number: int) -> tuple[Term, ...]:
    """Return every node that area `number` of the lexicon can have."""
    pairs = product(subjects(number), lexicon().properties)
    return tuple(term(subject, property_) for subject, property_ in pairs)


def term(subject: Subject, property_: Property) -> Term:
    """Return the node that a subject and a property make."""
    ways = (property_.name, *property_.others)
    spoken = [way.format(s=word) for word in (subject.name, subject.other) for way in ways]
    return Term(
        name=spoken[0][0].upper() + spoken[0][1:],
        aliases=tuple(spoken[1:]),
        hint=property_.hint.format(h=subject.hint),
    )
