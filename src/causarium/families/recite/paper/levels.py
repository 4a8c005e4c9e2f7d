"""What may be varied when documents are drawn, and when they are played."""

from typing import ClassVar, Literal

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Edition, Rules
from .model.instance import Task
from .model.wordings import RUNGS, Rung

FAMILY_NAME = "recite"

Corpus = Literal["mini", "synth"]
"""`mini` are the documents that were written for this package, `synth` are made ones."""


class ReciteConfig(Config):
    """One level of the paper edition."""

    edition: Edition = "paper"
    level: str
    """The level's own name; instance ids carry it."""
    corpus: Corpus
    task: Task = "names"
    rung: Rung = "connective"
    """How a made document tells its edges."""
    pool: str = "synth2"
    """The address of the graphs: levels that share it tell the same ones, index by index."""
    smallest: int = Field(default=5, ge=5, le=140)
    largest: int = Field(default=140, ge=5, le=140)
    """How many nodes the graph of a made document has."""
    characters: int = Field(default=40_541, ge=0, le=1_000_000)
    """About how long a made document is at least; the published mean."""


_TASKS: tuple[tuple[str, Task], ...] = (
    ("", "given_count"),
    ("-open", "no_count"),
    ("-names", "names"),
)
"""The suffix of each task; what has none is the default."""


def _levels() -> dict[str, ReciteConfig]:
    levels = []
    for suffix, task in _TASKS:
        level = f"paper-mini{suffix}"
        levels.append(ReciteConfig(level=level, corpus="mini", task=task))
        for rung in RUNGS:
            level = f"paper-synth-{rung}{suffix}"
            levels.append(ReciteConfig(level=level, corpus="synth", task=task, rung=rung))
    return {config.level: config for config in levels}


LEVELS = _levels()
"""Every named configuration."""


class ReciteRules(Rules):
    """How a ReCITE document is played."""

    quirks: ClassVar[tuple[str, ...]] = ("strict_form", "composite_f1")

    strict_form: bool = Field(
        default=False,
        description="Only a bare, boxed or json-fenced object is read, as published, and there is "
        "one reply only; otherwise the answer may stand in prose or other fences, complete items "
        "of a list that is cut off count, and the agent may reply once more if no graph can be "
        "read.",
    )
    composite_f1: bool = Field(
        default=False,
        description="Where names are not given, `f1` and its parts are the published scores of "
        "nodes and edges together; otherwise `f1` is that of directed edges.",
    )
    embeddings: Literal["none", "minilm"] = Field(
        default="none",
        description="Scoring without a judge also takes names for the same if a sentence encoder "
        "puts their meanings near each other; needs the rule `encoder`.",
    )
    encoder: str | None = Field(
        default=None,
        description="The folder with `model.safetensors` and `tokenizer.json` of "
        "all-MiniLM-L6-v2; other weights are refused.",
    )
