"""Findings: what they say of rows made by hand, and that they are short."""

from causarium.contract.family_card import Separation
from causarium.report.data.build_report import build_report
from causarium.report.data.findings import MOST_FINDINGS, MOST_LETTERS
from tests.report.rows import FACTS, rows

SEPARATION = Separation(
    metric="accuracy", blind="silent", passive="plain", shortcuts=(), causal="infers"
)
KNOWN = {
    "toy": FACTS.model_copy(
        update={
            "blind": frozenset({"silent"}),
            "separation": SEPARATION,
            "players": frozenset({"silent", "plain", "infers", "oracle"}),
        }
    )
}
MARKS = {
    "player__silent": "0" * 40,
    "player__plain": "10" * 20,
    "player__infers": "1" * 40,
    "player__oracle": "1" * 40,
}


def say(**scores):
    report = build_report(rows(**scores, **MARKS), facts=KNOWN)
    assert len(report.findings) <= MOST_FINDINGS
    assert all(len(str(finding)) <= MOST_LETTERS for finding in report.findings)
    return [str(finding) for finding in report.findings], report


def test_without_models_there_is_one_finding_and_no_lane():
    said, report = say()
    assert said == [
        "No model has played yet. The causal player earns more than the best shortcut in this "
        "family."
    ]
    assert report.lanes == ()


def test_a_model_that_guesses():
    said, _ = say(m="0" * 40)
    assert said[0] == "It does no better than guessing in Toy."


def test_a_model_beyond_the_shortcut():
    said, report = say(m="1" * 38 + "00")
    assert said[0] == "It beats the shortcut in Toy."
    assert report.lanes == ("m",)


def test_several_models_are_counted_and_the_best_stands_first():
    said, report = say(worse="0" * 40, better="1" * 39 + "0")
    assert report.lanes == ("better", "worse")
    assert said[0] == "better beats the shortcut in one family; no other does in any."


def test_few_episodes_are_said_to_be_few():
    report = build_report(rows(m="111", **{k: v[:3] for k, v in MARKS.items()}), facts=KNOWN)
    assert str(report.findings[0]) == (
        "Too few cases to say where it stands: 3 episodes so far, and a verdict takes 20 cases of "
        "a family."
    )
