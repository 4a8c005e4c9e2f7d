"""Published responses and evaluations as rows, beside which runs of ours can be put.

A response is read and scored exactly as a fresh reply would be. Where a stored evaluation of its
labels is at hand, it answers in the place of a judge, item by item, under the same checks: what it
leaves out stays unscored and is counted.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from causarium.contract.consult import Judgement, answered
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.row import Row
from causarium.contract.verdict import Verdict
from causarium.families.recite.data import as_instances, as_record, read_rows
from causarium.families.recite.instance import ReciteInstance, Task
from causarium.families.recite.sample import Sample
from causarium.players.direct import row_of

TASKS: Mapping[str, Task] = {
    "causal_graph_generation": "given_count",
    "causal_graph_generation_with_node_names": "names",
}
"""The published names of the tasks."""

FINE_GRAINED = "fine_grained"
"""Evaluations of this kind hold labels; a fresh one has the judge's name behind it."""


def _text(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value


_Text = Annotated[str, BeforeValidator(_text)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    sample_id: int
    model: _Text
    task_type: _Text


class Response(_Record):
    """What a model answered."""

    response_answer: _Text = ""
    response_reasoning: _Text = ""
    corrected_answer: _Text = ""
    """What a repair made of it; empty where there was none."""
    valid_format: bool | None = None
    response_date: _Text = ""

    @property
    def reply(self) -> str:
        """The answer that is scored: the repaired one, if there is one."""
        return self.corrected_answer or self.response_answer


class Evaluation(_Record):
    """What an evaluator made of a response."""

    response_id: int
    evaluator_type: _Text
    score: float | None = None
    evaluation_answer: _Text = ""

    @property
    def judge(self) -> str:
        """The judge's name, where the kind of evaluation carries it."""
        return self.evaluator_type.removeprefix(FINE_GRAINED).strip("_") or "stored"


def read_responses(path: Path) -> list[Response]:
    """Read a responses file.

    Raises:
        BadFile: The file or a row of it cannot be used.
    """
    rows = enumerate(read_rows(path), 1)
    return [as_record(Response, path, n, row, "a response") for n, row in rows]


def read_evaluations(path: Path) -> list[Evaluation]:
    """Read an evaluations file.

    Raises:
        BadFile: The file or a row of it cannot be used.
    """
    rows = enumerate(read_rows(path), 1)
    return [as_record(Evaluation, path, n, row, "an evaluation") for n, row in rows]


class Import(BaseModel):
    """What came of an import: the rows, and what had no place in them."""

    model_config = ConfigDict(frozen=True)

    rows: tuple[Row, ...]
    strangers: int
    """Responses to documents or tasks that are not known here."""
    unjudged: int
    """Rows that had no stored evaluation of labels and were scored by code."""


def import_responses(
    family: AnyFamily,
    samples: Sequence[Sample],
    responses: Iterable[Response],
    evaluations: Iterable[Evaluation] = (),
) -> Import:
    """Score published responses again, and return them as rows of the paper edition."""
    instances = _instances(samples)
    labelled = {
        one.response_id: one for one in evaluations if one.evaluator_type.startswith(FINE_GRAINED)
    }
    rows: list[Row] = []
    strangers = unjudged = 0
    for response in responses:
        instance = instances.get((response.sample_id, TASKS.get(response.task_type)))
        if instance is None:
            strangers += 1
            continue
        evaluation = labelled.get(response.id)
        unjudged += evaluation is None
        rows.append(_row(family, instance, response, evaluation))
    return Import(rows=tuple(rows), strangers=strangers, unjudged=unjudged)


def _instances(
    samples: Sequence[Sample],
) -> dict[tuple[int, Task | None], ReciteInstance]:
    return {
        (sample.id, task): instance
        for task in TASKS.values()
        for sample, instance in zip(samples, as_instances(samples, task), strict=True)
    }


def _row(
    family: AnyFamily, instance: ReciteInstance, response: Response, stored: Evaluation | None
) -> Row:
    rules = family.rules_for("paper")
    episode = Episode(family, instance, rules)
    episode.take(episode.read(response.reply))
    verdict = episode.verdict() if stored is None else _judged(episode, stored)
    return row_of(episode, verdict, edition="paper", set_name="published", agent=response.model)


def _judged(episode: Episode, stored: Evaluation) -> Verdict:
    judge = episode.family.judge
    if judge is None:
        return episode.verdict()
    found: dict[str, Any] = answered(
        judge.ask(episode.instance, episode.rules, episode.turns),
        lambda _: stored.evaluation_answer,
    )
    judgement = Judgement(model=stored.judge, found=found, replies=(stored.evaluation_answer,))
    return judge.score(episode.instance, episode.rules, episode.turns, [judgement])
