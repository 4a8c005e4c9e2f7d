"""bnlearn in R, where a user has it: parents by tabu search with the interventional BDe score.

R is neither needed nor looked for elsewhere. Nothing is imported from it; a script is run with the
rows on its standard input and its arcs are read back.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from causarium.errors import RunError
from causarium.scm.dag import bits

if TYPE_CHECKING:
    from causarium.families.replayscm.players.paper_players import Bde

TIMEOUT_S = 120
_SCRIPT = """
suppressMessages(library(bnlearn))
input <- file("stdin"); open(input)
set.seed(as.integer(readLines(input, 1)))
start <- as.integer(readLines(input, 1))
banned <- strsplit(readLines(input, 1), " ")[[1]]
data <- read.csv(input, colClasses = "character")
acted <- lapply(strsplit(data$acted, " "), as.integer)
data$acted <- NULL
names <- colnames(data)
data[] <- lapply(data, factor, levels = c("0", "1"))
exp <- lapply(seq_along(names), function(v) which(vapply(acted, function(a) v %in% a, TRUE)))
names(exp) <- names
blacklist <- if (length(banned)) matrix(unlist(strsplit(banned, ">")), ncol = 2, byrow = TRUE)
begin <- if (start > 0) random.graph(names, method = "ic-dag", max.in.degree = 2) else NULL
if (!is.null(begin) && !is.null(blacklist)) for (i in seq_len(nrow(blacklist)))
  begin <- drop.arc(begin, blacklist[i, 1], blacklist[i, 2])
found <- tabu(data, start = begin, score = "mbde", exp = exp, iss = 1, blacklist = blacklist,
              maxp = 5, max.iter = 2000)
write.table(arcs(found), quote = FALSE, row.names = FALSE, col.names = FALSE)
"""


@lru_cache(maxsize=1)
def is_installed() -> bool:
    """Tell whether R is installed with bnlearn, without starting it."""
    return shutil.which("Rscript") is not None and any(
        (folder / "bnlearn" / "DESCRIPTION").is_file() for folder in _libraries()
    )


def _libraries() -> Iterator[Path]:
    for variable in ("R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"):
        yield from (Path(part) for part in os.environ.get(variable, "").split(os.pathsep) if part)
    program = shutil.which("Rscript")
    if program:
        prefix = Path(program).resolve().parent.parent
        yield from (prefix / "library", prefix / "lib/R/library", prefix / "lib/R/site-library")
    yield from (Path("/usr/lib/R/library"), Path("/usr/lib/R/site-library"))
    yield Path("/usr/local/lib/R/site-library")
    yield from Path.home().glob("R/*/*")


def propose(score: "Bde", roots: int, rng: Random) -> list[int]:
    """Return the parents that bnlearn proposes.

    Raises:
        RunError: R failed or took too long.
    """
    told = _write_input(score, roots, rng)
    try:
        done = subprocess.run(  # noqa: S603 — a fixed program and a fixed script
            [shutil.which("Rscript") or "Rscript", "-e", _SCRIPT],
            input=told,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as wrong:
        detail = getattr(wrong, "stderr", None) or str(wrong)
        raise RunError(f"bnlearn could not be run in R: {detail[-500:]}") from wrong
    return read_arcs(done.stdout, score.n)


def _write_input(score: "Bde", roots: int, rng: Random) -> str:
    """Write what the script reads: a seed, whether to start at random, banned arcs, the rows."""
    banned = [
        f"V{u}>V{v}"
        for v in range(score.n)
        for u in range(score.n)
        if u != v and (roots >> v & 1 or not score.allowed[v] >> u & 1)
    ]
    lines = [str(rng.randrange(1 << 30)), str(int(rng.random() < 0.5)), " ".join(banned)]
    lines.append(",".join([*(f"V{v}" for v in range(score.n)), "acted"]))
    for row, targets in score.seen:
        cells = [str(row >> v & 1) for v in range(score.n)]
        lines.append(",".join([*cells, " ".join(str(v + 1) for v in bits(targets))]))
    return "\n".join(lines) + "\n"


def read_arcs(text: str, n: int) -> list[int]:
    """Read arcs, one a line, as the mask of each variable's parents."""
    parents = [0] * n
    for line in text.splitlines():
        cause, _, effect = line.strip().partition(" ")
        if effect:
            parents[int(effect[1:])] |= 1 << int(cause[1:])
    return parents
