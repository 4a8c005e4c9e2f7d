"""The four questions to a judge, and what comes of asking them.

The rubric and the document make the system message, and the graphs and the question follow in the
user's. So all questions about one document begin alike, and the beginning ends where a message
does: some providers cache whatever two requests begin with, and some only whole messages.

For each question a judge is asked once, and again at most three times for what is missing; an item
that is missing then makes the judgement incomplete, and incomplete judgements score nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from string import Template
from typing import Any

from pydantic import Field

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.prompt_texts import read_text
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.role_questions import Ask, Consultation
from ..model.graphs import CausalGraph
from ..scoring.label_scores import FORMS, PASSES, Form, Item, Legal, Pass, evaluations_key
from .safe_yaml import BadYaml, Yaml, read_yaml

MOST_PROBLEMS = 12
"""So many problems are named; all of them are counted."""


@dataclass(slots=True)
class Reading:
    """What was taken from one reply, and what was not."""

    taken: dict[int, Item] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    """How many items were not taken, by the kind of fault."""
    problems: list[str] = field(default_factory=list)
    """The faults in words, for the judge."""

    def refuse(self, kind: str, problem: str, count: int = 1) -> None:
        """Count something as refused, and say why."""
        self.refused[kind] += count
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def read_evaluations(reply: str, asked: Pass, wanted: Collection[int]) -> Reading:
    """Read a judge's reply about the items numbered `wanted`."""
    reading = Reading()
    try:
        listed = _list_items(read_yaml(reply), asked)
    except BadYaml as wrong:
        reading.refuse("unreadable", str(wrong))
        return reading
    form, seen = FORMS[asked], Counter[int]()
    found: dict[int, Item] = {}
    for number, item in _number_items(listed, form, reading):
        seen[number] += 1
        if number not in wanted:
            reading.refuse("foreign", f"{number}: no such item was asked for")
        elif seen[number] == 1 and (checked := _check_labels(item, form, number, reading)):
            found[number] = checked
    for number, times in seen.items():
        if times > 1 and number in wanted:
            found.pop(number, None)
            reading.refuse("twice", f"{number}: judged {times} times", times)
    reading.taken = found
    return reading


def _list_items(value: Yaml, asked: Pass) -> list[Yaml]:
    key = evaluations_key(asked)
    found = value.get(key) if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise BadYaml(f"there is no list called {key}")
    return found


def _number_items(
    listed: list[Yaml], form: Form, reading: Reading
) -> Iterator[tuple[int, Mapping[str, Yaml]]]:
    for place, item in enumerate(listed, 1):
        number = item.get(form.number) if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(number, str) and _is_number(number):
            yield int(number), item
        else:
            reading.refuse("unnumbered", f"entry {place}: there is no {form.number}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _check_labels(
    item: Mapping[str, Yaml], form: Form, number: int, reading: Reading
) -> dict[str, object] | None:
    """Return an item with its labels alone, or None where one is missing or out of place."""
    found: dict[str, object] = {form.number: number}
    for name, legal in form.blocks.items():
        block = item if not name else item.get(name)
        if not isinstance(block, Mapping):
            reading.refuse("incomplete", f"{number}: {name} is missing")
            return None
        labels = {key: _label(block.get(key)) for key in legal}
        wrong = [key for key, label in labels.items() if label not in legal[key]]
        if wrong:
            reading.refuse("illegal", f"{number}: {_complaint(name, wrong[0], labels, legal)}")
            return None
        found |= {name: labels} if name else labels
    return found


def _label(said: object) -> str:
    return said.strip().upper().replace(" ", "_") if isinstance(said, str) else ""


def _complaint(name: str, key: str, labels: Mapping[str, str], legal: Legal) -> str:
    where = f"{name}.{key}" if name else key
    return f"{where} is {excerpt(labels[key])!r}, not one of {', '.join(legal[key])}"


