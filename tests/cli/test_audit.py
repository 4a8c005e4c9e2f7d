"""`causarium audit`: what it prints for programs, and how it ends when a bound is broken."""

import json

import pytest

from causarium.players.audit_family import Audit, AuditRow, ClassRow
from tests.support.typed import Command


def earn(value: float) -> Audit:
    earned = {"value": value, "low": 0.4, "high": 0.9, "n": 12}
    row = AuditRow(player="lookup_1", role="shortcut", metric="accuracy", **earned)
    named = {"name": "lookers", "says": "Whoever looks.", "kind": "theorem", "best": "lookup_1"}
    one = ClassRow(**named, **earned, bound=0.6, kept=value <= 0.6)
    facts = {"family": "causallink", "version": "3-D", "edition": "certified", "set": "smoke"}
    return Audit(**facts, headline="accuracy", zero=0.5, classes=(one,), rows=(row,))


@pytest.mark.parametrize(("value", "kept"), [(0.5, True), (0.7, False)])
def test_a_broken_bound_ends_with_1(
    value: float, kept: bool, causarium: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium.api.scale.audit_many.audit_set", lambda *_, **__: earn(value))
    done = causarium("audit", "causallink", "--set", "smoke", "--json")
    assert done.returncode == (not kept)
    audit = json.loads(done.stdout)
    assert audit.keys() >= {"family", "edition", "set", "rows", "kept"}
    assert audit["kept"] is kept
    columns = {"player", "role", "metric", "value", "low", "high", "n"}
    assert audit["rows"][0].keys() == columns
