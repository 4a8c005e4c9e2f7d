"""Scoring many replies at once: one verdict for each, as if it were the only reply."""

from collections.abc import Sequence

from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Rules
from causarium.contract.verdict import Verdict
from causarium.errors import UsageError


def score_many(
    family: AnyFamily, instances: Sequence[AnyInstance], replies: Sequence[str], rules: Rules
) -> list[Verdict]:
    """Score one text reply to each of the instances; an instance may be there several times.

    A family that can score faster than by playing says so in `Family.score_many`.

    Args:
        family: Whose instances they are.
        instances: What was asked, one for each reply.
        replies: What was replied, in the same order.
        rules: The rules of play.

    Raises:
        UsageError: There are not as many replies as instances, or two instances share an id.
    """
    if len(instances) != len(replies):
        raise UsageError(f"{len(instances)} instances and {len(replies)} replies; give one each")
    if family.training.score_many is None:
        return [
            _play_reply(family, instance, reply, rules)
            for instance, reply in zip(instances, replies, strict=True)
        ]
    places: dict[str, list[int]] = {}
    for place, instance in enumerate(instances):
        mine = places.setdefault(instance.id, [])
        if mine and instances[mine[0]] != instance:
            raise UsageError(f"two different instances are called {instance.id}; score them apart")
        mine.append(place)
    verdicts: dict[int, Verdict] = {}
    for mine in places.values():
        verdicts_of_group = family.training.score_many(
            instances[mine[0]], [replies[place] for place in mine], rules
        )
        verdicts.update(zip(mine, verdicts_of_group, strict=True))
    return [verdicts[place] for place in range(len(instances))]


def _play_reply(family: AnyFamily, instance: AnyInstance, reply: str, rules: Rules) -> Verdict:
    episode = Episode(family, instance, rules)
    episode.take(episode.parse_reply(reply))
    return episode.score()
