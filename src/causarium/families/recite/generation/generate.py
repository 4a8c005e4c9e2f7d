"""Draw documents. An instance depends on its level, the seed and its index, and on nothing else.

Indices 2i and 2i + 1 of a certified level are twins: one text with one version of each slot, and
the same text with the other one. Pair i is a draw of the (i mod n)-th of n documents.

In the paper edition, index i of a `mini` level is the i-th written document, whatever the seed, and
index i of a `synth` level is a document made of the i-th graph of the level's pool. Their graphs
are whole diagrams.
"""

import hashlib
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path

from causarium.errors import BadFile, UsageError
from causarium.scoring.graph_scores import Edge
from causarium.seeds import stream
from ..model.config import FAMILY_NAME, ReciteConfig
from ..model.instance import Document, NamedEdge, ReciteInstance, ReciteNode, SlotRecord, Task, Twin
from .facets import facets_of
from .slot_checks import load_slot_document
from .slot_documents import (
    Draw,
    Heading,
    SlotDocument,
    bind_volume,
    draw_twins,
    list_pages,
    read_heading,
    read_slot_file,
    share_names,
)
from .written_documents import mini_document, mini_keys

FOLDER = Path(__file__).parent / "slots"
FIRST_TRAINING_SEED, FIRST_PRIVATE_SEED = 2**60, 3 * 2**60
"""Seeds between these are for training: splits have seed spaces of their own."""


@cache
def list_headings() -> tuple[Heading, ...]:
    """Return what stands above our texts, those of earlier versions first.

    So no document that joins moves another one to a new number.
    """
    found = (read_heading(path) for path in FOLDER.glob("*.slots.toml"))
    return tuple(sorted(found, key=lambda one: (one.since, one.key)))


@lru_cache(maxsize=64)  # 8 ms each, and every instance asks
def read_own(key: str) -> SlotDocument:
    """Read one of our documents. A test checks them: that would take a first session's time."""
    return read_slot_file(FOLDER / f"{key}.slots.toml")


def read_shelf() -> tuple[SlotDocument, ...]:
    """Return all of our documents."""
    return tuple(read_own(one.key) for one in list_headings())


def find_documents(title: str) -> list[SlotDocument]:
    """Return the slot documents that a text of this title is drawn from."""
    return [read_own(one.key) for one in list_headings() if one.title in title]


