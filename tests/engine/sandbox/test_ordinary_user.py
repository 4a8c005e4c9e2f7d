"""The same ways out, tried by root's tests once more as somebody without any rights.

Root becomes somebody else before the wall is built; an ordinary user builds it as they are. Where
the tests run as an ordinary user already, they are that test, and this one is skipped.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from causarium.engine.sandbox.sandbox_command import is_root
from tests.engine.sandbox import needs_bubblewrap

REPOSITORY = Path(__file__).resolve().parents[3]
SOMEBODY = "64777"
"""An id that no user has."""
WITHOUT_RIGHTS = r"""
set -e
for prefix; do
    top=/$(echo "$prefix" | cut -d/ -f2)
    [ $(( $(stat -c 0%a "$top") & 1 )) = 1 ] && continue
    # Home folders of root are closed to others: the interpreter alone is shown, at its place.
    stage=$(mktemp -d)
    mount --bind "$prefix" "$stage"
    mount -t tmpfs -o mode=755 none "$top"
    mkdir -p "$prefix"
    mount --bind "$stage" "$prefix"
done
exec setpriv --reuid=$SOMEBODY --regid=$SOMEBODY --clear-groups --bounding-set=-all -- \
    "$PYTHON" -m pytest -q -p no:cacheprovider -o addopts= --basetemp "$HOME/tests" $FILES
"""
FILES = ("test_escapes.py", "test_seccomp.py")


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.skipif(not is_root(), reason="whoever runs the tests is an ordinary user already")
def test_an_ordinary_user_s_wall_has_no_way_out_either() -> None:
    files = " ".join(str(Path(__file__).with_name(name)) for name in FILES)
    # Not `tmp_path`: pytest keeps the folders above it to whoever runs it.
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, int(SOMEBODY), int(SOMEBODY))
        given = {"SOMEBODY": SOMEBODY, "HOME": home, "PYTHON": sys.executable, "FILES": files}
        found = subprocess.run(
            ["unshare", "--mount", "--", "/bin/sh", "-c", WITHOUT_RIGHTS, "sh", sys.base_prefix],
            env={**os.environ, **given, "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=False,
        )
    if not found.stdout:
        pytest.skip(f"nobody can be somebody else here: {found.stderr}")
    last = found.stdout.strip().splitlines()[-1]
    assert (found.returncode, "skipped" in last) == (0, False), found.stdout[-2_000:]
