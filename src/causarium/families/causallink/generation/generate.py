"""Drawing instances. Each depends on its level's configuration, the seed and its index alone.

Practice graphs are drawn in pairs: two instances that differ in one arrow and in nothing that is
shown. Everything else is drawn before a coin says which of the two comes first, and names and
listing are drawn for each anew, so that all that is shown at first has the same law whatever the
answer. The paper edition lists variables in node order, as published.

*Laws.* Most cases of the standard set: a log, drawn by `draw_log`.

*Core.* Three small structures and one variant, every closed start, every ordered pair. The
confounder with its extra edge has the reachability of a chain of three, so its 24 cases are the
mediation cases under other names. They carry a flag, and 60 cases are distinct.

*Practice.* Two worlds that differ in one arrow, from the cause to the effect, and in nothing that
is shown. Every other variable causes the effect, and some of them, at least one, the cause. To see
a difference one has to stop all the others and then act on the cause. One recipe does it every
time, hence the name.

*Released.* The released generator's mechanics, draw by draw, for the paper edition. Edges run from
lower to higher node ids only, so the order in which shapes are listed is a causal order. A draw in
which some node is not reachable from node 0 is replaced by its complement, which is not tested
again. Questions run from the lower id to the higher, whatever the answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.errors import GraphError
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream
from ..evidence.practice import find_depth, find_optimum, find_twin
from ..mechanics import OTHERS
from ..model.config import QUESTIONS_PER_GRAPH, LinkConfig
from ..model.instance import (
    ARROW,
    FAMILY_NAME,
    Form,
    LinkInstance,
    LinkPublic,
    LinkSecret,
    LogRow,
    MachinePublic,
    MachineSecret,
)
from ..shared.reach import Reach
from ..shared.theme import Theme, theme

Edges = tuple[tuple[int, int], ...]
STRUCTURES: dict[str, tuple[int, Edges]] = {
    "direct": (2, ((0, 1),)),
    "mediation": (3, ((0, 1), (1, 2))),
    "confounder": (3, ((1, 0), (1, 2))),
    "confounder_with_edge": (3, ((1, 0), (1, 2), (0, 2))),
}
"""The core structures: how many variables, and the edges."""
REPEATED = "confounder_with_edge"
"""The structure that acts exactly like an earlier one under other names."""
CAUSE, EFFECT = 0, 1
"""The variables of a practice pair that are asked about; the others follow."""
SOFT_SHARE = 0.2
"""How many practice pairs can be told apart one intervention sooner."""
ARROW_CHANCE = 0.2
"""The chance that the free variable of a soft pair causes another, and that it is caused by it."""
POOL_SIZE = 8
"""How many names the published pool of shapes has."""


@dataclass(frozen=True, slots=True)
class GraphCase:
    """One question about one graph. Numbers are places in the listing."""

    size: int
    edges: Edges
    start: int
    cause: int
    effect: int
    structure: str = "random"
    mechanism: str = ""
    """What it shares with its twin."""
    depth: int = 0
    """How many interventions it takes to tell it from its twin; 0 if it has none."""
    names: tuple[str, ...] = ()

    @property
    def truth(self) -> bool:
        """Whether the cause has a path to the effect."""
        return Reach.of_edges(self.size, self.edges).causes(self.cause, self.effect)

    def relist(self, places: Sequence[int]) -> "GraphCase":
        """Return the same case, with variable x and its name at `places[x]`."""
        return replace(
            self,
            edges=tuple((places[a], places[b]) for a, b in self.edges),
            start=mask_of(places[x] for x in bits(self.start)),
            cause=places[self.cause],
            effect=places[self.effect],
            names=tuple(name for _, name in sorted(zip(places, self.names, strict=False))),
        )

    def turn_listing(self, *, cause_first: bool) -> "GraphCase":
        """Return the same case, with its listing turned round if need be."""
        as_asked = (self.cause < self.effect) == cause_first
        return self if as_asked else self.relist(range(self.size)[::-1])


def core_cases(*, distinct: bool) -> list[GraphCase]:
    """Return the 84 core cases, or the 60 distinct ones, structure by structure."""
    return [
        GraphCase(size, edges, start, cause, effect, structure)
        for structure, (size, edges) in STRUCTURES.items()
        if not (distinct and structure == REPEATED)
        for start in Reach.of_edges(size, edges).closed_states()
        for pair in combinations(range(size), 2)
        for cause, effect in (pair, pair[::-1])
    ]


def draw_practice_pair(rng: Random, size: int) -> tuple[Edges, int]:
    """Draw the edges of a practice pair, but for the one from cause to effect, and its depth.

    One pair in five is softer: the last variable has arrows of its own. Otherwise the number of
    worlds would be so small that none would be left to train on.
    """
    others = range(2, size)
    if len(others) < 2 or rng.random() >= SOFT_SHARE:
        return _draw_barrier(rng, others), size - 1
    while True:
        edges = (*_draw_barrier(rng, others[:-1]), *_draw_free_arrows(rng, others[-1]))
        if _has_depth(size, edges, size - 2):
            return edges, size - 2


def _draw_barrier(rng: Random, others: Sequence[int]) -> Edges:
    causes_of_both = rng.sample(others, rng.randint(1, len(others)))
    return (*((x, EFFECT) for x in others), *((x, CAUSE) for x in causes_of_both))


def _draw_free_arrows(rng: Random, free: int) -> Iterator[tuple[int, int]]:
    for x in range(free):
        drawn = rng.random()
        if drawn < 2 * ARROW_CHANCE:
            yield (free, x) if drawn < ARROW_CHANCE else (x, free)


def _has_depth(size: int, edges: Edges, depth: int) -> bool:
    """Say whether edges and one more from cause to effect are twins of that depth."""
    try:
        world = Reach.of_edges(size, edges)
    except GraphError:
        return False
    twin = None if world.causes(CAUSE, EFFECT) else find_twin(world, CAUSE, EFFECT)
    return twin is not None and find_depth(world, twin, (1 << size) - 1) == depth


def draw_released(rng: Random, n: int) -> list[GraphCase]:
    """Draw one graph and its questions, in the released order of random draws."""
    slots = list(combinations(range(n), 2))
    edges = complete_edges(n, [rng.random() < 0.5 for _ in slots])
    names = tuple(rng.sample(theme("shapes").names[:POOL_SIZE], n))
    for _ in range(n):
        # A kind of change is drawn for every shape from a list of one and never used.
        rng.choice(("moving",))
    pairs = rng.sample(slots, QUESTIONS_PER_GRAPH)
    return [GraphCase(n, edges, (1 << n) - 1, *pair, names=names) for pair in pairs]


def complete_edges(n: int, present: Sequence[bool]) -> Edges:
    """Return the graph of one draw: its edges, or where node 0 does not reach all, the others."""
    slots = list(combinations(range(n), 2))
    drawn = tuple(slot for slot, is_present in zip(slots, present, strict=True) if is_present)
    if Reach.of_edges(n, drawn).below[0] == (1 << n) - 1:
        return drawn
    return tuple(slot for slot in slots if slot not in drawn)


def generate(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    """Draw one instance of a level.

    Args:
        config: The level.
        seed: The seed that it is drawn from.
        index: Its place in the level.
    """
    name = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    if config.kind == "laws":
        return _log_case(config, seed, index, name)
    draws = {"core": _core_case, "practice": _practice_case, "released": _released_case}
    case = draws[config.kind](config, seed, index)
    public = LinkPublic(
        theme=config.theme,
        shapes=case.names,
        moving=tuple(case.names[x] for x in bits(case.start)),
        cause=case.names[case.cause],
        effect=case.names[case.effect],
        cap=2 * case.size,
    )
    active = len(public.moving)
    facets: dict[str, Facet] = {
        "structure": case.structure,
        "size": case.size,
        "truth": "true" if case.truth else "false",
        "start": "all" if active == case.size else "some" if active else "none",
        "theme": config.theme,
        "repeat": case.structure == REPEATED,
        "optimum": find_optimum(public),
    }
    if case.mechanism:
        facets |= {"depth": case.depth, "mechanism": case.mechanism}
    edges = (f"{case.names[a]}{ARROW}{case.names[b]}" for a, b in case.edges)
    secret = LinkSecret(edges=tuple(sorted(edges)), truth=case.truth)
    return Instance[LinkPublic, LinkSecret](id=name, public=public, secret=secret, facets=facets)


def _core_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    cases = core_cases(distinct=config.distinct)
    lap, place = divmod(index, len(cases))
    names = theme(config.theme).names[:POOL_SIZE]
    if config.edition == "paper":
        case = cases[place]
        rng = stream(seed, FAMILY_NAME, config.draw, "names", lap, case.structure)
        return replace(case, names=tuple(rng.sample(names, case.size)))
    order = stream(seed, FAMILY_NAME, config.draw, "order", len(cases), lap)
    shuffled = order.sample(cases, len(cases))
    case = shuffled[place]
    rng = stream(seed, FAMILY_NAME, config.draw, "case", len(cases), index)
    listed = case.relist(rng.sample(range(case.size), case.size))
    # Of the cases with this answer, every other one lists its cause first.
    alike = [number for number, other in enumerate(shuffled) if other.truth == case.truth]
    first = (len(alike) + (order.random() < 0.5)) // 2
    flags = [True] * first + [False] * (len(alike) - first)
    order.shuffle(flags)
    named = replace(listed, names=tuple(rng.sample(names, case.size)))
    return named.turn_listing(cause_first=flags[alike.index(place)])


def _practice_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    number, place = divmod(index, 2)
    address = (FAMILY_NAME, config.draw, config.size)
    edges, depth = draw_practice_pair(stream(seed, *address, "pair", number), config.size)
    coin = stream(seed, *address, "coin", number)
    if (coin.random() < 0.5) == (place == 0):
        edges = (*edges, (CAUSE, EFFECT))
    cause_first = coin.random() < 0.5
    places = stream(seed, *address, "listing", index).sample(range(config.size), config.size)
    names = stream(seed, *address, "names", index).sample(theme(config.theme).names, config.size)
    case = GraphCase(
        config.size,
        edges,
        (1 << config.size) - 1,
        CAUSE,
        EFFECT,
        structure="twins",
        depth=depth,
        mechanism=f"{config.draw}-{config.size}-s{seed}-pair-{number}",
        names=tuple(names),
    )
    return case.relist(places).turn_listing(cause_first=cause_first)


def _released_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    number, question = divmod(index, QUESTIONS_PER_GRAPH)
    rng = stream(seed, FAMILY_NAME, config.draw, config.size, number)
    return draw_released(rng, config.size)[question]


def _log_case(config: LinkConfig, seed: int, index: int, name: str) -> LinkInstance:
    # Here, so that importing the family does not import numpy.
    from .draw_log import draw_logs

    number, place = divmod(index, 2)
    # Each log is shown once, so that nothing can be remembered of it.
    chance = stream(seed, FAMILY_NAME, config.draw, "log", index)
    logs = draw_logs(chance)
    drawn = chance.choice(logs)
    coin = stream(seed, FAMILY_NAME, config.draw, "coin", number)
    truth = (coin.random() < 0.5) == (place == 0)
    believable_asked = coin.random() < 0.5
    form: Form = coin.choice(("cause", "direct"))
    rng = stream(seed, FAMILY_NAME, config.draw, "names", index)
    story = stream(seed, FAMILY_NAME, config.draw, "story", number).random()
    parts = _name_parts(rng, theme(config.theme), story, believable_asked=believable_asked)
    cause, companion, effect, *others = parts
    shapes = tuple(rng.sample(parts, OTHERS + 3))

    def listed(mask: int, *more: str) -> tuple[str, ...]:
        chosen = {*more, *(others[x] for x in bits(mask))}
        return tuple(part for part in shapes if part in chosen)

    rows = [
        LogRow(
            moved=listed(row.moved, *((cause, companion) if row.suspects else ())),
            target=row.target,
        )
        for row in rng.sample(drawn.log, len(drawn.log))
    ]
    world = drawn.truth
    return Instance[LinkPublic, LinkSecret](
        id=name,
        public=LinkPublic(
            theme=config.theme,
            shapes=shapes,
            moving=(),
            cause=cause,
            effect=effect,
            cap=1,
            machine=MachinePublic(
                companion=companion, form=form, needs=world.needs, log=tuple(rows)
            ),
        ),
        secret=LinkSecret(
            edges=(),
            truth=truth,
            machine=MachineSecret(
                suspect=cause if truth else companion,
                helpers=listed(world.helpers),
                rivals=listed(world.rivals),
                guards=listed(world.guards),
                laws=tuple(sorted(", ".join(one.truth.needs) for one in logs)),
            ),
        ),
        facets={
            "structure": config.kind,
            "size": len(shapes),
            "truth": "true" if truth else "false",
            "optimum": 1,
            "worlds": int(drawn.machine.fit_all(drawn.log).sum()),
            "mechanism": f"{config.draw}-s{seed}-log-{index}",
            "law": ", ".join(world.needs),
        },
    )


def _name_parts(rng: Random, words: Theme, story: float, *, believable_asked: bool) -> list[str]:
    """Name the suspect asked about, the other one, the target and the others.

    A theme with stories lets one suspect be the believable cause, the same in both cases of a pair:
    in one of them the words suggest the truth, in the other its opposite.
    """
    if not words.stories:
        return rng.sample(words.names, OTHERS + 3)
    believable, beside, outcome = words.stories[int(story * len(words.stories))]
    suspects = [believable, beside] if believable_asked else [beside, believable]
    return [*suspects, outcome, *rng.sample(words.names, OTHERS)]
