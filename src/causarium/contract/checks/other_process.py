"""Doing a piece of work again in another process, where strings hash differently."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator

HASH_SEEDS = ("1", "4242")


def run_in_other_process(code: str, work: object, what: str) -> Iterator[tuple[str, str]]:
    """Run `code` in fresh processes that read the pickled `work` from stdin.

    Args:
        code: A program; it prints one line.
        work: What it unpickles, functions by name.
        what: What is being done, for complaints.

    Yields:
        A complaint and what was printed; one of the two is empty.
    """
    try:
        sent = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as wrong:
        yield f"{what} cannot be handed to another process ({wrong}); define it in a module", ""
        return
    for hash_seed in HASH_SEEDS:
        done = subprocess.run(  # noqa: S603 — our own interpreter, running our own text
            [sys.executable, "-c", code],
            input=sent,
            capture_output=True,
            check=False,
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
        )
        if done.returncode:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            yield f"a fresh process could not do {what}: {' '.join(last)}", ""
        else:
            yield "", done.stdout.decode().strip()
