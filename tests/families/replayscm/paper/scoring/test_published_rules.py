"""The paper edition judges as published: every mutated answer, against a second implementation."""

import json
from functools import cache
from random import Random

import pytest

from causarium.contract.episode import score_many
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.model.instance import gold_formulas, true_roots
from causarium.scm.boolean.formula import Formula, parse_formula
from causarium.scm.boolean.model import BooleanScm
from tests.families.replayscm.paper.problems import random_tree
from tests.families.replayscm.paper.published_rules import judge, parse

RULES = FAMILY.rules_for("paper")
LEVELS = tuple(
    f"paper-{name}" for name in ("ordered", "block", "hidden", "roots", "alt-ordered", "alt-hidden")
)


@cache
def drawn(level, index):
    return FAMILY.generate(FAMILY.level(level), 3, index)


def right(instance):
    """Return an answer that earns everything, in the released form where there is one."""
    public, source = instance.public, instance.secret.source
    if source is None:
        answer = {"mechanisms": dict(gold_formulas(instance))}
        if public.roots is None:
            answer["roots"] = list(true_roots(instance))
        return answer
    mechanisms = {**public.reference, **source.other}
    names = public.variables
    models = [
        BooleanScm.of(names, public.roots, {v: parse_formula(t, names) for v, t in texts.items()})
        for texts in (public.reference, mechanisms)
    ]
    ((target, held),) = source.experiment.items()
    start = {**source.witness, target: held}
    row, bit = sum(start[v] << names.index(v) for v in start), 1 << names.index(target)
    one, two = (scm.run(row, bit) for scm in models)
    values = {name: (one >> i & 1, two >> i & 1) for i, name in enumerate(names)}
    return {
        "alternative": {"mechanisms": mechanisms},
        "experiment": {"type": "hard_do", "assignments": {target: held}},
        "witness": {
            "rootAssignment": dict(source.witness),
            "differences": [
                {"variable": name, "reference": one, "alternative": two}
                for name, (one, two) in values.items()
                if one != two
            ],
        },
    }


def break_formula(rng, text, names):
    return rng.choice(
        [
            lambda: text[1:-1],
            lambda: f"({text})",
            text.upper,
            lambda: text.replace(" ", "\t", 1),
            lambda: text.replace(" ", "\n", 1),
            lambda: text.replace(" ", "   "),
            lambda: f" {text} ",
            lambda: rng.choice(names),
            lambda: f"({rng.choice(names)})",
            lambda: f"(( {rng.choice(names)} ))",
            lambda: text.replace("(not ", "(", 1),
            lambda: text.replace("and", "nand", 1),
            lambda: text.replace(rng.choice(names), "1", 1),
            lambda: text + ")",
            lambda: text[:-1],
            lambda: str(Formula(random_tree(rng, names))),
            lambda: "(not " * 100 + text + ")" * 100,
            lambda: f"(or {text} " + " ".join([names[0]] * 300) + ")",
            lambda: "x" * 20_001,
            lambda: "",
            lambda: "(and)",
            lambda: "(not)",
            lambda: f"(iff {names[0]} {names[1]} {names[2]})",
            lambda: f"(or {text} {text})",
        ]
    )()


BITS = (0, 1, "0", "1", True, False, 2, -1, None, "true", 0.0, 1.0, 0.5, [], "")


