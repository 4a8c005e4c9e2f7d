"""Who plays CausaLab without a model.

The table of contents; how each of them thinks is in `strategies/`.
"""

from collections.abc import Callable
from random import Random

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.instance import FREQUENCY, LabInstance, LabPublic, LabSecret
from causarium.families.causalab.strategies.dialog_player import through_interface
from causarium.families.causalab.strategies.few_acts import act_once, act_once_too_seldom
from causarium.families.causalab.strategies.final_answers import hypothesis_of, submit
from causarium.families.causalab.strategies.passive import (
    fit_whole_numbers,
    guess_blindly,
    guess_by_law,
    regress,
    sort_by_spread,
)
from causarium.families.causalab.strategies.random_experiments import (
    act_at_random,
    run_algorithm,
)
from causarium.families.causalab.strategies.scientist import experiment_and_infer
from causarium.families.causalab.strategies.shortcuts import (
    copy_the_reactor,
    draw_all_that_moved,
    draw_only_what_is_needed,
    regress_after_acting,
)
from causarium.players.silent import SILENT


def _say_the_truth(instance: LabInstance, rules: Rules, _rng: Random) -> Moves:
    public, secret = instance.public, instance.secret
    index = {name: i for i, name in enumerate(public.nodes)}

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
    plan = submit(secret.target, hypothesis_of(model), public, rules)
    return through_interface(plan, public, rules)


def _player(
    about: str,
    plan: Callable[[LabPublic, Rules, Random], Moves],
    *,
    blind: bool = False,
    slow: bool = False,
) -> Player[LabPublic, LabSecret]:
    def moves(public: LabPublic, rules: Rules, rng: Random) -> Moves:
        return through_interface(plan(public, rules, rng), public, rules)

    return Player(about=about, moves=moves, ignores_input=blind, slow=slow)


PLAYERS: dict[str, Player[LabPublic, LabSecret]] = {
    "oracle": Player(about="Knows the truth and says it.", moves_from_truth=_say_the_truth),
    "scientist": _player(
        "Puts every property to values in turn and infers the mechanism from what moves.",
        experiment_and_infer,
    ),
    "one_act_short": _player(
        "Experiments like the scientist but never on one property; explains with fewest parents.",
        act_once_too_seldom,
    ),
    "regresses_after_acts": _player(
        "Experiments enough, regresses the frequency, and draws only needed arrows elsewhere.",
        regress_after_acting,
    ),
    "fewest_arrows": _player(
        "Moves each property once and draws no arrow where a longer path explains what moved.",
        draw_only_what_is_needed,
    ),
    "whatever_moved": _player(
        "Moves each property once and takes whatever moved with it for its children.",
        draw_all_that_moved,
    ),
    "copies_reactor": _player(
        "Makes the manipulator's crystal read like the reactor's and submits its frequency.",
        copy_the_reactor,
    ),
    "one_act_only": _player(
        "Intervenes once, then says what is likeliest by the law of the generator.",
        act_once,
        slow=True,
    ),
    "armchair": _player(
        "Never experiments; says what is likeliest by the law of the generator.",
        guess_by_law,
        slow=True,
    ),
    "whole_numbers": _player(
        "Never experiments; fits whole-number coefficients to all that is shown.",
        fit_whole_numbers,
    ),
    "regression": _player(
        "Regresses the frequency on what is shown at the start; never experiments.", regress
    ),
    "sorter": _player(
        "Takes what spreads wider for the effect of what spreads less; never experiments.",
        sort_by_spread,
    ),
    "pc": _player(
        "Random experiments, then the PC algorithm on all readings (needs causal-learn).",
        run_algorithm("pc"),
    ),
    "ges": _player(
        "Random experiments, then the GES algorithm on all readings (needs causal-learn).",
        run_algorithm("ges"),
    ),
    "blind": _player(
        "Draws all arrows into the frequency and a random order of the properties; never looks.",
        guess_blindly,
        blind=True,
    ),
    "random": _player(
        "Random experiments, a random mechanism, and what it predicts.", act_at_random, blind=True
    ),
    "silent": SILENT,
}
"""All players, by name."""
