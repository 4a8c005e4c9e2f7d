"""The published rules of judging an answer, written a second time, row by row and plainly.

For tests alone. It judges a reply that is JSON and nothing else; how the published code picks an
object out of prose is not imitated.
"""

import json
from itertools import product

OPERATORS = ("not", "and", "or", "xor", "iff")
MOST_CHARACTERS = 20_000


class Refused(Exception):
    """An answer that counts for nothing."""


def judge(instance, reply):
    """Return what the published rules say of a reply: which stages it passes, what it replays."""
    found = {"valid": 0, "train_exact": 0, "train_world": 0.0, "heldout_world": 0.0}
    alternative = instance.public.reference is not None
    if alternative:
        found |= dict.fromkeys(
            ("distinct", "experiment_valid", "separates", "witness", "alternative_joint"), 0
        )
        found.pop("heldout_world")
    try:
        value = load(reply)
        inner = value.get("alternative") if alternative else value
        if not isinstance(inner, dict):
            raise Refused("no model")
        model = Model(instance, inner)
    except Refused:
        return found
    train = [model.replays(world) for world in instance.public.train]
    found |= {"valid": 1, "train_exact": int(all(train)), "train_world": sum(train) / len(train)}
    if not alternative:
        held = [model.replays(world) for world in instance.secret.heldout]
        return found | {"heldout_world": sum(held) / len(held)}
    return found | judge_pair(instance, model, value, fits=all(train))


def load(reply):
    try:
        value = json.loads(reply)
    except ValueError:
        raise Refused("not JSON") from None
    if not isinstance(value, dict):
        raise Refused("no object")
    return value


class Model:
    """Formulas that can be run."""

    def __init__(self, instance, value):
        public = instance.public
        self.variables = public.variables
        mechanisms = value.get("mechanisms")
        if not isinstance(mechanisms, dict) or not all(
            isinstance(text, str) for text in mechanisms.values()
        ):
            raise Refused("mechanisms")
        roots = public.roots if public.roots is not None else value.get("roots")
        if not isinstance(roots, list | tuple) or not all(isinstance(r, str) for r in roots):
            raise Refused("roots")
        if len(set(roots)) != public.n_roots or len(roots) != public.n_roots:
            raise Refused("root count")
        if set(mechanisms) | set(roots) != set(self.variables) or set(mechanisms) & set(roots):
            raise Refused("keys")
        self.roots = [name for name in self.variables if name in roots]
        self.trees = {name: parse(text, self.variables) for name, text in mechanisms.items()}
        for name, tree in self.trees.items():
            late = names_in(tree) - self.allowed(public, name)
            if late:
                raise Refused(f"{name} reads {late}")
        self.order = []
        while len(self.order) < len(self.trees):
            ready = [
                name
                for name, tree in self.trees.items()
                if name not in self.order and names_in(tree) <= {*self.roots, *self.order}
            ]
            if not ready:
                raise Refused("cycle")
            self.order += ready

    @staticmethod
    def allowed(public, name):
        if public.order is not None:
            return set(public.order[: public.order.index(name)])
        if public.blocks is not None:
            before = set()
            for block in public.blocks:
                before |= set(block)
                if name in block:
                    return before - {name}
        return set(public.variables) - {name}

    def replays(self, world):
        """Say whether every scored cell of a world is what the formulas say."""
        for r in range(len(world.units)):
            seen = {name: int(column[r]) for name, column in world.columns.items()}
            kept = {n: v for n, v in seen.items() if n in self.roots or n in world.targets}
            if self.run(kept) != seen:
                return False
        return True

    def run(self, row):
        row = dict(row)
        for name in self.order:
            if name not in row:
                row[name] = value_of(self.trees[name], row)
        return row

    def is_like(self, other, name):
        """Say whether two models have the same function for a variable."""
        one, two = self.trees[name], other.trees[name]
        names = sorted(names_in(one) | names_in(two))
        rows = [dict(zip(names, row, strict=True)) for row in product((0, 1), repeat=len(names))]
        return all(value_of(one, row) == value_of(two, row) for row in rows)


