"""A whole run through Inspect with two judges, its pictures, and scoring again without any."""

import json
import math

import pytest

from causarium import families
from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import write_set
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.scoring.claims import claims_of
from causarium.families.causalgame.paper.scoring.judge import CRITERIA
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs, newest_rows, rescore
from tests.support.scripted import in_turn, scripted_model

FAMILY = families.get("causalgame")

BEST = {one.id: "NOT_SATISFIED" if one.penalty else "SATISFIED" for one in CRITERIA}
STRICT = {**BEST, "D5.2": "NOT_SATISFIED", "D4.2": "PARTIALLY_SATISFIED"}


def judge(grades):
    """A judge that forgets a criterion when it is first asked."""

    def say(messages):
        again = "could not be used" in messages[-1].text
        listed = [{"id": name, "verdict": verdict} for name, verdict in grades.items()]
        return json.dumps({"criteria": listed if again else listed[1:]})

    return scripted_model(say)


def agent():
    game = paper_game("antenna_trap")
    design = {f"{name}_def": points for name, points in game.best.armour.items()}
    claims = [claim.model_dump(mode="json") for claim in claims_of(game)]
    chosen = {"design": design, "equipment": dict(game.best.equipment)}
    moves = [
        {"thought": "see", "action": "deploy", **chosen, "count": 20, "claims": claims},
        {"thought": "sure", "action": "submit", **chosen},
        {"action": "report", "text": "Won: a bare antenna is not heard."},
    ]
    return scripted_model(in_turn([json.dumps(move) for move in moves]))


def failing_judge():
    def fail(_):
        raise RuntimeError("the provider is gone")

    return scripted_model(fail)


def run_judged(tmp_path, judges):
    drawn = tmp_path / "drawn.jsonl"
    write_set(drawn, FAMILY, "paper", [Part(level="paper-antenna_trap", size=1)])
    task = task_of(FAMILY, edition="paper", file=str(drawn), analysis=False)
    run_task(task, tmp_path / "logs", agent(), model_roles={"judge": judges})
    (row,) = newest_rows([tmp_path / "logs"])
    return row


@pytest.mark.slow
def test_a_judge_that_fails_leaves_the_rubric_open_and_the_episode_scored(tmp_path):
    row = run_judged(tmp_path, [failing_judge()])
    assert row.unscored is None
    assert row.numbers["win"] == row.numbers["gain"] == 1
    assert row.labels["judge"] == "failed"
    assert math.isnan(row.numbers.get("rubric_full", math.nan))


@pytest.mark.slow
def test_judges_are_asked_in_a_run_and_scoring_again_asks_nobody(tmp_path):
    row = run_judged(tmp_path, [judge(BEST), judge(STRICT)])
    assert row.numbers["win"] == row.numbers["gain"] == row.numbers["golden_found"] == 1
    assert (row.numbers["judge_first"], row.numbers["judge_second"]) == (34, 32.5)
    assert row.numbers["rubric_full"] == 33.25
    assert row.numbers["judge_agreement"] == 15 / 17
    assert row.labels["pattern"] == "none: won"
    (path,) = find_logs([tmp_path / "logs"])
    (again,) = rescore(path, lambda _: FAMILY)
    assert again.same
    assert again.after.numbers["rubric_full"] == 33.25
    assert {"Failure patterns", "Agreement of two judges"} <= {
        picture.title for picture in FAMILY.views.draw_rows([row])
    }
