"""Who plays CausalLink without a model.

Inquiries speak of interventions and answers only. `_take_turns` turns them into the turns of the
interface: under the text protocol it makes the choices between, and the one intervention that has
to come first.
"""

from random import Random
from typing import cast

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causallink.actions import CONTINUE, STOP, Answer, Choose, Intervene
from causarium.families.causallink.instance import LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.mechanics.theme import theme
from causarium.families.causallink.strategies.inquiry import (
    Inquirer,
    Inquiry,
    Start,
    State,
    inquire_optimally,
    probe_at_random,
    probe_once,
    say_always,
    trust_words,
)
from causarium.families.causallink.strategies.shortcuts import look_up, stop_one_short
from causarium.players.silent import SILENT


def _take_turns(inquiry: Inquiry, public: LinkPublic, rules: Rules) -> Moves:
    """Turn an inquiry into the turns of the interface."""
    words = theme(public.theme)
    as_text = rules.interface == "json"
    first = True
    try:
        wish = next(inquiry)
        while True:
            if as_text and not first:
                yield Choose(next=CONTINUE)
            first = False
            verb = words.start if isinstance(wish, Start) else words.stop
            seen = yield Intervene(shape=wish.name, action=verb)
            wish = inquiry.send(_active(seen))
    except StopIteration as end:
        answer = bool(end.value)
    if as_text and first:
        yield Intervene(shape=public.cause, action=words.stop)
    if as_text:
        yield Choose(next=STOP)
    yield Answer(answer="yes" if answer else "no")


def _active(seen: Observation) -> State:
    return frozenset(cast("list[str]", seen.data.get("moving", [])))


def _player(
    about: str, inquirer: Inquirer, *, blind: bool = False
) -> Player[LinkPublic, LinkSecret]:
    def play(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
        return _take_turns(inquirer(public, rng), public, rules)

    return Player(about=about, moves=play, ignores_input=blind)


def _say_truth(instance: LinkInstance, rules: Rules, rng: Random) -> Moves:
    inquirer = say_always(answer=instance.secret.truth)
    return _take_turns(inquirer(instance.public, rng), instance.public, rules)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(about="Knows the truth and says it.", moves_from_truth=_say_truth),
    "optimal": _player(
        "Asks with the fewest interventions that always suffice.", inquire_optimally
    ),
    "one_short": _player(
        "Knows how cases are drawn and makes the best of one intervention too few.", stop_one_short
    ),
    "one_shot": _player("Probes the cause once; yes if the effect's state changed.", probe_once),
    "lookup_1": _player(
        "Makes one fixed intervention and looks the answer up in a table learnt elsewhere.",
        look_up(1),
    ),
    "lookup_2": _player(
        "Makes two fixed interventions and looks the answer up in a table learnt elsewhere.",
        look_up(2),
    ),
    "first_look": _player(
        "Knows how cases are drawn and answers by the first look alone.", look_up(0)
    ),
    "words": _player("Says what the words suggest, without looking.", trust_words, blind=True),
    "always_yes": _player("Says yes without looking.", say_always(answer=True), blind=True),
    "always_no": _player("Says no without looking.", say_always(answer=False), blind=True),
    "random": _player("Intervenes at random and tosses a coin.", probe_at_random, blind=True),
    "silent": SILENT,
}
"""All players, by name."""
