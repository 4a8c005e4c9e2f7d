"""Certified edition: the players without a model.

`exact` infers all that is hidden, and asks by gain. `links` finds the trait as a person would. The
others test the levels: they leave out the links between worlds, the trait, the
hands or the row.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations
from operator import xor
from random import Random

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import formulas_of
from causarium.scm.boolean.unit_fits import Fit, UnitFits, UnitLaw, UnitWorld
from causarium.scm.dag import bits, mask_of
from ..evidence.ask_by_gain import (
    MODELS,
    Question,
    choose_question,
    fill_model,
    is_settled,
    list_questions,
    seed_asker,
    unit_law,
    unit_worlds,
)
from ..evidence.fill_tables import (
    Tables,
    alternate,
    count_mistakes,
    fill_at_costs,
    fill_by_rows,
    fill_by_worlds,
)
from ..evidence.row_guesses import (
    Guess,
    carry_difference,
    find_nearest,
    flip_downstream,
    list_outcomes,
    recompute_downstream,
    run_as_set,
)
from ..mechanics import (
    find_kids,
    find_odd_pattern,
    mask_names,
    negate_kids,
    pack_rows,
    told_model,
    told_setting,
)
from ..model.actions import Ask, Explain, Predict
from ..model.config import UNIT_LEVELS
from ..model.instance import ReplayInstance, ReplayPublic, ReplaySecret, WorldRows

_MOST_PARTS = 4
"""Units that fall into more parts than this are not tried."""
_STARTS = 40

UnitPlayer = Player[ReplayPublic, ReplaySecret]
Choice = Callable[[UnitLaw, Sequence[UnitWorld], Random], Fit | None]
"""From what is given and shown to the arrows of a model, and what was found beside them."""
Asker = Callable[[UnitLaw, Sequence[UnitWorld], Random], Question]
"""From what is given and shown to a question."""


def play_exactly(public: ReplayPublic, _rules: Rules, _rng: Random) -> Moves:
    """Infer what is hidden, exactly; where worlds are asked for, ask by gain."""
    if public.setting == "whatif":
        yield _answer_whatif(public)
        return
    chance = seed_asker(unit_law(public), unit_worlds(public)[0], 0)
    yield from _ask_and_explain(public, chance, _find_exactly, models=MODELS)


def _ask_at_random(law: UnitLaw, _worlds: Sequence[UnitWorld], rng: Random) -> Question:
    return rng.choice(list_questions(law.n))


def _ask_and_explain(
    public: ReplayPublic,
    rng: Random,
    choose: Choice,
    *,
    models: int,
    ask: Asker | None = _ask_at_random,
) -> Moves:
    """Ask by gain with so many models, or else in another way until the budget is spent."""
    fits, names = UnitFits(unit_law(public), unit_worlds(public)), public.variables
    for _ in range(public.budget):
        if models:
            if is_settled(fits):
                break
            question = choose_question(fits, rng, models)
        elif ask is None:
            break
        else:
            question = ask(fits.law, fits.worlds, rng)
        thought = f"Several models still fit; of {models} that do, this world parts the most."
        seen = yield Ask(
            set={names[v]: question.values >> v & 1 for v in bits(question.targets)},
            thought=thought if models else "",
        )
        world = WorldRows.model_validate(dict(seen.data))
        fits.add(UnitWorld(pack_rows(world, names), mask_names(world.targets, names)))
    fit = choose(fits.law, fits.worlds, rng)
    if fit is None:
        return
    scm = fill_model(fits.law, fit, fits.worlds, None)
    if choose is _find_with_trait:
        scm = _guess_function(fits.law, fit, scm, rng)
    explained = write_explanation(public, fit, scm)
    if choose in (_find_exactly, _find_by_links) and (models or not public.budget):
        thought = _give_reason(public, fit, fits.worlds)
        explained = explained.model_copy(update={"thought": thought})
    yield explained


def _give_reason(public: ReplayPublic, fit: Fit, worlds: Sequence[UnitWorld]) -> str:
    """Say what a model that was found rests on: units that tell the trait, and the hands."""
    said = [_tell_trait(public, fit, worlds)]
    if public.task and public.task.touched:
        for world, mask in zip(public.train[1:], fit.touched[1:], strict=True):
            hands = " and ".join(public.variables[v] for v in bits(mask))
            said.append(f"In {world.id} {hands} were set by hand.")
    said.append("With that, every cell that was not set follows from these formulas.")
    return " ".join(said).strip()


def _tell_trait(public: ReplayPublic, fit: Fit, worlds: Sequence[UnitWorld]) -> str:
    names, units = public.variables, public.train[0].units
    trait = 1 << len(names)
    for shown, world, touched in zip(public.train, worlds, fit.touched, strict=False):
        for v, mask in enumerate(fit.parents):
            if not mask & trait or touched >> v & 1:
                continue
            for (u, one), (w, other) in combinations(enumerate(world.rows), 2):
                if (one ^ other) & (mask & ~trait | 1 << v) == 1 << v:
                    causes = " and ".join(names[i] for i in bits(mask & ~trait))
                    return (
                        f"In {shown.id} {units[u]} and {units[w]} agree on {causes} and differ in "
                        f"{names[v]}, so they differ in H."
                    )
    return ""


def _find_exactly(law: UnitLaw, worlds: Sequence[UnitWorld], _rng: Random) -> Fit | None:
    return next(iter(UnitFits(law, worlds).find(most=1)), None)


def write_explanation(public: ReplayPublic, fit: Fit, scm: BooleanScm) -> Explain:
    """Return a model as an answer, with what was found beside it."""
    names = (*public.variables, "H")
    task = public.task
    traits = "".join(str(fit.traits >> u & 1) for u in range(len(public.train[0].units)))
    touched = {
        world.id: tuple(names[v] for v in bits(mask))
        for world, mask in zip(public.train[1:], fit.touched[1:], strict=False)
    }
    formulas = formulas_of(scm.canonical(), names)
    return Explain(
        mechanisms={name: str(formulas[name]) for name in names if name in formulas},
        hidden=traits if task and task.traits else None,
        touched=touched if task and task.touched else None,
    )


def _answer_whatif(public: ReplayPublic) -> Predict:
    """Find the traits that give the row, then run the model with these where it is set."""
    scm, n = told_model(public), len(public.variables)
    (row,) = pack_rows(public.train[0], public.variables)
    target, value = told_setting(public)
    starts = (row & scm.roots | traits << n for traits in range(1 << scm.n - n))
    start = next(start for start in starts if scm.run(start) & (1 << n) - 1 == row)
    found = scm.run(start & ~target | value, target)
    seen = row | start >> n << n
    told = [_tell_told_trait(public, scm, seen, t) for t in range(n, scm.n)]
    told += [_work_out(public, scm, found, v) for v in scm.order if not target >> v & 1]
    return Predict(row=_write_row(public, found), thought="\n".join(told))


def _tell_told_trait(public: ReplayPublic, scm: BooleanScm, seen: int, trait: int) -> str:
    """Say by which variable a row shows a trait: with the other value it would be another."""
    names, mask = (*public.variables, *public.traits), 1 << trait
    v = next(v for v in scm.order if scm.response(v, seen) != scm.response(v, seen ^ mask))
    without, with_it = (_work_out(public, scm, row, v) for row in (seen & ~mask, seen | mask))
    return (
        f"{names[v]} is {seen >> v & 1}: {names[trait]} = 0 gives {without} and {names[trait]} = 1 "
        f"gives {with_it}, so {names[trait]} = {seen >> trait & 1}."
    )


def _work_out(public: ReplayPublic, scm: BooleanScm, row: int, v: int) -> str:
    """Write a mechanism with the values of a row in it, and what comes out."""
    names, told = (*public.variables, *public.traits), public.task and public.task.mechanisms
    values = {name: str(row >> i & 1) for i, name in enumerate(names)}
    filled = re.sub(r"\w+", lambda found: values.get(found[0], found[0]), (told or {})[names[v]])
    return f"{names[v]} = {filled} = {scm.response(v, row)}"


def _write_row(public: ReplayPublic, row: int) -> dict[str, int]:
    return {name: row >> i & 1 for i, name in enumerate(public.variables)}


def _whatif_player(about: str, *guesses: Guess, moved: bool = False) -> UnitPlayer:
    """Return a player that guesses with both traits 0, or with several traits in turn.

    If its guess is to be `moved`, it hands in the nearest outcome that the model allows.
    """

    def make_moves(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
        if public.setting == "whatif":
            scm, setting = told_model(public), told_setting(public)
            (row,) = pack_rows(public.train[0], public.variables)
            recorded = (1 << len(public.variables)) - 1
            found = [
                guess(scm, [row | traits << len(public.variables)], *setting)[0] & recorded
                for traits, guess in enumerate(guesses)
            ]
            if moved:
                found = find_nearest(list_outcomes(scm, row, *setting), found)
            yield Predict(row=_write_row(public, rng.choice(found)))

    return Player(about=about, moves=make_moves)


def _copy_row(_scm: BooleanScm, rows: Sequence[int], target: int, value: int) -> list[int]:
    return [row & ~target | value for row in rows]


def _find_by_links(law: UnitLaw, worlds: Sequence[UnitWorld], _rng: Random) -> Fit | None:
    """Find the trait by joining units that some variable tells apart, then place the rest.

    Units that agree on two causes and differ in a variable differ in the trait, if these are
    its causes. If no unit is joined to itself and the graph has two sides, that may be the trait.
    """
    for v in law.endogenous:
        others = [u for u in range(law.n) if u != v]
        for causes in combinations(others, 2):
            for traits in _split_units(law, worlds, v, mask_of(causes)):
                found = _fill_tables(law, worlds, traits)
                if found is not None:
                    return found
    return None


def _split_units(law: UnitLaw, worlds: Sequence[UnitWorld], v: int, causes: int) -> Iterator[int]:
    """Yield the traits that go with two causes; none if no trait does, or too many do."""
    free = [world.rows for world in worlds if not world.targets >> v & 1]
    seen = [(u, row & causes, row >> v & 1) for rows in free for u, row in enumerate(rows)]
    apart: dict[int, set[int]] = {u: set() for u in range(law.units)}
    for (u, one, a), (w, other, b) in combinations(seen, 2):
        if one == other and a != b:
            if u == w:
                return
            apart[u].add(w)
            apart[w].add(u)
    parts: list[int] = []
    sides: dict[int, int] = {}
    for first in range(law.units):
        if first in sides:
            continue
        sides[first], waiting, part = 0, [first], 1 << first
        while waiting:
            u = waiting.pop()
            for w in apart[u]:
                if w not in sides:
                    sides[w] = 1 - sides[u]
                    part |= 1 << w
                    waiting.append(w)
                elif sides[w] == sides[u]:
                    return
        parts.append(part)
    if len(parts) > _MOST_PARTS:
        return
    one = mask_of(u for u, side in sides.items() if side)
    for turned in range(1 << len(parts) - 1):
        # The first part stays: the trait and its opposite are one.
        yield reduce(xor, (p for j, p in enumerate(parts[1:]) if turned >> j & 1), one)


def _fill_tables(law: UnitLaw, worlds: Sequence[UnitWorld], traits: int | None) -> Fit | None:
    """Place one variable after another; where traits are given, without a mistake or not at all."""
    touched = tuple(world.targets for world in worlds)
    tables = Tables(law, worlds, traits or 0)
    parents = fill_by_rows(tables, touched, trait=traits is not None)
    if traits is not None and count_mistakes(tables, parents, touched):
        return None
    return Fit(tuple(parents), 1 << ((traits or 0) >> 1), touched)


def _find_most_changed(law: UnitLaw, worlds: Sequence[UnitWorld], _rng: Random) -> Fit | None:
    """Take what changed in most units for what was touched, then infer the rest exactly."""
    named = [worlds[0]]
    for world in worlds[1:]:
        pairs = list(zip(worlds[0].rows, world.rows, strict=True))
        counts = [sum((a ^ b) >> v & 1 for a, b in pairs) for v in range(law.n)]
        most = sorted(range(law.n), key=lambda v: -counts[v])[: law.touched]
        named.append(UnitWorld(world.rows, mask_of(most) if law.touched else world.targets))
    return _find_exactly(replace(law, touched=0), named, Random(0))


def _find_without_hands(law: UnitLaw, worlds: Sequence[UnitWorld], rng: Random) -> Fit | None:
    """Take nothing for touched: every cell must follow from a mechanism."""
    told = replace(law, arrows=law.n * law.most_parents, touched=0)
    return _find_exactly(told, [UnitWorld(world.rows) for world in worlds], rng)


def _find_with_trait(law: UnitLaw, worlds: Sequence[UnitWorld], rng: Random) -> Fit | None:
    return _find_exactly(law, worlds, rng) if law.trait else None


def _guess_function(law: UnitLaw, fit: Fit, scm: BooleanScm, rng: Random) -> BooleanScm:
    """Keep all that rows without links tell, and guess which function of the clan it is."""
    if (form := find_kids(fit.parents, law.n)) is None:
        return scm
    guess, odd = rng.randrange(4), find_odd_pattern(scm, *form)
    return scm if odd is None else negate_kids(scm, *form, {guess} ^ {odd})


def _ask_for_unseen(law: UnitLaw, worlds: Sequence[UnitWorld], _rng: Random) -> Question:
    """Set two variables to values that few rows show, neither of them often set before."""
    asked = [world.targets for world in worlds]
    rows = [row for world in worlds for row in world.rows]

    def count_seen(one: Question) -> int:
        times = sum(row & one.targets == one.values for row in rows)
        again = sum((before & one.targets).bit_count() for before in asked)
        values = (world.rows[0] ^ one.values for world in worlds)
        same = sum(
            bool(before & one.targets & ~apart) for before, apart in zip(asked, values, strict=True)
        )
        return times + 2 * again + 2 * same

    wide = [
        one
        for one in list_questions(law.n)
        if one.targets.bit_count() == 2 and not one.targets & law.roots
    ]
    return min(wide, key=count_seen)


def _explainer(
    about: str,
    choose: Choice,
    *,
    models: int = 0,
    ask: Asker | None = _ask_at_random,
    only: Collection[str] = (),
) -> UnitPlayer:
    """Return a player of some settings, or of all, with a way to choose a model.

    It asks by gain with so many `models` or, with none, in the way `ask` until its budget is spent.
    """

    def make_moves(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
        if public.setting in (only or UNIT_LEVELS[1:]):
            yield from _ask_and_explain(public, rng, choose, models=models, ask=ask)

    return Player(about=about, moves=make_moves)


def play_oracle(instance: ReplayInstance, _rules: Rules, _rng: Random) -> Moves:
    """Ask what the plan asks, then hand in the truth."""
    public, secret = instance.public, instance.secret
    if secret.row is not None:
        yield Predict(row=secret.row)
        return
    for one in secret.plan or ():
        yield Ask(set={name: int(digit) for name, digit in one.set.items()})
    touched = {w.id: t for w, t in zip(public.train[1:], secret.touched or (), strict=False)}
    yield Explain(
        mechanisms={name: one.formula for name, one in secret.gold.items()},
        hidden=secret.traits,
        touched=touched or None,
    )


_asker = partial(_explainer, choose=_find_exactly, only=("ask",))
UNIT_PLAYERS: dict[str, UnitPlayer] = {
    "links": _explainer(
        "Joins units that differ in the trait, finds its two sides, then fills in tables.",
        _find_by_links,
        only=("trait",),
    ),
    "link_blind": _explainer(
        "Knows all that unlinked rows tell, and guesses the rest.",
        _find_with_trait,
        models=MODELS,
    ),
    "filler": _explainer(
        "Fills in tables one after the other, as if nothing were hidden.",
        lambda law, worlds, _: _fill_tables(law, worlds, None),
    ),
    "world_filler": _explainer(
        "Fills in tables by majority of worlds; a contradicted world was touched.",
        lambda law, worlds, _: fill_by_worlds(law, worlds),
        only=("trait", "touched", "both"),
    ),
    "cost_filler": _explainer(
        "Fills in by worlds at six costs of a parent, and takes the first fit that may be right.",
        lambda law, worlds, _: fill_at_costs(law, worlds),
        only=("trait", "touched", "both"),
    ),
    "alternating": _explainer(
        "Fills in tables, guesses what is hidden from the mistakes, and so on, from 40 starts.",
        lambda law, worlds, rng: alternate(law, worlds, rng, starts=_STARTS),
        only=("trait", "touched", "both"),
    ),
    "most_changed": _explainer(
        "Takes what changed in most units for what was touched, then infers the rest exactly.",
        _find_most_changed,
        only=("touched", "both"),
    ),
    "handless": _explainer(
        "Takes nothing for touched, and looks for a model that reproduces every cell.",
        _find_without_hands,
        only=("touched", "both"),
    ),
    "askless": _asker("Asks for nothing, and hands in a model that fits what is shown.", ask=None),
    "random_asker": _asker(
        "Asks for random worlds until the budget is spent, then infers exactly."
    ),
    "cover_asker": _asker(
        "Asks for the values of two variables that few rows show, then infers exactly.",
        ask=_ask_for_unseen,
    ),
    "small_asker": _asker("Asks by gain, weighing six models, then infers exactly.", models=6),
    "fresh_asker": _asker(
        "Asks by gain as the reference does, with other random draws, then infers exactly.",
        models=MODELS,
    ),
    "copier": _whatif_player("Copies the row, and changes what is set.", _copy_row),
    "traitless": _whatif_player("Runs the model with both traits 0.", run_as_set),
    "difference": _whatif_player(
        "Adds to the row what changes in the model with both traits 0.", carry_difference
    ),
    "downstream": _whatif_player(
        "Keeps what is not downstream, and computes the rest with both traits 0.",
        recompute_downstream,
    ),
    "local": _whatif_player(
        "Flips a value downstream where its formula flips with both traits 0.", flip_downstream
    ),
    "nearest": _whatif_player(
        "Takes the outcome nearest to the row, of the four that the model allows.",
        _copy_row,
        moved=True,
    ),
    "snapped": _whatif_player(
        "Guesses as `local` does, and takes the outcome nearest to the guess.",
        flip_downstream,
        moved=True,
    ),
    "voter": _whatif_player(
        "Guesses as `local` does with each choice of traits, and takes the nearest outcome.",
        *(flip_downstream,) * 4,
        moved=True,
    ),
}
"""Players of the certified edition alone."""
