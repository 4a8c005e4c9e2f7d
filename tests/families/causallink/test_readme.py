"""The README: its example is real, and nothing that exists goes unmentioned."""

import re

from causarium.contract.episode import Episode
from causarium.contract.sets.instance_sets import generate_set
from causarium.families import get

FAMILY = get("causallink", "certified")
TEXT = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_example_is_what_the_agent_reads_and_its_answer_is_right() -> None:
    (told,) = [body.strip() for kind, body in BLOCKS if kind == "text"]
    replies = [body for kind, body in BLOCKS if kind == "json"]
    instance = next(i for i in generate_set(FAMILY, "certified", "smoke") if f"`{i.id}`" in TEXT)
    episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
    assert told == FAMILY.prompt(instance.public, episode.rules).user
    moved = [episode.step(episode.parse_reply(reply)).data.get("moved") for reply in replies]
    assert moved == [False, True, None]
    assert episode.score().numbers["score"] == 1


def test_it_is_short_and_names_every_rung_set_and_metric() -> None:
    words = re.sub(r"^```.*?^```|\|", "", TEXT, flags=re.DOTALL | re.MULTILINE).split()
    assert len(words) <= 650
    for rung in range(1, len(FAMILY.levels) + 1):
        assert re.search(rf"^\| {rung} \|", TEXT, flags=re.MULTILINE)
    numbers = [name for name in FAMILY.metrics if not name.startswith(("invalid", "too"))]
    for name in (*FAMILY.card.sets["certified"], *numbers):
        assert f"`{name}`" in TEXT, name
