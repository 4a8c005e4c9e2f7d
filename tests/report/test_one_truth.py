"""One folder of logs, every surface: each number has one value wherever it is shown."""

import json
import re
from io import StringIO
from shutil import copytree

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageAssistant
from rich.console import Console
from starlette.testclient import TestClient

from causarium.api.family_facts import list_facts
from causarium.api.reporting import write_report
from causarium.contract.episode import play, reward_of
from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.logbook.log_files import find_logs
from causarium.families.causallink.certified import FAMILY
from causarium.report.output.print_tables import print_report
from causarium.web.serve import create_app
from tests.support.inspect_runs import run_task, task_of
from tests.support.scripted import scripted_model

HEADLINE = FAMILY.card.headline["certified"]
FACT = f"mockllm/model/{FAMILY.name}/certified/smoke"


def speak_as(player, rules, instances):
    """Return what a model says that plays as a player does."""
    said = {
        FAMILY.prompt(instance.public, rules).user: [
            FAMILY.replies.write(turn.move(FAMILY.actions), rules)
            for turn in play(FAMILY, instance, rules, player).turns
        ]
        for instance in instances
    }

    def say(messages):
        turn = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        replies = next(replies for text, replies in said.items() if text in messages[1].text)
        return replies[min(turn, len(replies) - 1)]

    return say


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    rules = FAMILY.rules_for("certified")
    instances = list(generate_set(FAMILY, "certified", "smoke"))
    run_task(task_of(FAMILY), folder, scripted_model(speak_as("random", rules, instances)))
    return folder


def read_facts(page):
    return dict(re.findall(r'data-fact="([^"]+)">([^<]+)<', page))


def test_every_surface_says_the_same(logs, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "causarium.engine.logbook.reference_rows.cache_folder", lambda: tmp_path / "cache"
    )
    log = read_eval_log(str(find_logs([logs])[0]))
    found = log.results.scores[0].metrics
    metrics = {name: metric.value for name, metric in found.items()}
    values = [next(iter(s.scores.values())).value[HEADLINE] for s in log.samples]
    mean = sum(values) / len(values)

    out = tmp_path / "out"
    report = write_report(logs, out=out).data
    data = json.loads((out / "report.json").read_text(encoding="utf-8"))
    [section] = data["sections"]
    mine = next(agent for agent in section["agents"] if agent["agent"] == "mockllm/model")
    assert mine["metrics"][HEADLINE]["value"] == pytest.approx(mean)

    # Inspect's first number, and the reward of the same episodes.
    reach = mine["reach"]["value"]
    assert next(iter(metrics)) == "reach"
    assert metrics["reach"] == pytest.approx(reach)
    rules = FAMILY.rules_for("certified")
    instances = list(generate_set(FAMILY, "certified", "smoke"))
    rewards = [
        reward_of(FAMILY, "certified", play(FAMILY, instance, rules, "random").score())
        for instance in instances
    ]
    assert sum(rewards) / len(rewards) == pytest.approx(mean)

    # The list names the same metric; tables, Markdown and home have the same number.
    listed = next(facts for facts in list_facts()[0] if facts["name"] == FAMILY.name)
    assert listed["headline"] == HEADLINE == report.sections[0].metric
    shown = f"{max(0.0, reach):.1f}"
    stream = StringIO()
    print_report(report, Console(file=stream, width=80))
    lines = [line.split() for line in stream.getvalue().splitlines()]
    [terminal] = [words for words in lines if words[:2] == ["mockllm/model", "│"]]
    assert terminal[2] == shown
    markdown = (out / "report.md").read_text(encoding="utf-8")
    assert f"| mockllm/model | {shown} " in markdown
    home = read_facts(TestClient(create_app(logs)).get("/").text)
    page = read_facts((out / "report.html").read_text(encoding="utf-8"))
    assert home[f"{FACT}/score"] == page[f"{FACT}/score"] == shown

    # The same log in another folder has the same reach and the same endings.
    copytree(logs, tmp_path / "other")
    again = write_report(tmp_path / "other").data.sections[0]
    assert again.find_reach("mockllm/model") == report.sections[0].find_reach("mockllm/model")
    assert again.outcomes["mockllm/model"] == report.sections[0].outcomes["mockllm/model"]
    assert sum(count.count for count in again.outcomes["mockllm/model"]) == len(values)
