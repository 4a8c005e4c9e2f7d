"""`evaluate` goes one way: a static reading of what is called with what was asked for.

The reading begins at `evaluate` with everything it is given, and goes along with every call of a
function of causarium that is handed some of it, in the order of the source, up to Inspect's
`eval_set`. It counts the files of `api` and `engine` that it enters: families and the contract are
what every part of the house stands on. A way back is a file that is entered again after another.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import causarium

ROOT = Path(causarium.__path__[0]).parent
MOST_FILES = 12
MOST_RETURNS = 6
COUNTED = ("causarium.api.", "causarium.engine.")


class Function(NamedTuple):
    """A function, and the module that it stands in."""

    module: str
    node: ast.FunctionDef

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters, without `self` and `cls`."""
        arguments = self.node.args
        names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        return names[1:] if names[:1] in (["self"], ["cls"]) else names


@cache
def read_module(module: str) -> ast.Module | None:
    base = ROOT.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return ast.parse(path.read_text(encoding="utf-8"))
    return None


def find(module: str, *names: str) -> Function | None:
    """Return the function that a name of a module stands for, or one of a class there."""
    tree = read_module(module)
    if tree is None:
        return None
    if read_module(f"{module}.{names[0]}") is not None and names[1:]:
        return find(f"{module}.{names[0]}", *names[1:])
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (node.name,) == names:
            return Function(module, node)
        if isinstance(node, ast.ClassDef) and node.name == names[0]:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == names[-1] != node.name:
                    return Function(module, method)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("causarium"):
            for alias in node.names:
                if names[0] == (alias.asname or alias.name):
                    return find(str(node.module), alias.name, *names[1:])
    return None


def names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


class Walk:
    """The functions that are entered, in order."""

    def __init__(self) -> None:
        self.passed: list[tuple[str, str]] = []
        self.arrived = False
        """Whether Inspect has been called."""

    def enter(self, function: Function, handed: set[str]) -> None:
        """Read a function that is handed something of what was asked for."""
        place = (function.module, function.node.name)
        if self.arrived or place in self.passed:
            return
        self.passed.append(place)
        Reading(self, function.module, handed).read(function.node.body)

    @property
    def files(self) -> list[str]:
        """The files that are counted, in order; one that is entered again is there again."""
        modules = [module for module, _ in self.passed if module.startswith(COUNTED)]
        pairs = zip(["", *modules], modules, strict=False)
        return [here for before, here in pairs if here != before]


class Reading:
    """One function as it is read: which of its names stem from what was asked for."""

    def __init__(self, walk: Walk, module: str, handed: set[str]) -> None:
        self.walk, self.module, self.known = walk, module, set(handed)

    def read(self, nodes: list[ast.stmt]) -> None:
        """Read statements one after another."""
        for node in nodes:
            self._read(node)

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.For) and names_in(node.iter) == {"CHECKS"}:
            for check in self._list_checks():
                self.walk.enter(check, {"plan"})
        for source, target in self._bindings(node):
            self._read(source)
            if names_in(source) & self.known:
                self.known |= names_in(target)
        parts = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp):
            parts = [*node.generators, *parts]
        if isinstance(node, ast.Call):
            parts = [*node.args, *node.keywords, node.func]
        for part in parts:
            self._read(part)
        if isinstance(node, ast.Call):
            self._follow(node)

    def _bindings(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield what gives its value to which names."""
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((value, target) for target in targets)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                yield value, target
            case ast.AugAssign() | ast.NamedExpr():
                yield node.value, node.target
            case ast.For() | ast.comprehension():
                yield node.iter, node.target
            case ast.withitem(context_expr=value, optional_vars=target) if target is not None:
                yield value, target

    def _list_checks(self) -> Iterator[Function]:
        """Yield the functions of the module's list of checks."""
        for node in (read_module(self.module) or ast.Module()).body:
            if isinstance(node, ast.AnnAssign) and names_in(node.target) == {"CHECKS"}:
                for name in ast.walk(node.value or ast.Constant(None)):
                    check = find(self.module, name.id) if isinstance(name, ast.Name) else None
                    if check is not None:
                        yield check

    def _follow(self, call: ast.Call) -> None:
        """Go along with a call that is handed something of what was asked for."""
        words: list[str] = []
        function = call.func
        while isinstance(function, ast.Attribute):
            words.insert(0, function.attr)
            function = function.value
        if not isinstance(function, ast.Name):
            return
        if function.id == "eval_set":
            self.walk.arrived = True
        called = find(self.module, function.id, *words)
        if called is None:
            return
        pairs = [*zip(called.parameters, call.args, strict=False)]
        pairs += [(str(word.arg), word.value) for word in call.keywords]
        handed = {name for name, value in pairs if names_in(value) & self.known}
        if handed:
            self.walk.enter(called, handed)


def test_evaluate_goes_one_way() -> None:
    start = find("causarium.api.evaluate", "evaluate")
    assert start is not None
    arguments = start.node.args
    walk = Walk()
    given = (*arguments.args, *arguments.kwonlyargs, arguments.kwarg)
    walk.enter(start, {each.arg for each in given if each is not None})
    assert walk.arrived
    passed = [name for _, name in walk.passed]
    # What the reading must not miss.
    assert {"plan_run", "read_options", "find_agent", "check_budget", "run_plan"} <= set(passed)
    files = walk.files
    assert len(set(files)) <= MOST_FILES, files
    assert len(files) - len(set(files)) <= MOST_RETURNS, files
    assert find("causarium.api.evaluate", "read_run") is not None
