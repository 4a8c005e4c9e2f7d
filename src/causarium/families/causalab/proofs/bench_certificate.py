"""The certificate of a bench instance: what is settled, by which plan, and who cannot know it.

`recheck_bench` makes the same claims from the readings alone, by other means: equations are listed
by trying all of them in whole readings, and a question is settled when the values that each node
can take, followed through all equations left, come down to one. What a plan is, and how claims are
written down, is the same for both.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, product

import numpy as np

from causarium.contract.certificate import Findings, Proof
from causarium.errors import ContractError
from causarium.scm.dag import mask_of
from ..evidence.shortcuts import LAST_HOLD, list_shortcuts
from ..evidence.version_space import list_real_equations, list_whole_equations
from ..generation.bench import is_sound, is_wrong
from ..model.bench import BenchInstance, BenchPublic, Question, WholeEdge

CLAIMS = {
    "form": (
        "every value has at most two direct causes, with whole weights of the stated sizes, and "
        "the frequency causes nothing",
        "comparison",
    ),
    "answers": ("every answer follows from the one mechanism that both crystals obey", "replay"),
    "plan": ("the plan fits the budget and holds only what can be held", "comparison"),
    "settled": (
        "after the plan every equation left gives the stored answer to each question that counts",
        "list of equations",
    ),
    "past": (
        "each question that counts holds what acts through another hold and past it",
        "effects",
    ),
    "shortcuts": (
        "each listed shortcut that counts all holds, with all effects known to it, misses each "
        "question that counts",
        "evaluation",
    ),
    "signs": (
        "turning signs that no experiment touches leaves no answer likelier than the bounds",
        "all turns of signs",
    ),
}
"""Every claim with its method, by a short name."""


def certify_bench(instance: BenchInstance) -> Findings:
    """Prove what can be proven about one instance of the bench."""
    public, secret = instance.public, instance.secret
    size, fixed = len(public.nodes), public.fixed
    mechanism = secret.mechanism(public.nodes)
    rows = mechanism.push_each(public.index[name] for name in secret.plan)
    whole = list_whole_equations(rows, size, public.largest)
    space = list_real_equations(rows, size) if secret.any_weights else whole
    shortcuts = list_shortcuts(mechanism, fixed)
    holds = dict.fromkeys(CLAIMS, True)
    holds["form"] = all(
        len(terms) <= 2 and all(n < size - 1 and 0 < abs(w) <= public.largest for n, w in terms)
        for terms in mechanism.terms
    )
    holds["plan"] = _is_plan(public, secret.plan)
    last, passive, own = [], [], []
    for question, answer in zip(secret.questions, secret.answers, strict=True):
        one = public.find_offsets(question, secret.reactor)
        held, offsets, asked, kind = one
        changes = mechanism.changes(one.offset_of)
        holds["answers"] &= answer == secret.reactor[asked] + changes[asked]
        left = whole if kind == "whole" else space
        holds["settled"] &= left.predict(one.offset_of, asked) == answer - secret.reactor[asked]
        if kind != "held":
            continue
        shares = mechanism.share_by_hold(held, asked)
        terms = [share * offset for share, offset in zip(shares, offsets, strict=True)]
        holds["signs"] &= is_sound(terms)
        holds["past"] &= all(shares) and any(
            mechanism.effects[a][b] for a, b in product(held, held) if a != b
        )
        holds["past"] &= not fixed or bool(mask_of(held) & fixed)
        believed = {name: way(held, asked) for name, way in shortcuts.items()}
        holds["shortcuts"] &= all(
            is_wrong(some, shares, offsets)
            for name, some in believed.items()
            if not name.startswith(LAST_HOLD)
        )
        hits = (
            sum(b * o for b, o in zip(some, offsets, strict=True)) == sum(terms)
            for name, some in believed.items()
            if name.startswith(LAST_HOLD)
        )
        last.append(Fraction(any(hits)))
        passive.append(_likeliest(terms, range(len(held))))
        own.append(_likeliest(terms, [i for i, one in enumerate(held) if fixed >> one & 1]))
    return _make_findings(holds, public, secret.plan, (last, passive, own))


def _is_plan(public: BenchPublic, plan: Sequence[str]) -> bool:
    return len(set(plan)) == len(plan) <= public.budget and set(plan) <= set(public.holdable)


def _likeliest(terms: Sequence[int], turned: Iterable[int]) -> Fraction:
    """Return the share of the likeliest sum when the signs at some places are turned evenly."""
    turned = list(turned)
    sums: dict[int, int] = {}
    for signs in product((1, -1), repeat=len(turned)):
        by_place = dict(zip(turned, signs, strict=True))
        total = sum(by_place.get(place, 1) * term for place, term in enumerate(terms))
        sums[total] = sums.get(total, 0) + 1
    return Fraction(max(sums.values()), sum(sums.values()))


def _make_findings(
    holds: Mapping[str, bool],
    public: BenchPublic,
    plan: Sequence[str],
    odds: Sequence[Sequence[Fraction]],
) -> Findings:
    bounds = {
        name: float(sum(some) / len(some)) if some else 1.0
        for name, some in zip(("shortcuts", "passive", "fixed_unread"), odds, strict=True)
    }
    fixed = len(public.properties) - len(public.holdable)
    enough = bounds["passive"] <= 1 / 4 and (not fixed or bounds["fixed_unread"] <= 1 / 2)
    return Findings(
        optimum=float(len(plan)),
        # Who may hold everything that the plan holds cannot miss it.
        reachable=1.0 if len(plan) == len(public.holdable) else None,
        proofs=tuple(
            Proof(claim=claim, method=method, holds=holds[name] and (name != "signs" or enough))
            for name, (claim, method) in CLAIMS.items()
        ),
        bounds=bounds,
        extra={"plan": list(plan)},
    )


# The same again, from readings, by trying.


def recheck_bench(instance: BenchInstance) -> Findings:
    """Make the claims of the certificate again, by readings of crystals and by trying."""
    public, secret = instance.public, instance.secret
    run = partial(_run, public.nodes, secret.edges, secret.reactor)
    holds = dict.fromkeys(CLAIMS, True)
    effects = Counter(edge.effect for edge in secret.edges)
    holds["form"] = max(effects.values(), default=0) <= 2 and all(
        0 < abs(edge.weight) <= public.largest and edge.cause in public.names
        for edge in secret.edges
    )
    holds["plan"] = _is_plan(public, secret.plan)
    rest = dict(zip(public.nodes, secret.reactor, strict=True))
    effect = _measure_effects(public.names, run, rest)
    whole = _try_equations(public, effect, secret.plan, _fit_whole)
    left = _try_equations(public, effect, secret.plan, _fit_any) if secret.any_weights else whole
    last, passive, own = [], [], []
    for question, answer in zip(secret.questions, secret.answers, strict=True):
        values = run(question.holds)
        holds["answers"] &= values[question.asked] == answer
        offsets = {name: value - rest[name] for name, value in question.holds.items()}
        space = whole if question.kind == "whole" else left
        holds["settled"] &= _follow_values(space, offsets, public.nodes).get(question.asked) == (
            answer - rest[question.asked]
        )
        if question.kind != "held":
            continue
        holds["past"] &= _acts_past(run, rest, question, public)
        final, offset = list(offsets.items())[-1]
        guesses = {0, effect[final][question.asked] * offset}
        if final in public.holdable:
            guesses.discard(0)
        last.append(Fraction(answer - rest[question.asked] in guesses))
        turns = {}
        for turned, edges in _turn_signs(secret.edges, question.holds):
            other = partial(_run, public.nodes, edges, secret.reactor)
            turns[turned] = other(question.holds)[question.asked] - rest[question.asked]
            found = _measure_effects(public.names, other, rest)
            wrong = _list_wrong_answers(public, edges, found, offsets, question.asked)
            holds["shortcuts"] &= turns[turned] not in wrong
        holds["signs"] &= all(turns.values())
        passive.append(_share_of_likeliest(turns.values()))
        free = set(question.holds) & set(public.holdable)
        own.append(
            _share_of_likeliest(value for turned, value in turns.items() if not turned & free)
        )
    return _make_findings(holds, public, secret.plan, (last, passive, own))


_Run = Callable[[Mapping[str, int]], Mapping[str, int]]
"""(what is held, at which values) to what all nodes of a crystal read."""


def _measure_effects(
    names: Sequence[str], run: _Run, rest: Mapping[str, int]
) -> dict[str, dict[str, int]]:
    """Return what one unit of each property, held alone, changes in every node."""
    return {x: {y: at - rest[y] for y, at in run({x: rest[x] + 1}).items()} for x in names}


def _run(
    nodes: Sequence[str],
    edges: Sequence[WholeEdge],
    rest: Sequence[int],
    held: Mapping[str, int],
) -> dict[str, int]:
    """Run a crystal by going round its equations until nothing changes."""
    start = dict(zip(nodes, rest, strict=True))
    base = dict(start)
    for edge in edges:
        base[edge.effect] -= edge.weight * start[edge.cause]
    values = {**start, **held}
    for _ in nodes:
        again = dict(base)
        for edge in edges:
            again[edge.effect] += edge.weight * values[edge.cause]
        values = {**again, **held}
    return values


_Left = dict[str, list[dict[str, float | None]]]


def _try_equations(
    public: BenchPublic,
    effect: Mapping[str, Mapping[str, int]],
    plan: Sequence[str],
    fit: Callable[[np.ndarray, np.ndarray, int], Iterator[Sequence[float | None]]],
) -> _Left:
    found: _Left = {}
    for node in public.nodes:
        rows = [x for x in plan if x != node]
        barred = {y for y, change in effect[node].items() if change} if node in plan else {node}
        causes = [name for name in public.names if name not in barred and name != node]
        wanted = np.array([effect[x][node] for x in rows], float)
        found[node] = []
        for count in range(3):
            for some in combinations(causes, count):
                matrix = np.array([[effect[x][c] for c in some] for x in rows], float)
                matrix = matrix.reshape(len(rows), count)
                for weights in fit(matrix, wanted, public.largest):
                    found[node].append(dict(zip(some, weights, strict=True)))
    return found


def _fit_whole(matrix: np.ndarray, wanted: np.ndarray, largest: int) -> Iterator[Sequence[float]]:
    sizes = [w for w in range(-largest, largest + 1) if w]
    count = matrix.shape[1]
    tries = np.array(list(product(sizes, repeat=count)), float).reshape(len(sizes) ** count, count)
    fits = (matrix @ tries.T == wanted[:, None]).all(axis=0)
    yield from tries[fits].tolist()


def _fit_any(
    matrix: np.ndarray, wanted: np.ndarray, _largest: int
) -> Iterator[Sequence[float | None]]:
    count = matrix.shape[1]
    if not count:
        if not wanted.any():
            yield ()
        return
    weights, _, rank, _ = np.linalg.lstsq(matrix, wanted, rcond=None)
    if np.abs(matrix @ weights - wanted).max(initial=0) > 1e-7:
        return
    unknown = [
        rank < count and np.linalg.matrix_rank(np.delete(matrix, at, axis=1)) == rank
        for at in range(count)
    ]
    if all(u or abs(w) > 1e-7 for u, w in zip(unknown, weights, strict=True)):
        yield [None if u else round(float(w), 6) for u, w in zip(unknown, weights, strict=True)]


def _follow_values(
    left: _Left, offsets: Mapping[str, int], nodes: Sequence[str]
) -> dict[str, float | None]:
    """Return the one change that each node can have, None where it can have several."""
    values: dict[str, float | None] = {n: float(offsets.get(n, 0)) for n in nodes}
    for _ in range(2 * len(nodes)):
        again: dict[str, float | None] = {}
        for node in nodes:
            if node in offsets:
                again[node] = values[node]
                continue
            sums = {_sum_up(equation, values) for equation in left[node]}
            again[node] = sums.pop() if len(sums) == 1 else None
        values = again
    return values


def _sum_up(
    equation: Mapping[str, float | None], values: Mapping[str, float | None]
) -> float | None:
    total = 0.0
    for cause, weight in equation.items():
        value = values[cause]
        if value == 0:
            continue
        if value is None or weight is None:
            return None
        total += weight * value
    return round(total, 4)


def _acts_past(run: _Run, rest: Mapping[str, int], question: Question, public: BenchPublic) -> bool:
    held = {name: rest[name] for name in question.holds}
    acts = [
        run({**held, name: held[name] + 1})[question.asked] != rest[question.asked] for name in held
    ]
    joined = any(
        run({name: held[name] + 1})[other] != held[other]
        for name, other in product(held, held)
        if name != other
    )
    all_can = len(public.holdable) == len(public.names)
    return all(acts) and joined and (all_can or not set(held) <= set(public.holdable))


def _list_wrong_answers(
    public: BenchPublic,
    edges: Sequence[WholeEdge],
    effect: Mapping[str, Mapping[str, int]],
    offsets: Mapping[str, int],
    asked: str,
) -> Iterator[int]:
    names, zero = public.names, [0] * len(public.nodes)
    for known in (set(names), set(public.holdable)):
        seen = {x: {y: effect[x][y] * (x in known) for y in public.nodes if y != x} for x in names}
        yield sum(seen[x][asked] * offset for x, offset in offsets.items())
        moved = {(x, y) for x in names for y in public.nodes if y != x and seen[x][y]}
        needed = {
            (x, y) for x, y in moved if not any((x, z) in moved and (z, y) in moved for z in names)
        }
        for drawn in (moved, needed):
            believed = [WholeEdge(cause=x, effect=y, weight=seen[x][y]) for x, y in drawn]
            yield _run(public.nodes, believed, zero, offsets)[asked]
            if known == set(names) and drawn is needed:
                final = public.nodes[-1]
                mixed = [one for one in believed if one.effect != final]
                mixed += [edge for edge in edges if edge.effect == final]
                yield _run(public.nodes, mixed, zero, offsets)[asked]
        if known != set(names):
            # The pushes that bring the holds to their places; effects run one way, so this ends.
            pushes = dict(offsets)
            for _ in offsets:
                pushes = {
                    x: at - sum(pushes[z] * seen[z][x] for z in offsets if z != x)
                    for x, at in offsets.items()
                }
            yield sum(pushes[x] * seen[x][asked] for x in offsets)
    yield sum(edge.weight * offsets.get(edge.cause, 0) for edge in edges if edge.effect == asked)


def _turn_signs(
    edges: Sequence[WholeEdge], held: Iterable[str]
) -> Iterator[tuple[frozenset[str], list[WholeEdge]]]:
    """Yield some held properties, all ways, and the arrows with the signs of theirs turned."""
    names = list(held)
    for turned in chain(*(combinations(names, count) for count in range(len(names) + 1))):
        other = [
            edge.model_copy(update={"weight": -edge.weight})
            if (edge.cause in turned) != (edge.effect in turned)
            else edge
            for edge in edges
        ]
        yield frozenset(turned), other


def _share_of_likeliest(values: Iterable[int]) -> Fraction:
    listed = list(values)
    return Fraction(max(map(listed.count, listed)), len(listed))


# Faults that the certificate must find.


def _spoil_answer(instance: BenchInstance) -> BenchInstance:
    first, *others = instance.secret.answers
    return _with_secret(instance, answers=(first + 1, *others))


def _spoil_weight(instance: BenchInstance) -> BenchInstance:
    """Turn the sign of the first arrow that the first answer rests on."""
    public, secret = instance.public, instance.secret
    question, answer = secret.questions[0], secret.answers[0]
    for at, edge in enumerate(secret.edges):
        turned = edge.model_copy(update={"weight": -edge.weight})
        edges = (*secret.edges[:at], turned, *secret.edges[at + 1 :])
        values = _run(public.nodes, edges, secret.reactor, question.holds)
        if values[question.asked] != answer:
            return _with_secret(instance, edges=edges)
    raise ContractError(f"no arrow of {instance.id} bears on its first question")


def _spoil_hold(instance: BenchInstance) -> BenchInstance:
    """Hold one property alone in a question that counts."""
    questions, answers = list(instance.secret.questions), list(instance.secret.answers)
    at = next(place for place, one in enumerate(questions) if one.kind == "held")
    name, value = next(iter(questions[at].holds.items()))
    questions[at] = questions[at].model_copy(update={"holds": {name: value}})
    secret = instance.secret
    values = _run(instance.public.nodes, secret.edges, secret.reactor, {name: value})
    answers[at] = values[questions[at].asked]
    return _with_secret(instance, questions=tuple(questions), answers=tuple(answers))


def _spoil_control(instance: BenchInstance) -> BenchInstance:
    """Say that a property of the plan cannot be held."""
    gone = instance.secret.plan[0]
    kept = tuple(name for name in instance.public.holdable if name != gone)
    return instance.model_copy(
        update={"public": instance.public.model_copy(update={"holdable": kept})}
    )


def _spoil_size(instance: BenchInstance) -> BenchInstance:
    """Make the first weight larger than the largest that is stated."""
    first, *others = instance.secret.edges
    larger = first.model_copy(update={"weight": instance.public.largest + 1})
    return _with_edges(instance, larger, *others)


def _spoil_count(instance: BenchInstance) -> BenchInstance:
    """Give the frequency, which has two causes, a third."""
    edges, final = instance.secret.edges, instance.public.nodes[-1]
    causes = {edge.cause for edge in edges if edge.effect == final}
    third = next(name for name in instance.public.names if name not in causes)
    return _with_edges(instance, *edges, WholeEdge(cause=third, effect=final, weight=1))


def _with_edges(instance: BenchInstance, *edges: WholeEdge) -> BenchInstance:
    """Change the mechanism, and the answers with it."""
    nodes, secret = instance.public.nodes, instance.secret
    answers = tuple(
        _run(nodes, edges, secret.reactor, one.holds)[one.asked] for one in secret.questions
    )
    return _with_secret(instance, edges=edges, answers=answers)


def _with_secret(instance: BenchInstance, **changes: object) -> BenchInstance:
    return instance.model_copy(update={"secret": instance.secret.model_copy(update=changes)})


BENCH_FAULTS: dict[str, Callable[[BenchInstance], BenchInstance]] = {
    "answer off by one": _spoil_answer,
    "plan without experiments": partial(_with_secret, plan=()),
    "weight with the other sign": _spoil_weight,
    "question with one hold": _spoil_hold,
    "plan with what cannot be held": _spoil_control,
    "weight too large": _spoil_size,
    "third cause": _spoil_count,
}
"""Each spoils a good instance in one way that a proof must find."""
