"""Reference players: on a run's instances, once each, and not where they have played themselves."""

from dataclasses import replace

import pytest

from causarium import families
from causarium.contract.family_card import Part, PlayerClass
from causarium.contract.sets.instance_sets import write_set
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.reference_rows import list_reference_players, reference_rows
from causarium.errors import UnknownName
from causarium.families.recite.paper import FAMILY
from tests.support.inspect_runs import run_task, task_of
from tests.support.vary_family import vary


def family_with(*, players=None, **changes):
    """ReCITE with another card."""
    family = vary(FAMILY, players=players or FAMILY.players)
    family.__dict__["card"] = FAMILY.card.model_copy(update=changes)
    return family


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "causarium.engine.logbook.reference_rows.cache_folder", lambda: tmp_path / "cache"
    )


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("reference")
    instances = tmp_path / "instances.jsonl"
    write_set(instances, FAMILY, "certified", [Part(level="page", size=2)])
    task = task_of(FAMILY, file=str(instances), player="empty")
    run_task(task, tmp_path / "logs", None, epochs=2)
    return LogBook.read([tmp_path / "logs"])


def test_every_reference_player_plays_every_instance_once(book):
    rows = reference_rows(book, families.get)
    others = [name for name in list_reference_players(FAMILY) if name != "empty"]
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
    assert reference_rows(book, lambda _: family_with(version="99-A")) == []


def test_classes_name_the_players_and_slow_ones_are_left_to_the_audit():
    classes = tuple(
        PlayerClass(name=name, says="Whoever reads little.", kind="exact", members=members)
        for name, members in {"a": ("complete", "co_mention"), "b": ("prose",)}.items()
    )
    parts = {"classes": classes, "blind": ("empty",), "reference": "holder"}
    named = ("silent", "random", "empty", "complete", "prose", "holder", "oracle")
    assert list_reference_players(family_with(**parts)) == named
    slow = {**FAMILY.players, "complete": replace(FAMILY.players["complete"], slow=True)}
    played = list_reference_players(family_with(players=slow, **parts))
    assert played == ("silent", "random", "empty", "co_mention", "prose", "holder", "oracle")
