"""The four phases as text, the two tools, the error modes, and the published scripted outcomes."""

import json
from itertools import chain, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import Episode
from causarium.contract.world import Unparsed
from causarium.families.causallink.paper.model.instance import Answer, Choose, Intervene
from causarium.families.causallink.paper.play.replies import ERROR_MODES
from tests.families.causallink.paper.worlds import (
    FAMILY,
    GO_ON,
    NO,
    READY,
    YES,
    act,
    converse,
    rules_for,
    world_of,
)

DIRECT = world_of("AB", "A>B", "AB", "A>B")
HOLD = act("A", "hold")


def outcome(episode: Episode) -> tuple[str, str | None, int]:
    verdict = episode.score()
    result = None
    if verdict.answer is not None:
        result = "correct" if verdict.numbers["accuracy"] else "wrong"
    return verdict.labels["error"], result, int(verdict.numbers["steps"])


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([HOLD, READY, YES], ("none", "correct", 0)),
        ([HOLD, GO_ON, HOLD, READY, YES], ("none", "correct", 1)),
        ([HOLD, *[GO_ON, HOLD] * 3, READY, YES], ("none", "correct", 3)),
        ([HOLD, *[GO_ON, HOLD] * 4, READY, YES], ("too many attempts", None, 4)),
        ([act("Z", "hold"), READY, YES], ("invalid action", "correct", 0)),
        ([act("A", "Hold"), READY, YES], ("invalid action", "correct", 0)),
        ([act("Z", "hold"), *[GO_ON, HOLD] * 4], ("invalid answer", None, 4)),
        ([HOLD, *[GO_ON, HOLD] * 3, GO_ON, YES], ("too many attempts", None, 4)),
        ([HOLD, *[GO_ON, HOLD] * 3, GO_ON, '{"foo": 1}'], ("too many attempts", None, 4)),
        ([HOLD, *[GO_ON, HOLD] * 3, GO_ON, "nothing"], ("invalid format", None, 4)),
        ([act("Z", "hold"), *[GO_ON, HOLD] * 3, GO_ON, YES], ("invalid action", "correct", 4)),
        ([HOLD, READY, '{"answer": "Yes"}'], ("invalid answer", None, 0)),
        (["I would hold A."], ("invalid format", None, 0)),
        (["{}"], ("invalid format", None, 0)),
        (['{"act": {"shape": "A", "action": "hold"}}'], ("invalid format", None, 0)),
        ([f"The set {{A, B}} moves, so {HOLD}"], ("invalid format", None, 0)),
        ([HOLD, act("B", "move"), READY, YES], ("none", "correct", 0)),
        ([HOLD, YES], ("invalid format", None, 0)),
        ([YES], ("invalid format", None, 0)),
        # The two that never end as published end at our own bound on turns.
        (chain([HOLD], repeat(HOLD)), ("too many attempts", None, 0)),
        (chain([HOLD], repeat('{"next": "answer"}')), ("too many attempts", None, 0)),
    ],
)
def test_scripted_agents_fare_in_the_paper_edition_as_published(replies, expected):
    assert outcome(converse(DIRECT, replies, "published")) == expected


def test_a_choice_turn_action_is_applied_and_costs_nothing_in_the_paper_edition():
    episode = converse(DIRECT, [HOLD, act("B", "move")], "published")
    assert episode.world.spent == 1
    assert episode.score().numbers["interventions"] == 2
    assert "B is moving" in episode.turns[-1].observation


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([HOLD, READY, YES], ("none", "correct", 1)),
        ([HOLD, *[GO_ON, HOLD] * 3, READY, YES], ("none", "correct", 4)),
        ([HOLD, *[GO_ON, HOLD] * 3, GO_ON, YES], ("none", "correct", 4)),
        ([HOLD, *[GO_ON, HOLD] * 3, *[GO_ON] * 3], ("too many attempts", None, 4)),
        ([act("Z", "hold"), HOLD, READY, YES], ("none", "correct", 1)),
        ([act("Z", "hold"), act("Z", "hold")], ("invalid action", None, 1)),
        ([HOLD, READY, '{"answer": "perhaps"}', YES], ("none", "correct", 1)),
        ([HOLD, READY, '{"answer": "perhaps"}', "dunno"], ("invalid format", None, 1)),
        ([HOLD, READY, "dunno", '{"result": "yes"}'], ("invalid answer", None, 1)),
        ([f"The set {{A, B}} moves, so {HOLD}", READY, YES], ("none", "correct", 1)),
        ([HOLD, HOLD, READY, YES], ("none", "correct", 2)),
        ([HOLD, *[HOLD] * 3, HOLD, YES], ("none", "correct", 4)),
        ([HOLD, '{"next": "hm"}', '{"next": "hm"}'], ("invalid format", None, 1)),
        ([HOLD, f"{READY} or rather {GO_ON}", READY, YES], ("none", "correct", 1)),
        (["no", HOLD, "no", READY, "what", YES], ("none", "correct", 1)),
        ([HOLD, READY, NO], ("none", "wrong", 1)),
    ],
)
def test_scripted_agents_where_the_quirks_are_mended(replies, expected):
    assert outcome(converse(DIRECT, replies, "repaired")) == expected


QUIRK_SCRIPTS = {
    "first_object_parsing": [f"First {HOLD} then {GO_ON}", READY, YES],
    "uncounted_choice_actions": [HOLD, HOLD, READY, YES],
    "uncounted_first_step": [HOLD, READY, YES],
    "invalid_action_continues": [act("Z", "hold"), READY, YES],
    "misspelt_choice_repeats": [HOLD, *['{"next": "go"}'] * 2, READY, YES],
    "strict_form": [act("A", "Hold"), READY, YES],
    "late_reply_collected": [HOLD, *[GO_ON, HOLD] * 3, GO_ON, "nothing"],
}


