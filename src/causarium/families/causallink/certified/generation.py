"""Drawing tables. Each depends on its rung, the seed and its index alone.

Parts are dealt evenly; rows of tries are drawn by a rule that looks at parts and never at names or
the truth; then the truth is a coin. All dealings of a rung are one another under other names, and
so each pair of worlds that fits the rows is as likely as any other, and so is each answer.
"""

from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.seeds import stream
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
LEAN, FULL = 0.3, 0.7
"""The least and the greatest share of objects that a watched try starts, on average."""


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
    target, asked, *others = rng.sample(NAMES, config.objects + 1)
    parts = deal_parts(config, others)
    objects = tuple(rng.sample([asked, *others], config.objects))
    watched = _watch(config, parts, asked, objects, rng, truth=truth)
    plan = Plan.model_validate(
        config.model_dump(include={"group", "rivals", "stoppers", "shields", "starters"})
    )
    public = LinkPublic(
        objects=objects, asked=asked, target=target, plan=plan, watched=watched, tries=config.tries
    )
    return Instance[LinkPublic, LinkSecret](
        id=f"{FAMILY_NAME}-rung-{config.rung}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=LinkSecret(truth=truth, parts=parts),
        facets=_list_facets(config, truth=truth),
    )


def deal_parts(config: LinkConfig, others: list[str]) -> Parts:
    """Return the parts of objects in the order in which they are dealt."""
    rest = iter(others)

    def take(count: int) -> tuple[str, ...]:
        return tuple(next(rest) for _ in range(count))

    partners = take(config.group - 1)
    stoppers = take(config.stoppers)
    rivals = tuple(take(size) for size in config.rivals)
    return Parts(
        partners=partners,
        stand_in=next(rest),
        rivals=rivals,
        stoppers=stoppers,
        shielded=stoppers[: config.shields],
        shields=take(config.shields),
        starters=take(config.starters),
        started=tuple(group[0] for group in rivals[: config.starters]),
    )


def _watch(
    config: LinkConfig,
    parts: Parts,
    asked: str,
    objects: tuple[str, ...],
    rng: Random,
    *,
    truth: bool,
) -> tuple[Watched, ...]:
    """Draw the tries made before.

    Where an agent has tries of its own, they come out alike whatever the answer is, and the target
    stands still. Where it has none, each of them decides the answer.
    """
    rows: list[Watched] = []
    while len(rows) < config.watched:
        share = LEAN + (FULL - LEAN) * rng.random()
        started = tuple(name for name in objects if rng.random() < share)
        holds = rng.random() if config.starters or not config.tries else 0.0
        held = tuple(name for name in objects if name not in started and rng.random() < holds)
        if decides(parts, asked, started, held) == bool(config.tries):
            continue
        moved = moves(parts, asked, started, held, truth=truth)
        row = Watched(started=started, held=held, moved=moved)
        if started and row not in rows and not (config.tries and moved):
            rows.append(row)
    return tuple(rows)


def _list_facets(config: LinkConfig, *, truth: bool) -> dict[str, Facet]:
    """Return the facets: the rung, the answer and the published structures."""
    return {
        "rung": config.rung,
        "objects": config.objects,
        "tries": config.tries,
        "truth": "true" if truth else "false",
        "direct": config.group == 1,
        "conjunctive": config.group > 1,
        "disjunctive": bool(config.rivals),
        "prevented": bool(config.stoppers),
        "unprevented": bool(config.shields),
        "indirect": bool(config.starters),
    }
