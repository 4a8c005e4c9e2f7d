"""What a report says first: each sentence on rows where it holds, and on rows where it is false."""

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
    assert above.summary.title == "m is above the shortcuts in Toy"
    assert "above whoever looks away" in str(above.summary.can[0])
    assert not above.summary.cannot
    level = say(m="1" * 33 + "0" * 7, player__plain2="1" * 40)
    assert stand(level) == "above"
    below = build_report(rows(m="1" * 33 + "0" * 7, player__plain="1" * 40), facts=KNOWN)
    assert stand(below) == "not above"
    assert not below.summary.can
    assert below.summary.title == "m is not shown to be above the shortcuts"


def test_guessing_and_below_it():
    assert stand(say(m="1" * 12 + "0" * 28)) == "like guessing"
    assert stand(say(m="0" * 40)) == "below guessing"
    assert stand(say(m="1" * 40)) == "reference"


def test_few_episodes_are_not_known():
    report = build_report(rows(m="111"), facts=KNOWN)
    assert stand(report) == "too few"
    assert "too few: 3 of 4" in str(report.summary.unknown[0])
    assert not report.summary.can
    assert not report.summary.cannot


def test_a_small_set_tells_what_its_interval_tells():
    lost = build_report(rows(m="0" * 10, player__infers="1" * 10), facts=KNOWN)
    assert stand(lost) == "under half"
    assert lost.summary.title == "m earns under half of what the reference player does in Toy"
    assert "on 10 instances" in str(lost.summary.cannot[0])
    won = build_report(rows(m="1" * 9 + "0", player__infers="1" * 10), facts=KNOWN)
    assert stand(won) == "too few"
    assert not won.summary.cannot


def out(at):
    return row("m", at, 0.0, answered=False)


def test_cut_off_is_said_of_what_ran_out_and_not_of_wrong_answers():
    cut = say(*(out(at) for at in range(20, 40)), m="1" * 20)
    assert stand(cut) == "cut off"
    assert "20 of 40 ran out of budget; its score lies between 0.29 and 1.00." in str(
        cut.summary.unknown[0]
    )
    assert stand(say(m="1" * 20 + "0" * 20)) == "not above"


def test_what_ran_out_is_never_called_form():
    readable = say(*(out(at) for at in range(40)))
    counts = {count.ending: count.count for count in readable.sections[0].outcomes["m"]}
    assert counts == {"ran out of budget": 40}
    unread = [row("m", at, 0.0, answered=False, faults={"no JSON": 2}) for at in range(40)]
    counts = {count.ending: count.count for count in say(*unread).sections[0].outcomes["m"]}
    assert counts == {"unreadable": 40}


def test_people_players_and_settings_are_no_models():
    person = say(m="1" * 40, human="1" * 40)
    assert person.models == ("m",)
    assert {a.role for a in person.sections[0].agents if a.agent == "human"} == {"human"}
    again = [row("m", at, 0.0, interface="tools") for at in range(40)]
    both = say(*again, m="1" * 40)
    assert both.title == "One model in two settings on Toy"
    assert say(m="1" * 40, n="0" * 40).title == "Two models on Toy"


def test_two_models_are_told_apart_only_where_they_are():
    assert say(m="1" * 40, n="0" * 40).summary.title == "m is ahead of n in Toy"
    assert say(m="10" * 20, n="01" * 20).summary.title == "Two models on Toy"


def test_every_endings_sum_is_the_rows():
    report = say(row("m", 40, 0.0, unscored="no judge"), m="10" * 20)
    counts = report.sections[0].outcomes["m"]
    assert sum(count.count for count in counts) == 41
    assert [count.ending for count in counts] == ["right", "wrong", "unscored"]
