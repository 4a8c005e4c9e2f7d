"""Published responses and evaluations as rows, beside which runs of ours can be put.

A response is read and scored exactly as a fresh reply would be. Where a stored evaluation of its
labels is at hand, its labels are scored by the published formulas as they lie there, malformed ones
included: what it leaves out counts for nothing. Where the published code gives an evaluation up, or
it is no YAML, the row stays unscored and is counted.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.row import Row
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.verdict import Verdict
from causarium.families.recite.paper.helpers.judge_questions import JudgeReply, PassReply
from causarium.families.recite.paper.helpers.safe_yaml import BadYaml, Yaml, read_yaml
from causarium.families.recite.paper.model.instance import ReciteInstance, Task
from causarium.families.recite.paper.players import BASELINES
from causarium.families.recite.paper.publication.dataset_files import (
    as_instances,
    as_record,
    read_rows,
)
from causarium.families.recite.paper.publication.dataset_row import Sample, Text
from causarium.families.recite.paper.scoring.label_scores import (
    PASSES,
    MalformedJudgement,
    evaluations_key,
)
from causarium.players.direct_runner import make_row, play_all

TASKS: Mapping[str, Task] = {
    "causal_graph_generation": "given_count",
    "causal_graph_generation_with_node_names": "names",
}
"""The published names of the tasks."""

FINE_GRAINED = "fine_grained"
"""Evaluations of this kind hold labels; a fresh one has the judge's name behind it."""


EMPTY = BeforeValidator(lambda value: None if value == "" else value)
"""What a table of texts has where there is nothing."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    sample_id: int
    model: Text
    task_type: Text


class Response(_Record):
    """What a model answered."""

    response_answer: Text = ""
    response_reasoning: Text = ""
    corrected_answer: Text = ""
    """What a repair made of it; empty where there was none."""
    valid_format: Annotated[bool | None, EMPTY] = None
    response_date: Text = ""

    @property
    def reply(self) -> str:
        """The answer that is scored: the repaired one, if there is one."""
        return self.corrected_answer or self.response_answer


class Evaluation(_Record):
    """What an evaluator made of a response."""

    response_id: int
    evaluator_type: Text
    score: Annotated[float | None, EMPTY] = None
    evaluation_answer: Text = ""

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


def read_stored_evaluations(path: Path) -> list[Evaluation]:
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
    baselines: tuple[Row, ...] = ()
    """What players without a model earn on the same documents."""

    def __str__(self) -> str:
        """Say in a sentence what came of it."""
        unscored = sum(row.unscored is not None for row in self.rows)
        return (
            f"{len(self.rows)} rows, {self.unjudged} of them scored without stored labels, "
            f"{unscored} unscored; {self.strangers} responses to other documents"
        )


def import_responses(
    family: AnyFamily,
    samples: Sequence[Sample],
    responses: Iterable[Response],
    evaluations: Iterable[Evaluation] = (),
    *,
    name: str = "published",
) -> Import:
    """Score published responses again, and return them as rows of the paper edition.

    Their set is called `name`, and `name`-names where names were given: what a file of that name
    is called when it is played, so that runs of both kinds stand in one table.
    """
    instances = _instances(samples)
    stored = _by_response(evaluations)
    rows: list[Row] = []
    answered: dict[str, ReciteInstance] = {}
    strangers = unjudged = 0
    for response in responses:
        instance = instances.get((response.sample_id, TASKS.get(response.task_type)))
        if instance is None:
            strangers += 1
            continue
        judges = stored.get(response.id, {})
        unjudged += not judges
        answered[instance.id] = instance
        rows.append(_row(family, instance, response, judges, name))
    return Import(
        rows=tuple(rows),
        strangers=strangers,
        unjudged=unjudged,
        baselines=tuple(_baselines(family, answered.values(), name)),
    )


def _baselines(family: AnyFamily, instances: Iterable[ReciteInstance], name: str) -> Iterator[Row]:
    for instance in instances:
        for player in BASELINES:
            yield from play_all(
                family, [instance], player, edition="paper", set_name=_set_name(name, instance)
            )


def _set_name(name: str, instance: ReciteInstance) -> str:
    return f"{name}-names" if instance.public.task == "names" else name


def _instances(samples: Sequence[Sample]) -> dict[tuple[int, Task | None], ReciteInstance]:
    return {
        (sample.id, task): instance
        for task in TASKS.values()
        for sample, instance in zip(samples, as_instances(samples, task), strict=True)
    }


def _by_response(evaluations: Iterable[Evaluation]) -> dict[int, dict[str, str]]:
    """Return, by response and judge, everything that the judge is stored to have written."""
    found: dict[int, dict[str, list[str]]] = {}
    for one in evaluations:
        if one.evaluator_type.startswith(FINE_GRAINED) and one.evaluation_answer:
            judges = found.setdefault(one.response_id, {})
            judges.setdefault(one.judge, []).append(_unwrap_labels(one.evaluation_answer))
    return {
        number: {judge: "\n".join(texts) for judge, texts in judges.items()}
        for number, judges in found.items()
    }


def _unwrap_labels(text: str) -> str:
    """Return stored labels without fences; a table of texts, one a question, as one text."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        table = None
    if isinstance(table, dict) and table and all(isinstance(v, str) for v in table.values()):
        text = "\n".join(table.values())
    return "\n".join(line for line in text.split("\n") if not line.startswith("```"))


def _row(
    family: AnyFamily,
    instance: ReciteInstance,
    response: Response,
    judges: Mapping[str, str],
    name: str,
) -> Row:
    # The published scoring looks for an answer in prose and fences; only its validation does not.
    episode = Episode(family, instance, family.rules_for("paper", strict_form=False))
    episode.step(episode.parse_reply(response.reply))
    verdict = _judge_stored(episode, judges) if judges else episode.score()
    set_name = _set_name(name, instance)
    return make_row(episode, verdict, edition="paper", set_name=set_name, agent=response.model)


def _judge_stored(episode: Episode, judges: Mapping[str, str]) -> Verdict:
    judge, played = episode.family.helpers.judge, (episode.instance, episode.rules, episode.turns)
    if judge is None:
        return episode.score()
    try:
        judgements = [
            Judgement(model=name, found=read_stored_labels(text).model_dump(), replies=(text,))
            for name, text in judges.items()
        ]
        return judge.score(*played, judgements)
    except (BadYaml, MalformedJudgement) as wrong:
        return episode.score().model_copy(
            update={"unscored": f"the stored labels cannot be scored: {wrong}"}
        )


def read_stored_labels(text: str) -> JudgeReply:
    """Return the labels of a stored evaluation as they lie there.

    Raises:
        BadYaml: It is no YAML.
        MalformedJudgement: A list or an item is something else.
    """
    stored = read_yaml(text)
    if not isinstance(stored, dict):
        raise MalformedJudgement("there is no table of evaluations")
    passes: dict[str, PassReply] = {}
    for asked in PASSES:
        items = _drop_yaml_none(stored.get(evaluations_key(asked)) or [])
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise MalformedJudgement(f"{evaluations_key(asked)} is no list of items")
        passes[asked] = PassReply(items=items, asked=1)
    return JudgeReply(passes=passes)


def _drop_yaml_none(value: Yaml) -> Any:
    """Return what YAML means by a value, where that is nothing."""
    if isinstance(value, dict):
        return {key: _drop_yaml_none(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_drop_yaml_none(item) for item in value]
    return None if value in ("", "~", "null", "Null", "NULL") else value
