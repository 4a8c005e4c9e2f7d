"""Who plays without a model: the exact player, the oracle, the blind, and lesser programs."""

from collections.abc import Callable
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from ..mechanics.identify import Law
from ..mechanics.legs import find_best, read_told
from ..model import CHOICES, Fly, GameInstance, GamePublic, GameSecret, Leg
from .exact import (
    Trial,
    choose,
    list_trials,
    name_settings,
    play_exact,
    read_book,
    say_choices,
)
from .rules import NUMBERS, READERS, Rule

GamePlayer = Player[GamePublic, GameSecret]
Plan = Callable[[GamePublic, Random], list[Trial]]
Readings = dict[int, tuple[Trial, Law]]


def _play_truth(instance: GameInstance, _rules: Rules, _rng: Random) -> Moves:
    legs = zip(instance.public.legs, instance.secret.legs, strict=True)
    yield say_choices({place: find_best(*leg) for place, leg in enumerate(legs)})


def _answer_always(choice: str) -> GamePlayer:
    def play(public: GamePublic, _rules: Rules, _rng: Random) -> Moves:
        yield say_choices(dict.fromkeys(range(len(public.legs)), choice))

    return Player(about=f"Says {choice} on every leg.", moves=play, ignores_input=True)


def _toss(public: GamePublic, _rules: Rules, rng: Random) -> Moves:
    yield say_choices({place: rng.choice(CHOICES) for place in range(len(public.legs))})


def _play_plan(
    plan: Plan, decide: Callable[[Leg, tuple[Trial, Law] | None], str | None]
) -> Callable[[GamePublic, Rules, Random], Moves]:
    """Return a way to play: fly a plan, decide leg by leg, toss a coin where nothing is said."""

    def play(public: GamePublic, _rules: Rules, rng: Random) -> Moves:
        readings: Readings = {}
        for trial in plan(public, rng):
            leg = public.legs[trial.leg]
            seen = yield Fly(leg=trial.leg + 1, set=name_settings(leg, trial.settings))
            readings[trial.leg] = (trial, read_book(leg, seen))
        said = {}
        for place, leg in enumerate(public.legs):
            said[place] = decide(leg, readings.get(place)) or rng.choice(CHOICES)
        yield say_choices(said)

    return play


def _plan_nothing(_public: GamePublic, _rng: Random) -> list[Trial]:
    return []


def _plan_needed(public: GamePublic, _rng: Random) -> list[Trial]:
    return list_trials(public)


def _plan_unset(public: GamePublic, _rng: Random) -> list[Trial]:
    trials = list_trials(public)
    return [t._replace(settings={}) if public.legs[t.leg].can_fit else t for t in trials]


def _plan_by_lot(public: GamePublic, rng: Random) -> list[Trial]:
    places = rng.sample(range(len(public.legs)), public.trials)
    return [_hold(public, place, rng) for place in places]


def _plan_confounded(public: GamePublic, rng: Random) -> list[Trial]:
    """Fly the legs whose module and return are told to share an unrecorded cause."""
    legs = public.legs
    marked = [p for p, leg in enumerate(legs) if read_told(leg).is_confounded or len(leg.told) > 1]
    rng.shuffle(marked)
    return [_hold(public, place, rng) for place in marked[: public.trials]]


def _hold(public: GamePublic, place: int, rng: Random) -> Trial:
    leg = public.legs[place]
    if leg.can_fit:
        return Trial(place, leg.settings)
    return Trial(place, {rng.randrange(len(leg.columns)): rng.randrange(2)})


def _follow(rule: Rule) -> Callable[[Leg, tuple[Trial, Law] | None], str | None]:
    """Return a decision by a trial where the module was flown, and else by a rule."""

    def decide(leg: Leg, reading: tuple[Trial, Law] | None) -> str | None:
        if reading is not None and leg.can_fit:
            return choose(leg, reading)
        effect = rule(leg)
        return None if not effect else "fit" if effect > 0 else "bare"

    return decide


def _read_alone(rule: Rule) -> Callable[[Leg, tuple[Trial, Law] | None], str | None]:
    """Return a decision by a rule that reads briefings; a coin where clerks differ."""
    follow = _follow(rule)

    def decide(leg: Leg, reading: tuple[Trial, Law] | None) -> str | None:
        return None if len(leg.told) > 1 else follow(leg, reading)

    return decide


def _toss_lots(leg: Leg, reading: tuple[Trial, Law] | None) -> str | None:
    is_lot = leg.uniform and read_told(leg).is_confounded
    return None if is_lot else choose(leg, reading)


PLAYERS: dict[str, GamePlayer] = {
    "exact": Player(
        about="Reads each effect off the book by the ID algorithm, and flies where it cannot.",
        moves=play_exact,
    ),
    "oracle": Player(about="Knows the better choice.", moves_from_truth=_play_truth),
    "silent": SILENT,
    "always_fit": _answer_always("fit"),
    "always_bare": _answer_always("bare"),
    "random": Player(about="Tosses a coin for each leg.", moves=_toss, ignores_input=True),
    "no_trial": Player(
        about="As exact, without trials; a coin where the book cannot tell.",
        moves=_play_plan(_plan_nothing, choose),
    ),
    "trials_by_lot": Player(
        about="As exact, with its trials on legs by lot.", moves=_play_plan(_plan_by_lot, choose)
    ),
    "trials_on_marked": Player(
        about="As exact, with its trials where module and return share an unrecorded cause.",
        moves=_play_plan(_plan_confounded, choose),
    ),
    "trial_unset": Player(
        about="As exact, with no column held in trials.", moves=_play_plan(_plan_unset, choose)
    ),
    "no_lots": Player(
        about="As exact, with a coin where a lot moved the module.",
        moves=_play_plan(_plan_needed, _toss_lots),
    ),
    **{
        name: Player(about=about, moves=_play_plan(_plan_needed, _read_alone(rule)))
        for name, (rule, about) in READERS.items()
    },
    **{
        name: Player(about=about, moves=_play_plan(_plan_by_lot, _follow(rule)))
        for name, (rule, about) in NUMBERS.items()
    },
}