def parse(text, variables):
    """Read a formula; only spaces stand between words."""
    if len(text) > MOST_CHARACTERS or any(c in text for c in "\t\n\r\v\f"):
        raise Refused("characters")
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    stack = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            if len(stack) == 1:
                raise Refused("brackets")
            stack[-2].append(group(stack.pop(), variables))
        else:
            stack[-1].append(word)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise Refused("brackets")
    return leaf(stack[0][0], variables)


def leaf(part, variables):
    if isinstance(part, str) and part not in variables:
        raise Refused(f"name {part}")
    return part


def group(parts, variables):
    if len(parts) == 1 and type(parts[0]) is str:
        return Bracketed(leaf(parts[0], variables))
    if not parts or not isinstance(parts[0], str) or parts[0] not in OPERATORS:
        raise Refused("operator")
    arguments = [leaf(part, variables) for part in parts[1:]]
    if (parts[0] == "not") != (len(arguments) == 1) or not arguments:
        raise Refused("arity")
    return (parts[0], *arguments)


class Bracketed(str):
    """A name in brackets of its own, which may not stand in further ones alone."""


def names_in(tree):
    return {tree} if isinstance(tree, str) else set().union(*map(names_in, tree[1:]))


def value_of(tree, row):
    if isinstance(tree, str):
        return row[tree]
    values = [value_of(part, row) for part in tree[1:]]
    return {
        "not": lambda: 1 - values[0],
        "and": lambda: int(all(values)),
        "or": lambda: int(any(values)),
        "xor": lambda: sum(values) % 2,
        "iff": lambda: int(len(set(values)) == 1),
    }[tree[0]]()


def bit(value):
    if isinstance(value, str):
        return {"0": 0, "1": 1}.get(value)
    return int(value) if isinstance(value, bool | int | float) and value in (0, 1) else None


def bits(value):
    if not isinstance(value, dict):
        return None
    found = {name: bit(given) for name, given in value.items()}
    return None if None in found.values() else found


def judge_pair(instance, model, value, *, fits):
    """Judge the second model of an answer, its experiment and its witness."""
    given = Model(instance, {"mechanisms": dict(instance.public.reference)})
    distinct = not all(model.is_like(given, name) for name in model.trees)
    fits = fits and distinct
    found = {"distinct": int(distinct), "train_exact": int(fits)}
    raw = value.get("experiment")
    raw = raw if isinstance(raw, dict) else {}
    experiment = bits(raw.get("assignments", raw))
    valid = raw.get("type") == "hard_do" and experiment is not None and len(experiment) == 1
    found["experiment_valid"] = int(valid)
    if not valid:
        return found | {"separates": 0, "witness": 0, "alternative_joint": 0}
    ((target, held),) = experiment.items()
    separates = (
        fits
        and target in model.variables
        and any(
            differ(model, given, dict(zip(model.roots, context, strict=True)), target, held)
            for context in product((0, 1), repeat=len(model.roots))
        )
    )
    shown = bool(separates) and shows(model, given, value.get("witness"), target, held)
    return found | {
        "separates": int(separates),
        "witness": int(shown),
        "alternative_joint": int(shown),
    }


def differ(model, given, context, target, held):
    start = {**context, target: held}
    one, other = model.run(start), given.run(start)
    return {name: (other[name], one[name]) for name in one if one[name] != other[name]}


def shows(model, given, witness, target, held):
    if not isinstance(witness, dict):
        return False
    context = bits(witness.get("rootAssignment", witness))
    if context is None or set(context) != set(model.roots):
        return False
    different = differ(model, given, context, target, held)
    claims = witness.get("differences")
    if not isinstance(claims, list):
        return False
    return any(
        isinstance(claim, dict)
        and isinstance(claim.get("variable"), str)
        and claim["variable"] not in model.roots
        and claim["variable"] != target
        and different.get(claim["variable"])
        == (bit(claim.get("reference")), bit(claim.get("alternative")))
        for claim in claims
    )
