"""The slot documents of this package, in their fixed order."""

from functools import cache
from pathlib import Path

from causarium.families.recite.generation.slot_checks import load_slot_document
from causarium.families.recite.generation.slot_documents import SlotDocument

FOLDER = Path(__file__).parent / "slots"


@cache
def read_shelf() -> tuple[SlotDocument, ...]:
    """Return every document, checked, in the order of its file name.

    Raises:
        BadFile: One of them is not what it should be.
    """
    return tuple(load_slot_document(path) for path in sorted(FOLDER.glob("*.slots.toml")))
