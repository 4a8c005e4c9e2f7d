"""Playing: one answer where all is shown; worlds asked for, within a budget, where they can be."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import Episode, play
from causarium.contract.unparsed import Unparsed
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.actions import Ask, Submit
from causarium.families.replayscm.evidence.boolean_view import admissible
from causarium.families.replayscm.evidence.next_question import choose_next_question
from causarium.families.replayscm.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.mechanics.asked_worlds import make_asked_world, true_model
from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.families.replayscm.world import ReplayWorld
from causarium.scm.dag import bits

RULES = FAMILY.rules_for("certified")
STRICT = FAMILY.rules_for("paper")
GARBAGE = Unparsed(mode="unreadable", detail="nothing in it")
UNREADABLE = "((("


@cache
def _drawn(level: str, index: int = 0, seed: int = 0) -> ReplayInstance:
    return FAMILY.generate(FAMILY.level(level), seed, index)


def test_what_cannot_be_read_is_asked_for_once_more_at_no_cost() -> None:
    instance = _drawn("hidden")
    unreadable = Submit(mechanisms=dict.fromkeys(gold_formulas(instance), UNREADABLE))
    for move in (GARBAGE, unreadable):
        world = ReplayWorld(instance, RULES)
        seen = world.act(move)
        assert (seen.legal, seen.cost, world.done) == (False, 0, False)
        assert "Send the whole answer again" in seen.text
        assert world.act(Submit(mechanisms=gold_formulas(instance))).legal
        assert world.done
        again = ReplayWorld(instance, RULES)
        again.act(move)
        again.act(move)
        assert again.done
        assert not again.allowed_actions


def test_published_rules_and_what_can_be_read_get_no_second_try() -> None:
    instance = _drawn("hidden")
    world = ReplayWorld(instance, STRICT)
    world.act(GARBAGE)
    assert world.done
    incomplete = ReplayWorld(instance, RULES)
    assert incomplete.act(Submit(mechanisms={})).legal
    assert incomplete.done


def test_a_second_try_is_scored_and_counted() -> None:
    instance = _drawn("hidden")
    gold = gold_formulas(instance)
    bare = {name: text.removeprefix("(").removesuffix(")") for name, text in gold.items()}
    for first, slips in ((GARBAGE, 1), (Submit(mechanisms=dict.fromkeys(gold, UNREADABLE)), 1)):
        episode = Episode(FAMILY, instance, RULES)
        episode.step(first)
        assert episode.score().numbers["valid"] == 0
        assert episode.score().numbers["slips"] == slips
        episode.step(Submit(mechanisms=gold))
        numbers = episode.score().numbers
        assert (numbers["heldout_exact"], numbers["slips"], numbers["strict_valid"]) == (1, 1, 0)
    episode = Episode(FAMILY, instance, RULES)
    episode.step(Submit(mechanisms=bare))
    numbers = episode.score().numbers
    assert numbers["heldout_exact"] == numbers["valid"] == 1
    assert numbers["slips"] == sum(bare[name] != text for name, text in gold.items()) > 0


def test_moves_after_the_end_change_nothing() -> None:
    instance = _drawn("hidden")
    episode = Episode(FAMILY, instance, RULES)
    for _ in range(2):
        episode.step(GARBAGE)
    before = episode.score()
    episode.step(Submit(mechanisms=gold_formulas(instance)))
    assert episode.score() == before or episode.score().labels == before.labels
    assert episode.score().numbers["valid"] == 0


def test_a_world_cannot_be_asked_for_where_all_is_shown() -> None:
    world = ReplayWorld(_drawn("hidden"), RULES)
    assert Ask not in world.allowed_actions
    seen = world.act(Ask(set={"X1": "1"}))
    assert not seen.legal
    assert seen.cost == world.spent == 0
    assert not world.done


def test_asking_costs_one_and_shows_what_was_set() -> None:
    instance = _drawn("ask-hidden")
    world = ReplayWorld(instance, RULES)
    units = len(instance.public.train[0].units)
    digits = ("011" * units)[:units]
    seen = world.act(Ask(set={"X2": "1", "X4": digits}))
    assert seen.legal
    assert seen.cost == world.spent == 1
    assert seen.data["targets"] == ["X2", "X4"]
    assert seen.data["columns"]["X4"] == digits  # type: ignore[index,call-overload]
    assert seen.data["columns"]["X2"] == "1" * units  # type: ignore[index,call-overload]
    assert "mode hard_assigned, targets X2, X4" in seen.text
    assert f"You may ask for {world.budget - 1} more." in seen.text
    held = world.act(Ask(set={"X2": "1", "X4": "0"}))
    assert "targets X2=1, X4=0" in held.text


def test_asking_again_shows_the_same_rows_and_costs_again() -> None:
    world = ReplayWorld(_drawn("ask-hidden"), RULES)
    first, second = (world.act(Ask(set={"X1": "0"})) for _ in range(2))
    assert first.data["columns"] == second.data["columns"]
    assert world.spent == 2


REFUSED = {
    "that world is the first one": {},
    "no variable 'Y'": {"Y": "1"},
    "at most 4 can be": dict.fromkeys(("X1", "X2", "X3", "X4", "X5"), "1"),
    "digits 0 and 1 only": {"X1": "2"},
    "needs one digit or 12": {"X1": "01"},
    "and has 0": {"X1": ""},
}


@pytest.mark.parametrize("reason", REFUSED)
def test_worlds_that_cannot_be_made_are_refused_at_no_cost(reason: str) -> None:
    world = ReplayWorld(_drawn("ask-hidden"), RULES)
    seen = world.act(Ask(set=REFUSED[reason]))
    assert reason in seen.text
    assert not seen.legal
    assert world.spent == seen.cost == 0


def test_no_more_worlds_than_the_budget_are_shown() -> None:
    world = ReplayWorld(_drawn("ask-hidden", 1), RULES)
    for _ in range(world.budget):
        assert world.act(Ask(set={"X1": "1"})).cost == 1
    assert Ask not in world.allowed_actions
    assert not world.act(Ask(set={"X1": "1"})).legal
    assert world.spent == world.budget
    assert world.act(Submit(mechanisms={})).legal
    assert world.done


def test_endless_nonsense_comes_to_an_end() -> None:
    world = ReplayWorld(_drawn("ask-hidden", 1), RULES)
    for _ in range(2 * world.budget + 20):
        world.act(GARBAGE)
    assert world.done
    assert world.answer is None


@given(
    st.integers(0, 3),
    st.dictionaries(st.integers(0, 5), st.integers(0, 4095), min_size=1, max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_a_world_follows_from_the_question_and_the_roots_of_the_first_world(
    index: int, chosen: dict[int, int]
) -> None:
    instance = _drawn("ask-hidden", index)
    public, scm = instance.public, true_model(instance)
    question = {public.variables[i]: f"{value:012b}" for i, value in chosen.items()}
    world = make_asked_world(public, scm, question, 1)
    panel = Panel.read(world, public.variables)
    assert all(scm.run(row, panel.targets) == row for row in panel.rows)
    assert list(bits(panel.targets)) == sorted(chosen)
    for name, digits in question.items():
        assert world.columns[name] == digits
    for root in bits(scm.roots & ~panel.targets):
        name = public.variables[root]
        assert world.columns[name] == public.train[0].columns[name]


def test_what_moves_without_being_set_is_no_root() -> None:
    instance = _drawn("ask-roots", 1)
    public, scm = instance.public, true_model(instance)
    asked = [
        make_asked_world(public, scm, {name: digit}, 1)
        for name in public.variables
        for digit in "01"
    ]
    every, fewer = admissible(public), admissible(public, asked)
    assert scm.roots in fewer.root_sets
    assert len(fewer.root_sets) < len(every.root_sets)


@pytest.mark.parametrize("level", ["ask-ordered", "ask-block", "ask-hidden", "ask-roots"])
def test_the_reference_asker_settles_every_problem_within_its_budget(level: str) -> None:
    for index in range(2):
        instance = _drawn(level, index, 7)
        numbers = play(FAMILY, instance, RULES, "simplest").score().numbers
        assert numbers["settled"] == numbers["heldout_exact"] == numbers["effort"] == 1
        assert numbers["asked"] == instance.secret.par
        assert play(FAMILY, instance, RULES, "oracle").score().numbers["effort_sighted"] == 1


def test_questions_depend_on_what_was_shown_and_on_nothing_secret() -> None:
    one = _drawn("ask-hidden", 2)
    first = choose_next_question(one.public, [])
    assert first is not None
    assert 1 <= len(first) <= 4
    assert all(set(digits) <= {"0", "1"} for digits in first.values())
    assert choose_next_question(one.public, []) == first


@pytest.mark.long
def test_a_hundred_problems_are_settled_and_par_is_close_to_the_sighted_plan() -> None:
    ratios = []
    for level in ("ask-ordered", "ask-block", "ask-hidden", "ask-roots"):
        for index in range(25):
            instance = _drawn(level, index, 31)
            assert instance.secret.par
            assert instance.secret.par <= instance.public.budget
            ratios.append(instance.secret.par / len(instance.secret.plan or ()))
    assert 1.0 <= sum(ratios) / 100 <= 1.2


def test_what_the_oracle_writes_is_read_and_scored_as_text() -> None:
    instance = _drawn("ask-roots")
    episode = Episode(FAMILY, instance, RULES)
    episode.step(episode.parse_reply('{"set": {"X1": "1", "X2": "010101010101"}}'))
    formulas = gold_formulas(instance)
    roots = [name for name in instance.public.variables if name not in formulas]
    reply = {"roots": roots, "mechanisms": formulas}
    episode.step(episode.parse_reply(str(reply).replace("'", '"')))
    numbers = episode.score().numbers
    assert numbers["heldout_exact"] == numbers["root_exact"] == numbers["asked"] == 1
    assert numbers["effort"] == 1 / (instance.secret.par or 0)
    assert numbers["settled"] == 0
