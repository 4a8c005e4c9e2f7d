"""The published release's own file format, and the paper's numbers about graphs."""

from collections import Counter
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import cast

from causarium.contract.companions import Publication, Release
from causarium.errors import UsageError
from causarium.families.causalab.model.instance import LabInstance
from causarium.families.causalab.model.stored_instance import (
    EitherInstance,
    EitherPublic,
    EitherSecret,
    is_bench,
)
from causarium.families.causalab.publication.play_release import find_suites, play_release
from causarium.families.causalab.publication.read_suite import read_suite
from causarium.families.causalab.publication.write_suite import write_suite


def read_released(path: Path) -> list[EitherInstance]:
    """Read a released suite as instances of the paper edition."""
    return cast("list[EitherInstance]", read_suite(path))


def write_released(path: Path, instances: Sequence[EitherInstance]) -> int:
    """Write instances of the paper edition as a released suite; return how many.

    Args:
        path: The file to write.
        instances: The instances.

    Raises:
        UsageError: An instance is one of the bench, for which the release has no form.
    """
    for instance in instances:
        if is_bench(instance):
            raise UsageError(
                f"{instance.id} is of the bench, and released suites hold mechanisms of the paper "
                "edition; generate a level that begins with paper-"
            )
    return write_suite(path, cast("Sequence[LabInstance]", instances))


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
    read_released=read_released,
    write_released=write_released,
    measure_instance=measure_graph,
    release=Release(play=play_release, sets=find_suites),
)
