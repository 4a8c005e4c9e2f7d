"""Dealing forms: each comes once before any comes again, and details change from turn to turn."""

from collections.abc import Sequence
from random import Random

from causarium.families.recite.catalogue.wordings import list_options

_BETWEEN = "\n"


class FormDeck:
    """Deals the forms of one function, each as its sentences."""

    def __init__(self, rng: Random, forms: Sequence[Sequence[str]]) -> None:
        self._rng = rng
        self._forms = forms
        self._options: list[list[list[str]]] = [[] for _ in forms]
        self._left: list[int] = []
        self._last = -1

    def deal(self) -> list[str]:
        """Return the next form, with one of its details."""
        if not self._left:
            self._left = self._rng.sample(range(len(self._forms)), len(self._forms))
            if self._left[-1] == self._last:
                self._left.reverse()
        self._last = self._left.pop()
        options = self._options[self._last]
        if not options:
            every = [
                option.split(_BETWEEN)
                for option in list_options(_BETWEEN.join(self._forms[self._last]))
            ]
            options += self._rng.sample(every, len(every))
        return options.pop()


def deck_of(rng: Random, sentences: Sequence[str]) -> FormDeck:
    """Return a deck of forms of one sentence."""
    return FormDeck(rng, [(sentence,) for sentence in sentences])
