"""CausaLab in the world and the words of a release: a small one of ours, and a trace by hand."""

import json
from dataclasses import replace
from importlib.metadata import entry_points

import pytest
from causarium_discoveryworld.released_world import write_action
from inspect_ai.log import read_eval_log
from small_release import write_release

import causarium as cm
from causarium.api.plan_run import RunRequest
from causarium.api.read_run import rescore_runs
from causarium.api.reproduce import reproduce
from causarium.api.verify import verify_logs
from causarium.contract.episode import Episode, play
from causarium.contract.world import Unparsed
from causarium.errors import BadFile, RunError, UnknownName, UsageError
from causarium.families.causalab.paper import levels, publication
from causarium.families.causalab.paper.model.actions import Choose, Enter, Talk, Teleport
from tests.families.causalab.paper.made import F, made
from tests.support.clones import find_clone

pytestmark = pytest.mark.skipif(
    not entry_points(group="causarium.releases"), reason="causarium-discoveryworld is not installed"
)
# density -> moisture -> F and density -> F; ph is alone.
WHOLE = made({("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1})
LAB = WHOLE.model_copy(update={"public": WHOLE.public.model_copy(update={"budget": 2})})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_release(tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="module")
def lab(folder):
    return cm.load("causalab", release=folder, release_anyway=True)


def open_episode(lab, **rules):
    return Episode(lab.family, LAB, lab.rules(interface="released_world", **rules))


def look(episode):
    page = episode.world.page
    where = None if page is None else page.device if page.options else f"{page.device} asks"
    return where, episode.world.lab.used, [row.values for row in episode.world.lab.rows][-1]


def test_a_golden_trace_of_moves_and_states(lab):
    episode = open_episode(lab)
    # Moisture is 12 and three for each of density, the frequency 20, two for each of moisture, and
    # one for each of density; nothing acts on the pH.
    start = (5, 27, 19, 79)
    moved = (10, 42, 19, 114)
    held = (10, 0, 19, 30)
    assert look(episode)[2] == start
    trace = [
        ({"action": "TALK", "arg1": 1}, False, None, 0, start),
        ({"action": "TELEPORT_TO_OBJECT", "arg1": 1}, True, None, 0, start),
        ({"action": "TALK", "arg1": 1}, True, "manipulator", 0, start),
        ({"chosen_dialog_option_int": 9}, False, "manipulator", 0, start),
        ({"chosen_dialog_option_int": 1}, True, "manipulator asks", 0, start),
        ({"value": 10}, True, "manipulator", 1, moved),
        ({"chosen_dialog_option_int": 2}, True, "manipulator asks", 1, moved),
        ("no JSON at all", False, "manipulator", 1, moved),
        ({"chosen_dialog_option_int": 2}, True, "manipulator asks", 1, moved),
        ({"value": 0}, True, "manipulator", 2, held),
        ({"chosen_dialog_option_int": 1}, True, None, 2, held),
        ({"action": "TELEPORT_TO_OBJECT", "arg1": "reactor"}, True, None, 2, held),
        ({"action": "TALK", "arg1": 2}, True, "reactor", 2, held),
        ({"chosen_dialog_option_int": 1}, True, "reactor asks", 2, held),
        ({"value": LAB.secret.target - 30}, True, "reactor", 2, held),
        ({"chosen_dialog_option_int": 1}, True, "reactor asks", 2, held),
        ({"value": LAB.secret.target}, True, "reactor", 2, held),
    ]
    for said, legal, where, used, values in trace:
        reply = said if isinstance(said, str) else json.dumps(said)
        seen = episode.step(episode.parse_reply(reply))
        assert (seen.legal, *look(episode)) == (legal, where, used, values), said
    assert episode.done
    verdict = episode.score().numbers
    assert (verdict["prediction"], verdict["interventions"]) == (1, 2)
    away = cm.load("causalab", edition="paper")
    rules = away.rules(interface="released_world")
    assert away.family.score(LAB, rules, episode.turns).numbers["prediction"] == 1


def test_each_step_says_all_again_with_the_state_and_the_replies_so_far(lab):
    prompt = lab.prompt(LAB, {"interface": "released_world"})
    assert prompt.system == "dsl! Look north, step ['south']. Be brief."
    task = "Task: Tune it in 2 tries. Seen {"
    assert prompt.user.startswith(task)
    assert " Data [] Guess {} Notes none So far: \nSee:" in prompt.user
    assert '{"name": "machine", "uuid": 1}, {"name": "cradle", "uuid": 2}]' in prompt.user
    assert "wall" not in prompt.user
    assert "'resonanceFreq'" in prompt.user.split("So far")[0]
    episode = open_episode(lab)
    said = {"memory": "m" * 5_000, "past_data": [1], "action": "TELEPORT_TO_OBJECT", "arg1": 1}
    seen = episode.step(episode.parse_reply(f"<think>x</think>```json\n{json.dumps(said)}```"))
    assert seen.alone
    assert f"Data [1] Guess {{}} Notes {'m' * 4_000} So far: Did {json.dumps(said)}; " in seen.text
    turn = json.dumps({"chosen_dialog_option_int": 1, "memory": "n" * 9_000})
    text = [episode.step(episode.parse_reply(turn)).text for _ in range(3)][-1]
    assert text.count("Did ") == 1
    assert "So far: (cut) Did" in text or text.count("n" * 9_000) == 1


@pytest.mark.parametrize(
    ("variant", "notes"), [("non_dsl", " Notes none So"), ("linear_non_dsl", " Notes none So")]
)
def test_a_variant_has_its_own_texts_and_no_hypothesis(lab, variant, notes):
    prompt = lab.prompt(LAB, {"interface": "released_world", "variant": variant})
    assert prompt.system.startswith(f"{variant}! ")
    assert notes in prompt.user
    assert "Guess" not in prompt.user


def test_a_reference_player_plays_there_as_everywhere(lab):
    item = lab.instance("smoke", 0)
    rules = lab.rules(interface="released_world")
    there = play(lab.family, item, rules, "scientist").score().numbers
    here = cm.load("causalab", edition="paper")
    dialog = play(here.family, item, here.rules(interface="dialog"), "scientist").score().numbers
    for name in ("prediction", "edge_f1", "weight_f1", "interventions"):
        assert there[name] == dialog[name], name


def test_moves_go_out_in_the_releases_own_form():
    devices = {"manipulator": 1111, "reactor": 2222}
    moves = {
        Teleport(to="the reactor"): {"action": "TELEPORT_TO_OBJECT", "arg1": 2222},
        Teleport(to="1111"): {"action": "TELEPORT_TO_OBJECT", "arg1": 1},
        Teleport(to="causal reactor lab"): {
            "action": "TELEPORT_TO_LOCATION",
            "arg1": "causal reactor lab",
        },
        Talk(device="1"): {"action": "TALK", "arg1": 1111},
        Choose(option=3): {"chosen_dialog_option_int": 3},
        Enter(value=2.5): {"value": 2.5},
    }
    assert all(write_action(move, devices) == asked for move, asked in moves.items())


def test_without_the_release_or_in_other_interfaces_there_is_a_clear_line(lab, folder):
    here = cm.load("causalab", edition="paper")
    with pytest.raises(UsageError, match="name its folder with --release FOLDER"):
        here.open(LAB, interface="released_world")
    with pytest.raises(
        UsageError, match="no words for the interface json; give --rule interface=released_world"
    ):
        lab.prompt(LAB)
    with pytest.raises(UsageError, match="with another asymmetric_window"):
        lab.prompt(LAB, {"interface": "released_world", "asymmetric_window": False})
    with pytest.raises(UsageError, match=r"DiscoveryWorldAPI\.py is changed"):
        cm.load("causalab", release=folder)


def add_suite(folder):
    data = folder / "release" / "causalab_dataset" / "data"
    data.mkdir(parents=True)
    here = cm.load("causalab", edition="paper")
    here.family.publication.write_released(data / "4nodes.jsonl", [LAB])
    return folder


def test_without_this_package_suites_are_read_and_a_line_says_what_is_needed(tmp_path, monkeypatch):
    folder = add_suite(write_release(tmp_path))
    monkeypatch.setattr(publication, "find_release_player", lambda: None)
    monkeypatch.setattr(levels, "find_release_player", lambda: None)
    bare = cm.load("causalab", release=folder, release_anyway=True)
    needed = "released_world needs another package: pip install causarium-discoveryworld$"
    rules = bare.rules(interface="released_world")
    assert not rules.is_interface_installed()
    with pytest.raises(UsageError, match=needed):
        rules.check_interface_installed()
    with pytest.raises(UsageError, match=needed):
        bare.prompt(LAB, {"interface": "released_world"})
    with pytest.raises(UsageError, match="no words for the interface json"):
        bare.prompt(LAB)
    assert len(bare.instances("4nodes")) == 1


def test_a_broken_release_is_named(tmp_path):
    folder = write_release(tmp_path)
    texts = folder / "agents" / "recoma"
    rules = {"interface": "released_world"}

    def ask():
        return cm.load("causalab", release=folder, release_anyway=True).prompt(LAB, rules)

    (texts / "react_controller.py").write_text("class Loop:\n    pass\n")
    with pytest.raises(BadFile, match="puts no prompt together"):
        ask()
    (texts / "react_controller.py").write_text("class Loop(:\n")
    with pytest.raises(BadFile, match="is no Python"):
        ask()
    write_release(tmp_path / "other")
    controller = tmp_path / "other" / "agents" / "recoma" / "prompts"
    (controller / "react_simple_memory_prompt_dsl.txt").write_text("{{ unknown_slot }}")
    (tmp_path / "other" / "discoveryworld" / "DiscoveryWorldAPI.py").write_text(
        "raise OSError('gone')"
    )
    folder = tmp_path / "other"
    with pytest.raises(RunError, match="has ended: OSError: gone"):
        ask()


def test_suites_of_a_release_are_found_by_name(folder):
    add_suite(folder)
    lab = cm.load("causalab", release=folder, release_anyway=True)
    assert list(lab.released_sets) == ["4nodes"]
    (item,) = lab.instances("4nodes")
    assert item.secret.edge_pairs == LAB.secret.edge_pairs
    with pytest.raises(UsageError, match=r"lacks .*3nodes.jsonl, its set 3nodes"):
        lab.instance("3nodes", 0)
    with pytest.raises(UnknownName, match=r"did you mean '4nodes'\? sets of the release: 4nodes$"):
        lab.instances("4node")
    with pytest.raises(UsageError, match="holds the set golden in parts: play 4nodes_golden, 6nod"):
        lab.instances("golden")


@pytest.mark.slow
def test_a_table_is_counted_and_played_on_the_suites_of_the_release(tmp_path):
    folder = write_release(tmp_path / "clone")
    data = folder / "release" / "causalab_dataset" / "data"
    data.mkdir(parents=True)
    given = {"release": folder, "release_anyway": True}
    with pytest.raises(UsageError, match=r"lacks .*3nodes.jsonl, its set 3nodes"):
        reproduce("causalab", "1").count(**given)
    write = cm.load("causalab", edition="paper").family.publication.write_released
    suites = [f"{nodes}nodes" for nodes in range(3, 8)]
    for suite in suites:
        write(data / f"{suite}.jsonl", [LAB])
    counted = reproduce("causalab", "1").count(**given)
    edges = [(row.setting["nodes"], row.value, row.n) for row in counted if row.metric == "edges"]
    assert edges == [("4", len(LAB.secret.edge_pairs), len(suites))]
    asked = RunRequest("", player="oracle", protocol="published", **given)
    lines = reproduce("causalab", "7").commands("mockllm/model", asked)
    assert [line.split("--set ")[1].split()[0] for line in lines] == suites
    assert reproduce("causalab", "7").list_drawn(asked) == []
    assert reproduce("causalab", "9").list_drawn(asked) == ["grid"]
    assert reproduce("causalab", "7").list_drawn(RunRequest("")) == ["paper"]
    (run,) = reproduce("causalab", "7").play(replace(asked, log_dir=tmp_path / "logs"))
    assert (run.complete, len(run.rows), len(run.places)) == (True, len(suites), len(suites))
    assert {row.set for row in run.rows} == set(suites)


@pytest.mark.slow
def test_a_log_is_scored_everywhere_and_played_again_where_the_release_is(folder, tmp_path):
    run = cm.evaluate(
        "causalab",
        model="script/silent",
        set="smoke",
        limit=1,
        rules={"max_turns": 3, "release_anyway": True},
        release=folder,
        protocol="published",
        log_dir=tmp_path,
    )
    (sample,) = read_eval_log(str(run.log)).samples
    sent = [event.input for event in sample.events if event.event == "model"]
    assert [len(messages) for messages in sent] == [1, 1, 1]
    assert len({messages[0].text for messages in sent}) == 3
    (away,) = verify_logs(run.log)
    assert list(away.reasons) == [
        "turns: the interface released_world plays in the world of the release, which is not in"
        " this package; name its folder with --release FOLDER (release=...)"
    ]
    (scored,) = rescore_runs(run.log)
    assert (scored.changed, scored.proof.verified) == ((), 0)
    (there,) = verify_logs(run.log, release=folder, release_anyway=True)
    assert there.is_verified
    with pytest.raises(UsageError, match="is not in a known state"):
        verify_logs(run.log, release=folder)


@pytest.mark.long
@pytest.mark.parametrize("suite", ["3nodes", "4nodes_hidden_freqnode_n2", "4nodes_golden"])
def test_the_real_world_agrees_with_ours_move_by_move(suite):
    lab = cm.load("causalab", release=find_clone("causalab").path)
    item = lab.instances(suite, limit=1)[0]
    rules = lab.rules(interface="released_world")
    assert play(lab.family, item, rules, "scientist").score().numbers["prediction"] == 1
    episode = Episode(lab.family, item, rules)
    moves = [Unparsed(mode="no json", detail=""), Teleport(to="1"), Talk(device="1")]
    moves += [Choose(option=1), Unparsed(mode="no json", detail=""), Choose(option=1)]
    assert [episode.step(move).legal for move in moves][:3] == [False, True, True]
