"""Certified edition: slot documents, which are texts with some passages in two versions.

Each slot tells other edges in version one than in version two. A draw takes a version for each
slot; its twin takes the other one of each. A slot has up to two forms: *near*, where one passage
says it, and *far*, where a `local` sentence that is the same in both twins names the pair and a
passage paragraphs away decides. A far form with `parity` has two such passages, and says what
version one says where both stand in the same version. Which form a text takes is the level's
choice. `slots/README.md` tells how to write a file, and `slot_checks.py` what is refused.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Annotated, Literal, NamedTuple, TypeVar, get_args

from pydantic import BaseModel, Field, ValidationError

from causarium.contract.frozen import Frozen
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, UsageError
from causarium.scoring.graph_scores import Edge
from ..model.instance import SlotKind
from ..model.name_places import NameFinder

Form = Literal["near", "far"]
FORMS: tuple[Form, ...] = ("near", "far")
KINDS: tuple[SlotKind, ...] = get_args(SlotKind)
Device = Literal[
    "plain statement",
    "taken back",
    "outcome in numbers",
    "only through",
    "which came first",
    "like with like",
    "hypothesis and test",
    "moderation",
    "feedback",
    "who says so",
]
"""By what means a slot tells its edges."""
Versions = tuple[str, str]

MARK = re.compile(r"\{(s\d+)(?:\.(far|parity))?\}")
MOST_LONGER = 0.03
"""So much longer than its twin may a text be, of its length."""
LEAST_DIFFERING = 8
"""So many edges at least only a text tells, and as many only its twin."""
_MOST_TRIES = 10_000
_Part = TypeVar("_Part", bound=BaseModel)


class Slot(Frozen):
    """A passage in two versions, in one form or two."""

    device: Device
    tells_one: tuple[Edge, ...] = ()
    tells_two: tuple[Edge, ...] = ()
    near: Versions | None = None
    local: str = ""
    far: Versions | None = None
    parity: Versions | None = None
    withdrawn: str = ""
    """Why its key is wrong, if it is: it stands in texts as before, and nobody scores its pairs."""

    @property
    def weight(self) -> int:
        """How many edges more version one tells than version two."""
        return len(set(self.tells_one)) - len(set(self.tells_two))

    @property
    def differing(self) -> frozenset[Edge]:
        """The edges that one version tells and the other does not."""
        return frozenset(self.tells_one) ^ frozenset(self.tells_two)

    def kind(self, form: Form) -> SlotKind:
        """Return how this slot decides at levels of a form."""
        if self.far is None or (form == "near" and self.near is not None):
            return "near"
        return "far" if self.parity is None else "parity"

    def stands(self, form: Form) -> bool:
        """Say whether the slot is part of texts of a form."""
        return form == "far" or self.near is not None


class Choice(NamedTuple):
    """What stands for one slot: 0 is version one."""

    version: int
    first: int
    """The version of the first of two deciding passages; the second follows from both."""


class Heading(Frozen):
    """What stands above the text of a file."""

    key: str
    title: str
    domains: tuple[str, ...] = ()
    split: Literal["train", "test"] = "test"
    since: str = "4-A"
    """The version of the family that first has it: later ones stand behind it in every level."""
    levels: tuple[Literal["page", "twin", "far"], ...] = ("page", "twin")
    """At which levels it may be drawn; each has conditions of its own."""


class SlotDocument(Heading):
    """One file, as it is written."""

    text: str
    afterword: str = ""
    """The last sections of far texts; a volume of several documents has them at its end."""
    shared: tuple[tuple[str, str, str], ...]
    """Edges that both twins tell, with the sentence that tells each."""
    slots: dict[str, Slot]
    nodes: dict[str, Annotated[int, Field(ge=1, le=2)]]
    """Every listed name, on an edge or not: 1, the text has it; 2, the text only means it."""
    aliases: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def whole(self) -> str:
        """Text and afterword with their marks."""
        return self.marked("far")

    def marked(self, form: Form) -> str:
        """Return the text of a form with its marks: near texts have no afterword."""
        afterword = self.afterword if form == "far" else ""
        return f"{self.text.strip()}\n\n{afterword.strip()}".strip()

    @cached_property
    def finder(self) -> NameFinder:
        """Finds the document's names."""
        return NameFinder({name: (name, *self.aliases.get(name, ())) for name in self.nodes})

    @cached_property
    def shared_edges(self) -> frozenset[Edge]:
        """What stands in the text whatever the slots say."""
        return frozenset((cause, effect) for cause, effect, _ in self.shared)

    def free_slots(self, form: Form) -> dict[str, Slot]:
        """Return the slots that vary at a level of some form, each kind evenly.

        Where the one-sided edges of a kind cannot be halved, its last one-sided slot is held: an
        odd one out would tell who has counted the others what it says.
        """
        return _choose_free(self.slots, form)

    def count_differing(self, form: Form) -> int:
        """Return how many edges only one of two twins tells, on each side."""
        return _count_differing(self.free_slots(form))

    def far_share(self) -> float:
        """Return the share of the differing edges of level `far` that are decided elsewhere."""
        free = self.free_slots("far").values()
        every = sum(len(slot.differing) for slot in free)
        far = sum(len(slot.differing) for slot in free if slot.kind("far") != "near")
        return far / every if every else 0.0

    def sections(self) -> list[str]:
        """Return what stands before the first heading of near texts, and each of their sections."""
        return re.split(r"\n(?=## )", self.marked("near"))

    def near_slots(self, text: str) -> dict[str, Slot]:
        """Return the near forms of the slots that stand in a part of the marked text."""
        found = (mark.group(1) for mark in MARK.finditer(text) if mark.group(2) is None)
        near = {"local": "", "far": None, "parity": None}
        kept = (key for key in found if self.slots[key].near)
        return {key: self.slots[key].model_copy(update=near) for key in kept}

    def part(self, first: int, last: int) -> "SlotDocument":
        """Return the document of some neighbouring sections alone."""
        sections = self.sections()
        text = "\n".join([f"# {self.title}\n", *sections[first : last + 1]])
        slots = self.near_slots(text)
        standing = {f"{{{key}}}" for key in slots}
        text = MARK.sub(lambda m: m.group() if m.group() in standing else "", text)
        common = MARK.sub("", text)
        shared = tuple(one for one in self.shared if one[2] in common)
        edges = {(a, b) for a, b, _ in shared} | {
            edge for slot in slots.values() for edge in (*slot.tells_one, *slot.tells_two)
        }
        whole = MARK.sub(lambda m: " ".join(slots[m.group(1)].near or ()), text)
        named = self.finder.nodes_in(whole)
        names = named | {name for edge in edges for name in edge}
        # A copy would keep what was cached of the whole document.
        return SlotDocument(
            key=self.key,
            title=self.title,
            domains=self.domains,
            split=self.split,
            levels=self.levels,
            text=text,
            shared=shared,
            slots=slots,
            nodes={name: label for name, label in self.nodes.items() if name in names},
            aliases={name: words for name, words in self.aliases.items() if name in names},
        )


