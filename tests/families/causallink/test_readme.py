"""The README: its transcript is a real run, and nothing that exists goes unmentioned."""

import re

from causarium.contract.episode import Episode
from causarium.contract.sets.instance_sets import generate_set
from tests.families.causallink.worlds import FAMILY

TEXT = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_transcript_is_what_the_world_answers():
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    replies = [body for kind, body in BLOCKS if kind == "json"]
    instance = next(i for i in generate_set(FAMILY, "certified", "smoke") if i.id in TEXT)
    episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
    assert told[0] == FAMILY.prompt(instance.public, episode.rules).user
    assert len(told) == len(replies) + 1 == 3
    for reply, answer in zip(replies, told[1:], strict=True):
        assert episode.step(episode.parse_reply(reply)).text == answer
    assert episode.done
    assert episode.score().numbers["earned"] == 1


def test_every_metric_quirk_set_and_player_is_named():
    sets = {name for edition in FAMILY.card.sets.values() for name in edition}
    for name in (*FAMILY.metrics, *FAMILY.rules.quirks, *FAMILY.players, *sets):
        assert f"`{name}`" in TEXT, name
    for name, metric in FAMILY.metrics.items():
        assert f"| `{name}` | {metric.about} |" in TEXT
