"""Expeditions: the law, what a coin may change, the world's conduct, scores and answers."""

import json
import math
import re
from collections import Counter
from fractions import Fraction
from math import nan
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium import families
from causarium.api.moves import read_move
from causarium.contract.episode import Episode, play
from causarium.contract.frozen import digest
from causarium.contract.views.play_page import Exchange
from causarium.contract.world import ProgramResult, Unparsed
from causarium.engine.record.episode_record import EpisodeRecord, tell_stale
from causarium.errors import BadFile
from causarium.families import causalgame
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.generation.expeditions import LINE_LENGTH, TIERS, draw_expedition
from causarium.families.causalgame.mechanics.expeditions import (
    add_up,
    draw_outcomes,
    find_best_design,
    find_fleet_chance,
    find_fleet_gauge,
    list_book_rows,
    list_outcomes,
)
from causarium.families.causalgame.model.actions import PlayExpedition
from causarium.families.causalgame.model.expeditions import (
    AnswerQuestions,
    Commit,
    Fly,
    HiddenLeg,
    Leg,
    Order,
    Reading,
)
from causarium.families.causalgame.play.expeditions.replies import (
    read_chances,
    read_expedition_reply,
)
from causarium.families.causalgame.proofs import PROOFS
from causarium.families.causalgame.proofs.expeditions import FAULTS, certify_expedition
from causarium.families.causalgame.scoring import find_effect
from causarium.families.causalgame.views.expeditions import (
    lay_out_expedition,
    read_expedition_draft,
)

LEVELS = ("expedition-1", "expedition-2", "expedition-3")
KINDS = {
    1: ("dial", "dial", "roster", "depot"),
    2: ("dial", "dial", "roster", "depot"),
    3: ("line", "line", "roster", "depot"),
}
DIAL = Leg(
    kind="dial",
    name="north",
    parts=("fin",),
    readings=(Reading(name="haze", target="HIGH", other="LOW"),),
    drones=10,
)
drawn = st.builds(
    lambda tier, seed: draw_expedition(tier, KINDS[tier], seed, "x"),
    st.sampled_from(sorted(TIERS)),
    st.integers(0, 10**6),
)


def draw(level, index=0):
    return FAMILY.generate(FAMILY.level(level), 5, index)


def begin(level="expedition-1", **rules):
    return Episode(FAMILY, draw(level), FAMILY.rules_for("certified", **rules))


def test_a_dial_has_the_chances_that_are_told():
    cause, sign = (HiddenLeg(face=face, sign=1) for face in (True, False))
    assert find_fleet_chance(DIAL, cause, (True,)) == Fraction(19, 20)
    assert find_fleet_chance(DIAL, sign, (True,)) == Fraction(41, 100)
    assert find_fleet_chance(DIAL, cause, (False,)) == Fraction(1, 2)
    assert add_up(list_outcomes(DIAL, cause, (True,), 0), "returned") == Fraction(1, 20)
    assert add_up(list_outcomes(DIAL, sign, (True,), 0), "returned") == Fraction(41, 100)


def test_a_roster_returns_and_stays_alike_and_a_book_looks_alike():
    roster = DIAL.model_copy(update={"kind": "roster"})
    for fitted in roster.designs:
        fair, early, choosy = (
            list_outcomes(roster, HiddenLeg(face=face, sign=1, early=early), fitted)
            for face, early in ((True, False), (True, True), (False, False))
        )
        returned = [
            {k: v for k, v in law.items() if k.fate == "returned"} for law in (fair, early, choosy)
        ]
        assert returned[0] == returned[1] == returned[2]
        assert add_up(fair, "stayed") == add_up(choosy, "stayed") == Fraction(1, 2)
        assert early == choosy != fair
    for decoy in (None, 1):
        books = [
            list_book_rows(HiddenLeg(face=face, sign=-1, decoy=decoy, strong=True))
            for face in (True, False)
        ]
        for issued in (False, True):
            shares = [
                sum(v for k, v in book.items() if k.issued == issued and k.returned)
                for book in books
            ]
            assert shares[0] == shares[1]


