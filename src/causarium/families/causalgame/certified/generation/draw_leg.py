"""Draws one leg: a story, chances, the book, and coins for all that must not matter."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from ..mechanics.chances import Chances, retell
from ..mechanics.identify import Law, find_share
from ..mechanics.legs import GRAIN, count_flights
from ..mechanics.story import Story, read_story
from ..mechanics.tell_apart import find_telling_set
from ..model import FLIGHTS, Check, Column, HiddenLeg, Kind, Leg, Told, Unrecorded
from .catalogue import Entry
from .draw_chances import draw_chances, make_generator
from .draw_twins import FLOORS, MARGIN, MODELS, find_effect, try_models
from .names import CAUSES, COLUMNS, MODULES

OPEN_MARGIN = 0.08
"""The least effect on a leg that needs a trial."""
TELLING = 0.1
"""The least difference by which a trial tells two clerks apart."""


@dataclass(frozen=True)
class Draft:
    """A leg before names and labels."""

    kind: Kind
    base: Story
    model: Chances
    """The one model of the base whose law the leg has."""
    twin: Story | None
    """The other story of that law; None where faces differ and not stories."""
    told: tuple[Story, ...]
    right: int
    held: tuple[int, int] | None
    unseen: tuple[int, int] | None = None
    """The unrecorded cause and the module's value at which drones have no rows."""
    uniform: bool = False


def draft_randomised(rng: Random) -> Draft:
    """Draft a leg without columns, on which the module was fitted by lot."""
    story, arrays = read_story(">"), make_generator(rng)
    models = draw_chances(story, MODELS, arrays)
    chosen = np.flatnonzero(np.abs(find_effect(models, story, {})) >= MARGIN)[0]
    model = models.pick(slice(chosen, chosen + 1))
    return Draft("plain", story, model, None, (story,), 0, None)


def draft_twins(entry: Entry, rng: Random, *, clerks: bool) -> Draft | None:
    """Draft a plain leg or one with clerks; None if no model tried would do."""
    assert entry.twin is not None  # noqa: S101 - such an entry has two stories
    held = None if entry.held is None else (entry.held, rng.randrange(2))
    settings = {} if held is None else {held[0]: held[1]}
    arrays = make_generator(rng)
    found = try_models(entry.story, entry.twin, settings, arrays)
    stories = (entry.story, entry.twin)
    for place in range(found.found):
        model = found.models.pick(slice(place, place + 1))
        if clerks and find_telling_set(stories, model.make_law())[1] < TELLING:
            continue
        if not _book_agrees(stories, model, settings):
            continue
        right = rng.randrange(2)
        kind: Kind = "clerks" if clerks else "plain"
        if clerks:
            turned = rng.random() < 0.5
            told = stories[::-1] if turned else stories
            return Draft(kind, entry.story, model, entry.twin, told, right ^ turned, held)
        return Draft(kind, entry.story, model, entry.twin, (stories[right],), 0, held)
    return None


def _book_agrees(stories: tuple[Story, ...], model: Chances, settings: Mapping[int, int]) -> bool:
    """Tell whether rounding to whole flights leaves both effects as they are, nearly."""
    law = model.make_law()
    counts = np.array(count_flights(law, FLIGHTS), dtype=float)
    book = (counts / counts.sum()).reshape(law.shape)
    for story in stories:
        for value in (0, 1):
            setting = {**settings, story.module: value}
            true, seen = find_share(story, law, setting), find_share(story, book, setting)
            if true is None or seen is None or abs(true - seen).max() > 0.01:
                return False
    return True


