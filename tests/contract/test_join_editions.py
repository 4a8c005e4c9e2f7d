"""Both editions as one value: each call goes to the edition that its argument belongs to."""

import pickle
from dataclasses import replace

import pytest

from causarium import families
from causarium.contract.episode import Episode, play
from causarium.contract.join_editions import join_editions
from causarium.contract.rules import EDITIONS
from causarium.errors import ContractError, UnknownName
from tests.support.lamps import FAMILY as LAMPS

PAPER = families.get("causalgame", "paper")
SPLIT = sorted(families.WINGS)


def draw(family, edition):
    level = next(one for one in family.levels.values() if one.edition == edition)
    return family.generate(level, 0, 0)


@pytest.fixture
def apart():
    """Two editions that share no configuration, rules, actions or metrics."""
    levels = {name: one for name, one in LAMPS.levels.items() if one.edition == "certified"}
    certified = replace(LAMPS, name="causalgame", edition="certified", levels=levels)
    return join_editions({"certified": certified, "paper": PAPER})


@pytest.mark.parametrize("name", families.FAMILIES)
def test_each_edition_is_asked_for_by_its_name(name):
    for edition in EDITIONS:
        family = families.get(name, edition)
        assert family.edition == (edition if name in families.WINGS else None)
        assert family.folder == families.get(name).folder
        assert families.get(name).for_edition(edition) is family
    with pytest.raises(UnknownName):
        families.get("causalink", "paper")


@pytest.mark.parametrize("name", SPLIT)
@pytest.mark.parametrize("edition", EDITIONS)
def test_an_instance_is_played_and_scored_as_in_its_own_edition(name, edition):
    both, own = families.get(name), families.get(name, edition)
    instance, rules = draw(both, edition), both.rules_for(edition)
    assert both.for_instance(instance) is own
    assert both.read_instance(instance.model_dump(mode="json")) == instance
    game, again = (play(family, instance, rules, "oracle") for family in (both, own))
    assert [turn.action for turn in game.turns] == [turn.action for turn in again.turns]
    verdict = both.score(instance, rules, game.turns)
    assert repr(verdict.numbers) == repr(again.score().numbers)
    assert verdict.numbers.keys() <= own.metrics.keys()
    assert both.prompt(instance.public, rules) == own.prompt(instance.public, rules)
    for function in (both.generate, both.score):
        assert pickle.loads(pickle.dumps(function)) == function


def test_editions_with_nothing_in_common_are_joined_all_the_same(apart):
    for edition in EDITIONS:
        wing = apart.wings[edition]
        instance, rules = draw(apart, edition), apart.rules_for(edition)
        assert isinstance(rules, wing.rules)
        assert apart.for_instance(instance) is wing
        assert apart.read_instance(instance.model_dump(mode="json")) == instance
        game = play(apart, instance, rules, "oracle")
        headline = wing.score(instance, rules, game.turns).numbers
        assert repr(apart.score(instance, rules, game.turns).numbers) == repr(headline)
        # Rules that hold the fields of both editions serve either.
        joined = apart.rules.model_validate(rules.model_dump())
        assert isinstance(joined, wing.rules)
        assert apart.prompt(instance.public, joined) == wing.prompt(instance.public, rules)
        assert Episode(apart, instance, joined).world.allowed_actions
        apart.proofs.certify(instance)
    assert {*apart.metrics} == {m for wing in apart.wings.values() for m in wing.metrics}


def test_a_player_of_one_edition_is_silent_in_the_other(apart):
    instance = draw(apart, "certified")
    assert not play(apart, instance, apart.rules_for("certified"), "grid").turns
    with pytest.raises(UnknownName, match="grid"):
        apart.for_edition("certified").player("grid")


def test_other_companions_are_handed_to_both_editions(apart):
    other = apart.with_companions(players={"oracle": apart.players["silent"]})
    assert other.for_edition("paper").players == other.players
    assert apart.for_edition("paper").players == PAPER.players


def test_what_belongs_to_neither_edition_is_refused(apart):
    with pytest.raises(ContractError, match="belongs to no edition"):
        families.get("causalgame").for_instance(draw(apart, "certified"))
    with pytest.raises(ContractError, match="share a type"):
        join_editions({"certified": LAMPS, "paper": LAMPS})
