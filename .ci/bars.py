"""The bars of the house: numbers of the source that may fall and not rise.

`bars.toml` beside this file stores the most that each may be. With the name of a bar, the places
that it counts are printed instead; with `--lower`, every stored number that is above what was
counted falls to it.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.util import resolve_name
from itertools import chain, combinations
from math import inf
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
STORED = Path(__file__).with_name("bars.toml")
SMALL_MODULE, LONG_MODULE, LONG_FUNCTION, COPIED = 10, 600, 40, 4
"""Lines: of a module that could be part of another, and of what is too long or a copy."""
EDITIONS = ("certified", "paper")
DISPATCH = {
    "by_edition": r"\bby_edition\(",
    "edition compared": r"\.edition\s*(?:==|!=|in\b|is\b)"
    r"|edition\s*(?:==|!=)\s*\"(?:paper|certified)\""
    r"|\"(?:paper|certified)\"\s*(?:==|!=)\s*\w*edition|\[\w+\.edition\]",
    "type of instance": r"isinstance\([^()]*\b\w*(?:Public|Secret|Instance)\b",
    "type of world": r"isinstance\([^()]*(?:World|UnitPlay|Session)\b",
    "actions": r"\b(?:EXPEDITION|BENCH|UNIT|PUBLISHED)_ACTIONS\b.*(?:in|<=|for)"
    r"|(?:Explain|Predict|Extracted|Run|Hold|Answer)\s+(?:not )?in allowed_actions"
    r"|set\(allowed_actions\) <=",
    "part is None": r"\.(?:machine|units?|bench|game|legs|slots|tasks)\s+is (?:not )?None"
    r"|if (?:not )?\w*\.(?:game|legs|machine|units|slots)\b",
}
"""Signs that a function serves two editions and asks which; some hits are false."""
_SKIPPED = re.compile(r"\s*(?:import\b|from\b|\"\"\"|#|def by_edition)")
_CROOKED = re.compile(r'"""(?:Return (?:what|how|whether)|So many)\b')


class Module(NamedTuple):
    """A file of ours, read once."""

    path: str
    """From the root of the repository."""
    lines: list[str]
    nodes: tuple[ast.AST, ...]

    def place(self, node: ast.AST, what: str) -> str:
        """Return the place of a node as an editor opens it."""
        return f"{self.path}:{getattr(node, 'lineno', 1)} {what}"


def read_modules(root: Path, *folders: str) -> list[Module]:
    """Read the Python files of these folders, tests left out."""
    read = []
    for path in sorted(chain.from_iterable((root / folder).rglob("*.py") for folder in folders)):
        name = path.relative_to(root)
        if "tests" not in name.parts:
            text = path.read_text(encoding="utf-8")
            read.append(Module(str(name), text.splitlines(), tuple(ast.walk(ast.parse(text)))))
    return read


def count_lines(modules: Iterable[Module]) -> int:
    """Return the number of lines."""
    return sum(len(module.lines) for module in modules)


def find_sizes(modules: Iterable[Module], least: int, most: float) -> Iterator[str]:
    """Yield the modules with a number of lines in a range."""
    for module in modules:
        if least <= len(module.lines) <= most:
            yield f"{module.path}: {len(module.lines)} lines"


def find_long_functions(modules: Iterable[Module]) -> Iterator[str]:
    """Yield the functions that are too long to be read at once."""
    for module, function in _walk_functions(modules):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > LONG_FUNCTION:
            yield module.place(function, f"{function.name}: {lines} lines")


def find_twins(modules: Iterable[Module]) -> Iterator[str]:
    """Yield the functions that take a family and also an edition of it."""
    for module, function in _walk_functions(modules):
        arguments = function.args
        names = {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
        if "edition" in names and names & {"family", "self"}:
            yield module.place(function, function.name)


def find_dispatch(modules: Iterable[Module]) -> Iterator[str]:
    """Yield the lines of families that seem to ask which edition they serve."""
    for module in modules:
        if "/families/" not in module.path:
            continue
        for number, line in enumerate(module.lines, 1):
            if not _SKIPPED.match(line):
                for sign, pattern in DISPATCH.items():
                    if re.search(pattern, line):
                        yield f"{module.path}:{number} {sign}: {line.strip()}"


def find_crossings(modules: Iterable[Module], here: str, there: str) -> Iterator[str]:
    """Yield the imports of one edition's folder that lead into the other's."""
    for module in modules:
        parts = Path(module.path).parts
        if "families" in parts and here in parts:
            for node, name in _list_imports(module):
                if there in name.split("."):
                    yield module.place(node, name)


def find_bridge(modules: Iterable[Module]) -> Iterator[str]:
    """Yield the calls of `families.get` that name no edition."""
    for module in modules:
        for node in module.nodes:
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name("families"), attr="get")):
                    if len(node.args) + len(node.keywords) == 1:
                        yield module.place(node, ast.unparse(node))


def find_crooked_docstrings(modules: Iterable[Module]) -> Iterator[str]:
    """Yield the docstrings that begin with a clause where a noun exists."""
    for module in modules:
        for number, line in enumerate(module.lines, 1):
            if _CROOKED.search(line):
                yield f"{module.path}:{number} {line.strip()}"


