"""From an annotation file to a graph: slips a person has to mend, and names that are one.

Lines that are no arrow stop the step and are listed. Repeated lines, and names that differ in case,
spaces or marks alone, are mended by rule. Further merges are proposed by a model and taken only if
they keep to rules that code checks; if one of them does not, the whole reply is refused.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import Field

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.role_questions import Consultation
from causarium.scoring.graph_scores import Edge, compare_sets
from causarium_recite_lab.building.ask_once import UnusableReply, ask_until_usable, read_items
from causarium_recite_lab.building.paper_folder import StepFailed
from causarium_recite_lab.building.to_markdown import Made

MOST_LINES = 2_000
MOST_NAME = 200
MOST_LINE = 2 * MOST_NAME + 40
"""Longer lines are not looked at, so that reading takes time by their number alone."""
_LINE = re.compile(r'^\s*"([^"]*)"\s*->\s*"([^"]*)"\s*$|^\s*([^"]+?)\s*->\s*([^"]+?)\s*$')
_FATAL = ("write a line", "a name has at most", "only ")


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that is probably not meant."""

    line: int
    """Counted from 1."""
    about: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator wrote."""

    edges: tuple[Edge, ...]
    """In order, without repetitions."""
    slips: tuple[Slip, ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names in order of appearance."""
        return tuple(dict.fromkeys(name for edge in self.edges for name in edge))


def read_annotation(text: str) -> Annotation:
    """Read lines of `"source" -> "sink"`; a line that is none is a slip, and so is a near twin.

    Example:
        >>> read_annotation('"rain" -> "floods"').edges
        (('rain', 'floods'),)
    """
    edges: dict[Edge, int] = {}
    slips: list[Slip] = []
    lines = text.splitlines()
    if any(map(str.strip, lines[MOST_LINES:])):
        slips.append(Slip(MOST_LINES + 1, f"only {MOST_LINES:,} lines are read"))
    for at, line in enumerate(lines[:MOST_LINES], 1):
        if not line.strip():
            continue
        if len(line) > MOST_LINE:
            slips.append(Slip(at, f"a name has at most {MOST_NAME} characters"))
            continue
        match = _LINE.match(line)
        names = [name.strip() for name in match.groups() if name is not None] if match else []
        if len(names) != 2 or not all(names):
            slips.append(Slip(at, 'write a line as "cause" -> "effect"'))
        elif max(map(len, names)) > MOST_NAME:
            slips.append(Slip(at, f"a name has at most {MOST_NAME} characters"))
        elif (edge := (names[0], names[1])) in edges:
            slips.append(Slip(at, f"the same as line {edges[edge]}"))
        else:
            edges[edge] = at
            if names[0] == names[1]:
                slips.append(Slip(at, "an arrow from a thing to itself"))
    slips += _near_twins(edges)
    return Annotation(tuple(edges), tuple(sorted(slips, key=lambda slip: slip.line)))


def _near_twins(edges: dict[Edge, int]) -> list[Slip]:
    """Find names that differ in case, spaces or marks alone: usually one thing written twice."""
    first: dict[str, str] = {}
    slips = []
    for edge, at in edges.items():
        for name in edge:
            bare = re.sub(r"[\W_]+", "", name).casefold()
            earlier = first.setdefault(bare, name)
            if earlier != name:
                slips.append(Slip(at, f"“{name}” and “{earlier}” look like one thing"))
    return slips


class Merge(AgentInput):
    """Names that are to be one."""

    old_names: tuple[str, ...] = Field(min_length=1)
    new_name: str


def read_graph_file(text: str) -> Annotation:
    """Read an annotation with an arrow on every line.

    Raises:
        StepFailed: Some lines are none; they are listed.
    """
    found = read_annotation(text)
    fatal = [slip for slip in found.slips if slip.about.startswith(_FATAL)]
    if fatal:
        lines = "; ".join(f"line {slip.line}: {slip.about}" for slip in fatal[:20])
        raise StepFailed(f"{len(fatal)} lines of the annotation are to be mended by hand: {lines}")
    if not found.edges:
        raise StepFailed("the annotation has no arrows")
    return found


def make_graph(text: str) -> Consultation[Made]:
    """Read an annotation, mend it by rule, and have a model propose which names are one.

    Raises:
        StepFailed: Lines are to be mended by hand.
    """
    found = read_graph_file(text)
    twins = twin_names(found.edges)
    edges = rename_edges(found.edges, twins)
    names = names_of(edges)
    listed = json.dumps(list(names), ensure_ascii=False, indent=1)
    found_merges, refused, problem = yield from ask_until_usable(
        "merge", listed, lambda reply: read_merges(reply, names)
    )
    merges = found_merges or []
    edges = rename_edges(edges, {old: m.new_name for m in merges for old in m.old_names})
    names = names_of(edges)
    graph = {
        "nodes": list(names),
        "edges": [{"source": a, "target": b} for a, b in edges],
    }
    notes: dict[str, Any] = {
        "slips": [asdict(slip) for slip in found.slips],
        "merged_by_rule": twins,
        "merged_by_model": [merge.model_dump(mode="json") for merge in merges],
        "replies_refused": refused,
        "problem": problem,
        "nodes": len(names),
        "edges": len(edges),
    }
    said = (
        f"{len(names)} nodes, {len(edges)} edges, {len(found.slips)} slips, names merged: "
        f"{len(twins)} by rule, {sum(len(m.old_names) for m in merges)} by model"
        + (f"; no reply of the model could be used: {problem}" if problem else "")
    )
    return Made(json.dumps(graph, ensure_ascii=False, indent=1) + "\n", notes, said)