def find_right_by_scripts():
    """Each drone sets another gauge; the fleet's is any but the named one and the first."""
    return Fraction(1, 2) + Fraction(2, 5) * TIERS[3].drones["line"] / (LINE_LENGTH - 2) / 2


def find_right_without_places():
    """Add up, over all places of the named gauge, by how much the air's gauge tells the face."""
    places, gap = range(2, LINE_LENGTH + 1), Fraction(0)
    for named in places:
        causes = {fleet for fleet in places if fleet != named}
        signs = {fleet - 1 for fleet in causes}
        gap += Fraction(len(causes - signs), len(causes) * len(places))
    return Fraction(1, 2) + gap / 2


@pytest.mark.parametrize(
    ("proof", "find_right"), [("T4", find_right_by_scripts), ("T5", find_right_without_places)]
)
def test_the_bounds_on_lines_are_what_their_proofs_add_up_to(proof, find_right):
    (card,) = (one for one in FAMILY.card.classes if one.proof == proof)
    for level, lines in (("expedition-3", 2), ("line", 4)):
        assert 0 <= card.bounds[level] - find_right() ** lines < 0.0005


def test_a_line_is_drawn_as_its_bounds_say():
    """The fleet's gauge is any but the named one and the first, whatever the order."""
    drawn = [draw_expedition(3, ("line",) * 4, seed, "x") for seed in range(100)]
    places = Counter()
    for expedition in drawn:
        for leg, hidden in zip(expedition.public.legs, expedition.secret.legs, strict=True):
            named = hidden.line.index(leg.find_reading(leg.fleet_reading))
            fleet = hidden.line.index(find_fleet_gauge(leg, hidden))
            assert fleet == named + leg.ahead != named
            assert min(named, fleet) > 0
            places.update((named, fleet))
    assert len(places) == LINE_LENGTH - 1
    assert max(places.values()) < 3 * min(places.values()) + 20


@given(drawn)
@settings(max_examples=25, deadline=None)
def test_every_draw_is_legal_certified_and_says_nothing_of_its_coins(expedition):
    findings = certify_expedition(expedition)
    assert all(proof.holds for proof in findings.proofs), findings
    assert all(proof.holds for proof in PROOFS.recheck(expedition).proofs)
    turned = draw_expedition(
        expedition.public.tier,
        [leg.kind for leg in expedition.public.legs],
        expedition.secret.session_seed,
        "x",
        turned=range(4),
    )
    for one, other in zip(expedition.public.legs, turned.public.legs, strict=True):
        assert one.model_copy(update={"book": ()}) == other.model_copy(update={"book": ()})
    assert all(
        find_best_design(leg, one) != find_best_design(leg, other)
        for leg, one, other in zip(
            expedition.public.legs, expedition.secret.legs, turned.secret.legs, strict=True
        )
    )


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("level", LEVELS)
def test_planted_faults_break_a_proof(level, fault):
    spoiled = PROOFS.faults[fault](draw(level))
    assert not all(proof.holds for proof in PROOFS.certify(spoiled).proofs)


