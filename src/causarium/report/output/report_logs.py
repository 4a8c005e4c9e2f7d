"""Logs to a report: rows, reference rows, figures and notes from the pass that a LogBook made."""

from collections.abc import Iterator, Mapping, Sequence

from causarium import families
from causarium.contract.row import Row
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.reference_rows import reference_rows
from causarium.engine.verify.proof_cache import verify_for_report
from causarium.engine.verify.verify_runs import INCOMPLETE, BookProof
from causarium.report.data.build_report import add_episodes, build_report
from causarium.report.data.report_data import Report
from causarium.report.figures.episode_views import view_episodes
from causarium.report.figures.family_figures import draw_family_figures


def report_logs(
    book: LogBook,
    *,
    against: Mapping[str, LogBook] | None = None,
    episode: str | None = None,
    commands: Sequence[str] = (),
    doubtful_count: bool = False,
) -> tuple[Report, list[Row]]:
    """Make the report of logs, with the reference players beside every run.

    Args:
        book: The logs.
        against: Logs of earlier runs to compare with, by the name that they go by.
        episode: The instance to draw; where it is not given, one on which agents differ.
        commands: How the runs were made, in place of the commands worked out from their cards.
        doubtful_count: Whether rows that are not verified are in the means all the same.

    Returns:
        The report, and all rows that it was made of.

    Raises:
        BadFile: No log could be read.
    """
    book.require_rows()
    proof = verify_for_report(book, families.get)
    book = proof.book
    rows = [*book.rows, *reference_rows(book, families.get)]
    figures = draw_family_figures(book, rows, episode)
    episodes = view_episodes(book, book.rows)
    cards = list(book.run_cards)
    notes = [*book.problems, *book.incomplete, *_list_problems(proof)]
    for name, unproved in (against or {}).items():
        earlier = verify_for_report(unproved, families.get).book
        rows += (row.model_copy(update={"run": name}) for row in earlier.rows)
        cards += (card.model_copy(update={"run": name}) for card in earlier.run_cards)
        notes += earlier.problems
    report = build_report(
        rows,
        panels=figures,
        notes=notes,
        cards=cards,
        commands=commands,
        doubtful_count=doubtful_count,
    )
    return add_episodes(report, episodes), rows


def _list_problems(proof: BookProof) -> Iterator[str]:
    """Yield what is wrong with runs as a whole; that one is incomplete is said elsewhere."""
    for run in proof.runs:
        for problem in run.problems:
            if not problem.startswith(INCOMPLETE):
                yield f"Not verified: {run.family}, {run.set}, {run.agent}: {problem}."
