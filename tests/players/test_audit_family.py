"""The audit: who is played, what is trained, and what a leak looks like in it."""

from collections import Counter
from typing import Any

import pytest

from causarium.contract.checks.generic_attacks import remember, train_attacks
from causarium.contract.family import AnyFamily
from causarium.players.audit_family import (
    Audit,
    AuditTask,
    audit_share,
    combine_shares,
    draw_fresh,
)
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.model import LampsConfig, LampsInstance, generate
from tests.support.vary_family import vary

GENERIC = {
    f"generic-{how}" for how in ("constant", "script", "copier", "nearest", "vote", "imitation")
}


def audit_family(family: AnyFamily, **asked: Any) -> Audit:
    return combine_shares(family, [audit_share(family, AuditTask(family.name, **asked))])


def test_everybody_is_played_and_the_json_has_the_promised_keys() -> None:
    audit = audit_family(LAMPS, set="smoke")
    roles = {row.player: row.role for row in audit.rows}
    assert roles["oracle"] == "oracle"
    assert roles["optimal"] == "causal"
    assert roles["silent"] == "floor"
    assert roles["random"] == "floor"
    assert roles.keys() >= GENERIC
    flat = audit.flat()
    assert flat.keys() >= {"family", "edition", "set", "rows", "kept"}
    wanted = {"player", "role", "metric", "value", "low", "high", "n"}
    assert all(row.keys() == wanted for row in flat["rows"])
    assert audit.kept


def test_classes_stand_with_their_bounds_and_the_best_of_their_members() -> None:
    audit = audit_family(LAMPS, set="standard")
    theorem, exact = audit.classes
    assert (theorem.name, theorem.kind, exact.kind) == ("looks_away", "theorem", "exact")
    assert theorem.bound == pytest.approx((1 / 3 + 1 / 6) / 2)
    assert exact.bound == pytest.approx(theorem.bound)
    assert theorem.kept
    assert exact.kept
    flat = audit.flat()
    assert (flat["version"], flat["headline"], flat["zero"]) == ("1-A", "accuracy", 0.175)
    wanted = {"name", "says", "kind", "bound", "value", "low", "high", "n", "kept"}
    assert all(row.keys() >= wanted for row in flat["classes"])


def test_a_member_above_the_bound_of_its_class_breaks_it() -> None:
    looks_away, never_flips = LAMPS.card.classes
    cheated = looks_away.model_copy(update={"members": ("optimal",)})
    card = LAMPS.card.model_copy(update={"classes": (cheated, never_flips)})
    audit = audit_family(vary(LAMPS, card=card), fresh=40)
    assert [row.name for row in audit.classes if not row.kept] == ["looks_away"]
    assert not audit.kept


def test_a_bound_is_judged_level_by_level() -> None:
    """What a member earns too much on one level is not made good by another."""
    looks_away, never_flips = LAMPS.card.classes
    update = {"members": ("optimal",), "bounds": {"small": 1.0, "large": 0.6}}
    card = LAMPS.card.model_copy(
        update={"classes": (looks_away.model_copy(update=update), never_flips)}
    )
    row, _ = audit_family(vary(LAMPS, card=card), fresh=80).classes
    assert (row.broken_levels, row.kept) == (("large",), False)


def test_fresh_draws_tear_no_clan_apart() -> None:
    def draw(config: LampsConfig, seed: int, index: int) -> LampsInstance:
        instance = generate(config, seed, index)
        return instance.model_copy(update={"facets": {"mechanism": f"clan-{index // 5}"}})

    drawn = draw_fresh(vary(LAMPS, generate=draw), ["small"], 12, 7)
    clans = Counter(instance.facets["mechanism"] for _, instance in drawn)
    assert clans == dict.fromkeys(("clan-0", "clan-1", "clan-2"), 5)


def test_fresh_instances_are_in_no_set() -> None:
    own, fresh = (audit_family(LAMPS, set="smoke", fresh=count) for count in (None, 6))
    assert {row.n for row in own.rows} == {row.n for row in fresh.rows} == {6}
    assert own.rows != fresh.rows


def test_a_family_without_classes_gets_the_generic_attacks() -> None:
    card = LAMPS.card.model_copy(update={"classes": (), "blind": (), "reference": ""})
    family = vary(LAMPS, card=card)
    players = {row.player for row in audit_family(family, set="smoke").rows}
    assert players == {
        *("oracle", "random", "silent"),
        *GENERIC,
    }


def test_an_answer_that_follows_from_its_place_is_found() -> None:
    """Where the answer always stands in one place, constant, script and copier all have it."""

    def draw(config: LampsConfig, seed: int, index: int) -> LampsInstance:
        instance = generate(config, seed, index)
        wired = instance.public.switches[0]
        return instance.model_copy(
            update={"secret": instance.secret.model_copy(update={"wired": wired})}
        )

    leaky = vary(LAMPS, generate=draw)
    audit = audit_family(leaky, fresh=20)
    earned = {row.player: row.value for row in audit.rows}
    assert earned["generic-constant"] == earned["generic-script"] == earned["generic-copier"] == 1.0


def test_a_full_audit_adds_a_probe_and_one_who_knows_names() -> None:
    earned = {row.player: row.value for row in audit_family(LAMPS, fresh=40, full=True).rows}
    more = {"generic-probe", "generic-names"}
    assert earned.keys() >= GENERIC | more
    assert max(earned[name] for name in GENERIC | more) < 0.6


def test_nothing_generic_wins_where_nothing_leaks() -> None:
    earned = {row.player: row.value for row in audit_family(LAMPS, fresh=60).rows}
    assert max(earned[name] for name in GENERIC) < 0.6


def test_memories_carry_names_by_their_places() -> None:
    config, rules = LAMPS.levels["small"], LAMPS.rules_for("certified")
    memories = remember(LAMPS, [LAMPS.generate(config, 5, n) for n in range(3)], rules, "oracle")
    for memory in memories:
        others = [name.upper() for name in memory.names]
        (move,) = memory.moves_for(others)
        assert move["wired"] == memory.instance.secret.wired.upper()
    attacks = train_attacks(LAMPS, [memory.instance for memory in memories], rules)
    assert attacks.keys() == GENERIC
