"""Playing: the world, ids, repair by a model, prompts, players and certificates."""

import json
import shutil

import pytest

from causarium.contract.episode import Episode, play
from causarium.contract.texts.role_questions import answer_questions
from causarium.contract.world import Unparsed
from causarium.errors import BadFile
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.helpers import MOST_TRIES, repair
from causarium.families.recite.paper.model.graphs import Submit, find_last_submission, name_ids
from causarium.families.recite.paper.model.instance import ReciteNode
from causarium.families.recite.paper.play.prompts import prompt
from causarium.families.recite.paper.players import Finder, sentences
from causarium.families.recite.paper.proofs.certify import is_told_as_labelled
from tests.families.recite.paper.papers import paper

RULES = FAMILY.rules_for("certified")
TOOLS = FAMILY.rules_for("certified", interface="tools")
STRICT = FAMILY.rules_for("paper")


def episode(task="names", rules=RULES, replies=()):
    found = Episode(FAMILY, paper(task=task), rules)
    for reply in replies:
        found.step(found.parse_reply(reply))
    return found


def graph(*edges):
    return json.dumps({"relationships": [{"source": a, "sink": b} for a, b in edges]})


def test_ids_in_any_form_become_names_and_are_counted():
    played = episode(replies=[graph((4, 2), ("2", 3), ("Dykes", 99), ("x", 1))])
    found = find_last_submission(played.instance, played.turns)
    assert played.instance.public.names == ("Dykes", "Floods", "Losses", "Rain")
    assert found.graph.edges == (
        ("Rain", "Floods"),
        ("Floods", "Losses"),
        ("Dykes", "99"),
        ("x", "Dykes"),
    )
    assert found.slips == {
        "id as a string": 1,
        "name for an id": 1,
        "id out of range": 1,
        "unknown name": 1,
    }
    assert played.score().numbers["mended"] == 4


def test_enormous_and_negative_ids_are_out_of_range():
    assert name_ids([(10**9, -1), (0, "007")], ["a"]).slips == {
        "id out of range": 4,
        "id as a string": 1,
    }


def test_under_the_published_rules_an_id_out_of_range_is_refused():
    played = episode(rules=STRICT, replies=[graph((1, 5))])
    assert not played.turns[0].legal
    assert played.score().numbers["answered"] == 0


def test_a_reply_without_a_graph_is_asked_for_once_again_and_costs_nothing():
    played = episode(replies=["no idea"])
    assert not played.done
    assert "Send the whole graph again" in played.turns[0].observation
    played.step(played.parse_reply(graph((4, 2), (2, 3), (3, 1), (1, 2))))
    assert played.done
    numbers = played.score().numbers
    assert (numbers["f1"], numbers["unread"], numbers["slips"]) == (1, 1, 1)
    assert episode(replies=["no idea", "really"]).done


def test_as_published_one_reply_ends_a_document_and_a_bad_call_does_not():
    played = episode(rules=STRICT, replies=["no idea"])
    assert played.done
    assert played.score().numbers["unread"] == 1
    called = episode(rules=TOOLS)
    called.step(Unparsed(mode="invalid action", detail="no list"))
    assert not called.done
    called.step(Submit(relationships=()))
    assert called.done


def test_a_turn_with_an_unread_reply_survives_its_record():
    played = episode(replies=["rain makes floods"])
    [turn] = played.turns
    again = type(turn).model_validate_json(turn.model_dump_json())
    assert again.unparsed.detail == turn.unparsed.detail
    assert "reply" not in turn.model_dump(mode="json")["unparsed"]


def assisted(task, reply, *repairs):
    played = episode(task=task)
    move = played.parse_reply(reply)
    consultation = repair(played.instance.public, RULES, move)
    assert consultation is not None
    asked = []

    def script(ask):
        asked.append(ask)
        return repairs[len(asked) - 1]

    return answer_questions(consultation, script), asked


def test_a_model_repairs_what_could_not_be_read():
    found, [ask] = assisted("no_count", "Rain causes floods.", graph(("Rain", "floods")))
    assert isinstance(found, Submit)
    assert found.repaired == "model"
    assert found.slips["repaired: no graph"] == 1
    assert ask.role == "repair"
    assert "Rain causes floods." in ask.user


def test_a_repair_that_invents_names_is_refused():
    bad = graph(("Rain", "poverty"))
    found, asked = assisted("no_count", "Rain causes floods.", bad, bad)
    assert isinstance(found, Unparsed)
    assert len(asked) == MOST_TRIES


def test_a_repair_of_names_into_ids_is_taken_and_of_foreign_ids_is_not():
    found, [ask] = assisted("names", "rain to floods", graph((4, 2)))
    assert isinstance(found, Submit)
    assert '"id": 4' in ask.system
    found, _ = assisted("names", "rain to floods", graph((1, 2)), graph((9, 2)))
    assert isinstance(found, Unparsed)
    found, _ = assisted("names", "10 to 2", graph((1, 2)), graph(("1", 2)))
    assert isinstance(found, Unparsed)
    found, _ = assisted("names", "1 to 2", graph(("1", 2)))
    assert isinstance(found, Submit)


def test_a_readable_reply_is_not_repaired():
    played = episode(task="no_count")
    assert repair(played.instance.public, RULES, played.parse_reply(graph(("a", "b")))) is None


def test_repairs_are_counted_in_the_verdict():
    played = episode(task="no_count")
    found, _ = assisted("no_count", "Rain causes floods.", graph(("Rain", "floods")))
    played.step(found)
    verdict = played.score()
    assert verdict.numbers["repaired"] == 1
    assert verdict.labels["repair"] == "model"


