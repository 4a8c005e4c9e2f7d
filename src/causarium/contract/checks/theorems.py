"""Promises about proofs and rungs: certificates hold, theorems too, and blindness earns nothing."""

import math
from collections.abc import Iterator, Sequence
from statistics import fmean

from causarium.contract.certificate import Findings
from causarium.contract.checks.checked_family import Check, Draw, Subject
from causarium.contract.checks.generic_attacks import measure_player, train_probe
from causarium.contract.family import AnyInstance
from causarium.contract.family_card import Theorem
from causarium.scoring.intervals import Interval

_ROUNDING = 1e-9
_SOLVED = 0.9
_Suspect = tuple[Theorem, str, str]
"""A theorem, the name of a member, and what is said of it."""


def every_certificate_holds(subject: Subject) -> Iterator[str]:
    """Each certified instance has proofs, and all of them hold."""
    for instance in _list_certified(subject):
        findings = subject.family.proofs.certify(instance)
        if not findings.proofs:
            yield f"nothing is proven about {instance.id}"
        for proof in findings.proofs:
            if not proof.holds:
                yield f"{instance.id} has a false proof: {proof.claim}"


def claims_come_out_alike_on_another_path(subject: Subject) -> Iterator[str]:
    """What a certificate claims, bounds and calls optimal, code beside the generator finds too."""
    proofs = subject.family.proofs
    if proofs.recheck is None:
        if subject.family.card.theorems:
            yield "the card names theorems, and no `recheck` computes the claims by another path"
        return
    for instance in _list_certified(subject):
        one, other = proofs.certify(instance), proofs.recheck(instance)
        yield from (f"{instance.id}: {what}" for what in _compare(one, other))


def planted_faults_are_found(subject: Subject) -> Iterator[str]:
    """A good instance that was spoiled has a proof that fails, so that no proof is empty."""
    proofs = subject.family.proofs
    if not proofs.faults:
        if subject.family.card.theorems:
            yield "the card names theorems, and no planted fault tries the proofs"
        return
    instances = list(_list_certified(subject))
    for name, plant in proofs.faults.items():
        spoiled = [one for one in map(plant, instances) if one is not None]
        if not spoiled:
            yield f"the fault {name!r} can be planted in no instance of these sets"
        for instance in spoiled:
            if all(proof.holds for proof in proofs.certify(instance).proofs):
                yield f"no proof finds the fault {name!r} in {instance.id}"


def the_card_names_its_theorems(subject: Subject) -> Iterator[str]:
    """Theorems have members without secrets, bound levels that there are, and cover every rung."""
    card, family = subject.family.card, subject.family
    named = {*card.blind, card.reference, *(n for one in card.theorems for n in one.members)}
    for name in sorted(named - {""}):
        player = family.players.get(name)
        if player is None and not name.startswith("generic-"):
            yield f"the card names {name}, and there is no such player"
        elif player is not None and player.sees_truth:
            yield f"the card names {name}, who is handed the secret"
    if card.theorems and not card.reference:
        yield "the card names theorems and no reference"
    certified = {name for name, one in family.levels.items() if one.edition == "certified"}
    for level in sorted({level for one in card.theorems for level in one.bounds} - certified):
        yield f"a theorem bounds {level}, which is no certified level"
    for level in family.rungs.levels if family.rungs is not None else ():
        if not any(one.kind == "exact" or level in one.bounds for one in card.theorems):
            yield f"no theorem and no exact bound speaks of {level}"


def no_member_earns_more_than_its_bound(subject: Subject) -> Iterator[str]:
    """On fresh instances, no member's interval lies above the bound of its theorem.

    One that does plays others, more of them: where a bound is tight, one member in forty lies above
    it by chance, and hardly ever twice.
    """
    for level in _list_levels(subject):
        suspects = [
            (one, name, "")
            for one in subject.family.card.theorems
            if one.kind == "exact" or level in one.bounds
            for name in one.members
            if name in subject.players
        ]
        for again in (False, True):
            if suspects:
                suspects = list(_find_excesses(subject, level, suspects, again=again))
        yield from (told for _, _, told in suspects)


def _find_excesses(
    subject: Subject, level: str, suspects: Sequence[_Suspect], *, again: bool
) -> Iterator[_Suspect]:
    family, rules = subject.family, subject.family.rules_for("certified")
    fresh = subject.fresh(level, again=again)
    has_exact = any(one.kind == "exact" for one, _, _ in suspects)
    exact = [family.proofs.certify(each).bounds for each in fresh] if has_exact else []
    for one, name, _ in suspects:
        limits = [bound[one.name] for bound in exact if one.name in bound]
        bound = fmean(limits) if limits else one.bounds.get(level, math.nan)
        earned = measure_player(family, fresh, rules, name, family.player(name))
        if earned.low > bound + _ROUNDING:
            told = (
                f"{name} earns {_write(earned)} on {len(fresh)} fresh instances of {level}; "
                f"{one.name} bounds it by {bound:.3f}"
            )
            yield one, name, told


def the_best_blind_answer_earns_nothing(subject: Subject) -> Iterator[str]:
    """On each rung, who answers without looking earns 0 in the mean, and the best of them no less.

    An interval that leaves 0 out is looked at once more, on other instances.
    """
    for rung in _list_rungs(subject):
        told = ""
        for again in (False, True):
            if told or not again:
                told = _judge_blind(subject, rung, again=again)
        if told:
            yield told


