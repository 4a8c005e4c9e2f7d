"""ReplaySCM's sets from a release: ours, in the released format, found by their names."""

import json

import pytest
from typer.testing import CliRunner

import causarium as cm
from causarium.api.plan_run import RunRequest, plan_run
from causarium.cli.commands import app
from causarium.contract.sets.instance_sets import generate_set
from causarium.errors import BadFile, UsageError
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.publication import PUBLICATION
from tests.support.clones import find_clone

SAMPLE = "data/samples/sample_runtime.yaml"


@pytest.fixture
def folder(tmp_path):
    """A release of our own with one set, in the released format; its state is no known one."""
    path = tmp_path / SAMPLE
    path.parent.mkdir(parents=True)
    assert PUBLICATION.write_released is not None
    PUBLICATION.write_released(path, generate_set(FAMILY, "paper", "ord-full", limit=2))
    return tmp_path


def test_a_set_of_the_release_is_found_by_its_name(folder):
    replay = cm.load("replayscm", release=folder, release_anyway=True)
    ours = generate_set(FAMILY, "paper", "ord-full", limit=2)
    assert replay.released_sets == {"sample": folder / SAMPLE}
    assert [one.public.train for one in replay.instances("sample")] == [
        one.public.train for one in ours
    ]
    assert replay.play("oracle", "sample").mean("heldout_exact").value == 1.0


def test_a_set_that_the_release_should_hold_is_not_drawn_anew(folder):
    replay = cm.load("replayscm", release=folder, release_anyway=True)
    with pytest.raises(BadFile, match=r"lacks data/benchmarks/.*, its set block; get that file"):
        replay.instances("block")
    asked = RunRequest(
        "replayscm", player="oracle", set="hid-full", release=folder, release_anyway=True
    )
    with pytest.raises(BadFile, match="its set hid-full"):
        plan_run(asked)


def test_a_run_plays_the_file_and_its_folder_is_named_by_what_it_holds(folder):
    asked = RunRequest(
        "replayscm", player="oracle", set="sample", release=folder, release_anyway=True
    )
    plan = plan_run(asked)
    assert (plan.edition, plan.file) == ("paper", str(folder / SAMPLE))
    assert plan.rules["release"] == str(folder)
    (folder / SAMPLE).write_text((folder / SAMPLE).read_text() + "\n")
    assert plan_run(asked).name != plan.name


def test_answers_are_scored_against_a_set_of_the_release(folder, tmp_path):
    (one, _) = cm.load("replayscm", release=folder, release_anyway=True).instances("sample")
    gold = {name: rule.formula for name, rule in one.secret.gold.items()}
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"instanceId": one.id, "extractedAnswer": {"mechanisms": gold}}))
    words = ["score-answers", str(answers), "--release", str(folder), "--partial", "--json"]
    done = CliRunner().invoke(app, [*words, "--set", "sample", "--release-anyway"])
    assert json.loads(done.stdout)["edition"] == "paper"
    assert '"train_exact"' in done.stdout


def test_a_changed_sample_is_named(folder):
    with pytest.raises(UsageError, match=r"sample_runtime\.yaml is changed"):
        cm.load("replayscm", release=folder)


@pytest.mark.long
def test_the_released_answers_fit_the_released_problems():
    clone = find_clone("replayscm")
    answers = clone.path / "data/samples/sample_predictions.jsonl"
    words = ["score-answers", str(answers), "--release", str(clone.path), "--set", "sample"]
    (model,) = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)["models"]
    assert model["metrics"]["train_exact"]["value"] == 1.0
