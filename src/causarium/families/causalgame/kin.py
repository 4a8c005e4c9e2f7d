"""The form of a game that other names, other luck and another order do not change."""

from causarium.contract.frozen import canonical_json, digest
from causarium.families.causalgame.instance import AnyGame, as_session, is_twin
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw, rename_archive
from causarium.families.causalgame.mechanics.twin_law import rename


def kin(instance: AnyGame) -> str:
    """Return a digest that a game shares with all sessions of the same game.

    A twin pair is its two laws, whichever comes first; a published game is itself.
    """
    if not is_twin(instance):
        return digest(canonical_json(as_session(instance).secret.game.model_dump(mode="json")))
    law = instance.secret.law
    other = rename_archive(law) if isinstance(law, ArchiveLaw) else rename(law)
    return digest(*sorted(canonical_json(one.model_dump(mode="json")) for one in (law, other)))