def draft_open(entry: Entry, kind: Kind, rng: Random) -> Draft | None:
    """Draft a leg that its book cannot tell: the unseen drones have a face, by a coin."""
    story, arrays = entry.story, make_generator(rng)
    held = None if entry.held is None else (entry.held, rng.randrange(2))
    models = draw_chances(story, MODELS, arrays)
    place = story.nodes + sorted(story.hidden).index((story.module, story.result))
    told = story
    if kind == "rows":
        told = Story(story.nodes, story.arrows, story.hidden - {(story.module, story.result)})
    faces = [_show_face(models, story, place, face, held, kind=kind) for face in (0, 1)]
    settings = {} if held is None else {held[0]: held[1]}
    effects = [find_effect(model, story, settings) for model in faces]
    good = (effects[0] * effects[1] < 0) & (np.abs(effects) >= OPEN_MARGIN).all(axis=0)
    for chosen in np.flatnonzero(good):
        model = faces[rng.randrange(2)].pick(slice(chosen, chosen + 1))
        unseen = (place, 0) if kind == "rows" else None
        law = model.make_rows_law(unseen)
        if law.sum(axis=(*range(1, 1 + story.module), law.ndim - 1)).min() > 0.1:
            return Draft(kind, story, model, None, (told,), 0, held, unseen)
    return None


def _show_face(
    models: Chances, story: Story, place: int, face: int, held: tuple[int, int] | None, *, kind: str
) -> Chances:
    """Return models in which the drones with the unrecorded cause have one face or the other."""
    tables: list[NDArray[np.float64]] = list(models.tables)
    causes = list(models.causes)
    module, result = story.module, story.result
    if kind == "hidden":
        tables[module] = _put(tables[module], causes[module], {place: 1}, 1.0)
    else:
        halves: NDArray[np.float64] = tables[module]
        tables[module] = np.take(halves, [0], axis=1 + causes[module].index(place)).squeeze(
            1 + causes[module].index(place)
        )
        causes[module] = tuple(cause for cause in causes[module] if cause != place)
    where = {place: 1, module: 0}
    for value in (0, 1):
        here = where if held is None else {**where, held[0]: value}
        turned = held is not None and value != held[1]
        chance = (GRAIN - 1 if face ^ turned else 1) / GRAIN
        tables[result] = _put(tables[result], causes[result], here, chance)
    return Chances(models.nodes, tuple(causes), tuple(tables), models.hidden)


def _put(
    table: NDArray[np.float64], causes: tuple[int, ...], where: Mapping[int, int], chance: float
) -> NDArray[np.float64]:
    """Return a table with another chance where some causes have some values."""
    changed = np.array(table)
    changed[(slice(None), *(where.get(cause, slice(None)) for cause in causes))] = chance
    return changed


def draft_lot(entry: Entry, rng: Random) -> Draft | None:
    """Draft a leg with a column by lot, or its twin, in which nothing is hidden."""
    assert entry.twin is not None  # noqa: S101 - such an entry has two stories
    story, arrays = entry.story, make_generator(rng)
    models = draw_chances(story, MODELS, arrays, additive=(story.module, story.result))
    law = models.make_law()
    first = find_effect(models, story, {})
    second = find_effect(retell(entry.twin, law), story, {})
    tests = [
        law.reshape(MODELS, -1).min(axis=1) >= FLOORS[story.module],
        first * second < 0,
        np.abs([first, second]).min(axis=0) >= MARGIN,
        _is_uniform(models, story),
        _is_uniform(retell(entry.twin, law), story),
        _pushes(law, story, entry.twin),
    ]
    good = np.all(tests, axis=0)
    for chosen in np.flatnonzero(good):
        model = models.pick(slice(chosen, chosen + 1))
        right = rng.randrange(2)
        told = (story, entry.twin)[right]
        return Draft("lot", story, model, entry.twin, (told,), 0, None, None, uniform=True)
    return None


def _is_uniform(models: Chances, story: Story) -> NDArray[np.bool_]:
    """Tell of each model whether the module is good for every drone or bad for every drone."""
    table = models.tables[story.result]
    axis = 1 + models.causes[story.result].index(story.module)
    steps = (table.take(1, axis=axis) - table.take(0, axis=axis)).reshape(len(table), -1)
    uniform: NDArray[np.bool_] = np.any([(steps > 0).all(axis=1), (steps < 0).all(axis=1)], axis=0)
    return uniform


