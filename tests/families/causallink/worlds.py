"""Small worlds and scripted agents for the CausalLink tests."""

from collections.abc import Iterable

from causarium.contract.episode import Episode
from causarium.families.causallink import FAMILY
from causarium.families.causallink.instance import LinkInstance, LinkPublic, LinkSecret


def world_of(
    shapes: str, edges: str, moving: str, question: str, *, theme: str = "shapes"
) -> LinkInstance:
    """Return an instance over letters; `edges` and `question` are written like `A>B B>C`."""
    names = tuple(shapes)
    cause, effect = question.split(">")
    reach = LinkSecret(edges=tuple(edges.split()), truth=False).reach(names)
    truth = reach.causes(names.index(cause), names.index(effect))
    return FAMILY.instance(
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


def converse(instance: LinkInstance, replies: Iterable[str], edition: str, **rules) -> Episode:
    """Send replies, as a text agent would, until they or the case end."""
    episode = Episode(FAMILY, instance, FAMILY.rules_for(edition, **rules))
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
