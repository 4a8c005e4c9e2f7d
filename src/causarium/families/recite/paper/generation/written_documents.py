"""Paper edition: recite-mini, the documents that were written for this package.

Each is two files: the text in markdown, a paragraph a line, and beside it a TOML file with its
graph. `Name = 1` gives a node and its explicitness label; `[aliases]` its other names; `edges` and
`decoys` end with the sentences they rest on, which stand in the text word for word.
"""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile
from ..model.instance import Decoy, Document, Explicitness, NamedEdge, ReciteNode

FOLDER = Path(__file__).parent / "documents"

_Line = Annotated[tuple[str, ...], Field(min_length=2)]


class _Graph(BaseModel):
    """What a TOML file beside a text holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    abstract: str
    domains: tuple[str, ...]
    date: str
    edges: tuple[_Line, ...]
    decoys: tuple[tuple[str, str, str], ...] = ()
    nodes: dict[str, Explicitness]
    aliases: dict[str, tuple[str, ...]] = Field(default_factory=dict)


def mini_keys() -> tuple[str, ...]:
    """Return the keys of the documents, in their fixed order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def mini_document(key: str) -> Document:
    """Read one document of recite-mini."""
    return read_document(FOLDER / f"{key}.toml")


def read_document(path: Path) -> Document:
    """Read a document from its TOML file and the markdown file beside it.

    Raises:
        BadFile: One of the two is missing or is not what it should be.
    """
    try:
        text = path.with_suffix(".md").read_text(encoding="utf-8").strip()
        found = _Graph.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise BadFile(f"cannot read the document {path}: {wrong}") from wrong
    except ValidationError as wrong:
        raise BadFile(
            f"{path} is not the graph of a document: {describe_validation_error(wrong)}"
        ) from wrong
    return Document(
        key=path.stem,
        title=found.title,
        abstract=found.abstract,
        text=text,
        nodes=tuple(
            ReciteNode(name=name, explicitness=label, aliases=found.aliases.get(name, ()))
            for name, label in found.nodes.items()
        ),
        edges=tuple(
            NamedEdge(source=edge[0], sink=edge[1], evidence=edge[2:]) for edge in found.edges
        ),
        decoys=tuple(Decoy(first=a, second=b, sentence=said) for a, b, said in found.decoys),
        domains=found.domains,
        date=found.date,
        source="mini",
        latent=f"mini/{path.stem}",
    )
