"""What a run would take: worked out from real prompts and real games, with nobody asked."""

import pytest

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.engine.gate import AGENT, Price
from causarium.engine.run import estimate
from causarium.engine.run.estimate import Load, Range, tokens
from causarium.engine.run.options import Options, read_options
from causarium.families import FAMILIES, get
from tests.engine.play.test_ask_roles import JUDGED
from tests.support.lamps import FAMILY as LAMPS
from tests.support.vary_family import vary

NOTHING_GIVEN = Options()


def lamps_load(game, **given):
    return estimate._load(game, **{"around": 0, "most": None, **given})


@pytest.fixture(scope="module")
def instance():
    return LAMPS.generate(LAMPS.level("small"), 0, 0)


@pytest.fixture(scope="module")
def game(instance):
    return play(LAMPS, instance, LAMPS.rules_for("certified"), "random")


@pytest.mark.parametrize("name", FAMILIES)
def test_the_least_is_no_more_than_the_most_in_every_family(name: str) -> None:
    family = get(name)
    rules = family.rules_for("certified")
    instance = generate_one(family, "certified", "smoke", 0)
    taken = estimate.estimate_one(family, instance, rules, NOTHING_GIVEN)[AGENT]
    prompt = family.prompt(instance.public, rules)
    assert 1 <= taken.low.calls <= taken.high.calls <= estimate.MOST_TURNS
    assert taken.low.calls <= taken.likely.calls <= taken.high.calls
    assert taken.low.output <= taken.likely.output <= taken.high.output
    assert tokens(prompt.system) + tokens(prompt.user) <= taken.low.input <= taken.high.input
    assert 0 < taken.low.output < taken.high.output
    for load in (taken.low, taken.high):
        assert load.cached < load.input


def test_a_call_reads_everything_that_was_said_before(game) -> None:
    prompt = LAMPS.prompt(game.instance.public, game.rules)
    opening = tokens(prompt.system) + tokens(prompt.user)
    read = said = written = cached = 0
    before = tokens(prompt.system)
    for turn in game.turns:
        reply = tokens(estimate._reply_text(turn.move(LAMPS.actions)))
        read, cached, written = read + opening + said, cached + before, written + reply
        before = opening + said
        said += reply + tokens(turn.observation)
    load = lamps_load(game)
    assert load == Load(calls=len(game.turns), input=read, cached=cached, output=written)


def test_words_around_a_move_are_written_and_read_again(game) -> None:
    plain, chatty = lamps_load(game), lamps_load(game, around=100)
    calls = len(game.turns)
    assert chatty.output == plain.output + 100 * calls
    assert chatty.input == plain.input + 100 * calls * (calls - 1) / 2
    assert lamps_load(game, around=100, most=7).output == 7 * calls


def test_a_bounded_context_bounds_every_call(instance) -> None:
    rules = LAMPS.rules_for("certified", context=500)
    game = estimate.play_until_end(play(LAMPS, instance, rules, "random"))
    load = lamps_load(game, around=2_000)
    assert load.input <= 500 * load.calls
    assert load.cached < load.input


def test_a_check_before_the_answer_is_one_more_call(instance) -> None:
    plain, checked = (
        play(LAMPS, instance, LAMPS.rules_for("certified", recheck=recheck), "oracle")
        for recheck in (False, True)
    )
    assert lamps_load(checked).calls == lamps_load(plain).calls + 1


def test_a_game_is_drawn_out_until_the_world_ends_it(game) -> None:
    long = estimate.play_until_end(game)
    assert long.done
    assert len(long.turns) >= len(game.turns)


def test_helpers_count_only_where_a_model_is_bound(instance) -> None:
    rules = JUDGED.rules_for("certified")
    family = vary(JUDGED, repair_roles=("repair",))
    assert set(estimate.estimate_one(family, instance, rules, NOTHING_GIVEN)) == {AGENT}
    bound = read_options({"model_roles": {"judge": ["a/b", "a/c"], "repair": "a/b"}})
    taken = estimate.estimate_one(family, instance, rules, bound)
    # Each of two judges is asked three times; the questions do not depend on the replies.
    assert taken["judge"].high.calls == 6
    assert taken["repair"].low.calls == 0
    assert taken["repair"].high.calls == taken[AGENT].high.calls


def questions() -> Consultation[int]:
    for part in ("one", "two"):
        for _ in range(3):
            reply = yield Ask(role="judge", system="s", user=part)
            if reply == "fine":
                break
            yield Ask(role="judge", system="s", user=f"{part}: what is {reply!r}?")
    return 0


def test_a_question_that_depends_on_a_reply_is_one_asked_again() -> None:
    fresh, every = estimate.collect_questions(questions)
    assert len(every) == 12
    assert {ask.user for ask in fresh} == {"one", "two"}


def test_epochs_and_size_multiply(instance) -> None:
    rules = LAMPS.rules_for("certified")
    once = estimate.estimate_run(LAMPS, [instance], rules, NOTHING_GIVEN, count=1)[AGENT]
    often = estimate.estimate_run(LAMPS, [instance], rules, Options({"epochs": 3}), count=5)[AGENT]
    assert often == once * 15


def test_money_is_tokens_times_price() -> None:
    load = Load(calls=1, input=1_000_000, cached=500_000, output=100_000)
    price = Price(input=2, output=8, cached=0.2)
    assert load.cost(price, hits=False) == pytest.approx(2.8)
    assert load.cost(price, hits=True) == pytest.approx(1 + 0.1 + 0.8)
    assert load.cost(Price(input=2, output=8), hits=True) == pytest.approx(2.8)
    taken = {AGENT: Range(low=load, high=load), "judge": Range(low=load, high=load)}
    assert estimate.in_dollars(taken, {AGENT: price}) is None
    low, high, likely = estimate.in_dollars(taken, {AGENT: price, "judge": price})
    assert (low, high, likely) == (pytest.approx(3.8), pytest.approx(5.6), 0)


def test_instances_are_taken_from_all_over_a_set() -> None:
    assert estimate.spread_evenly(120) == list(range(0, 120, 15))
    assert estimate.spread_evenly(3) == [0, 1, 2]
