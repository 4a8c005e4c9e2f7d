"""A bare machine for tests: no optional programs, no optional packages, no local weights.

`./run test --bare` sets `CAUSARIUM_BARE`. Programs are hidden by a PATH of links to all others,
packages by `None` in their place among the modules, here and in every Python that a test starts,
and weights by a cache folder of its own.
"""

import os
import sys
import tempfile
from pathlib import Path

VARIABLE = "CAUSARIUM_BARE"
PROGRAMS = ("bwrap", "podman", "chromium", "chromium-browser", "google-chrome", "chrome")
PACKAGES = (
    *("openai", "pyarrow", "pymupdf", "fitz", "wordllama", "xllamacpp"),
    *("scipy", "sklearn", "statsmodels", "pandas", "playwright", "axe_playwright_python"),
    *("datasets", "huggingface_hub", "torch", "transformers", "tiktoken"),
    *("discoveryworld", "pygame"),
)
"""What the extras bring, with what comes along with them."""
_SITE = Path(__file__).with_name("bare_site")
_WITHOUT = "CAUSARIUM_BARE_WITHOUT"


def is_bare() -> bool:
    """Tell whether tests are to run as on a bare machine."""
    return bool(os.environ.get(VARIABLE))


def hide_what_is_optional() -> None:
    """Hide it from this process and from all that it starts; workers find it hidden already."""
    for name in PACKAGES:
        sys.modules[name] = None  # type: ignore[assignment]
    if _WITHOUT in os.environ:
        return
    os.environ[_WITHOUT] = " ".join(PACKAGES)
    paths = [str(_SITE), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    folder = Path(tempfile.mkdtemp(prefix="causarium-bare-"))
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.environ["PATH"] = str(_link_programs(folder / "bin"))


def _link_programs(folder: Path) -> Path:
    """Fill a folder with links to the programs on the PATH, without the optional ones."""
    folder.mkdir()
    for place in os.environ.get("PATH", "").split(os.pathsep):
        for program in sorted(Path(place).glob("*")) if place else ():
            link = folder / program.name
            if program.name not in PROGRAMS and not link.exists() and not link.is_symlink():
                link.symlink_to(program)
    return folder
