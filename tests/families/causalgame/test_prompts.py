"""The opening words: what they say, what they keep to themselves, and texts of one's own."""

import pytest

from causarium.contract.texts.prompt_texts import folder_digest
from causarium.errors import BadFile, UnknownName
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.play.wording import TEXTS, open_session
from tests.families.causalgame.made import deploy, session, sound, world


def opening(game=None, **rules):
    found = open_session(session(game).public, GameRules(**rules))
    return f"{found.system}\n{found.user}"


@pytest.mark.parametrize("interface", GameRules.interfaces)
def test_the_opening_says_what_can_be_done_with_how_much(interface):
    text = opening(interface=interface)
    for said in ("antenna_def (10)", "at most 90 in all", "200 drones", "75.0%", "INIT-001"):
        assert said in text
    assert "$" not in text


@pytest.mark.parametrize("interface", GameRules.interfaces)
def test_the_opening_names_nothing_hidden(interface):
    text = opening(interface=interface)
    hidden = [v.name for v in sound().variables if v.sight != "visible"]
    assert hidden
    assert not [name for name in hidden if name in text]
    assert "antenna_trap" not in text


def test_what_is_not_on_offer_is_not_spoken_of():
    for kind, rules in {
        "- run_analysis:": {"analysis": False},
        "- believe:": {"claims": False},
        "- report:": {"report": False},
    }.items():
        assert kind in opening()
        assert kind not in opening(**rules)


def test_the_guard_is_spoken_of_where_it_stands():
    said = "must have been deployed before"
    assert said in opening()
    assert said not in opening(guard=False)
    assert said in opening(interface="code")
    assert said not in opening(interface="code", unguarded_programs=True)


def test_no_data_is_promised_where_the_archive_gives_names_alone():
    assert "added to every record" in opening()
    assert "added to every record" not in opening(names_only=True)
    assert "questions to the archive" in opening(names_only=True)


def test_a_game_without_history_says_so():
    assert "No flights are on record." in opening(sound("antenna_trap_no_history"))


def test_the_published_opening_states_the_rate_of_those_who_came_back():
    assert "survival rate is 100.0%" in opening(opening_rate=True)
    assert "survival rate" not in opening()


def test_the_published_story_of_zones_gives_a_hint():
    game = sound("deployment_zone_trap_categorical")
    assert "low altitude have been lost" in opening(game, altitude_hint=True)
    assert "low altitude have been lost" not in opening(game)
    assert "low altitude have been lost" not in opening(altitude_hint=True)


def copied(tmp_path):
    for name in ("system", "task", "reply_json", "questions"):
        (tmp_path / f"{name}.md").write_text(TEXTS.ours[name].template)
    return tmp_path


def test_a_folder_of_ones_own_replaces_texts_of_the_opening_and_of_later_turns(tmp_path):
    folder = copied(tmp_path)
    before = folder_digest(folder)
    (folder / "system.md").write_text("Be brief; $threshold is the mark.")
    (folder / "questions.md").write_text("And now?")
    assert folder_digest(folder) != before
    assert "Be brief; 75.0% is the mark." in opening(prompts=str(folder))
    assert "And now?" in world(prompts=str(folder)).act(deploy()).text


def test_a_folder_without_the_needed_texts_is_refused(tmp_path):
    with pytest.raises(BadFile, match=r"lacks system.md, task.md, reply_json.md"):
        opening(prompts=str(tmp_path))


def test_a_text_that_nobody_reads_is_refused(tmp_path):
    folder = copied(tmp_path)
    (folder / "sistem.md").write_text("x")
    with pytest.raises(UnknownName, match="did you mean 'system'"):
        opening(prompts=str(folder))


def test_a_text_with_an_unknown_or_a_missing_slot_is_refused(tmp_path):
    folder = copied(tmp_path)
    (folder / "questions.md").write_text("What of $truth?")
    with pytest.raises(BadFile, match=r"unknown slots \$truth"):
        opening(prompts=str(folder))
    (folder / "questions.md").write_text("x")
    (folder / "task.md").write_text("$story")
    with pytest.raises(BadFile, match="lacks the slots"):
        opening(prompts=str(folder), interface="json", max_turns=5)
