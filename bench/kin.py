"""Can a test instance be drawn for training? Kin of drawn instances, held against the named sets.

`python -m bench.kin [DRAWS [FAMILY[/LEVEL] ...]]` makes so many draws a family (600 by default),
spread over the levels of its ladder: half of them for train, a quarter each for validation and
private. A draw that belongs to another split, or to a named set under any names, is passed over.
Each instance that is handed out is held, as a digest of the form that renaming does not change,
against every instance of every named set (`reserved.kin`, which a slow test draws anew) and against
what the other splits drew.
"""

import sys
import time
from collections.abc import Iterator, Sequence

from pydantic import SecretStr

from bench.measure import Measurement
from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import Split
from causarium.contract.sets.splits import (
    SplitInstance,
    draw_at,
    read_reserved_kin,
    shorten_kin,
    split_part,
)

DRAWS = 600
SHARES: dict[Split, int] = {"train": 2, "validation": 1, "private": 1}
SALT = SecretStr("a salt of the bench")
SEED = 17


def run(draws: int = DRAWS, names: Sequence[str] = families.FAMILIES) -> Iterator[Measurement]:
    """Yield the lines of this bench.

    Args:
        draws: How many draws a family, those passed over included.
        names: Which families, or levels as `family/level`.
    """
    for name in names:
        family_name, _, level = name.partition("/")
        family = families.get(family_name)
        levels = (level,) if level else family.card.ladder
        test = read_reserved_kin(family)
        start = time.process_time()
        kin = {split: set[bytes]() for split in SHARES}
        passed_over = hits = total = 0
        for split, share in SHARES.items():
            for drawn in _draw(family, levels, split, draws * share // sum(SHARES.values())):
                form = shorten_kin(family, drawn.instance)
                hits += form in test
                passed_over += drawn.held_back
                total += 1
                kin[split].add(form)
        seconds = time.process_time() - start
        count = total + passed_over
        shared = sum(len(kin[a] & kin[b]) for a in kin for b in kin if a < b)
        about = f"{name}: {count:,} draws, {total:,} instances"
        yield Measurement(f"{about}, kin of {len(test):,} test instances", "hits", hits, target="0")
        yield Measurement(f"{about}, kin of another split's", "hits", shared, target="0")
        yield Measurement(f"{about}, different ones", "kin", sum(map(len, kin.values())))
        yield Measurement(f"{name}: CPU time of a draw", "ms", 1000 * seconds / count)


def _draw(
    family: AnyFamily, levels: Sequence[str], split: Split, draws: int
) -> Iterator[SplitInstance]:
    """Yield instances of a split, level by level, until so many draws were made.

    Args:
        family: The family.
        levels: Its levels; each has an equal share.
        split: The split.
        draws: How many draws, those passed over included.
    """
    for place, level in enumerate(levels):
        left = draws // len(levels) + (place < draws % len(levels))
        part = split_part(level, split, size=left, seed=SEED, salt=SALT)
        index = 0
        while left > 0:
            drawn = draw_at(family, part, index)
            left -= 1 + drawn.held_back
            index += 1
            yield drawn


def main() -> int:
    """Run it with the size and the families of the command line; 1 where there is a hit."""
    draws = int(sys.argv[1]) if sys.argv[1:] else DRAWS
    failed = 0
    for line in run(draws, sys.argv[2:] or families.FAMILIES):
        print(f"{line.work}: {line.ours:,.4g} {line.unit}", flush=True)
        failed += line.target == "0" and line.ours != 0
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
