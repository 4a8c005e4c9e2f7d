"""Logs to a report: rows, reference rows, figures and notes from the pass that a LogBook made."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from causarium import families
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import put_in_one_line, replace_unprintable
from causarium.contract.row import Row
from causarium.contract.rules import Rules
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import ReplayScene
from causarium.engine.logbook.log_book import LogBook, LoggedSample
from causarium.engine.logbook.reference_rows import reference_rows
from causarium.engine.verify.rescore import KnownInstances, is_of_its_set
from causarium.engine.verify.verify_runs import INCOMPLETE, BookProof, verify_book
from causarium.errors import CausariumError
from causarium.report.data.build_report import add_episodes, build_report
from causarium.report.data.number_format import tidy_sentence
from causarium.report.data.outcomes import ChosenRow, choose_rows
from causarium.report.data.report_data import EpisodeView, Panel, Report
from causarium.report.data.summaries import PLAYING, group_by_agent, group_by_run, role_of
from causarium.report.figures import draw_thumb

MOST_EPISODES = 4
"""So many agents' episodes are drawn for each family."""


def draw_family_figures(
    book: LogBook, rows: Sequence[Row], episode: str | None = None
) -> list[Panel]:
    """Return every picture that the families of `rows` draw."""
    panels = []
    for name in dict.fromkeys(row.family for row in rows):
        if name not in families.names():
            continue
        family, mine = families.get(name), [row for row in rows if row.family == name]
        if family.views.draw_rows is not None:
            pictures = family.views.draw_rows(_separate_variants(mine))
            panels += [_panel(name, picture) for picture in pictures]
        if family.views.draw_episode is not None:
            logged = [row for row in book.rows if is_of_today(row, family)]
            if logged:
                panels += _episodes(family, family.views.draw_episode, book, logged, episode)
    return panels


def _separate_variants(rows: Sequence[Row]) -> list[Row]:
    """Return rows in which runs that differ have agents of different names."""
    return [
        row.model_copy(update={"agent": f"{row.agent} ({row.variant})"}) if row.variant else row
        for row in rows
    ]


def _episodes(
    family: AnyFamily,
    draw: Callable[[AnyInstance, Rules, Sequence[Turn]], Figure],
    book: LogBook,
    rows: Sequence[Row],
    episode: str | None,
) -> Iterator[Panel]:
    chosen = episode or telling_instance(rows, family.card.headline[rows[0].edition])
    drawn: set[str] = set()
    for sample in book.samples_of(chosen) if chosen else ():
        agent = sample.row.agent
        if not is_of_today(sample.row, family) or agent in drawn:
            continue
        if role_of(agent) in PLAYING and len(drawn) < MOST_EPISODES:
            drawn.add(agent)
            instance, rules = sample.record.rebuild(family)
            yield _panel(family.name, draw(instance, rules, sample.turns), agent)


def is_of_today(row: Row, family: AnyFamily) -> bool:
    """Whether a row is of this family and of the version that can play it again."""
    return row.family == family.name and row.version == family.card.version


def telling_instance(rows: Sequence[Row], metric: str) -> str | None:
    """Return the earliest instance that all agents played and that told them apart.

    Where agents agree on everything it is the first that all played; None if there is none.
    """
    scores: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.unscored is None and role_of(row.agent) in PLAYING:
            scores.setdefault(row.id, {})[row.agent] = row.numbers.get(metric, math.nan)
    everyone = max(map(len, scores.values()), default=0)
    shared = {id_: seen for id_, seen in scores.items() if len(seen) == everyone}
    told_apart = [id_ for id_, seen in shared.items() if len(set(seen.values())) > 1]
    return next(iter([*told_apart, *shared]), None)


def _panel(family: str, picture: Figure, about: str = "") -> Panel:
    title = f"{picture.title}: {about}" if about else picture.title
    return Panel(title=title, markup=picture.svg, caption=picture.caption, family=family)


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
    known = KnownInstances()
    proof = verify_book(book, families.get, known)
    book = proof.book
    # Nobody plays or draws what may be no instance at all.
    real = [
        one
        for one in book.newest.values()
        if not one.row.proof or is_of_its_set(one, families.get, known)
    ]
    sound = LogBook(book.logs, real, parts=book.parts)
    rows = [*book.rows, *reference_rows(sound, families.get)]
    figures = draw_family_figures(sound, rows, episode)
    episodes = view_episodes(sound, sound.rows)
    cards = list(book.run_cards)
    notes = [*book.problems, *book.incomplete, *_list_problems(proof)]
    for name, unproved in (against or {}).items():
        earlier = verify_book(unproved, families.get).book
        rows += (row.model_copy(update={"run": name}) for row in earlier.rows)
        cards += (card.model_copy(update={"run": name}) for card in earlier.run_cards)
        notes += earlier.problems
    report = build_report(
        rows,
        panels=figures,
        notes=[put_in_one_line(note) for note in notes],
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


def view_episodes(book: LogBook, rows: Sequence[Row]) -> list[EpisodeView]:
    """Return what a report shows of single episodes: of each set those of the first model."""
    views = []
    for key, mine in group_by_run(rows).items():
        models = {
            name: of_agent
            for name, of_agent in group_by_agent(mine).items()
            if role_of(of_agent[0].agent) == "model"
        }
        if not models or key.family not in families.names():
            continue
        family = families.get(key.family, key.edition)
        metric = family.card.headline[key.edition]
        agent, of_agent = next(iter(models.items()))
        falls = family.metrics[metric].better == "lower"
        for chosen in choose_rows(of_agent, metric, falls=falls):
            sample = _find_sample(book, chosen.row)
            if sample is not None:
                views.append(_view(sample, chosen, agent))
    return views


def _find_sample(book: LogBook, row: Row) -> LoggedSample | None:
    same = (s for s in book.samples_of(row.id) if s.row == row)
    return next(same, None)


MOST_REPLY_CHARS = 600


def show_refused_reply(sample: LoggedSample) -> str:
    """Return the first refused reply of an episode as the agent wrote it; empty if none was."""
    said = sample.transcript
    # Where an agent of one's own, or a program, made the calls, turns are no replies.
    for turn, reply in zip(sample.turns, said.replies, strict=False):
        if (turn.unparsed is not None or not turn.legal) and not said.calls:
            return replace_unprintable(reply.text.strip())[:MOST_REPLY_CHARS]
    return ""


def _view(sample: LoggedSample, chosen: ChosenRow, agent: str) -> EpisodeView:
    row = chosen.row
    family = families.get(row.family, row.edition)
    scene: ReplayScene | None = None
    sentence = ""
    try:
        instance, rules = sample.record.rebuild(family)
        scene = family.views.scene(instance, rules, sample.turns) if family.views.scene else None
        sentence = family.score(instance, rules, sample.turns).explanation
    except CausariumError:
        pass
    question = scene.question if scene else ""
    return EpisodeView(
        run=(row.family, row.version, row.edition, row.set),
        why=chosen.why,
        id=row.id,
        agent=agent,
        outcome=chosen.outcome.words,
        sentence=tidy_sentence(" ".join(filter(None, (question, sentence)))),
        reply=show_refused_reply(sample),
        markup=draw_thumb(scene) if scene else "",
        log=replace_unprintable(str(sample.header.path)),
        epoch=row.epoch,
    )