def draw_pair(config: ReciteConfig, seed: int, pair: int) -> Draw:
    """Draw a pair of twins of a level; pair i is of the (i mod n)-th of n documents.

    Args:
        config: The level.
        seed: The seed; that of a training split draws from documents for training alone.
        pair: The number of the pair.

    Raises:
        UsageError: No document can be drawn at this level.
    """
    volumes = _list_volumes(config, seed)
    if not volumes:
        raise UsageError(f"no slot document can be drawn at level {config.level}")
    chosen = volumes[pair % len(volumes)]
    bound = [one if isinstance(one, SlotDocument) else read_own(one.key) for one in chosen]
    title = " · ".join(one.title for one in bound)
    document = bound[0] if len(bound) == 1 else bind_volume(bound, title)
    rng = stream(seed, FAMILY_NAME, config.shape, document.key, pair // len(volumes))
    if config.shape == "page":
        document = document.part(*rng.choice(list_pages(document)))
    return draw_twins(document, "far" if config.shape in {"far", "dossier"} else "near", rng)


def _list_volumes(config: ReciteConfig, seed: int) -> list[tuple[Heading, ...]]:
    """Return the documents that make up each text of a level."""
    split = "train" if FIRST_TRAINING_SEED <= seed < FIRST_PRIVATE_SEED else "test"
    ours = (one for one in list_headings() if one.split == split)
    every: Iterable[Heading] = [load_slot_document(Path(config.slots))] if config.slots else ours
    level = "far" if config.shape == "dossier" else config.shape
    fitting = [one for one in every if level in one.levels]
    if config.shape != "dossier" or len(fitting) == 1:
        return [(one,) for one in fitting]
    # Neighbours are bound first, each document once and then again, so that few have them all.
    places = sorted(
        combinations(range(len(fitting)), 2), key=lambda at: (at[1] - at[0], at[0] % 2, at[0])
    )
    pairs = [(fitting[first], fitting[last]) for first, last in places]
    return [pair for pair in pairs if not share_names([read_own(one.key) for one in pair])]


def hash_slot_file(path: str) -> str:
    """Return by what a private file can be told.

    Raises:
        BadFile: It cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]
    except OSError as wrong:
        raise BadFile(f"cannot read the slot file {path}: {wrong}") from wrong


def generate(config: ReciteConfig, seed: int, index: int) -> ReciteInstance:
    """Draw instance `index` of a level.

    Raises:
        UsageError: There are fewer documents, or the graph is too small or too large.
    """
    number = f"{f's{seed}-' if seed else ''}{index:04d}"
    private = f"-f{hash_slot_file(config.slots)}" if config.slots else ""
    id_ = f"{FAMILY_NAME}-{config.level}{private}-{number}"
    if config.corpus == "slots":
        draw = draw_pair(config, seed, index // 2)
        return make_twin_instance(draw.twin if index % 2 else draw, config.task, id_)
    return instance_of(document(config, seed, index).graph_part(), config.task, id_)


def document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Return the document of an instance of the paper edition.

    Raises:
        UsageError: There are fewer written documents, or the graph is too small or too large.
    """
    if config.corpus == "synth":
        from .made_documents import write_document

        return write_document(config, seed, index)
    keys = mini_keys()
    if not 0 <= index < len(keys):
        raise UsageError(
            f"recite-mini has {len(keys)} documents, numbered from 0, and so no number {index}; "
            "the synth levels have as many as you like"
        )
    return mini_document(keys[index])


def instance_of(drawn: Document, task: Task, id_: str) -> ReciteInstance:
    """Return a document as an instance of a task."""
    public, secret = drawn.make_public(task), drawn.secret()
    return ReciteInstance(id=id_, public=public, secret=secret, facets=facets_of(public, secret))


def make_twin_instance(draw: Draw, task: Task, id_: str) -> ReciteInstance:
    """Return one of two twins as an instance of a task.

    Args:
        draw: The text that is asked about.
        task: What is said of its names.
        id_: The instance's id.
    """
    source, told = draw.document, draw.edges
    evidence: dict[Edge, tuple[str, ...]] = {(a, b): (said,) for a, b, said in source.shared}
    evidence |= {edge: draw.passages(key) for key in draw.choices for edge in draw.told_by(key)}
    drawn = Document(
        key=source.key,
        title=source.title,
        text=draw.render(),
        nodes=tuple(
            ReciteNode(
                name=name,
                explicitness=1 if label == 1 else 2,
                aliases=source.aliases.get(name, ()),
                unlinked=not any(name in edge for edge in told),
            )
            for name, label in source.nodes.items()
        ),
        edges=tuple(NamedEdge(source=a, sink=b, evidence=evidence[a, b]) for a, b in sorted(told)),
        domains=source.domains,
        source="slots",
        latent=f"slots/{source.key}",
    )
    public = drawn.make_public(task).model_copy(
        update={
            "has_twin": True,
            "some_unlinked": True,
            "n_nodes": _count_nodes(draw) if task == "given_count" else None,
        }
    )
    secret = drawn.secret().model_copy(update={"twin": _record_twin(draw)})
    facets = facets_of(public, secret)
    return ReciteInstance(id=id_, public=public, secret=secret, facets=facets)


def _count_nodes(draw: Draw) -> int:
    """Return how many names are on an edge of either twin.

    The number of one twin alone would tell it from the other without the text; this one is the
    same for all draws of a document.
    """
    return len({name for edge in draw.edges | draw.twin.edges for name in edge})


def _record_twin(draw: Draw) -> Twin:
    ids = {name: place for place, name in enumerate(sorted(draw.document.nodes), 1)}

    def number(edges: frozenset[Edge]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((ids[a], ids[b]) for a, b in edges))

    twin = draw.twin
    return Twin(
        edges=number(twin.edges),
        slots=tuple(
            SlotRecord(
                key=key,
                kind=draw.document.slots[key].kind(draw.form),
                device=draw.document.slots[key].device,
                told=number(draw.told_by(key)),
                twin_told=number(twin.told_by(key)),
                passages=draw.passages(key),
                twin_passages=twin.passages(key),
                withdrawn=bool(draw.document.slots[key].withdrawn),
            )
            for key in draw.document.free_slots(draw.form)
        ),
    )
