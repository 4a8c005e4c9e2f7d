"""The release's own file format, and the paper's numbers about graphs."""

from collections import Counter
from dataclasses import replace
from math import comb
from typing import NoReturn, cast

from causarium.contract.companions import Publication, Release
from causarium.contract.family import AnyFamily
from causarium.contract.release import ReleaseFolder, check_words
from causarium.errors import UsageError
from ..levels import NO_RELEASED_WORLD, RELEASED, LabRules, find_release_player
from ..model.instance import LabInstance, LabPublic, LabSecret
from .suite_files import read_suite, write_suite


def measure_graph(instance: LabInstance) -> dict[str, float]:
    """Return the edges of a graph, and its forks and colliders, shielded ones too."""
    pairs = instance.secret.edge_pairs
    causes = Counter(cause for cause, _ in pairs)
    effects = Counter(effect for _, effect in pairs)
    return {
        "edges": float(len(pairs)),
        "forks": float(sum(comb(count, 2) for count in causes.values())),
        "colliders": float(sum(comb(count, 2) for count in effects.values())),
    }


def _play_release(family: AnyFamily, release: ReleaseFolder) -> AnyFamily:
    """Return the family in the world of a release, which a package of its own plays."""
    player = find_release_player()
    if player is not None:
        return cast("AnyFamily", player.load()(family, release))

    # The suites of a release can be read all the same.
    def refuse(_: object, rules: LabRules) -> NoReturn:
        check_words(rules.interface, [RELEASED])
        raise UsageError(NO_RELEASED_WORLD)

    return replace(family, prompt=refuse, open_world=refuse)


PUBLICATION: Publication[LabPublic, LabSecret] = Publication(
    read_released=read_suite,
    write_released=write_suite,
    measure_instance=measure_graph,
    release=Release(play=_play_release),
)