@given(drawn, st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_flights_are_counts_of_the_law(expedition, seed):
    leg, hidden = expedition.public.legs[0], expedition.secret.legs[0]
    if leg.kind == "depot":
        return
    law = list_outcomes(leg, hidden, leg.designs[0])
    counts = draw_outcomes(law, 20, Random(seed))
    assert sum(counts.values()) == 20
    assert all(law[outcome] > 0 for outcome in counts)


@pytest.mark.parametrize("level", LEVELS)
def test_the_truth_wins_silence_and_the_other_faces_lose(level):
    instance, rules = draw(level), FAMILY.rules_for("certified")
    oracle = play(FAMILY, instance, rules, "oracle").score()
    assert oracle.numbers["win"] == oracle.numbers["legs"] == oracle.numbers["question_skill"] == 1
    assert play(FAMILY, instance, rules, "trap").score().numbers["legs"] == 0
    silent = play(FAMILY, instance, rules, "silent").score()
    assert silent.numbers["win"] == 0
    assert silent.labels["outcome"] == "nothing sent"


PINNED = {
    "expedition-1": "sha256:79a6d6a64c86",
    "expedition-2": "sha256:3733fb2eb94c",
    "expedition-3": "sha256:58e9b533ca29",
    "dial": "sha256:ea035c298629",
    "roster": "sha256:da4a3fb7fdcb",
    "depot": "sha256:1676067a6f60",
    "line": "sha256:24c6f4d4a633",
    "line-code": "sha256:08f5418d3795",
}


PAPER_METRICS = families.get("causalgame", "paper").metrics
"""Held as nan by verdicts when these were pinned."""


@pytest.mark.parametrize("level", PINNED)
def test_verdicts_stay_what_they_were(level):
    """A digest a level, of what three players do in an expedition and what that earns."""
    said = []
    for player in ("oracle", "exact", "hand"):
        episode = play(FAMILY, draw(level), FAMILY.rules_for("certified"), player)
        verdict = episode.score()
        said += [turn.observation for turn in episode.turns]
        numbers = {**dict.fromkeys(PAPER_METRICS, nan), **verdict.numbers}
        said += [repr(sorted(numbers.items())), str(verdict.answer), verdict.explanation]
    assert digest(draw(level).line(), *said)[:19] == PINNED[level]


def order_of(episode, kind="dial", **more):
    leg = next(leg for leg in episode.instance.public.legs if leg.kind == kind)
    return Order(leg=leg.name, **more)


def fly(episode, kind="dial", times=1, **more):
    return {"action": "fly", "orders": [order_of(episode, kind, **more).model_dump()] * times}


def send(episode, fields, form):
    """Make a move as a model writes it: as JSON in a reply, or as a call of a tool."""
    world, rules = episode.world, episode.rules
    if form == "text":
        move = read_expedition_reply(json.dumps(fields), world.allowed_actions, rules)
        return episode.step(move)
    tools = {action.kind: action for action in world.allowed_actions}
    call = {"name": fields["action"], "arguments": {**fields}}
    del call["arguments"]["action"]
    return episode.step(read_move(FAMILY, call, tools))


BAD_MOVES = {
    "there is no leg 'moon'": lambda one: {"action": "fly", "orders": [{"leg": "moon"}]},
    "orders.0.leg: Field required": lambda one: {"action": "fly", "orders": [{"count": 2}]},
    "orders.0: Input should be a valid": lambda one: {"action": "fly", "orders": ["north"]},
    "orders: Field required": lambda one: {"action": "fly"},
    "cannot be flown in tests": lambda one: fly(one, "depot"),
    "has no part 'wing'": lambda one: fly(one, fitted=["wing"]),
    "has no part 'rotor'": lambda one: fly(one, vary=["rotor"]),
    "has no reading 'tide'": lambda one: fly(one, set="tide"),
    "nothing can be set": lambda one: fly(one, "roster", set="haze"),
    "neither log nor hangar": lambda one: fly(one, log=True),
    "0 drones in an order": lambda one: fly(one, count=0),
    "-3 drones in an order": lambda one: fly(one, count=-3),
    "21 drones in an order; send 1 to 20 at a time": lambda one: fly(one, count=21),
    "… drones in an order": lambda one: fly(one, count=10**400),
    "has only 40 left": lambda one: fly(one, times=3, count=20),
    "has only 80 left": lambda one: fly(one, "roster", times=3, log=True, count=20),
    "0 orders; send 1 to 10": lambda one: fly(one, times=0),
    "11 orders; send 1 to 10": lambda one: fly(one, times=11),
    "at most 64 items": lambda one: fly(one, times=65),
    "fitted: Field required": lambda one: {"action": "commit"},
    "the design lacks leg": lambda one: {"action": "commit", "fitted": {}},
    "no leg 'sea'": lambda one: {"action": "commit", "fitted": {"sea": []}},
    "commit first": lambda one: {"action": "answer", "answers": {"q1": "up"}},
    "'dance'": lambda one: {"action": "dance"},
}


@pytest.mark.parametrize("form", ["text", "tools"])
@pytest.mark.parametrize("said", BAD_MOVES)
def test_a_bad_move_is_refused_in_a_sentence_and_costs_nothing(said, form):
    episode = begin()
    before = episode.world.workspace()
    seen = send(episode, BAD_MOVES[said](episode), form)
    assert not seen.legal
    assert said in seen.text
    assert len(seen.text) < 300
    assert seen.cost == episode.world.spent == 0
    assert episode.world.workspace() == before


NO_CHANCES = {
    "a word": "maybe",
    "nothing": None,
    "a number": 7,
    "a list": ["up"],
    "no number": {"up": "0.5", "down": "0.5"},
    "true": {"up": True},
    "no chance": {},
    "more than 1": {"up": 0.9, "down": 0.9},
    "percent": {"up": 80, "down": 20},
    "less than 0": {"up": -1.0, "down": 2.0},
    "a fourth word": {"sideways": 1.0},
    "four words": {"up": 0.25, "down": 0.25, "none": 0.25, "sideways": 0.25},
}
BAD_ANSWERS = {
    **{f"q1 {name}": ({"q1": value}, "the answer to q1") for name, value in NO_CHANCES.items()},
    "not finite": ({"q1": {"up": float("inf")}}, "up: Input should be a finite number"),
    "huge": ({"q1": {"up": 10**400}}, "up: Input should be a finite number"),
    "q9": ({"q9": "up"}, "there is no question 'q9'; they are q1, q2, q3, q4"),
    "a list": (["up"], "answers: Input should be a valid dictionary"),
    "too many": ({f"q{one}": "up" for one in range(65)}, "at most 64 items"),
}


@pytest.mark.parametrize("form", ["text", "tools"])
@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_an_answer_that_is_no_chances_is_refused_and_may_be_given_again(name, form):
    answers, said = BAD_ANSWERS[name]
    episode = begin()
    episode.step(Commit(fitted={leg.name: [] for leg in episode.instance.public.legs}))
    seen = send(episode, {"action": "answer", "answers": answers}, form)
    assert not seen.legal
    assert said in seen.text
    assert "home" not in seen.text
    assert send(episode, {"action": "answer", "answers": {"q1": "up"}}, form).legal
    assert episode.done


def test_logs_of_twin_pairs_are_refused_with_the_version_that_reads_them():
    instance = draw("expedition-1")
    record = EpisodeRecord(
        family="causalgame",
        version="2-A",
        edition="certified",
        set="smoke",
        player=None,
        instance=instance.model_dump(mode="json"),
        rules={},
    )
    with pytest.raises(BadFile, match="Install the release that has version 2-A"):
        record.open(FAMILY)
    assert "version 3-A of causalgame" in tell_stale("causalgame", "3-A", FAMILY.card.version)


def test_who_never_commits_is_asked_for_the_design_once():
    episode = begin(max_turns=1, calls_per_turn=2)
    for _ in range(2):
        seen = episode.step(Fly(orders=[order_of(episode)]))
    assert "Commit now" in seen.text
    assert episode.world.allowed_actions == (Commit,)
    designs = {leg.name: [] for leg in episode.instance.public.legs}
    episode.step(Commit(fitted=designs))
    assert episode.score().numbers["asked"] == 1
    lost = begin(max_turns=1, calls_per_turn=1)
    lost.step(Fly(orders=[order_of(lost)]))
    for _ in range(9):
        lost.step(Unparsed(mode="no action", detail="nothing"))
    assert lost.done
    assert lost.score().labels["outcome"] == "nothing sent"


def test_results_come_after_the_questions():
    episode = begin()
    seen = episode.step(Commit(fitted={leg.name: [] for leg in episode.instance.public.legs}))
    assert "of the fleet" not in seen.text.replace("on the fleet of its leg", "")
    seen = episode.step(AnswerQuestions(answers={"q1": "up"}))
    assert "of the fleet come home" in seen.text
    assert episode.done


@given(
    st.one_of(
        st.sampled_from(["up", "down", "none", "UP ", "maybe", ""]),
        st.dictionaries(st.sampled_from(["up", "down", "none", "x"]), st.floats(), max_size=4),
    )
)
def test_answers_are_chances_or_nothing(answer):
    chances = read_chances(answer)
    if chances is not None:
        assert math.isclose(sum(chances.values()), 1)
        assert all(value >= 0 for value in chances.values())


@pytest.mark.parametrize("word", ["up", "down", "none"])
def test_no_constant_answer_beats_the_prior(word):
    skills = []
    for index in range(40):
        instance = draw("expedition-1", index)
        episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
        episode.step(Commit(fitted={leg.name: [] for leg in instance.public.legs}))
        episode.step(AnswerQuestions(answers={f"q{number}": word for number in range(1, 5)}))
        skills.append(episode.score().numbers["question_skill"])
    assert sum(skills) / len(skills) < 0
    half = {"up": 0.5, "down": 0.5, "none": 0.0}
    episode = begin()
    episode.step(Commit(fitted={leg.name: [] for leg in episode.instance.public.legs}))
    episode.step(AnswerQuestions(answers={f"q{number}": half for number in range(1, 5)}))
    assert episode.score().numbers["question_skill"] == 0


@pytest.mark.parametrize("interface", ["json", "tools", "code"])
@pytest.mark.parametrize("level", LEVELS)
def test_the_opening_is_whole_and_short(level, interface):
    instance = draw(level)
    words = FAMILY.prompt(instance.public, FAMILY.rules_for("certified", interface=interface)).user
    assert "$" not in words
    assert all(leg.name in words and leg.parts[0] in words for leg in instance.public.legs)
    assert len(words.split()) <= (700 if level == "expedition-1" else 1_100)


def test_programs_fly_only_where_the_level_lets_them():
    for level, kind in (("expedition-3", "run_analysis"), ("line-code", "play_expedition")):
        episode = begin(level, interface="code")
        move = episode.parse_reply("```python\nprint(1)\n```")
        assert move.kind == kind
    assert begin("line", interface="code").parse_reply('{"action": "status"}').kind == "status"


def test_what_the_code_interface_asks_for_it_reads():
    episode = begin("expedition-1", interface="code")
    design = Commit(fitted={leg.name: [] for leg in episode.instance.public.legs})
    assert "client.answer" in episode.step(design).text
    for move in (design, AnswerQuestions(answers={"q1": "up"})):
        said = FAMILY.replies.write(move, episode.rules)
        assert begin("expedition-1", interface="code").parse_reply(said).kind == move.kind
    assert episode.parse_reply('{"action": "answer", "answers": {"q1": "up"}}').kind == "answer"
    lines = begin("line", interface="code")
    asked = lines.step(Commit(fitted={leg.name: [] for leg in lines.instance.public.legs})).text
    assert '{"action": "answer"' in asked


@pytest.mark.parametrize("commits", [True, False])
def test_programs_that_never_answer_come_to_an_end(commits):
    episode = begin("expedition-1", interface="code", max_turns=1, calls_per_turn=1)
    ran = ProgramResult(output="", ending="finished")
    episode.step(PlayExpedition(code="pass\n", ran=ran))
    assert episode.world.phase == "closing"
    if commits:
        episode.step(Commit(fitted={leg.name: [] for leg in episode.instance.public.legs}))
    for _ in range(3):
        assert not episode.done
        episode.step(PlayExpedition(code="pass\n", ran=ran))
    assert episode.done


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ('{"action": "fly", "orders": [{"leg": "a", "count": 3}]}', "fly"),
        ("{'orders': [{'leg': 'a'}],}", "fly"),
        ('{"fitted": {"a": []}}', "commit"),
        ('Well: {"action": {"name": "status"}}', "status"),
        ('{"action": "run_analysis", "code": "print(1)"}', "run_analysis"),
    ],
)
def test_replies_are_read_in_many_spellings(reply, kind):
    assert begin().parse_reply(reply).kind == kind