ROLE = "judge"
MOST_AGAIN = 3
"""How often a judge is asked again for what is missing."""
MOST_AT_ONCE = 250
"""So many items are put into one question; no document of the published set has more."""
MOST_EDGES = 1_000
"""So many edges of an answer are shown to a judge; all others are wrong without being looked at."""
_MOST_NAME = 200
_TEXTS = Path(__file__).parents[1] / "prompts" / "judge"
_SLOTS = {
    "system": set[str](),
    "document": {"text"},
    "user": {"reference", "submitted", "question", "items", "graph", "numbers"},
    "again": {"asked", "numbers", "problem"},
}


class PassReply(AgentInput):
    """What came of one question."""

    items: list[dict[str, Any]] = Field(default_factory=list)
    """The items as labelled, in the order of their numbers."""
    missing: list[int] = Field(default_factory=list)
    """Items that have no usable labels to this day."""
    asked: int = 0
    """How many times the judge was asked."""
    refused: dict[str, int] = Field(default_factory=dict)
    """What was not taken, by the kind of fault."""
    unseen: int = 0
    """Items beyond what a judge is shown."""
    problem: str = ""
    """What was wrong last, where something is missing."""


class JudgeReply(AgentInput):
    """What came of asking one judge about one answer; kept in the log."""

    passes: dict[str, PassReply] = Field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every item was judged."""
        return all(one.missing == [] for one in self.passes.values()) and bool(self.passes)

    @property
    def problem(self) -> str:
        """Which passes lack items and what kinds of fault there were; alike for like failures."""
        lacking = [name for name, one in self.passes.items() if one.missing]
        kinds = {kind for name in lacking for kind in self.passes[name].refused}
        return f"items of {', '.join(lacking)} ({', '.join(sorted(kinds)) or 'left out'})"


@dataclass(frozen=True, slots=True)
class Question:
    """One of the four questions about one answer."""

    asked: Pass
    text: str
    reference: CausalGraph
    submitted: CausalGraph

    @property
    def graph(self) -> str:
        """Which graph's nodes or edges are judged."""
        return "submitted" if self.asked.endswith("precision") else "reference"

    @property
    def items(self) -> str:
        """What is judged one by one."""
        return "nodes" if self.asked.startswith("node") else "edges"

    @property
    def count(self) -> int:
        """How many of them there are."""
        graph = self.submitted if self.graph == "submitted" else self.reference
        return len(graph.nodes if self.items == "nodes" else graph.edges)


@dataclass(frozen=True, slots=True)
class JudgeWords:
    """What a judge reads, and how it is asked."""

    system: Callable[[Question], str]
    user: Callable[[Question, Sequence[int]], str]
    """Asks about the items with these numbers."""
    again: Callable[[str, Sequence[int], str], str] | None = None
    """(what was asked, what is missing, what was wrong); None: nobody is asked twice."""
    at_once: int = MOST_EDGES
    """So many items are put into one question."""


def our_words(prompts: str | None = None) -> JudgeWords:
    """Return what we tell a judge.

    Args:
        prompts: A folder with the user's own texts in its folder `judge`, in place of ours.
    """

    def ask_again(asked: str, missing: Sequence[int], problem: str) -> str:
        numbers = _ranges(missing)
        again = _text("again", prompts)
        return again.substitute(asked=asked, numbers=numbers, problem=problem)

    return JudgeWords(
        system=partial(_system, prompts),
        user=partial(_user, prompts),
        again=ask_again,
        at_once=MOST_AT_ONCE,
    )


def consult_judge(
    text: str,
    reference: CausalGraph,
    submitted: CausalGraph,
    words: JudgeWords | None = None,
) -> Consultation[dict[str, Any]]:
    """Have one judge label an answer in all four passes.

    Args:
        text: The document.
        reference: Its graph.
        submitted: The answer's graph; without an edge nobody is asked.
        words: What the judge reads; ours where it is not given.
    """
    words = words or our_words()
    shown = shorten_graph(submitted)
    passes: dict[str, PassReply] = {}
    for asked in PASSES if submitted.edges else ():
        question = Question(asked, text, reference, shown)
        found = yield from _one_pass(question, words)
        unseen = 0
        if asked.endswith("precision"):
            whole = submitted.nodes if asked == "node_precision" else submitted.edges
            unseen = len(whole) - question.count
        passes[asked] = found.model_copy(update={"unseen": unseen})
    return JudgeReply(passes=passes).model_dump(mode="json")


