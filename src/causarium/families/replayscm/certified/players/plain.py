"""Players that do not reason: the oracle, chance, and constant answers."""

from functools import partial
from random import Random

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from ..mechanics.case import write_rule
from ..mechanics.systems import TABLES, Rule
from ..model import LETTERS, OUTSIDE, TRAIT, Answer, ReplayInstance, ReplayPublic, ReplaySecret


def play_oracle(instance: ReplayInstance, _rules: Rules, _rng: Random) -> Moves:
    """Hand in the truth."""
    yield Answer(answers=dict(instance.secret.answers))


def play_random(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Hand in answers drawn at random."""
    answers = {name: _guess_rule(public, name, rng) for name in public.rules_asked}
    answers |= {world: rng.choice(public.with_rules) for world in public.hands_asked}
    answers |= {one.id: rng.choice("01?") for one in public.whatifs}
    answers |= {one.id: rng.choice(LETTERS) for one in public.plans}
    yield Answer(answers=answers)


def _guess_rule(public: ReplayPublic, name: str, rng: Random) -> str:
    names = (*public.names, TRAIT)
    others = [i for i, one in enumerate(public.names) if one != name]
    others += [len(public.names)] if public.trait_rules else []
    if public.rung == 1:
        return rng.choice((names[others[0]], f"not {names[others[0]]}", "0", "1"))
    if public.causes == 1 and rng.random() < 1 / 3:
        return OUTSIDE
    causes = tuple(sorted(rng.sample(others, public.causes)))
    return write_rule(Rule(causes, rng.choice(TABLES[public.causes])), names)


def play_constant(public: ReplayPublic, _rules: Rules, _rng: Random, *, turn: int) -> Moves:
    """Hand in the same answers whatever is shown; `turn` says which."""
    names = public.names
    answers = {}
    for name in public.rules_asked:
        others = [one for one in (*(public.outside or ()), *names) if one != name]
        if public.rung == 1:
            answers[name] = (others[0], "0", "1")[turn]
        elif public.causes == 1:
            answers[name] = (OUTSIDE, others[0], others[1])[turn]
        else:
            first, second = dict.fromkeys(others).__iter__(), list(dict.fromkeys(others))
            answers[name] = f"{next(first)} {('and', 'or', 'xor')[turn]} {second[1]}"
    answers |= dict.fromkeys(public.hands_asked, public.with_rules[turn % len(public.with_rules)])
    answers |= {one.id: "01?"[turn] for one in public.whatifs}
    answers |= {one.id: LETTERS[turn] for one in public.plans}
    yield Answer(answers=answers)


def list_constants() -> dict[str, Player[ReplayPublic, ReplaySecret]]:
    """Return the players that always say the same."""
    return {
        f"constant_{turn + 1}": Player(
            about="Says the same whatever is shown.",
            moves=partial(play_constant, turn=turn),
            ignores_input=True,
        )
        for turn in range(3)
    }
