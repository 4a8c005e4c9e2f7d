"""Whether one text is a copy of another: how much was kept, and what was invented.

Compared are words in their order, without case, marks, hyphens and line breaks, so that laying a
text out anew changes nothing.
"""

import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_INVENTED = 0.01
"""A copy in which more than this share of words is not from the source is no copy."""

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011\u00ad]\s*(?=\w)")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Copy:
    """How one text copies another."""

    words: int
    """How many words the source has."""
    kept: int
    copied: int
    """How many words the copy has."""
    invented: tuple[str, ...]
    """Words of the copy that do not stand in the source at that place."""

    @property
    def invented_share(self) -> float:
        """The share of the copy's words that the source does not have there."""
        return len(self.invented) / self.copied if self.copied else 0.0

    @property
    def faithful(self) -> bool:
        """Whether next to nothing was invented."""
        return self.invented_share <= MOST_INVENTED


def compare_copy(source: str, copy: str) -> Copy:
    r"""Compare a copy with its source.

    Example:
        >>> found = compare_copy("Floods fol-\nlow rain. [3]", "# Floods\n\nfollow heavy rain.")
        >>> found.kept, found.invented
        (3, ('heavy',))
    """
    ours, theirs = words(source), words(copy)
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    invented: list[str] = []
    kept = 0
    for kind, _, _, begin, end in matcher.get_opcodes():
        if kind == "equal":
            kept += end - begin
        else:
            invented += theirs[begin:end]
    return Copy(words=len(ours), kept=kept, copied=len(theirs), invented=tuple(invented))


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return _WORD.findall(_HYPHEN.sub("", _LINK.sub(r"\1", plain)))
