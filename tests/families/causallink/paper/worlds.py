"""Small worlds and scripted agents for the tests of the paper edition."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations
from typing import Literal

from causarium import families
from causarium.contract.episode import Episode
from causarium.contract.instance import Instance
from causarium.contract.sets.instance_sets import generate_set
from causarium.errors import GraphError
from causarium.families.causallink.paper.model.instance import LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.paper.model.reach import Reach
from causarium.families.causallink.paper.model.rules import LinkRules

FAMILY = families.get("causallink", "paper")
Way = Literal["published", "repaired"]


def rules_for(way: Way, **changes) -> LinkRules:
    """Return rules as published, or with none of the quirks of the released program."""
    quirks = dict.fromkeys(FAMILY.rules.quirks, way == "published")
    return FAMILY.rules_for("paper", **{**quirks, **changes})


@cache
def draw_set(name: str) -> tuple[LinkInstance, ...]:
    """Return a named set."""
    return tuple(generate_set(FAMILY, "paper", name))


def world_of(
    shapes: str,
    edges: str,
    moving: str,
    question: str,
    *,
    theme: str = "shapes",
) -> LinkInstance:
    """Return an instance over letters; `edges` and `question` are written like `A>B B>C`."""
    names = tuple(shapes)
    cause, effect = question.split(">")
    reach = LinkSecret(edges=tuple(edges.split()), truth=False).reach(names)
    truth = reach.causes(names.index(cause), names.index(effect))
    return Instance[LinkPublic, LinkSecret](
        id="causallink-test-0000",
        public=LinkPublic(
            theme=theme,
            shapes=names,
            moving=tuple(name for name in names if name in moving),
            cause=cause,
            effect=effect,
            cap=2 * len(names),
        ),
        secret=LinkSecret(edges=tuple(edges.split()), truth=truth),
    )


@cache
def all_worlds(n: int) -> tuple[Reach, ...]:
    """Return every reachability relation on n variables, by closing every set of edges."""
    pairs = list(permutations(range(n), 2))
    found: dict[tuple[int, ...], Reach] = {}
    for chosen in range(1 << len(pairs)):
        edges = [pair for place, pair in enumerate(pairs) if chosen >> place & 1]
        try:
            reach = Reach.of_edges(n, edges)
        except GraphError:
            continue
        found[reach.below] = reach
    return tuple(found.values())


def converse(instance: LinkInstance, replies: Iterable[str], way: Way, **rules) -> Episode:
    """Send replies, as a text agent would, until they or the case end."""
    episode = Episode(FAMILY, instance, rules_for(way, **rules))
    for reply in replies:
        if episode.done:
            break
        episode.step(episode.parse_reply(reply))
    return episode


def act(shape: str, action: str) -> str:
    return f'{{"shape": "{shape}", "action": "{action}"}}'


GO_ON = '{"next": "continue interaction"}'
READY = '{"next": "answer the question"}'
YES = '{"answer": "yes"}'
NO = '{"answer": "no"}'
