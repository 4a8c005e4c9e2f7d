"""What is on record: filtering, numbering, noise, and what the archive adds."""

import re

import pytest

from causarium.families.causalgame.paper.generation import fly_past
from causarium.families.causalgame.paper.model.actions import History, Query, Status
from causarium.families.causalgame.paper.model.game import Past
from causarium.families.causalgame.paper.play.wording import flight_table
from tests.families.causalgame.made import WHY, deploy, noisy, session, sound, world

STORM = Query(thought=WHY, question="What was the weather pattern?")


def ids(game, of="all"):
    return [flight["id"] for flight in game.act(History(thought=WHY, of=of)).data["flights"]]


def numbers(found):
    return [int(id_.rsplit("-", 1)[1]) for id_ in found]


def test_only_returned_drones_are_on_record_where_failures_are_hidden():
    instance = session()
    assert {flight.status for flight in instance.public.history} == {"RETURNED"}
    past = list(fly_past(instance.secret.game, instance.secret.session_seed))
    assert tuple(kept.flight for _, kept in past) == instance.public.history
    assert 0 < len(instance.public.history) < 50
    game = world()
    game.act(deploy(count=50))
    assert {row["status"] for row in game.act(History(thought=WHY)).data["flights"]} == {"RETURNED"}


def test_all_drones_are_on_record_where_nothing_is_hidden():
    instance = session(sound(past=Past(hide_failed=False)))
    assert len(instance.public.history) == 50
    assert {flight.status for flight in instance.public.history} == {"RETURNED", "DESTROYED"}


def test_ids_have_no_gaps_and_counts_count_what_is_shown():
    game = world()
    game.act(deploy(count=20))
    game.act(deploy(count=20))
    assert numbers(ids(game, "opening")) == [*range(1, len(session().public.history) + 1)]
    assert numbers(ids(game, "session")) == [*range(1, len(game.session.flown) + 1)]
    status = game.act(Status(thought=WHY)).data
    assert status["history_count"] == len(ids(game))


def test_the_published_numbering_tells_of_losses():
    game = world(numbered_before_filtering=True)
    game.act(deploy(count=20))
    assert numbers(ids(game, "opening")) != [*range(1, len(session().public.history) + 1)]
    assert max(numbers(ids(game, "session"))) > len(game.session.flown)
    assert game.act(Status(thought=WHY)).data["history_count"] == 70


def test_a_deployment_shows_the_rows_that_go_on_record():
    game = world()
    shown = game.act(deploy(count=20)).data
    assert shown["results"] == game.act(History(thought=WHY, of="session")).data["flights"]
    assert shown["survived"] == len(shown["results"])
    assert shown["survived"] + shown["destroyed"] == shown["deployed"] == 20


def test_what_is_found_in_the_archive_is_delivered_for_past_and_coming_flights():
    game = world()
    game.act(deploy(count=10))
    assert "weather_pattern" in game.act(STORM).data["discovered"]
    flights = game.act(History(thought=WHY)).data["flights"]
    assert all("weather_pattern" in flight["environment"] for flight in flights)
    coming = game.act(deploy(count=10)).data["results"]
    assert all("weather_pattern" in row["environment"] for row in coming)
    wind = [(f["environment"]["wind_speed"] > 35) for f in flights]
    storm = [(f["environment"]["weather_pattern"] > 0.15) for f in flights]
    assert wind == storm


def test_by_the_published_rule_the_archive_delivers_names_alone():
    game = world(names_only=True)
    assert "weather_pattern" in game.act(STORM).text
    flights = game.act(History(thought=WHY)).data["flights"]
    assert not any("weather_pattern" in flight["environment"] for flight in flights)


def test_by_the_published_rule_a_refused_question_is_charged():
    game = world(costly_refusals=True)
    game.act(Query(thought=WHY, question="What is the optimal weather pattern?"))
    assert game.session.queries_left == 9
    assert not game.session.discovered


def test_by_the_published_rule_rows_of_a_deployment_are_narrow():
    wide = world().act(deploy(count=20)).data["results"][0]["environment"]
    game = world(narrow_rows=True)
    game.act(STORM)
    narrow = game.act(deploy(count=20)).data["results"][0]["environment"]
    assert wide == narrow
    assert "weather_pattern" in game.act(History(thought=WHY)).data["flights"][0]["environment"]


def test_by_the_published_rule_a_lost_drone_s_surroundings_are_told():
    assert "environment" not in world().act(deploy(count=20)).data
    assert "wind_speed" in world(last_environment=True).act(deploy(count=20)).data["environment"]


def test_noise_on_rows_alone_leaves_counts_and_history_exact():
    rows = world(noisy())
    exact = world(sound(past=Past(hide_failed=False)))
    seen, true = rows.act(deploy(count=50)).data, exact.act(deploy(count=50)).data
    assert seen["results"] != true["results"]
    assert seen["survived"] == true["survived"]
    assert rows.act(History(thought=WHY)).data == exact.act(History(thought=WHY)).data


def test_noise_does_not_touch_the_fleet():
    from tests.families.causalgame.made import submit

    results = []
    for game in (world(noisy()), world(sound(past=Past(hide_failed=False)))):
        game.act(deploy())
        results.append(game.act(submit()).data)
    assert results[0] == results[1]


def test_a_table_says_what_the_data_says():
    game = world()
    seen = game.act(deploy(count=20, wing_def=12))
    for row in seen.data["results"]:
        line = next(line for line in seen.text.splitlines() if line.startswith(row["id"]))
        for value in row["environment"].values():
            assert re.search(rf"(^|,){re.escape(f'{value:g}')}(,|$)", line)
    assert "wing_def=12" in seen.text


def test_no_flights_are_said_to_be_none():
    assert flight_table([]) == "No flights are on record."


@pytest.mark.parametrize("of", ["opening", "session", "all"])
def test_a_game_without_history_has_an_empty_opening(of):
    game = world(sound("antenna_trap_no_history"))
    game.act(deploy(count=3))
    assert len(ids(game, of)) == (0 if of == "opening" else len(game.session.flown))
