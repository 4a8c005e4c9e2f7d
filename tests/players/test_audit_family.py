"""The audit: who is played, what is trained, and what a leak looks like in it."""

from collections import Counter
from collections.abc import Callable
from functools import partial
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
from causarium.players.programs import count_lines
from tests.support.ladder import FAMILY as LADDER
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.model import LampsConfig, LampsInstance, generate
from tests.support.vary_family import vary

GENERIC = {
    f"generic-{how}" for how in ("constant", "script", "copier", "nearest", "vote", "imitation")
}


def audit_family(family: AnyFamily, **asked: Any) -> Audit:
    return combine_shares(family, [audit_share(family, AuditTask(family.name, **asked))])


def _list_earned(audit: Audit) -> dict[str, float]:
    return {one.name: one.reach.value for one in audit.programs}


def test_everybody_without_the_truth_is_played_and_the_json_has_the_promised_keys() -> None:
    audit = audit_family(LAMPS, set="smoke")
    programs = {one.name: one for one in audit.programs}
    assert programs.keys() == {"optimal", "random", "silent"} | GENERIC
    assert [one.name for one in audit.programs if one.reference] == ["optimal"]
    flat = audit.flat()
    facts = {"family", "version", "edition", "set", "headline", "theorems", "programs", "skipped"}
    assert flat.keys() == facts | {"kept"}
    row = flat["programs"][0]
    assert row.keys() >= {"name", "about", "sees", "lines", "reach", "level", "version"}
    assert row["reach"].keys() == {"value", "low", "high", "open", "rungs"}
    assert audit.kept


def test_theorems_stand_with_their_bounds_and_the_best_of_their_members() -> None:
    audit = audit_family(LAMPS, set="standard")
    theorem, exact = audit.theorems
    assert (theorem.name, theorem.kind, exact.kind) == ("looks_away", "theorem", "exact")
    assert theorem.bound == pytest.approx((1 / 3 + 1 / 6) / 2)
    assert exact.bound == pytest.approx(theorem.bound)
    assert theorem.kept
    assert exact.kept
    flat = audit.flat()
    wanted = {"name", "says", "kind", "bound", "best", "value", "low", "high", "n", "kept"}
    assert all(row.keys() >= wanted for row in flat["theorems"])


def test_a_member_above_its_bound_breaks_the_theorem() -> None:
    looks_away, never_flips = LAMPS.card.theorems
    cheated = looks_away.model_copy(update={"members": ("optimal",)})
    card = LAMPS.card.model_copy(update={"theorems": (cheated, never_flips)})
    audit = audit_family(vary(LAMPS, card=card), fresh=40)
    assert [row.name for row in audit.theorems if not row.kept] == ["looks_away"]
    assert not audit.kept


def test_a_bound_is_judged_level_by_level() -> None:
    """What a member earns too much on one level is not made good by another."""
    looks_away, never_flips = LAMPS.card.theorems
    update = {"members": ("optimal",), "bounds": {"small": 1.0, "large": 0.6}}
    card = LAMPS.card.model_copy(
        update={"theorems": (looks_away.model_copy(update=update), never_flips)}
    )
    row, _ = audit_family(vary(LAMPS, card=card), fresh=80).theorems
    assert (row.broken_levels, row.kept) == (("large",), False)


def test_programs_of_a_ladder_stand_by_their_reach() -> None:
    audit = audit_family(LADDER, fresh=64)
    programs = {one.name: one for one in audit.programs}
    values = [one.reach.value for one in audit.programs]
    assert values == sorted(values, reverse=True)
    best = audit.programs[0]
    assert (best.name, best.reach.value, best.reach.open, best.level) == (
        *("optimal", 4.0, True, "rung-4"),
    )
    assert [one.rung for one in best.reach.rungs] == [1, 2, 3, 4]
    assert programs["optimal"].reach.value > programs["two"].reach.value > 1.5
    for name in ("random", "first", "silent"):
        reach = programs[name].reach
        assert reach.low <= 0 <= reach.high
    assert programs["silent"].level == ""


def test_a_program_says_what_it_sees_and_how_long_it_is() -> None:
    programs = {one.name: one for one in audit_family(LADDER, set="smoke").programs}
    sees = {name: programs[name].sees for name in ("random", "first", "two", "generic-vote")}
    assert sees == {
        "random": "nothing",
        "first": "prompt",
        "two": "prompt and observations",
        "generic-vote": "prompt",
    }
    assert (programs["silent"].lines, programs["first"].lines) == (0, 2)


def test_lines_are_those_of_a_player_and_of_what_it_calls_in_its_module() -> None:
    assert count_lines(_leads) == 4 + 2
    assert count_lines(partial(_is_led, 1)) == 2
    assert count_lines(_wrap(_leads)) == 2 + 4 + 2
    assert count_lines(len) == count_lines(None) == 0


def _leads() -> int:

    total = _is_led(3)

    total += len("of another module")
    return total


def _is_led(number: int) -> int:
    return number


def _wrap(function: Callable[[], int]) -> Callable[[], int]:
    def inner() -> int:
        return function()

    return inner


def test_fresh_draws_tear_no_clan_apart() -> None:
    def draw(config: LampsConfig, seed: int, index: int) -> LampsInstance:
        instance = generate(config, seed, index)
        return instance.model_copy(update={"facets": {"mechanism": f"clan-{index // 5}"}})

    drawn = draw_fresh(vary(LAMPS, generate=draw), ["small"], 12, 7)
    clans = Counter(instance.facets["mechanism"] for _, instance in drawn)
    assert clans == dict.fromkeys(("clan-0", "clan-1", "clan-2"), 5)


def test_fresh_instances_are_in_no_set() -> None:
    own, fresh = (audit_family(LAMPS, set="smoke", fresh=count) for count in (None, 6))
    assert {row.n for row in own.programs} == {row.n for row in fresh.programs} == {6}
    assert own.programs != fresh.programs


def test_a_family_without_theorems_gets_the_generic_attacks() -> None:
    card = LAMPS.card.model_copy(update={"theorems": (), "blind": (), "reference": ""})
    audit = audit_family(vary(LAMPS, card=card), set="smoke")
    assert {one.name for one in audit.programs} >= GENERIC
    assert (audit.theorems, audit.kept) == ((), True)


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
    earned = _list_earned(audit)
    assert earned["generic-constant"] == earned["generic-script"] == earned["generic-copier"] == 1.0


def test_a_full_audit_adds_a_probe_and_one_who_knows_names() -> None:
    earned = _list_earned(audit_family(LAMPS, fresh=40, full=True))
    more = {"generic-probe", "generic-names"}
    assert earned.keys() >= GENERIC | more
    assert max(earned[name] for name in GENERIC | more) < 0.6


def test_nothing_generic_wins_where_nothing_leaks() -> None:
    earned = _list_earned(audit_family(LAMPS, fresh=60))
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