def shorten_graph(graph: CausalGraph) -> CausalGraph:
    """Return as much of an answer as a judge is shown."""
    if len(graph.edges) <= MOST_EDGES:
        return graph
    edges = graph.edges[:MOST_EDGES]
    return CausalGraph(tuple(sorted({name for edge in edges for name in edge})), edges)


def _one_pass(question: Question, words: JudgeWords) -> Consultation[PassReply]:
    found = PassReply()
    for start in range(0, question.count, words.at_once):
        wanted = range(start + 1, min(start + words.at_once, question.count) + 1)
        part = yield from _one_part(question, words, wanted)
        found = PassReply(
            items=[*found.items, *part.items],
            missing=[*found.missing, *part.missing],
            asked=found.asked + part.asked,
            refused=dict(Counter(found.refused) + Counter(part.refused)),
            problem=part.problem or found.problem,
        )
    return found


def _one_part(
    question: Question, words: JudgeWords, wanted: Sequence[int]
) -> Consultation[PassReply]:
    system = words.system(question)
    first = user = words.user(question, wanted)
    taken: dict[int, Item] = {}
    refused: Counter[str] = Counter()
    missing, problem, asked = list(wanted), "", 0
    while missing and asked <= MOST_AGAIN:
        reply = yield Ask(role=ROLE, system=system, user=user)
        asked += 1
        reading = read_evaluations(reply, question.asked, set(missing))
        taken |= reading.taken
        refused += reading.refused
        missing = [number for number in wanted if number not in taken]
        problem = "; ".join(reading.problems) or "some items were left out"
        if words.again is None:
            break
        user = words.again(first, missing, problem)
    return PassReply(
        items=[dict(taken[number]) for number in wanted if number in taken],
        missing=missing,
        asked=asked,
        refused=dict(refused),
        problem=problem if missing else "",
    )


def _system(prompts: str | None, question: Question) -> str:
    rubric = _text("system", prompts).substitute()
    text = question.text.replace("</document>", "</ document>")
    document = _text("document", prompts).substitute(text=text)
    return f"{rubric}\n\n{document}"


def _user(prompts: str | None, question: Question, wanted: Sequence[int]) -> str:
    return _text("user", prompts).substitute(
        reference=write_numbered(question.reference),
        submitted=write_numbered(question.submitted),
        question=question.asked,
        items=question.items,
        graph=question.graph,
        numbers=_ranges(wanted),
    )


def write_numbered(graph: CausalGraph) -> str:
    """Write a graph out for a judge: numbered nodes, then numbered edges.

    Example:
        >>> print(write_numbered(CausalGraph(("rain", "wet"), (("rain", "wet"),))))
        Nodes:
        1. rain
        2. wet
        <BLANKLINE>
        Edges:
        1. rain -> wet
    """
    nodes = [f"{n}. {_line(name)}" for n, name in enumerate(graph.nodes, 1)]
    edges = [f"{n}. {_line(a)} -> {_line(b)}" for n, (a, b) in enumerate(graph.edges, 1)]
    return "\n".join(["Nodes:", *(nodes or ["none"]), "", "Edges:", *(edges or ["none"])])


def _line(name: str) -> str:
    """Return a name that cannot leave its line, nor its place between tags."""
    plain = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(plain.replace("<", "‹").replace(">", "›").split())[:_MOST_NAME]


def _ranges(numbers: Sequence[int]) -> str:
    """Return numbers in short.

    Example:
        >>> _ranges([1, 2, 3, 7])
        '1-3, 7'
    """
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in _runs(numbers))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            yield numbers[start], numbers[at - 1]
            start = at


def _text(name: str, prompts: str | None) -> Template:
    own = Path(prompts) / "judge" / f"{name}.md" if prompts else None
    path = own if own is not None and own.is_file() else _TEXTS / f"{name}.md"
    return read_text(path, needed=_SLOTS[name], allowed=_SLOTS[name])
