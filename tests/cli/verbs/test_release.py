"""Releases on the command line: told of, checked, shown beside our words, played and recorded."""

import json

import pytest
from typer.testing import CliRunner, Result

from causarium import families
from causarium.api.benchmark import load
from causarium.api.evaluate import evaluate
from causarium.api.plan_run import RunRequest, plan_run
from causarium.api.reproduce import reproduce
from causarium.cli.commands import app
from causarium.errors import UsageError
from tests.families.causallink.paper.test_release import PROGRAM, STRATEGY


@pytest.fixture
def folder(tmp_path):
    """A release of our own, in the released format; its state is no known one."""
    root = tmp_path / "clone"
    root.mkdir()
    (root / "prompt_templates.py").write_text(f"TEMPLATES = {{'basic': {STRATEGY!r}}}\n")
    (root / "dancing_shape.py").write_text(PROGRAM)
    return root


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.mark.parametrize("family", families.FAMILIES)
def test_a_release_is_told_of(family):
    card = families.get(family).release_card
    said = run("release", family).stdout
    assert card.url in said
    assert all(file.path in said for file in card.files)
    assert all(file.known.keys() <= card.commits.keys() for file in card.files)
    assert ("none: no digest of its files is known" in said) == (not card.commits)
    assert json.loads(run("release", family, "--json").stdout)["name"] == card.name


def test_a_folder_is_checked_file_by_file(folder):
    done = run("release", "causallink", folder, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["files"]["dancing_shape.py"] == "changed"
    assert "unknown state: prompt_templates.py is changed" in run(
        "release", "causallink", folder
    ).stdout.replace("\n", " ")


def test_our_words_and_the_releases_are_shown_beside_each_other(folder):
    words = ["show", "causallink", 3, "--set", "core", "--release", folder, "--release-anyway"]
    said = run(*words, "--diff").stdout
    assert "--- ours/system" in said
    assert "+  Rules cost $5 in {this} world." in said
    assert "Rules cost $5" in run(*words).stdout
    assert isinstance(run("show", "causallink", 3, "--diff").exception, UsageError)


def test_a_run_says_on_its_card_which_state_it_played(folder, tmp_path):
    words = ["run", "causallink", "--player", "oracle", "--set", "core", "--limit", 1]
    words += ["--release", folder, "--log-dir", tmp_path / "logs"]
    assert isinstance(run(*words).exception, UsageError)
    assert not (tmp_path / "logs").exists()
    done = run(*words, "--release-anyway", "--protocol", "published")
    assert done.exit_code == 0, done.output
    (card,) = map(
        json.loads, run("score", tmp_path / "logs", "--card", "--json").stdout.split("\n")[:1]
    )
    assert card["edition"] == "paper"
    assert card["release"] == (
        "CausalLink, unknown state: prompt_templates.py is changed; dancing_shape.py is changed"
    )
    told = ["score", tmp_path / "logs", "--json", "--release", folder, "--release-anyway"]
    assert json.loads(run(*told).stdout)["verified"] == 1
    (folder / "prompt_templates.py").unlink()
    again = run("score", tmp_path / "logs", "--json")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["verified"] == 1


def test_in_python_an_unknown_state_is_played_where_one_says_so(folder, tmp_path):
    asked = {"player": "oracle", "set": "core", "limit": 1, "release": folder}
    asked |= {"log_dir": tmp_path / "logs", "progress": False}
    with pytest.raises(UsageError, match="release_anyway=True"):
        evaluate("causallink", **asked)
    assert not (tmp_path / "logs").exists()
    assert evaluate("causallink", **asked, release_anyway=True).complete


def test_the_released_world_is_asked_for_before_anything_is_written():
    request = RunRequest(
        "causalab", player="oracle", edition="paper", rules={"interface": "released_world"}
    )
    with pytest.raises(UsageError, match="name its folder with --release"):
        plan_run(request)


def test_the_published_protocol_fills_in_what_is_not_given():
    asked = RunRequest("causallink", model="mockllm/DeepSeek-R1", set="core", protocol="published")
    plan = plan_run(asked)
    assert (plan.edition, plan.rules) == ("paper", {"join_system": True})
    assert (plan.options.given["temperature"], plan.options.given["max_tokens"]) == (0.6, 2048)
    mine = RunRequest(
        "recite",
        model="mockllm/model",
        set="smoke",
        protocol="published",
        rules={"continuations": 1},
        options={"temperature": 0.1},
    )
    plan = plan_run(mine)
    assert plan.rules == {"continuations": 1, "prefill": "<think>"}
    assert plan.options.given["temperature"] == 0.1


def test_a_player_has_no_settings_and_a_command_names_the_release(folder):
    asked = RunRequest(
        "causallink",
        player="oracle",
        set="core",
        release=folder,
        rules={"release_anyway": True},
        protocol="published",
    )
    assert "temperature" not in plan_run(asked).options.given
    (line,) = reproduce("causallink", "figure 3").commands("openai/gpt-5", asked)
    assert line.endswith(f"--set advanced --release {folder} --protocol published")


def test_the_certified_edition_is_refused_beside_what_was_published(folder, tmp_path):
    certified = ["causallink", "--edition", "certified", "--release-anyway"]
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "one", "answer": {}}\n')
    played = ["--player", "oracle", "--set", "smoke", "--log-dir", tmp_path / "logs"]
    for words in (
        ["run", *certified, *played, "--release", folder],
        ["run", *certified, *played, "--protocol", "published"],
        ["show", *certified, "--release", folder],
        ["score-answers", answers, "--family", *certified, "--release", folder],
    ):
        refused = run(*words).exception
        assert isinstance(refused, UsageError)
        assert "belong to the paper edition, not to the certified one" in str(refused)
    with pytest.raises(UsageError, match=r"not (to|of) the certified one"):
        load("causallink", edition="certified", release=folder, release_anyway=True)
    assert not (tmp_path / "logs").exists()
