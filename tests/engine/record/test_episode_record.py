"""What a log holds, and what is said of one that does not fit."""

import pytest

from causarium.engine.record.episode_record import EpisodeRecord, EpisodeStore, read_record
from causarium.errors import BadFile
from tests.support.lamps import FAMILY as LAMPS


def record(**changes):
    instance = LAMPS.generate(LAMPS.level("small"), 0, 0)
    given = {
        "family": "lamps",
        "version": "1-A",
        "edition": "certified",
        "set": "smoke",
        "player": None,
        "instance": instance.model_dump(mode="json"),
        "rules": LAMPS.rules_for("certified").model_dump(mode="json"),
    }
    return EpisodeRecord.model_validate({**given, **changes})


def test_a_record_opens_to_the_instance_and_the_rules_it_was_made_of():
    instance, rules = record().open(LAMPS)
    assert instance == LAMPS.generate(LAMPS.level("small"), 0, 0)
    assert rules == LAMPS.rules_for("certified")


@pytest.mark.parametrize("version", ["2-A", "1-B"])
def test_a_record_of_another_version_says_which_and_what_to_do(version):
    said = rf"version {version} of lamps and this is version 1-A.*has version {version}"
    with pytest.raises(BadFile, match=said):
        record(version=version).open(LAMPS)


def test_a_damaged_record_says_what_is_wrong():
    with pytest.raises(BadFile, match=r"lamps record is damaged: public: Field required"):
        record(instance={"id": "lamps-1", "secret": {"wired": "tin", "fuse_ohm": 1}}).open(LAMPS)


@pytest.mark.parametrize("metadata", [{}, {"causarium": 7}, {"causarium": {"family": "lamps"}}])
def test_metadata_of_another_task_is_not_ours(metadata):
    with pytest.raises(BadFile, match="not made by a causarium task"):
        read_record(metadata)


def test_a_sample_that_never_began_has_no_turns():
    assert EpisodeStore({}).turns == []
