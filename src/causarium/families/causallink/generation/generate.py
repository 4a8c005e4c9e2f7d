"""Drawing instances. Each depends on its level's configuration, the seed and its index alone.

The certified levels draw pairs: two instances that differ in one arrow, or in which suspect is in
the live set, and in nothing that is shown. Everything else is drawn before a coin says which of the
two comes first, and names and listing are drawn for each anew, so that all that is shown at first
has the same law whatever the answer. The paper edition lists variables in node order, as published.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.families.causallink.evidence.practice import find_optimum
from causarium.families.causallink.generation.draw_log import DrawnLog, draw_plain, draw_screened
from causarium.families.causallink.generation.small_worlds import (
    CAUSE,
    EFFECT,
    POOL_SIZE,
    Edges,
    core_cases,
    draw_practice_pair,
    draw_released,
)
from causarium.families.causallink.mechanics import Law, build_machine
from causarium.families.causallink.model.config import QUESTIONS_PER_GRAPH, LinkConfig
from causarium.families.causallink.model.instance import (
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
from causarium.families.causallink.model.reach import Reach
from causarium.families.causallink.model.theme import Theme, theme
from causarium.seeds import stream

LAWS = {
    "log": Law(others=5, helpers=(1, 2), rivals=(1, 2), brakes=(1,)),
    "screens": Law(others=6, helpers=(2,), rivals=(1, 2), brakes=(1,)),
}
"""What is said of the machines of the log levels."""


@dataclass(frozen=True, slots=True)
class GraphCase:
    """One question about one graph, before it is worded. Numbers are listing positions."""

    names: tuple[str, ...]
    edges: Edges
    start: int
    cause: int
    effect: int
    structure: str = "random"
    repeat: bool = False
    mechanism: str = ""
    """What it shares with its twin."""
    depth: int = 0
    """How many interventions it takes to tell it from its twin; 0 if it has none."""

    def turn_listing(self, *, cause_first: bool) -> "GraphCase":
        """Return the same case, with its listing turned round if need be."""
        if (self.cause < self.effect) == cause_first:
            return self
        last = len(self.names) - 1
        return replace(
            self,
            names=self.names[::-1],
            edges=tuple((last - a, last - b) for a, b in self.edges),
            start=sum(1 << last - x for x in range(last + 1) if self.start >> x & 1),
            cause=last - self.cause,
            effect=last - self.effect,
        )


def generate(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    """Draw one instance of a level.

    Args:
        config: The level.
        seed: The seed that it is drawn from.
        index: Its place in the level.
    """
    if config.kind in LAWS:
        return _log_case(config, seed, index)
    draws = {"core": _core_case, "practice": _practice_case, "released": _released_case}
    return word_case(config, seed, index, draws[config.kind](config, seed, index))


def word_case(config: LinkConfig, seed: int, index: int, case: GraphCase) -> LinkInstance:
    """Make a case an instance.

    Args:
        config: Its level.
        seed: The seed that it was drawn from.
        index: Its place in the level.
        case: What was drawn.
    """
    names, n = case.names, len(case.names)
    truth = Reach.of_edges(n, case.edges).causes(case.cause, case.effect)
    moving = tuple(name for x, name in enumerate(names) if case.start >> x & 1)
    public = LinkPublic(
        theme=config.theme,
        shapes=names,
        moving=moving,
        cause=names[case.cause],
        effect=names[case.effect],
        cap=2 * n,
    )
    facets: dict[str, Facet] = {
        "structure": case.structure,
        "size": n,
        "truth": "true" if truth else "false",
        "start": "all" if len(moving) == n else "some" if moving else "none",
        "theme": config.theme,
        "repeat": case.repeat,
        "optimum": find_optimum(public),
    }
    if case.mechanism:
        facets |= {"depth": case.depth, "mechanism": case.mechanism}
    return Instance[LinkPublic, LinkSecret](
        id=_name_instance(config, seed, index),
        public=public,
        secret=LinkSecret(
            edges=tuple(sorted(f"{names[a]}{ARROW}{names[b]}" for a, b in case.edges)),
            truth=truth,
        ),
        facets=facets,
    )


def _name_instance(config: LinkConfig, seed: int, index: int) -> str:
    return f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"


def _core_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    cases = core_cases(distinct=config.distinct)
    lap, place = divmod(index, len(cases))
    names = theme(config.theme).names[:POOL_SIZE]
    if config.edition == "paper":
        case = cases[place]
        rng = stream(seed, FAMILY_NAME, config.draw, "names", lap, case.structure.name)
        listing = list(range(case.structure.size))
    else:
        order = stream(seed, FAMILY_NAME, config.draw, "order", len(cases), lap)
        shuffled = order.sample(cases, len(cases))
        case = shuffled[place]
        rng = stream(seed, FAMILY_NAME, config.draw, "case", len(cases), index)
        listing = rng.sample(range(case.structure.size), case.structure.size)
    structure = case.structure
    drawn = GraphCase(
        names=tuple(rng.sample(names, structure.size)),
        edges=tuple((listing[a], listing[b]) for a, b in structure.edges),
        start=sum(1 << listing[x] for x in range(structure.size) if case.start >> x & 1),
        cause=listing[case.cause],
        effect=listing[case.effect],
        structure=structure.name,
        repeat=structure.repeat,
    )
    if config.edition == "paper":
        return drawn
    alike = [number for number, other in enumerate(shuffled) if other.truth == case.truth]
    flags = _even_flags(order, len(alike), more=order.random() < 0.5)
    return drawn.turn_listing(cause_first=flags[alike.index(place)])


def _even_flags(rng: Random, count: int, *, more: bool) -> list[bool]:
    """Return as many true as false flags, in random order; an odd one is true if `more`."""
    flags = [True] * ((count + more) // 2)
    flags += [False] * (count - len(flags))
    rng.shuffle(flags)
    return flags


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
    listed = dict(zip(places, names, strict=True))
    case = GraphCase(
        names=tuple(listed[x] for x in range(config.size)),
        edges=tuple((places[a], places[b]) for a, b in edges),
        start=(1 << config.size) - 1,
        cause=places[CAUSE],
        effect=places[EFFECT],
        structure="twins",
        depth=depth,
        mechanism=f"{config.draw}-{config.size}-s{seed}-pair-{number}",
    )
    return case.turn_listing(cause_first=cause_first)


def _released_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    number, question = divmod(index, QUESTIONS_PER_GRAPH)
    rng = stream(seed, FAMILY_NAME, config.draw, config.size, number)
    drawn = draw_released(rng, config.size, QUESTIONS_PER_GRAPH)
    cause, effect = drawn.pairs[question]
    return GraphCase(drawn.shapes, drawn.edges, (1 << config.size) - 1, cause, effect)


@lru_cache(maxsize=8)
def _draw_log(kind: str, draw: str, seed: int, number: int) -> DrawnLog:
    # Both cases of a pair, in each skin, are drawn one after the other: 50 ms saved for each.
    rng = stream(seed, FAMILY_NAME, draw, "log", number)
    drawers = {"log": draw_plain, "screens": draw_screened}
    return drawers[kind](build_machine(LAWS[kind]), rng)


def _log_case(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    number, place = divmod(index, 2)
    drawn = _draw_log(config.kind, config.draw, seed, number)
    law = LAWS[config.kind]
    coin = stream(seed, FAMILY_NAME, config.draw, "coin", number)
    truth = (coin.random() < 0.5) == (place == 0)
    believable_asked = coin.random() < 0.5
    form: Form = coin.choice(("cause", "direct"))
    rng = stream(seed, FAMILY_NAME, config.draw, "names", index)
    words = theme(config.theme)
    story = stream(seed, FAMILY_NAME, config.draw, "story", number).random()
    cause, companion, effect, *others = _name_parts(
        rng, words, law.others, story, believable_asked=believable_asked
    )
    shapes = tuple(rng.sample((cause, companion, effect, *others), law.others + 3))

    def listed(mask: int) -> tuple[str, ...]:
        chosen = {name for x, name in enumerate(others) if mask >> x & 1}
        return tuple(name for name in shapes if name in chosen)

    rows = [
        LogRow(
            moved=tuple(
                name
                for name in shapes
                if name in listed(row.moved) or (row.suspects and name in {cause, companion})
            ),
            unseen=listed(row.unseen),
            target=row.target,
        )
        for row in rng.sample(drawn.log, len(drawn.log))
    ]
    world = drawn.truth
    return Instance[LinkPublic, LinkSecret](
        id=_name_instance(config, seed, index),
        public=LinkPublic(
            theme=config.theme,
            shapes=shapes,
            moving=(),
            cause=cause,
            effect=effect,
            cap=1,
            machine=MachinePublic(
                companion=companion,
                helpers=law.helpers,
                rivals=law.rivals,
                brakes=law.brakes,
                form=form,
                log=tuple(rows),
            ),
        ),
        secret=LinkSecret(
            edges=(),
            truth=truth,
            machine=MachineSecret(
                suspect=cause if truth else companion,
                helpers=listed(world.helpers),
                rival=listed(world.rival),
                brakes=listed(world.brakes),
            ),
        ),
        facets={
            "structure": config.kind,
            "size": len(shapes),
            "truth": "true" if truth else "false",
            "optimum": 1,
            "worlds": drawn.left.bit_count(),
            "mechanism": f"{config.draw}-s{seed}-pair-{number}",
        },
    )


def _name_parts(
    rng: Random, words: Theme, others: int, story: float, *, believable_asked: bool
) -> list[str]:
    """Name the suspect asked about, the other one, the target and the others.

    A theme with stories lets one suspect be the believable cause, the same in both cases of a pair:
    in one of them the words suggest the truth, in the other its opposite.
    """
    if not words.stories:
        return rng.sample(words.names, others + 3)
    believable, beside, outcome = words.stories[int(story * len(words.stories))]
    suspects = [believable, beside] if believable_asked else [beside, believable]
    return [*suspects, outcome, *rng.sample(words.names, others)]
