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
from dataclasses import asdict
from typing import Any

from pydantic import Field, ValidationError

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.role_questions import Consultation
from causarium.scoring.graph_scores import Edge
from causarium_recite_lab.building.annotated_graphs import Annotation, agreement, read_annotation
from causarium_recite_lab.building.ask_once import MOST_TRIES
from causarium_recite_lab.building.paper_folder import StepFailed
from causarium_recite_lab.building.step_prompts import ask, read_field
from causarium_recite_lab.building.to_markdown import Made

_FATAL = ("write a line", "a name has at most", "only ")


class Merge(AgentInput):
    """Names that are to be one."""

    old_names: tuple[str, ...] = Field(min_length=1)
    new_name: str


class MergeError(Exception):
    """A merge that breaks a rule, and which."""


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
    merges, refused, problem = yield from _merges(names_of(edges))
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


def _merges(names: Sequence[str]) -> Consultation[tuple[list[Merge], int, str]]:
    """Return the merges of the first reply that keeps to the rules; none where no reply does."""
    problem = ""
    listed = json.dumps(list(names), ensure_ascii=False, indent=1)
    for tries in range(MOST_TRIES):
        reply = yield ask("merge", listed, problem)
        try:
            return read_merges(reply, names), tries, ""
        except MergeError as wrong:
            problem = str(wrong)
    return [], MOST_TRIES, problem


def read_merges(reply: str, names: Sequence[str]) -> list[Merge]:
    """Read proposed merges and hold them against the rules.

    Raises:
        MergeError: One breaks a rule, which is named.
    """
    found = read_field(reply, "combined_variables")
    if not isinstance(found, list):
        raise MergeError('there is no JSON object with a list "combined_variables"')
    merges: list[Merge] = []
    for number, item in enumerate(found, 1):
        try:
            merges.append(Merge.model_validate(item))
        except ValidationError as wrong:
            raise MergeError(f"merge {number}: {describe_validation_error(wrong)}") from wrong
    known, taken = set(names), Counter(old for merge in merges for old in merge.old_names)
    kept = {merge.new_name for merge in merges}
    for merge in merges:
        _check(merge, known, taken, kept)
    return merges


def _check(merge: Merge, known: set[str], taken: Counter[str], kept: set[str]) -> None:
    if merge.new_name not in known:
        raise MergeError(f"the new name {merge.new_name!r} is none of the names")
    for old in merge.old_names:
        if old not in known:
            raise MergeError(f"the old name {old!r} is none of the names")
        if taken[old] > 1:
            raise MergeError(f"the name {old!r} is in two merges")
        if any(mark in f"{old}{merge.new_name}" for mark in "<>"):
            raise MergeError(f"the name {old!r} or {merge.new_name!r} has an angle bracket")
        if old in kept and old != merge.new_name:
            raise MergeError(f"the name {old!r} is to go and to stay")


def compare_annotators(first: str, second: str) -> Made:
    """Compare two annotators' files, mended by rule alike.

    Raises:
        StepFailed: One of them has lines to be mended by hand.
    """
    one, other = read_graph_file(first), read_graph_file(second)
    twins = twin_names((*one.edges, *other.edges))
    a, b = (Annotation(rename_edges(found.edges, twins), ()) for found in (one, other))
    found = agreement(a, b)
    if found is None:
        raise StepFailed("one of the annotators drew no arrow")
    nodes_both = len(set(a.nodes) & set(b.nodes))
    notes = {**asdict(found), "node_f1": 2 * nodes_both / (len(a.nodes) + len(b.nodes))}
    said = ", ".join(
        f"{name} {notes[name]:.3f}" for name in ("precision", "recall", "f1", "kappa", "node_f1")
    )
    stored = {name: None if math.isnan(value) else value for name, value in notes.items()}
    return Made(json.dumps(stored, indent=1) + "\n", stored, said)
