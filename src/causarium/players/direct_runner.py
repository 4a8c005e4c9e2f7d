"""The direct runner: players play worlds with nothing in between, thousands of episodes a second.

It walks the same path as the engine (`contract.episode.Episode`), so it gives the same rows.
"""

from collections.abc import Iterable, Iterator

from causarium.contract.certificate import Certificate
from causarium.contract.episode import Episode, count_bad_replies, count_refusals, play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.row import Row
from causarium.contract.rules import Edition, Rules
from causarium.contract.verdict import Verdict


def make_row(
    episode: Episode, verdict: Verdict, *, edition: Edition, set_name: str, agent: str
) -> Row:
    """Return the row of one finished episode."""
    family, instance = episode.family, episode.instance
    return Row(
        family=family.name,
        version=family.card.version,
        edition=edition,
        set=set_name,
        agent=agent,
        interface=episode.rules.interface,
        id=instance.id,
        facets=instance.facets,
        numbers=verdict.numbers,
        labels=verdict.labels,
        turns=len(episode.turns),
        answered=verdict.is_answered,
        faults=count_bad_replies(episode.turns),
        refusals=count_refusals(episode.turns),
        unscored=verdict.unscored,
    )


def play_all(
    family: AnyFamily,
    instances: Iterable[AnyInstance],
    player: str,
    *,
    edition: Edition,
    set_name: str,
    rules: Rules | None = None,
    seed: int = 0,
) -> Iterator[Row]:
    """Let a player play every instance; yields one row each."""
    rules = rules or family.rules_for(edition)
    for instance in instances:
        episode = play(family, instance, rules, player, seed=seed)
        yield make_row(
            episode,
            episode.score(),
            edition=edition,
            set_name=set_name,
            agent=f"player/{player}",
        )


def certify_instance(family: AnyFamily, instance: AnyInstance, edition: Edition) -> Certificate:
    """Certify one instance, with its floor and ceiling found by playing."""
    rules, headline = family.rules_for(edition), family.card.headline[edition]
    found = family.proofs.certify(instance)
    scores = {}
    for player in ("silent", "oracle"):
        scores[player] = play(family, instance, rules, player).score().numbers[headline]
    return Certificate(
        id=instance.id,
        certified=all(proof.holds for proof in found.proofs),
        optimum=found.optimum,
        floor=scores["silent"],
        ceiling=scores["oracle"],
        proofs=found.proofs,
        bounds=found.bounds,
        extra=found.extra,
    )
