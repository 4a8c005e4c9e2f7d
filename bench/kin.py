"""Can a test instance be drawn for training? Kin of drawn instances, held against the named sets.

`python -m bench.kin [DRAWS [FAMILY ...]]` draws so many instances a family (200 by default), spread
over the levels of its ladder: half of them for train, a quarter each for validation and private.
Each is held, as a digest of the form that renaming does not change, against every instance of every
named set (`reserved.kin`, which a slow test draws anew) and against what the other splits drew.
"""

import sys
import time
from collections.abc import Iterator, Sequence

from pydantic import SecretStr

from bench.measure import Measurement
from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import Split
from causarium.contract.sets.splits import draw_instance, read_reserved_kin, shorten_kin, split_part

DRAWS = 200
SHARES: dict[Split, int] = {"train": 2, "validation": 1, "private": 1}
SALT = SecretStr("a salt of the bench")
SEED = 17


def run(draws: int = DRAWS, names: Sequence[str] = families.FAMILIES) -> Iterator[Measurement]:
    """Yield the lines of this bench.

    Args:
        draws: How many instances a family.
        names: Which families.
    """
    for name in names:
        family = families.get(name)
        test = read_reserved_kin(family)
        start = time.process_time()
        kin = {split: set[bytes]() for split in SHARES}
        held_back = hits = total = 0
        for split, share in SHARES.items():
            for level, size in _spread(family, draws * share // sum(SHARES.values())):
                part = split_part(level, split, size=size, seed=SEED, salt=SALT)
                for index in range(size):
                    drawn = draw_instance(family, part, index)
                    form = shorten_kin(family, drawn.instance)
                    hits += form in test
                    held_back += drawn.held_back
                    total += 1
                    kin[split].add(form)
        seconds = time.process_time() - start
        shared = sum(len(kin[a] & kin[b]) for a in kin for b in kin if a < b)
        about = f"{name}: of {total:,} drawn"
        yield Measurement(f"{about}, kin of {len(test):,} test instances", "hits", hits, target="0")
        yield Measurement(f"{about}, kin of another split's", "hits", shared, target="0")
        yield Measurement(f"{about}, draws passed over on the way", "draws", held_back)
        yield Measurement(f"{name}: CPU time of one", "ms", 1000 * seconds / total)


def _spread(family: AnyFamily, size: int) -> Iterator[tuple[str, int]]:
    """Yield each level of the ladder with its share of `size`."""
    ladder = family.card.ladder
    for place, level in enumerate(ladder):
        if count := size // len(ladder) + (place < size % len(ladder)):
            yield level, count


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
