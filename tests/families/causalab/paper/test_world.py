"""The tool and JSON world: what it answers, what it sends back, and that it ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.world import Unparsed
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LEVELS, LabConfig, LabRules
from causarium.families.causalab.paper.mechanics.shown_values import Listing
from causarium.families.causalab.paper.model.actions import (
    Enter,
    Go,
    Intervene,
    Measure,
    Submit,
    Verify,
)
from causarium.families.causalab.paper.model.hypothesis import Hypothesis
from causarium.families.causalab.paper.model.instance import FREQUENCY
from causarium.families.causalab.paper.play.world import LabWorld
from causarium.families.causalab.paper.scoring.episode_history import recall
from tests.families.causalab.paper.made import recorded, turns_of

DRAWN = generate(LEVELS["paper-linear-4"], 0, 0)
CYCLE = Hypothesis.model_validate(
    {
        "edges": [
            {"from": n, "to": m} for n, m in (DRAWN.public.names[:2], DRAWN.public.names[1::-1])
        ]
    }
)


def _world(instance=DRAWN, **rules):
    return LabWorld(instance, LabRules(**rules))


def _truth(instance=DRAWN):
    secret = instance.secret
    into = [e for e in secret.edges if e.effect == FREQUENCY]
    return Hypothesis.model_validate(
        {
            "edges": [{"from": e.cause, "to": e.effect} for e in secret.edges],
            "freq_equation": f"{FREQUENCY} = base + "
            + " + ".join(f"c_{e.cause}*{e.cause}" for e in into),
            "coefficients": {
                "base": secret.base_frequency,
                **{f"c_{e.cause}": e.linear for e in into},
            },
        }
    )


def _put(value=1.0, hypothesis=None, name=None):
    return Intervene(property=name or DRAWN.public.names[0], value=value, hypothesis=hypothesis)


def test_text_and_data_say_the_same():
    seen = _world().act(_put(33.0))
    assert seen.cost == 1
    for prop, value in zip(DRAWN.public.properties, seen.data["values"], strict=True):
        assert f"{prop.display}: {value:.2f}" in seen.text
    assert f"Resonance Frequency (Hz): {seen.data['frequency']:.2f}" in seen.text
    assert "Interventions left: 11" in seen.text


def test_measuring_is_free():
    seen = _world().act(Measure())
    assert (seen.legal, seen.cost) == (True, 0)
    assert seen.data["values"] == list(DRAWN.public.manipulator.values)


def test_whatever_is_sent_the_world_ends():
    world = _world()
    for _ in range(1000):
        world.act(Unparsed(mode="junk", detail="no JSON"))
    assert world.done
    assert world.allowed_actions == ()
    after = world.act(_put())
    assert (after.legal, world.spent) == (False, 0)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_sequence_of_moves_is_answered_and_spends_no_more_than_the_budget(data):
    drawn = generate(LabConfig(nodes=4), 0, data.draw(st.integers(0, 5)))
    world = LabWorld(drawn, LabRules(verification=data.draw(st.sampled_from(["none", "offered"]))))
    numbers = st.floats(allow_nan=True, allow_infinity=True)
    names = st.sampled_from([*drawn.public.names, FREQUENCY, "nothing"]) | st.text(max_size=8)
    junk = st.none() | st.builds(
        Hypothesis.model_validate,
        st.recursive(
            st.none() | st.booleans() | numbers | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["edges", "coefficients", "freq_equation", "from", "to"]), inner
                )
            ),
            max_leaves=8,
        ),
    )
    moves = st.one_of(
        st.builds(Intervene, property=names, value=numbers, hypothesis=junk),
        st.builds(Submit, value=numbers, hypothesis=junk),
        st.builds(Verify, hypothesis=junk.filter(bool)),
        st.just(Measure()),
        st.just(Go(place="reactor")),
        st.just(Enter(value=1.0)),
        st.just(Unparsed(mode="junk", detail="?")),
    )
    for move in data.draw(st.lists(moves, max_size=25)):
        before, was_done = world.spent, world.done
        seen = world.act(move)
        assert seen.text
        assert world.spent - before == seen.cost
        if was_done or not seen.legal:
            assert seen.cost == 0
    assert world.spent <= world.budget


def test_a_bad_hypothesis_is_sent_back_twice_and_then_counted():
    world = _world()
    first, second = world.act(_put(1.0, CYCLE)), world.act(_put(1.0, CYCLE))
    assert not first.legal
    assert not second.legal
    assert "the edges form a cycle" in first.text
    assert world.spent == 0
    third = world.act(_put(1.0, CYCLE))
    assert third.legal
    assert "was not taken" in third.text
    assert (world.spent, world.parse_failures) == (1, 1)


def test_a_good_hypothesis_starts_the_count_again():
    world = _world()
    world.act(_put(1.0, CYCLE))
    assert world.act(_put(1.0, _truth())).legal
    assert [world.act(_put(1.0, CYCLE)).legal for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize("rules", [{"unchecked_hypothesis": True}, {"interface": "plain"}])
def test_some_rules_take_a_hypothesis_unseen(rules):
    assert _world(**rules).act(_put(1.0, CYCLE)).legal


def test_a_submission_ends_the_episode_and_tells_nothing():
    world = _world()
    seen = world.act(Submit(value=DRAWN.secret.target))
    assert world.done
    assert str(DRAWN.secret.target) not in seen.text
    assert not world.act(Submit(value=DRAWN.secret.target)).legal


def test_the_published_submissions_are_answered_and_lock_the_manipulator():
    world = _world(repeated_submissions=True)
    assert "uncalibrated" in world.act(Submit(value=DRAWN.secret.target + 99)).text
    assert world.allowed_actions == (Submit,)
    assert "locked" in world.act(_put()).text
    assert "locked" in world.act(Measure()).text
    assert world.act(Submit(value=DRAWN.secret.target)).data == {"solved": True}
    assert world.done


def test_a_required_verification_comes_before_the_submission_and_is_made_once():
    world = _world(verification="required")
    assert "verify first" in world.act(Submit(value=1.0)).text
    assert not world.done
    seen = world.act(Verify(hypothesis=_truth()))
    assert seen.data["explained"] == seen.data["readings"] == 3
    assert Verify not in world.allowed_actions
    assert not world.act(Verify(hypothesis=_truth())).legal
    assert world.act(Submit(value=1.0)).legal


def test_a_verification_is_refused_where_there_is_none():
    assert "no verification" in _world().act(Verify(hypothesis=_truth())).text


def test_a_verification_finds_a_wrong_equation_and_a_wrong_graph():
    world = _world(verification="offered")
    for name in DRAWN.public.names:
        world.act(_put(500.0, name=name))
    wrong = _truth().model_copy(update={"edges": _truth().edges[:0], "freq_equation": ""})
    seen = world.act(Verify(hypothesis=wrong.model_copy(update={"coefficients": {"base": 1.0}})))
    assert seen.data["explained"] == 0
    assert "Against your graph" in seen.text


def test_actions_are_expected_only_where_they_exist():
    assert _world().allowed_actions == (Measure, Intervene, Submit)
    reading = generate(LEVELS["paper-grid-4-12o0i"], 0, 0)
    assert _world(reading).allowed_actions == (Measure, Submit)


def test_dialog_actions_mean_nothing_here():
    assert "not an action of this interface" in _world().act(Go(place="reactor")).text


def test_the_order_quirk_lists_an_evaluation_order():
    drawn = generate(LEVELS["paper-linear-6"], 0, 0)
    text = LabWorld(drawn, LabRules(order_leak=True)).act(Measure()).text
    display = {p.name: p.display for p in drawn.public.properties}
    display[FREQUENCY] = "Resonance Frequency (Hz)"
    places = [text.index(f"\n{display[name]}: ") for name in drawn.public.printed_order]
    assert places == sorted(places)


def test_the_type_quirk_prints_touched_values_with_a_decimal_point():
    drawn = generate(LEVELS["paper-linear-4"], 0, 0)
    world = LabWorld(drawn, LabRules(type_leak=True))
    assert ".0" not in world.act(Measure()).text
    name, display = drawn.public.names[0], drawn.public.properties[0].display
    assert f"{display}: 7.0" in world.act(_put(7.0, name=name)).text


@pytest.mark.parametrize("earlier", [0, 1])
def test_in_the_last_turn_a_bad_hypothesis_does_not_cost_the_action(earlier):
    rules = LabRules(max_turns=2)
    moves = [_put(1.0, CYCLE) if earlier else Measure(), Submit(value=1.0, hypothesis=CYCLE)]
    world = LabWorld(DRAWN, rules)
    seen = [world.act(move) for move in moves]
    assert seen[-1].legal
    assert "was not taken: the edges form a cycle" in seen[-1].text
    assert (world.lab.submitted, world.parse_failures) == ([1.0], 1)
    history = recall(DRAWN, rules, turns_of(DRAWN, *moves, rules=rules))
    assert (history.world.sent_back, history.world.parse_failures) == (earlier, 1)
    assert history.lab.submitted == [1.0]
    assert history.final is None


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(["bad", "good", "none", "junk", "submit"]), max_size=9))
def test_history_counts_bad_hypotheses_as_the_world_does(kinds):
    rules = LabRules(max_turns=7, repeated_submissions=True)
    made = {
        "bad": _put(1.0, CYCLE),
        "good": _put(2.0, _truth()),
        "none": Measure(),
        "junk": Unparsed(mode="junk", detail="?"),
        "submit": Submit(value=1.0, hypothesis=CYCLE),
    }
    world, moves = LabWorld(DRAWN, rules), [made[kind] for kind in kinds]
    turns = [recorded(move, world.act(move)) for move in moves if not world.done]
    history = recall(DRAWN, rules, turns)
    assert history.world.parse_failures == world.parse_failures
    assert history.lab.rows == world.lab.rows
    assert history.lab.submitted == world.lab.submitted


def test_a_value_is_told_with_all_its_digits_and_no_zero_is_negative():
    world = _world()
    name = DRAWN.public.names[0]
    assert "put to 9999.999." in world.act(_put(9999.999, name=name)).text
    told = world.act(_put(-0.0, name=name)).text
    assert "put to 0." in told
    assert "-0.00\n" not in told
    for rules in (LabRules(), LabRules(type_leak=True)):
        zeros = Listing(DRAWN.public, rules).lines([-0.0] * len(DRAWN.public.nodes), touched=1)
        assert "-" not in zeros
