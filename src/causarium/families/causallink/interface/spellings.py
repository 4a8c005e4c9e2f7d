"""Which spellings of a name, an action, a choice or an answer are taken for it.

Two texts are compared folded: without blanks, quotes and punctuation around them, with single
blanks inside, and without regard to case. `Circle`, `"circle"` and `circle.` are one name.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from causarium.families.causallink.actions import CONTINUE, STOP

_AROUND = " \t\r\n\f\v\"'`.,;:!?()[]{}<>*_"
_LONGEST = 400
"""Longer texts are no spelling of anything."""

ANSWERS: Mapping[str, Literal["yes", "no"]] = {
    "yes": "yes",
    "y": "yes",
    "true": "yes",
    "no": "no",
    "n": "no",
    "false": "no",
}
CHOICES: Mapping[str, str] = {
    "continue interaction": CONTINUE,
    "continue interacting": CONTINUE,
    "continue": CONTINUE,
    "answer the question": STOP,
    "answer": STOP,
    "stop": STOP,
}


def fold_text(text: str) -> str:
    """Return `text` as it is compared.

    Example:
        >>> fold_text(' **Answer  the question.** ')
        'answer the question'
    """
    return " ".join(text.split()).casefold().strip(_AROUND) if len(text) <= _LONGEST else ""


def match_name(text: str, names: Iterable[str]) -> str | None:
    """Return the one name that `text` spells; None if it spells none, or several.

    A name that is written exactly is itself, whatever else folds to the same.
    """
    names = tuple(names)
    if text in names:
        return text
    folded = fold_text(text)
    matches = [name for name in names if fold_text(name) == folded]
    return matches[0] if folded and len(matches) == 1 else None
