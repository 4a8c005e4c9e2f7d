"""A plain evaluator of answers that goes row by row, and answers to evaluate.

The baseline is written for the bench and kept plain: a recursive parser, a dictionary a row, a
formula evaluated in each of them, truth tables by enumeration. Tests hold it against ours. Answers
are those of models that get part of it right: true mechanisms, some of them changed, some broken.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from causarium.families.replayscm.paper.model.actions import Submit
from causarium.families.replayscm.paper.model.instance import (
    ReplayInstance,
    WorldRows,
    gold_formulas,
    true_roots,
)

Node = str | list["Node"]


@dataclass(frozen=True, slots=True)
class RowByRow:
    """What the baseline finds."""

    valid: bool
    train_worlds: int = 0
    heldout_worlds: int = 0
    wrong_train_cells: int = 0
    wrong_heldout_cells: int = 0
    same_rule: int = 0
    same_parents: int = 0


def evaluate_rows(instance: ReplayInstance, answer: Submit) -> RowByRow:
    """Evaluate an answer to a problem with a hidden order, one row after the other."""
    names, gold = instance.public.variables, gold_formulas(instance)
    if answer.mechanisms.keys() != gold.keys():
        return RowByRow(valid=False)
    trees: dict[str, Node] = {}
    for name, text in answer.mechanisms.items():
        tree = _parse(text, names)
        if tree is None or name in _names(tree):
            return RowByRow(valid=False)
        trees[name] = tree
    order = _order(trees, true_roots(instance))
    if order is None:
        return RowByRow(valid=False)
    train = [_world(trees, order, world) for world in instance.public.train]
    heldout = [_world(trees, order, world) for world in instance.secret.heldout]
    same = [_agree(trees[name], _parse(text, names) or "") for name, text in gold.items()]
    return RowByRow(
        valid=True,
        train_worlds=sum(wrong == 0 for wrong in train),
        heldout_worlds=sum(wrong == 0 for wrong in heldout),
        wrong_train_cells=sum(train),
        wrong_heldout_cells=sum(heldout),
        same_rule=sum(rule for rule, _ in same),
        same_parents=sum(parents for _, parents in same),
    )


def _parse(text: str, names: Sequence[str]) -> Node | None:
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    tree, rest = _node(words, names)
    return None if rest else tree


def _node(words: list[str], names: Sequence[str]) -> tuple[Node | None, list[str]]:
    if not words:
        return None, ["nothing"]
    head, *rest = words
    if head in names:
        return head, rest
    if head != "(" or not rest or rest[0] not in {"not", "and", "or", "xor", "iff"}:
        return None, ["wrong"]
    parts: list[Node] = [rest[0]]
    rest = rest[1:]
    while rest and rest[0] != ")":
        part, rest = _node(rest, names)
        if part is None:
            return None, ["wrong"]
        parts.append(part)
    fits = len(parts) == 2 if parts[0] == "not" else len(parts) > 2
    return (parts, rest[1:]) if rest and fits else (None, ["wrong"])


def _names(tree: Node) -> set[str]:
    return {tree} if isinstance(tree, str) else set().union(*map(_names, tree[1:]))


def _order(trees: Mapping[str, Node], roots: Sequence[str]) -> list[str] | None:
    done = set(roots)
    order: list[str] = []
    while len(order) < len(trees):
        ready = [name for name in trees if name not in done and _names(trees[name]) <= done]
        if not ready:
            return None
        order += ready
        done |= set(ready)
    return order


def _value(tree: Node, row: Mapping[str, int]) -> int:
    if isinstance(tree, str):
        return row[tree]
    values = [_value(part, row) for part in tree[1:]]
    if tree[0] == "not":
        return 1 - values[0]
    if tree[0] == "and":
        return int(all(values))
    if tree[0] == "or":
        return int(any(values))
    return sum(values) % 2 if tree[0] == "xor" else int(len(set(values)) == 1)


def _world(trees: Mapping[str, Node], order: Sequence[str], world: WorldRows) -> int:
    """Return how many scored cells of a world are wrong."""
    wrong = 0
    for r in range(len(world.units)):
        seen = {name: int(values[r]) for name, values in world.columns.items()}
        row = {n: v for n, v in seen.items() if n not in trees or n in world.targets}
        for name in order:
            if name not in world.targets:
                row[name] = _value(trees[name], row)
                wrong += row[name] != seen[name]
    return wrong


def _agree(ours: Node, theirs: Node) -> tuple[bool, bool]:
    """Tell whether two formulas are the same function, and whether they have the same parents."""
    names = sorted(_names(ours) | _names(theirs))
    rows = [dict(zip(names, values, strict=True)) for values in product((0, 1), repeat=len(names))]
    tables = [[_value(tree, row) for row in rows] for tree in (ours, theirs)]
    parents = [_parents(table, len(names)) for table in tables]
    return tables[0] == tables[1], parents[0] == parents[1]


def _parents(table: Sequence[int], n: int) -> set[int]:
    places = range(len(table))
    return {i for i in range(n) if any(table[p] != table[p ^ 1 << i] for p in places)}


def answers(instance: ReplayInstance, rng: Random, count: int) -> Iterator[Submit]:
    """Yield answers as models give them: much is right, something is wrong, a tenth is broken."""
    gold, roots = gold_formulas(instance), true_roots(instance)
    for _ in range(count):
        given = dict(gold)
        for name in rng.sample(sorted(gold), rng.randint(0, 2)):
            given[name] = f"({rng.choice(['or', 'xor'])} {given[name]} {rng.choice(roots)})"
        if rng.random() < 0.1:
            name = rng.choice(sorted(gold))
            given[name] = given[name].replace("(", rng.choice(["", "(no", "(("]), 1) + ")"
        yield Submit(mechanisms=given)
