"""Taking away what speaks of the diagram itself, by edits that code checks and applies.

A model is shown the graph and the text and replies with `normalizations`, an ordered list of
`start`, `end` and `replacement`. An edit replaces everything from the first place where `start`
stands to the next place where `end` stands, both included; the two may be the same words. Edits
are applied one after the other. If one of them fails, the whole reply is refused and nothing of it
is applied. This goes on until a reply has no more edits, or to a cap, and then the text counts as
not settled.
"""

from typing import Any

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.role_questions import Consultation
from causarium_recite_lab.building.ask_once import (
    MOST_TRIES,
    UnusableReply,
    ask_until_usable,
    read_items,
    wrap_in_tag,
)
from causarium_recite_lab.building.paper_folder import StepFailed
from causarium_recite_lab.building.to_markdown import Made

MOST_ROUNDS = 10
MOST_EDITS = 200
LONGEST_SPAN = 6_000
"""An edit that takes more than this away is not about a mention."""
MOST_REMOVED = 0.3
"""No more than this share of a text may be lost to its edits."""
_SPARE = 300
"""By so many characters a replacement may be longer than what it replaces."""


class Edit(AgentInput):
    """One replacement."""

    start: str
    end: str
    replacement: str


def normalize(text: str, graph: str) -> Consultation[Made]:
    """Have the mentions of a diagram taken out of a text.

    Raises:
        StepFailed: No reply could be used, or too much would be lost.
    """
    now, rounds, applied, refused, settled = text, 0, 0, 0, False
    while rounds < MOST_ROUNDS and not settled:
        edits, more = yield from _one_round(now, graph)
        now = apply_edits(now, edits)
        rounds, applied, refused = rounds + 1, applied + len(edits), refused + more
        settled = not edits
    if len(now) < (1 - MOST_REMOVED) * len(text):
        raise StepFailed(
            f"the edits take {1 - len(now) / len(text):.0%} of the text away, and at most "
            f"{MOST_REMOVED:.0%} may be; try another model"
        )
    notes = {
        "rounds": rounds,
        "edits": applied,
        "replies_refused": refused,
        "settled": settled,
        "characters_before": len(text),
        "characters_after": len(now),
    }
    said = f"{applied} edits in {rounds} rounds, {refused} replies refused" + (
        "" if settled else "; the last round still had edits: read the text before using it"
    )
    return Made(now, notes, said)


def _one_round(text: str, graph: str) -> Consultation[tuple[list[Edit], int]]:
    """Return edits that can be applied, and how many replies were refused."""

    def read(reply: str) -> list[Edit]:
        edits = read_edits(reply)
        apply_edits(text, edits)
        return edits

    material = f"{wrap_in_tag('causal_graph', graph)}\n\n{wrap_in_tag('text', text)}"
    edits, refused, problem = yield from ask_until_usable("normalize", material, read)
    if edits is None:
        raise StepFailed(f"no usable edits in {MOST_TRIES} tries: {problem}")
    return edits, refused


def read_edits(reply: str) -> list[Edit]:
    """Read the edits in a reply.

    Raises:
        UnusableReply: There is no list of them, or one is not of the right form.
    """
    return read_items(reply, "normalizations", Edit, "edit", MOST_EDITS)


def apply_edits(text: str, edits: list[Edit]) -> str:
    """Apply edits in their order, all or none.

    Raises:
        UnusableReply: One of them cannot be applied.

    Example:
        >>> edit = Edit(start="As Figure 1", end="shows, ", replacement="")
        >>> apply_edits("As Figure 1 shows, rain makes floods.", [edit])
        'rain makes floods.'
    """
    for number, edit in enumerate(edits, 1):
        begin, end = _span(text, edit, number)
        text = text[:begin] + edit.replacement + text[end:]
    return text


def _span(text: str, edit: Edit, number: int) -> tuple[int, int]:
    if not edit.start.strip() or not edit.end.strip():
        raise UnusableReply(f"edit {number} has an empty start or end")
    begin = text.find(edit.start)
    if begin < 0:
        raise UnusableReply(
            f"the start of edit {number} is not in the text: {_quote_text(edit.start)}"
        )
    # The end may overlap the start, but the span covers both.
    least = begin + max(0, len(edit.start) - len(edit.end))
    at = text.find(edit.end, least)
    if at < 0:
        raise UnusableReply(
            f"the end of edit {number} does not follow its start: {_quote_text(edit.end)}"
        )
    length = at + len(edit.end) - begin
    if length > LONGEST_SPAN:
        raise UnusableReply(
            f"edit {number} spans {length:,} characters; at most {LONGEST_SPAN:,} may be"
        )
    if len(edit.replacement) > length + _SPARE:
        raise UnusableReply(
            f"the replacement of edit {number} is much longer than what it replaces"
        )
    return begin, begin + length


def _quote_text(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}…")


def graph_lines(graph: dict[str, Any]) -> str:
    """Return a graph as lines of arrows."""
    return "\n".join(f'"{edge["source"]}" -> "{edge["target"]}"' for edge in graph["edges"])
