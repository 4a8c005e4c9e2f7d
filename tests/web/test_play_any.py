"""Any family can be played in the browser: what the oracle does, entered into forms, wins."""

import json
from pathlib import Path

import pytest

from causarium import families
from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_one
from causarium.web.play import forms_of
from tests.support.logs import newest_rows
from tests.web.conftest import open_client


@pytest.mark.parametrize("name", families.names())
def test_the_oracles_moves_entered_into_forms_score_what_the_oracle_scores(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A family without a board of its own is played by forms made of its actions."""
    monkeypatch.setattr("causarium.web.play._board_page", lambda game: None)
    family = families.get(name)
    rules = family.rules_for("certified", interface="tools")
    instance = generate_one(family, "certified", "smoke", 0)
    oracle = play(family, instance, rules, "oracle")
    client = open_client(tmp_path)
    fields = {"family": name, "edition": "certified", "set": "smoke", "number": "0"}
    page = client.post("/play", data={**fields, "interface": "tools"})
    assert page.status_code == 200
    kinds = {form.kind for form in forms_of(family.open_world(instance, rules).allowed_actions)}
    for number, turn in enumerate(oracle.turns):
        assert turn.action is not None
        values = {k: _entered(v) for k, v in turn.action.items() if v is not None}
        assert values["kind"] in kinds
        page = client.post(f"{page.url.path}/move", data={**values, "turn": str(number)})
        assert page.status_code == 200
    assert "On this case" in page.text
    (row,) = newest_rows([tmp_path])
    headline = family.card.headline["certified"]
    assert row.numbers[headline] == pytest.approx(oracle.score().numbers[headline])


def _entered(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
