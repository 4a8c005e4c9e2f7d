"""Raw text to markdown by a model, which may leave things out and must invent nothing.

The text is handed over in parts. Each reply is compared word by word with its part; one with more
than a trace of words from elsewhere is refused and asked for again. The whole has to keep a fair
share of the words: references and figures may go, the argument may not.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from causarium.contract.texts.role_questions import Consultation
from causarium_recite_lab.building.ask_once import MOST_TRIES
from causarium_recite_lab.building.paper_folder import StepFailed
from causarium_recite_lab.building.step_prompts import ask, wrap_in_tag
from causarium_recite_lab.building.verbatim_check import Copy, compare_copy

PART_CHARS = 10_000
LEAST_KEPT = 0.4
"""If less than this is left of a paper, it was not copied but summed up."""
NOTHING = "(nothing)"
"""What a model replies to a part with nothing to keep."""


class Made(NamedTuple):
    """What a step makes: a file, and what was counted on the way."""

    text: str
    notes: dict[str, Any]
    said: str
    """The same in a line, for whoever watches the build."""


def to_markdown(text: str) -> Consultation[Made]:
    """Have a raw text laid out as markdown, word for word.

    Raises:
        StepFailed: A part was never copied faithfully, or too little is left of the whole.
    """
    done: list[str] = []
    copies: list[Copy] = []
    refused = 0
    for number, part in enumerate(parts(text), 1):
        found, copy, tries = yield from _one_part(number, part)
        refused += tries - 1
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
    problem = ""
    for tries in range(1, MOST_TRIES + 1):
        reply = yield ask("markdown", wrap_in_tag("text", part), problem)
        said = reply[reply.rfind("</think>") + len("</think>") :] if "</think>" in reply else reply
        found = _cut_fence(said.strip())
        found = "" if found == NOTHING else found
        copy = compare_copy(part, found)
        if copy.faithful:
            return found, copy, tries
        words = ", ".join(dict.fromkeys(copy.invented[:20]))
        problem = (
            f"{len(copy.invented)} of its {copy.copied} words are not in the text at that place, "
            f"among them: {words}"
        )
    raise StepFailed(f"part {number} was not copied faithfully in {MOST_TRIES} tries: {problem}")


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
