"""Who plays the bench without a model: a way to choose experiments and a way to infer."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, cast

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causalab.evidence.version_space import Experiment
from causarium.families.causalab.model.actions import Answer, Hold, Lock
from causarium.families.causalab.model.bench import BenchInstance, BenchPublic
from causarium.families.causalab.players import bench_inference as ways
from causarium.families.causalab.players.bench_inference import Evidence, Inference, Inquiry

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


def follow_script(share: float = 1.0, *, short: int = 0) -> Choice:
    """Choose at random, without looking, for a share of the budget."""

    def choose(public: BenchPublic, rows: Sequence[Experiment], rng: Random) -> int | None:
        left = _not_held_yet(public, rows)
        enough = round(share * public.budget) - short
        return rng.choice(left) if left and len(rows) < enough else None

    return choose


def do_nothing(_public: BenchPublic, _rows: Sequence[Experiment], _rng: Random) -> None:
    """Choose no experiment."""


def _not_held_yet(public: BenchPublic, rows: Sequence[Experiment]) -> list[int]:
    done = {row.held for row in rows}
    return [
        node
        for node, name in enumerate(public.names)
        if name in public.holdable and node not in done
    ]


def play_bench(choose: Choice, infer: Inference) -> Callable[[BenchPublic, Rules, Random], Moves]:
    """Make a player of a choice of experiments and an inference.

    Args:
        choose: Which property to hold next.
        infer: How the questions are answered.
    """

    def moves(public: BenchPublic, _rules: Rules, rng: Random) -> Moves:
        rows: list[Experiment] = []
        seen: Observation | None = None
        while (node := choose(public, rows, rng)) is not None:
            name, value = public.names[node], public.manipulator[node] + 1
            moved = sum(bool(row.changes[node]) for row in rows)
            said = f"{name} has moved in {moved} of {len(rows)} experiments so far."
            reason = said if rows and choose is count_moves else ""
            seen = yield Hold(property=name, value=value, thought=reason)
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
        yield Answer(
            answers=tuple(answers), thought=_tell_equations(evidence) if infer is ways.vote else ""
        )

    return moves


def _tell_equations(evidence: Evidence) -> str:
    """Say which equations the experiments leave alone, in changes against rest."""
    nodes = evidence.public.nodes
    told = [
        f"{nodes[node]} = {' + '.join(f'{weight} {nodes[cause]}' for cause, weight in left[0])}"
        for node, left in enumerate(evidence.list_equations().equations)
        if len(left) == 1 and left[0]
    ]
    return f"One equation fits, in changes: {'; '.join(told)}." if told else ""


def _read_row(public: BenchPublic, node: int, seen: Observation) -> Experiment:
    readings = cast("list[int]", seen.data["readings"])
    changes = tuple(after - rest for after, rest in zip(readings, public.manipulator, strict=True))
    return Experiment(node, changes[node], changes)


def read_questions(public: BenchPublic, seen: Observation) -> tuple[list[int], list[Inquiry]]:
    """Return the reactor's readings and the questions in offsets, as the lock showed them."""
    data: Any = seen.data
    reactor = list(data["reactor"])
    index = {name: node for node, name in enumerate(public.nodes)}

    def inquiries() -> Iterator[Inquiry]:
        for question in data["questions"]:
            held = tuple(index[name] for name in question["holds"])
            values = question["holds"].values()
            offsets = tuple(v - reactor[n] for v, n in zip(values, held, strict=True))
            yield Inquiry(held, offsets, index[question["asked"]])

    return reactor, list(inquiries())


def say_the_truth(instance: BenchInstance, _rules: Rules, _rng: Random) -> Moves:
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


WAYS: dict[str, tuple[str, Choice, Inference]] = {
    "scientist": (
        "Holds what has moved least, keeps every equation that fits, and lets those left vote.",
        count_moves,
        ways.vote,
    ),
    "script": (
        "Holds at random as often as it may, then infers like the scientist.",
        follow_script(),
        ways.vote,
    ),
    "script_short": (
        "Holds at random once less than it may, then infers like the scientist.",
        follow_script(short=1),
        ways.vote,
    ),
    "script_half": (
        "Holds at random half as often as it may, then infers like the scientist.",
        follow_script(0.5),
        ways.vote,
    ),
    "first_fit": (
        "Holds what has moved least, then takes the simplest equations that close no circle.",
        count_moves,
        ways.fit_first,
    ),
    "first_fit_script": (
        "Holds at random, then takes the simplest equations that close no circle.",
        follow_script(),
        ways.fit_first,
    ),
    "least_squares": (
        "Fits every value by least squares, drops causes while the fit is exact, and rounds.",
        count_moves,
        ways.regress(ways.eliminate),
    ),
    "many_fits": (
        "Fits as least_squares does, in twelve random orders, and follows the smallest weights.",
        count_moves,
        ways.fit_many_times,
    ),
    "matching_pursuit": (
        "Fits every value on the two columns that match best, and rounds.",
        count_moves,
        ways.regress(ways.pursue),
    ),
    "ratios": (
        "Divides effects for what cannot be held, then solves the table of effects for the holds.",
        count_moves,
        ways.use_ratios,
    ),
    "consensus": (
        "Fits what is asked on the held columns, by the weights on which most experiments agree.",
        count_moves,
        ways.agree_on_pair,
    ),
    "table": (
        "Solves the table of measured effects for the holds; 0 where nothing was measured.",
        count_moves,
        ways.use_table,
    ),
    "superposition": ("Adds up the measured effects of the holds.", count_moves, ways.add_up),
    "last_hold": ("Counts the hold that is named last, alone.", count_moves, ways.take_last),
    "whatever_moved": (
        "Takes whatever moved for a child, and its change for the weight.",
        count_moves,
        ways.join_moved,
    ),
    "fewest_arrows": (
        "Draws no arrow where a longer path explains what moved.",
        count_moves,
        ways.join_needed,
    ),
    "static": (
        "Looks at direct causes that are held, and takes all others to be at rest.",
        count_moves,
        ways.look_at_causes,
    ),
    "prior": ("Never experiments; mechanisms of the stated form vote.", do_nothing, ways.vote),
    "copy": (
        "Never experiments; answers with the reactor's readings.",
        do_nothing,
        ways.copy_readings,
    ),
}
"""About, choice and inference of each player without secrets, by name."""
