"""Small talk: what a document tells beside its subject.

Nothing of it comes twice in a document, and nobody does: each person is told of once, as a woman or
as a man. The town is the document's, and the places around it are the same few throughout.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from causarium.families.recite.generation.latent_document import Latent

EARLIEST, LATEST, TELEPHONES = 1871, 1959, 1908
NEIGHBOURS = 16
_ASIDE = 0.35
_ARTICLE = re.compile(r"\b([Aa])(?= [aeio])")
_FILLER = Path(__file__).parents[1] / "catalogue" / "filler.toml"
_PRONOUNS = {"he": "she", "him": "her", "his": "her", "himself": "herself"}


@cache
def filler() -> dict[str, Any]:
    """Return the small talk and its words."""
    return tomllib.loads(_FILLER.read_text(encoding="utf-8"))


@cache
def _list_people(first: str) -> tuple[str, ...]:
    words = filler()["words"]
    return tuple(f"{one} {last}" for one, last in product(words[first], words["last"]))


@cache
def _list_places() -> tuple[str, ...]:
    words = filler()["words"]
    return tuple(map("".join, product(words["place_start"], words["place_end"])))


class Talk:
    """Fills the small talk of one document from one random stream."""

    def __init__(self, latent: Latent, *address: str) -> None:
        rng = latent.rng("talk", *address)
        self.rng = rng
        self._area = latent.area
        self._town, *self._places = latent.rng("places").sample(_list_places(), NEIGHBOURS + 1)
        women, men = _list_people("women"), _list_people("men")
        self._women = rng.sample(women, len(women))
        self._men = rng.sample(men, len(men))
        self._left: dict[str, list[str]] = {}

    def draw(self, kind: str) -> str | None:
        """Return a piece of some kind that was not told yet; None where there is none left."""
        if kind not in self._left:
            every: Sequence[str] = filler()[kind]
            self._left[kind] = self.rng.sample(every, len(every))
        return self.fill(self._left[kind].pop()) if self._left[kind] else None

    def fill(self, template: str) -> str:
        """Return a text with its slots filled."""
        return _ARTICLE.sub(r"\1n", template.format_map(_Slots(self)))

    def insert_asides(self, kind: str, units: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the sentences of some units in order, with asides between some units."""
        sentences = list(units[0])
        for unit in units[1:]:
            aside = self.draw(kind) if self.rng.random() < _ASIDE else None
            sentences += [*([aside] if aside else []), *unit]
        return tuple(sentences)

    def name_person(self, *, woman: bool | None = None) -> tuple[str, bool]:
        """Return somebody who was not told of yet, and whether it is a woman."""
        is_woman = self.rng.random() < 0.5 if woman is None else woman
        return (self._women if is_woman else self._men).pop(), is_woman

    def choose_word(self, slot: str, slots: Mapping[str, str]) -> str:
        """Return a word for a slot that is no person.

        Args:
            slot: Its name.
            slots: Those that are filled already.
        """
        rng, words = self.rng, filler()["words"]
        if slot in words:
            return str(rng.choice(words[slot]))
        if slot in ("place", "field"):
            return self._town if slot == "place" else self._area.field
        if slot == "place2":
            return rng.choice(self._places)
        if slot == "u":
            return rng.choice(self._area.subjects)
        return _draw_number(slot, slots, rng)


class _Slots(dict[str, str]):
    """The slots of one template, filled as they are met."""

    def __init__(self, talk: Talk) -> None:
        super().__init__()
        self._talk = talk
        self._is_woman = False

    def __missing__(self, slot: str) -> str:
        if slot.lower() in _PRONOUNS:
            word = _PRONOUNS[slot.lower()] if self._is_woman else slot.lower()
            return word.capitalize() if slot[0].isupper() else word
        if slot in ("person", "person2", "woman", "man"):
            wanted = {"woman": True, "man": False}.get(slot)
            name, is_woman = self._talk.name_person(woman=wanted)
            if slot == "person":
                self._is_woman = is_woman
        else:
            name = self._talk.choose_word(slot, self)
        self[slot] = name
        return name


def _draw_number(slot: str, slots: Mapping[str, str], rng: Random) -> str:
    """Return a year or a count; small counts are words, and `m` is well above `n`."""
    if slot == "year2":
        return str(int(slots["year"]) + rng.randint(2, 12))
    low, high = {
        "year": (EARLIEST, LATEST - 12),
        "late": (TELEPHONES, LATEST),
        "n": (3, 30),
        "number": (3, 30),
        "decades": (12, 41),
        "m": (35, 90),
    }[slot]
    number = rng.randint(low, high)
    if slot == "n" and number - low < len(filler()["counts"]):
        return str(filler()["counts"][number - low])
    return str(number)
