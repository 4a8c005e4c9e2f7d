"""Who plays the bench without a model: ways to choose experiments, and ways to answer from them.

Exact inference and its rivals work in changes against rest. Each takes what an agent has seen by
then and returns one answer a question, None where it has none.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from math import gcd, prod
from operator import mul
from random import Random
from typing import Any, NamedTuple, cast

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.scm.dag import mask_of
from ..evidence.shortcuts import list_shortcuts, share_by_effects
from ..evidence.version_space import Equation, VersionSpace, list_whole_equations
from ..generation.bench import is_sound, is_wrong
from ..model.actions import Answer, Hold, Lock
from ..model.bench import (
    BenchInstance,
    BenchPublic,
    Experiment,
    Inquiry,
    Question,
    Terms,
    WholeMechanism,
)

_DRAWS = 60
"""How many mechanisms vote where experiments leave an answer open."""
_DRAW_TRIES = 400
_PASSES = 12
"""How often `many_fits` fits a column, and from how many causes `forward_fits` starts."""


@dataclass(frozen=True)
class Evidence:
    """What an agent has seen when the questions are asked."""

    public: BenchPublic
    rows: tuple[Experiment, ...]
    inquiries: tuple[Inquiry, ...]

    @property
    def size(self) -> int:
        """How many nodes there are, the frequency last."""
        return len(self.public.nodes)

    def list_equations(self) -> VersionSpace:
        """Return the equations of the stated form that the experiments leave."""
        return list_whole_equations(self.rows, self.size, self.public.largest)

    def measured_effects(self) -> list[list[int]]:
        """Return what one unit of each node changes: measured where it was held, else 0."""
        table = [[int(row == node) for node in range(self.size)] for row in range(self.size)]
        for held, offset, changes in self.rows:
            # By linearity an effect is a whole number of units.
            table[held] = [change // offset for change in changes]
        return table


Inference = Callable[[Evidence, Random], list[int | None]]
"""Changes that answer the questions, in order."""


def vote(evidence: Evidence, rng: Random) -> list[int | None]:
    """Answer what is settled; for the rest, let mechanisms drawn from what is left vote.

    A mechanism votes on a question that would have been asked under it: one that no shortcut
    answers and in which nothing cancels.
    """
    space = evidence.list_equations()
    found = [space.predict(one.offset_of, one.asked) for one in evidence.inquiries]
    if None not in found:
        return list(found)
    drawn = draw_mechanisms(space, rng, _DRAWS)
    listed = [list_shortcuts(mechanism, evidence.public.fixed) for mechanism in drawn]
    for place, one in enumerate(evidence.inquiries):
        if found[place] is not None:
            continue
        votes, plain = Counter[int](), Counter[int]()
        for mechanism, shortcuts in zip(drawn, listed, strict=True):
            change = mechanism.changes(one.offset_of)[one.asked]
            plain[change] += 1
            shares = mechanism.share_by_hold(one.held, one.asked)
            terms = [s * o for s, o in zip(shares, one.offsets, strict=True)]
            if len(one.held) == 1:
                votes[change] += bool(change)
            elif is_sound(terms) and all(
                is_wrong(shortcut(one.held, one.asked), shares, one.offsets)
                for shortcut in shortcuts.values()
            ):
                votes[change] += 1
        best = (+votes or plain).most_common(1)
        found[place] = best[0][0] if best else None
    return list(found)


def draw_mechanisms(space: VersionSpace, rng: Random, count: int) -> list[WholeMechanism]:
    """Draw acyclic mechanisms of equations left; fewer than `count` where most run in circles."""
    tried = (draw_acyclic(space, rng) for _ in range(_DRAW_TRIES))
    return list(islice((one for one in tried if one is not None), count))


def draw_acyclic(space: VersionSpace, rng: Random | None) -> WholeMechanism | None:
    """Put equations together, node by node, so that none closes a circle; None: a dead end.

    Args:
        space: What is left.
        rng: Draws the equations and the order of nodes; None: the first of each that fits, nodes
            with fewest equations first.
    """
    size = len(space.equations)
    nodes = list(range(size))
    if rng is None:
        nodes.sort(key=lambda node: len(space.equations[node]))
    else:
        rng.shuffle(nodes)
    chosen: dict[int, Equation] = {}

    def closes_circle(node: int, equation: Equation) -> bool:
        fresh, seen = [cause for cause, _ in equation], set[int]()
        while fresh:
            one = fresh.pop()
            if one == node:
                return True
            if one not in seen:
                seen.add(one)
                fresh += [cause for cause, _ in chosen.get(one, ())]
        return False

    for node in nodes:
        left = space.equations[node]
        if rng is None:
            tries: Sequence[Equation] = left
        else:
            tries = [rng.choice(left) for _ in range(8)] if left else []
        fits = next((one for one in tries if not closes_circle(node, one)), None)
        if fits is None:
            return None
        chosen[node] = fits
    whole = (tuple((cause, int(w or 0)) for cause, w in chosen[node]) for node in range(size))
    return WholeMechanism(tuple(whole))


def fit_first(evidence: Evidence, _rng: Random) -> list[int | None]:
    """Take the first equation that fits, fewest causes first, that closes no circle."""
    space = evidence.list_equations()
    simplest = VersionSpace(tuple(tuple(sorted(left, key=len)) for left in space.equations))
    return _run_first(evidence, simplest)


def _run_first(evidence: Evidence, equations: VersionSpace) -> list[int | None]:
    """Answer by the first equation of each node that closes no circle; None: a dead end."""
    mechanism = draw_acyclic(equations, None)
    if mechanism is None:
        return [None] * len(evidence.inquiries)
    return [mechanism.changes(one.offset_of)[one.asked] for one in evidence.inquiries]


def take_shortcut(name: str) -> Inference:
    """Make an inference that takes a shortcut of `share_by_effects` with the effects measured."""

    def infer(evidence: Evidence, _rng: Random) -> list[int | None]:
        share = share_by_effects(evidence.measured_effects())[name]
        return [
            round(sum(s * by for s, by in zip(share(held, asked), offsets, strict=True)))
            for held, offsets, asked, _ in evidence.inquiries
        ]

    return infer


Fit = Callable[[Sequence[Experiment], int, Sequence[int]], Mapping[int, Fraction]]
"""(experiments, a node, what may cause it) to a weight for each cause that is kept."""


def _fit_node(evidence: Evidence, node: int, fit: Fit) -> Terms:
    """Fit a node on all that did not move when it was held, and round the weights, half to even."""
    rows, causes = _list_candidates(evidence, node)
    weights = fit(rows, node, causes)
    return tuple((cause, round(w)) for cause, w in weights.items() if round(w))


def _list_candidates(evidence: Evidence, node: int) -> tuple[list[Experiment], list[int]]:
    """Return the experiments that did not hold a node, and what may be among its causes."""
    rows = [row for row in evidence.rows if row.held != node]
    moved = {n for row in evidence.rows if row.held == node for n, c in enumerate(row.changes) if c}
    return rows, [n for n in range(evidence.size - 1) if n != node and n not in moved]


def regress(evidence: Evidence, _rng: Random) -> list[int | None]:
    """Fit every node on the others, and run what comes out."""
    mechanism = WholeMechanism(
        tuple(_fit_node(evidence, node, eliminate) for node in range(evidence.size))
    )
    try:
        return [mechanism.changes(one.offset_of)[one.asked] for one in evidence.inquiries]
    except ValueError:
        return [None] * len(evidence.inquiries)


def fit_many_times(evidence: Evidence, rng: Random) -> list[int | None]:
    """Fit in many random orders, and follow the smallest weights from what is asked to the holds.

    A fit that runs in a circle counts as 0 there, so that one bad fit spoils few answers.
    """
    fits: dict[int, Terms] = {}

    def follow(node: int, changes: dict[int, int]) -> int:
        if node not in changes:
            if node not in fits:
                fits[node] = _fit_node(evidence, node, partial(_eliminate_at_random, rng))
            changes[node] = 0
            changes[node] = sum(weight * follow(one, changes) for one, weight in fits[node])
        return changes[node]

    return [follow(one.asked, one.offset_of) for one in evidence.inquiries]


def _eliminate_at_random(
    rng: Random, rows: Sequence[Experiment], node: int, causes: Sequence[int]
) -> Mapping[int, Fraction]:
    """Eliminate in random orders; of all passes the simplest fit, the first of those that tie."""
    orders = [rng.sample(causes, len(causes)) for _ in range(_PASSES)]

    def measure(fit: Mapping[int, Fraction]) -> tuple[bool, bool, Fraction]:
        odd = any(weight.denominator > 1 for weight in fit.values())
        return odd, len(fit) > 2, sum(map(abs, fit.values()), Fraction())

    return min((eliminate(rows, node, causes, order) for order in orders), key=measure)


def fit_forward(evidence: Evidence, _rng: Random) -> list[int | None]:
    """Add a second cause to each of the likeliest, and take what fits and closes no circle."""
    fits = VersionSpace(
        tuple((*_add_second_causes(evidence, node), ()) for node in range(evidence.size))
    )
    return _run_first(evidence, fits)


def _add_second_causes(evidence: Evidence, node: int) -> list[Terms]:
    """Return the simplest exact fit from each of the causes that go best with a node."""
    rows, causes = _list_candidates(evidence, node)

    def measure_agreement(cause: int) -> Fraction:
        pairs = [(row.changes[cause], row.changes[node]) for row in rows]
        square = sum(one * one for one, _ in pairs)
        return Fraction(sum(map(prod, pairs)) ** 2, square) if square else Fraction()

    found = set[Terms]()
    for start in sorted(causes, key=measure_agreement, reverse=True)[:_PASSES]:
        fits = (fit_exactly(rows, node, sorted({start, other})) for other in causes)
        whole = [
            tuple((cause, int(weight)) for cause, weight in fit.items())
            for fit in fits
            if fit
            and all(
                w.denominator == 1 and 0 < abs(w) <= evidence.public.largest for w in fit.values()
            )
        ]
        found |= {min(whole, key=_measure_size)} if whole else set()
    return sorted(found, key=_measure_size)


def _measure_size(terms: Terms) -> tuple[int, int, Terms]:
    return len(terms), sum(abs(weight) for _, weight in terms), terms


def eliminate(
    rows: Sequence[Experiment], node: int, causes: Sequence[int], order: Sequence[int] = ()
) -> Mapping[int, Fraction]:
    """Drop causes while the fit stays exact: in an order, or the smallest weight first."""
    fit = fit_exactly(rows, node, causes) or {}
    left = list(order or fit)
    while left:
        one = left[0] if order else min(left, key=lambda cause: abs(fit[cause]))
        left.remove(one)  # What cannot be dropped now cannot be later, when fewer are left.
        fewer = fit_exactly(rows, node, [cause for cause in fit if cause != one])
        fit = fit if fewer is None else fewer
    return fit


def fit_exactly(
    rows: Sequence[Experiment], node: int, causes: Sequence[int]
) -> dict[int, Fraction] | None:
    """Return the weights of least squares if they fit exactly, of many the smallest, else None.

    In whole numbers and fractions: weights tie, and many are one half, so that in floats it would
    rest on how a processor rounds which cause is dropped, which fit is simplest and what is read.
    """
    basis: list[tuple[list[int], int]] = []  # Rows turned until each is at right angles to others.
    for row in rows:
        rest = [row.changes[one] for one in (*causes, node)]
        for other, square in basis:
            share = sum(map(mul, rest[:-1], other))
            rest = [square * mine - share * its for mine, its in zip(rest, other, strict=True)]
        if any(rest[:-1]):
            shared = gcd(*rest)
            rest = [one // shared for one in rest]
            basis.append((rest, sum(one * one for one in rest[:-1])))
        elif rest[-1]:
            return None
    return {
        cause: sum((Fraction(row[at] * row[-1], square) for row, square in basis), Fraction())
        for at, cause in enumerate(causes)
    }


def copy_readings(evidence: Evidence, _rng: Random) -> list[int | None]:
    """Say that nothing changes."""
    return [0] * len(evidence.inquiries)


Choice = Callable[[BenchPublic, Sequence[Experiment], Random], int | None]
"""The next property to hold, of those that can be held; None: no more."""


def count_moves(public: BenchPublic, rows: Sequence[Experiment], rng: Random) -> int | None:
    """Choose what has moved in fewest experiments so far."""
    left = _not_held_yet(public, rows)
    if not left or len(rows) == public.budget:
        return None
    moved = {node: sum(bool(row.changes[node]) for row in rows) for node in left}
    fewest = min(moved.values())
    return rng.choice([node for node in left if moved[node] == fewest])


def follow_script(share: float = 1.0) -> Choice:
    """Choose at random, without looking, for a share of the budget."""

    def choose(public: BenchPublic, rows: Sequence[Experiment], rng: Random) -> int | None:
        left = _not_held_yet(public, rows)
        enough = round(share * public.budget)
        return rng.choice(left) if left and len(rows) < enough else None

    return choose


def _not_held_yet(public: BenchPublic, rows: Sequence[Experiment]) -> list[int]:
    done = {row.held for row in rows}
    return [
        node
        for node, name in enumerate(public.names)
        if name in public.holdable and node not in done
    ]


def play_bench(way: "Way") -> Callable[[BenchPublic, Rules, Random], Moves]:
    """Make a player of a way to play."""
    _, infer, choose = way

    def moves(public: BenchPublic, _rules: Rules, rng: Random) -> Moves:
        rows: list[Experiment] = []
        seen: Observation | None = None
        while (node := choose(public, rows, rng)) is not None:
            name, value = public.names[node], public.manipulator[node] + 1
            moved = sum(bool(row.changes[node]) for row in rows)
            said = f"{name} has moved in {moved} of {len(rows)} experiments so far."
            reason = said if rows and choose is count_moves else ""
            seen = yield Hold(property=name, value=value, thought=reason)
            if "readings" in seen.data:
                rows.append(_read_row(public, node, seen))
            if "questions" in seen.data:
                break
        if seen is None or "questions" not in seen.data:
            seen = yield Lock()
        reactor, inquiries = read_questions(public, seen)
        evidence = Evidence(public, tuple(rows), tuple(inquiries))
        found = infer(evidence, rng)
        answers = [
            None if change is None else reactor[one.asked] + change
            for one, change in zip(inquiries, found, strict=True)
        ]
        thought = _show_work(evidence, reactor, answers) if infer is vote else ""
        yield Answer(answers=tuple(answers), thought=thought)

    return moves


def _show_work(evidence: Evidence, reactor: Sequence[int], answers: Sequence[int | None]) -> str:
    """Say what the experiments showed, which equations they leave, and how each answer follows.

    All of it is in changes against rest, until the answers.
    """
    nodes, space = evidence.public.nodes, evidence.list_equations()
    said = ["In changes:"]
    for held, offset, changes in evidence.rows:
        moved = [f"{nodes[n]} {c}" for n, c in enumerate(changes) if c and n != held]
        said.append(f"{nodes[held]} {offset} gives {', '.join(moved) or 'nothing'};")
    told = [
        f"{nodes[node]} = {' + '.join(f'{weight} {nodes[cause]}' for cause, weight in left[0])}"
        for node, left in enumerate(space.equations)
        if len(left) == 1 and left[0]
    ]
    said.append(f"so {'; '.join(told)}." if told else "and no equation is left alone.")
    for number, (one, answer) in enumerate(zip(evidence.inquiries, answers, strict=True), 1):
        change, rest = space.predict(one.offset_of, one.asked), reactor[one.asked]
        steps = f"{_follow_equations(space, one, nodes)}; {rest} + {change} = {answer}"
        said.append(f"{number}: {steps if change is not None else f'most of these give {answer}'}.")
    return " ".join(said) if evidence.rows else ""


def _follow_equations(space: VersionSpace, one: Inquiry, nodes: Sequence[str]) -> str:
    """Write how what is held moves what is asked, by terms on which all equations left agree."""
    moving = space.find_moving(mask_of(one.held))
    found, steps = one.offset_of, [f"{nodes[n]} {by}" for n, by in one.offset_of.items()]

    def follow(node: int) -> int:
        if node not in found:
            agreed = space.agree(node, moving) or ()
            terms = [(int(weight or 0), follow(cause)) for cause, weight in agreed]
            found[node] = sum(weight * by for weight, by in terms)
            sums = " + ".join(f"{weight} * {by}" for weight, by in terms if by)
            steps.extend([f"{nodes[node]} {sums} = {found[node]}"] if sums else [])
        return found[node]

    follow(one.asked)
    return ", ".join(steps)


def _read_row(public: BenchPublic, node: int, seen: Observation) -> Experiment:
    readings = cast("list[int]", seen.data["readings"])
    changes = tuple(after - rest for after, rest in zip(readings, public.manipulator, strict=True))
    return Experiment(node, changes[node], changes)


def read_questions(public: BenchPublic, seen: Observation) -> tuple[list[int], list[Inquiry]]:
    """Return the reactor's readings and the questions in offsets, as the lock showed them."""
    data: Any = seen.data
    reactor = list(data["reactor"])
    asked = [Question(**one, kind="held") for one in data["questions"]]
    return reactor, [public.find_offsets(one, reactor) for one in asked]


