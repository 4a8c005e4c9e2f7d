"""From a name to a benchmark: by family, by level, or by the set file that somebody has."""

from collections.abc import Iterator
from pathlib import Path

from causarium import families
from causarium.api.benchmark import Benchmark
from causarium.contract.checks.check_family import Finding, run_checks
from causarium.contract.family import AnyInstance
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import read_set


def list_families() -> tuple[str, ...]:
    """Return the names of all families, built-in ones first.

    Example:
        >>> list_families()[:3]
        ('causallink', 'causalab', 'causalgame')
    """
    return families.names()


def load(name: str, *, edition: str = "certified") -> Benchmark:
    """Load a family.

    Args:
        name: One of `list_families()`.
        edition: `certified`, or `paper` for the published mechanics.

    Raises:
        UnknownName: There is no such family or edition; the nearest name is suggested.

    Example:
        >>> "optimal" in load("causallink").players
        True
    """
    return Benchmark(name, check_edition(edition), families.get(name))


def load_file(
    name: str, file: str | Path, *, limit: int | None = None
) -> tuple[Benchmark, list[AnyInstance]]:
    """Load a family in the edition of a set file, with the file's instances.

    Args:
        name: The family's name.
        file: A set of one's own: a file, or a folder of parts.
        limit: Return only the first so many instances.

    Raises:
        UsageError: There is no such family or file, or the file cannot be used.
    """
    family = families.get(name)
    header, instances = read_set(file, family, limit=limit)
    return Benchmark(name, header.edition, family), instances


def load_level(name: str, level: str) -> Benchmark:
    """Load a family in the edition that a level is of.

    Raises:
        UnknownName: There is no such family or level; the nearest name is suggested.
    """
    family = families.get(name)
    return Benchmark(name, family.level(level).edition, family)


def check(family: str, *, full: bool = False) -> Iterator[Finding]:
    """Check that a family keeps its promises; no model is needed.

    Args:
        family: The family's name.
        full: Check all sets, not just `smoke`.

    Raises:
        UnknownName: There is no such family; the nearest name is suggested.
    """
    return run_checks(families.get(family), quick=not full)
