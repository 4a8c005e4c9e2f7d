"""Writing the folders of a new family, whole or not at all.

What is written is a small family that works and keeps every promise: one of several switches lights
a lamp. Its tests are green, and stay so while its author puts another benchmark in its place. The
texts are in `template/`, one `.txt` for each file that is written. `$name` stands for the family's
name, `$Name` for the same as the beginning of a class's name, `$package` for the module that the
family is.
"""

import keyword
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template

from causarium import families
from causarium.errors import BadFile, UsageError

_TEMPLATE = Path(__file__).parent / "template"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_family(name: str, root: Path) -> list[Path]:
    """Write a family called `name`, and its tests, into a checkout of causarium.

    Returns:
        The files written, in the order in which to fill them.

    Raises:
        UsageError: The name cannot be a family's, or something of that name is already there.
        BadFile: The folders cannot be written; none is left behind.
    """
    folders = {
        root / "src/causarium/families" / name: {"family": "", "task": ""},
        root / "tests/families" / name: {"tests": ""},
    }
    words = {
        "package": f"causarium.families.{name}",
        "project": "causarium",
        "where": f"families/{name}",
        "register": f"add '{name}' to FAMILIES in families/__init__.py",
    }
    has_code = (root / "src/causarium/__init__.py").exists()
    return _write(name, folders, words, root / "src" if has_code else None)


def write_package(name: str, root: Path) -> list[Path]:
    """Write a family called `name` as an installable package of its own, in `root`/`name`.

    Returns:
        The files written, in the order in which to fill them.

    Raises:
        UsageError: The name cannot be a family's, or something of that name is already there.
        BadFile: The folder cannot be written; nothing is left behind.
    """
    folders = {root / name: {"package": "", "family": f"src/{name}", "tests": "tests"}}
    words = {
        "package": name,
        "project": name,
        "where": f"src/{name}",
        "register": "install this package: pip install -e .",
    }
    return _write(name, folders, words, root / name / "src")


def _write(
    name: str,
    folders: Mapping[Path, Mapping[str, str]],
    words: Mapping[str, str],
    source: Path | None,
) -> list[Path]:
    """Fill each folder with the parts of the template that belong in it, then move them in.

    Where there is a `source` from which the family can be imported, its card gets its digests.
    """
    _refuse_bad_name(name)
    if name in families.names():
        raise UsageError(f"a family {name} already exists; choose another name")
    for folder in folders:
        if folder.exists():
            raise UsageError(f"{folder} already exists; choose another name or remove it first")
    title = "".join(word.capitalize() for word in name.split("_"))
    words = {"name": name, "Name": title, **words}
    partial = {folder: folder.with_name(f".{name}.{os.getpid()}.partial") for folder in folders}
    try:
        paths = [
            folder / place / path
            for folder, parts in folders.items()
            for part, place in parts.items()
            for path in _fill(part, partial[folder] / place, words)
        ]
        for folder in partial.values():
            _format(folder)
        _move_in(partial)
    except OSError as wrong:
        for folder in partial.values():
            shutil.rmtree(folder, ignore_errors=True)
        raise BadFile(f"cannot write the family {name}: {wrong}") from wrong
    if source is not None:
        try:
            _write_digests(source, words["package"])
        except BadFile:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
            raise
    return paths


def _write_digests(source: Path, package: str) -> None:
    """Write the digests of the new family's sets into its card: instances carry its name.

    A process of its own imports it, so that this one need not.
    """
    code = (
        f"from {package} import FAMILY; "
        "from causarium.contract.checks.write_digests import write_digests; write_digests(FAMILY)"
    )
    path = os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", code]
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BadFile(f"the digests of {package} cannot be written: {done.stderr.strip()[-500:]}")


def _refuse_bad_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        near = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
        hint = f"{near!r} would do" if _NAME.fullmatch(near) else "'tides' would do"
        raise UsageError(
            f"{name!r} cannot be the name of a family; {hint}: "
            "lower-case letters, digits and underscores, starting with a letter"
        )
    is_word = keyword.iskeyword(name) or keyword.issoftkeyword(name)
    if is_word or name in sys.stdlib_module_names:
        kind = "keyword" if is_word else "module"
        raise UsageError(f"{name!r} is a Python {kind}; '{name}_family' would do")


def _fill(part: str, folder: Path, words: Mapping[str, str]) -> list[Path]:
    """Write one folder from its template and return the paths within it."""
    source = _TEMPLATE / part
    order = (source / "ORDER").read_text(encoding="utf-8").split()
    for path in order:
        text = Template((source / f"{path}.txt").read_text(encoding="utf-8")).substitute(words)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_group_imports(text, words["package"]), encoding="utf-8")
    return [Path(path) for path in order]


def _format(folder: Path) -> None:
    """Wrap the lines that a long name makes too long, where the formatter is installed."""
    beside = str(Path(sys.executable).parent)
    if ruff := shutil.which("ruff", path=os.pathsep.join([beside, os.environ.get("PATH", "")])):
        for words in (["check", "--select", "I", "--fix-only"], ["format"]):
            subprocess.run([ruff, *words, "-q", "--no-cache", str(folder)], check=False)  # noqa: S603


def _group_imports(text: str, package: str) -> str:
    """Put a package's imports of its own modules behind those of causarium, as linters want it."""
    if package.startswith("causarium."):
        return text
    imports = re.compile(r"^(?:from|import) [^\n(]*(?:\([^)]*\))?\n", re.MULTILINE)
    blocks = [match.group() for match in imports.finditer(text)]
    own = [block for block in blocks if block.startswith(f"from {package}")]
    others = [block for block in blocks if block not in own]
    if not own or not others:
        return text
    rest = "".join(piece for piece in _split_off(text, own))
    last = rest.index(others[-1]) + len(others[-1])
    return f"{rest[:last]}\n{''.join(own)}{rest[last:]}"


def _split_off(text: str, blocks: Sequence[str]) -> Iterator[str]:
    """Yield a text without some blocks of it, which stand there in this order."""
    for block in blocks:
        before, text = text.split(block, 1)
        yield before
    yield text


def _move_in(partial: Mapping[Path, Path]) -> None:
    moved: list[Path] = []
    try:
        for folder, filled in partial.items():
            filled.rename(folder)
            moved.append(folder)
    except OSError:
        for folder in moved:
            shutil.rmtree(folder, ignore_errors=True)
        raise
