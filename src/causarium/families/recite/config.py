"""What may be varied when ReCITE documents are drawn, and when they are played."""

from typing import ClassVar, Literal

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from causarium.families.recite.instance import Task

FAMILY_NAME = "recite"

Corpus = Literal["mini", "synth"]
"""`mini` are the documents that were written for this package, `synth` is the generator."""

RUNGS = (100, 75, 50, 25)
"""The ladder of explicitness: how many percent of a graph a made document tells."""


class ReciteConfig(Config):
    """One level of ReCITE."""

    level: str
    """The level's own name; instance ids carry it."""
    corpus: Corpus
    task: Task = "given_count"
    told: int = Field(default=100, ge=0, le=100)
    """How many percent of the nodes a made document names; an edge is told where both its
    ends are named or meant."""
    pool: str = "synth"
    """The address of the graphs: levels that share it tell the same ones, index by index."""
    smallest: int = Field(default=8, ge=4, le=140)
    largest: int = Field(default=40, ge=4, le=140)
    """How many nodes the graph of a made document has."""
    synonyms: bool = True
    """Whether a made document also calls its nodes by other names."""
    effects_first: int = Field(default=50, ge=0, le=100)
    """How many percent of the edges are told with the effect before the cause."""
    distractors: int = Field(default=30, ge=0, le=100)
    """How many passages about what is only correlated there are, in percent of the edges."""
    words: int = Field(default=2500, ge=0, le=50_000)
    """About how many words a made document has at least; what is missing is filled up."""


_TASKS: tuple[tuple[str, Task], ...] = (
    ("", "given_count"),
    ("-open", "no_count"),
    ("-names", "names"),
)


def _levels() -> dict[str, ReciteConfig]:
    levels: list[ReciteConfig] = []
    for suffix, task in _TASKS:
        levels.append(ReciteConfig(level=f"mini{suffix}", corpus="mini", task=task))
        levels.append(
            ReciteConfig(level=f"paper-mini{suffix}", corpus="mini", task=task, edition="paper")
        )
        for told in RUNGS:
            levels.append(
                ReciteConfig(level=f"synth-{told}{suffix}", corpus="synth", task=task, told=told)
            )
            levels.append(
                ReciteConfig(
                    level=f"paper-synth-{told}{suffix}",
                    corpus="synth",
                    task=task,
                    told=told,
                    edition="paper",
                )
            )
    return {config.level: config for config in (*levels, *_single_changes())}


def _single_changes() -> list[ReciteConfig]:
    """Return `synth-plain`, levels that differ from it in one thing each, and the large one."""
    plain = ReciteConfig(
        level="synth-plain", corpus="synth", synonyms=False, effects_first=0, distractors=0
    )
    changes: dict[str, dict[str, object]] = {
        "synth-synonyms": {"synonyms": True},
        "synth-reversed": {"effects_first": 100},
        "synth-distracted": {"distractors": 60},
    }
    large = ReciteConfig(
        level="synth-large", corpus="synth", pool="large", smallest=60, largest=140, words=8000
    )
    return [
        plain,
        *(plain.model_copy(update={"level": name, **change}) for name, change in changes.items()),
        large,
    ]


LEVELS = _levels()
"""Every named configuration, of both editions."""


class ReciteRules(Rules):
    """How a ReCITE document is played."""

    quirks: ClassVar[tuple[str, ...]] = ("strict_form", "composite_f1")

    strict_form: bool = Field(
        default=False,
        description="Only a bare, boxed or json-fenced object is read, as published, and one reply "
        "is all; otherwise the answer is looked for in prose and other fences, whole items of a "
        "list that is cut off count, and a reply without a graph is asked for once again.",
    )
    composite_f1: bool = Field(
        default=False,
        description="Where names are not given, `f1` and its parts are the published scores of "
        "nodes and edges together; otherwise `f1` is that of directed edges.",
    )
    embeddings: Literal["none", "minilm"] = Field(
        default="none",
        description="Scoring without a judge also takes names for the same whose meanings are "
        "near by a sentence encoder; needs the rule `encoder`.",
    )
    encoder: str | None = Field(
        default=None,
        description="The folder with `model.safetensors` and `tokenizer.json` of "
        "all-MiniLM-L6-v2; other weights are refused.",
    )
