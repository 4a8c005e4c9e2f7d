"""Who plays the ladder without a model: exact inference, the oracle, and simpler programs.

Every player experiments by a rule and answers by a rule. What a docstring says of a rule is what
people read of its player.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from .evidence.fits import Fits, read_settings
from .evidence.settle import settle, settle_many
from .mechanics.respond import LOOSE, Array, respond
from .model.actions import Answer, Hold
from .model.instance import (
    LETTERS,
    LEVELS,
    NONE_TELLS,
    NUMBERS,
    READINGS,
    Holds,
    LadderInstance,
    LadderPublic,
    LadderSecret,
    Question,
)

_WORDS = {number: word for word, number in LEVELS.items()}
Seen = list[tuple[Array, int]]
"""Experiments, as settings of the holdable properties, and what was read."""
Chooser = Callable[[LadderPublic, Fits, Seen, Random], Array]
Answerer = Callable[[LadderPublic, Fits, Seen, Question, Random], str | None]

_SAMPLED = 400
_PROPOSED = 150
_ROUNDS, _KEPT, _VARIED = 3, 8, 8
_MOST_ROWS = 300_000
"""No experiment is made after which more rows would have to be listed."""


def _experiment(choose: Chooser, answer: Answerer) -> Player[LadderPublic, LadderSecret]:
    """Return the player that chooses experiments and answers by these rules."""

    def play(public: LadderPublic, _rules: Rules, rng: Random) -> Moves:
        fits, seen = Fits.of(public.skeleton), Seen()
        for one in public.made:
            seen.append((read_settings(public, one.hold), NUMBERS[one.reading]))
            fits = fits.keep(*seen[-1])
        questions = public.questions
        for _ in range(public.budget):
            settings = choose(public, fits, seen, rng)
            observation = yield Hold(hold=write_hold(public, settings))
            seen.append((settings, NUMBERS[str(observation.data["reading"])]))
            fits = fits.keep(*seen[-1])
            questions = _read_questions(observation)
        said = tuple(answer(public, fits, seen, one, rng) for one in questions)
        yield Answer(answers=said)

    return Player(about=answer.__doc__ or "", moves=play)


def _read_questions(observation: Observation) -> tuple[Question, ...]:
    asked = cast("list[object]", observation.data.get("questions", []))
    return tuple(Question.model_validate(one) for one in asked)


def write_hold(public: LadderPublic, settings: Array) -> dict[str, str]:
    """Return settings as holds."""
    held = np.flatnonzero(settings != LOOSE).tolist()
    return {public.order[one]: _WORDS[int(settings[one])] for one in held}


def choose_best(public: LadderPublic, fits: Fits, _seen: Seen, rng: Random) -> Array:
    """Choose the experiment that tells most, of many proposed and varied."""
    crystals = fits.sample(rng, _SAMPLED)
    proposed = [_propose(public, rng) for _ in range(_PROPOSED)]
    proposed = [_spare(fits, one, rng) for one in proposed]
    for last in range(_ROUNDS):
        table = np.stack(proposed)
        told = _measure_information(respond(public.skeleton, crystals, fits.widen(table)))
        order = np.argsort(-told, kind="stable")[:_KEPT]
        kept: list[Array] = [table[place] for place in order]
        if last == _ROUNDS - 1:
            break
        varied = (_vary(public, one, rng) for one in kept for _ in range(_VARIED))
        proposed = [*kept, *(_spare(fits, one, rng) for one in varied)]
    return kept[0]


def _measure_information(seen: Array) -> NDArray[np.float64]:
    counts = np.stack([(seen == reading).sum(axis=1) for reading in READINGS], axis=1)
    shares = counts / seen.shape[1]
    # Rounded, so that processors agree which experiment comes first.
    told: NDArray[np.float64] = -(shares * np.log(np.maximum(shares, 1e-12))).sum(axis=1).round(9)
    return told


def _propose(public: LadderPublic, rng: Random) -> Array:
    settings = np.full(len(public.holdable), LOOSE, dtype=np.int8)
    number = min(len(settings), max(1, public.holds - (rng.random() < 0.25)))
    for one in rng.sample(range(len(settings)), number):
        settings[one] = rng.choice((-1, -1, 0, 1, 1))
    return settings


def _vary(public: LadderPublic, settings: Array, rng: Random) -> Array:
    varied = settings.copy()
    one = rng.randrange(len(settings))
    if varied[one] == LOOSE:
        held = np.flatnonzero(varied != LOOSE).tolist()
        if len(held) >= public.holds:
            varied[rng.choice(held)] = LOOSE
        varied[one] = rng.choice((-1, 0, 1))
    else:
        levels = (-1, 0, 1) if (varied != LOOSE).sum() == 1 else (-1, 0, 1, LOOSE)
        varied[one] = rng.choice([level for level in levels if level != varied[one]])
    return varied


def _spare(fits: Fits, settings: Array, rng: Random) -> Array:
    """Let go of untouched properties until the crystals that fit can still be listed."""
    held = np.flatnonzero(settings != LOOSE).tolist()
    fresh = [one for one in held if one not in fits.touched]
    rng.shuffle(fresh)
    settings = settings.copy()
    while len(fresh) > 1 and fits.count_rows(len(fresh)) > _MOST_ROWS:
        settings[fresh.pop()] = LOOSE
    return settings


def choose_randomly(public: LadderPublic, fits: Fits, _seen: Seen, rng: Random) -> Array:
    """Hold as many properties as can be held, at random levels."""
    return _spare(fits, _propose(public, rng), rng)


def choose_singly(public: LadderPublic, _fits: Fits, seen: Seen, rng: Random) -> Array:
    """Holds one property at a time up, then pairs; adds up what each does alone."""
    count = len(public.holdable)
    settings = np.full(count, LOOSE, dtype=np.int8)
    if len(seen) < count:
        settings[len(seen)] = 1
        return settings
    moving = [one for one in range(count) if seen[one][1]]
    pair = rng.sample(moving if len(moving) > 1 else range(count), min(2, public.holds))
    for one in pair:
        settings[one] = rng.choice((-1, 1))
    return settings


def answer_by_posterior(
    public: LadderPublic, fits: Fits, _seen: Seen, question: Question, rng: Random
) -> str:
    """Lists all crystals that fit, and makes the experiment that tells most."""
    said: Counter[str] = Counter()
    crystals, counts = np.unique(fits.sample(rng, _SAMPLED), axis=0, return_counts=True)
    for crystal, count in zip(crystals.tolist(), counts.tolist(), strict=True):
        said[settle(public, crystal, question)] += count
    return max(public.list_answers(question.kind), key=lambda word: said[word])


def answer_after_singles(
    public: LadderPublic, fits: Fits, seen: Seen, question: Question, rng: Random
) -> str:
    """Holds one property at a time, then pairs of those that moved, and lists all that fit."""
    return answer_by_posterior(public, fits, seen, question, rng)


def answer_at_random_tries(
    public: LadderPublic, fits: Fits, seen: Seen, question: Question, rng: Random
) -> str:
    """Experiments at random, and lists all crystals that fit."""
    return answer_by_posterior(public, fits, seen, question, rng)


def answer_by_first_fit(
    public: LadderPublic, fits: Fits, _seen: Seen, question: Question, rng: Random
) -> str:
    """Experiments at random, and takes one crystal that fits for the true one."""
    crystal = fits.sample(rng, 1)
    return _answer_for_one(public, crystal, question)


def _answer_for_one(public: LadderPublic, crystal: Array, question: Question) -> str:
    places = {name: np.array([public.index[name]]) for name in question.names}
    word = settle_many(public.skeleton, crystal, question, places)[0]
    return word if word in public.list_answers(question.kind) else READINGS[0]


def answer_by_sum(
    public: LadderPublic, _fits: Fits, seen: Seen, question: Question, _rng: Random
) -> str | None:
    """Holds one property at a time, then pairs, and adds up what each does alone."""
    alone = {
        public.order[int(held[0])]: reading * int(settings[held[0]])
        for settings, reading in seen
        if len(held := np.flatnonzero(settings != LOOSE)) == 1
    }

    def add(hold: Holds) -> int:
        total = sum(alone.get(name, 0) * LEVELS[level] for name, level in hold.items())
        return (total > 0) - (total < 0)

    if question.pair is None:
        return READINGS[add(question.hold)]
    one, other = question.pair
    exchange = {one: other, other: one}
    for letter, hold in zip(LETTERS, question.options, strict=True):
        if add(hold) != add({exchange.get(name, name): level for name, level in hold.items()}):
            return letter
    return NONE_TELLS


def _say_always(word: str) -> Player[LadderPublic, LadderSecret]:
    """Return the player that makes no experiment and says one word, where it is on offer."""

    def play(public: LadderPublic, _rules: Rules, _rng: Random) -> Moves:
        if public.budget:
            yield Hold(hold={})
        offered = [public.list_answers(kind) for kind in public.asked]
        yield Answer(answers=tuple(word if word in one else one[0] for one in offered))

    return Player(about=f'Always says "{word}".', moves=play, ignores_input=True)


def _guess(public: LadderPublic, _rules: Rules, rng: Random) -> Moves:
    for _ in range(public.budget):
        yield Hold(hold=write_hold(public, _propose(public, rng)))
    yield Answer(answers=tuple(rng.choice(public.list_answers(kind)) for kind in public.asked))


def _tell_truth(instance: LadderInstance, _rules: Rules, _rng: Random) -> Moves:
    if instance.public.budget:
        yield Hold(hold={})
    yield Answer(answers=instance.secret.answers)


PLAYERS: dict[str, Player[LadderPublic, LadderSecret]] = {
    "oracle": Player(about="Knows the answers.", moves_from_truth=_tell_truth),
    "exact": _experiment(choose_best, answer_by_posterior),
    "random_tries": _experiment(choose_randomly, answer_at_random_tries),
    "one_by_one": _experiment(choose_singly, answer_after_singles),
    "first_fit": _experiment(choose_randomly, answer_by_first_fit),
    "sum": _experiment(choose_singly, answer_by_sum),
    "always_up": _say_always("up"),
    "always_same": _say_always("same"),
    "always_unknown": _say_always("unknown"),
    "random": Player(about="Experiments and answers at random.", moves=_guess, ignores_input=True),
    "silent": SILENT,
}