def mutate(rng, instance):
    """Return a reply in which one to three things of a right answer are changed."""
    answer = json.loads(json.dumps(right(instance)))
    names = list(instance.public.variables)
    alternative = "alternative" in answer
    for _ in range(rng.randint(0, 3)):
        model = answer.get("alternative") if alternative else answer
        changes = ["formula", "formula", "keys", "shape"]
        changes += ["experiment", "witness", "claims"] if alternative else ["roots"]
        change = rng.choice(changes)
        if not isinstance(model, dict) or not isinstance(model.get("mechanisms"), dict):
            break
        mechanisms = model["mechanisms"]
        if change == "formula" and mechanisms:
            name = rng.choice(sorted(mechanisms))
            if isinstance(mechanisms[name], str):
                mechanisms[name] = break_formula(rng, mechanisms[name], names)
        elif change == "keys":
            name = rng.choice([*names, "Y"])
            if name in mechanisms and rng.random() < 0.5:
                del mechanisms[name]
            else:
                mechanisms[name] = rng.choice(["X1", 3, None, ["and", "X1"], "(xor X1 X2)"])
        elif change == "shape":
            key = rng.choice(sorted(answer))
            answer[key] = rng.choice([None, [], {}, 3, "x"])
        elif change == "roots":
            answer["roots"] = rng.choice([names[:3], names[:2], ["X1", "X1", "X2"], "X1", None])
        elif isinstance(answer.get("experiment"), dict) and change == "experiment":
            _change_experiment(rng, answer, names)
        elif isinstance(answer.get("witness"), dict):
            _change_witness(rng, answer, names)
    text = json.dumps(answer)
    return rng.choice(
        [text] * 12 + [f"[{text}]", text[:-1], text.replace("{", '{"a": 1, "a": 2, ', 1)]
    )


def _change_experiment(rng, answer, names):
    experiment = answer["experiment"]
    which = rng.randrange(5)
    if which == 0:
        experiment["type"] = rng.choice(["soft_do", "hard_do", "HARD_DO", None, 1])
    elif which == 1:
        experiment.pop("type", None)
    elif which == 2:
        experiment["assignments"] = {rng.choice([*names, "Y"]): rng.choice(BITS)}
    elif which == 3:
        experiment["assignments"] = {names[0]: 1, names[1]: 0}
    else:
        experiment["assignments"] = rng.choice([{}, None, [], {"X1": {"value": 1}}])


def _change_witness(rng, answer, names):
    witness = answer["witness"]
    which = rng.randrange(6)
    if which == 0:
        witness.pop("differences", None)
    elif which == 1:
        witness["differences"] = rng.choice([[], None, {}, [3], [None, {"variable": 3}]])
    elif which == 2:
        witness["differences"] = [
            {"variable": name, "reference": rng.choice(BITS), "alternative": rng.choice(BITS)}
            for name in rng.sample([*names, "Y"], 2)
        ]
    elif which == 3 and isinstance(witness.get("rootAssignment"), dict):
        roots = witness["rootAssignment"]
        if roots:
            roots[rng.choice(sorted(roots))] = rng.choice(BITS)
    elif which == 4 and isinstance(witness.get("rootAssignment"), dict):
        witness["rootAssignment"][rng.choice([*names, "Y"])] = 1
    else:
        for claim in witness.get("differences") or ():
            if isinstance(claim, dict):
                claim |= {"reference": str(claim.get("reference")), "more": 1}


def differences(count, seed):
    rng = Random(seed)
    wrong, seen = [], {}
    for number in range(count):
        instance = drawn(LEVELS[number % len(LEVELS)], rng.randrange(3))
        reply = mutate(rng, instance)
        (verdict,) = score_many(FAMILY, [instance], [reply], RULES)
        expected = judge(instance, reply)
        for name, value in expected.items():
            seen.setdefault(name, set()).add(value)
            if verdict.numbers[name] != pytest.approx(value):
                wrong.append((instance.id, name, value, verdict.numbers[name], reply[:2000]))
    return wrong, seen


def test_mutated_answers_are_judged_as_the_published_rules_do():
    wrong, seen = differences(150, 1)
    assert not wrong[:3]
    assert all(len(values) > 1 for values in seen.values())


@pytest.mark.long
def test_ten_thousand_mutated_answers_are_judged_as_the_published_rules_do():
    wrong, _ = differences(10_000, 2)
    assert not wrong[:3]


@pytest.mark.parametrize("level", LEVELS)
def test_the_right_answer_earns_everything(level):
    instance = drawn(level, 0)
    found = judge(instance, json.dumps(right(instance)))
    assert set(found.values()) == {1}


def test_the_second_implementation_reads_what_it_should():
    assert parse("(and X1 (X2))", ("X1", "X2")) == ("and", "X1", "X2")
