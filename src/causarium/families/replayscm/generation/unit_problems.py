"""Drawing problems of the certified edition: clans and quads as instances.

Instances that belong together stand at consecutive places: four members of a clan, four units of a
quad. They share what they were drawn from (`latent`), and count as one in every error bar.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from random import Random
from typing import NamedTuple

from causarium.contract.instance import Instance
from causarium.families.replayscm.evidence.ask_by_gain import (
    Question,
    ask_until_settled,
    is_settled,
    list_questions,
    seed_asker,
)
from causarium.families.replayscm.evidence.fill_tables import fill_by_worlds
from causarium.families.replayscm.evidence.row_guesses import (
    TRAITS,
    resists_shortcuts,
    run_as_set,
)
from causarium.families.replayscm.generation.unit_models import (
    HANDS,
    Clan,
    Evidence,
    draw_clan,
    draw_evidence,
    draw_function,
)
from causarium.families.replayscm.model.config import FAMILY_NAME, ReplayConfig
from causarium.families.replayscm.model.instance import (
    AskedWorld,
    Limits,
    Mechanism,
    Mode,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    UnitTask,
    WorldRows,
)
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import minimal_formula
from causarium.scm.boolean.unit_fits import (
    MOST_PARENTS,
    UnitFits,
    UnitLaw,
    UnitWorld,
    shows_every_pattern,
)
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream

_ROOTS = 2
_KIDS = 4
"""How many variables read a trait, the two in turn."""
_WINDOW = 3
"""From how many variables before it a variable draws its parents: close ones make long chains."""


@dataclass(frozen=True, slots=True)
class Quad:
    """One model, one setting, and four units."""

    scm: BooleanScm
    """Its last two variables are the traits, and roots."""
    target: int
    value: int
    shown: tuple[int, ...]
    """For each value of the traits the row of the unit where nothing is set, traits included."""
    asked: tuple[int, ...]
    """The same where the variable is set."""


def draw_quad(n: int, rng: Random) -> Quad:
    """Draw a quad over `n` recorded variables, one that no shortcut leads through."""
    while True:
        scm = _draw_model(n, rng)
        roots = rng.getrandbits(n) & scm.roots
        starts = [roots | traits << n for traits in range(1 << TRAITS)]
        shown = tuple(scm.run(start) for start in starts)
        if len({_recorded(row, n) for row in shown}) < len(shown):
            continue
        for target, value in rng.sample([*product(range(n), (0, 1))], 2 * n):
            bit = 1 << target
            asked = tuple(run_as_set(scm, start, bit, value * bit) for start in starts)
            if _tells_apart(n, bit, shown, asked) and resists_shortcuts(
                scm, shown, asked, bit, value * bit
            ):
                return Quad(scm, target, value, shown, asked)


def _draw_model(n: int, rng: Random) -> BooleanScm:
    order = rng.sample(range(n), n)
    kids = rng.sample(range(_ROOTS, n), _KIDS)
    parents, tables = [0] * (n + TRAITS), [0] * (n + TRAITS)
    for place in range(_ROOTS, n):
        before = order[max(0, place - _WINDOW) : place]
        inputs = rng.sample(before, rng.randint(1, 2))
        if place in kids:
            inputs.append(n + kids.index(place) % TRAITS)
        parents[order[place]] = mask_of(inputs)
        tables[order[place]] = draw_function(len(inputs), rng)
    roots = mask_of([*order[:_ROOTS], n, n + 1])
    return BooleanScm(n + TRAITS, roots, tuple(parents), tuple(tables))


def _tells_apart(n: int, bit: int, shown: tuple[int, ...], asked: tuple[int, ...]) -> bool:
    """Say whether each unit needs an answer of its own, and a change of its own."""
    answers = {_recorded(row, n) for row in asked}
    changes = {one ^ other for one, other in zip(shown, asked, strict=True)}
    if len(answers) < len(asked) or len(changes) < len(asked):
        return False
    return all(change & bit and change != bit for change in changes)


def _recorded(row: int, n: int) -> int:
    return row & ((1 << n) - 1)


RUNS = 5
_MOST_ASKED = 9
"""A problem that a run does not settle with so many questions is drawn again."""
_SCRIPTS, _SCRIPTS_SETTLE = 30, 3
_SMALL_MODELS, _SMALL_RUNS, _SMALL_SETTLE = 6, 5, 2


class Asking(NamedTuple):
    """A model, its units, and how many questions are allowed."""

    clan: Clan
    """Its first member is the true model."""
    budget: int
    par: int
    """What the first run of the reference asker needs."""
    plan: tuple[Question, ...]
    """What that run asks."""


def law_of(clan: Clan) -> UnitLaw:
    """Return what is told of a model where all targets are named."""
    return UnitLaw(clan.n, clan.roots, len(clan.units), clan.arrows, clan.kids is not None)


def answer_question(clan: Clan, question: Question) -> UnitWorld:
    """Return what a question shows of the first member of a clan."""
    recorded = (1 << clan.n) - 1
    rows = clan.run([question.values] * len(clan.units), question.targets)
    return UnitWorld(tuple(row & recorded for row in rows), question.targets)


def draw_asking(n: int, roots: int, rng: Random) -> Asking | None:
    """Draw a problem; None if it is not kept.

    Args:
        n: How many variables are recorded.
        roots: How many of them have no mechanism.
        rng: Where the model and the filters come from.
    """
    clan = draw_clan(n, roots, rng, trait=True)
    law, answer = law_of(clan), partial(answer_question, clan)
    first = answer(Question(0, 0))
    runs = []
    for run in range(RUNS):
        asked = ask_until_settled(law, first, answer, seed_asker(law, first, run), most=_MOST_ASKED)
        if asked is None:
            return None
        runs.append(asked)
    lengths = sorted(map(len, runs))
    budget = min(lengths[RUNS // 2] + 1, lengths[-1])
    if len(runs[0]) > budget or not _resists_chance(clan, first, budget, rng):
        return None
    return Asking(clan, budget, len(runs[0]), tuple(runs[0]))


def _resists_chance(clan: Clan, first: UnitWorld, budget: int, rng: Random) -> bool:
    law, answer = law_of(clan), partial(answer_question, clan)
    questions = list_questions(law.n)
    settled = 0
    for _ in range(_SCRIPTS):
        script = rng.sample(questions, budget)
        settled += _settles(clan, [Question(0, 0), *script])
        if settled > _SCRIPTS_SETTLE:
            return False
    small = 0
    for _ in range(_SMALL_RUNS):
        run = ask_until_settled(law, first, answer, rng, most=budget, models=_SMALL_MODELS)
        small += run is not None
        if small > _SMALL_SETTLE:
            return False
    return True


def _settles(clan: Clan, script: Sequence[Question]) -> bool:
    rows = [clan.run([one.values] * len(clan.units), one.targets) for one in script]
    # Seldom are all patterns of the truth seen, and that is quick to say.
    if not shows_every_pattern(clan.members[0], rows, [one.targets for one in script]):
        return False
    return is_settled(UnitFits(law_of(clan), [answer_question(clan, one) for one in script]))


KIN = 4
"""How many problems are drawn together: the members of a clan, or the units of a quad."""
SHAPES = {"trait": (6, 2), "touched": (8, 3), "both": (7, 2), "ask": (8, 2)}
"""How many variables each level has, and how many of them are roots."""
WHATIF_SIZES = (8, 12)
"""How many variables a what-if problem has at least and at most."""
_LIMITS = Limits(max_parents=MOST_PARENTS)


def generate_unit_problem(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level of the certified edition."""
    level = config.setting
    if level == "whatif":
        return _write_whatif(config, seed, index)
    if level == "ask":
        return _write_asking(config, seed, index)
    drawn = _draw_kin(level, seed, index // KIN if level != "touched" else index)
    clan, evidence, turns = drawn
    member = turns[index % len(turns)]
    names = _name_variables(clan.n)
    touched = HANDS if level != "trait" else 0
    train = [
        _write_world(f"w{w}", names, rows, targets, named=not touched)
        for w, (rows, targets) in enumerate(
            zip(evidence.rows[member], evidence.targets, strict=True)
        )
    ]
    return _write_instance(
        config,
        seed,
        index,
        public=_write_public(config, clan, names, train, touched=touched),
        secret=ReplaySecret(
            gold=write_mechanisms(clan.members[member], (*names, "H")),
            heldout=(),
            latent=f"{level}/{seed}/{index // len(turns)}",
            traits=_write_traits(clan) if clan.kids else None,
            touched=tuple(_list_names(names, targets) for targets in evidence.targets[1:])
            if touched
            else None,
        ),
        variables=clan.n,
    )


# A clan takes a tenth of a second to one and a half, and its four members are asked for in turn.
@lru_cache(maxsize=4)
def _draw_kin(level: str, seed: int, number: int) -> tuple[Clan, Evidence, list[int]]:
    n, roots = SHAPES[level]
    attempt = 0
    while True:
        rng = stream(seed, FAMILY_NAME, "units", level, number, attempt)
        clan = draw_clan(n, roots, rng, trait=level != "touched")
        evidence = draw_evidence(clan, rng, named=level == "trait")
        if evidence is not None and (level == "trait" or not _is_filled(clan, evidence)):
            return clan, evidence, rng.sample(range(len(clan.members)), len(clan.members))
        attempt += 1


def _is_filled(clan: Clan, evidence: Evidence) -> bool:
    """Say whether filling in by worlds finds every arrow of a member, though hands have no name."""
    law, recorded = replace(law_of(clan), touched=HANDS), (1 << clan.n) - 1
    for scm, worlds in zip(clan.members, evidence.rows, strict=True):
        shown = [UnitWorld(tuple(row & recorded for row in rows)) for rows in worlds]
        found = fill_by_worlds(law, shown)
        if found is not None and found.parents == scm.parents[: clan.n]:
            return True
    return False


def _write_asking(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    asking, address = _draw_asking(seed, index)
    clan = asking.clan
    names = _name_variables(clan.n)
    first = _write_world("w0", names, clan.run([0] * len(clan.units), 0), 0, named=True)
    return _write_instance(
        config,
        seed,
        index,
        public=_write_public(config, clan, names, [first], budget=asking.budget),
        secret=ReplaySecret(
            gold=write_mechanisms(clan.members[0], (*names, "H")),
            heldout=(),
            latent=address,
            plan=tuple(AskedWorld(set=_write_question(names, one)) for one in asking.plan),
            par=asking.par,
            traits=_write_traits(clan),
        ),
        variables=clan.n,
    )


def _draw_asking(seed: int, index: int) -> tuple[Asking, str]:
    n, roots = SHAPES["ask"]
    attempt = 0
    while True:
        rng = stream(seed, FAMILY_NAME, "asking", index, attempt)
        asking = draw_asking(n, roots, rng)
        if asking is not None:
            return asking, f"ask/{seed}/{index}"
        attempt += 1


@lru_cache(maxsize=4)  # A quad takes a third of a second, and its units are asked for in turn.
def _draw_quad(seed: int, number: int) -> tuple[Quad, list[int]]:
    rng = stream(seed, FAMILY_NAME, "whatif", number)
    quad = draw_quad(rng.randint(*WHATIF_SIZES), rng)
    return quad, rng.sample(range(KIN), KIN)


def _write_whatif(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    quad, turns = _draw_quad(seed, index // KIN)
    n, unit = quad.scm.n - TRAITS, turns[index % KIN]
    names = _name_variables(n)
    traits = tuple(f"H{t + 1}" for t in range(TRAITS))
    model = write_mechanisms(quad.scm, (*names, *traits))
    shown = _write_world("w0", names, [quad.shown[unit]], 0, named=True)
    public = ReplayPublic(
        setting=config.setting,
        variables=names,
        roots=_list_names(names, quad.scm.roots),
        n_roots=quad.scm.roots.bit_count() - TRAITS,
        limits=_LIMITS,
        train=(shown,),
        task=UnitTask(
            arrows=sum(mask.bit_count() for mask in quad.scm.parents),
            traits=traits,
            mechanisms={name: one.formula for name, one in model.items()},
            setting={names[quad.target]: quad.value},
        ),
    )
    answer = {name: quad.asked[unit] >> i & 1 for i, name in enumerate(names)}
    secret = ReplaySecret(
        gold={},
        heldout=(),
        latent=f"whatif/{seed}/{index // KIN}",
        traits="".join(str(quad.asked[unit] >> n + t & 1) for t in range(TRAITS)),
        row=answer,
    )
    return _write_instance(config, seed, index, public=public, secret=secret, variables=n)


def _write_public(
    config: ReplayConfig,
    clan: Clan,
    names: tuple[str, ...],
    train: Sequence[WorldRows],
    *,
    touched: int = 0,
    budget: int = 0,
) -> ReplayPublic:
    return ReplayPublic(
        setting=config.setting,
        variables=names,
        roots=_list_names(names, clan.roots),
        n_roots=clan.roots.bit_count(),
        limits=_LIMITS,
        train=tuple(train),
        budget=budget,
        max_targets=HANDS if budget else 0,
        task=UnitTask(arrows=clan.arrows, traits=("H",) if clan.kids else (), touched=touched),
    )


def _write_instance(
    config: ReplayConfig,
    seed: int,
    index: int,
    *,
    public: ReplayPublic,
    secret: ReplaySecret,
    variables: int,
) -> ReplayInstance:
    return Instance[ReplayPublic, ReplaySecret](
        id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=secret,
        facets={
            "setting": config.setting,
            "support": config.support,
            "variables": variables,
            "mechanism": secret.latent,
        },
    )


def write_mechanisms(scm: BooleanScm, names: Sequence[str]) -> dict[str, Mechanism]:
    """Return the mechanisms of a model, in listing order, each in a shortest form."""
    found = {}
    for v in sorted(scm.order):
        parents = tuple(names[u] for u in bits(scm.parents[v]))
        text = str(minimal_formula(scm.tables[v], parents))
        found[names[v]] = Mechanism(
            parents=parents, table=f"{scm.tables[v]:x}", formula=text, minimal=text
        )
    return found


def _write_world(
    name: str, names: Sequence[str], rows: Sequence[int], targets: int, *, named: bool
) -> WorldRows:
    mode: Mode = "none"
    if targets:
        mode = "hard_assigned" if named else "by_hand"
    return WorldRows(
        id=name,
        mode=mode,
        targets=_list_names(names, targets) if named else (),
        units=tuple(f"u{u + 1}" for u in range(len(rows))),
        columns={
            variable: "".join(str(row >> i & 1) for row in rows) for i, variable in enumerate(names)
        },
    )


def _write_question(names: Sequence[str], question: Question) -> dict[str, str]:
    return {names[v]: str(question.values >> v & 1) for v in bits(question.targets)}


def _write_traits(clan: Clan) -> str:
    return "".join(str(start >> clan.n & 1) for start in clan.units)


def _name_variables(n: int) -> tuple[str, ...]:
    return tuple(f"X{i + 1}" for i in range(n))


def _list_names(names: Sequence[str], mask: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(names) if mask >> i & 1)
