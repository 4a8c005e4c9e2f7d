"""Every snippet of the training pages runs, each in the environment that its page makes.

A `pip install` on the page of training makes an environment, and the snippets up to the next one
run in it; those outside the part on frameworks run in the first. `CAUSARIUM_ENVIRONMENTS=FOLDER`
keeps them, or brings them along. A server of ours stands in for a model's, and nothing else does.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.chat_server import chat_server

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[1]
PAGES = ("training.md", "agents.md", "ways/train.md")
PART = re.compile(r"^## ([^\n]+)$|`(pip install [^`\n]+)`|```(\w*)\n(.*?)```", re.DOTALL | re.M)
NOT_RUN = {
    "pip install": "it made the environment",
    "harbor run": "needs a container engine",
    "causarium web": "tests/test_docs.py starts it",
    "--agent": "tests/test_examples.py plays by these agents",
}
SERVES = ("causarium-openenv",)
PYTHONS = {"nemo-gym": ("python3.13", "python3.12")}
LEFT_OUT = ("PYTHONPATH", "PYTHONHOME")
"""They would have a page's environment import from a checkout what it did not install."""


def list_snippets() -> Iterator[tuple[str, str, str]]:
    """Yield the command that makes the environment, the language and the code of every block."""
    first = current = ""
    for page in PAGES:
        current = first
        for title, inline, language, code in PART.findall((ROOT / "docs" / page).read_text()):
            made = re.search(r"^pip install [^\n]+$", code, re.M)
            current = inline or (made[0] if made else current)
            first = first or current
            current = first if title else current
            if language in {"python", "console", "sh"}:
                yield current, language, code


SNIPPETS = list(list_snippets())
ENVIRONMENTS = {
    re.sub(r".*causarium-|.*\[|\].*|.* (?=nemo)|.*causarium | .*", "", line): line
    for line in dict.fromkeys(line for line, _, _ in SNIPPETS)
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is under version control, for commands that write into it."""
    folder = tmp_path_factory.mktemp("checkout")
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in files.stdout.decode().split("\0"):
        if name.startswith(("docs", "examples", "packages", "src", "tests")) or "/" not in name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_file():
                shutil.copy(ROOT / name, folder / name)
    (folder / "salt.txt").write_text("a salt of the test's")
    return folder


def find_python(name: str) -> str | None:
    """Return the Python behind a name; None: there is none, or a shim without one behind it."""
    words = [name, "-c", "import sys; print(sys.executable)"]
    with suppress(OSError, subprocess.CalledProcessError):
        return subprocess.run(words, capture_output=True, check=True, text=True).stdout.strip()
    return None


def copy_variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in LEFT_OUT}


def make_environment(name: str, checkout: Path) -> Path:
    """Return the folder of programs of an environment, made by the command of the page."""
    home = Path(os.environ.get("CAUSARIUM_ENVIRONMENTS", checkout / "environments")) / name
    if not home.exists():
        pythons = PYTHONS.get(name, (sys.executable,))
        python = next((found for one in pythons if (found := find_python(one))), None)
        if python is None:
            pytest.skip(f"{name} needs one of {PYTHONS[name]}")
        subprocess.run([python, "-m", "venv", home], env=copy_variables(), check=True)
        line = re.sub(r"\bcausarium(?=[\[ ])(\[[\w,]+\])?", r".\1", ENVIRONMENTS[name], count=1)
        words = ["bash", "-c", f"{home}/bin/{line} pytest hypothesis"]
        got = subprocess.run(words, cwd=checkout, env=copy_variables(), check=False)
        if got.returncode != 0:
            pytest.skip(f"{line} did not install here")
    return home / "bin"


def run(line: str, folder: Path, programs: Path, **more: str) -> None:
    # uv looks for the very Python that the environment was made with, and knows no shims.
    python = (programs / "python").resolve().parent
    env = {**copy_variables(), **more, "PATH": f"{programs}:{python}:{os.environ['PATH']}"}
    env |= {"VIRTUAL_ENV": str(programs.parent), "NO_PROXY": "127.0.0.1"}
    if line.startswith(SERVES):
        with subprocess.Popen(f"exec {line}", shell=True, cwd=folder, env=env) as server:
            try:
                while server.poll() is None:  # A busy machine takes its time.
                    with suppress(OSError), urlopen("http://127.0.0.1:8000/health") as answer:
                        assert answer.status == 200
                        return
                    time.sleep(0.2)
                pytest.fail(f"{line} ended")
            finally:
                server.terminate()
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


def adapt(line: str, url: str) -> str:
    """Return a line with what is here in place of a model, of its weights, and of half an hour."""
    if line.startswith("vf-eval"):
        client = f"--client.base-url {url} --client.api-key-var MY_KEY --no-push --no-rich"
        return f"{line.partition('--client')[0].replace('NAME', 'small')} {client}"
    if "train_with_trl.py" in line:  # Trains the model that it makes, with this very script.
        test = "packages/causarium-train/tests/test_trl_training.py"
        return f"python -m pytest -q -p no:cacheprovider {test} -k script"
    if "learn_from_reward.py" in line:
        return f"{line.replace('--seeds 3', '--seeds 1')} --updates 20 --pool 20"
    return line.replace("openai/gpt-5", "script/silent --set smoke --limit 2")


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_snippets_run_in_their_environment(name: str, checkout: Path) -> None:
    programs, folder = make_environment(name, checkout), checkout
    with chat_server(lambda _: '{"answer": "yes"}') as url:
        for made, language, code in SNIPPETS:
            if made != ENVIRONMENTS[name]:
                continue
            if language == "python":
                (folder / "snippet.py").write_text(code)
                run("python snippet.py", folder, programs)
                continue
            for line in code.splitlines():
                if line.startswith("cd "):
                    folder = checkout / line.split()[1]
                elif not any(word in line for word in NOT_RUN):
                    run(adapt(line, url), folder, programs, MY_KEY="none")


def test_every_framework_is_there() -> None:
    assert list(ENVIRONMENTS) == [
        "data",
        "train",
        "verifiers",
        "openenv",
        "harbor",
        "nemo-gym",
    ]
