"""Draw documents. An instance depends on its level, the seed and its index, and on nothing else.

Index i of a `mini` level is the i-th document of recite-mini; the seed changes nothing there.
Index i of a `synth` level is a document made of the i-th graph of the level's pool.
"""

from causarium.errors import UsageError
from causarium.families.recite.config import FAMILY_NAME, ReciteConfig
from causarium.families.recite.generation.document_facets import facets_of
from causarium.families.recite.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.instance import Document, ReciteInstance, Task


def generate(config: ReciteConfig, seed: int, index: int) -> ReciteInstance:
    """Draw instance `index` of a level.

    Raises:
        UsageError: recite-mini has fewer documents.
    """
    number = f"{f's{seed}-' if seed else ''}{index:04d}"
    return instance_of(
        document(config, seed, index), config.task, f"{FAMILY_NAME}-{config.level}-{number}"
    )


def document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Return the document of an instance.

    Raises:
        UsageError: recite-mini has fewer documents.
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


def instance_of(found: Document, task: Task, id_: str) -> ReciteInstance:
    """Return a document as an instance of a task."""
    public, secret = found.public(task), found.secret()
    return ReciteInstance(id=id_, public=public, secret=secret, facets=facets_of(public, secret))
