"""The recorded run that ships: of today's sets, verified, without a trace of its machine."""

import re

import pytest
from inspect_ai.log import read_eval_log

from causarium import families
from causarium.api.demo import RECORDED, list_recorded_logs, play_programs, tell_recording
from causarium.api.verify import verify_logs
from causarium.report.data.build_report import build_report
from causarium.report.output.print_summary import list_demo_lines

recorded = pytest.mark.skipif(not list_recorded_logs(), reason="no run of a model is recorded")


def test_programs_play_where_no_run_is_recorded() -> None:
    report = build_report(play_programs())
    lines = list_demo_lines(report)
    assert [line.split()[0].lower() for line in lines[:5]] == list(families.FAMILIES)
    assert all("guessing 0.0, program (" in line for line in lines[:5])
    assert len(lines) <= 14


@recorded
def test_the_recording_is_of_the_sets_that_ship_and_verified() -> None:
    proofs = verify_logs(RECORDED)
    assert {proof.family for proof in proofs} == set(families.names())
    for proof in proofs:
        assert proof.is_verified, proof
        assert (proof.set, proof.part) == ("certified/smoke", "")


@recorded
def test_the_recording_says_who_played() -> None:
    said = tell_recording()
    for word in ("Qwen", "Apache-2.0", "no model is called"):
        assert word in said


@recorded
def test_the_recording_names_no_place_of_the_machine_it_was_made_on() -> None:
    for path in RECORDED.glob("*.eval"):
        log = read_eval_log(str(path))
        assert (log.eval.revision, log.eval.model_base_url) == (None, None)
        assert log.eval.model_args == {}
        said = log.model_dump_json(exclude={"location"})
        assert re.findall(r"/(?:home|root|Users|work|tmp)/\w+|127\.0\.0\.1", said) == []
