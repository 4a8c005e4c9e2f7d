"""The catalogue of structural twins, read from its files (`build_catalogue` writes them)."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..mechanics.story import Story, read_story


class Entry(NamedTuple):
    """Two stories of one law, or one that a book cannot tell."""

    kind: str
    story: Story
    twin: Story | None
    held: int | None
    hard: bool
    """Whether one of the two has no adjustment set."""

    @property
    def is_front(self) -> bool:
        """Whether module and return share an unrecorded cause in one of the stories."""
        return self.story.is_confounded or bool(self.twin and self.twin.is_confounded)


def _read_entry(line: str) -> Entry:
    kind, story, twin, held, hard = line.split()
    return Entry(
        kind,
        read_story(story),
        None if twin == "-" else read_story(twin),
        None if held == "-" else int(held),
        hard != "-",
    )


@lru_cache(maxsize=32)  # 5,000 lines take 0.1 s, and every leg asks
def list_entries(columns: int, kind: str) -> tuple[Entry, ...]:
    """Return the entries of one kind with so many columns, in the order of the file."""
    path = Path(__file__).with_name(f"catalogue_{columns}.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_read_entry(line) for line in lines if line.startswith(kind))
