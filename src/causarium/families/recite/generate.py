"""Draw documents. An instance depends on its level, the seed and its index, and on nothing else.

Index i of a `mini` level is the i-th document of recite-mini; the seed changes nothing there.
Index i of a `synth` level is a document made of the i-th graph of the level's pool.

In the certified edition a graph has just the edges that its text tells, and names that are on no
edge are listed with the others. In the paper edition it is the whole diagram, and no name more.
"""

from pathlib import Path

from causarium.errors import UsageError
from causarium.families.recite.catalogue.wordings import wording_hash
from causarium.families.recite.config import FAMILY_NAME, ReciteConfig
from causarium.families.recite.generation.document_facets import facets_of
from causarium.families.recite.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.instance import Document, ReciteInstance, Task


def generate(config: ReciteConfig, seed: int, index: int) -> ReciteInstance:
    """Draw instance `index` of a level.

    Raises:
        UsageError: recite-mini has fewer documents, or the graph is too small or too large.
    """
    number = f"{f's{seed}-' if seed else ''}{index:04d}"
    private = f"-w{wording_hash(Path(config.wordings))}" if config.wordings else ""
    drawn = document(config, seed, index)
    part = drawn.graph_part() if config.edition == "paper" else drawn.told_part()
    return instance_of(part, config.task, f"{FAMILY_NAME}-{config.level}{private}-{number}")


def document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Return the document of an instance.

    Raises:
        UsageError: recite-mini has fewer documents, or the graph is too small or too large.
    """
    if config.corpus == "synth":
        from causarium.families.recite.generation.synthetic_documents import write_document

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