@given(st.text(max_size=200))
def test_any_reply_is_an_action_or_a_reason(reply):
    move = begin().parse_reply(reply)
    assert isinstance(move, Unparsed) or move.kind


def test_the_board_shows_counts_by_what_was_shown_and_set_and_no_pooled_share():
    episode = begin("expedition-1")
    exchanges = []
    for setting in (None, True):
        leg = next(leg for leg in episode.instance.public.legs if leg.kind == "dial")
        name = leg.readings[0].name if setting else None
        move = Fly(orders=[Order(leg=leg.name, fitted=[leg.parts[0]], set=name, count=10)])
        exchanges.append(Exchange(move, episode.step(move)))
    board = lay_out_expedition(episode.instance.public, episode.rules, exchanges)
    rows = next(one for one in board.view["legs"] if one["name"] == leg.name)["rows"]
    assert sum(row["flown"] for row in rows) == 20
    assert {row["cut"]["set"] for row in rows} == {"nothing", leg.readings[0].name}
    assert {row["cut"]["set"] for row in rows if row["is_new"]} == {leg.readings[0].name}
    assert all(row["seen"]["low"] <= row["seen"]["share"] <= row["seen"]["high"] for row in rows)
    book = next(one for one in board.view["legs"] if one["kind"] == "depot")["book"]
    *parts, total = book
    assert all(row["name"].endswith(", by lot") for row in parts)
    assert sum(int(row["all"]["words"].split(" of ")[1]) for row in parts) == 1600
    assert total["name"] == "all flights"
    assert total["all"]["words"].endswith(" of 1600")
    assert {round(row["issued"], 1) for row in parts} <= {0.3, 0.4, 0.6, 0.7}
    told = next(one for one in board.view["legs"] if one["name"] == leg.name)["last"]
    back = sum(row["back"] for row in rows if row["is_new"])
    setting = f"{leg.readings[0].name} to {leg.readings[0].other}"
    assert told == f"Last order: 10 drones, {leg.parts[0]} on, {setting}: {back} returned."
    draft = {"kind": "fly", "leg": leg.name, "design": "bare", "count": "3"}
    move = read_expedition_draft(episode.instance.public, episode.rules, exchanges, draft)
    assert move.orders[0].count == 3
    assert read_expedition_draft(episode.instance.public, episode.rules, [], {"kind": "?"})


