"""Which instances are the same under other names and signs."""

from hashlib import sha256

from ..model import ReplayInstance, ReplayPublic


def canonical_key(instance: ReplayInstance) -> str:
    """Return a digest that instances share if names and signs alone tell them apart.

    Worlds and units keep their order in every disguise, and each variable keeps its part in the
    game. So a variable is known by its column, turned so that it begins with 0, and its parts. On
    the first rung two systems would be left, so names and signs count there.
    """
    public = instance.public
    if public.rung == 1:
        return sha256(public.model_dump_json().encode()).hexdigest()
    told = sorted(_describe(public, place, name) for place, name in enumerate(public.names))
    return sha256("\n".join([str(public.rung), *told]).encode()).hexdigest()


def _describe(public: ReplayPublic, place: int, name: str) -> str:
    asking = public.asking
    rows = [*(row for world in public.worlds for row in world.rows)]
    rows += [one.row for one in public.whatifs]
    column = "".join("1" if row[place] != rows[0][place] else "0" for row in rows)
    hands = "".join(str(int(name in (world.hand or ()))) for world in public.worlds)
    parts = (
        name in (public.outside or ()),
        name in public.rules_asked,
        asking is not None and name in asking.gauges,
        *(name in one.set for one in public.whatifs),
        *(name == one.variable for one in public.whatifs),
        *(name == one.variable for one in public.plans),
    )
    if asking and name in asking.outside:
        column += str(asking.outside[name] ^ int(rows[0][place]))
    return f"{column} {hands} {''.join(str(int(part)) for part in parts)}"
