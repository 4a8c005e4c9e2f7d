"""A player of your own, against ours, on the same instances: thousands of episodes a second.

    python examples/write_a_player.py

A player is a generator: it yields actions and is sent the observation of each. This one holds the
cause and looks whether the effect stops, which is right only when nothing else keeps it going.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from causarium.contract.instance_sets import generate_set
from causarium.contract.player import Moves, Player
from causarium.contract.row import Row
from causarium.contract.rules import Rules
from causarium.families.causallink import FAMILY
from causarium.families.causallink.actions import Answer, Intervene
from causarium.families.causallink.instance import LinkPublic, LinkSecret
from causarium.players.direct_runner import play_all
from causarium.scoring.intervals import paired_difference, summarize


def hold_and_look(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
    """Hold the cause; say yes if the effect is then at rest."""
    seen = yield Intervene(shape=public.cause, action="hold")
    still_moving = seen.data["moving"]
    assert isinstance(still_moving, list)
    yield Answer(answer="no" if public.effect in still_moving else "yes")


def main() -> None:
    """Play the advanced set and print both accuracies and their difference."""
    mine: Player[LinkPublic, LinkSecret] = Player("Holds the cause and looks.", moves=hold_and_look)
    family = replace(FAMILY, players={**FAMILY.players, "mine": mine})
    instances = generate_set(family, "certified", "advanced")
    rules = family.rules_for("certified", interface="tools")

    def played(player: str) -> Sequence[Row]:
        return list(
            play_all(
                family, instances, player, edition="certified", set_name="advanced", rules=rules
            )
        )

    scores = {
        name: {row.id: row.numbers["accuracy"] for row in played(name)}
        for name in ("mine", "optimal")
    }
    for name, values in scores.items():
        found = summarize(values.values())
        print(f"{name:>8}: {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]")
    lead = paired_difference(scores["optimal"], scores["mine"])
    print(f"optimal leads by {lead.value:.3f} [{lead.low:.3f}, {lead.high:.3f}]")


if __name__ == "__main__":
    main()
