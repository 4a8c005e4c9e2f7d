"""Promises about proofs and classes: certificates hold, and no class earns more than its bound."""

import math
from collections.abc import Iterator, Sequence
from statistics import fmean

from causarium.contract.certificate import Findings
from causarium.contract.checks.checked_family import Check, Draw, Subject
from causarium.contract.checks.generic_attacks import measure_player, train_attacks
from causarium.contract.checks.write_digests import measure_zero
from causarium.contract.family import AnyInstance
from causarium.contract.family_card import Bounds, PlayerClass

_ROUNDING = 1e-9
_Suspect = tuple[PlayerClass, str, str]
"""A class, the name of a member, and what is said of it."""


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
        if subject.family.card.classes:
            yield "the card names classes, and no `recheck` computes the claims by another path"
        return
    for instance in _list_certified(subject):
        one, other = proofs.certify(instance), proofs.recheck(instance)
        yield from (f"{instance.id}: {what}" for what in _compare(one, other))


def planted_faults_are_found(subject: Subject) -> Iterator[str]:
    """A good instance that was spoiled has a proof that fails, so that no proof is empty."""
    proofs = subject.family.proofs
    if not proofs.faults:
        if subject.family.card.classes:
            yield "the card names classes, and no planted fault tries the proofs"
        return
    instances = list(_list_certified(subject))
    for name, plant in proofs.faults.items():
        spoiled = [one for one in map(plant, instances) if one is not None]
        if not spoiled:
            yield f"the fault {name!r} can be planted in no instance of these sets"
        for instance in spoiled:
            if all(proof.holds for proof in proofs.certify(instance).proofs):
                yield f"no proof finds the fault {name!r} in {instance.id}"


def the_card_names_its_classes(subject: Subject) -> Iterator[str]:
    """Classes have members without secrets and cover all levels that are not for practice.

    A family without classes promises nothing of the kind.
    """
    card, family = subject.family.card, subject.family
    if not card.classes:
        return
    certified = {part.level for spec in card.sets["certified"].values() for part in spec.parts}
    for level in sorted(certified):
        tier = card.find_tier(level)
        if tier is None:
            yield f"no tier holds the level {level}"
        elif tier.kind != "practice" and not any(
            one.kind == "exact" or (one.kind == "theorem" and level in one.bounds)
            for one in card.classes
        ):
            yield f"no class of kind theorem or exact speaks of the level {level}"
    for name in {*card.blind, card.reference, *(n for one in card.classes for n in one.members)}:
        player = family.players.get(name)
        if player is None and not name.startswith("generic-"):
            yield f"the card names {name or 'no reference'}, and there is no such player"
        elif player is not None and player.sees_truth:
            yield f"the card names {name}, who is handed the secret"
    for level in sorted({level for one in card.classes for level in one.bounds} - certified):
        yield f"a class bounds the level {level}, which is in no certified set"
    for name, spec in card.sets["certified"].items():
        if spec.zero is None:
            yield f"the card says no zero for certified/{name}"
    if not card.not_covered:
        yield "the card does not say who is not covered"


def the_zero_is_what_the_best_blind_player_earns(subject: Subject) -> Iterator[str]:
    """The card's zero of a set is the mean of the blind player that earns most there."""
    for drawn in subject.draws:
        zero = measure_zero(subject.family, drawn.edition, drawn.instances)
        if zero is not None and zero != drawn.spec.zero:
            yield f"the best blind player earns {zero} on {drawn}; the card says {drawn.spec.zero}"


def no_class_earns_more_than_its_bound(subject: Subject) -> Iterator[str]:
    """On fresh instances, no member's interval lies above the bound of its class.

    One that does plays others, more of them: where a bound is tight, one member in forty lies above
    it by chance, and hardly ever twice.
    """
    for level in _list_levels(subject):
        suspects = [
            (one, name, "")
            for one in subject.family.card.classes
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
            ends = f"[{earned.low:.3f}, {earned.high:.3f}]"
            told = (
                f"{name} earns {earned.value:.3f} {ends} on {len(fresh)} fresh instances of "
                f"{level}; its class {one.name} is bounded by {bound:.3f}"
            )
            yield one, name, told


def no_generic_attack_earns_half_of_what_the_reference_does(subject: Subject) -> Iterator[str]:
    """Players that know nothing of the family learn from fresh instances and win no others.

    More than half of what the reference earns, on a level that is not for practice, would be a way
    to win that no class of the card speaks of.
    """
    family, card = subject.family, subject.family.card
    rules = family.rules_for("certified")
    levels = [
        level
        for level in _list_levels(subject)
        if (tier := card.find_tier(level)) is None or tier.kind != "practice"
    ]
    halves = {level: len(subject.fresh(level)) // 2 for level in levels}
    training = [one for level in levels for one in subject.fresh(level)[: halves[level]]]
    attacks = train_attacks(family, training, rules, full=True) if training else {}
    reference = card.reference or "oracle"
    for level in levels:
        testing = subject.fresh(level)[halves[level] :]
        full = measure_player(family, testing, rules, reference, family.player(reference)).value
        for name, player in attacks.items():
            earned = measure_player(family, testing, rules, name, player)
            if earned.low > full / 2:
                yield (
                    f"{name} earns {earned.value:.3f} on {len(testing)} fresh instances of {level} "
                    f"and {reference} {full:.3f}: it learnt to win without causal reasoning"
                )


def the_reference_earns_what_is_reachable(subject: Subject) -> Iterator[str]:
    """Where a certificate states what can surely be earned, the reference player earns it."""
    card = subject.family.card
    if not card.classes:
        return
    rules = subject.family.rules_for("certified")
    for instance in _list_certified(subject):
        reachable = subject.family.proofs.certify(instance).reachable
        numbers = subject.verdict(instance, rules, card.reference).numbers
        earned = numbers[card.headline["certified"]]
        if reachable is not None and earned < reachable - _ROUNDING:
            yield f"{card.reference} earns {earned:g} on {instance.id}; {reachable:g} is reachable"


def mean_of(subject: Subject, bounds: Bounds) -> float:
    """Return the mean that a bound is about; nan where it applies to nothing."""
    rules = subject.family.rules_for(bounds.edition)
    values = [
        subject.verdict(instance, rules, bounds.player).numbers.get(bounds.metric, math.nan)
        for instance in subject.instances(bounds.edition, bounds.set)
    ]
    numbers = [value for value in values if not math.isnan(value)]
    return fmean(numbers) if numbers else math.nan


def _list_certified(subject: Subject) -> Iterator[AnyInstance]:
    for drawn in subject.judged:
        if drawn.edition == "certified":
            yield from _choose(subject, drawn)


def _list_levels(subject: Subject) -> list[str]:
    """Return the certified levels that are judged, in the order of the family."""
    judged = {part.level for d in subject.judged for part in d.spec.parts}
    levels = subject.family.levels.items()
    return [name for name, one in levels if one.edition == "certified" and name in judged]


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
    the_card_names_its_classes,
    the_zero_is_what_the_best_blind_player_earns,
    no_class_earns_more_than_its_bound,
    no_generic_attack_earns_half_of_what_the_reference_does,
    the_reference_earns_what_is_reachable,
)
