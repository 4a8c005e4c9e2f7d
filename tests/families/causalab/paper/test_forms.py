"""A table of forms: each that leaves no doubt scores like the plain one, and slips are counted."""

import json

import pytest

from causarium.contract.episode import Episode
from causarium.families.causalab.paper import FAMILY
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LEVELS
from causarium.families.causalab.paper.model.instance import FREQUENCY

INSTANCE = generate(LEVELS["paper-linear-4"], 0, 0)
GRADED = ("prediction", "edge_f1", "direct", "shd", "weight_f1", "base")


def believe():
    secret = INSTANCE.secret
    into = [edge for edge in secret.edges if edge.effect == FREQUENCY]
    return {
        "edges": [{"from": edge.cause, "to": edge.effect} for edge in secret.edges],
        "freq_equation": f"{FREQUENCY} = base + "
        + " + ".join(f"c_{edge.cause}*{edge.cause}" for edge in into),
        "coefficients": {
            "base": secret.base_frequency,
            **{f"c_{edge.cause}": edge.linear for edge in into},
        },
    }


PLAIN = {"action": "submit", "value": INSTANCE.secret.target, "hypothesis": believe()}
TEXT = json.dumps(PLAIN)


def with_belief(**changes):
    return json.dumps({**PLAIN, "hypothesis": {**believe(), **changes}})


FORMS = {
    "plain": TEXT,
    "fenced": f"```json\n{TEXT}\n```",
    "with prose around it": f"I am sure now.\n{TEXT}\nThat is my answer.",
    "word in capitals": TEXT.replace('"submit"', '"SUBMIT"'),
    "word with a full stop": TEXT.replace('"submit"', '" Submit. "'),
    "word in bold": TEXT.replace('"submit"', '"**submit**"'),
    "keys in capitals": TEXT.replace('"action"', '"Action"').replace('"value"', '"VALUE"'),
    "number as text": json.dumps({**PLAIN, "value": str(PLAIN["value"])}),
    "number with its unit": json.dumps({**PLAIN, "value": f"{PLAIN['value']} Hz"}),
    "no last bracket": TEXT[:-1],
    "no brackets at the end": TEXT.rstrip("}"),
    "no first bracket": TEXT[1:],
    "no outer brackets": TEXT[1:-1],
    "a comma too many": TEXT[:-1] + ",}",
    "as Python writes it": repr(PLAIN),
    "the same twice": f"{TEXT}\n{TEXT}",
    "action as an object": json.dumps(
        {"action": {"type": "submit", "value": PLAIN["value"]}, "hypothesis": believe()}
    ),
    "no equation": with_belief(freq_equation=""),
    "bare names": with_belief(
        coefficients={key.removeprefix("c_"): v for key, v in believe()["coefficients"].items()}
    ),
    "names in capitals": with_belief(
        edges=[{"from": e["from"].upper(), "to": "Frequency"} if e["to"] == FREQUENCY
               else {"from": e["from"].upper(), "to": e["to"].upper()}
               for e in believe()["edges"]]
    ),
}  # fmt: skip


def play(*replies, edition="certified", **rules):
    episode = Episode(FAMILY, INSTANCE, FAMILY.rules_for(edition, **rules))
    for reply in replies:
        episode.step(episode.parse_reply(reply))
    return episode


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_scores_like_the_plain_one(form):
    plain, other = play(TEXT).score().numbers, play(FORMS[form]).score().numbers
    assert {name: plain[name] for name in GRADED} == {
        "prediction": 1, "edge_f1": 1, "direct": 1, "shd": 0, "weight_f1": 1, "base": 1
    }  # fmt: skip
    assert {name: other[name] for name in GRADED} == {name: plain[name] for name in GRADED}
    assert other["slips"] == 0


STRICT = ("number as text", "no last bracket", "as Python writes it")


@pytest.mark.parametrize("form", STRICT)
def test_strict_form_reads_letter_by_letter(form):
    assert play(FORMS[form], strict_form=True).score().numbers["slips"] == 1
    assert play(TEXT, strict_form=True).score().numbers["weight_f1"] == 1


def test_what_cannot_be_read_is_asked_for_again_at_no_cost_and_counted():
    episode = play("nonsense", TEXT)
    assert "send it again" in episode.turns[0].observation
    numbers = episode.score().numbers
    assert numbers["slips"] == numbers["unread"] == 1
    assert numbers["prediction"] == numbers["weight_f1"] == 1
    assert numbers["interventions"] == numbers["effort"] == 0


def test_slips_come_out_of_the_record_alone():
    episode = play("nonsense", with_belief(freq_equation="k*ph"), TEXT)
    again = FAMILY.score(INSTANCE, episode.rules, episode.turns)
    assert again.numbers["slips"] == 2
    assert again.numbers["prediction"] == 1


def test_the_published_protocol_is_one_switch():
    rules = FAMILY.rules_for("paper", published_protocol=True)
    assert rules.interface == "dialog"
    caps = [
        FAMILY.open_world(generate(LEVELS[f"paper-linear-{k}"], 0, 0), rules).max_turns
        for k in (3, 4, 5, 6, 7, 8)
    ]
    assert caps == [52, 53, 54, 55, 56, 94]
    assert FAMILY.rules_for("paper", published_protocol=True, max_turns=9).max_turns == 9
