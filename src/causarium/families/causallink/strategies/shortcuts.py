"""Players that know the law of the cases and do without the last step, or without thinking.

They try how far one gets with less than causal reasoning: with a table of what was usually right
after one fixed act or two, or with the best use of one intervention fewer than W.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random

from causarium.families.causallink.evidence.optimum import find_optimum
from causarium.families.causallink.generation.twin_pairs import CAUSE, EFFECT
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.strategies.best_answer import LawSearch, act_on
from causarium.families.causallink.strategies.inquiry import (
    Inquirer,
    Inquiry,
    Start,
    State,
    Stop,
)
from causarium.families.causallink.strategies.known_law import (
    CORE_SIZE,
    FirstLook,
    all_active_law,
    core_law,
    draw_worlds,
    order_names,
)

SEARCHED_SIZE = 5
"""Up to how many variables the law of all-active cases is searched exactly."""
STUDIED_PAIRS = 150
"""How many pairs a table is learnt from."""
_STUDY_SEED = 710_031
"""No named set is drawn from this seed."""

Sight = tuple[bool, bool, int]
"""Whether the cause is active, whether the effect is, and how many others are."""


def see_roles(state: int) -> Sight:
    """Return what a state looks like to somebody who does not tell the others apart."""
    return bool(state >> CAUSE & 1), bool(state >> EFFECT & 1), (state >> 2).bit_count()


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """What to act on, in order, and the answer that was usually right after what was seen."""

    acts: tuple[int, ...]
    answers: dict[tuple[Sight, ...], bool]
    share: float
    """How often it is right on what it was learnt from."""


def learn_table(worlds: Iterable[tuple[Reach, float]], start: int, acts: int) -> AnswerTable:
    """Find the fixed acts after which a table of sights is right most often.

    Args:
        worlds: What to learn from, each with its weight.
        start: The state in which all of them are first seen.
        acts: How many acts are made.
    """
    worlds = list(worlds)
    places = range(min(worlds[0][0].n, 2 + acts))
    tables = [_learn(worlds, start, chosen) for chosen in product(places, repeat=acts)]
    return max(tables, key=lambda table: table.share)


def _learn(worlds: list[tuple[Reach, float]], start: int, acts: tuple[int, ...]) -> AnswerTable:
    counts: defaultdict[tuple[Sight, ...], Counter[bool]] = defaultdict(Counter)
    for world, weight in worlds:
        counts[watch(world, start, acts)][world.causes(CAUSE, EFFECT)] += weight  # type: ignore[assignment]
    answers = {sights: count[True] > count[False] for sights, count in counts.items()}
    right = sum(counts[sights][answer] for sights, answer in answers.items())
    return AnswerTable(acts, answers, right / sum(weight for _, weight in worlds))


def watch(world: Reach, start: int, acts: Iterable[int]) -> tuple[Sight, ...]:
    """Return what is seen after each of some acts."""
    sights, state = [], start
    for x in acts:
        state = act_on(world, state, x)
        sights.append(see_roles(state))
    return tuple(sights)


@lru_cache(maxsize=128)
def _table(look: FirstLook, acts: int) -> AnswerTable | None:
    """Return the table for cases that look so; None where nothing can be learnt."""
    if look.size <= CORE_SIZE:
        law = core_law(look)
        return learn_table(law.items(), look.start, acts) if law else None
    if not _is_drawn(look) or acts < _least_depth(look):
        # Fewer acts than the depth show the same in both worlds of every pair.
        return None
    worlds = draw_worlds(look, STUDIED_PAIRS, seed=_STUDY_SEED)
    return learn_table(((world, 1) for world in worlds), look.start, acts)


def _is_drawn(look: FirstLook) -> bool:
    """Say whether the twin levels have cases that look so."""
    if look.effect_active and not look.cause_active:
        return look.others_active == 0
    return look.effect_active == look.cause_active and (
        not look.cause_active or look.others_active > 0
    )


def _least_depth(look: FirstLook) -> int:
    if look.start == (1 << look.size) - 1:
        return look.size - 2
    return look.others_active + 1 if look.cause_active else 1 + look.effect_active


def look_up(acts: int) -> Inquirer:
    """Return an inquiry that makes so many fixed acts and looks the answer up in a table."""

    def inquire(public: LinkPublic, rng: Random) -> Inquiry:
        table = _table(FirstLook.of(public), acts)
        if table is None:
            return False
        names = order_names(public, rng)
        state, sights = frozenset(public.moving), []
        for x in table.acts:
            state = yield _useful_act(names[x], state)
            sights.append(see_roles(_mask(names, state)))
        return table.answers.get(tuple(sights), False)

    return inquire


def stop_one_short(public: LinkPublic, rng: Random) -> Inquiry:
    """Make the best of one intervention fewer than W, knowing the law.

    Core cases and all-active cases of up to five variables are searched exactly. Beyond, the others
    are stopped one by one until cause and effect are at rest or one act is left, and the last act
    starts the cause. Other starts have D = W, so that no use of W - 1 acts beats a coin.
    """
    look = FirstLook.of(public)
    acts = max(find_optimum(public) - 1, 0)
    if (search := _search(look)) is not None:
        return (yield from _follow(search, public, rng, acts))
    state = frozenset(public.moving)
    for name in order_names(public, rng)[2:]:
        if acts > 1 and name in state and (public.cause in state or public.effect in state):
            state = yield Stop(name)
            acts -= 1
    if acts and public.cause not in state:
        effect_was_active = public.effect in state
        state = yield Start(public.cause)
        return not effect_was_active and public.effect in state
    return False


@lru_cache(maxsize=64)
def _search(look: FirstLook) -> LawSearch | None:
    if look.size <= CORE_SIZE:
        law = core_law(look)
    elif look.size <= SEARCHED_SIZE and look.start == (1 << look.size) - 1:
        law = all_active_law(look.size)
    else:
        return None
    return LawSearch(law, look.start) if law else None


def _follow(search: LawSearch, public: LinkPublic, rng: Random, acts: int) -> Inquiry:
    names = order_names(public, rng)
    state, belief = frozenset(public.moving), search.everything
    while acts and belief and not search.is_certain(belief):
        before = _mask(names, state)
        x = search.best_act(before, belief, acts)
        state = yield _useful_act(names[x], state)
        belief = search.narrow(belief, before, x, _mask(names, state))
        acts -= 1
    return search.answer(belief)


def _useful_act(name: str, state: State) -> Start | Stop:
    return Stop(name) if name in state else Start(name)


def _mask(names: list[str], state: State) -> int:
    return sum(1 << x for x, name in enumerate(names) if name in state)
