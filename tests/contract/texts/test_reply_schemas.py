"""Replies held to a schema: what players do fits it, and whatever fits it is read."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from causarium import families
from causarium.contract.checks.checked_family import REFERENCE_PLAYERS
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily
from causarium.contract.rules import EDITIONS
from causarium.contract.sets.instance_sets import find_set, generate_instances
from causarium.contract.world import Action, Unparsed
from causarium.engine.play.conversation import LimitedSchema, find_expected_schema
from causarium.families.causalab.certified.model.actions import ACTIONS as LADDER_ACTIONS
from causarium.families.causalab.paper.model.hypothesis import Hypothesis
from causarium.families.causalgame.certified.model import ACTIONS as GAME_ACTIONS
from causarium.families.replayscm.paper.model.actions import Extracted
from tests.support.documents import drawn, unlimited
from tests.support.lamps import FAMILY as LAMPS

FAMILIES = [families.get(name) for name in families.FAMILIES] + [LAMPS]
_DOCUMENTS = 8
_NAMED = {"causalab", "causalgame"}
"""Families whose replies name their action."""


def tables(family: AnyFamily) -> Iterator[Episode]:
    """Yield fresh episodes: each kind of instance of the smoke sets, in each text interface."""
    for edition in EDITIONS:
        instances = list(generate_instances(family, find_set(family, edition, "smoke").parts))
        for interface in family.for_edition(edition).rules.interfaces:
            if interface in {"code", *family.rules.unconstrained}:
                continue
            rules = family.rules_for(edition, interface=interface, constrained=True)
            if not rules.is_interface_installed():
                continue
            for instance in instances[:: max(1, len(instances) // 3)][:3]:
                yield Episode(family, instance, rules)


def worded(family: AnyFamily, move: Action) -> dict[str, Any]:
    """Return a move as the family's texts ask for it."""
    if family.name == "recite":  # Ids are numbers in a reply.
        return dict(json.loads(family.replies.write(move, family.rules_for("certified"))))
    fields = dict(move.model_dump(mode="json"))
    for name in (
        "ran",
        "reading",
        "forgiven",
        "slips",
        "repaired",
        "strict",
        "others",
        "released",
        "mended",
    ):
        fields.pop(name, None)
    if isinstance(move, LADDER_ACTIONS):
        return fields
    if family.name == "causalab":
        fields |= {"memory": "", "thought": "", "hypothesis": _hypothesis(move)}
    elif not isinstance(move, Extracted):
        fields = {name: value for name, value in fields.items() if value is not None}
    if family.name == "replayscm":
        said = fields.get("answers", fields)
        fields = {name: value for name, value in said.items() if value is not None}
    if family.name == "recite":
        fields = {name: value for name, value in fields.items() if value}
    if fields.get("device") == "":
        del fields["device"]
    if family.name == "causalgame" and isinstance(move, GAME_ACTIONS):
        return {move.kind: fields.get("choices", fields)}
    if family.name in _NAMED:
        fields["action"] = move.kind
    return fields


def _hypothesis(move: Action) -> Any:
    believed = getattr(move, "hypothesis", None)
    if not isinstance(believed, Hypothesis):
        return None
    return believed.model_dump(mode="json", by_alias=True, exclude={"malformed"})


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_players_do_fits_the_schema(family: AnyFamily) -> None:
    for opened in tables(family):
        for player in REFERENCE_PLAYERS:
            played = play(family, opened.instance, opened.rules, player)
            episode = Episode(family, opened.instance, opened.rules)
            for turn in played.turns:
                move = turn.move(episode.family.actions)
                if isinstance(move, Action) and turn.legal:
                    said = worded(family, move)
                    if opened.rules.interface == "plain" and move.kind != "verify":
                        said.pop("hypothesis", None)
                    Draft202012Validator(find_expected_schema(episode)).validate(said)
                    assert not isinstance(episode.parse_reply(json.dumps(said)), Unparsed)
                episode.step(move)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_fits_the_schema_is_read(family: AnyFamily) -> None:
    rng = Random(8)
    for episode in tables(family):
        for player in ("oracle", "random"):
            turns = play(family, episode.instance, episode.rules, player).turns
            walked = Episode(family, episode.instance, episode.rules)
            for turn in turns[:4]:
                schema = find_expected_schema(walked)
                for _ in range(_DOCUMENTS):
                    said = json.dumps(drawn(schema, rng), ensure_ascii=False)
                    got = walked.parse_reply(said)
                    assert isinstance(got, walked.world.allowed_actions), (said, got)
                walked.step(turn.move(walked.family.actions))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_document_that_fits_can_grow_without_end(family: AnyFamily) -> None:
    for episode in tables(family):
        schema = find_expected_schema(episode)
        assert unlimited(schema) == []
        kept = LimitedSchema.model_validate(schema).model_dump(exclude_none=True)
        assert unlimited(kept) == [], "a limit was lost on the way to the provider"
