"""Verdicts: full marks for the truth, none for silence, nan where nothing can be said."""

import json
import time
from math import isnan
from pathlib import Path

import pytest

from causarium.contract.episode import Episode
from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.levels import ReplayRules
from causarium.families.replayscm.paper.model.actions import Extracted, Submit
from causarium.families.replayscm.paper.play.replies import parse
from causarium.families.replayscm.paper.publication import read_released
from causarium.families.replayscm.paper.scoring.score import METRICS, score
from tests.families.replayscm.paper.problems import FORMULAS, alternative_problem, problem, turn

RULES = ReplayRules()
SHARED = Path(__file__).resolve().parents[3].parent / "shared/data/replayscm"


def verdict(instance, *moves):
    return score(instance, RULES, [turn(move) for move in moves])


def unread(mode, detail="nothing"):
    return Turn(unparsed=Unparsed(mode=mode, detail=detail), observation="no", legal=False, cost=0)


def changed(**formulas):
    return Submit(mechanisms={**FORMULAS, **formulas})


def test_the_truth_earns_full_marks():
    numbers = verdict(problem(), Submit(mechanisms=FORMULAS)).numbers
    best = {name for name, metric in METRICS.items() if metric.better == "higher"}
    assert {numbers[name] for name in best if not isnan(numbers[name])} == {1.0}
    assert numbers["parent_shd"] == 0
    assert numbers["ast_excess"] == 0
    assert numbers["alternative_found"] == 0
    assert isnan(numbers["root_exact"])
    assert isnan(numbers["alternative_joint"])


def test_silence_earns_nothing():
    found = score(problem(), RULES, [])
    assert found.labels["stage"] == "none"
    for name in ("extracted", "valid", "train_exact", "heldout_world", "heldout_exact"):
        assert found.numbers[name] == 0
    assert isnan(found.numbers["parent_f1"])
    assert found.explanation == "No answer was given."


@pytest.mark.parametrize(
    ("mode", "stage", "passed"),
    [
        ("extraction: no object", "extraction", 0),
        ("schema: wrong type", "schema", 1),
        ("invalid action", "schema", 1),
        ("invalid format", "extraction", 0),
    ],
)
def test_what_could_not_be_read_stops_at_its_stage(mode, stage, passed):
    found = score(problem(), RULES, [unread(mode, "at character 7")])
    assert found.labels["stage"] == stage
    assert sum(found.numbers[name] for name in ("extracted", "schema", "keys")) == passed
    assert found.numbers["train_exact"] == 0
    assert "at character 7" in found.explanation


def test_a_refused_answer_says_where_and_why():
    found = verdict(problem(), changed(X5="(nor X4 X3)"))
    assert (found.labels["stage"], found.labels["fault"]) == ("parse", "operator")
    assert found.numbers["fault_position"] == 1
    assert found.numbers["keys"] == 1
    assert found.numbers["parse"] == found.numbers["valid"] == found.numbers["heldout_world"] == 0
    assert found.explanation.startswith("Refused at parse (operator): X5: unknown operator 'nor'")


GOOD = json.dumps({"mechanisms": FORMULAS})
BAD_REPLIES = {
    "unbalanced": (GOOD.replace("(and", "((and"), "parse"),
    "unknown operator": (GOOD.replace("(and", "(nand"), "parse"),
    "a constant": (GOOD.replace("(and X1", "(and 1"), "parse"),
    "self-reference": (GOOD.replace("(and X1", "(and X4"), "legality"),
    "a cycle": (GOOD.replace("(and X1", "(and X6"), "acyclicity"),
    "a missing key": (GOOD.replace('"X4": "(and X1 X2)", ', ""), "keys"),
    "an extra key": (GOOD.replace('"X4"', '"X9": "X1", "X4"'), "keys"),
    "ten thousand brackets": (GOOD.replace("(and X1", "(" * 10_000 + "and X1"), "parse"),
    "ten megabytes": (GOOD.replace("(and X1", "(and " + "X1 " * 3_400_000), "extraction"),
    "a key twice": (GOOD.replace('"X4"', '"X4": "X1", "X4"'), "extraction"),
    "not a number": (GOOD.replace('"(and X1 X2)"', "NaN"), "schema"),
    "prose": ("I cannot tell.", "extraction"),
}


@pytest.mark.parametrize("what", BAD_REPLIES)
def test_bad_input_has_its_stage_its_reason_and_no_points(what):
    reply, stage = BAD_REPLIES[what]
    begun = time.process_time()
    episode = Episode(FAMILY, problem(), RULES)
    episode.step(episode.parse_reply(reply))
    found = episode.score()
    assert time.process_time() - begun < 1
    assert found.labels["stage"] == stage
    assert found.labels["fault"] != "none"
    assert stage in found.explanation
    assert len(found.explanation) < 400
    for name in ("valid", "train_exact", "train_world", "heldout_world", "heldout_exact"):
        assert found.numbers[name] == 0


