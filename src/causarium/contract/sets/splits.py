"""Splits: train, validation, test and private instances that have nothing in common.

Splits never overlap. Each has its own range of seeds, and an instance that equals one of a named
set up to renaming (`Proofs.canonical_key`) is held back; all others belong to one split each, by
that key. What is held back is drawn anew under the same number, until it belongs to the split. So
an instance depends on its level, split, seed and number alone: a file, a folder of parts and a
session have the same ones.

The private split needs a salt that only its owner has. A salt comes from a file or from the
environment, never from a command line, and nothing but the beginning of its digest is written down.
"""

import hashlib
import hmac
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import SecretStr

from causarium.contract.family_card import Part, Split
from causarium.errors import BadFile, UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.contract.family import AnyFamily, AnyInstance

SPLITS: tuple[Split, ...] = ("train", "validation", "test", "private")
CANARY = "causarium canary 7d0f1c52-9a34-4a0e-8f6b-52c1d7f0b3e9"
"""Stands in files of held-out instances and in dataset cards, so that whoever gathers texts can
leave them out; never in a prompt."""
SALT_VARIABLE = "CAUSARIUM_SALT"
RESERVED = "reserved.kin"
"""The file of a family's folder that holds the kin of every instance of its named sets."""
KIN_BYTES = 8
"""So many bytes of a kin's digest are kept."""
MOST_SEEDS = 2**56
MOST_DRAWS = 10_000
"""A level that holds back so many draws of one number is refused."""
MOST_TESTS = 1_000
"""So is one that draws nothing but what named sets hold, so many times for a number."""
MOST_ALIKE = 50
"""And one that draws the same so many times."""
_SPACE = 2**60
_NEXT_DRAW = 4 * (10**18 + 9)
"""How far apart the indices of two draws of one number are: further than anybody counts, and four
times a prime, so that fours of one kin stay whole and every other kind of instance comes up.
Instances side by side that are not kin, such as two twins of ReCITE, may be parted."""
_FIRST: dict[Split, int] = {"train": _SPACE, "validation": 2 * _SPACE, "private": 3 * _SPACE}
_QUARTERS: tuple[Split, ...] = ("train", "train", "validation", "private")
"""To which split an instance belongs, by the last two bits of its kin."""


def check_split(name: str) -> Split:
    """Return `name` if it is a split's that can be drawn from.

    Raises:
        UsageError: It is none, or it is `test`.
    """
    if name == "test":
        raise UsageError(
            "the test split is the named sets; name one of them, or draw from train, validation "
            "or private"
        )
    for split in SPLITS:
        if split == name:
            return split
    raise UnknownName("split", name, SPLITS)


def read_salt(path: Path | None = None) -> SecretStr | None:
    """Read the salt of the private split from a file, or else from the environment.

    Raises:
        BadFile: The file cannot be read, or holds nothing.
    """
    if path is None:
        given = os.environ.get(SALT_VARIABLE, "")
        return SecretStr(given) if given else None
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the salt file {path}: {wrong}") from wrong
    if not text:
        raise BadFile(f"the salt file {path} is empty; write some random words into it")
    return SecretStr(text)


def find_salt(salt_id: str | None) -> SecretStr | None:
    """Return the salt of the environment, if it is the one that a private set was drawn with."""
    salt = read_salt()
    return salt if salt is not None and mark_salt(salt) == salt_id else None


def mark_salt(salt: SecretStr) -> str:
    """Return by what a salt can be told, and not found out."""
    return hashlib.sha256(salt.get_secret_value().encode()).hexdigest()[:8]


def split_seed(split: Split, seed: int, salt: SecretStr | None = None) -> int:
    """Return the seed that a family is handed for seed `seed` of a split.

    Raises:
        UsageError: The seed is out of range, or the private split has no salt.
    """
    if not 0 <= seed < MOST_SEEDS or seed != int(seed):
        raise UsageError(f"a seed is a whole number from 0 to 2^56 - 1, not {seed}")
    if split != "private":
        return _FIRST[split] + seed
    if salt is None:
        raise UsageError(
            "the private split needs a salt: name a file with --salt-file, or set "
            f"{SALT_VARIABLE}; keep it to draw the same instances again"
        )
    message = f"causarium private {seed}".encode()
    mac = hmac.new(salt.get_secret_value().encode(), message, hashlib.sha256).digest()
    return _FIRST["private"] + int.from_bytes(mac[:7], "big")


def split_part(
    level: str, split: Split, *, size: int, seed: int, start: int = 0, salt: SecretStr | None = None
) -> Part:
    """Return the part of a set that holds instances of a split.

    Raises:
        UsageError: The seed is out of range, or the private split has no salt.
    """
    split_seed(split, seed, salt)
    private = salt if split == "private" else None
    return Part(
        level=level,
        size=size,
        seed=seed,
        start=start,
        split=split,
        salt=private,
        salt_id=private and mark_salt(private),
        canary=CANARY if private else None,
    )


