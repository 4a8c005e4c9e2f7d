"""Raw text to markdown by a model, which may leave things out and must invent nothing.

The text is handed over in parts. Each reply is compared word by word with its part; one with more
than a trace of words from elsewhere is refused and asked for again. The whole has to keep a fair
share of the words: references and figures may go, the argument may not.

Compared are words in their order, without case, marks, hyphens and line breaks, so that laying a
text out anew changes nothing.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from causarium.contract.texts.role_questions import Consultation
from causarium.contract.texts.scan_reply import cut_thinking
from causarium_recite_lab.building.ask_once import (
    MOST_TRIES,
    UnusableReply,
    ask_until_usable,
    wrap_in_tag,
)
from causarium_recite_lab.building.paper_folder import StepFailed

PART_CHARS = 10_000
LEAST_KEPT = 0.4
"""If less than this is left of a paper, it was not copied but summed up."""
NOTHING = "(nothing)"
"""What a model replies to a part with nothing to keep."""
MOST_INVENTED = 0.01
"""A copy in which more than this share of words is not from the source is no copy."""

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011\u00ad]\s*(?=\w)")
_WORD = re.compile(r"\w+")


class Made(NamedTuple):
    """What a step makes: a file, and what was counted on the way."""

    text: str
    notes: dict[str, Any]
    said: str
    """The same in a line, for whoever watches the build."""


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


def to_markdown(text: str) -> Consultation[Made]:
    """Have a raw text laid out as markdown, word for word.

    Raises:
        StepFailed: A part was never copied faithfully, or too little is left of the whole.
    """
    done: list[str] = []
    copies: list[Copy] = []
    refused = 0
    for number, part in enumerate(parts(text), 1):
        found, copy, more = yield from _one_part(number, part)
        refused += more
        copies.append(copy)
        if found:
            done.append(found)
    total = sum(copy.words for copy in copies)
    kept = sum(copy.kept for copy in copies) / total if total else 0.0
    if kept < LEAST_KEPT:
        raise StepFailed(
            f"the markdown keeps {kept:.0%} of the words, and at least {LEAST_KEPT:.0%} are "
            "expected; try another model"
        )
    invented = sorted({word for copy in copies for word in copy.invented})
    notes = {
        "parts": len(copies),
        "words": total,
        "kept_share": round(kept, 4),
        "invented": invented[:100],
        "replies_refused": refused,
    }
    said = (
        f"{kept:.0%} of {total:,} words kept, {len(invented)} different ones invented, "
        f"{refused} replies refused"
    )
    return Made("\n\n".join(done) + "\n", notes, said)


def _one_part(number: int, part: str) -> Consultation[tuple[str, Copy, int]]:
    """Return the copy of a part, how it compares, and how many replies were refused."""

    def read(reply: str) -> tuple[str, Copy]:
        found = _cut_fence(cut_thinking(reply).strip())
        found = "" if found == NOTHING else found
        copy = compare_copy(part, found)
        if copy.faithful:
            return found, copy
        words = ", ".join(dict.fromkeys(copy.invented[:20]))
        raise UnusableReply(
            f"{len(copy.invented)} of its {copy.copied} words are not in the text at that place, "
            f"among them: {words}"
        )

    copied, refused, problem = yield from ask_until_usable(
        "markdown", wrap_in_tag("text", part), read
    )
    if copied is None:
        raise StepFailed(
            f"part {number} was not copied faithfully in {MOST_TRIES} tries: {problem}"
        )
    return *copied, refused


def _cut_fence(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1]).strip()
    return text


def parts(text: str) -> Iterator[str]:
    """Yield a text in parts of bounded length, cut between pages or paragraphs where possible."""
    rest = text.replace("\f", "\n\n").strip()
    while len(rest) > PART_CHARS:
        window = rest[:PART_CHARS]
        cut = max(window.rfind("\n\n"), window.rfind(". ") + 1, window.rfind("\n"))
        cut = cut if cut > PART_CHARS // 3 else PART_CHARS
        yield rest[:cut].strip()
        rest = rest[cut:].strip()
    if rest:
        yield rest


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