def say_the_truth(instance: BenchInstance, _rules: Rules) -> Moves:
    """Answer from the secret."""
    yield Lock()
    yield Answer(
        answers=instance.secret.answers,
        arrows=tuple((edge.cause, edge.effect) for edge in instance.secret.edges),
    )


def act_at_random_at_bench(public: BenchPublic, _rules: Rules, rng: Random) -> Moves:
    """Hold at random, for a random time, and answer at random."""
    for _ in range(rng.randint(0, public.budget - 1)):
        name = rng.choice(public.holdable)
        rest = public.manipulator[public.names.index(name)]
        yield Hold(property=name, value=rest + rng.choice((-1, 1)) * rng.randint(1, public.limit))
    yield Lock()
    yield Answer(answers=tuple(rng.randint(-40, 40) for _ in range(public.questions)))


class Way(NamedTuple):
    """How a player without secrets plays: what it does, how it answers, and what it holds."""

    about: str
    infer: Inference
    choose: Choice = count_moves


WAYS = {
    "scientist": Way(
        "Holds what has moved least, keeps every equation that fits, and lets those left vote.",
        vote,
    ),
    "script": Way(
        "Holds random properties until the budget is spent, then infers like the scientist.",
        vote,
        follow_script(),
    ),
    "script_half": Way(
        "Holds random properties for half the budget, then infers like the scientist.",
        vote,
        follow_script(0.5),
    ),
    "first_fit": Way(
        "Holds what has moved least, then takes the simplest equations without a cycle.",
        fit_first,
    ),
    "first_fit_script": Way(
        "Holds random properties, then takes the simplest equations without a cycle.",
        fit_first,
        follow_script(),
    ),
    "least_squares": Way(
        "Fits every value by least squares, drops causes while the fit is exact, and rounds.",
        regress,
    ),
    "many_fits": Way(
        "Fits as least_squares does, in twelve random orders, and follows the smallest weights.",
        fit_many_times,
    ),
    "forward_fits": Way(
        "Adds a second cause to each of twelve, and takes the simplest exact fits without a cycle.",
        fit_forward,
    ),
    "table": Way(
        "Solves the table of measured effects for the holds; 0 where nothing was measured.",
        take_shortcut("table"),
    ),
    "superposition": Way(
        "Adds up the measured effects of the holds.", take_shortcut("superposition")
    ),
    "last_hold": Way("Counts only the hold that is named last.", take_shortcut("last_hold")),
    "whatever_moved": Way(
        "Takes everything that moved for a child, with its change as the weight.",
        take_shortcut("whatever_moved"),
    ),
    "fewest_arrows": Way(
        "Draws no arrow where a longer path explains what moved.", take_shortcut("fewest_arrows")
    ),
    "prior": Way("Never experiments; mechanisms of the stated form vote.", vote, follow_script(0)),
    "copy": Way(
        "Never experiments; answers with the reactor's readings.", copy_readings, follow_script(0)
    ),
}
"""Each player of the bench without secrets, by name."""
