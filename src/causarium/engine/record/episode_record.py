"""What a log holds of an episode: enough to play it again and to score it, with no model.

The instance and the rules travel in the sample's metadata, facets beside them as columns; the
turns grow in the sample's store.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelUsage
from pydantic import ValidationError, field_validator

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Frozen
from causarium.contract.row import Tokens, Usage
from causarium.contract.rules import Edition, Rules
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.record.episode_store import EpisodeStore
from causarium.errors import BadFile


def usage_of(sample: EvalSample) -> Usage | None:
    """Return what the models of one sample took; None if no model was asked.

    Inspect counts by model and, for helping models, by role as well; what is left when the
    roles are taken off belongs to the model under test.
    """
    if not sample.model_usage:
        return None
    whole = tokens_of(sum(sample.model_usage.values(), ModelUsage()))
    helpers = {role: tokens_of(used) for role, used in sample.role_usage.items()}
    helping = tokens_of(sum(sample.role_usage.values(), ModelUsage()))
    agent = Tokens(
        input=whole.input - helping.input,
        cached=whole.cached - helping.cached,
        output=whole.output - helping.output,
        reasoning=whole.reasoning - helping.reasoning,
        cost=None if whole.cost is None else whole.cost - (helping.cost or 0.0),
    )
    replies = tuple(EpisodeStore(sample.store).tokens)
    return Usage(agent=agent, helpers=helpers, seconds=sample.working_time, replies=replies)


def tokens_of(used: ModelUsage) -> Tokens:
    """Return what a model took, as Inspect counted it."""
    cached = used.input_tokens_cache_read or 0
    return Tokens(
        input=used.input_tokens + cached + (used.input_tokens_cache_write or 0),
        cached=cached,
        output=used.output_tokens,
        reasoning=used.reasoning_tokens or 0,
        cost=used.total_cost,
    )


METADATA_KEY = "causarium"
HUMAN = "human"
"""Stands in a record in the place of a player's name when a person played."""
HUMAN_SEEN = "human (seen before)"
"""The same, when the person may have seen the truth of the instance before."""


class EpisodeRecord(Frozen):
    """What a sample's metadata says of the instance and of how it is played."""

    family: str
    version: str
    edition: Edition
    set: str
    player: str | None
    agent: str | None = None
    """The name of an agent that the user brought; None: ours."""
    instance: dict[str, Any]
    """Written as one text: Inspect copies a sample's metadata for every number it averages, and a
    text is copied at no cost."""
    rules: dict[str, Any]

    @field_validator("instance", mode="before")
    @classmethod
    def _read_instance(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

    @property
    def interface(self) -> str:
        """The interface that was played through."""
        return str(self.rules.get("interface", ""))

    def metadata(self, instance: AnyInstance) -> dict[str, Any]:
        """Return the sample's metadata: facets as columns, and this record."""
        record = self.model_dump(mode="json", exclude={"instance"})
        return {**instance.facets, METADATA_KEY: {**record, "instance": instance.line()}}

    def open(self, family: AnyFamily) -> tuple[AnyInstance, Rules]:
        """Rebuild the instance and the rules.

        Raises:
            BadFile: They were recorded by another version of the family.
        """
        stale = tell_stale(self.family, self.version, family.card.version)
        if stale:
            raise BadFile(f"this {stale}")
        try:
            instance = family.instance.model_validate(self.instance)
            return instance, family.rules.model_validate(self.rules)
        except ValidationError as wrong:
            raise BadFile(
                f"the log's {self.family} record is damaged: {describe_validation_error(wrong)}"
            ) from wrong

    def rebuild(self, family: AnyFamily) -> tuple[AnyInstance, Rules]:
        """Rebuild them to look back on what was played.

        What the agent read is in the turns, so a user's own prompt texts, or a release's, which may
        be gone by now, are not needed.
        """
        instance, rules = self.open(family)
        return instance, rules.model_copy(update={"prompts": None, "release": None})


def read_record(metadata: Mapping[str, Any]) -> EpisodeRecord:
    """Return the record in a sample's metadata.

    Raises:
        BadFile: There is none: the log is not one of ours.
    """
    try:
        return EpisodeRecord.model_validate(metadata[METADATA_KEY])
    except (KeyError, ValidationError) as wrong:
        raise BadFile(
            "the log holds no causarium record; it was not made by a causarium task"
        ) from wrong


def score_turns(
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    turns: Sequence[Turn],
    judgements: Sequence[Judgement] = (),
) -> Verdict:
    """Score recorded turns. Every number the family names is there, nan where it says nothing.

    Args:
        family: The family that was played.
        instance: The instance that was played.
        rules: The rules it was played by.
        turns: The recorded turns, in order.
        judgements: What judge models found, if they were asked.
    """
    if family.helpers.judge is not None and judgements:
        verdict = family.helpers.judge.score(instance, rules, turns, judgements)
    else:
        verdict = family.score(instance, rules, turns)
    numbers = dict.fromkeys(family.metrics, float("nan")) | verdict.numbers
    return verdict.model_copy(update={"numbers": numbers})


def tell_stale(family: str, version: str, current: str) -> str:
    """Say that a record is of another version, its letter included; nothing if it is not.

    Args:
        family: The family's name.
        version: The version that recorded it.
        current: The version that is installed.
    """
    if version == current:
        return ""
    return (
        f"was recorded by version {version} of {family} and this is version {current}; the "
        f"scores are not comparable. Install the release that has version {version}"
    )
