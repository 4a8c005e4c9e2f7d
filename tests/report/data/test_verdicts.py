"""What a report says first: each sentence on rows where it holds, and on rows where it is false."""

from causarium.contract.row import CUT
from causarium.report.data.build_report import build_report
from causarium.report.data.verdicts import judge
from tests.report.rows import FACTS, SPEC, row, rows

SETS = {"certified": {"smoke": SPEC.model_copy(update={"zero": 0.3})}}
PLAYERS = frozenset({"silent", "plain", "infers", "oracle"})
KNOWN = {"toy": FACTS.model_copy(update={"players": PLAYERS, "sets": SETS})}
MARKS = {
    "player__plain": "10" * 20,
    "player__infers": "1" * 40,
    "player__oracle": "1" * 40,
}


def say(*more, **scores):
    return build_report([*rows(**scores, **MARKS), *more], facts=KNOWN)


def stand(report, agent="m"):
    return judge(report.sections[0], agent).standing


def test_without_models_the_marks_are_told():
    report = say()
    assert report.lanes == ()
    assert report.summary.title == "Reference players on Toy"
    assert "is above the best shortcut" in report.summary.line


def test_above_the_shortcuts_and_not():
    above = say(m="1" * 34 + "0" * 6)
    assert stand(above) == "above"
    assert above.summary.title == "m: 34 of 40 correct"
    assert above.summary.line == "Above the shortcuts in Toy."
    level = say(m="1" * 33 + "0" * 7, player__plain2="1" * 40)
    assert stand(level) == "above"
    below = build_report(rows(m="1" * 33 + "0" * 7, player__plain="1" * 40), facts=KNOWN)
    assert stand(below) == "not above"
    assert below.summary.title == "m: 33 of 40 correct"
    assert below.summary.line == ""


def test_guessing_and_below_it():
    assert stand(say(m="1" * 12 + "0" * 28)) == "like guessing"
    assert stand(say(m="0" * 40)) == "below guessing"
    assert stand(say(m="1" * 40)) == "reference"


def test_few_episodes_are_not_known():
    report = build_report(rows(m="111"), facts=KNOWN)
    assert stand(report) == "too few"
    assert judge(report.sections[0], "m").words == "too few: 3 of 4"
    assert report.summary.next == "causarium run toy --model m"


def test_a_small_set_tells_what_its_interval_tells():
    lost = build_report(rows(m="0" * 10, player__infers="1" * 10), facts=KNOWN)
    assert stand(lost) == "under half"
    assert lost.summary.title == "m: 0 of 10 correct"
    assert lost.summary.line == "No sign of skill."
    won = build_report(rows(m="1" * 9 + "0", player__infers="1" * 10), facts=KNOWN)
    assert stand(won) == "too few"


def failing(count, **changes):
    return [row("m", at, 0.0, answered=False, **changes) for at in range(40 - count, 40)]


REFUSED = {"faults": {"no JSON": 2}, "refusals": {"no JSON object in the reply": 2}}


def test_form_comes_before_skill_with_its_remedy():
    report = say(*failing(21, **REFUSED), m="1" * 19)
    assert stand(report) == "failed on format"
    assert report.summary.title == "m: failed on format, 21 of 40 episodes"
    assert "mostly no JSON object in the reply (42 of 80 replies)" in report.summary.line
    assert "No sign of skill" not in report.summary.line
    assert report.summary.next == "causarium run toy --model m --rule constrained=true"
    below = say(*failing(20, **REFUSED), m="1" * 20)
    assert stand(below) == "not above"
    assert below.summary.title == "m: 20 of 40 correct"


def test_a_limit_comes_before_skill_with_the_limit_to_raise():
    report = say(*failing(21, faults={CUT: 2}), m="1" * 19)
    assert stand(report) == "cut short"
    assert report.summary.title == "m: cut short, 21 of 40 episodes"
    assert report.summary.next.endswith("--max-tokens 4000")
    turns = say(*failing(30), m="1" * 10)
    assert stand(turns) == "cut short"
    assert "out of turns" in turns.summary.line


def test_a_name_with_shell_words_is_quoted_in_the_next_command():
    rows = [row("x; rm -rf /", at, 0.0) for at in range(4)]
    assert "--model 'x; rm -rf /'" in build_report(rows, facts=KNOWN).summary.next


def test_people_players_and_settings_are_no_models():
    person = say(m="1" * 40, human="1" * 40)
    assert person.models == ("m",)
    assert {a.role for a in person.sections[0].agents if a.agent == "human"} == {"human"}
    again = [row("m", at, 0.0, interface="tools") for at in range(40)]
    both = say(*again, m="1" * 40)
    assert both.title == "One model in two settings on Toy"
    assert say(m="1" * 40, n="0" * 40).title == "Two models on Toy"


def test_two_models_are_told_apart_only_where_they_are():
    assert say(m="1" * 40, n="0" * 40).summary.title == "m leads n in Toy"
    assert say(m="10" * 20, n="01" * 20).summary.title == "Two models on Toy"


def test_every_endings_sum_is_the_rows():
    report = say(row("m", 40, 0.0, unscored="no judge"), m="10" * 20)
    counts = report.sections[0].outcomes["m"]
    assert sum(count.count for count in counts) == 41
    assert [count.ending for count in counts] == ["correct", "incorrect", "error"]
