"""ReCITE for people: the text to read, things taken from it, arrows between them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    PlayPage,
    Problem,
    read_arrows,
)
from causarium.contract.world import Action
from ..levels import ReciteRules
from ..model.graphs import Relationship, Submit
from ..model.instance import RecitePublic

MOST_ARROWS = 2_000
MOST_NAME = 200


def lay_out(public: RecitePublic, rules: ReciteRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the document in paragraphs, and the things that are given."""
    del rules, exchanges
    notes = []
    if public.names is not None:
        notes.append(f"{len(public.names)} things are given")
        if public.some_unlinked:
            notes.append("some of them are on no arrow")
    elif public.n_nodes is not None:
        notes.append(f"{public.n_nodes} things are in it")
    return Board(
        question="Draw the causal graph that this text tells.",
        notes=tuple(notes),
        view={
            "title": public.title,
            "blocks": _split_text(public.text),
            "names": list(public.names or ()),
            "is_given": public.names is not None,
            "some_unlinked": public.some_unlinked,
            "wanted": public.n_nodes,
        },
    )


def _split_text(text: str) -> list[dict[str, Any]]:
    """Return a document's headings and paragraphs."""
    blocks = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = block.strip("\n")
        if not lines.strip():
            continue
        level = len(lines) - len(lines.lstrip("#"))
        is_heading = 0 < level <= 6 and "\n" not in lines.strip()
        shown = lines.lstrip("#").strip() if is_heading else lines
        blocks.append({"is_heading": is_heading, "text": shown})
    return blocks


def read_draft(
    public: RecitePublic, rules: ReciteRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the graph that was drawn, or what is wrong with it."""
    del rules, exchanges
    arrows = read_arrows(draft, "arrows", most=MOST_ARROWS)
    if isinstance(arrows, Problem):
        return (arrows,)
    if not arrows:
        return (Problem(field="arrows", words="Draw at least one arrow before you hand in."),)
    ids = {name: place for place, name in enumerate(public.names or (), 1)}
    for end in (end for arrow in arrows for end in arrow):
        if len(end) > MOST_NAME:
            words = f"“{end[:40]}…” is longer than {MOST_NAME} characters."
            return (Problem(field="arrows", words=words),)
        if public.names is not None and end not in ids:
            words = f"“{end[:60]}” is none of the things that are given."
            return (Problem(field="arrows", words=words),)
    return Submit(
        relationships=tuple(
            Relationship(source=ids.get(cause, cause), sink=ids.get(effect, effect))
            for cause, effect in arrows
        )
    )


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say how many of the arrows are right."""
    numbers = verdict.numbers
    submitted = [exchange.move for exchange in exchanges if isinstance(exchange.move, Submit)]
    drawn = len(submitted[-1].relationships) if submitted else 0
    score = numbers.get("edge_f1", float("nan"))
    if not submitted:
        sentence = "No graph was handed in."
    elif score > 0.99:
        sentence = "Every arrow is right, and none is missing."
    elif score > numbers.get("chance", 0.0):
        hold = round(drawn * numbers["edge_precision"])
        missing = round(hold / numbers["edge_recall"]) - hold
        sentence = f"{hold} of your {drawn} arrows hold, and {missing} are missing."
    else:
        sentence = "No better than arrows by chance."
    return Ending(
        sentence=sentence,
        facts={
            "arrows": str(drawn),
            "hold": _show_share(numbers.get("edge_precision")),
            "found": _show_share(numbers.get("edge_recall")),
        },
    )


def _show_share(value: float | None) -> str:
    return "–" if value is None or value != value else f"{100 * value:.0f} %"  # noqa: PLR0124


PLAY_PAGE: PlayPage[RecitePublic, ReciteRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Draw the causal graph that a long text describes.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("paper",),
)
