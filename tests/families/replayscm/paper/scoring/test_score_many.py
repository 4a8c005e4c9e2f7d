"""Many replies at once: each verdict is the one that playing gives."""

import json
from functools import cache
from random import Random

import pytest

from bench.replayscm_rows import answers
from causarium.contract.episode import Episode, score_many
from causarium.errors import UsageError
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.model.instance import true_roots
from tests.families.replayscm.paper.scoring.test_published_rules import break_formula, mutate

LEVELS = tuple(
    f"paper-{name}" for name in ("ordered", "block", "hidden", "roots", "alt-ordered", "alt-hidden")
)


@cache
def drawn(level, index=0):
    return FAMILY.generate(FAMILY.level(level), 5, index)


def reply_to(rng, instance):
    (answer,) = answers(instance, rng, 1)
    mechanisms = dict(answer.mechanisms)
    if rng.random() < 0.4:
        name = rng.choice(sorted(mechanisms))
        mechanisms[name] = break_formula(rng, mechanisms[name], list(instance.public.variables))
    fields = {"mechanisms": mechanisms}
    if instance.public.roots is None:
        fields["roots"] = list(true_roots(instance))
    text = json.dumps(fields)
    return rng.choice(
        [text] * 8 + [f"Here:\n{text}", f"{text} {text}", text[:-2], "none", f" {text}"]
    )


def played(instance, reply, rules):
    episode = Episode(FAMILY, instance, rules)
    episode.step(episode.parse_reply(reply))
    return episode.score()


def check(count, seed):
    rng = Random(seed)
    for number in range(count):
        edition = rng.choice(["certified", "certified", "paper"])
        rules = FAMILY.rules_for(edition)
        instance = drawn(LEVELS[number % len(LEVELS)], rng.randrange(2))
        second = instance.public.reference is not None
        reply = mutate(rng, instance) if second else reply_to(rng, instance)
        (verdict,) = score_many(FAMILY, [instance], [reply], rules)
        assert verdict.model_dump_json() == played(instance, reply, rules).model_dump_json(), reply


def test_verdicts_are_those_of_playing():
    check(200, 1)


@pytest.mark.long
def test_five_thousand_verdicts_are_those_of_playing():
    check(5_000, 2)


def test_replies_and_instances_go_in_pairs():
    rules = FAMILY.rules_for("certified")
    with pytest.raises(UsageError, match="give one each"):
        score_many(FAMILY, [drawn("paper-hidden")], [], rules)
    one, other = drawn("paper-hidden", 0), drawn("paper-hidden", 1)
    rng = Random(1)
    replies = [reply_to(rng, one), reply_to(rng, other), reply_to(rng, one)]
    found = score_many(FAMILY, [one, other, one], replies, rules)
    apart = [
        score_many(FAMILY, [i], [r], rules)[0]
        for i, r in zip([one, other, one], replies, strict=True)
    ]
    assert [v.model_dump_json() for v in found] == [v.model_dump_json() for v in apart]
