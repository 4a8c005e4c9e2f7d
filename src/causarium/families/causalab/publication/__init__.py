"""The published release's own file format, and the paper's numbers about graphs."""

from collections import Counter
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import cast

from causarium.contract.companions import Publication, Release
from causarium.families.causalab.model.instance import LabInstance
from causarium.families.causalab.model.stored_instance import (
    EitherInstance,
    EitherPublic,
    EitherSecret,
    is_bench,
)
from causarium.families.causalab.publication.play_release import play_release
from causarium.families.causalab.publication.suite_files import read_suite, write_suite


def measure_graph(instance: EitherInstance) -> dict[str, float]:
    """Return the edges of a graph, and its forks and colliders, shielded ones too."""
    if is_bench(instance):
        return {}
    pairs = cast("LabInstance", instance).secret.edge_pairs
    causes = Counter(cause for cause, _ in pairs)
    effects = Counter(effect for _, effect in pairs)
    return {
        "edges": float(len(pairs)),
        "forks": float(sum(comb(count, 2) for count in causes.values())),
        "colliders": float(sum(comb(count, 2) for count in effects.values())),
    }


PUBLICATION: Publication[EitherPublic, EitherSecret] = Publication(
    read_released=cast("Callable[[Path], list[EitherInstance]]", read_suite),
    write_released=write_suite,
    measure_instance=measure_graph,
    release=Release(play=play_release),
)
