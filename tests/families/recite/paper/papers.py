"""Small documents, answers and judges for tests."""

import re
from collections.abc import Callable, Sequence

from causarium.contract.row import Row
from causarium.contract.texts.role_questions import Ask
from causarium.contract.turn import Turn
from causarium.families.recite.paper.generation.generate import instance_of
from causarium.families.recite.paper.model.graphs import CausalGraph
from causarium.families.recite.paper.model.instance import (
    Document,
    NamedEdge,
    ReciteInstance,
    ReciteNode,
    Task,
)
from causarium.families.recite.paper.scoring.label_scores import (
    FORMS,
    Evaluations,
    Pass,
    evaluations_key,
)

Edges = Sequence[tuple[str, str]]

CHAIN: Edges = (("Rain", "Floods"), ("Floods", "Losses"), ("Losses", "Dykes"), ("Dykes", "Floods"))
"""Four nodes, a loop of three of them."""


def paper(
    edges: Edges = CHAIN, task: Task = "no_count", **aliases: Sequence[str]
) -> ReciteInstance:
    """Return an instance with these edges; every node is told."""
    names = sorted({name for edge in edges for name in edge})
    text = " ".join(f"{a} leads to {b}." for a, b in edges)
    document = Document(
        key="paper",
        title="On floods",
        text=text,
        nodes=tuple(
            ReciteNode(name=name, explicitness=1, aliases=tuple(aliases.get(name, ())))
            for name in names
        ),
        edges=tuple(
            NamedEdge(source=a, sink=b, evidence=(f"{a} leads to {b}.",)) for a, b in edges
        ),
        source="mini",
    )
    return instance_of(document, task, "recite-test-0000")


def handed_in(edges: Sequence[tuple[str | int, str | int]], **more: object) -> list[Turn]:
    """Return the turns of an agent that hands in a graph."""
    written = [{"source": a, "sink": b} for a, b in edges]
    action = {"kind": "submit", "relationships": written, **more}
    return [Turn(action=action, observation="Thank you.", legal=True, cost=1)]


def scripted_judge(labels: Evaluations, *, spoil: Callable[[int, str], str] | None = None):
    """Return a judge that says what it is given to say, and counts how often it is asked.

    `spoil` may change a reply, given the number of the question.
    """
    asked: list[Ask] = []

    def reply(ask: Ask) -> str:
        asked.append(ask)
        question, numbers = _asked(ask)
        text = written(question, labels, numbers)
        return spoil(len(asked), text) if spoil else text

    reply.asked = asked  # type: ignore[attr-defined]
    return reply


def _asked(ask: Ask) -> tuple[Pass, set[int]]:
    question = re.findall(r"The question: (\w+)\.", ask.user)[-1]
    again = re.findall(r"can be used: ([\d, -]+)\.", ask.user)
    listed = again[-1] if again else re.findall(r"exactly once: ([\d, -]+)\.", ask.user)[-1]
    numbers: set[int] = set()
    for part in listed.split(","):
        first, _, last = part.strip().partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return question, numbers


def written(question: Pass, labels: Evaluations, numbers: set[int]) -> str:
    """Write labels as a judge does."""
    key = FORMS[question].number
    lines = [f"{evaluations_key(question)}:"]
    for item in labels[question]:
        if item[key] in numbers:
            lines.append(f"  - {key}: {item[key]}")
            for name, value in item.items():
                if isinstance(value, str):
                    lines.append(f"    {name}: {value}")
                elif isinstance(value, dict):
                    lines.append(f"    {name}:")
                    lines += [f"      {k}: {v}" for k, v in value.items()]
    return "Well.\n```yaml\n" + "\n".join(lines) + "\n```\n"


def graph(*edges: tuple[str, str]) -> CausalGraph:
    """Return the graph of some edges."""
    from causarium.families.recite.paper.model.graphs import graph_of

    return graph_of(edges)


def row(agent: str, number: int, f1: float, year: str = "", **judges: float) -> Row:
    """Return a row with what some judges gave."""
    names = [name.replace("_", "-") for name in judges]
    return Row(
        family="recite",
        version="1-A",
        edition="certified",
        set="smoke",
        agent=agent,
        interface="json",
        id=f"recite-mini-{number:04}",
        facets={"year": year} if year else {},
        numbers={
            "f1": f1,
            **{f"judge_{at}_f1": value for at, value in enumerate(judges.values(), 1)},
        },
        labels={f"judge_{at}": name for at, name in enumerate(names, 1)},
        turns=1,
    )
