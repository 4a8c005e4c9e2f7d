"""What a report says first: each sentence on rows where it holds, and on rows where it is false."""

from causarium.contract.row import CUT
from causarium.report.data.build_report import build_report
from causarium.report.data.report_data import find_mean_reach
from causarium.report.data.verdicts import judge
from tests.report.rows import FACTS, climb, row, rows

KNOWN = {"toy": FACTS}


def say(*more, **scores):
    return build_report([*rows(**scores), *more], facts=KNOWN)


def words_of(report, agent="m"):
    return judge(report.sections[0], agent).words


def test_without_models_the_players_are_told():
    report = build_report(
        [*climb("player/plain", 1, 0.5), *climb("player/infers", 1, 1)], facts=KNOWN
    )
    assert report.lanes == ()
    assert report.summary.title == "Reference players on Toy"
    assert report.summary.line.endswith("Toy: reference 2.0, plain 1.5.")


def test_a_reach_is_told_with_its_interval():
    (section,) = build_report(climb("m", 1, 1, 0.5, 0), facts=KNOWN).sections
    score = section.find_score("m")
    assert score.value == 2.5
    assert score.low < 2.5 < score.high
    assert (section.full, section.measure) == (8.0, "reach")
    assert [column.name for column in section.columns][:2] == ["reach", "accuracy"]


def test_a_reach_that_is_open_leads_to_the_rungs_above():
    report = build_report(climb("m", *[1.0] * 8), facts=KNOWN)
    assert report.sections[0].find_reach("m").in_words == ">= 8.0"
    assert report.summary.next == "causarium run toy --model m --set beyond"


def test_nothing_above_guessing_is_said():
    report = build_report(climb("m", 0, 0), facts=KNOWN)
    assert report.summary.title == "m: 0 of 20 correct"
    assert report.summary.line.startswith("No score above guessing.")


def test_the_mean_reach_needs_every_ladder_whole():
    known = {name: FACTS.model_copy(update={"name": name, "title": name}) for name in ("a", "b")}
    both = [*climb("m", 1, 1, family="a"), *climb("m", 1, 0, family="b")]
    line = build_report(both, facts=known).summary.line
    assert line.startswith("Mean reach 1.5 of 8")
    one = build_report([*both, *climb("n", 1, 1, family="a")], facts=known)
    assert find_mean_reach(one.sections, "n") is None


def test_two_climbers_are_compared_on_the_rungs_that_one_did_not_play():
    report = build_report([*climb("m", 1, 1, 1, 1), *climb("n", 1, 0, 0)], facts=KNOWN)
    (one,) = report.sections[0].comparisons
    assert (one.agent, one.other, one.verdict) == ("m", "n", "ahead")
    assert one.difference.value == 3.0
    assert one.n == 40


def test_the_marks_are_the_strongest_program_and_the_reference():
    played = [
        *climb("player/plain", 1, 0.5),
        *climb("player/random", 0.1, 0),
        *climb("player/infers", 1, 1),
        *climb("player/oracle", 1, 1),
    ]
    (section,) = build_report(played, facts=KNOWN).sections
    assert section.marks == {"guessing": 0.0, "program": 1.5, "reference": 2.0}


def test_few_episodes_lead_to_a_larger_set():
    assert build_report(rows(m="111"), facts=KNOWN).summary.next == "causarium run toy --model m"


def failing(count, **changes):
    return [row("m", at, 0.0, answered=False, **changes) for at in range(40 - count, 40)]


REFUSED = {"faults": {"no JSON": 2}, "refusals": {"no JSON object in the reply": 2}}


def test_form_comes_before_skill_with_its_remedy():
    report = say(*failing(21, **REFUSED), m="1" * 19)
    assert words_of(report) == "failed on format"
    assert report.summary.title == "m: failed on format, 21 of 40 episodes"
    assert "mostly no JSON object in the reply (42 of 80 replies)" in report.summary.line
    assert report.summary.next == "causarium run toy --model m --rule constrained=true"
    below = say(*failing(20, **REFUSED), m="1" * 20)
    assert words_of(below) == ""
    assert below.summary.title == "m: 20 of 40 correct"


def test_a_limit_comes_before_skill_with_the_limit_to_raise():
    report = say(*failing(21, faults={CUT: 2}), m="1" * 19)
    assert words_of(report) == "cut short"
    assert report.summary.title == "m: cut short, 21 of 40 episodes"
    assert report.summary.next.endswith("--max-tokens 4000")
    turns = say(*failing(30), m="1" * 10)
    assert words_of(turns) == "cut short"
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
