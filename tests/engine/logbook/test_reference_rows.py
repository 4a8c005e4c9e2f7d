"""Players beside a run: on its instances, once each, and not where they have played themselves."""

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.scorer import scorer

from causarium import families
from causarium.contract.family_card import Part
from causarium.contract.instance_sets import write_set
from causarium.engine.logbook.read_logs import find_logs, newest_rows
from causarium.engine.logbook.reference_rows import rows_beside
from causarium.engine.task.family_task import build_task
from causarium.engine.task.scorer import METRICS, verdict_scorer
from causarium.errors import UnknownName
from causarium.families.recite import FAMILY
from causarium.families.recite.players import BASELINES


@scorer(metrics=METRICS)
def beside_verdict():
    return verdict_scorer(FAMILY)


@pytest.fixture
def logs(tmp_path):
    drawn = tmp_path / "drawn.jsonl"
    write_set(drawn, FAMILY, "certified", [Part(level="mini", size=2)])
    task = build_task(
        FAMILY,
        beside_verdict(),
        edition="certified",
        set_name="smoke",
        file=str(drawn),
        player="empty",
        rules={},
    )
    (log,) = evaluate(task, log_dir=str(tmp_path / "logs"), display="none", model=None, epochs=2)
    assert log.status == "success", log.error
    return [tmp_path / "logs"]


def test_every_player_of_the_card_plays_every_instance_once(logs):
    rows = newest_rows(logs)
    found = rows_beside(find_logs(logs), rows, families.get)
    others = [f"player/{name}" for name in FAMILY.card.reference_players if name != "empty"]
    assert [row.agent for row in found] == others * 2
    assert {(row.set, row.edition, row.id) for row in found} == {
        (row.set, row.edition, row.id) for row in rows
    }
    assert rows_beside(find_logs(logs), [*rows, *found], families.get) == []

    def nobody(name):
        raise UnknownName("family", name, ())

    assert rows_beside(find_logs(logs), rows, nobody) == []


def test_the_card_names_the_baselines():
    assert set(FAMILY.card.reference_players) == set(BASELINES)
