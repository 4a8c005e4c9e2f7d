"""What is proved of an instance, what makes two instances the same, and what must break a proof."""

from causarium.contract.certificate import Findings
from causarium.families.causalgame.model.instance import AnyGame, choose_part
from causarium.families.causalgame.proofs.expeditions import (
    certify_expedition,
    find_expedition_key,
)
from causarium.families.causalgame.proofs.published import certify_session, find_session_key


def certify(instance: AnyGame) -> Findings:
    """Prove what a session or an expedition promises, and say what can be reached in it."""
    return choose_part(instance.public.edition, certify_session, certify_expedition)(instance)


def canonical_key(instance: AnyGame) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    return choose_part(instance.public.edition, find_session_key, find_expedition_key)(instance)


REVEALED = frozenset({"name", "key", "parents", "about", "blurb", "found", "rows", "total"})
"""Secret fields with values that an agent may see: names and what is said of them, which a session
and its archive tell; `found` and `rows` are what the archive adds. The total of armour is told."""