def _pushes(law: Law, story: Story, twin: Story) -> NDArray[np.bool_]:
    """Tell of each law whether the column by lot moves fitting and returns enough to be seen."""
    column = next(a for a, b in twin.arrows - story.arrows if b == story.result)
    small = law.sum(axis=tuple(1 + node for node in range(story.module) if node != column))
    small = small / small.sum(axis=(2, 3), keepdims=True)
    fitted, back = small.sum(axis=3)[:, :, 1], small.sum(axis=2)[:, :, 1]
    found: NDArray[np.bool_] = (abs(np.diff(fitted, axis=1)) > 0.1)[:, 0]
    found &= (abs(np.diff(back, axis=1)) > 0.01)[:, 0]
    return found


def _shuffle(draft: Draft, rng: Random) -> Draft:
    """Return a draft with its columns in another order."""
    module = draft.base.module
    places = (*rng.sample(range(module), module), module, module + 1)
    held = None if draft.held is None else (places[draft.held[0]], draft.held[1])
    axes = (*places, *range(draft.model.nodes, draft.model.nodes + len(draft.model.hidden)))
    return replace(
        draft,
        base=draft.base.rename(places),
        model=draft.model.rename(axes),
        twin=draft.twin and draft.twin.rename(places),
        told=tuple(story.rename(places) for story in draft.told),
        held=held,
    )


def _turn(draft: Draft, rng: Random) -> Draft:
    """Return a draft with the values of the module and of each column exchanged by coins."""
    turned = rng.getrandbits(draft.base.module + 1)
    held, unseen = draft.held, draft.unseen
    if held is not None:
        held = (held[0], held[1] ^ (turned >> held[0] & 1))
    if unseen is not None:
        unseen = (unseen[0], unseen[1] ^ (turned >> draft.base.module & 1))
    return replace(draft, model=draft.model.turn(turned), held=held, unseen=unseen)


def finish_leg(draft: Draft, rng: Random, *, stake: int, checked: bool) -> tuple[Leg, HiddenLeg]:
    """Return a draft as a leg: names by lot, labels by coins, columns in an order by lot."""
    draft = _turn(_shuffle(draft, rng), rng)
    model = draft.model
    causes = rng.sample(CAUSES, len(CAUSES))
    told, check = _tell_stories(draft, causes)
    if checked and check is None:
        check = Check(cause=causes[-1], by_module=False)
    columns = rng.sample(COLUMNS, draft.base.module)
    leg = Leg(
        module=rng.choice(MODULES),
        columns=tuple(Column(name=name, values=(low, high)) for name, low, high in columns),
        told=told,
        held=draft.held,
        uniform=draft.uniform,
        check=check,
        can_fit=draft.kind != "clerks",
        stake=stake,
        voice=rng.randrange(3),
        book=count_flights(model.make_rows_law(draft.unseen), FLIGHTS),
    )
    hidden = HiddenLeg(
        kind=draft.kind,
        base=draft.base.write(),
        twin=draft.twin and draft.twin.write(),
        causes=model.causes,
        tables=tuple(_count_grains(table) for table in model.tables),
        hidden=tuple(round(float(chance[0]) * 8) for chance in model.hidden),
        right=draft.right,
        unseen=draft.unseen,
    )
    return leg, hidden


def _count_grains(table: NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(np.round(table * GRAIN).astype(int).ravel().tolist())


def _tell_stories(draft: Draft, causes: list[str]) -> tuple[tuple[Told, ...], Check | None]:
    """Return the told stories, with one name for each pair that an unrecorded cause joins."""
    pairs = sorted({pair for story in draft.told for pair in story.hidden})
    name_of = dict(zip(pairs, causes, strict=False))
    check = None
    own: tuple[Unrecorded, ...] = ()
    if draft.kind == "rows":
        check = Check(cause=causes[-1], by_module=True)
        own = (Unrecorded(name=causes[-1], moves=(draft.base.result,)),)
    told = tuple(
        Told(
            arrows=tuple(sorted(story.arrows)),
            hidden=(
                *(Unrecorded(name=name_of[pair], moves=pair) for pair in sorted(story.hidden)),
                *own,
            ),
        )
        for story in draft.told
    )
    return told, check
