"""Reference players: on a run's instances, once each, and not where they have played themselves."""

from dataclasses import replace

import pytest

from causarium import families
from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import write_set
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.reference_rows import (
    list_programs,
    list_reference_players,
    reference_rows,
)
from causarium.errors import UnknownName
from causarium.families.causallink.certified import FAMILY
from tests.support.inspect_runs import run_task, task_of
from tests.support.ladder import FAMILY as LADDER
from tests.support.vary_family import vary


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "causarium.engine.logbook.reference_rows.cache_folder", lambda: tmp_path / "cache"
    )


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("reference")
    instances = tmp_path / "instances.jsonl"
    write_set(instances, FAMILY, "certified", [Part(level="rung-1", size=2)])
    task = task_of(FAMILY, file=str(instances), player="toggle")
    run_task(task, tmp_path / "logs", None, epochs=2)
    return LogBook.read([tmp_path / "logs"])


def test_every_reference_player_plays_every_instance_once(book):
    rows = reference_rows(book, families.get)
    others = [name for name in list_reference_players(FAMILY) if name != "toggle"]
    assert [row.agent for row in rows] == [f"player/{name}" for name in others for _ in range(2)]
    assert {(row.set, row.edition, row.id) for row in rows} == {
        (row.set, row.edition, row.id) for row in book.rows
    }


def test_a_second_time_nobody_plays(book, monkeypatch):
    rows = reference_rows(book, families.get)

    def play_all(*_given, **_named):
        raise AssertionError("nobody should play again")

    monkeypatch.setattr("causarium.engine.logbook.reference_rows.play_all", play_all)
    assert repr(reference_rows(book, families.get)) == repr(rows)


def test_a_damaged_cache_is_played_again(book, tmp_path):
    rows = reference_rows(book, families.get)
    for path in (tmp_path / "cache").rglob("*.jsonl"):
        path.write_text("{}\n", encoding="utf-8")
    assert repr(reference_rows(book, families.get)) == repr(rows)


def test_the_oldest_files_of_a_full_cache_are_deleted(book, tmp_path, monkeypatch):
    monkeypatch.setattr("causarium.engine.logbook.reference_rows.MOST_FILES", 3)
    reference_rows(book, families.get)
    assert len(list((tmp_path / "cache").rglob("*.jsonl"))) == 3


def test_a_family_or_version_that_is_not_here_is_left_out(book):
    def nobody(name):
        raise UnknownName("family", name, ())

    assert reference_rows(book, nobody) == []
    card = FAMILY.card.model_copy(update={"version": "99-A"})
    assert reference_rows(book, lambda _: vary(FAMILY, card=card)) == []


def test_quick_programs_stand_between_chance_and_the_reference():
    """Those of the tour come first; who guesses, is slow or sees the truth is left out."""
    card = LADDER.card.model_copy(update={"tour": ("silent", "two", "optimal", "oracle")})
    named = ("silent", "random", "two", "optimal", "oracle")
    assert list_reference_players(vary(LADDER, card=card)) == named
    slow = {**LADDER.players, "two": replace(LADDER.players["two"], slow=True)}
    family = vary(LADDER, card=card, players=slow)
    assert list_reference_players(family) == ("silent", "random", "optimal", "oracle")


def test_at_most_six_programs_are_shown():
    more = {f"two_{number}": LADDER.players["two"] for number in range(9)}
    family = vary(LADDER, players={**LADDER.players, **more})
    assert list_programs(family) == ("two", *(f"two_{number}" for number in range(5)))
