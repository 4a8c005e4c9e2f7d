"""Who plays CausaLab without a model.

The table of contents; how each of them thinks is in the modules beside it. A player of one edition
alone falls silent in the other.
"""

from collections.abc import Callable
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.model.bench import BenchPublic
from causarium.families.causalab.model.instance import FREQUENCY, LabInstance, LabPublic
from causarium.families.causalab.model.stored_instance import (
    EitherInstance,
    EitherPublic,
    EitherSecret,
    by_edition,
)
from causarium.families.causalab.players.bench import (
    WAYS,
    act_at_random_at_bench,
    play_bench,
    say_the_truth,
)
from causarium.families.causalab.players.dialog_player import through_interface
from causarium.families.causalab.players.published import (
    act_at_random,
    experiment_and_infer,
    hypothesis_of,
    regress,
    submit,
)

PaperPlan = Callable[[LabPublic, Rules, Random], Moves]
BenchPlan = Callable[[BenchPublic, Rules, Random], Moves]


def _say_the_truth(instance: EitherInstance, rules: Rules, _rng: Random) -> Moves:
    plan = by_edition(say_the_truth, _say_the_paper_truth)
    return through_interface(plan(instance, rules), instance.public, rules)


def _say_the_paper_truth(instance: LabInstance, rules: Rules) -> Moves:
    public, secret = instance.public, instance.secret
    index = public.index

    def equation(node: str) -> Equation:
        into = [edge for edge in secret.edges if edge.effect == node]
        square = {index[e.cause]: e.square for e in into} if public.form == "quadratic" else {}
        return Equation({index[e.cause]: e.linear for e in into}, square)

    model = Model(
        public,
        tuple(equation(name) for name in public.names),
        equation(FREQUENCY),
        secret.base_frequency,
    )
    return submit(secret.target, hypothesis_of(model), public, rules)


def _stay_silent(_public: object, _rules: Rules, _rng: Random) -> Moves:
    yield from ()


def _player(
    about: str,
    paper: PaperPlan = _stay_silent,
    bench: BenchPlan = _stay_silent,
    *,
    blind: bool = False,
) -> Player[EitherPublic, EitherSecret]:
    plan = by_edition(bench, paper)

    def moves(public: EitherPublic, rules: Rules, rng: Random) -> Moves:
        return through_interface(plan(public, rules, rng), public, rules)

    return Player(about=about, moves=moves, ignores_input=blind)


PLAYERS: dict[str, Player[EitherPublic, EitherSecret]] = {
    "oracle": Player(about="Knows the truth and says it.", moves_from_truth=_say_the_truth),
    "scientist": _player(
        "Experiments on every property it may, keeps every equation that fits, and answers by it.",
        experiment_and_infer,
        play_bench(WAYS["scientist"]),
    ),
    **{
        name: _player(way.about, bench=play_bench(way), blind=name in {"prior", "copy"})
        for name, way in WAYS.items()
        if name != "scientist"
    },
    "regression": _player(
        "Regresses the frequency on what is shown at the start; never experiments.", regress
    ),
    "random": _player(
        "Random experiments and a random answer.",
        act_at_random,
        act_at_random_at_bench,
        blind=True,
    ),
    "silent": SILENT,
}
"""All players, by name."""