def test_conditional_rates_apply_only_where_their_condition_holds():
    wrong = verdict(problem(), changed(X4="(or X1 X2)")).numbers
    assert wrong["train_exact"] == 0
    assert isnan(wrong["heldout_world_given_train_exact"])
    assert wrong["parent_map_exact"] == 1
    assert wrong["train_exact_given_parent_map"] == 0
    assert wrong["local_match"] == pytest.approx(2 / 3)
    assert 0 < wrong["train_cells"] < 1
    right = verdict(problem(), Submit(mechanisms=FORMULAS)).numbers
    assert right["heldout_world_given_train_exact"] == 1


def test_strict_json_is_told_apart_from_extracted():
    for strict in (True, False):
        numbers = verdict(problem(), Extracted(mechanisms=FORMULAS, strict=strict)).numbers
        assert (numbers["strict_json"], numbers["extracted"]) == (strict, 1)
    assert isnan(verdict(problem(), Submit(mechanisms=FORMULAS)).numbers["strict_json"])
    unreadable = [unread("extraction: no object")]
    assert score(problem(), RULES, unreadable).numbers["strict_json"] == 0
    tools = ReplayRules(interface="tools")
    assert isnan(score(problem(), tools, unreadable).numbers["strict_json"])


def test_more_parents_than_allowed_are_valid_but_told_apart():
    instance = problem(limits={"max_parents": 1})
    found = verdict(instance, Submit(mechanisms=FORMULAS))
    assert found.numbers["valid"] == found.numbers["train_exact"] == 1
    assert found.numbers["within_parent_limit"] == 0
    assert found.numbers["most_parents"] == 2
    assert found.labels["parents"] == "beyond the limit"


def test_roots_are_judged_apart_from_mechanisms():
    hidden = problem(roots=None, setting="hidden_roots")
    right = verdict(hidden, Submit(mechanisms=FORMULAS, roots=("X3", "X1", "X2"))).numbers
    assert right["root_exact"] == right["task_correct"] == right["heldout_exact"] == 1
    broken = verdict(
        hidden, Submit(mechanisms={**FORMULAS, "X4": "("}, roots=("X1", "X2", "X3"))
    ).numbers
    assert (broken["root_exact"], broken["task_correct"], broken["valid"]) == (1, 0, 0)
    assert broken["train_exact_given_root_exact"] == 0
    wrong = verdict(
        hidden,
        Submit(
            mechanisms={"X1": "X6", "X5": "(xor X4 X3)", "X6": "(not X5)"}, roots=("X4", "X2", "X3")
        ),
    ).numbers
    assert (wrong["valid"], wrong["root_exact"]) == (1, 0)
    assert isnan(wrong["heldout_world_given_root_exact"])
    assert isnan(wrong["parent_f1"])


WITNESS = {"X1": 1, "X2": 0, "X3": 0}


def alternative(mechanisms, experiment=None, witness=None):
    move = Submit(mechanisms=mechanisms, experiment=experiment, witness=witness)
    return verdict(alternative_problem(), move).numbers


def test_an_alternative_needs_a_model_an_experiment_and_a_witness():
    other = {"X4": "(or X1 X2)", "X5": "(or (and X1 X4) (and X3 (not X3)))"}
    same = alternative(other, {"X4": 0}, WITNESS)
    assert (same["distinct"], same["train_exact"], same["alternative_joint"]) == (0, 0, 0)
    copied = alternative(alternative_problem().public.reference)
    assert (copied["train_world"], copied["train_exact"]) == (1, 0)
    unfit = alternative({"X4": "(or X1 X2)", "X5": "X2"}, {"X4": 0}, WITNESS)
    assert (unfit["distinct"], unfit["train_exact"], unfit["separates"]) == (1, 0, 0)
    other = {"X4": "(or X1 X2)", "X5": "X1"}
    whole = alternative(other, {"X4": 0}, WITNESS)
    assert whole["train_exact"] == whole["alternative_joint"] == whole["witness"] == 1
    assert whole["separation_optimality"] == whole["separation_reach"] == 1
    assert (whole["one_variable_edit"], whole["changed_parent_edit"]) == (1, 1)
    assert isnan(whole["heldout_exact"])
    silent = alternative(other)
    assert (silent["train_exact"], silent["experiment_valid"], silent["separates"]) == (1, 0, 0)
    missed = alternative(other, {"X4": 0}, {**WITNESS, "X1": 0})
    assert (missed["separates"], missed["witness"], missed["alternative_joint"]) == (1, 0, 0)


def test_numbers_of_the_released_answers_are_those_of_the_release():
    records, answers = SHARED / "sample_runtime.yaml", SHARED / "sample_predictions.jsonl"
    if not records.exists():
        pytest.skip("the released sample is not at hand")
    instances = {instance.id: instance for instance in read_released(records)}
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    assert len(lines) == len(instances) == 2
    for line in lines:
        instance = next(i for i in instances.values() if line["instanceId"] in i.model_dump_json())
        move = parse(json.dumps(line["extractedAnswer"]), (Submit, Extracted), RULES)
        numbers = verdict(instance, move).numbers
        assert numbers["alternative_joint"] == numbers["valid"] == 1
        assert numbers["separation_optimality"] <= 1
