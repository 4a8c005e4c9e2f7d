"""No score and no proof moves unnoticed: both are pinned, set by set.

`verdicts.json` holds, for each family and its version, digests of the instances, of every player's
verdicts on a few of them, and of what `certify` and `recheck` find there and on spoilt copies. If a
verdict differs, scores are no longer comparable: raise the family's version in its card, unless all
that changed is a metric more. Then write the file anew with
`python -m tests.pinned.test_pinned_verdicts`.
"""

import json
import math
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from causarium import families
from causarium.contract.certificate import Findings
from causarium.contract.episode import play
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import canonical_json, digest
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import generate_instances
from causarium.errors import MissingExtra

FILE = Path(__file__).with_name("verdicts.json")
INSTANCES = 3
NOISE = 1e-5
ERRORS = ("abs_error", "fit_error")
"""CausaLab's errors in Hz: below `NOISE` they are what is left of a zero after large readings."""


RETIRED = {
    "causalgame": (
        *("legs", "legs_dial", "legs_line", "legs_roster", "legs_depot"),
        *("question_skill", "coins_known", "right_step", "asked", "orders"),
    ),
}
"""Numbers of the certified edition that verdicts of the paper edition held as nan when pinned."""


def list_others(name: str, edition: Edition) -> Iterable[str]:
    """Return the numbers of the other edition, which verdicts held as nan when pinned."""
    if name not in RETIRED:
        return ()
    if edition == "paper":
        return RETIRED[name]
    is_new = families.get(name, edition).package.endswith(".certified")
    return () if is_new else families.get(name, "paper").metrics


@cache
def pinned() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def compute(family: AnyFamily) -> dict[str, dict[str, str]]:
    """Return the digests of a family: by set, then by player; `instances` is the set's own."""
    digests: dict[str, dict[str, str]] = {}
    for edition, sets in family.card.sets.items():
        rules, own = family.rules_for(edition), families.get(family.name, edition)
        for name, spec in sets.items():
            instances = list(islice(generate_instances(family, spec.parts), INSTANCES))
            mine = {"instances": digest(*(instance.line() for instance in instances))[7:19]}
            for player in own.players:
                try:
                    games = [play(own, instance, rules, player) for instance in instances]
                except MissingExtra:
                    continue
                others = dict.fromkeys(list_others(family.name, edition), math.nan)
                numbers = [_round({**others, **game.score().numbers}) for game in games]
                texts = [canonical_json(one) for one in numbers]
                mine[player] = digest(*texts)[7:19]
            digests[f"{edition}/{name}"] = mine
    return digests


def compute_proofs(family: AnyFamily) -> dict[str, dict[str, str]]:
    """Return digests of what is found on good and spoilt instances of the certified sets."""
    proofs = family.proofs
    digests: dict[str, dict[str, str]] = {}
    for name, spec in family.card.sets.get("certified", {}).items():
        parts = [part.model_copy(update={"size": 1}) for part in spec.parts]
        instances = list(generate_instances(family, parts))
        tried = {"good": instances} | {
            fault: [spoilt for one in instances if (spoilt := plant(one)) is not None]
            for fault, plant in proofs.faults.items()
        }
        for fault, spoilt in tried.items():
            for way, prove in (("certify", proofs.certify), ("recheck", proofs.recheck)):
                if prove is not None and spoilt:
                    texts = [canonical_json(_plain(prove(one))) for one in spoilt]
                    digests.setdefault(name, {})[f"{way} {fault}"] = digest(*texts)[7:19]
    return digests


def _plain(found: Findings) -> dict[str, Any]:
    """Return what was found, without the words of methods."""
    return {
        "optimum": found.optimum,
        "holds": {proof.claim: proof.holds for proof in found.proofs},
        "numbers": _round(found.bounds),
        "reachable": found.reachable,
    }


def _round(numbers: dict[str, float]) -> dict[str, Any]:
    """Drop what differs between processors: the tenth digit, and what is left of a zero."""
    plain = {n: 0.0 if n in ERRORS and abs(x) < NOISE else x for n, x in numbers.items()}
    return {name: None if math.isnan(x) else float(f"{x:.9g}") for name, x in plain.items()}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name == "causalgame" else pytest.mark.slow)
        for name in families.FAMILIES
    ],
)
def test_no_score_moves_without_a_new_version(name: str) -> None:
    family = families.get(name)
    version, before = pinned()[name]["version"], pinned()[name]["sets"]
    assert family.card.version == version, "write the pinned verdicts anew (see the docstring)"
    now = compute(family)
    assert now.keys() == before.keys()
    moved = [
        f"{place}: {player}"
        for place, mine in now.items()
        for player, value in mine.items()
        if before[place].get(player) != value
    ]
    assert not moved, "scores moved: raise the version in the card, and say by how much"


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) for n in families.FAMILIES]
)
def test_no_proof_moves_unnoticed(name: str) -> None:
    now, before = compute_proofs(families.get(name)), pinned()[name]["proofs"]
    moved = [
        f"{place}: {found}"
        for place, mine in now.items()
        for found, value in mine.items()
        if before.get(place, {}).get(found) != value
    ]
    assert now.keys() == before.keys()
    assert not moved, "what is proven moved: if that is right, write the pins anew"


def write() -> None:
    """Write the file anew."""
    pins = {}
    for name in families.FAMILIES:
        family = families.get(name)
        pins[name] = {
            "version": family.card.version,
            "sets": compute(family),
            "proofs": compute_proofs(family),
        }
    FILE.write_text(json.dumps(pins, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
