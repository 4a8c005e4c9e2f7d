"""The exact player: every leg by the functional that its story asks for, from public data alone."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Literal, NamedTuple, cast

import numpy as np

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from ..mechanics.identify import Law, find_share
from ..mechanics.legs import read_counts, read_law, read_told
from ..mechanics.story import Story, list_nodes
from ..mechanics.tell_apart import find_telling_set, predict
from ..model import Decide, Fly, GamePublic, Leg

Choice = Literal["fit", "bare"]


class Trial(NamedTuple):
    """A leg that needs a trial, and the columns to hold in it."""

    leg: int
    settings: dict[int, int]


def play_exact(public: GamePublic, _rules: Rules, _rng: Random) -> Moves:
    """Fly where the book cannot tell, hold what the fleet holds, and decide."""
    readings: dict[int, tuple[Trial, Law]] = {}
    for trial in list_trials(public):
        leg = public.legs[trial.leg]
        seen = yield Fly(leg=trial.leg + 1, set=name_settings(leg, trial.settings))
        readings[trial.leg] = (trial, read_book(leg, seen))
    yield say_choices(
        {place: choose(leg, readings.get(place)) for place, leg in enumerate(public.legs)}
    )


def read_book(leg: Leg, seen: Observation) -> Law:
    """Return the law that a trial's table shows."""
    counts = cast("list[list[int]]", seen.data["book"])
    return read_counts(leg, tuple((lost, back) for lost, back in counts))


def say_choices(choices: Mapping[int, str | None]) -> Decide:
    """Return the decision for legs by their places; None leaves a leg open."""
    said = {str(place + 1): choice for place, choice in choices.items() if choice is not None}
    return Decide.model_validate({"choices": said})


def name_settings(leg: Leg, settings: Mapping[int, int]) -> dict[str, str]:
    """Return settings by the names of columns and values."""
    return {leg.columns[node].name: leg.columns[node].values[v] for node, v in settings.items()}


def list_trials(public: GamePublic) -> list[Trial]:
    """Return the trials that are worth most, at most as many as can be flown."""
    needed = [Trial(place, settings) for place, settings in _list_needed(public)]
    needed.sort(key=lambda trial: -public.legs[trial.leg].stake)
    return needed[: public.trials]


def _list_needed(public: GamePublic) -> Iterator[tuple[int, dict[int, int]]]:
    for place, leg in enumerate(public.legs):
        if len(leg.told) > 1:
            stories = [read_told(leg, 0), read_told(leg, 1)]
            setting = find_telling_set(stories, read_law(leg)).setting
            yield place, dict([setting] if setting else [])
        elif decide_from_book(leg, read_told(leg), read_law(leg)) is None:
            yield place, leg.settings


def choose(leg: Leg, reading: tuple[Trial, Law] | None) -> Choice | None:
    """Return the better choice on a leg; None if it cannot be known."""
    if len(leg.told) > 1:
        if reading is None:
            return None
        return decide_from_book(leg, _believe(leg, *reading), read_law(leg))
    if reading is not None:
        shares = reading[1].sum(axis=tuple(range(1, len(leg.columns) + 1)))[0]
        return _pick(shares[1, 1] / shares[1].sum() - shares[0, 1] / shares[0].sum())
    return decide_from_book(leg, read_told(leg), read_law(leg))


def _believe(leg: Leg, trial: Trial, law: Law) -> Story:
    """Return the story of the clerk whose prediction is nearer to a trial's reading."""
    ((column, value),) = trial.settings.items()
    seen = law.take(value, axis=1 + column)
    told = [read_told(leg, place) for place in (0, 1)]
    misses = [
        np.abs(found - seen).sum()
        for story in told
        if (found := predict(story, read_law(leg), column, value)) is not None
    ]
    return told[int(np.argmin(misses))]


def decide_from_book(leg: Leg, story: Story, law: Law) -> Choice | None:
    """Return the better choice by a story and the book; None if the book does not tell."""
    if leg.check is not None and leg.check.by_module:
        return None
    shares = [find_share(story, law, {**leg.settings, story.module: value}) for value in (0, 1)]
    if shares[0] is not None and shares[1] is not None:
        return _pick(float(shares[1][0] - shares[0][0]))
    return _decide_by_lot(leg, story, law)


def _decide_by_lot(leg: Leg, story: Story, law: Law) -> Choice | None:
    """Return the choice by a column that lots decided: what it does to returns and to fitting."""
    if not leg.uniform:
        return None
    for column in range(story.module):
        alone = not story.parents[column] and not story.siblings[column]
        if alone and list(list_nodes(story.children[column])) == [story.module]:
            small = law.sum(axis=tuple(1 + n for n in range(story.module) if n != column))[0]
            small = small / small.sum(axis=(1, 2), keepdims=True)
            fitted, back = small.sum(axis=2)[:, 1], small.sum(axis=1)[:, 1]
            return _pick(float((back[1] - back[0]) * (fitted[1] - fitted[0])))
    return None


def _pick(effect: float) -> Choice:
    return "fit" if effect > 0 else "bare"
