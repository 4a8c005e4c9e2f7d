"""A problem in the terms of the Boolean mathematics: its rows, and which models are admissible."""

from collections.abc import Iterable, Sequence

from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.families.replayscm.model.instance import ReplayPublic, WorldRows
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.dag import mask_of


def admissible(public: ReplayPublic) -> Admissible:
    """Return which models the rules of a problem admit, as far as they are told."""
    n, most = len(public.variables), public.limits.max_parents
    place = {name: i for i, name in enumerate(public.variables)}
    if public.roots is None:
        return Admissible.hidden_roots(n, public.n_roots, most)
    roots = mask_of(place[name] for name in public.roots)
    if public.order is not None:
        order = [place[name] for name in public.order if name not in public.roots]
        return Admissible.from_order(n, roots, order, most)
    if public.blocks is not None:
        blocks = [[place[name] for name in block] for block in public.blocks]
        return Admissible.blocks(n, roots, [b for b in blocks if not mask_of(b) & roots], most)
    return Admissible.from_roots(n, roots, most)


def evidence(worlds: Iterable[WorldRows], variables: Sequence[str]) -> Evidence:
    """Return the rows of stored worlds."""
    return panel_evidence((Panel.read(world, variables) for world in worlds), len(variables))


def panel_evidence(panels: Iterable[Panel], n: int) -> Evidence:
    """Return the rows of simulated worlds."""
    pairs = [(row, panel.targets) for panel in panels for row in panel.rows]
    return Evidence.of(n, (row for row, _ in pairs), (targets for _, targets in pairs))
