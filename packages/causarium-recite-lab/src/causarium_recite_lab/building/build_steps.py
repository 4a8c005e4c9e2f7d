"""The steps in their order, and the build: which are due, doing them, and what came of each.

Rules may stand in for a model. They lay out, cut and label less well than a model or a person, and
what they made says so in its record and its row. Sentences that speak of the diagram are dropped
whole, and listed for a person in `normalized.removed.txt`.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from causarium.contract.texts.role_questions import Consultation, answer_questions
from causarium.errors import BadFile, UnknownName, UsageError
from causarium.families.recite.paper.model.instance import (
    Explicitness,
    lenient_explicitness,
    strict_explicitness,
)
from causarium.families.recite.paper.model.names import strip_name
from causarium.families.recite.paper.publication.dataset_row import is_named
from causarium_recite_lab.building.annotation import compare_annotators, make_graph
from causarium_recite_lab.building.ask_once import NoModel, Remembered, Reply
from causarium_recite_lab.building.label_nodes import label_domains, label_explicitness
from causarium_recite_lab.building.paper_folder import SOURCES, Folder, Record, StepFailed
from causarium_recite_lab.building.remove_diagram_talk import graph_lines, normalize
from causarium_recite_lab.building.to_markdown import Made, to_markdown

REMOVED = "normalized.removed.txt"
NEAR = 0.5
"""A sentence with this share of a name's words is near it."""
_MOST_HEADING = 80
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[A-Z]")
_REFERENCES = re.compile(
    r"^\W*(?:\d{1,2}\.?\s+)?(?:references|bibliography|literature cited)\W*$", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DIAGRAM = re.compile(
    r"\bcausal[- ]loop diagrams?\b|\bCLDs?\b|\bloop diagrams?\b"
    r"|\bfig(?:ure|\.)\s*\d+[^.]{0,200}\b(?:diagrams?|loops?|models?|graphs?)\b"
    r"|\b(?:diagrams?|loops?|models?|graphs?)\b[^.]{0,200}\bfig(?:ure|\.)\s*\d+",
    re.IGNORECASE,
)


def markdown_by_rule(folder: Folder) -> Made:
    """Lay out plain text: numbered or capitalised short lines are headings, references are cut."""
    blocks: list[str] = []
    paragraph: list[str] = []
    headings = cut = 0
    lines = folder.read("text.txt").replace("\f", "\n\n").splitlines()
    for number, line in enumerate(lines):
        text = line.strip()
        if _REFERENCES.match(text) and number > len(lines) // 3:
            cut = len(lines) - number
            break
        if text and not _is_heading(text):
            paragraph.append(text)
            continue
        if paragraph:
            blocks.append(" ".join(paragraph))
            paragraph = []
        if text:
            blocks.append(f"## {text}")
            headings += 1
    if paragraph:
        blocks.append(" ".join(paragraph))
    notes = {"headings": headings, "lines_cut": cut}
    said = f"{headings} headings, {cut} lines from the references on cut"
    return Made("\n\n".join(blocks) + "\n", notes, said)


def _is_heading(line: str) -> bool:
    if len(line) > _MOST_HEADING or line.endswith((".", ",", ";", ":")):
        return False
    letters = [letter for letter in line if letter.isalpha()]
    return bool(_NUMBERED.match(line)) or (len(letters) > 3 and line.isupper())


def graph_by_rule(folder: Folder) -> Made:
    """Read the annotation; names that differ in case, spaces or marks alone are one."""
    nothing = '{"combined_variables": []}'
    return answer_questions(make_graph(folder.read("annotation.txt")), lambda _: nothing)


def normalize_by_rule(folder: Folder) -> Made:
    """Drop the sentences that speak of the diagram, and list them."""
    removed: list[str] = []
    blocks = []
    for block in folder.read("markdown.md").split("\n\n"):
        sentences = _SENTENCE.split(block)
        kept = [sentence for sentence in sentences if not _DIAGRAM.search(sentence)]
        removed += [sentence for sentence in sentences if _DIAGRAM.search(sentence)]
        if kept:
            blocks.append(" ".join(kept))
    folder.write(REMOVED, "\n".join(removed) + "\n")
    notes = {"sentences_removed": len(removed)}
    said = f"{len(removed)} sentences dropped; read {REMOVED} before you use the text"
    return Made("\n\n".join(blocks).rstrip("\n") + "\n", notes, said)


def explicitness_by_rule(folder: Folder) -> Made:
    """Label each node: 1 where the text has its name, 2 where a sentence is near it, else 3."""
    text = folder.read("normalized.md")
    sentences = [_strip_sentence(one) for one in _SENTENCE.split(text)]
    plain = text.casefold()
    labels: dict[str, Explicitness] = {}
    for name in folder.value("graph.json")["nodes"]:
        words = strip_name(name)
        near = any(len(words & sentence) >= NEAR * len(words) for sentence in sentences)
        labels[name] = 1 if is_named(name, plain) else 2 if near and words else 3
    lenient, strict = lenient_explicitness(labels.values()), strict_explicitness(labels.values())
    notes = {"lenient": lenient, "strict": strict}
    said = f"lenient {lenient:.3f}, strict {strict:.3f}, by words alone"
    return Made(json.dumps(labels, ensure_ascii=False, indent=1) + "\n", notes, said)


def _strip_sentence(sentence: str) -> frozenset[str]:
    """Return the words of a sentence as those of a name; a name has fewer words than some have."""
    return frozenset[str]().union(*map(strip_name, sentence.split()))


def domains_by_rule(folder: Folder) -> Made:
    """Take the domains that `paper.toml` names, or none."""
    domains = list(folder.read_about().domains)
    said = ", ".join(domains) or "none; write `domains` into paper.toml"
    return Made(json.dumps(domains, indent=1) + "\n", {}, said)


RULE = "rule"
"""Who made what no model made."""
LEAST_CHARS = 200
"""With less text than this, a PDF is pictures of pages."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the build."""

    name: str
    about: str
    reads: tuple[str, ...]
    """The files that it is made from."""
    makes: str
    make: Callable[[Folder], Consultation[Made]]
    optional: bool = False
    """Whether a paper without its input simply goes without it."""
    by_rule: Callable[[Folder], Made] | None = None
    """How it is made without a model; None where no model is asked anyway."""


def pdf_text(path: Path) -> str:
    """Return the text of a PDF, pages apart by form feeds.

    Raises:
        UsageError: PyMuPDF is not installed.
        StepFailed: It is no PDF, is locked, or has no text.
    """
    try:
        pymupdf = import_module("pymupdf")
    except ImportError as missing:
        raise UsageError(
            f"reading {path.name} needs PyMuPDF: pip install 'causarium[recite]'"
        ) from missing
    try:
        with pymupdf.open(path, filetype="pdf") as document:
            locked = bool(document.needs_pass)
            pages = [] if locked else [str(page.get_text("text")) for page in document]
    except Exception as wrong:
        # What PyMuPDF raises for a damaged file has no common base.
        raise StepFailed(f"{path} cannot be read as a PDF ({wrong}); get it again") from wrong
    if locked:
        raise StepFailed(f"{path} is locked by a password; put an open copy in its place")
    text = "\f".join(pages)
    if len("".join(text.split())) < LEAST_CHARS:
        raise StepFailed(
            f"{path} has {len(pages)} pages and no text to speak of: they are pictures; run it "
            "through text recognition, or put a source.txt beside it and take the PDF away"
        )
    return text


def _text(folder: Folder) -> Consultation[Made]:
    yield from ()
    name = next(name for name in SOURCES if folder.has(name))
    text = pdf_text(folder.path / name) if name.endswith(".pdf") else folder.read(name)
    if not text.strip():
        raise StepFailed(f"{folder.path / name} is empty")
    pages = text.count("\f") + 1
    notes = {"from": name, "characters": len(text), "pages": pages}
    return Made(text, notes, f"{len(text):,} characters on {pages} pages of {name}")


def _agreement(folder: Folder) -> Consultation[Made]:
    yield from ()
    return compare_annotators(folder.read("annotation.txt"), folder.read("second.txt"))


STEPS = (
    Step("text", "The paper as plain text.", SOURCES, "text.txt", _text),
    Step(
        "markdown",
        "The text as markdown, word for word.",
        ("text.txt",),
        "markdown.md",
        lambda folder: to_markdown(folder.read("text.txt")),
        by_rule=markdown_by_rule,
    ),
    Step(
        "graph",
        "The annotation as a graph.",
        ("annotation.txt",),
        "graph.json",
        lambda folder: make_graph(folder.read("annotation.txt")),
        by_rule=graph_by_rule,
    ),
    Step(
        "normalized",
        "The text without mentions of the diagram.",
        ("markdown.md", "graph.json"),
        "normalized.md",
        lambda folder: normalize(
            folder.read("markdown.md"), graph_lines(folder.value("graph.json"))
        ),
        by_rule=normalize_by_rule,
    ),
    Step(
        "agreement",
        "How far a second annotator agrees.",
        ("annotation.txt", "second.txt"),
        "agreement.json",
        _agreement,
        optional=True,
    ),
    Step(
        "explicitness",
        "How the text tells each node.",
        ("normalized.md", "graph.json"),
        "explicitness.json",
        lambda folder: label_explicitness(
            folder.read("normalized.md"), folder.value("graph.json")["nodes"]
        ),
        by_rule=explicitness_by_rule,
    ),
    Step(
        "domains",
        "The paper's domains.",
        ("paper.toml",),
        "domains.json",
        lambda folder: label_domains(folder.read_about()),
        by_rule=domains_by_rule,
    ),
)
"""Every step, in the order in which they are done."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one step of one paper."""

    paper: str
    step: str
    state: str
    """`done`, `kept` (nothing changed since), `skipped` (optional), `failed` or `waiting`."""
    detail: str = ""


def choose_steps(names: Sequence[str]) -> tuple[Step, ...]:
    """Return the steps called so, in their order; all where none is named.

    Raises:
        UnknownName: There is no such step.
    """
    known = [step.name for step in STEPS]
    for name in names:
        if name not in known:
            raise UnknownName("step", name, known)
    return tuple(step for step in STEPS if not names or step.name in names)


def build(
    papers: Sequence[Folder],
    reply: Reply | None,
    *,
    model: str = "",
    steps: Sequence[str] = (),
    watch: Callable[[Outcome], None] | None = None,
    keyless: bool = False,
) -> list[Outcome]:
    """Do every step that is due; a paper that fails holds up no other.

    Args:
        papers: The papers, which are worked on one after the other.
        reply: Who answers questions; None: what needs an answer waits.
        model: The model's name, for the records.
        steps: Only these; all where none is named.
        watch: Called with each step as soon as it is over.
        keyless: Do by rule what would ask a model.
    """
    wanted = choose_steps(steps)
    outcomes = []
    for folder in papers:
        for step in wanted:
            outcomes.append(_run_step(folder, step, reply, model, keyless=keyless))
            if watch is not None:
                watch(outcomes[-1])
    return outcomes


def _run_step(
    folder: Folder, step: Step, reply: Reply | None, model: str, *, keyless: bool
) -> Outcome:
    inputs = {name: folder.digest_of(name) for name in step.reads}
    if missing := _find_missing_input(folder, step):
        state = "skipped" if step.optional else "waiting"
        return Outcome(folder.key, step.name, state, f"there is no {missing}")
    if is_current(folder, step):
        return Outcome(folder.key, step.name, "kept")
    remembered = Remembered(folder.path / "steps" / f"{step.name}.replies.jsonl", reply, model)
    by_rule = step.by_rule if keyless else None
    model = RULE if by_rule is not None else model if step.by_rule is not None else ""
    try:
        if by_rule is not None:
            made = by_rule(folder)
        else:
            made = answer_questions(step.make(folder), remembered)
    except NoModel as wrong:
        return Outcome(folder.key, step.name, "waiting", str(wrong))
    except (StepFailed, BadFile) as wrong:
        remembered.forget()
        folder.keep(
            Record(
                step=step.name,
                inputs=inputs,
                model=model,
                asked=remembered.asked,
                failed=str(wrong),
            )
        )
        return Outcome(folder.key, step.name, "failed", str(wrong))
    folder.write(step.makes, made.text)
    folder.keep(
        Record(step=step.name, inputs=inputs, model=model, asked=remembered.asked, notes=made.notes)
    )
    return Outcome(folder.key, step.name, "done", made.said)


def is_current(folder: Folder, step: Step) -> bool:
    """Tell whether a step is done, and none of its inputs has changed since."""
    record = folder.record(step.name)
    return (
        record is not None
        and not record.failed
        and folder.has(step.makes)
        and record.inputs == {name: folder.digest_of(name) for name in step.reads}
    )


def _find_missing_input(folder: Folder, step: Step) -> str:
    """Return what is needed and not there: the file, or the step that makes it."""
    if step.name == "text":
        return "" if any(folder.has(name) for name in SOURCES) else "source.pdf"
    if step.name == "domains":
        return ""
    makers = {one.makes: one for one in STEPS}
    for name in step.reads:
        if not folder.has(name):
            return name
        if name in makers and not is_current(folder, makers[name]):
            return f"{name} that is up to date"
    return ""
