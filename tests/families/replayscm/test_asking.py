"""Playing: one answer where all is shown; worlds asked for, within a budget, where they can be."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import Episode
from causarium.contract.unparsed import Unparsed
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.actions import Ask, Submit
from causarium.families.replayscm.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.world import ASKED_ROWS, ReplayWorld, asked_world, true_model
from causarium.scm.dag import bits

RULES = FAMILY.rules_for("certified")
GARBAGE = Unparsed(mode="unreadable", detail="nothing in it")


@cache
def _drawn(level: str, index: int = 0) -> ReplayInstance:
    return FAMILY.generate(FAMILY.level(level), 0, index)


def test_where_all_is_shown_the_first_reply_is_the_only_one() -> None:
    instance = _drawn("hidden")
    for move in (GARBAGE, Submit(mechanisms={})):
        world = ReplayWorld(instance, RULES)
        world.act(move)
        assert world.done
        assert not world.allowed_actions


def test_a_world_cannot_be_asked_for_where_all_is_shown() -> None:
    world = ReplayWorld(_drawn("hidden"), RULES)
    assert Ask not in world.allowed_actions
    seen = world.act(Ask(assigned=("X1",)))
    assert not seen.legal
    assert seen.cost == world.spent == 0
    assert not world.done


def test_asking_costs_one_and_shows_what_was_set() -> None:
    instance = _drawn("ask-hidden")
    world = ReplayWorld(instance, RULES)
    seen = world.act(Ask(constant={"X2": 1, "X4": 0}))
    assert seen.legal
    assert seen.cost == world.spent == 1
    assert seen.data["targets"] == ["X2", "X4"]
    rows = seen.data["rows"]
    assert isinstance(rows, list)
    assert len(rows) == ASKED_ROWS
    assert all(row[1] == 1 and row[3] == 0 for row in rows)
    assert "targets X2=1, X4=0" in seen.text
    assert f"You may ask for {world.budget - 1} more." in seen.text


def test_asking_again_shows_the_same_rows() -> None:
    world = ReplayWorld(_drawn("ask-hidden"), RULES)
    first, second = (world.act(Ask(assigned=("X1", "X3"))) for _ in range(2))
    assert first.data["rows"] == second.data["rows"]
    assert world.spent == 2


REFUSED = {
    "not both": Ask(constant={"X1": 1}, assigned=("X2",)),
    "no variable 'Y'": Ask(assigned=("Y",)),
    "named twice": Ask(assigned=("X1", "X1")),
    "at most 4 can be": Ask(assigned=("X1", "X2", "X3", "X4", "X5")),
    "at 0 or at 1 only": Ask(constant={"X1": 2}),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_worlds_that_cannot_be_made_are_refused_at_no_cost(reason: str) -> None:
    world = ReplayWorld(_drawn("ask-hidden"), RULES)
    seen = world.act(REFUSED[reason])
    assert reason in seen.text
    assert not seen.legal
    assert world.spent == seen.cost == 0


def test_no_more_worlds_than_the_budget_are_shown() -> None:
    world = ReplayWorld(_drawn("ask-hidden", 1), RULES)
    for _ in range(world.budget):
        assert world.act(Ask()).cost == 1
    assert Ask not in world.allowed_actions
    assert not world.act(Ask()).legal
    assert world.spent == world.budget
    assert world.act(Submit(mechanisms={})).legal
    assert world.done


def test_endless_nonsense_comes_to_an_end() -> None:
    world = ReplayWorld(_drawn("ask-hidden", 1), RULES)
    for _ in range(2 * world.budget + 20):
        world.act(GARBAGE)
    assert world.done
    assert world.answer is None


@given(st.integers(0, 3), st.lists(st.integers(0, 5), max_size=4, unique=True), st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_true_model_brings_about_every_world_that_is_asked_for(
    index: int, places: list[int], held: bool
) -> None:
    instance = _drawn("ask-hidden", index)
    names = tuple(instance.public.variables[place] for place in places)
    move = Ask(constant=dict.fromkeys(names, 1)) if held else Ask(assigned=names)
    scm = true_model(instance)
    panel = asked_world(instance, scm, move)
    assert all(scm.run(row, panel.targets) == row for row in panel.rows)
    assert list(bits(panel.targets)) == sorted(places)
    assert panel.mode == ("none" if not names else "hard_constant" if held else "hard_assigned")


def test_what_the_oracle_writes_is_read_and_scored_as_text() -> None:
    instance = _drawn("ask-roots")
    episode = Episode(FAMILY, instance, RULES)
    episode.step(episode.parse_reply('{"assigned": ["X1", "X2"]}'))
    formulas = gold_formulas(instance)
    roots = [name for name in instance.public.variables if name not in formulas]
    reply = {"roots": roots, "mechanisms": formulas}
    episode.step(episode.parse_reply(str(reply).replace("'", '"')))
    numbers = episode.score().numbers
    assert numbers["heldout_exact"] == numbers["root_exact"] == numbers["asked"] == 1
    assert numbers["effort"] == 1 / len(instance.secret.plan or ())