def _judge_blind(subject: Subject, rung: str, *, again: bool) -> str:
    """Return what is wrong with the zero of a rung; empty if nothing is."""
    fresh = subject.fresh(rung, again=again)
    earned = _measure_blind(subject, fresh)
    if not earned:
        return "the card names no blind player that answers"
    name = max(earned, key=lambda name: earned[name].value)
    best = earned[name]
    if best.low <= _ROUNDING and best.high >= -_ROUNDING:
        return ""
    return f"{name}, the best blind player, earns {_write(best)} on {len(fresh)} of {rung}, not 0"


def the_reference_solves_every_rung(subject: Subject) -> Iterator[str]:
    """On fresh instances of each rung, the reference earns nine tenths of what can be earned."""
    for rung in _list_rungs(subject):
        name = subject.family.card.reference
        if name not in subject.players:
            continue
        fresh = subject.fresh(rung)[: subject.games]
        earned = _measure(subject, name, fresh)
        if earned.high < _SOLVED:
            yield f"{name} earns {_write(earned)} on {len(fresh)} fresh instances of {rung}"


def nothing_follows_from_ids_order_and_sizes(subject: Subject) -> Iterator[str]:
    """A probe that learnt what goes with them on other instances earns no more than the blind."""
    family, rules = subject.family, subject.family.rules_for("certified")
    for level in _list_levels(subject):
        fresh = subject.fresh(level)
        half = len(fresh) // 2
        learnt, tried, told = fresh[:half], fresh[half:], ""
        for again in (False, True):
            if again:
                learnt, tried = fresh, subject.fresh(level, again=True)
            if told or not again:
                probe = train_probe(family, learnt, rules)
                earned = measure_player(family, tried, rules, "generic-looks", probe)
                blind = [one.high for one in _measure_blind(subject, tried).values()]
                limit = 0.0 if level in _list_rungs(subject) else max(blind, default=0.0)
                told = f"earns {_write(earned)} on {len(tried)} fresh instances of {level}"
                told = told if earned.low > limit + _ROUNDING else ""
        if told:
            yield f"a probe of ids, order and sizes {told}: the answer follows from them"


def _measure_blind(subject: Subject, instances: Sequence[AnyInstance]) -> dict[str, Interval]:
    """Return what the blind players earn that say something."""
    players, names = subject.family.players, subject.family.card.blind
    answering = [name for name in names if name in players and players[name].moves is not None]
    return {name: _measure(subject, name, instances) for name in answering}


def _measure(subject: Subject, name: str, instances: Sequence[AnyInstance]) -> Interval:
    family = subject.family
    rules = family.rules_for("certified")
    return measure_player(family, instances, rules, name, family.player(name))


def _write(earned: Interval) -> str:
    return f"{earned.value:.3f} [{earned.low:.3f}, {earned.high:.3f}]"


def the_reference_earns_what_is_reachable(subject: Subject) -> Iterator[str]:
    """Where a certificate states what can surely be earned, the reference player earns it."""
    card = subject.family.card
    if not card.theorems:
        return
    rules = subject.family.rules_for("certified")
    for instance in _list_certified(subject):
        reachable = subject.family.proofs.certify(instance).reachable
        numbers = subject.verdict(instance, rules, card.reference).numbers
        earned = numbers[card.headline["certified"]]
        if reachable is not None and earned < reachable - _ROUNDING:
            yield f"{card.reference} earns {earned:g} on {instance.id}; {reachable:g} is reachable"


def _list_certified(subject: Subject) -> Iterator[AnyInstance]:
    for drawn in subject.judged:
        if drawn.edition == "certified":
            yield from _choose(subject, drawn)


def _list_levels(subject: Subject) -> list[str]:
    """Return the certified levels that are judged, in the order of the family."""
    judged = {part.level for d in subject.judged for part in d.spec.parts}
    levels = subject.family.levels.items()
    return [name for name, one in levels if one.edition == "certified" and name in judged]


def _list_rungs(subject: Subject) -> list[str]:
    """Return the rungs that are judged, from the lowest."""
    rungs = subject.family.rungs
    return [] if rungs is None else [one for one in _list_levels(subject) if one in rungs.levels]


def _choose(subject: Subject, drawn: Draw) -> Iterator[AnyInstance]:
    """Yield some instances of each level of a set: proofs may be slow."""
    count = subject.games if subject.quick else len(drawn.instances)
    instances = iter(drawn.instances)
    each = max(2, count // len(drawn.spec.parts))
    for part in drawn.spec.parts:
        mine = [next(instances) for _ in range(part.size)]
        yield from mine[:each]


def _compare(one: Findings, other: Findings) -> Iterator[str]:
    claims = {proof.claim: proof.holds for proof in one.proofs}
    again = {proof.claim: proof.holds for proof in other.proofs}
    for claim in claims.keys() | again.keys():
        if claims.get(claim) != again.get(claim):
            yield f"{claim!r} is {claims.get(claim)} by one path and {again.get(claim)} by another"
    for name in one.bounds.keys() | other.bounds.keys():
        here, there = one.bounds.get(name, math.nan), other.bounds.get(name, math.nan)
        if not math.isclose(here, there, abs_tol=_ROUNDING):
            yield f"the bound of {name} is {here} by one path and {there} by another"
    for what in ("optimum", "reachable"):
        here, there = getattr(one, what), getattr(other, what)
        if here != there:
            yield f"{what} is {here} by one path and {there} by another"


CHECKS: tuple[Check, ...] = (
    every_certificate_holds,
    claims_come_out_alike_on_another_path,
    planted_faults_are_found,
    the_card_names_its_theorems,
    no_member_earns_more_than_its_bound,
    the_best_blind_answer_earns_nothing,
    nothing_follows_from_ids_order_and_sizes,
    the_reference_earns_what_is_reachable,
    the_reference_solves_every_rung,
)
