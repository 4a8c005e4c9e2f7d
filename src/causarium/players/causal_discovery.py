"""Classical causal discovery from a table: rows of numbers in, directed edges out.

The algorithms are those of causal-learn, which is an extra: it is imported when one is asked for.
They were made for noisy samples of many rows and are given what there is; a table on which an
algorithm cannot work (too few rows, columns that determine each other) yields no edges.
"""

import contextlib
import io
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from causarium.errors import MissingExtra, UnknownName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float64]

Pairs = tuple[tuple[int, int], ...]
"""Pairs of column numbers."""
PC_LEVEL = 0.05
"""The level of PC's independence tests."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What an algorithm found in a table."""

    directed: Pairs = ()
    """`(cause, effect)`."""
    undirected: Pairs = ()
    """Joined, but which one acts is left open; the smaller number comes first."""


def discover(algorithm: str, rows: Sequence[Sequence[float]]) -> Discovery:
    """Return the edges that an algorithm finds in a table.

    Args:
        algorithm: One of `ALGORITHMS`.
        rows: One row an observation, one column a variable.

    Raises:
        UnknownName: There is no such algorithm.
        MissingExtra: causal-learn is not installed.
    """
    if algorithm not in ALGORITHMS:
        raise UnknownName("algorithm", algorithm, ALGORITHMS)
    return _discover(algorithm, tuple(tuple(row) for row in rows))


# The same experiments through another interface give the same table.
@lru_cache(maxsize=64)
def _discover(algorithm: str, rows: tuple[tuple[float, ...], ...]) -> Discovery:
    import numpy as np

    table = np.asarray(rows, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 3:
        return Discovery()
    varied = [column for column in range(table.shape[1]) if np.ptp(table[:, column]) > 0]
    if len(varied) < 2:
        return Discovery()
    found = _run_quietly(ALGORITHMS[algorithm], table[:, varied])
    return Discovery(
        tuple((varied[one], varied[other]) for one, other in found.directed),
        tuple((varied[one], varied[other]) for one, other in found.undirected),
    )


def _run_quietly(algorithm: Callable[["Table"], Discovery], table: "Table") -> Discovery:
    """Run an algorithm without its prints; a table that it cannot work on yields no edges."""
    import numpy as np

    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        try:
            return algorithm(table)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return Discovery()


def _pc(table: "Table") -> Discovery:
    pc = _import_package("causallearn.search.ConstraintBased.PC").pc
    return _read(pc(table, alpha=PC_LEVEL, indep_test="fisherz", show_progress=False).G.graph)


def _ges(table: "Table") -> Discovery:
    ges = _import_package("causallearn.search.ScoreBased.GES").ges
    return _read(ges(table, score_func="local_score_BIC")["G"].graph)


def _read(marks: "Table") -> Discovery:
    # causal-learn writes, at [i, j], the mark at i's end: -1 for a tail and 1 for an arrowhead.
    pairs = [(i, j) for i in range(len(marks)) for j in range(len(marks)) if marks[i][j] == -1]
    return Discovery(
        tuple((i, j) for i, j in pairs if marks[j][i] == 1),
        tuple((i, j) for i, j in pairs if marks[j][i] == -1 and i < j),
    )


def _import_package(name: str) -> Any:  # noqa: ANN401
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as missing:
        raise MissingExtra("classical discovery", "classical") from missing


ALGORITHMS: dict[str, Callable[["Table"], Discovery]] = {"pc": _pc, "ges": _ges}
"""The algorithms, by name."""
