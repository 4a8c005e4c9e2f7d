"""A run as a browser of its samples: how each ended and why, and the model's own words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from causarium.contract.views.outcome import ENDINGS, Outcome
from causarium.engine.logbook.log_book import LogBook, LoggedSample
from causarium.report.data.outcomes import SHADES, find_outcome
from causarium.web.page_templates import PAGE, number

MOST_WORDS, MOST_REPLY = 160, 4_000
"""So many characters of a reply stand in a row, and in the detail."""


@dataclass(frozen=True, slots=True)
class SampleView:
    """One sample in a row of the page."""

    id: str
    epoch: int
    outcome: Outcome
    shade: str
    refused: int
    turns: int
    words: str
    """How the telling reply begins; see `find_telling_turn`."""
    reply: str
    """The same reply, up to a few thousand characters."""
    turn: int
    """Which turn that is, from 1; 0 where nobody wrote."""
    answer: str


def find_telling_turn(refused: Sequence[bool]) -> int:
    """Return the turn at which a replay opens, from 1: the first refusal where most are refused."""
    if any(refused) and 2 * sum(refused) >= len(refused):
        return refused.index(True) + 1
    return len(refused)


def read_samples(path: Path, _changed: float) -> tuple[SampleView, ...]:
    """Return the samples of a log by their ids; when it has changed tells versions of it apart."""
    book = LogBook.read([path])
    views = [_view(sample) for sample in book.newest.values()]
    return tuple(sorted(views, key=lambda view: (view.id, view.epoch)))


def _view(sample: LoggedSample) -> SampleView:
    row, outcome = sample.row, find_outcome(sample.row)
    refused = [turn.unparsed is not None or not turn.legal for turn in sample.turns]
    turn, said = find_telling_turn(refused), sample.transcript.replies
    reply = said[min(turn, len(said)) - 1].text.strip() if said and turn else ""
    return SampleView(
        id=row.id,
        epoch=row.epoch,
        outcome=outcome,
        shade=SHADES[outcome.ending],
        refused=sum(refused),
        turns=row.turns,
        words=" ".join(reply[: 4 * MOST_WORDS].split())[:MOST_WORDS],
        reply=reply[:MOST_REPLY],
        turn=turn,
        answer=row.labels.get("answer", ""),
    )


def describe_run(everything: Sequence[SampleView], query: Mapping[str, str]) -> dict[str, object]:
    """Return what the page shows: the samples that a query asks for, and one of them beside."""
    counts = Counter(view.outcome.ending for view in everything)
    wanted, words = query.get("outcome", ""), query.get("q", "").casefold()[:200]
    found = [
        view
        for view in everything
        if wanted in {"", view.outcome.ending}
        and (not words or words in f"{view.id} {view.outcome.words} {view.reply}".casefold())
    ]
    at = number(query.get("page"), 1, least=1)
    shown = found[(at - 1) * PAGE : at * PAGE]
    which = (query.get("sample", ""), number(query.get("epoch"), 1, least=1))
    failing = (view for view in shown if view.outcome.ending != "correct")
    chosen = next((view for view in shown if (view.id, view.epoch) == which), None)
    return {
        "samples": shown,
        "chosen": chosen or next(failing, next(iter(shown), None)),
        "chips": [(ending, SHADES[ending], counts[ending]) for ending in ENDINGS],
        "wanted": wanted,
        "words": query.get("q", ""),
        "total": len(everything),
        "found": len(found),
        "epochs": any(view.epoch > 1 for view in everything),
        "at": at,
        "pages": max(1, -(-len(found) // PAGE)),
    }
