"""The rules of conduct: phases, turns, guards, and bad input that costs nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.world import ProgramResult, Unparsed
from causarium.families.causalgame.paper.model.actions import (
    ActionSpace,
    Believe,
    Deploy,
    Effect,
    History,
    PlayProgram,
    Query,
    Report,
    RunAnalysis,
    Status,
    Submit,
)
from tests.families.causalgame.made import WHY, deploy, sound, submit, world

BAD_DEPLOYMENTS = {
    "unknown component": (deploy(tail_def=3), "there is no component 'tail_def'; the keys are"),
    "negative": (deploy(wing_def=-1), "wing_def is -1; armour cannot be negative"),
    "twice": (deploy(wing=1, wing_def=2), "names wing twice"),
    "zero drones": (deploy(count=0), "0 drones; send 1 to 50 at a time"),
    "51 drones": (deploy(count=51), "51 drones; send 1 to 50 at a time"),
    "no thought": (Deploy(design={}), "reasoning comes before acting"),
    "a blank thought": (Deploy(thought=" \n", design={}), "reasoning comes before acting"),
}


@pytest.mark.parametrize("what", BAD_DEPLOYMENTS)
def test_a_bad_deployment_is_refused_and_nothing_is_charged(what):
    move, reason = BAD_DEPLOYMENTS[what]
    equipped = sound("antenna_trap_no_selection_bias")
    game, twin = world(equipped), world(equipped)
    seen = game.act(move)
    assert not seen.legal
    assert reason in seen.text
    assert seen.cost == game.spent == 0
    assert game.act(deploy()) == twin.act(deploy())


def test_ranges_totals_and_names_of_equipment_are_advice_as_published():
    game, plain = (world(sound("antenna_trap_no_selection_bias")) for _ in range(2))
    assert game.act(deploy(wing_def=200)).legal
    move = Deploy(thought=WHY, equipment={"wheels": "big", "coating": "pink"}, count=5)
    plain.act(deploy(wing_def=200))
    assert game.act(move) == plain.act(deploy())


@pytest.mark.parametrize("armour", [{"wing_def": 3.5}, {"wing_def": "3"}, {"wing_def": True}])
def test_armour_that_is_no_whole_number_is_no_action(armour):
    with pytest.raises(ValueError, match="whole number"):
        Deploy(thought=WHY, design=armour)


def test_a_whole_number_may_be_written_as_a_float():
    assert Deploy(thought=WHY, design={"wing": 3.0}).design == {"wing": 3}


def test_a_component_may_be_named_with_and_without_its_ending():
    assert world().act(deploy(wing=3)) == world().act(deploy(wing_def=3))


def test_a_question_of_100_kilobytes_is_refused_and_not_charged():
    game = world()
    seen = game.act(Query(thought=WHY, question="why " * 25_000))
    assert not seen.legal
    assert "a question has 1 to 500 characters, not 100,000" in seen.text
    assert len(seen.text) < 400
    assert game.session.queries_left == 10


def test_submitting_before_deploying_is_refused():
    game = world()
    seen = game.act(submit())
    assert "no drones have been deployed yet" in seen.text
    assert game.session.result is None
    assert not game.done


def test_submitting_twice_or_deploying_afterwards_is_refused():
    game = world()
    game.act(deploy())
    game.act(submit(antenna_def=0))
    result = game.session.result
    assert "the one submission has been made" in game.act(submit()).text
    assert "cannot be done any more" in game.act(deploy()).text
    assert game.session.result is result
    assert game.spent == 5


def test_a_bad_submission_does_not_use_up_the_one_there_is():
    game = world()
    game.act(deploy())
    assert not game.act(submit(wing_def=-1)).legal
    assert game.act(submit(wing_def=15)).legal


def test_the_report_comes_last_and_ends_the_session():
    game = world()
    assert "submit a design first" in game.act(Report(text="It was the wind.")).text
    game.act(deploy())
    assert "Now write your report" in game.act(submit()).text
    assert game.allowed_actions == (Report,)
    assert not game.act(Report(text="  ")).legal
    assert game.act(Report(text="It was the wind.")).legal
    assert game.done
    assert not game.act(Status(thought=WHY)).legal


def test_without_a_report_the_submission_ends_the_session():
    game = world(report=False)
    game.act(deploy())
    assert "nothing more can be done" in game.act(submit()).text
    assert game.done


def test_a_deployment_or_five_other_actions_make_a_turn():
    game = world()
    for _ in range(4):
        assert "Turn 2" not in game.act(Status(thought=WHY)).text
    assert "Turn 2 of 20" in game.act(History(thought=WHY)).text
    assert "Turn 3 of 20" in game.act(deploy()).text


def test_when_all_turns_are_used_up_only_a_submission_is_taken():
    game = world(max_turns=2)
    game.act(deploy())
    assert "Only a submission is taken now" in game.act(deploy()).text
    assert game.allowed_actions == (Submit,)
    assert "all turns are used up" in game.act(deploy()).text
    assert game.act(submit()).legal


def test_an_agent_that_never_deployed_cannot_be_saved_at_the_end():
    game = world(max_turns=1)
    for _ in range(4):
        game.act(Status(thought=WHY))
    assert "no drone was ever deployed" in game.act(Status(thought=WHY)).text
    assert game.done


def test_the_last_turns_are_announced():
    game = world(max_turns=4)
    assert "running out" in game.act(deploy()).text
    assert "running out" not in world(max_turns=9).act(deploy()).text


def test_ten_deployments_are_all_there_are():
    game = world()
    for _ in range(10):
        assert game.act(deploy(count=1)).legal
    assert "all 10 deployments have been made" in game.act(deploy(count=1)).text
    assert game.spent == 10


def test_no_more_drones_fly_than_there_are():
    game = world()
    for _ in range(4):
        game.act(deploy(count=45))
    assert "21 drones, but only 20 are left" in game.act(deploy(count=21)).text
    assert game.act(deploy(count=20)).cost == 20


def test_questions_follow_a_deployment_if_wanted():
    assert "Consider before you go on" in world().act(deploy()).text
    assert "Consider before you go on" not in world(questions=False).act(deploy()).text


def test_the_same_moves_in_the_same_session_meet_the_same_flights():
    script = [deploy(), deploy(antenna_def=0), submit(antenna_def=0)]
    first, second, other = world(), world(), world(seed=2)
    answers = [[game.act(move) for move in script] for game in (first, second, other)]
    assert answers[0] == answers[1] != answers[2]


def test_looking_does_not_change_what_flies():
    looked, straight = world(), world()
    for kind in (Status, History, ActionSpace):
        looked.act(kind(thought=WHY))
    assert looked.act(deploy()).data == straight.act(deploy()).data


def test_claims_are_noted():
    claim = Effect(cause="antenna_def", relation="raises", effect="detected")
    seen = world().act(Believe(thought=WHY, claims=[claim]))
    assert seen.legal
    assert seen.data == {"claims": 1}


def test_an_analysis_that_no_sandbox_ran_is_refused():
    assert "no sandbox is at hand" in world().act(RunAnalysis(thought=WHY, code="1")).text


def test_what_an_analysis_prints_goes_back_to_the_agent():
    ran = ProgramResult(output="corr 0.31", ending="finished")
    move = RunAnalysis(thought=WHY, code="...", ran=ran)
    assert "corr 0.31" in world().act(move).text
    unanswered = world(analysis_unanswered=True).act(move)
    assert "corr 0.31" not in f"{unanswered.text}{unanswered.data}"


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("finished", "The program finished."),
        ("failed", "The program failed."),
        ("out of time", "The program ran out of time."),
        ("out of memory", "The program ran out of memory."),
        ("refused", "The program was refused."),
    ],
)
def test_how_a_program_ended_is_said_in_a_sentence(ending, said):
    move = RunAnalysis(thought=WHY, code="...", ran=ProgramResult(output="", ending=ending))
    assert said in world().act(move).text


def test_programs_find_the_flights_and_nothing_hidden():
    game = world()
    files = game.workspace()
    assert sorted(files) == ["action_space.json", "history.json", "status.json"]
    assert "weather_pattern" not in "".join(files.values())
    game.act(Query(thought=WHY, question="What was the weather pattern, was there a storm?"))
    assert "weather_pattern" in game.workspace()["history.json"]


def test_programs_need_no_thoughts_and_have_a_turn_after_their_submission():
    game = world(interface="code")
    assert game.act(Deploy(design={"antenna_def": 0}, count=5)).legal
    assert game.act(Submit(design={"antenna_def": 0})).legal
    seen = game.act(PlayProgram(code="...", ran=ProgramResult(output="done", ending="finished")))
    assert seen.legal
    assert "Now write your report" in seen.text
    assert game.act(Report(text="It was the wind.")).legal
    assert game.done


def test_programs_are_guarded_unless_the_published_rule_says_otherwise():
    assert not world(interface="code").act(Submit()).legal
    assert world(interface="code", unguarded_programs=True).act(Submit()).legal


def test_the_published_rule_lets_drones_fly_after_the_submission():
    game = world(deploy_after_submission=True)
    game.act(deploy())
    game.act(submit())
    assert game.act(deploy()).legal
    for _ in range(40):
        game.act(Status(thought=WHY))
    assert game.done


def test_the_second_score_is_told_by_the_published_rule_alone():
    def result(**rules):
        game = world(**rules)
        game.act(deploy())
        return game.act(submit()).data

    assert "final_score" not in result()
    seen = result(secondary_score=True)
    assert seen["final_score"] == pytest.approx(0.7 * seen["survived"] / 1000 + 0.3 * 0.7)


moves = st.one_of(
    st.builds(Status, thought=st.sampled_from(["", WHY])),
    st.builds(History, thought=st.just(WHY)),
    st.builds(Query, thought=st.just(WHY), question=st.text(max_size=20)),
    st.builds(
        Deploy,
        thought=st.just(WHY),
        design=st.dictionaries(
            st.sampled_from(["wing_def", "engine", "tail"]), st.integers(-2, 60), max_size=2
        ),
        count=st.integers(-1, 60),
    ),
    st.builds(Submit, thought=st.just(WHY)),
    st.builds(Report, text=st.sampled_from(["", "words"])),
    st.just(Unparsed(mode="no json", detail="nothing in it")),
)


@given(st.lists(moves, max_size=12))
@settings(max_examples=30, deadline=None)
def test_a_refused_move_costs_nothing_and_changes_nothing(script):
    game = world()
    kept = []
    for move in script:
        spent, allowed_actions = game.spent, game.allowed_actions
        seen = game.act(move)
        assert game.spent == spent + seen.cost <= game.budget
        if seen.legal:
            kept.append((move, seen))
        elif not game.done:
            assert game.allowed_actions == allowed_actions
    twin = world()
    assert [twin.act(move) for move, _ in kept] == [seen for _, seen in kept]


@given(moves, st.sampled_from(["json", "tools", "code"]))
@settings(max_examples=30, deadline=None)
def test_any_one_move_sent_for_ever_comes_to_an_end(move, interface):
    game = world(interface=interface)
    for _ in range(1_200):
        game.act(move)
    assert game.done


def test_a_game_without_an_archive_offers_no_questions():
    game = sound()
    bare = tuple(v for v in game.variables if v.sight != "discoverable")
    closed = world(game.model_copy(update={"variables": bare}))
    assert Query not in closed.allowed_actions
    assert not closed.act(Query(thought=WHY, question="weather?")).legal