def find_duplicates(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each pair of places with some lines of code that are the same, as long as they are."""
    places = defaultdict(list)
    code = [(module.path, _list_code(module)) for module in modules]
    for index, (_, lines) in enumerate(code):
        for start in range(len(lines) - COPIED + 1):
            window = tuple(text for _, text in lines[start : start + COPIED])
            places[window].append((index, start))
    found = {
        pair
        for same in places.values()
        for pair in combinations(same, 2)
        if pair[0][0] != pair[1][0] or pair[1][1] - pair[0][1] >= COPIED
    }
    for (one, at), (other, there) in sorted(found):
        if ((one, at - 1), (other, there - 1)) not in found:  # else part of a longer one
            first, second = code[one][1][at], code[other][1][there]
            yield f"{code[one][0]}:{first[0]} {code[other][0]}:{second[0]} {first[1]}"


def _list_code(module: Module) -> list[tuple[int, str]]:
    """Return the numbered lines of a module without imports, texts, comments and lone brackets."""
    left_out: set[int] = set()
    for node in module.nodes:
        said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if said or isinstance(node, ast.Import | ast.ImportFrom):
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return [
        (number, line.strip())
        for number, line in enumerate(module.lines, 1)
        if number not in left_out and re.search(r"\w", line) and not line.lstrip().startswith("#")
    ]


def _walk_functions(
    modules: Iterable[Module],
) -> Iterator[tuple[Module, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield module, node


def _list_imports(module: Module) -> Iterator[tuple[ast.AST, str]]:
    package = ".".join(Path(module.path).parts[1:-1])
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((node, f"{name}.{alias.name}") for alias in node.names)


class Bar(NamedTuple):
    """A number that may not rise."""

    title: str
    places: list[str]
    """The places that are counted; none for a plain number."""
    count: int


def make_bar(title: str, places: Iterable[str]) -> Bar:
    """Return the bar that counts these places."""
    listed = list(places)
    return Bar(title, listed, len(listed))


def make_bars(root: Path) -> dict[str, Bar]:
    """Return the bars of a repository by name."""
    src, packages = read_modules(root, "src"), read_modules(root, "packages")
    both = [*src, *packages]
    return {
        "lines": Bar("lines of Python in src", [], count_lines(src)),
        "packages": Bar("lines in packages", [], count_lines(packages)),
        "modules": Bar("modules in src", [], len(src)),
        "small": make_bar("modules of at most 10 lines", find_sizes(src, 1, SMALL_MODULE)),
        "large": make_bar("modules over 600 lines", find_sizes(src, LONG_MODULE + 1, inf)),
        "long": make_bar("functions over 40 lines", find_long_functions(src)),
        "duplicates": make_bar("pairs of places, 4 lines alike", find_duplicates(both)),
        "dispatch": make_bar("sites that ask for the edition", find_dispatch(src)),
        "to_paper": make_bar("imports certified -> paper", find_crossings(src, *EDITIONS)),
        "to_certified": make_bar(
            "imports paper -> certified", find_crossings(src, *EDITIONS[::-1])
        ),
        "bridge": make_bar("families.get without an edition", find_bridge(both)),
        "twins": make_bar("functions of family and edition", find_twins(src)),
        "english": make_bar("docstrings 'Return what ..'", find_crooked_docstrings(src)),
    }


def measure_import(code: str) -> float:
    """Return the seconds of an import in a fresh process, at best of three."""
    timed = f"from time import perf_counter as now; t = now(); {code}; print(now() - t)"
    runs = (
        subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)  # noqa: S603 - our own words, no shell
        for _ in range(3)
    )
    return min(float(run.stdout) for run in runs)


def lower(counted: dict[str, int]) -> None:
    """Write the counted numbers where a higher one is stored."""
    text = STORED.read_text(encoding="utf-8")
    for name, stored in tomllib.loads(text).items():
        if counted[name] < stored["most"]:
            old = rf"^({name} = .*most = )[\d_]+"
            text = re.sub(old, rf"\g<1>{counted[name]}", text, flags=re.MULTILINE)
    STORED.write_text(text, encoding="utf-8")


def main(words: list[str]) -> None:
    """Print every bar, or the places of those named; exit 1 if one is above what is stored."""
    bars = make_bars(ROOT)
    if named := [word for word in words if not word.startswith("-")]:
        for name in named:
            if name not in bars:
                sys.exit(f"there is no bar {name!r}; there are {', '.join(bars)}")
            print(*bars[name].places, sep="\n")
        return
    counted = {name: bar.count for name, bar in bars.items()}
    if "--lower" in words:
        lower(counted)
    stored = tomllib.loads(STORED.read_text(encoding="utf-8"))
    for name, bar in bars.items():
        most, target = stored[name]["most"], stored[name]["target"]
        over = "  TOO MANY" if counted[name] > most else ""
        numbers = f"{counted[name]:>7,}  at most {most:>7,}  target {target:>7,}"
        print(f"{name:13}{bar.title:32}{numbers}{over}")
    for code in ("import causarium", "import causarium as cm; cm.load('causallink')"):
        print(f"{'import':13}{code:48}{measure_import(code):.2f} s")
    if risen := [name for name in bars if counted[name] > stored[name]["most"]]:
        sys.exit(f"above .ci/bars.toml: {', '.join(risen)}; ./run bars NAME lists the places")


if __name__ == "__main__":
    main(sys.argv[1:])