class SplitInstance(NamedTuple):
    """An instance of a split."""

    instance: "AnyInstance"
    held_back: int
    """How many draws of its number belong elsewhere, and were passed over."""


def draw_at(family: "AnyFamily", part: Part, index: int) -> SplitInstance:
    """Draw instance `index` of a part, be it of a split or of a named set, whatever else is drawn.

    Raises:
        UsageError: The number is less than 0, or all draws of it are held back.
    """
    config, split = family.level(part.level), part.split
    if split is None:
        return SplitInstance(family.generate(config, part.seed, index), 0)
    if index < 0:
        raise UsageError(f"instances are numbered from 0, so there is no number {index}")
    seed = split_seed(split, part.seed, part.salt)
    owners: dict[bytes, Split] = {}
    for number in range(MOST_DRAWS):
        drawn = index + number * _NEXT_DRAW
        try:
            instance = family.generate(config, seed, drawn)
        except UsageError:
            if not number:
                raise
            break  # The level has no more.
        kin = shorten_kin(family, instance)
        owners[kin] = _find_owner(family, kin)
        if owners[kin] == split:
            named = _name_split(instance, split, seed, part.seed)
            if number:
                id_ = named.id.replace(str(drawn), f"{index:04d}")
                named = named.model_copy(update={"id": id_})
            return SplitInstance(named, number)
        if number + 1 == MOST_TESTS and set(owners.values()) == {"test"}:
            break
        if number + 1 == MOST_ALIKE and len(owners) == 1:
            break
    only_test = set(owners.values()) == {"test"}
    reason = "its instances are the test set" if only_test else "its instances are other splits'"
    ladder = family.card.ladder if config.edition == "certified" else ()
    other = ", ".join(ladder) or "another level, or play a named set"
    raise UsageError(
        f"{family.name}/{part.level} leaves nothing for {split}: {reason}, or the same under "
        f"other names; draw from {other}"
    )


def _find_owner(family: "AnyFamily", kin: bytes) -> Split:
    """Return the one split to which all instances of a kin belong."""
    return "test" if kin in read_reserved_kin(family) else _QUARTERS[kin[-1] % 4]


def shorten_kin(family: "AnyFamily", instance: "AnyInstance") -> bytes:
    """Return the first bytes of an instance's kin."""
    return bytes.fromhex(family.proofs.canonical_key(instance).removeprefix("sha256:"))[:KIN_BYTES]


# Every draw of a split asks for it: CausalLink draws in 0.7 ms and reads its file in 0.5 ms, and a
# family without the file draws all its sets.
@lru_cache(maxsize=8)
def read_reserved_kin(family: "AnyFamily") -> frozenset[bytes]:
    """Return the kin of every instance of a family's named sets; without a file they are drawn."""
    path = family.folder / RESERVED
    content = path.read_bytes() if path.exists() else collect_kin(family)
    places = range(0, len(content), KIN_BYTES)
    return frozenset(content[place : place + KIN_BYTES] for place in places)


def list_test_places(family: "AnyFamily") -> list[tuple[str, int, int]]:
    """Return level, seed and index of every instance of a family's named sets."""
    places = {
        (part.level, part.seed, index)
        for sets in family.card.sets.values()
        for spec in sets.values()
        for part in spec.parts
        for index in range(part.start, part.start + part.size)
    }
    return sorted(places)


def collect_kin(family: "AnyFamily") -> bytes:
    """Return what the file of reserved kin has to hold: every named set is drawn for it."""
    drawn = (
        family.generate(family.level(level), seed, i) for level, seed, i in list_test_places(family)
    )
    return b"".join(sorted({shorten_kin(family, instance) for instance in drawn}))


def _name_split(instance: "AnyInstance", split: Split, drawn: int, seed: int) -> "AnyInstance":
    """Return an instance that says the split and its seed wherever it would say the number drawn.

    Who knows that number could draw the rest of a private set without its salt.
    """

    def rename(text: str) -> str:
        return text.replace(f"s{drawn}", f"{split}-s{seed}").replace(str(drawn), f"{split}-{seed}")

    name = rename(instance.id)
    if name == instance.id:
        name = f"{name}-{split}-s{seed}"
    facets = {
        key: rename(value) if isinstance(value, str) else value
        for key, value in instance.facets.items()
    }
    secret = instance.secret.model_dump_json()
    changes: dict[str, object] = {"id": name, "facets": facets}
    if str(drawn) in secret:
        changes["secret"] = type(instance.secret).model_validate_json(rename(secret))
    return instance.model_copy(update=changes)
