"""Mutants of what scores and proves: a small change in the source must fail a test.

    ./run mutate [--sample N] [--seed N] [PATH...]

A sample of all mutants is drawn by seed, one at a time put into a copy of the source, and the tests
beside it are run until one fails, then those that pin scores and proofs. A mutant that no test
notices survives; it is printed, and is either a test that is missing or a line that is not needed.
Exit 1 if fewer than 95 % are killed.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
ROOMS = ("score", "scoring", "certify", "proofs")
"""The modules and rooms of a family that are looked at, beside `causarium.scoring`."""
LEAST_KILLED = 0.95
LEAST_LIMIT = 100
"""What is cut off at so many or more is cut off at one more as well."""
PATIENCE_S = 600
"""A mutant that makes tests run for ever is as good as dead."""
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
}


class Mutant(NamedTuple):
    """One change of one file."""

    path: Path
    line: int
    place: int
    """Which of the file's nodes is changed."""
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.before} -> {self.after}"


def list_files() -> list[Path]:
    """Return the files that are looked at."""
    families = sorted(SOURCE.glob("causarium/families/*"))
    places = [SOURCE / "causarium" / "scoring"]
    places += [family / room for family in families for room in ROOMS]
    files = [path for place in places for path in sorted(place.rglob("*.py"))]
    return files + [path for place in places if (path := place.with_suffix(".py")).is_file()]


def change(node: ast.AST) -> ast.AST | None:
    """Return what is put in the place of a node; None where it is left alone."""
    made = deepcopy(node)
    match made:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPS:
            made.ops = [SWAPS[type(operator)]()]  # type: ignore[list-item]
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in SWAPS:
            made.op = SWAPS[type(operator)]()  # type: ignore[assignment]
        case ast.UnaryOp(op=ast.Not()):
            return made.operand
        case ast.Constant(value=bool()):
            made.value = not made.value
        case ast.Constant(value=int() | float()):
            made.value += 1
        case ast.IfExp():
            made.test = ast.UnaryOp(ast.Not(), made.test)
        case _:
            return None
    return made


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that do something: neither annotations nor texts of documentation."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and not _decides_nothing(node):
                yield node
                yield from _walk(node)


def _decides_nothing(node: ast.AST) -> bool:
    """Whether a node only guards: `strict=` of a zip, or limits of a hundred and more by name."""
    match node:
        case ast.keyword(arg="strict"):
            return True
        case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
            limits = value.elts if isinstance(value, ast.Tuple) else [value]
            return ast.unparse(target).isupper() and all(map(_is_limit, limits))
    return False


def _is_limit(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=int(limit)):
            return limit >= LEAST_LIMIT
    return False


def list_mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    for place, node in enumerate(_walk(ast.parse(path.read_text(encoding="utf-8")))):
        made = change(node)
        if made is not None:
            texts = (ast.unparse(node), ast.unparse(made))
            yield Mutant(path, getattr(node, "lineno", 0), place, *texts)


def write_mutant(mutant: Mutant, source: Path) -> Path:
    """Write the file of a mutant into a copy of the source; returns where."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    target = list(_walk(tree))[mutant.place]
    made = change(target)
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, made)
            elif isinstance(value, list) and any(item is target for item in value):
                setattr(parent, name, [made if item is target else item for item in value])
    path = source / mutant.path.relative_to(SOURCE)
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    return path


def find_tests(path: Path) -> Iterator[list[str]]:
    """Yield what pytest is told, the quick tests first, then those that pin scores and proofs."""
    parts = path.relative_to(SOURCE / "causarium").parts
    of_family = parts[0] == "families"
    folder = ROOT / "tests" / Path(*parts[: 2 if of_family else 1])
    named = sorted(folder.rglob(f"test_*{path.stem}*.py"))
    beside = [str(each.relative_to(ROOT)) for each in (*named, folder)]
    yield ["-m", "not slow and not long", *beside]
    yield ["tests/pinned", "-k", parts[1], "-m", ""] if of_family else ["tests/report"]


def is_killed(mutant: Mutant, source: Path) -> bool:
    """Say whether a test fails on a mutant."""
    quick, pins = find_tests(mutant.path)
    path = write_mutant(mutant, source)
    try:
        if fails(quick, source, mutant):
            return True
        moved = fails(pins, source, mutant)
    finally:
        shutil.copy2(mutant.path, path)
    if moved:
        refuse_old_pins(tuple(pins), source)
    return moved


@cache
def refuse_old_pins(pins: tuple[str, ...], source: Path) -> None:
    """Stop if pins fail without a mutant too: they would kill every one."""
    if fails(list(pins), source, "the source as it is"):
        sys.exit(f"these tests fail without a mutant: {' '.join(pins)}")


def fails(tests: list[str], source: Path, what: object) -> bool:
    """Say whether one of these tests fails, or takes for ever, with a copy of the source."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - our own words, no shell
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except subprocess.TimeoutExpired:
        print(f"over {PATIENCE_S} s, taken for killed: {what}", flush=True)
        return True
    if done.returncode not in (0, 1, 2):
        sys.exit(f"{what}: pytest ended with {done.returncode}\n{done.stdout.decode()[-2000:]}")
    return done.returncode != 0


def main() -> None:
    """Draw mutants, try them, and print those that survive."""
    parser = argparse.ArgumentParser(description="Mutants of what scores and proves.")
    parser.add_argument("--sample", type=int, default=60, help="how many mutants to try")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("paths", nargs="*", type=Path, help="files (default: all that score)")
    given = parser.parse_args()
    files = [path.resolve() for path in given.paths] or list_files()
    mutants = [mutant for path in files for mutant in list_mutants(path)]
    drawn = Random(given.seed).sample(mutants, min(given.sample, len(mutants)))
    print(f"{len(drawn)} of {len(mutants)} mutants in {len(files)} files, seed {given.seed}")
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
        for number, mutant in enumerate(drawn, 1):
            killed = is_killed(mutant, source)
            survivors += [] if killed else [mutant]
            print(
                f"[{number}/{len(drawn)}] {'killed' if killed else 'SURVIVED'} {mutant}", flush=True
            )
    share = 1 - len(survivors) / max(1, len(drawn))
    print(f"killed {share:.1%} of {len(drawn)}")
    sys.exit(1 if share < LEAST_KILLED else 0)


if __name__ == "__main__":
    main()