@pytest.mark.parametrize("task", ["given_count", "no_count", "names"])
@pytest.mark.parametrize("rules", [RULES, TOOLS], ids=["json", "tools"])
def test_a_prompt_tells_what_its_task_tells(task, rules):
    public = paper(task=task).public
    words = prompt(public, rules)
    assert public.text in words.user
    assert ("exactly 4 nodes" in words.user) == (task == "given_count")
    assert ('{"name": "Dykes", "id": 1}' in words.user) == (task == "names")
    assert "Every node must occur" in words.system
    assert ("```json" in words.system) == (rules is RULES)


def test_texts_of_ones_own_replace_ours_and_have_to_be_whole(tmp_path):
    rules = FAMILY.rules_for("certified", prompts=str(tmp_path))
    with pytest.raises(BadFile, match=r"lacks system_given_count\.md"):
        prompt(paper().public, rules)
    for name, text in {
        "system_given_count": "$n_nodes $reply",
        "system_no_count": "find it. $reply",
        "system_names": "$nodes $reply",
        "user": "$title: $text",
        "reply_json": "JSON, please.",
    }.items():
        (tmp_path / f"{name}.md").write_text(text)
    assert prompt(paper().public, rules).system == "find it. JSON, please."


def test_texts_of_ones_own_tell_what_the_task_tells(tmp_path):
    for name in ("system_given_count", "system_no_count", "system_names", "reply_json"):
        (tmp_path / f"{name}.md").write_text("$reply" if name.startswith("system") else "JSON.")
    (tmp_path / "user.md").write_text("$text")
    public = paper(task="given_count").public
    with pytest.raises(BadFile, match=r"tells \$n_nodes nowhere: user\.md needs the slot \$told"):
        prompt(public, RULES.model_copy(update={"prompts": str(tmp_path)}))
    told = shutil.copytree(tmp_path, tmp_path / "told")
    (told / "told_given_count.md").write_text("There are $n_nodes.")
    (told / "user.md").write_text("$text $told")
    own = RULES.model_copy(update={"prompts": str(told)})
    assert prompt(public, own).user.endswith("There are 4.")


@pytest.mark.parametrize("task", ["given_count", "no_count", "names"])
def test_the_oracle_gets_everything_and_the_empty_graph_nothing(task):
    for player, f1 in {"oracle": 1.0, "empty": 0.0, "silent": 0.0}.items():
        assert play(FAMILY, paper(task=task), RULES, player).score().numbers["f1"] == f1


@pytest.mark.parametrize("player", sorted(set(FAMILY.players) - {"silent"}))
@pytest.mark.parametrize("task", ["given_count", "no_count", "names"])
def test_every_player_hands_in_a_graph_also_of_an_empty_document(task, player):
    instance = paper(task=task)
    empty = instance.model_copy(update={"public": instance.public.model_copy(update={"text": ""})})
    played = play(FAMILY, empty, RULES, player)
    assert played.turns[0].legal
    assert 0 <= played.score().numbers["f1"] <= 1


def test_random_counts_draws_as_many_edges_as_there_are():
    instance = paper(task="names")
    [turn] = play(FAMILY, instance, RULES, "random_counts").turns
    assert len(turn.action["relationships"]) == len(instance.secret.edges)


def drawn(player, text, task="names"):
    instance = paper(task=task)
    public = instance.public.model_copy(update={"text": text})
    played = play(FAMILY, instance.model_copy(update={"public": public}), RULES, player)
    return find_last_submission(played.instance, played.turns).graph.edges


def test_co_mention_joins_in_the_order_of_mention():
    assert drawn("co_mention", "Where there is rain there is a flood.") == (("Rain", "Floods"),)


def test_a_given_name_is_found_in_any_order_and_number():
    finder = Finder("The fleets of fishing boats grew.", ["Fishing boat fleet"], 1)
    assert [m.name for m in finder.mentions(finder.sentences[0])] == ["Fishing boat fleet"]


def test_headings_are_sentences_of_their_own():
    assert sentences("# Rain\nIt falls. It stops.") == ["Rain", "It falls.", "It stops."]


@pytest.mark.parametrize(
    ("label", "text", "told"),
    [
        (1, "the rain falls", True),
        (1, "the drizzle falls", True),
        (1, "water falls", False),
        (2, "the rain falls", False),
        (3, "water falls", True),
    ],
)
def test_a_label_is_held_against_the_text(label, text, told):
    node = ReciteNode(name="Rain", explicitness=label, aliases=("drizzle",))
    assert is_told_as_labelled(node, text) == told


@pytest.mark.parametrize("level", ["paper-mini", "paper-synth-verb"])
def test_every_proof_holds(level):
    instance = FAMILY.generate(FAMILY.level(level), 0, 0)
    findings = FAMILY.proofs.certify(instance)
    assert [proof.claim for proof in findings.proofs if not proof.holds] == []


def test_a_document_that_tells_less_than_it_says_is_not_certified():
    instance = FAMILY.generate(FAMILY.level("paper-synth-connective"), 0, 0)
    first = instance.secret.edges[0].evidence[0]
    public = instance.public.model_copy(update={"text": instance.public.text.replace(first, "")})
    findings = FAMILY.proofs.certify(instance.model_copy(update={"public": public}))
    assert not all(proof.holds for proof in findings.proofs)


def test_a_sentence_that_is_not_in_the_text_is_no_evidence():
    instance = FAMILY.generate(FAMILY.level("paper-mini-names"), 0, 0)
    public = instance.public.model_copy(update={"text": instance.public.text.replace(".", "!")})
    findings = FAMILY.proofs.certify(instance.model_copy(update={"public": public}))
    assert any(not proof.holds for proof in findings.proofs)
