"""Drawing tables. Each depends on its rung, the seed and its index alone.

Which objects are lively and what was tried before are drawn with the help of some pair of worlds;
then the pair is drawn anew, evenly among all that fit what is shown, and the truth is a coin. So
each pair of worlds that fits is as likely as any other, and so is each answer.
"""

from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.seeds import stream
from .evidence.pairs import Table
from .levels import LinkConfig
from .mechanics import decides, moves
from .model import FAMILY_NAME, LinkInstance, LinkPublic, LinkSecret, Parts, Plan, Watched

NAMES = (
    "anchor", "apron", "basket", "bell", "bench", "bottle", "bowl", "bucket", "button", "candle",
    "chair", "coin", "comb", "cork", "crate", "cup", "drum", "feather", "flute", "fork",
    "funnel", "glove", "gong", "hammer", "jug", "kettle", "ladder", "lamp", "marble", "mirror",
    "needle", "oar", "pan", "pebble", "pencil", "plate", "quill", "ribbon", "rope", "saddle",
    "shell", "shovel", "spool", "spoon", "stool", "thimble", "tray", "trumpet", "vase", "wheel",
)  # fmt: skip
_DRAWS = 300
"""How many trials are drawn before a table is given up."""


def generate(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    """Draw one instance of a rung.

    Args:
        config: The rung.
        seed: The seed that it is drawn from.
        index: Its place; of places 2k and 2k + 1 one has the answer yes.
    """
    number, place = divmod(index, 2)
    coin = stream(seed, FAMILY_NAME, "ladder", config.rung, "coin", number)
    truth = (coin.random() < 0.5) == (place == 0)
    rng = stream(seed, FAMILY_NAME, "ladder", config.rung, "table", index)
    drawn = None
    while drawn is None:
        drawn = _draw_table(config, rng, truth=truth)
    public, parts = drawn
    return Instance[LinkPublic, LinkSecret](
        id=f"{FAMILY_NAME}-rung-{config.rung}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=LinkSecret(truth=truth, parts=parts),
        facets=_list_facets(config, truth=truth),
    )


def _draw_table(config: LinkConfig, rng: Random, *, truth: bool) -> tuple[LinkPublic, Parts] | None:
    """Draw what is shown, then one of all pairs that fit it; None if they are too few or many."""
    target, *objects = rng.sample(NAMES, config.objects + 1)
    asked, lively = rng.choice(objects), rng.sample(objects, config.lively)
    public = LinkPublic(
        objects=tuple(objects),
        asked=asked,
        target=target,
        plan=Plan.model_validate(
            config.model_dump(include={"group", "rivals", "stoppers", "starters"})
        ),
        lively=tuple(name for name in objects if name in lively),
        hands=config.hands,
        watched=(),
        trials=config.trials,
    )
    watched = _watch(config, public, _draw_parts(Table(public), rng), rng, truth=truth)
    public = public.model_copy(update={"watched": watched or ()})
    table = Table(public)
    if watched is None or not config.fewest <= len(table.pairs) <= config.most:
        return None
    return public, _draw_parts(table, rng)


def _draw_parts(table: Table, rng: Random) -> Parts:
    """Draw one of the pairs of worlds that fit what is shown."""
    return table.read_parts(rng.randrange(len(table.pairs)))


def _watch(
    config: LinkConfig, public: LinkPublic, parts: Parts, rng: Random, *, truth: bool
) -> tuple[Watched, ...] | None:
    """Draw the trials made before; None if so many are not found.

    Where an agent has trials of its own, they come out alike whatever the answer is, and so many of
    them move the target as the rung says. Where it has none, each of them decides the answer.
    """
    rows: list[Watched] = []
    for _ in range(_DRAWS):
        touched = rng.sample(public.objects, rng.randint(1, config.hands))
        holds = 0.5 * rng.random() if config.starters or not config.trials else 0.0
        taken = {name for name in touched if name in public.lively or rng.random() < holds}
        started = tuple(n for n in public.objects if n in touched and n not in taken)
        held = tuple(name for name in public.objects if name in taken)
        if decides(public, parts, started, held) == bool(config.trials):
            continue
        moved = moves(public, parts, started, held, truth=truth)
        row = Watched(started=started, held=held, moved=moved)
        if row not in rows and (not config.trials or moved == (len(rows) < config.worked)):
            rows.append(row)
        if len(rows) == config.watched:
            return tuple(rng.sample(rows, len(rows)))
    return None


def _list_facets(config: LinkConfig, *, truth: bool) -> dict[str, Facet]:
    """Return the facets: the rung, the answer and the published structures."""
    return {
        "rung": config.rung,
        "objects": config.objects,
        "trials": config.trials,
        "answer": "yes" if truth else "no",
        "direct": config.group == 1,
        "conjunctive": config.group > 1,
        "disjunctive": bool(config.rivals),
        "prevented": bool(config.stoppers),
        "indirect": bool(config.starters),
        "lively": bool(config.lively),
    }
