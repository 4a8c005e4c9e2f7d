"""Who plays CausalLink without a model: exact inference, the oracle, and attacks.

Every player has a rule for logs and a way with graphs. Those that are attacks on logs try a graph
once, which earns nothing there.
"""

from collections.abc import Callable
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.families.causallink.model.instance import (
    Answer,
    LinkInstance,
    LinkPublic,
    LinkSecret,
    Run,
    is_published,
)
from causarium.families.causallink.model.theme import theme
from causarium.families.causallink.players import log_rules
from causarium.families.causallink.players.inquiries import (
    Inquirer,
    inquire_optimally,
    probe_at_random,
    probe_once,
    say_always,
    take_turns,
)
from causarium.families.causallink.players.log_rules import Rule, play_rule


def _player(
    rule: Rule, inquirer: Inquirer = probe_once, *, about: str = "", slow: bool = False
) -> Player[LinkPublic, LinkSecret]:
    """Return a player with a rule for logs, which it explains, and an inquiry."""

    def play(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
        if public.machine is not None:
            return play_rule(public, rule, rng, why=rule is log_rules.choose_exactly)
        return take_turns(inquirer(public, rng), public, rules)

    return Player(about=about or rule.__doc__ or "", moves=play, slow=slow)


def _sayer(about: str, say: Callable[[LinkPublic], bool]) -> Player[LinkPublic, LinkSecret]:
    """Return a player that looks at nothing and says what it would have said anyway."""

    def play(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
        if public.machine is not None:
            yield Answer(answer="yes" if say(public) else "no")
        else:
            inquiry = say_always(answer=say(public))(public, rng)
            yield from take_turns(inquiry, public, rules)

    return Player(about=about, moves=play, ignores_input=True)


def _play_at_random(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
    if public.machine is None:
        yield from take_turns(probe_at_random(public, rng), public, rules)
    else:
        yield Run(move=tuple(name for name in public.parts if rng.random() < 0.5))
        yield Answer(answer="yes" if rng.random() < 0.5 else "no")


def _play_from_truth(instance: LinkInstance, rules: Rules, rng: Random) -> Moves:
    public, secret = instance.public, instance.secret
    if secret.machine is not None:
        return play_rule(public, log_rules.choose_exactly, rng)
    if is_published(instance):
        return take_turns(say_always(answer=secret.truth)(public, rng), public, rules)
    return take_turns(inquire_optimally(public, rng), public, rules)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(
        about="Knows the truth, and does what shows it.", moves_from_truth=_play_from_truth
    ),
    "exact": _player(
        log_rules.choose_exactly,
        inquire_optimally,
        about="Weighs all worlds that fit the log; tries out graphs with the fewest interventions.",
    ),
    "optimal": _player(
        log_rules.choose_exactly,
        inquire_optimally,
        about="Tries out graphs with the fewest interventions that always suffice; logs as `exact` "
        "does.",
    ),
    "trained": _player(log_rules.follow_training, slow=True),
    "strike_off": _player(log_rules.strike_off),
    "no_guards": _player(log_rules.forget_guards),
    "repeat": _player(log_rules.repeat_leanest),
    "least_squares": _player(log_rules.follow_least_squares),
    "no_log": _player(log_rules.move_some),
    "one_shot": _player(log_rules.hold_all),
    "words": _sayer(
        "Says what the words suggest, without looking.",
        lambda public: bool(theme(public.theme).suggests(public.cause, public.effect)),
    ),
    "always_yes": _sayer("Says yes without looking.", lambda _public: True),
    "always_no": _sayer("Says no without looking.", lambda _public: False),
    "random": Player(
        about="Acts at random and tosses a coin.", moves=_play_at_random, ignores_input=True
    ),
    "silent": SILENT,
}
"""All players, by name."""
