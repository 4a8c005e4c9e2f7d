"""What a learner may try to read off the first look."""

from causarium.contract.probe import Examples, Probe
from causarium.families.causallink.instance import LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.mechanics.theme import theme

_LARGEST = 12
"""Features are filled up to worlds of this size, so that all have equally many."""


def _read_first_look(instance: LinkInstance) -> Examples:
    """Return all that is shown, as numbers, and the answer."""
    public = instance.public
    names = theme(public.theme).names
    cause, effect = public.shapes.index(public.cause), public.shapes.index(public.effect)
    ranks = [float(names.index(name)) for name in public.shapes]
    active = [float(name in public.moving) for name in public.shapes]
    padding = [-1.0] * (_LARGEST - len(public.shapes))
    features = [
        float(len(public.shapes)),
        float(len(public.moving)),
        float(cause),
        float(effect),
        float(cause < effect),
        float(abs(cause - effect)),
        active[cause],
        active[effect],
        ranks[cause],
        ranks[effect],
        float(ranks[cause] < ranks[effect]),
        *ranks,
        *padding,
        *active,
        *padding,
    ]
    return [(features, instance.secret.truth)]


PROBES: dict[str, Probe[LinkPublic, LinkSecret]] = {
    "answer": Probe(
        about="Reads the answer off names, order and states at the first look.",
        examples=_read_first_look,
    ),
}
"""All probes, by name."""
