"""Playing the bench: experiments, the lock, the questions, and what agents get wrong."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from causarium.contract.episode import Episode
from causarium.contract.world import Move, Unparsed
from causarium.families.causalab import FAMILY
from causarium.families.causalab.model.actions import Answer, Hold, Lock
from causarium.families.causalab.model.bench import BenchInstance
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.play.bench_world import BenchWorld
from causarium.families.causalab.play.world import turn_limit
from causarium.families.causalab.scoring.bench_score import score_bench
from tests.families.causalab.bench.made_bench import QUICK, draw, record

INSTANCE = draw("bench-4", 0)
PUBLIC, SECRET = INSTANCE.public, INSTANCE.secret


def _hold(place: int = 0, offset: int = 1) -> Hold:
    name = PUBLIC.holdable[place]
    return Hold(property=name, value=PUBLIC.manipulator[PUBLIC.names.index(name)] + offset)


def _numbers(instance: BenchInstance, *moves: Move) -> dict[str, float]:
    return score_bench(instance, LabRules(), record(instance, *moves)[1]).numbers


def test_an_experiment_shows_all_readings_and_is_let_go() -> None:
    world = BenchWorld(INSTANCE, LabRules())
    first, again = world.act(_hold()), world.act(_hold())
    assert first.data["readings"] == again.data["readings"]
    assert first.cost == 1
    assert world.spent == 2


def test_the_truth_earns_everything_and_silence_nothing() -> None:
    assert _numbers(INSTANCE, Lock(), Answer(answers=SECRET.answers))["answered"] == 1
    assert _numbers(INSTANCE)["answered"] == 0
    nothing = Answer(answers=(None,) * PUBLIC.questions)
    assert _numbers(INSTANCE, Lock(), nothing)["answered"] == 0


def test_the_true_arrows_are_exact_and_no_arrows_are_not_judged() -> None:
    arrows = tuple((edge.cause, edge.effect) for edge in SECRET.edges)
    numbers = _numbers(INSTANCE, Lock(), Answer(answers=SECRET.answers, arrows=arrows))
    assert numbers["arrows_exact"] == numbers["edge_f1"] == 1
    assert numbers["arrow_j"] in {1} or numbers["arrow_j"] != numbers["arrow_j"]
    numbers = _numbers(INSTANCE, Lock(), Answer(answers=SECRET.answers))
    assert numbers["edge_f1"] != numbers["edge_f1"]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        pytest.param(
            Hold(property="mass", value=1), "cannot be held here; you can hold", id="name"
        ),
        pytest.param(_hold(offset=0), "take a whole number from", id="no change"),
        pytest.param(_hold(offset=PUBLIC.limit + 1), "take a whole number from", id="too far"),
        pytest.param(Unparsed(mode="no JSON", detail="no object"), "send it again", id="unread"),
    ],
)
def test_what_cannot_be_done_costs_no_experiment(move: Move, reason: str) -> None:
    world = BenchWorld(INSTANCE, LabRules())
    seen = world.act(move)
    assert not seen.legal
    assert reason in seen.text
    assert (world.spent, seen.cost) == (0, 0)


def test_what_is_fixed_cannot_be_held() -> None:
    fixed = next(name for name in PUBLIC.names if name not in PUBLIC.holdable)
    value = PUBLIC.manipulator[PUBLIC.names.index(fixed)] + 1
    assert not BenchWorld(INSTANCE, LabRules()).act(Hold(property=fixed, value=value)).legal


@pytest.mark.parametrize(
    "moves",
    [
        pytest.param([_hold(i % len(PUBLIC.holdable)) for i in range(PUBLIC.budget)], id="budget"),
        pytest.param([Lock()], id="lock"),
        pytest.param([Answer(answers=(1,))], id="early answer"),
        pytest.param([Hold(property="mass", value=1)] * turn_limit(PUBLIC, LabRules()), id="turns"),
    ],
)
def test_every_way_leads_to_the_questions(moves: list[Move]) -> None:
    world, _ = record(INSTANCE, *moves)
    assert not world.done
    assert world.allowed_actions == (Answer,)
    assert _numbers(INSTANCE, *moves, Answer(answers=SECRET.answers))["answered"] == 1


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(Answer(answers=SECRET.answers[:-1]), id="too few"),
        pytest.param(Answer(answers=(*SECRET.answers, 3)), id="too many"),
        pytest.param(Unparsed(mode="no JSON", detail="no object"), id="unread"),
        pytest.param(Lock(), id="locked already"),
    ],
)
def test_an_answer_is_asked_for_once_more(bad: Move) -> None:
    world, turns = record(INSTANCE, Lock(), bad, Answer(answers=SECRET.answers))
    assert not turns[1].legal
    assert world.done
    numbers = score_bench(INSTANCE, LabRules(), turns).numbers
    assert (numbers["answered"], numbers["asked"]) == (1, 1)


def test_twice_too_few_answers_count_as_far_as_they_go() -> None:
    few = Answer(answers=SECRET.answers[:-1])
    world, _ = record(INSTANCE, Lock(), few, few)
    assert world.answers == (*SECRET.answers[:-1], None)


def test_twice_unreadable_ends_the_episode_without_answers() -> None:
    bad = Unparsed(mode="no JSON", detail="no object")
    world, turns = record(INSTANCE, Lock(), bad, bad)
    assert world.done
    verdict = score_bench(INSTANCE, LabRules(), turns)
    assert verdict.answer is None
    assert verdict.numbers["answered"] == 0
    assert verdict.numbers["slips"] == 2, "each reply counts once"


@pytest.mark.parametrize("level", QUICK)
def test_no_text_before_the_lock_tells_the_reactor(level: str) -> None:
    instance = draw(level, 1)
    world, public = BenchWorld(instance, LabRules()), instance.public
    texts = [public.model_dump_json()]
    for number in range(public.budget - 1):
        name = public.holdable[number % len(public.holdable)]
        value = public.manipulator[public.names.index(name)] + 1
        seen = world.act(Hold(property=name, value=value))
        texts += [seen.text, str(dict(seen.data))]
    shown = world.act(Lock())
    reactor = list(instance.secret.reactor)
    lines = [f"- {n}: {v}" for n, v in zip(public.nodes, reactor, strict=True)]
    assert all(line in shown.text for line in lines)
    assert shown.data["reactor"] == reactor
    for text in texts:
        assert str(reactor)[1:-1] not in text
        assert "eactor" not in text
        # Single numbers meet by chance; that many in their places do not.
        assert sum(line in text.split("\n") for line in lines) < len(lines)


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["hold", "far", "junk", "lock", "answer", "few"]), max_size=40))
def test_a_world_ends_whatever_is_sent(kinds: list[str]) -> None:
    made: dict[str, Move] = {
        "hold": _hold(),
        "far": _hold(offset=99),
        "junk": Unparsed(mode="no JSON", detail="no object"),
        "lock": Lock(),
        "answer": Answer(answers=SECRET.answers),
        "few": Answer(answers=()),
    }
    world, turns = record(INSTANCE, *(made[kind] for kind in kinds))
    assert len(kinds) < turn_limit(PUBLIC, LabRules()) + 3 or world.done
    assert 0 <= score_bench(INSTANCE, LabRules(), turns).numbers["answered"] <= 1
    assert world.spent <= world.budget


def _send(*replies: dict[str, object]) -> Episode:
    episode = Episode(FAMILY, FAMILY.generate(FAMILY.level("bench-4"), 5, 0), LabRules())
    for reply in replies:
        episode.step(episode.parse_reply(json.dumps(reply)))
    return episode


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param(1.5, "integer", id="fraction"),
        pytest.param("two", "integer", id="text"),
        pytest.param(None, "integer", id="nothing"),
        pytest.param(True, "integer", id="truth"),
        pytest.param(10**30, "take a whole number from", id="huge"),
    ],
)
def test_a_value_that_is_no_whole_number_is_refused_and_costs_nothing(
    value: object, said: str
) -> None:
    bad = {"action": "hold", "property": PUBLIC.holdable[0], "value": value}
    good = {"action": "hold", "property": PUBLIC.holdable[0], "value": str(_hold().value)}
    episode = _send(bad, good)
    assert said in episode.turns[0].observation
    assert [turn.cost for turn in episode.turns] == [0, 1]


@given(
    st.integers(-(10**15) + 1, 10**15 - 1),
    st.sampled_from([str, float, "{:+d}".format, lambda one: f" {one} ".replace("-", "−")]),
)
def test_holds_and_answers_read_the_same_numbers(
    value: int, write: Callable[[int], object]
) -> None:
    assert Hold(property="ph", value=write(value)).value == value
    assert Answer(answers=[write(value)]).answers == (value,)


@pytest.mark.parametrize(
    "given",
    [10**15, -(10**400), pytest.param(10**5000, id="too long to be written"), True, "1e999"],
)
def test_what_no_line_could_hold_is_no_whole_number(given: object) -> None:
    answers = Answer(answers=[given] * PUBLIC.questions)
    assert all(isinstance(one, str) for one in answers.answers)
    assert _numbers(INSTANCE, Lock(), answers, answers)["answered"] == 0


@pytest.mark.parametrize("given", [10**15, -(10**400)])
def test_the_bench_refuses_what_is_out_of_range(given: int) -> None:
    world = BenchWorld(INSTANCE, LabRules())
    assert "is not a value" in world.act(Hold(property=PUBLIC.holdable[0], value=given)).text


@pytest.mark.parametrize(
    "given", [pytest.param(10**5000, id="too long to be written"), True, "1e999"]
)
def test_what_no_line_could_hold_is_no_experiment(given: object) -> None:
    with pytest.raises(ValidationError):
        Hold(property="ph", value=given)


def test_a_refusal_does_not_send_a_long_name_back() -> None:
    seen = BenchWorld(INSTANCE, LabRules()).act(Hold(property="x" * 10**5, value=1))
    assert len(seen.text) < 400


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(["a"] * PUBLIC.questions, id="text"),
        pytest.param([1.5] * PUBLIC.questions, id="fractions"),
        pytest.param("7", id="no list"),
        pytest.param({"1": 7}, id="object"),
    ],
)
def test_answers_of_another_form_are_asked_for_once_more(given: object) -> None:
    right = [str(one) for one in SECRET.answers]
    episode = _send(
        {"action": "lock"},
        {"action": "answer", "answers": given},
        {"action": "answer", "answers": right},
    )
    assert [turn.legal for turn in episode.turns] == [True, False, True]
    numbers = episode.score().numbers
    assert (numbers["answered"], numbers["asked"]) == (1, 1)
