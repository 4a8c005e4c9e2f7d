"""Paper edition: the words that made documents are written in.

What a wording is, the families of wordings in `wordings/`, and the lexicon of things in
`lexicon.toml`. All of it is part of the paper edition's digests.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from causarium.contract.frozen import Frozen

Rung = Literal["connective", "verb", "nominal", "mechanism", "counterfactual"]
"""How a text states an edge, the most explicit form first; every rung states every edge."""
RUNGS: tuple[Rung, ...] = get_args(Rung)

Two = tuple[str, str]
Three = tuple[str, str, str]


class Rungs(Frozen):
    """The forms of a statement at each rung."""

    connective: tuple[str, ...]
    verb: tuple[str, ...]
    nominal: tuple[str, ...]
    mechanism: tuple[Three, ...]
    counterfactual: tuple[str, ...]

    def forms(self, rung: Rung) -> tuple[tuple[str, ...], ...]:
        """Return the forms of a rung, each as its sentences."""
        if rung == "mechanism":
            return self.mechanism
        single: tuple[str, ...] = getattr(self, rung)
        return tuple((form,) for form in single)


class Wording(Frozen):
    """One family of wordings."""

    key: str
    anaphors: tuple[str, ...]
    """What stands for the topic of a paragraph."""
    intro: str
    openers: tuple[str, ...]
    continuations: tuple[str, ...]
    """What says that the source is still the last one."""
    topics: tuple[str, ...]
    affirm: tuple[str, ...]
    deny: tuple[str, ...]
    affirm_after: tuple[str, ...]
    deny_after: tuple[str, ...]
    """The same for statements of several sentences."""
    named: tuple[Two, ...]
    paired: tuple[Two, ...]
    heard: tuple[str, ...]
    """What opens a verdict, whatever it says."""
    true: tuple[str, ...]
    turned: tuple[str, ...]
    false: tuple[str, ...]
    retractions: tuple[str, ...]
    decoys: tuple[str, ...]
    rungs: Rungs


_FOLDER = Path(__file__).parent / "wordings"
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONS = re.compile(r"<([^<>]*)>")
_CHOICE = re.compile(r"\[([ce]):([^\]|]*)\|([^\]|]*)\]")


@cache  # 13 ms, for every document that is read
def wordings() -> tuple[Wording, ...]:
    """Return all families of wordings, by their keys."""
    return tuple(
        Wording.model_validate({"key": path.stem, **tomllib.loads(path.read_text("utf-8"))})
        for path in sorted(_FOLDER.glob("*.toml"))
    )


def list_options(form: str) -> list[str]:
    """Return a form with each of its details.

    Example:
        >>> list_options("by <boat/cart>"), list_options("on foot")
        (['by boat', 'by cart'], ['on foot'])
    """
    first = _OPTIONS.search(form)
    count = first.group(1).count("/") + 1 if first else 1
    return [
        _OPTIONS.sub(lambda match, n=number: match.group(1).split("/")[n], form)  # type: ignore[misc]
        for number in range(count)
    ]


def fill_form(form: str, slots: Mapping[str, str], rises: Mapping[str, bool]) -> str:
    """Return a form with its slots and its choices filled.

    Example:
        >>> fill_form("{e} [e:rose|fell]", {"e": "the tide"}, {"e": False})
        'the tide fell'
    """
    chosen = _CHOICE.sub(lambda found: found.group(2 if rises[found.group(1)] else 3), form)
    return _SLOT.sub(lambda found: slots[found.group(1)], chosen)


_FILE = Path(__file__).parent / "lexicon.toml"


class Property(Frozen):
    """Something about a subject that can grow and shrink."""

    name: str
    others: tuple[str, ...]


class Area(Frozen):
    """An area of life, and the subjects that matter in it."""

    label: str
    """Its published domain label."""
    field: str
    subjects: tuple[str, ...]


class Words(Frozen):
    """The words of nicknames, of sources, and of whoever stands between."""

    nickname_adjectives: tuple[str, ...]
    nickname_nouns: tuple[str, ...]
    trades: tuple[str, ...]
    surnames: tuple[str, ...]
    kinds: tuple[str, ...]
    mediator_adjectives: tuple[str, ...]


class Lexicon(Frozen):
    """All words."""

    properties: tuple[Property, ...]
    areas: tuple[Area, ...]
    words: Words

    def nicknames(self) -> list[str]:
        """Return every nickname, with its article."""
        pairs = product(self.words.nickname_adjectives, self.words.nickname_nouns)
        return [f"the {adjective} {noun}" for adjective, noun in pairs]

    def mediators(self) -> list[str]:
        """Return everybody who may stand between a cause and an effect, with the article."""
        pairs = product(self.words.mediator_adjectives, self.words.trades)
        return [f"the {adjective} {trade}" for adjective, trade in pairs]


class Term(Frozen):
    """One node in words."""

    name: str
    """As it is listed: `Ferry line cost`."""
    spoken: str
    """The same within a sentence: `the ferry line cost`."""
    synonyms: tuple[str, ...]
    """Other ways to say it, with the article."""


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


def area_terms(number: int) -> tuple[Term, ...]:
    """Return every node that area `number` can have."""
    pairs = product(lexicon().areas[number].subjects, lexicon().properties)
    return tuple(make_term(subject, property_) for subject, property_ in pairs)