def test_a_line_lists_the_shorter_side_in_one_order():
    episode = begin("expedition-3")
    leg = next(leg for leg in episode.instance.public.legs if leg.kind == "line")
    side, names = leg.readings[0], [one.name for one in leg.readings]
    moves = [Fly(orders=[Order(leg=leg.name, set=name, count=1)]) for name in names[:16]]
    exchanges = [Exchange(move, episode.step(move)) for move in moves]
    board = lay_out_expedition(episode.instance.public, episode.rules, exchanges)
    (told,) = (one for one in board.view["legs"] if one["name"] == leg.name)
    assert told["last"].startswith("Last order: 1 drone, bare, ")
    mixed = [row["shown"] for row in told["rows"] if not row["shown"].startswith("all ")]
    assert mixed
    for shown in mixed:
        count, _, listed = shown.partition(f" of {len(names)} moved to {side.other}")
        few = listed.removeprefix(", all but ").removeprefix(": ").split()
        assert few == sorted(few)
        moved = len(names) - len(few) if listed.startswith(", all but ") else len(few)
        assert int(count) == moved
        assert len(few) <= len(names) / 2


@pytest.mark.parametrize("level", LEVELS)
def test_the_board_marks_what_a_leg_may_be(level):
    episode = begin(level)
    told = {"dial": 1, "line": 1, "depot": 1, "roster": 2 if level == "expedition-1" else 3}
    for leg in lay_out_expedition(episode.instance.public, episode.rules, []).view["legs"]:
        assert sum(one["is_open"] for one in leg["story"]) == told[leg["kind"]], leg["story"]


