"""`causarium audit`: what it prints for programs, and how it ends when a bound is broken."""

import json

import pytest

from causarium.players.audit_family import Audit, TheoremRow
from causarium.players.programs import Program, ProgramReach
from tests.support.typed import Command


def earn(value: float) -> Audit:
    earned = {"value": value, "low": 0.4, "high": 0.9}
    program = Program(
        name="lookup_1",
        about="Looks.",
        sees="prompt",
        lines=12,
        reach=ProgramReach(**earned),
        n=12,
        version="3-D",
    )
    named = {"name": "lookers", "says": "Whoever looks.", "kind": "theorem", "best": "lookup_1"}
    one = TheoremRow(**named, **earned, n=12, bound=0.6, kept=value <= 0.6)
    facts = {"family": "causallink", "version": "3-D", "edition": "certified", "set": "smoke"}
    return Audit(**facts, headline="accuracy", theorems=(one,), programs=(program,))


@pytest.mark.parametrize(("value", "kept"), [(0.5, True), (0.7, False)])
def test_a_broken_bound_ends_with_1(
    value: float, kept: bool, causarium: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium.api.scale.audit_many.audit_set", lambda *_, **__: earn(value))
    done = causarium("audit", "causallink", "--set", "smoke", "--json")
    assert done.returncode == (not kept)
    audit = json.loads(done.stdout)
    assert audit.keys() >= {"family", "edition", "set", "theorems", "programs", "kept"}
    assert audit["kept"] is kept
    assert "classes" not in audit
    (row,) = audit["programs"]
    assert row.keys() >= {"name", "sees", "lines", "reach"}
    assert row["reach"].keys() == {"value", "low", "high", "open", "rungs"}
