"""What a judge reads and what is kept of its reply: pinned texts, limits, and thresholds."""

import json

import pytest

from causarium.contract.frozen import digest
from causarium.contract.texts.role_questions import answer_questions
from causarium.families.causalgame.paper.model.actions import (
    Believe,
    Deploy,
    Effect,
    Report,
    Submit,
)
from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.scoring import judge
from causarium.families.causalgame.paper.scoring.judge import (
    CRITERIA,
    HIGH_RUBRIC,
    Packet,
    cut_text,
    grade,
    list_conditions,
    list_criteria,
    packet,
    pattern,
    write_task_report,
)
from causarium.families.causalgame.paper.scoring.score import (
    Landmarks,
    compute_survival,
    distances,
    recall,
    score_session,
)
from tests.families.causalgame.made import session
from tests.families.causalgame.sessions import acted, played

REPORTS = {
    "antenna_trap": "3c0d35958444",
    "antenna_trap_no_selection_bias": "458037deb890",
    "deployment_zone_trap_categorical": "002ed6a61aca",
    "deployment_zone_trap_categorical_no_selection_bias": "6a88f18b41d4",
    "deployment_zone_trap_categorical_simpsons_paradox": "db87fd43c0af",
    "deployment_zone_trap_env_shift": "65d7cea13732",
    "weather_noise": "fd1d7870659b",
}


@pytest.mark.parametrize("name", REPORTS)
def test_task_reports_stay_what_they_were(name):
    assert digest(write_task_report(paper_game(name)))[7:19] == REPORTS[name]


def test_the_rubric_is_written_out_as_it_was():
    assert digest(list_criteria())[7:19] == "f9f9fd9b239a"


def play_long():
    """A session with two designs, claims that are true, false and about nothing."""
    instance, rules = session(), GameRules()
    claims = (
        Effect(cause="antenna_def", relation="raises", effect="detected"),
        Effect(cause="antenna_def", relation="lowers", effect="survived"),
        Effect(cause="engine_def", relation="raises", effect="detected"),
        Effect(cause="luck", relation="raises", effect="survived"),
    )
    best = instance.secret.game.best
    actions = [
        Deploy(thought="First.", count=5),
        Believe(thought="So far.", claims=claims),
        Deploy(thought="Second.", count=7, design={"antenna": 0}),
        Deploy(thought="Again.", count=3, design={"antenna": 0}),
        Submit(thought="Done.", design=dict(best.armour), equipment=dict(best.equipment)),
        Report(text="It was the antenna."),
    ]
    return instance, rules, acted(instance, rules, actions)


def test_a_packet_stays_what_it_was():
    instance, rules, turns = play_long()
    recalled = recall(instance, rules, turns)
    assert [number for number, _ in recalled.batches] == [1, 3, 4]
    assert recalled.submitted_at == 5
    assert [number for number, _ in recalled.thoughts] == [1, 2, 3, 4, 5]
    assert (recalled.refusals, recalled.unread) == (0, 0)
    assert digest(packet(instance.secret.game, recalled).text)[7:19] == "f6e2feca0521"


def test_the_verdict_on_a_long_session_stays_what_it_was():
    verdict = score_session(*play_long())
    numbers = {name: round(value, 6) for name, value in verdict.numbers.items() if value == value}
    assert numbers == {
        "survival": 0.934,
        "survival_low": 0.916891,
        "survival_high": 0.947788,
        "win": 1.0,
        "gain": 1.0,
        "expected": 0.9293,
        "margin": 0.184,
        "drones": 15.0,
        "effort": 0.075,
        "deployments": 3.0,
        "designs": 2.0,
        "queries": 0.0,
        "refusals": 0.0,
        "unread": 0.0,
        "slips": 0.0,
        "claims": 4.0,
        "claims_true": 2.0,
        "claims_false": 1.0,
        "claims_trivial": 0.0,
        "claims_undecided": 1.0,
        "claim_accuracy": 0.666667,
        "claim_accuracy_weighted": 0.533333,
        "golden_found": 0.25,
        "distractors_held": 0.0,
        "claim_distance": 3.0,
        "claim_distance_mean": 3.166667,
    }