class Draw(Frozen):
    """A document with a version for each slot."""

    document: SlotDocument
    form: Form
    choices: dict[str, Choice]
    twin_choices: dict[str, Choice]

    @property
    def twin(self) -> "Draw":
        """The same document with the other version of each slot that varies."""
        return self.model_copy(update={"choices": self.twin_choices, "twin_choices": self.choices})

    @property
    def edges(self) -> frozenset[Edge]:
        """What the text tells."""
        slots = self.document.slots
        told = (self.told_by(key) for key in self.choices if not slots[key].withdrawn)
        return self.document.shared_edges.union(*told)

    def told_by(self, key: str) -> frozenset[Edge]:
        """Return the edges that a slot tells here."""
        slot = self.document.slots[key]
        return frozenset((slot.tells_one, slot.tells_two)[self.choices[key].version])

    def passages(self, key: str) -> tuple[str, ...]:
        """Return what stands in the place of a slot, in its far place and in its parity place."""
        slot, choice = self.document.slots[key], self.choices[key]
        if slot.kind(self.form) == "near":
            return ((slot.near or ("", ""))[choice.version],)
        far = slot.far or ("", "")
        if slot.parity is None:
            return (slot.local, far[choice.version])
        return (slot.local, far[choice.first], slot.parity[choice.first ^ choice.version])

    def render(self) -> str:
        """Return the text; a place in which nothing stands leaves no gap."""
        passages = {key: self.passages(key) for key in self.choices}

        def passage(found: re.Match[str]) -> str:
            place = {None: 0, "far": 1, "parity": 2}[found.group(2)]
            return "".join(passages.get(found.group(1), ())[place : place + 1])

        lines = MARK.sub(passage, self.document.marked(self.form)).split("\n")
        text = "\n".join(re.sub(r" {2,}", " ", line).strip() for line in lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip()


def draw_twins(document: SlotDocument, form: Form, rng: Random) -> Draw:
    """Draw a text uniformly from those that are as long, and tell as much, as their twins.

    Each kind of slot is balanced for itself, so that what is read of one kind tells nothing of
    another.

    Args:
        document: The document.
        form: Which form of its slots the level takes.
        rng: Where chance comes from.

    Raises:
        UsageError: No text is about as long as its twin.
    """
    free = document.free_slots(form)
    groups = [[k for k, s in free.items() if s.kind(form) == kind] for kind in KINDS]
    for _ in range(_MOST_TRIES):
        versions = {key: version for group in groups for key, version in _halve(group, free, rng)}
        choices, twin = dict[str, Choice](), dict[str, Choice]()
        for key in (key for key, slot in document.slots.items() if slot.stands(form)):
            version, first, flips_first = versions.get(key, 0), rng.randrange(2), rng.randrange(2)
            choices[key] = Choice(version, first)
            twin[key] = Choice(1 - version, first ^ flips_first) if key in free else choices[key]
        draw = Draw(document=document, form=form, choices=choices, twin_choices=twin)
        long, other = len(draw.render()), len(draw.twin.render())
        if abs(long - other) <= MOST_LONGER * min(long, other):
            return draw
    raise UsageError(
        f"{document.key}: no draw of its slots is within {MOST_LONGER:.0%} of its twin's length; "
        "write versions of more equal length"
    )


def _choose_free(slots: Mapping[str, Slot], form: Form) -> dict[str, Slot]:
    free = {key: slot for key, slot in slots.items() if slot.stands(form)}
    for kind in KINDS:
        group = [key for key, slot in free.items() if slot.kind(form) == kind]
        while not _can_be_halved([free[key].weight for key in group]):
            odd = next(key for key in reversed(group) if free[key].weight)
            group.remove(odd)
            del free[odd]
    return free


def _count_differing(free: Mapping[str, Slot]) -> int:
    return sum(len(slot.differing) for slot in free.values()) // 2


def _halve(
    group: Sequence[str], slots: Mapping[str, Slot], rng: Random
) -> Iterator[tuple[str, int]]:
    while True:
        versions = [rng.randrange(2) for _ in group]
        signed = (slots[k].weight * (1 - 2 * v) for k, v in zip(group, versions, strict=True))
        if sum(signed) == 0:
            return zip(group, versions, strict=True)


def _can_be_halved(weights: Sequence[int]) -> bool:
    sums = {0}
    for weight in weights:
        sums = {total + sign * weight for total in sums for sign in (1, -1)}
    return 0 in sums


def list_pages(document: SlotDocument) -> list[tuple[int, int]]:
    """Return the shortest runs of sections that tell enough, as first and last sections."""
    slots = [document.near_slots(section) for section in document.sections()]
    pages: list[tuple[int, int]] = []
    for first in range(1, len(slots)):
        held: dict[str, Slot] = {}
        for last in range(first, len(slots)):
            held |= slots[last]
            if _count_differing(_choose_free(held, "near")) >= LEAST_DIFFERING:
                pages.append((first, last))
                break
    # A run that ends where the next one ends holds it.
    ends = [last for _, last in pages]
    return [page for place, page in enumerate(pages) if page[1] not in ends[place + 1 :]]


def share_names(documents: Sequence[SlotDocument]) -> str:
    """Return a word that two of some documents have for something; empty if there is none."""
    owner: dict[str, str] = {}
    for one in documents:
        for name in one.nodes:
            for form in (name, *one.aliases.get(name, ())):
                if owner.setdefault(form.casefold(), one.key) != one.key:
                    return form
    return ""


def bind_volume(documents: Sequence[SlotDocument], title: str) -> SlotDocument:
    """Bind documents as one volume, their afterwords together at its end.

    Raises:
        UsageError: Two of them share a name or another name for something.
    """
    shared = share_names(documents)
    if shared:
        raise UsageError(f"documents that both speak of {shared!r} cannot be bound in one volume")
    slots: dict[str, Slot] = {}
    bodies: list[str] = []
    afterwords: list[str] = []
    for number, one in enumerate(documents, 1):
        # Slots of the third document are numbered from 301 on.
        renamed = {key: f"s{number}{int(key[1:]):02d}" for key in one.slots}
        slots |= {renamed[key]: slot for key, slot in one.slots.items()}

        def rename(found: re.Match[str], keys: Mapping[str, str] = renamed) -> str:
            place = f".{found.group(2)}" if found.group(2) else ""
            return f"{{{keys[found.group(1)]}{place}}}"

        bodies.append(MARK.sub(rename, one.text.strip()))
        afterwords.append(f"# On “{one.title}”\n\n{MARK.sub(rename, one.afterword.strip())}")
    return SlotDocument(
        key="+".join(one.key for one in documents),
        title=title,
        domains=tuple(dict.fromkeys(d for one in documents for d in one.domains)),
        split=documents[0].split,
        levels=("far",),
        text="\n\n".join(bodies),
        afterword="\n\n".join(afterwords),
        shared=tuple(edge for one in documents for edge in one.shared),
        slots=slots,
        nodes={name: label for one in documents for name, label in one.nodes.items()},
        aliases={name: words for one in documents for name, words in one.aliases.items()},
    )


def _parse(kind: type[_Part], key: str, toml: str) -> _Part:
    try:
        return kind.model_validate({"key": key, **tomllib.loads(toml)})
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile(f"{key}: cannot be read as TOML: {wrong}") from wrong
    except ValidationError as wrong:
        raise BadFile(f"{key}: {describe_validation_error(wrong)}") from wrong


def read_slot_file(path: Path) -> SlotDocument:
    """Read a file without checking what its passages say.

    Raises:
        BadFile: It cannot be read, or is no slot document.
    """
    try:
        toml = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the slot file {path}: {wrong}") from wrong
    return _parse(SlotDocument, path.name.removesuffix(".toml").removesuffix(".slots"), toml)


def read_heading(path: Path) -> Heading:
    """Read what stands above the text of one of our files; the rest of it takes 8 ms."""
    above, _, _ = path.read_text(encoding="utf-8").partition("\ntext = ")
    return _parse(Heading, path.name.removesuffix(".slots.toml"), above)
