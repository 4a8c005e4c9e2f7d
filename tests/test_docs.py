"""The commands in our documents run as they stand."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from causarium.contract.checks.documents import readme_commands
from causarium.engine.run.models import is_local
from causarium.families import FAMILIES
from tests.support import forked_run
from tests.support.extras import needs_command
from tests.support.served_pages import does_answer

ROOT = Path(__file__).resolve().parents[1]
FAMILY_PAGES = [ROOT / "src/causarium/families" / name / "README.md" for name in FAMILIES]
DOCS = [ROOT / "docs/agents.md", ROOT / "docs/local-model.md", ROOT / "docs/models.md"]
QUICK_PAGES = [ROOT / "README.md", *DOCS, *FAMILY_PAGES]
RUN_ELSEWHERE = {
    ROOT / "docs/adding-a-family.md": "tests/scaffold",
    ROOT / "docs/scale.md": "tests/test_scale_page.py",
}
SITE_PAGES = sorted(set((ROOT / "docs").rglob("*.md")) - set(DOCS) - set(RUN_ELSEWHERE))
PAGES = [*QUICK_PAGES, *SITE_PAGES]
QUICK = {tuple(words) for page in QUICK_PAGES for words in readme_commands(page)}
COMMANDS = sorted({tuple(words) for page in PAGES for words in readme_commands(page)}, key=" ".join)
"""Every command once."""
SLOW = {"interface=embodied"}


def causarium(words: tuple[str, ...], folder: Path) -> forked_run.Run:
    """Run a command in a folder, in a process forked off one that has imported everything."""
    environment = {"OPENAI_API_KEY": "", "COLUMNS": "200"}
    said = folder.with_name(f"{folder.name}-said")
    run = forked_run.start(words[1:], said, environment, partial(os.chdir, folder))
    run.wait()
    return run


def with_real_files(words: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return a command with a run, a key and signers where the page has names for them."""
    if not {"~/.ssh/id_ed25519", "FILE"} & set(words):
        return words
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed")
    key, signers = folder / "key", folder / "signers"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signers.write_text(f"me {key.with_suffix('.pub').read_text()}")
    run = str(next((folder / "logs").iterdir()))
    names = {"logs/RUN": run, "~/.ssh/id_ed25519": str(key), "FILE": str(signers)}
    if words[1] == "verify":
        sealed = causarium(("causarium", "seal", run, "--key", str(key)), folder)
        assert sealed.process.exitcode == 0, sealed.err
    return tuple(names.get(word, word) for word in words)


def ends_without_input(words: tuple[str, ...], folder: Path) -> bool:
    """Start a command that serves over its input, with none, and say whether it ends well."""
    code = "from causarium.cli import main; main()"
    command = [sys.executable, "-c", code, *words[1:]]
    served = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=300
    )
    return served.returncode == 0


def without_weights(words: tuple[str, ...], folder: Path) -> tuple[str, ...] | None:
    """Return a command about a local model in a form that fetches and serves nothing.

    The tests of `packages/causarium-local` serve one.
    """
    if words[1] == "local-model":
        return (*words, "--help")
    named = [word for word in words if is_local(word)]
    for word in named:
        if path := word.partition(":")[2]:
            (folder / path).parent.mkdir(parents=True)
            (folder / path).write_bytes(b"GGUF")
    return (*words, "--dry-run") if named else None


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which somebody has already run something."""
    folder = tmp_path_factory.mktemp("played")
    done = causarium(
        ("causarium", "run", "causallink", "--player", "silent", "--set", "smoke"), folder
    )
    assert done.process.exitcode == 0, done.err
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def takes_long(words: tuple[str, ...]) -> bool:
    """Tell whether a command plays whole standard sets, or all promises."""
    whole = {"run", "all"} <= set(words) and "--set" not in words
    return words[1] in {"check", "audit", "attack"} or whole or bool(SLOW & set(words))


def cases() -> list[object]:
    """The commands; long ones, and those that only pages of the site have, are slow tests."""
    slow = [words for words in COMMANDS if takes_long(words)]
    return [
        pytest.param(
            words,
            id=" ".join(words),
            marks=[
                *([pytest.mark.long] if words in slow or words not in QUICK else []),
                needs_command(words[1]),
            ],
        )
        for words in COMMANDS
    ]


@pytest.mark.parametrize("words", cases())
def test_a_command_of_a_page_runs(words: tuple[str, ...], played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    shutil.copytree(played, folder)
    if words[1] == "web":
        code = "from causarium.cli import main; main()"
        assert does_answer([sys.executable, "-c", code, *words[1:]], folder)
        return
    if words[1] == "mcp":
        assert ends_without_input(words, folder)
        return
    harmless = without_weights(words, folder)
    done = causarium(harmless or with_real_files(words, folder), folder)
    needs_key = "--model" in words and not any(word.startswith("script/") for word in words)
    if needs_key and "--dry-run" not in words and not harmless:
        # There is no key here: everything up to asking for one must be right.
        assert done.process.exitcode == 2
        assert re.search("API_KEY|API key|requires optional|nothing answers at", done.err), done.err
    else:
        assert done.process.exitcode == 0, done.err


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_links_to_files_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert not [target for target in targets if not (page.parent / target).exists()]


@pytest.mark.long
@pytest.mark.parametrize("name", ["evaluate", "papers", "train"])
def test_the_python_of_a_way_in_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/ways" / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        # There is no key here: a player takes the model's place.
        exec(block.replace('model="openai/gpt-5"', 'player="exact"'), {})


INSPECT = sorted(
    {
        line.partition("#")[0].strip()
        for page in (ROOT / "README.md", ROOT / "docs/inspect-evals.md")
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith(("inspect list ", "inspect eval "))
    }
)


@pytest.mark.long
@pytest.mark.parametrize("line", INSPECT)
def test_a_command_of_inspect_runs(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)
    if words[1] == "eval":
        # There is no key here: a player takes the model's place.
        words[words.index("--model") + 1] = "none/none"
        words += ["-T", "player=exact", "-T", "set=smoke", "--limit", "1", "--display", "none"]
        words += ["--log-dir", str(tmp_path)]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        words,
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    if words[1] == "list":
        assert all(f"@{name}" in done.stdout for name in FAMILIES)
    else:
        assert list(tmp_path.glob("*.eval"))
