"""What is proved of an instance, what makes two instances the same, and what must break a proof."""

from collections.abc import Callable
from typing import cast

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.families.causalgame.model.expeditions import Expedition
from causarium.families.causalgame.model.instance import (
    AnyGame,
    AnyPublic,
    AnySecret,
    GameInstance,
    choose_part,
)
from causarium.families.causalgame.proofs.expeditions import (
    FAULTS,
    certify_expedition,
    find_expedition_key,
)
from causarium.families.causalgame.proofs.published import certify_session, find_session_key
from causarium.families.causalgame.proofs.recheck import recheck_expedition


def certify(instance: AnyGame) -> Findings:
    """Prove what a session or an expedition promises, and say what can be reached in it."""
    return choose_part(instance.public.edition, certify_session, certify_expedition)(instance)


def recheck(instance: AnyGame) -> Findings:
    """Prove the same claims of an expedition by another path; a published game has one path."""
    return choose_part(instance.public.edition, certify_session, recheck_expedition)(instance)


def canonical_key(instance: AnyGame) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    return choose_part(instance.public.edition, find_session_key, find_expedition_key)(instance)


Fault = Callable[[AnyGame], AnyGame | None]


def _plant_nothing(instance: GameInstance) -> AnyGame | None:
    """Leave a session of a published game as it is: it is data, and nothing in it is drawn."""
    del instance
    return None


def _make_fault(plant: Callable[[Expedition], Expedition]) -> Fault:
    def plant_in_expedition(instance: Expedition) -> AnyGame | None:
        return cast("AnyGame", plant(instance))

    def plant_fault(instance: AnyGame) -> AnyGame | None:
        edition = instance.public.edition
        return choose_part(edition, _plant_nothing, plant_in_expedition)(instance)

    return plant_fault


PROOFS: Proofs[AnyPublic, AnySecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults={name: _make_fault(plant) for name, plant in FAULTS.items()},
    canonical_key=canonical_key,
    # Names and what is said of them, which a session and its archive tell; `found` and `rows` are
    # what the archive adds and what the published numbering shows. The total of armour is told.
    revealed_fields=frozenset(
        {"name", "key", "parents", "about", "blurb", "found", "rows", "total"}
    ),
)
