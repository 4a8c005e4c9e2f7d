"""Which episodes a report draws."""

from causarium import families
from causarium.report.output.report_logs import is_of_today, telling_instance
from tests.report.rows import rows


def test_the_first_instance_that_tells_agents_apart_is_drawn():
    given = rows(a="1101", b="1001", player__silent="0000")
    ids = [row.id for row in given if row.agent == "a"]
    assert telling_instance(given, "accuracy") == ids[1]


def test_where_all_agree_it_is_the_first():
    given = rows(a="11", b="11")
    assert telling_instance(given, "accuracy") == given[0].id


def test_nothing_played_is_nothing_drawn():
    assert telling_instance(rows(player__silent="00"), "accuracy") is None


def test_episodes_of_an_older_version_are_not_drawn():
    family = families.get("causallink")
    update = {"family": family.name, "version": family.card.version}
    row = rows(a="1")[0].model_copy(update=update)
    assert is_of_today(row, family)
    assert not is_of_today(row.model_copy(update={"version": "0-A"}), family)
