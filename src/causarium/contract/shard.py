"""Shards: which share of some work one process of many does."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from causarium.errors import UsageError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shard:
    """Share `number` of `count`; the first is number 1."""

    number: int = 1
    count: int = 1

    @classmethod
    def parse(cls, text: "str | Shard | None") -> "Shard":
        """Read `K/N`; nothing is the whole.

        Raises:
            UsageError: It is not two numbers, or K is not from 1 to N.

        Example:
            >>> Shard.parse("2/4")
            Shard(number=2, count=4)
        """
        if text is None or isinstance(text, Shard):
            return text or WHOLE
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"a shard must be K/N with K from 1 to N, such as 1/4, not {text!r}")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @property
    def is_whole(self) -> bool:
        """Whether there is no other share."""
        return self.count == 1

    def deal(self, items: Iterable[T]) -> Iterator[T]:
        """Yield every `count`-th item, from item `number` on, as cards are dealt.

        Example:
            >>> list(Shard(2, 3).deal(range(7)))
            [1, 4]
        """
        return islice(items, self.number - 1, None, self.count)

    def split(self, count: int) -> "Iterator[Shard]":
        """Yield the shards that deal this one out again, one a process.

        Example:
            >>> list(map(str, Shard(2, 3).split(2)))
            ['2/6', '5/6']
        """
        for place in range(count):
            yield Shard(self.number + self.count * place, self.count * count)

    def block(self, size: int) -> range:
        """Return this share of `size` items in a row, so that shares in order are the whole.

        Example:
            >>> [list(Shard(k, 3).block(7)) for k in (1, 2, 3)]
            [[0, 1], [2, 3], [4, 5, 6]]
        """
        return range(
            size * (self.number - 1) // self.count,
            size * self.number // self.count,
        )


WHOLE = Shard()
"""All of the work."""