def test_questions_are_left_open_only_if_that_was_meant():
    public, rules = draw("expedition-1").public, FAMILY.rules_for("certified")
    draft = {"kind": "answer", "answer q1": "up", "answer q9": "down"}
    (problem,) = read_expedition_draft(public, rules, [], draft)
    assert "3 of 4 questions are open" in problem.words
    move = read_expedition_draft(public, rules, [], {**draft, "open": "yes"})
    assert move.answers == {"q1": "up"}
    episode = begin()
    episode.step(Commit(fitted={leg.name: [] for leg in public.legs}))
    assert episode.step(read_expedition_draft(public, rules, [], {"kind": "answer", "open": "yes"}))
    assert episode.score().numbers["question_skill"] == 0


def test_the_end_tells_of_every_leg_and_part_what_was_said_and_is_true():
    episode = begin()
    legs = list(zip(episode.instance.public.legs, episode.instance.secret.legs, strict=True))
    episode.step(Commit(fitted={leg.name: [] for leg, _ in legs}))
    truth = [find_effect(leg, hidden, 0) for leg, hidden in legs]
    other = {"up": 0.25, "down": 0.25, "none": 0.5}
    episode.step(AnswerQuestions(answers={"q1": truth[0], "q2": other}))
    scene = FAMILY.views.scene(episode.instance, episode.rules, episode.turns)
    lines = scene.scenes[-1].lines
    assert [line.name.split()[0] for line in lines[:4]] == [leg.name for leg, _ in legs]
    assert [line.right for line in lines[4:]] == [True, False, None, None]
    assert lines[4].believed == lines[4].true
    assert lines[5].believed == "more return 25%, fewer return 25%, no change 50%"
    assert lines[6].believed == "left open"
    ending = FAMILY.views.play_page.tell_ending(episode.score(), [])
    assert ending.sentence.endswith(
        "on no leg with test drones you flew a test that can tell what the leg is; "
        "at the depot its book can tell."
    )


def test_the_exact_player_wins_and_blind_ones_do_not():
    rules = FAMILY.rules_for("certified")
    won = {
        player: sum(
            play(FAMILY, draw("expedition-1", index), rules, player).score().numbers["win"]
            for index in range(20)
        )
        for player in ("exact", "corr", "held")
    }
    assert won["exact"] >= 17
    assert won["corr"] <= 6
    assert won["held"] <= 8


@pytest.mark.parametrize("level", LEVELS)
def test_demonstrations_of_the_exact_player_give_a_short_reason_for_every_move(level):
    turns = play(FAMILY, draw(level), FAMILY.rules_for("certified"), "exact").turns
    thoughts = [turn.action["thought"] for turn in turns]
    assert all(5 <= len(thought.split()) <= 60 for thought in thoughts), thoughts


def test_editions_part_in_one_place():
    folder = Path(causalgame.__file__).parent
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "is_twin" not in text
        checked = re.findall(r"isinstance\([^()]*,([^()]*)\)", text)
        editions = re.compile(r"\b(Game|Expedition)(Public|Secret|Instance)?\b")
        assert not any(editions.search(types) for types in checked), path
