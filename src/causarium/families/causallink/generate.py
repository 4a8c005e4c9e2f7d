"""Drawing instances. Each depends on its level's configuration, the seed and its index alone.

The certified edition draws pairs of worlds that differ in one arrow, from the cause to the effect,
and in nothing that is shown. Everything else is drawn before a coin says which of the two comes
first, and names and listing are drawn for each anew, so that all that is shown at first has the
same law whatever the answer. The paper edition lists variables in node order, as published.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.families.causallink.config import QUESTIONS_PER_GRAPH, LinkConfig
from causarium.families.causallink.evidence.optimum import find_optimum
from causarium.families.causallink.generation.core_cases import Edges, core_cases
from causarium.families.causallink.generation.released_generator import POOL_SIZE, draw_released
from causarium.families.causallink.generation.twin_pairs import (
    CAUSE,
    EFFECT,
    Pair,
    draw_all_active,
    draw_some_active,
)
from causarium.families.causallink.instance import ARROW, LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.mechanics.theme import theme
from causarium.seeds import stream

FAMILY_NAME = "causallink"
_THEME_OF = {"shapes": "shapes", "nonsense": "nonsense", "aligned": "storm", "opposed": "storm"}


@dataclass(frozen=True, slots=True)
class Case:
    """One question about one graph, before it is worded. Numbers are listing positions."""

    names: tuple[str, ...]
    edges: Edges
    start: int
    cause: int
    effect: int
    structure: str = "random"
    repeat: bool = False
    depth: int | None = None
    """How many interventions it takes to tell it from its twin; None if it has none."""
    mechanism: str = ""
    """What it shares with its twin."""

    def turn_listing(self, *, cause_first: bool) -> "Case":
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
    """Draw instance `index` of a level."""
    draws = {"core": _core_case, "twins": _twin_case, "released": _released_case}
    return word_case(config, seed, index, draws[config.kind](config, seed, index))


def word_case(config: LinkConfig, seed: int, index: int, case: Case) -> LinkInstance:
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
        theme=_THEME_OF[config.words],
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
        "theme": config.words,
        "repeat": case.repeat,
        "optimum": find_optimum(public),
    }
    if case.depth is not None:
        facets |= {"depth": case.depth, "mechanism": case.mechanism}
    return Instance[LinkPublic, LinkSecret](
        id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=LinkSecret(
            edges=tuple(sorted(f"{names[a]}{ARROW}{names[b]}" for a, b in case.edges)),
            truth=truth,
        ),
        facets=facets,
    )


def _core_case(config: LinkConfig, seed: int, index: int) -> Case:
    cases = core_cases(distinct=config.distinct)
    lap, place = divmod(index, len(cases))
    names = theme(_THEME_OF[config.words]).names[:POOL_SIZE]
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
    drawn = Case(
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


def _twin_case(config: LinkConfig, seed: int, index: int) -> Case:
    number, place = divmod(index, 2)
    pair = _pair(config, seed, number)
    address = (FAMILY_NAME, config.draw, config.size)
    coin = stream(seed, *address, "coin", number)
    truth = (coin.random() < 0.5) == (place == 0)
    cause_first = coin.random() < 0.5
    listing = stream(seed, *address, "listing", index)
    places = listing.sample(range(config.size), config.size)
    names = _names(stream(seed, *address, "names", index), config, truth=truth)
    listed = dict(zip(places, names, strict=True))
    case = Case(
        names=tuple(listed[x] for x in range(config.size)),
        edges=tuple((places[a], places[b]) for a, b in pair.edges_of(truth=truth)),
        start=sum(1 << places[x] for x in range(config.size) if pair.start >> x & 1),
        cause=places[CAUSE],
        effect=places[EFFECT],
        structure="twins",
        depth=pair.depth,
        mechanism=f"{config.draw}-{config.size}-s{seed}-pair-{number}",
    )
    return case.turn_listing(cause_first=cause_first)


@lru_cache(maxsize=256)
def _pair(config: LinkConfig, seed: int, number: int) -> Pair:
    rng = stream(seed, FAMILY_NAME, config.draw, config.size, "pair", number)
    if config.start == "all":
        return draw_all_active(rng, config.size)
    return draw_some_active(rng, config.size, number)


def _names(rng: Random, config: LinkConfig, *, truth: bool) -> list[str]:
    """Name the cause, the effect and the others.

    Where words are ordered, those of cause and effect change places if need be, so that they
    suggest the truth or its opposite. The others say nothing: who reads them could otherwise tell
    words that are right from words that are wrong.
    """
    words = theme(_THEME_OF[config.words])
    names = rng.sample(words.names, config.size)
    if words.ordered:
        suggested = truth == (config.words == "aligned")
        if words.suggests(names[CAUSE], names[EFFECT]) != suggested:
            names[CAUSE], names[EFFECT] = names[EFFECT], names[CAUSE]
    return names


def _even_flags(rng: Random, count: int, *, more: bool) -> list[bool]:
    """Return as many true as false flags, in random order; an odd one is true if `more`."""
    flags = [True] * ((count + more) // 2)
    flags += [False] * (count - len(flags))
    rng.shuffle(flags)
    return flags


def _released_case(config: LinkConfig, seed: int, index: int) -> Case:
    number, question = divmod(index, QUESTIONS_PER_GRAPH)
    rng = stream(seed, FAMILY_NAME, config.draw, config.size, number)
    drawn = draw_released(rng, config.size, QUESTIONS_PER_GRAPH)
    cause, effect = drawn.pairs[question]
    return Case(drawn.shapes, drawn.edges, (1 << config.size) - 1, cause, effect)