@pytest.mark.parametrize("quirk", QUIRK_SCRIPTS)
def test_each_quirk_alone_changes_what_becomes_of_a_script(quirk):
    script = QUIRK_SCRIPTS[quirk]
    plain = outcome(converse(DIRECT, script, "repaired"))
    assert outcome(converse(DIRECT, script, "repaired", **{quirk: True})) != plain


def test_no_quirk_goes_untested():
    assert {*QUIRK_SCRIPTS, "terse_rules"} == set(FAMILY.rules.quirks)


def test_the_rules_as_published_are_all_quirks():
    rules = FAMILY.rules_for("paper")
    assert all(getattr(rules, quirk) for quirk in FAMILY.rules.quirks)
    assert rules == rules_for("published")


@pytest.mark.parametrize("way", ["repaired", "published"])
@pytest.mark.parametrize("interface", ["json", "tools"])
@pytest.mark.parametrize(
    "move",
    [
        Intervene(shape="A", action="move"),
        Choose(next="continue interaction"),
        Choose(next="?"),
        Unparsed(mode="invalid action", detail=""),
        Unparsed(mode="never heard of", detail=""),
    ],
)
def test_the_same_move_for_ever_comes_to_an_end(way, interface, move):
    episode = Episode(FAMILY, DIRECT, rules_for(way, interface=interface))
    for _ in range(500):
        if episode.done:
            break
        episode.step(move)
    assert episode.done
    assert episode.world.error in ERROR_MODES
    assert not episode.world.allowed_actions


def test_tools_take_interventions_and_an_answer_without_phases():
    rules = rules_for("repaired", interface="tools")
    episode = Episode(FAMILY, DIRECT, rules)
    seen = episode.step(Intervene(shape="A", action="hold"))
    assert seen.data == {"moving": []}
    assert seen.cost == 1
    episode.step(Answer(answer="yes"))
    assert outcome(episode) == ("none", "correct", 1)


def test_the_cap_holds_at_its_edge_with_tools():
    episode = Episode(FAMILY, DIRECT, rules_for("repaired", interface="tools"))
    for _ in range(4):
        assert episode.step(Intervene(shape="A", action="move")).legal
    assert not episode.done
    assert not episode.step(Intervene(shape="A", action="move")).legal
    assert not episode.done
    assert episode.world.asked
    assert episode.world.spent == episode.world.budget == 4


def test_a_tool_agent_may_answer_at_once_but_a_text_agent_may_not():
    episode = Episode(FAMILY, DIRECT, rules_for("repaired", interface="tools"))
    episode.step(Answer(answer="yes"))
    assert outcome(episode) == ("none", "correct", 0)
    assert outcome(converse(DIRECT, [YES, YES], "repaired"))[0] == "invalid format"


@settings(max_examples=80)
@given(
    st.lists(
        st.one_of(st.sampled_from([HOLD, GO_ON, READY, YES, NO]), st.text(max_size=40)), max_size=60
    ),
    st.sampled_from(["repaired", "published"]),
)
def test_no_conversation_raises_or_spends_more_than_the_cap(replies, way):
    episode = converse(DIRECT, replies, way)
    verdict = episode.score()
    assert episode.world.spent <= episode.world.budget
    assert verdict.labels["error"] in {*ERROR_MODES, "none"}
    assert 0 <= verdict.numbers["accuracy"] <= 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["shape", "action", "next", "answer", "x"]), inner, max_size=4
            )
        ),
        max_leaves=8,
    )
)
def test_any_json_is_read_as_an_action_or_as_unparsed(value):
    for way in ("repaired", "published"):
        rules = rules_for(way)
        for allowed_actions in (
            (Intervene,),
            (Choose,),
            (Choose, Intervene),
            (Choose, Intervene, Answer),
            (Intervene, Answer),
            (Answer,),
        ):
            read = FAMILY.replies.parse(json.dumps(value), allowed_actions, rules)
            assert isinstance(read, (*allowed_actions, Unparsed))


def test_keys_beyond_those_asked_for_are_ignored():
    reply = '{"reason": "to see", "shape": "A", "action": "hold"}'
    assert FAMILY.replies.parse(reply, (Intervene,), rules_for("repaired")) == Intervene(
        shape="A", action="hold"
    )


def test_both_the_key_of_the_theme_and_the_published_one_work():
    instance = world_of("AB", "A>B", "AB", "A>B", theme="nonsense")
    for name in ("object", "shape"):
        first = f'{{"{name}": "A", "action": "dim"}}'
        episode = converse(instance, [first, READY, YES], "repaired")
        assert episode.score().labels["error"] == "none"
        assert episode.score().numbers["slips"] == 0


@pytest.mark.parametrize("verb", ["holding", "Held", "stop"])
def test_every_form_of_a_verb_is_read(verb):
    episode = converse(DIRECT, [act("the A", verb), READY, YES], "repaired")
    assert outcome(episode) == ("none", "correct", 1)
    assert episode.score().numbers["slips"] == 0


def test_observations_show_each_variable_in_listing_order():
    instance = FAMILY.generate(FAMILY.level("paper-advanced-4"), 0, 0)
    name = instance.public.shapes[0]
    episode = converse(instance, [act(name, "move")], "repaired")
    text = episode.turns[0].observation
    places = [text.index(f"{shape} is ") for shape in instance.public.shapes]
    assert places == sorted(places)
