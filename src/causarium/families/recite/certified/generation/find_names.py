"""Finding the listed names in a text."""

import re
from collections.abc import Iterable, Mapping, Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)*]*\s+|\n+")


def split_sentences(text: str) -> list[str]:
    r"""Return the sentences of a text.

    Example:
        >>> split_sentences("It rained. Nobody came!\n\nThen they did.")
        ['It rained.', 'Nobody came!', 'Then they did.']
    """
    return [part for part in _SENTENCE_END.split(text) if part and part.strip()]


class NameFinder:
    """Finds names by any of their words; of two that begin at one place the longer one counts."""

    def __init__(self, words: Mapping[str, Iterable[str]]) -> None:
        """Know the words of each name."""
        self._names = {
            word.casefold(): name for name, own in words.items() for word in (name, *own)
        }
        longest = sorted(self._names, key=lambda word: (-len(word), word))
        self._pattern = re.compile(
            rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE
        )

    def find(self, text: str) -> list[re.Match[str]]:
        """Return the places of names in a text, in order."""
        return list(self._pattern.finditer(text))

    def list_names(self, text: str) -> list[str]:
        """Return the names in a text, in order of mention."""
        return [self._names[word.casefold()] for word in self._pattern.findall(text)]

    def list_words(self, text: str) -> list[str]:
        """Return the words that stand for names in a text, in small letters, in order."""
        return [word.casefold() for word in self._pattern.findall(text)]

    def outline(self, text: str) -> list[Sequence[str]]:
        """Return for each sentence with names the words that stand for them, in order."""
        found = (self.list_words(sentence) for sentence in split_sentences(text))
        return [words for words in found if words]
