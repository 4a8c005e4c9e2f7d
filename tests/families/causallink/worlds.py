"""Small worlds and scripted agents for the CausalLink tests."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations

from causarium import families
from causarium.contract.episode import Episode
from causarium.contract.instance import Instance
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import generate_set
from causarium.errors import GraphError
from causarium.families.causallink.model.instance import LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.shared.reach import Reach

FAMILY = families.get("causallink")


@cache  # 120 cases of `laws` take five seconds, and several tests look at them
def draw_set(edition: Edition, name: str) -> tuple[LinkInstance, ...]:
    """Return a named set."""
    return tuple(generate_set(FAMILY, edition, name))


def world_of(
    shapes: str,
    edges: str,
    moving: str,
    question: str,
    *,
    theme: str = "shapes",
    edition: Edition = "certified",
) -> LinkInstance:
    """Return an instance over letters; `edges` and `question` are written like `A>B B>C`."""
    names = tuple(shapes)
    cause, effect = question.split(">")
    reach = LinkSecret(edges=tuple(edges.split()), truth=False).reach(names)
    truth = reach.causes(names.index(cause), names.index(effect))
    instance = Instance[LinkPublic, LinkSecret](
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
    return families.get("causallink", edition).read_instance(instance.model_dump(mode="json"))


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


def converse(instance: LinkInstance, replies: Iterable[str], edition: str, **rules) -> Episode:
    """Send replies, as a text agent would, until they or the case end."""
    family = families.get("causallink", edition)
    instance = family.read_instance(instance.model_dump(mode="json"))
    episode = Episode(family, instance, family.rules_for(edition, **rules))
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
