"""CausalGame in the words of a release: a small one of ours, in the released format."""

import pytest

import causarium as cm
from causarium.api.plan_run import RunRequest
from causarium.api.reproduce import reproduce
from causarium.contract.episode import Episode
from causarium.errors import BadFile, UsageError
from causarium.families.causalgame.paper.model.actions import Deploy, Submit
from causarium.families.causalgame.paper.model.paper_games import NAMES
from causarium.families.causalgame.paper.publication import find_game

LOOP = """
class Loop:
    def _step_hybrid(self, context):
        react_instruction = (
            "\\n\\nThink "
            "first."
        )
        result_str += (
            "\\n\\nWhat came out?"
        )
"""
REPORT = '''
def request_final_reflection(agent, final_report, victory_threshold=0.5):
    threshold_pct = victory_threshold * 100
    reflection_prompt = f"""
{final_report}
Was it {threshold_pct:.0f}%?
"""
'''
TEXT = """Fly {{total_drones}} drones.<!-- a note -->
{{#if has_equipment}}Fit: {{equipment_schema}}{{/if}}{{#unless deployment_budget}}Ever.{{/unless}}



{{component_list}}
"""


@pytest.fixture
def folder(tmp_path):
    """A release of our own; no state of the real one is known."""
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "orchestrator.py").write_text(LOOP)
    (tmp_path / "agent" / "reporting.py").write_text(REPORT)
    texts = {
        "antenna_trap/no_tool_def_prompt.md": f"By tools. {TEXT}",
        "antenna_trap/prompt.md": f"By programs. {TEXT}",
        "antenna_trap_high_def/prompt.md": f"Strong ones. {TEXT}",
    }
    for path, text in texts.items():
        file = tmp_path / "experiments" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


@pytest.fixture
def game(folder):
    return cm.load("causalgame", release=folder, release_anyway=True)


@pytest.mark.parametrize("name", NAMES)
def test_an_agents_knowledge_tells_the_game(name):
    item = cm.load("causalgame", edition="paper").instance(name, 0)
    assert find_game(item.public) == name


def test_a_session_is_opened_and_closed_in_the_words_of_the_release(game):
    item = game.instance("antenna_trap", 0)
    rules = game.rules(interface="tools", claims=False)
    prompt = game.prompt(item, rules)
    assert prompt.system.startswith("By tools. Fly 200 drones.\n")
    assert "note" not in prompt.system
    assert "  - engine_def: " in prompt.system
    assert "{{" not in prompt.system
    assert "\n\n\n" not in prompt.system
    assert "on record" in prompt.user
    episode = Episode(game.family, item, rules)
    seen = episode.step(Deploy(design={}, count=2, thought="a try"))
    assert "What came out?" in seen.text
    assert "Think first." in seen.text
    seen = episode.step(Submit(design={}, thought="enough"))
    assert f"Was it {100 * item.public.threshold:.0f}%?" in seen.text


def test_a_game_has_its_own_text_or_that_of_its_kind(game):
    code = {"interface": "code"}
    strong = game.instance("antenna_trap_high_def", 0)
    assert game.prompt(strong, code).system.startswith("Strong ones.")
    assert game.prompt(strong, {"interface": "tools"}).system.startswith("By tools.")
    local = game.instance("antenna_trap_local_optima", 0)
    assert game.prompt(local, code).system.startswith("By programs.")


def test_what_the_release_lacks_is_said(game, folder):
    item = game.instance("antenna_trap", 0)
    with pytest.raises(
        UsageError,
        match="no words for the interface json; give --rule interface=tools or interface=code",
    ):
        game.prompt(item, {"interface": "json"})
    with pytest.raises(BadFile, match="has no text of the game weather_noise"):
        game.prompt(game.instance("weather_noise", 0), {"interface": "tools"})
    with pytest.raises(UsageError, match=r"orchestrator\.py is unknown.*/prompt\.md is unknown"):
        cm.load("causalgame", release=folder)
    (folder / "experiments" / "antenna_trap" / "prompt.md").write_text("Other words.")
    changed = cm.load("causalgame", release=folder, release_anyway=True).release
    assert changed.digest != game.release.digest
    (folder / "agent" / "orchestrator.py").write_text("pass\n")
    with pytest.raises(BadFile, match="has no text react_instruction"):
        cm.load("causalgame", release=folder, release_anyway=True).prompt(item)


def test_a_table_is_played_in_the_interfaces_that_the_release_has_words_for(folder):
    again = reproduce("causalgame", "Figure 14")
    here, there = (
        {line.split("interface=")[1].split()[0] for line in again.commands(request=request)}
        for request in (None, RunRequest("", release=folder, release_anyway=True))
    )
    assert (here, there) == ({"tools", "json"}, {"tools", "code"})
