"""The package as others get it: built, installed alone, and used outside the repository."""

import email
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import textwrap
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from causarium import families
from tests.support.chat_server import chat_server
from tests.support.served_pages import does_answer

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ("3.11", "3.12", "3.13")


def test_one_version_stands_everywhere() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == PROJECT["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall("^## (.+)$", changes, re.MULTILINE)[0] == PROJECT["version"]


def test_the_citation_names_the_paper_of_every_family() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    papers = {paper["title"]: paper for paper in cited["references"]}
    for name in families.FAMILIES:
        paper = families.card(name).paper
        reference = papers.pop(paper.title)
        assert reference["year"] == paper.year
        assert reference.get("url", "") == paper.url
        assert all("family-names" in author for author in reference["authors"])
        if paper.arxiv and "arxiv.org" not in paper.url:
            assert reference["identifiers"] == [{"type": "other", "value": f"arXiv:{paper.arxiv}"}]
    assert not papers


NAMES_THE_REPOSITORY = (
    "CITATION.cff",
    "packages/causarium-data/src/causarium_data/data_card.py",
    *(f"docs/inspect-evals/{name}/eval.yaml" for name in families.FAMILIES),
    *(f"docs/data-cards/{name}/croissant.json" for name in families.FAMILIES),
)


@pytest.mark.parametrize("file", ["pyproject.toml", *NAMES_THE_REPOSITORY])
def test_the_address_of_the_repository_is_one(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    named = set(re.findall(r"https://github\.com/[\w-]+/causarium", text))
    assert named == {PROJECT["urls"]["Source"]}
    owner = PROJECT["urls"]["Source"].split("/")[3]
    raw = re.findall(
        r"https://(?:raw\.githubusercontent\.com/([\w-]+)|([\w-]+)\.github\.io)/", text
    )
    assert {name for pair in raw for name in pair if name} <= {owner}


def test_no_other_file_names_the_repository() -> None:
    places = [ROOT / "README.md", ROOT / "mkdocs.yml", *(ROOT / "src").rglob("*.py")]
    places += [*(ROOT / "docs").rglob("*.md")]
    naming = {
        str(place.relative_to(ROOT))
        for place in places
        if PROJECT["urls"]["Source"] in place.read_text(encoding="utf-8")
    }
    assert naming <= set(NAMES_THE_REPOSITORY)


def find_python(version: str) -> str | None:
    """Return an interpreter of this version: on the path, or one of pyenv's."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = shutil.which(f"python{version}")
    places = [*sorted(kept.glob(f"{version}.*/bin/python3")), *([named] if named else [])]
    for place in map(str, places):
        asked = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
        said = subprocess.run([place, "-c", asked], capture_output=True, text=True, check=False)
        if said.stdout.strip() == version:
            return place
    return None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a wheel that was built from the source distribution."""
    pytest.importorskip("hatchling")
    pytest.importorskip("hatch_fancy_pypi_readme")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t"]
    subprocess.run([*build, "sdist"], cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    source = next((folder / "unpacked").iterdir())
    subprocess.run([*build, "wheel"], cwd=source, check=True, capture_output=True)
    return folder


@pytest.mark.long
def test_the_page_on_an_index_has_no_link_that_leads_nowhere(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("METADATA"))
        described = email.message_from_bytes(wheel.read(name))
    page = str(described.get_payload())
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert len(targets) > 15
    assert not [target for target in targets if not target.startswith("https://")]
    assert described["Version"] == PROJECT["version"]
    assert described["Description-Content-Type"] == "text/markdown"
    assert {line.partition(",")[0] for line in described.get_all("Project-URL", [])} >= {
        *("Homepage", "Documentation", "Source", "Issues", "Changelog")
    }


@pytest.fixture(scope="module", params=PYTHONS)
def home(request: pytest.FixtureRequest, built: Path) -> Iterator[Path]:
    """A folder outside the repository with an environment that holds the wheel and nothing else."""
    python = find_python(request.param)
    if python is None:
        pytest.skip(f"there is no Python {request.param} on this machine")
    folder = built.parent / f"home-{request.param}"
    made = [python, "-m", "venv", "--without-pip", str(folder / "venv")]
    subprocess.run(made, check=True, capture_output=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "venv/bin/python"), "install"]
    wheel = str(next(built.glob("*.whl")))
    pins = ["-c", str(ROOT / "constraints.txt")]
    got = subprocess.run(
        [*pip, "-q", "--no-compile", *pins, wheel], capture_output=True, text=True, check=False
    )
    if "No matching distribution" in got.stderr or "Connection" in got.stderr:
        pytest.skip(f"what causarium needs cannot be installed here: {got.stderr[-300:]}")
    assert got.returncode == 0, got.stderr
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def environment() -> dict[str, str]:
    left_out = {"PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def causarium(home: Path, *words: str) -> str:
    done = subprocess.run(
        [str(home / "venv/bin/causarium"), *words],
        cwd=home,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


@pytest.mark.long
def test_the_wheel_does_all_of_it_in_a_clean_environment(home: Path) -> None:
    assert causarium(home, "--version") == f"causarium {PROJECT['version']}\n"
    listed = causarium(home, "list")
    assert all(name in listed for name in families.FAMILIES)
    assert causarium(home, "show", "causallink", "0", "--set", "smoke")
    causarium(home, "demo")
    causarium(home, "run", "causallink", "--player", "exact", "--set", "smoke")
    causarium(home, "run", "causallink", "--model", "script/silent", "--set", "smoke", "--limit=2")
    causarium(home, "report", "logs")
    assert "reproduce" in causarium(home, "--help")
    assert "Figure 3" in causarium(home, "reproduce", "causallink")
    causarium(home, "new-family", "lamps", "--package")
    assert (home / "lamps/pyproject.toml").is_file()
    assert does_answer([str(home / "venv/bin/causarium"), "web", "logs"], home, environment())
    inspect = [str(home / "venv/bin/inspect"), "list", "tasks"]
    inside = next((home / "venv/lib").glob("python*/site-packages/causarium"))
    found = subprocess.run(
        inspect, cwd=inside, env=environment(), capture_output=True, text=True, check=True
    )
    assert all(f"@{name}" in found.stdout for name in families.FAMILIES)


def list_first_snippets() -> list[tuple[str, str, str]]:
    """Return page, language and text of what a newcomer pastes first: home's tabs, and each way."""
    found = []
    for page in ("index.md", *(f"ways/{way}.md" for way in ("evaluate", "train", "papers"))):
        words = (ROOT / "docs" / page).read_text(encoding="utf-8")
        blocks = re.findall(r"^( *)```(sh|python)\n(.*?)^\1```", words, re.DOTALL | re.MULTILINE)
        taken = blocks if page == "index.md" else blocks[:1]
        found += [(page, language, textwrap.dedent(text)) for _, language, text in taken]
    return found


@pytest.mark.long
def test_what_a_newcomer_pastes_first_works_in_a_clean_environment(
    home: Path, built: Path, tmp_path: Path
) -> None:
    snippets = list_first_snippets()
    assert len(snippets) == 7
    pip = [sys.executable, "-m", "pip", "--python", str(home / "venv/bin/python")]
    wheels = tmp_path / "wheels"
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(wheels), "-t", "wheel"]
    subprocess.run(build, cwd=ROOT / "packages/causarium-local", check=True, capture_output=True)
    local = ["install", "-q", "--no-deps", *map(str, wheels.glob("*.whl"))]
    subprocess.run([*pip, *local], check=True, capture_output=True)
    for number, (page, language, text) in enumerate(snippets):
        folder = tmp_path / str(number)
        (folder / "weights").mkdir(parents=True)
        (folder / "weights/NAME.gguf").write_bytes(b"GGUF")
        with chat_server(lambda _: "yes") as url:
            script = make_offline(text, url, pip)
            runner = ["bash", "-euc"] if language == "sh" else ["python", "-c"]
            path = f"{home / 'venv/bin'}{os.pathsep}{os.environ['PATH']}"
            quiet = {"PATH": path, "OPENAI_BASE_URL": url, "NO_PROXY": "127.0.0.1"}
            done = subprocess.run(
                [*runner, script],
                cwd=folder,
                env={**environment(), **quiet, "PIP_FIND_LINKS": str(built)},
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
        assert done.returncode == 0, f"{page}: {text}{done.stdout}{done.stderr}"


def make_offline(snippet: str, url: str, pip: list[str]) -> str:
    """Return a snippet that asks this machine alone: our server, no weights, no page that stays.

    Of all families one instance each is played. What serves weights is 100 MB and has tests of its
    own, so a local model is only planned.
    """
    lines = []
    for line in snippet.splitlines():
        if "local:" in line:
            lines += [f"{line} --dry-run"]
            break
        if line.startswith("pip install"):
            wanted = line.replace("causarium-local", "").removeprefix("pip ")
            lines.append(f"{shlex.join(pip)} {wanted}")
        elif line != "causarium web":
            asked = line.replace("http://localhost:8000/v1", url)
            lines.append(f"{asked} --limit 1" if line.startswith("causarium run all") else asked)
    return "\n".join(lines)
