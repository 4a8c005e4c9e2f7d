"""Draw documents. An instance depends on its level, the seed and its index, and on nothing else.

Index i of a `mini` level is the i-th written document, whatever the seed, and index i of a `synth`
level is a document made of the i-th graph of the level's pool. Their graphs are whole diagrams.
"""

from causarium.errors import UsageError
from ..levels import FAMILY_NAME, ReciteConfig
from ..model.instance import Document, ReciteInstance, Task
from .facets import facets_of
from .written_documents import mini_document, mini_keys


def generate(config: ReciteConfig, seed: int, index: int) -> ReciteInstance:
    """Draw instance `index` of a level.

    Raises:
        UsageError: There are fewer documents, or the graph is too small or too large.
    """
    number = f"{f's{seed}-' if seed else ''}{index:04d}"
    id_ = f"{FAMILY_NAME}-{config.level}-{number}"
    return instance_of(document(config, seed, index).graph_part(), config.task, id_)


def document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Return the document of an instance.

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