def names_of(edges: Iterable[Edge]) -> tuple[str, ...]:
    """Return the names on edges in ascending order."""
    return tuple(sorted({name for edge in edges for name in edge}))


def rename_edges(edges: Iterable[Edge], names: Mapping[str, str]) -> tuple[Edge, ...]:
    """Return edges under other names, each once."""
    return tuple(dict.fromkeys((names.get(a, a), names.get(b, b)) for a, b in edges))


def twin_names(edges: Sequence[Edge]) -> dict[str, str]:
    """Return which names are others but for case, spaces and marks; the most used one stays.

    Example:
        >>> twin_names([("Rain fall", "floods"), ("rain-fall", "mud"), ("Rain fall", "mud")])
        {'rain-fall': 'Rain fall'}
    """
    used = Counter(name for edge in edges for name in edge)
    groups: dict[str, list[str]] = {}
    for name in used:
        groups.setdefault(re.sub(r"[\W_]+", "", name).casefold(), []).append(name)
    found = {}
    for bare, group in groups.items():
        # Names of nothing but marks, and with angle brackets, are left as they are.
        if bare and not any("<" in name or ">" in name for name in group):
            best = min(group, key=lambda name: (-used[name], name))
            found.update({name: best for name in group if name != best})
    return found


def read_merges(reply: str, names: Sequence[str]) -> list[Merge]:
    """Read proposed merges and hold them against the rules.

    Raises:
        UnusableReply: One breaks a rule, which is named.
    """
    merges = read_items(reply, "combined_variables", Merge, "merge")
    known, taken = set(names), Counter(old for merge in merges for old in merge.old_names)
    kept = {merge.new_name for merge in merges}
    for merge in merges:
        _check(merge, known, taken, kept)
    return merges


def _check(merge: Merge, known: set[str], taken: Counter[str], kept: set[str]) -> None:
    if merge.new_name not in known:
        raise UnusableReply(f"the new name {merge.new_name!r} is none of the names")
    for old in merge.old_names:
        if old not in known:
            raise UnusableReply(f"the old name {old!r} is none of the names")
        if taken[old] > 1:
            raise UnusableReply(f"the name {old!r} is in two merges")
        if any(mark in f"{old}{merge.new_name}" for mark in "<>"):
            raise UnusableReply(f"the name {old!r} or {merge.new_name!r} has an angle bracket")
        if old in kept and old != merge.new_name:
            raise UnusableReply(f"the name {old!r} is to go and to stay")


def agreement(one: Annotation, other: Annotation) -> dict[str, float] | None:
    """Say how far a second annotator drew the same arrows, the first taken as the reference.

    Kappa is over all ordered pairs of their nodes. None if one of them drew no arrow.
    """
    if not one.edges or not other.edges:
        return None
    arrows = compare_sets(other.edges, one.edges)
    pairs = len({*one.nodes, *other.nodes}) ** 2
    return {
        "both": arrows.matched,
        "missing": arrows.missing,
        "spurious": arrows.extra,
        "precision": arrows.precision,
        "recall": arrows.recall,
        "f1": arrows.f1,
        "kappa": _count_kappa(pairs, len(one.edges), len(other.edges), arrows.matched),
        "node_f1": compare_sets(other.nodes, one.nodes).f1,
    }


def _count_kappa(pairs: int, first: int, second: int, both: int) -> float:
    """Return Cohen's kappa of two yes-or-no judgements from how often each said yes."""
    observed = pairs - first - second + 2 * both
    expected = (first * second + (pairs - first) * (pairs - second)) / pairs
    return (observed - expected) / (pairs - expected) if pairs > expected else math.nan


def compare_annotators(first: str, second: str) -> Made:
    """Compare two annotators' files, mended by rule alike.

    Raises:
        StepFailed: One of them has lines to be mended by hand.
    """
    one, other = read_graph_file(first), read_graph_file(second)
    twins = twin_names((*one.edges, *other.edges))
    a, b = (Annotation(rename_edges(found.edges, twins), ()) for found in (one, other))
    notes = agreement(a, b)
    if notes is None:
        raise StepFailed("one of the annotators drew no arrow")
    said = ", ".join(
        f"{name} {notes[name]:.3f}" for name in ("precision", "recall", "f1", "kappa", "node_f1")
    )
    stored = {name: None if math.isnan(value) else value for name, value in notes.items()}
    return Made(json.dumps(stored, indent=1) + "\n", stored, said)
