"""Draw documents. An instance depends on its level, the seed and its index, and on nothing else.

Indices 2i and 2i + 1 of a certified level are twins: one text with one version of each slot, and
the same text with the other one. Pair i is a draw of the (i mod n)-th of n documents.

In the paper edition, index i of a `mini` level is the i-th written document, whatever the seed, and
index i of a `synth` level is a document made of the i-th graph of the level's pool. Their graphs
are whole diagrams.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from causarium.errors import BadFile, UsageError
from causarium.families.recite.generation.facets import facets_of
from causarium.families.recite.generation.slot_checks import load_slot_document
from causarium.families.recite.generation.slot_documents import (
    Draw,
    SlotDocument,
    bind_volume,
    draw_twins,
    list_pages,
    read_slot_file,
    share_names,
)
from causarium.families.recite.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.model.config import FAMILY_NAME, Corpus, ReciteConfig, Shape
from causarium.families.recite.model.instance import (
    Document,
    NamedEdge,
    ReciteInstance,
    ReciteNode,
    SlotRecord,
    Task,
    Twin,
)
from causarium.scoring.graph_scores import Edge
from causarium.seeds import stream

FOLDER = Path(__file__).parent / "slots"
BOUND = 2
"""So many documents make a volume, where there are as many for a split."""
FIRST_TRAINING_SEED, FIRST_PRIVATE_SEED = 2**60, 3 * 2**60
"""Seeds between these are for training: splits have seed spaces of their own."""


@lru_cache(maxsize=8)  # 127 ms each, and every instance asks
def read_shelf(corpus: Corpus) -> tuple[SlotDocument, ...]:
    """Return every slot document of a corpus in the order of its file name.

    A test checks them. To do so at every start took nine tenths of a first session's time.
    """
    folder = FOLDER / "unread" if corpus == "unread" else FOLDER
    return tuple(read_slot_file(path) for path in sorted(folder.glob("*.slots.toml")))


def find_documents(title: str) -> list[SlotDocument]:
    """Return the slot documents that a text of this title is drawn from."""
    found = [one for one in read_shelf("slots") if one.title in title]
    return found or [one for one in read_shelf("unread") if one.title in title]


def draw_pair(config: ReciteConfig, seed: int, pair: int) -> Draw:
    """Draw a pair of twins of a level; pair i is of the (i mod n)-th of n documents.

    Args:
        config: The level.
        seed: The seed; that of a training split draws from documents for training alone.
        pair: The number of the pair.

    Raises:
        UsageError: No document can be drawn at this level.
    """
    documents = _choose_documents(config, seed)
    if not documents:
        raise UsageError(f"no slot document can be drawn at level {config.level}")
    document = documents[pair % len(documents)]
    rng = stream(seed, FAMILY_NAME, config.shape, document.key, pair // len(documents))
    if config.shape == "page":
        document = document.part(*rng.choice(list_pages(document)))
    return draw_twins(document, "far" if config.shape in {"far", "dossier"} else "near", rng)


def _choose_documents(config: ReciteConfig, seed: int) -> Sequence[SlotDocument]:
    if config.slots:
        own = load_slot_document(Path(config.slots))
        return [own] if _fits(own, config.shape) else []
    split = "train" if FIRST_TRAINING_SEED <= seed < FIRST_PRIVATE_SEED else "test"
    fitting = [
        one for one in read_shelf(config.corpus) if one.split == split and _fits(one, config.shape)
    ]
    if config.shape != "dossier":
        return fitting
    return [
        bind_volume(three, " · ".join(one.title for one in three))
        for three in combinations(fitting, min(BOUND, len(fitting)))
        if not share_names(three)
    ]


def _fits(document: SlotDocument, shape: Shape) -> bool:
    return ("far" if shape == "dossier" else shape) in document.levels


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
    if config.corpus in {"slots", "unread"}:
        draw = draw_pair(config, seed, index // 2)
        return make_twin_instance(draw.twin if index % 2 else draw, config.task, id_)
    return instance_of(document(config, seed, index).graph_part(), config.task, id_)


def document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Return the document of an instance of the paper edition.

    Raises:
        UsageError: There are fewer written documents, or the graph is too small or too large.
    """
    if config.corpus == "synth":
        from causarium.families.recite.generation.made_documents import write_document

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
            )
            for key in draw.document.free_slots(draw.form)
        ),
    )
