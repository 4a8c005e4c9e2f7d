"""The worst and the best episode of the first model of every set, in a picture and a sentence."""

from collections.abc import Sequence

from causarium import families
from causarium.contract.row import Row
from causarium.contract.views.scene import ReplayScene
from causarium.engine.logbook.log_book import LogBook, LoggedSample
from causarium.errors import CausariumError
from causarium.report.data.family_facts import EpisodeView
from causarium.report.data.number_format import tidy_sentence
from causarium.report.data.outcomes import ChosenRow, choose_rows
from causarium.report.data.summaries import group_by_agent, group_by_run, role_of
from causarium.report.figures.thumb import draw_thumb


def view_episodes(book: LogBook, rows: Sequence[Row]) -> list[EpisodeView]:
    """Return what a report shows of single episodes.

    Args:
        book: The logs that hold the episodes.
        rows: Their rows; of each set the first model's are looked at.
    """
    views = []
    for key, mine in group_by_run(rows).items():
        models = {
            name: of_agent
            for name, of_agent in group_by_agent(mine).items()
            if role_of(of_agent[0].agent) == "model"
        }
        if not models or key.family not in families.names():
            continue
        family = families.get(key.family)
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


def _view(sample: LoggedSample, chosen: ChosenRow, agent: str) -> EpisodeView:
    row = chosen.row
    family = families.get(row.family)
    scene: ReplayScene | None = None
    sentence = ""
    try:
        instance, rules = sample.record.reopen(family)
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
        markup=draw_thumb(scene) if scene else "",
        log=str(sample.header.path),
        epoch=row.epoch,
    )
