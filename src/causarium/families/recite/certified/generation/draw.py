"""The draw of a text and its twin: fair coins, independent over slots, with nothing to join them.

Instances 2k and 2k + 1 are twins. In the twin every slot of one passage has its other version; of
a slot of several passages one, drawn uniformly, has its other version. Figures, orders of records
and the order of names are drawn before the coins and are the same in both, and so are held slots.
"""

from dataclasses import dataclass
from random import Random

from causarium.contract.instance import Facet
from causarium.contract.row import MECHANISM
from causarium.errors import UsageError
from causarium.seeds import stream
from ..levels import ReciteConfig
from ..model import (
    FAMILY_NAME,
    Edge,
    Question,
    ReciteInstance,
    RecitePublic,
    ReciteSecret,
    SlotRecord,
)
from .documents import Document, list_documents, name_holes
from .slots import Slot, Versions

FIRST_TRAINING_SEED, FIRST_PRIVATE_SEED = 2**60, 3 * 2**60
"""Seeds between these are for training: splits have seed spaces of their own."""


@dataclass(frozen=True)
class Toss:
    """What chance chose for one slot."""

    slot: Slot
    figures: dict[int, int]
    turned: bool
    """Whether records stand in their other order."""
    versions: Versions
    twin_versions: Versions

    def tell(self, *, twin: bool) -> frozenset[Edge]:
        """Return the edges that the slot tells in the text or in its twin."""
        return self.slot.key[self.twin_versions if twin else self.versions]

    def render(self, *, twin: bool) -> dict[str, str]:
        """Return the slot's passages by the names of their holes."""
        versions = self.twin_versions if twin else self.versions
        passages = self.slot.passages(versions, turned=self.turned)
        words = (passage.render(self.figures) for passage in passages)
        return dict(zip(name_holes(self.slot), words, strict=True))


def toss(slot: Slot, rng: Random) -> Toss:
    """Toss the coins of a slot."""
    figures, turned = slot.draw_figures(rng), rng.random() < 0.5
    versions = tuple(rng.randrange(2) for _ in slot.free)
    flipped = None if slot.held else rng.randrange(len(versions))
    twin = tuple(1 - v if n == flipped else v for n, v in enumerate(versions))
    return Toss(slot, figures, turned, versions, twin)


def generate(config: ReciteConfig, seed: int, index: int) -> ReciteInstance:
    """Draw instance `index` of a rung.

    Raises:
        UsageError: No text of the rung is for the split that the seed is of.
    """
    level, pair = f"rung-{config.rung}", index // 2
    split = "train" if FIRST_TRAINING_SEED <= seed < FIRST_PRIVATE_SEED else "test"
    documents = list_documents(config.form, split)
    if not documents:
        raise UsageError(f"there are no texts for {split} on rung {config.rung} yet")
    turn = stream(seed, FAMILY_NAME, level, "order", pair // len(documents))
    order = turn.sample(range(len(documents)), len(documents))
    document = documents[order[pair % len(documents)]]
    rng = stream(seed, FAMILY_NAME, level, "text", pair)
    names = tuple(rng.sample(document.names, len(document.names)))
    swaps = [rng.random() < 0.5 for _ in document.slots]
    tosses = [toss(slot, rng) for slot in document.slots]
    number = f"{f's{seed}-' if seed else ''}{index:04d}"
    return make_instance(
        config,
        document,
        names,
        tosses,
        swaps,
        f"{FAMILY_NAME}-{level}-{number}",
        twin=index % 2 > 0,
    )


def make_instance(
    config: ReciteConfig,
    document: Document,
    names: tuple[str, ...],
    tosses: list[Toss],
    swaps: list[bool],
    id_: str,
    *,
    twin: bool,
) -> ReciteInstance:
    """Return a text or its twin as an instance."""
    passages: dict[str, str] = {}
    edges, twin_edges = set(document.shared_edges), set(document.shared_edges)
    for one in tosses:
        passages |= one.render(twin=twin)
        if not one.slot.counted:
            continue
        edges |= one.tell(twin=twin)
        twin_edges |= one.tell(twin=not twin)
    asked = [
        one.slot.edges[::-1] if swap else one.slot.edges
        for one, swap in zip(tosses, swaps, strict=True)
    ]
    place = {name: n for n, name in enumerate(names, 1)}
    questions = [
        Question(first=(place[a], place[b]), second=(place[c], place[d]))
        for (a, b), (c, d) in (asked if config.form == "choice" else [])
    ]
    return ReciteInstance(
        id=id_,
        public=RecitePublic(
            title=document.title,
            text=document.fill(passages),
            names=names,
            questions=tuple(questions),
        ),
        secret=ReciteSecret(
            document=document.name,
            edges=tuple(sorted(edges)),
            twin_edges=tuple(sorted(twin_edges)),
            slots=tuple(_record(one, twin=twin) for one in tosses if one.slot.counted),
            uncounted=_list_uncounted(document),
        ),
        facets=_list_facets(config, document, len(edges)),
    )


def _list_uncounted(document: Document) -> tuple[Edge, ...]:
    slots = document.slots
    counted = {edge for slot in slots if slot.counted for edge in slot.edges}
    others = {edge for slot in slots if not slot.counted for edge in slot.edges}
    return tuple(sorted(others - counted - document.shared_edges))


def _record(one: Toss, *, twin: bool) -> SlotRecord:
    return SlotRecord(
        name=one.slot.name,
        kind=one.slot.kind,
        versions=one.twin_versions if twin else one.versions,
        twin_versions=one.versions if twin else one.twin_versions,
        tells=tuple(sorted(one.tell(twin=twin))),
        twin_tells=tuple(sorted(one.tell(twin=not twin))),
    )


def _list_facets(config: ReciteConfig, document: Document, edges: int) -> dict[str, Facet]:
    return {
        "rung": config.rung,
        "form": config.form,
        MECHANISM: document.name,
        "names": len(document.names),
        "edges": edges,
        "slots": sum(slot.counted and not slot.held for slot in document.slots),
        "passages": max(len(slot.free) for slot in document.slots),
    }