def test_without_a_submission_the_packet_says_so():
    instance, rules, turns = played(submits=False)
    text = packet(instance.secret.game, recall(instance, rules, turns)).text
    assert "- Nothing was submitted, so the mission was not won." in text
    assert "FINAL REPORT\n| (none was written)" in text


def test_conditions_come_with_the_costliest_first_and_none_is_cheap():
    game = paper_game("antenna_trap")
    costs = [cost for _, cost in list_conditions(game)]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) >= 0.02
    assert len(costs) > 1


def test_a_condition_that_costs_just_enough_is_key(monkeypatch):
    game = paper_game("antenna_trap")
    key = list_conditions(game)
    monkeypatch.setattr(judge, "KEY_LOSS", key[-1][1])
    assert list_conditions(game) == key


@pytest.mark.parametrize(("most", "cut"), [(4, "abcd"), (3, "abc [… 1 more characters]")])
def test_a_text_is_cut_where_it_is_too_long(most, cut):
    assert cut_text("abcd", most) == cut


BARE = {
    "rubric_full": 0.0,
    "reflection": 0.0,
    "causal_reasoning": 0.0,
    "experimental_design": 0.0,
    "data_usage": 0.0,
}
HIGH = {"rubric_full": HIGH_RUBRIC, "reflection": 1.0}


@pytest.mark.parametrize(
    ("points", "survival", "named"),
    [
        (HIGH, 0.49, "C"),
        (HIGH, 0.5, "A"),
        ({**HIGH, "rubric_full": HIGH_RUBRIC - 0.01}, 0.49, "A"),
        ({**HIGH, "reflection": 0.5}, 0.49, "A"),
        ({"causal_reasoning": 0.5}, 0.0, "E"),
        ({"experimental_design": 0.5, "data_usage": 1.0}, 0.0, "A"),
        ({"experimental_design": 1.0}, 0.0, "B"),
        ({"experimental_design": 1.0, "data_usage": 0.5}, 0.0, "D"),
    ],
)
def test_patterns_part_at_their_thresholds(points, survival, named):
    assert pytest.approx(153 / 11) == HIGH_RUBRIC
    assert pattern({**BARE, **points}, survival=survival, won=False) == named


def test_of_a_reply_so_much_is_kept():
    listed = [
        {
            "id": one.id,
            "verdict": "not satisfied",
            "reasoning": "r" * 600,
            "evidence": ["q" * 400] * 6,
        }
        for one in CRITERIA
    ]
    found = answer_questions(
        grade(Packet(text="P", report="r", words="w")),
        lambda _: json.dumps({"criteria": listed, "overall_notes": "n" * 1_100}),
    )
    first = CRITERIA[0].id
    assert len(found["reasons"][first]) == 500
    assert [len(quote) for quote in found["quotes"][first]] == [300] * 5
    assert len(found["notes"]) == 1_000
    assert (found["asked"], found["invented_quotes"]) == (1, 5 * len(CRITERIA))


@pytest.mark.parametrize(
    ("best", "survival", "gain"),
    [(0.6, 0.5, 0.0), (0.6, 0.55, 0.5), (0.6, 0.9, 1.0), (0.6, 0.4, -1.0), (0.51, 0.505, 0.5)],
)
def test_gain_is_a_share_of_what_can_be_gained(best, survival, gain):
    assert Landmarks(default=0.5, trap=0.0, best=best).scale_survival(survival) == pytest.approx(
        gain
    )


def test_survival_stays_what_it_was():
    assert compute_survival(paper_game("antenna_trap"), Design()) == 0.54815


def test_a_distance_is_found_anew_only_where_the_belief_changes():
    game = paper_game("antenna_trap")
    held = (Effect(cause="antenna_def", relation="raises", effect="detected"),)
    assert distances(game, [(), (), held, held, ()]) == [4, 4, 3, 3, 4]
