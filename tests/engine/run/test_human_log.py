"""What a person played is a log like any other."""

from pathlib import Path

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.logbook.log_files import list_samples, read_story, shelve
from causarium.engine.run.run_plan import write_human_log
from tests.support.lamps import FAMILY as LAMPS
from tests.support.logs import newest_rows, rescore


def test_a_human_log_has_rows_can_be_scored_again_and_be_read_turn_by_turn(tmp_path: Path) -> None:
    instance = generate_set(LAMPS, "certified", "smoke")[0]
    rules = LAMPS.rules_for("certified")
    episode = play(LAMPS, instance, rules, "optimal")
    path = write_human_log(
        tmp_path, LAMPS, instance, rules, episode.turns, edition="certified", set_name="smoke"
    )
    (row,) = newest_rows([tmp_path])
    assert (row.agent, row.turns) == ("human", len(episode.turns))
    assert row.numbers["accuracy"] == 1.0
    (again,) = rescore(path, lambda name: LAMPS)
    assert again.same
    (shelved,) = shelve(tmp_path)
    assert shelved.status == "success"
    (listed,) = list_samples(path)
    assert (listed.id, listed.numbers["accuracy"]) == (instance.id, 1.0)
    story = read_story(path, instance.id)
    assert story.turns == episode.turns
    assert story.agent == "human"
    assert len(story.said) == len(story.turns)
    assert any(instance.public.switches[0] in text for text in story.opening)
