"""A new family: eight files, green as written."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import causarium
from causarium.errors import BadFile, UsageError
from causarium.scaffold import write_family, write_package
from tests.support.lamps import FAMILY as LAMPS

SOURCE = Path(causarium.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
WRITTEN_BESIDE = {"sets", "reserved.kin"}
"""Digests of single instances and keys of the sets, which a command writes."""


def everything(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_both_folders_are_written_and_every_file_is_python_or_text(tmp_path):
    written = write_family("tide_pools", tmp_path)
    assert all(path.is_file() for path in written)
    assert tmp_path / "src/causarium/families/tide_pools/card.toml" in written
    assert tmp_path / "tests/families/tide_pools/test_contract.py" in written
    for path in written:
        text = path.read_text()
        assert "$" not in text.replace("$switches", "").replace("$flips", "")
        if path.suffix == ".py":
            assert ast.get_docstring(ast.parse(text))
    assert "class TidePoolsWorld" in (written[0].parent / "play.py").read_text()


def test_every_file_of_the_template_is_written(tmp_path):
    template = SOURCE / "scaffold" / "template"
    texts = {path.name.removesuffix(".txt") for path in template.rglob("*.txt")}
    written = write_package("tides", tmp_path)
    assert {path.name for path in written} == texts - {"task.py"}
    there = {path.name for path in (tmp_path / "tides/src/tides").iterdir()} - {"__pycache__"}
    assert len(there) <= 8 + len(WRITTEN_BESIDE)


def test_the_template_is_lamps(tmp_path):
    """What our own tests play is what a newcomer gets, so that it cannot fall behind."""
    write_family("lamps", tmp_path)
    for path in LAMPS.folder.glob("*.*"):
        text = path.read_text().replace("tests.support.lamps", "causarium.families.lamps")
        assert (tmp_path / "src/causarium/families/lamps" / path.name).read_text() == text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Tide Pools", "'Tide Pools' cannot be the name of a family; 'tide_pools' would do"),
        ("tide-pools", "'tide_pools' would do: lower-case letters, digits and underscores"),
        ("", "'' cannot be the name of a family; 'tides' would do"),
        ("7seas", "'7seas' cannot be"),
        ("_tides", "'tides' would do"),
        ("../tides", "'tides' would do"),
        ("tides\n", "'tides' would do"),
        ("class", "'class' is a Python keyword; 'class_family' would do"),
        ("match", "'match' is a Python keyword"),
        ("random", "'random' is a Python module; 'random_family' would do"),
    ],
)
def test_a_bad_name_is_refused_with_one_that_would_do(tmp_path, name, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        write_family(name, tmp_path)
    assert everything(tmp_path) == []


@pytest.mark.parametrize("place", ["src/causarium/families/tides", "tests/families/tides"])
def test_a_family_that_is_there_is_never_overwritten(tmp_path, place):
    (tmp_path / place).mkdir(parents=True)
    before = everything(tmp_path)
    with pytest.raises(UsageError, match="tides already exists; choose another name"):
        write_family("tides", tmp_path)
    assert everything(tmp_path) == before


def test_nothing_half_written_is_left_behind(tmp_path):
    (tmp_path / "tests").write_text("a file where a folder has to be")
    with pytest.raises(BadFile, match="cannot write the family tides"):
        write_family("tides", tmp_path)
    assert [p for p in tmp_path.rglob("*") if "tides" in p.name] == []


def test_a_family_without_digests_is_taken_back(tmp_path, monkeypatch):
    monkeypatch.setattr("causarium.scaffold.sys.executable", "/bin/false")
    with pytest.raises(BadFile, match="the digests of tides cannot be written"):
        write_package("tides", tmp_path)
    assert everything(tmp_path) == []


def test_when_the_second_folder_cannot_be_moved_in_the_first_is_taken_back(tmp_path, monkeypatch):
    rename = Path.rename

    def refuse(self, target):
        if "tests" in Path(target).parts[-3:]:
            raise OSError("no room")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(BadFile, match="no room"):
        write_family("tides", tmp_path)
    assert [p for p in tmp_path.rglob("*") if "tides" in p.name] == []


def run_its_tests(checkout, *options):
    return checkout.run(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/families/lamps", *options)
    )


@pytest.mark.slow
def test_a_new_family_passes_its_tests(checkout):
    write_family("lamps", checkout.root)
    checkout.register_lamps()
    done = run_its_tests(checkout)
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_family_that_is_not_registered_is_told_so(checkout):
    write_family("lamps", checkout.root)
    done = run_its_tests(checkout, "-k", "list")
    assert done.returncode == 1
    assert "add 'lamps' to FAMILIES in families/__init__.py" in done.stdout


@pytest.mark.parametrize("name", ["ice", "tides", "tide_pools"])
@pytest.mark.parametrize("write", [write_family, write_package])
def test_what_is_written_passes_the_linters_untouched(tmp_path, write, name):
    files = [str(path) for path in write(name, tmp_path) if path.suffix == ".py"]
    # A package has its own settings; what goes into our tree is held to ours.
    ours = ["--config", str(ROOT / "pyproject.toml")] if write is write_family else []
    for command in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        run_here(tmp_path, "-m", "ruff", *command, *ours, *files)


@pytest.mark.long
def test_what_is_written_passes_the_type_checker_untouched(tmp_path):
    write_package("tides", tmp_path)
    strict = ["-m", "mypy", "--strict", "src/tides", "tests"]
    run_here(tmp_path / "tides", *strict, env={"MYPYPATH": f"src:{SOURCE.parent}"})


@pytest.mark.long
def test_a_family_in_a_package_of_its_own_plays_from_its_wheel(tmp_path):
    """Written, built, installed beside causarium: listed, checked, run and reported."""
    pytest.importorskip("hatchling")
    write_package("lamps", tmp_path)
    run_here(tmp_path, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "./lamps")
    (wheel,) = tmp_path.glob("lamps-*.whl")
    python = environment_with(tmp_path / "env", wheel)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for words in (
        ["list"],
        ["check", "lamps"],
        ["run", "lamps", "--player", "optimal", "--set", "smoke", "--log-dir", "logs"],
        ["report", "logs", "--out", "report", "--format", "md"],
    ):
        command = ["-c", "from causarium.cli import main; main()", *words]
        run_here(elsewhere, *command, python=python)
    assert "Lamps" in (elsewhere / "report" / "report.md").read_text()
    done = run_here(tmp_path / "lamps", "-m", "pytest", "-q", "tests", python=python)
    assert " failed" not in done.stdout


def environment_with(folder, wheel):
    """Make an environment that has the wheel, and behind it what this one has."""
    venv.create(folder, with_pip=False)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    target = ["--target", str(site), str(wheel)]
    run_here(folder, "-m", "pip", "install", "-q", "--no-deps", "--no-index", *target)
    # As a site of its own: packages that are installed for editing stand in files of it.
    behind = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
    (site / "behind.pth").write_text(f"{SOURCE.parent}\n{behind}\n")
    return folder / "bin" / "python"


def run_here(folder, *words, env=None, python=sys.executable):
    done = subprocess.run(
        [str(python), *words],
        cwd=folder,
        env={**os.environ, **(env or {}), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done


def test_digests_are_written_where_they_differ_and_only_there(checkout):
    write_family("lamps", checkout.root)
    checkout.register_lamps()
    card = checkout.root / "src/causarium/families/lamps/card.toml"
    before = card.read_text()
    card.write_text(re.sub(r'digest = "[^"]*"', 'digest = "sha256:unknown"', before))
    done = checkout.causarium("check", "lamps", "--write-digests")
    assert done.returncode == 0, done.stderr
    assert "lamps: new digest of certified/smoke; raise the version in its card" in done.stderr
    assert card.read_text() == before
    assert checkout.causarium("check", "lamps", "--write-digests").stderr == ""
