"""The published release: its file format and its sets by name; the paper's numbers on problems."""

from causarium.contract.companions import Publication, Release
from causarium.families.replayscm.generation.true_models import COVERED_WINDOW, list_windows
from causarium.families.replayscm.mechanics import Panel, coverage
from causarium.families.replayscm.model.instance import (
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
)
from causarium.families.replayscm.publication.write_release import read_released, write_released

_NOT_COVERED = 4
"""With so many variables less than there are, a window is published for up to eight of them."""


def measure_problem(instance: ReplayInstance) -> dict[str, float]:
    """Return how much evidence a problem holds; its coverage where its causal order is told."""
    public = instance.public
    numbers = {
        "train_worlds": float(len(public.train)),
        "heldout_worlds": float(len(instance.secret.heldout)),
    }
    if public.order is None:
        return numbers
    order = tuple(public.variables.index(name) for name in public.order)
    windows = list_windows(order, min(COVERED_WINDOW, len(order) - _NOT_COVERED))
    panels = [Panel.read(world, public.variables) for world in public.train]
    covered = coverage(panels, windows)
    return {**numbers, "local_coverage": covered, "fully_covered": float(covered == 1.0)}


PUBLICATION: Publication[ReplayPublic, ReplaySecret] = Publication(
    read_released=read_released,
    write_released=write_released,
    release=Release(),
    measure_instance=measure_problem,
)
