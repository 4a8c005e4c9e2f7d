"""The released format is read, checked and written."""

import json
from pathlib import Path
from typing import Any

import pytest

from causarium import families
from causarium.contract.sets.instance_sets import read_set
from causarium.errors import BadFile, UsageError
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.model.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.paper.proofs import certify
from causarium.families.replayscm.paper.publication import read_released, write_released

SAMPLE = (
    Path(__file__).resolve().parents[5] / "shared" / "data" / "replayscm" / "sample_runtime.yaml"
)
SETTINGS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots", "paper-alt-hidden")


def _drawn(level: str, index: int = 0) -> ReplayInstance:
    return FAMILY.generate(FAMILY.level(level), 0, index)


@pytest.fixture(scope="module")
def released() -> list[ReplayInstance]:
    if not SAMPLE.exists():
        pytest.skip("the released sample is not at hand")
    return read_released(SAMPLE)


def test_the_released_records_are_read(released: list[ReplayInstance]) -> None:
    first, second = released
    assert [len(one.public.train) for one in released] == [9, 10]
    assert [len(one.secret.heldout) for one in released] == [8, 8]
    assert first.public.setting == second.public.setting == "alternative_ordered"
    assert first.public.order == ("X4", "X8", "X2", "X1", "X6", "X7", "X3", "X5")
    assert first.public.roots == ("X2", "X4", "X8")
    assert gold_formulas(first)["X7"] == "(iff (and X2 X6 X8) (not (or X1 X6)))"
    assert [one.secret.source.reference for one in released if one.secret.source] == [
        "alternative",
        "gold",
    ]


def test_the_released_records_have_the_known_numbers_of_models(
    released: list[ReplayInstance],
) -> None:
    found = [certify(one) for one in released]
    assert [round(one.extra["log2_models"], 1) for one in found] == [11.9, 9.8]
    assert not any(one.extra["heldout_determined"] for one in found)
    assert all(proof.holds for one in found for proof in one.proofs)


def test_a_released_file_can_be_played_as_a_set(released: list[ReplayInstance]) -> None:
    header, instances = read_set(SAMPLE, FAMILY)
    assert header.edition == "paper"
    assert instances == released


@pytest.mark.parametrize("level", SETTINGS)
def test_what_is_written_in_the_released_format_is_read_back(level: str, tmp_path: Path) -> None:
    drawn = [_drawn(level, index) for index in range(2)]
    assert write_released(tmp_path / "set.yaml", drawn) == 2
    again = read_released(tmp_path / "set.yaml")
    for one, other in zip(drawn, again, strict=True):
        assert other.id == one.id
        assert other.public.train == one.public.train
        assert other.secret.heldout == one.secret.heldout
        assert other.public.model_dump() == one.public.model_dump()
        assert gold_formulas(other) == gold_formulas(one)


def _record(**changes: Any) -> dict[str, Any]:
    """Return a small record of the released format: Y is the negation of R."""
    rows = ["01", "10"]
    world = {
        "worldId": "train_00",
        "split": "train",
        "intervention": {"mode": "hard_constant", "targets": [], "assignments": {}},
        "rows": rows,
    }
    problem = {
        "instanceId": "tiny",
        "signature": {
            "variables": ["R", "Y"],
            "rootVariables": ["R"],
            "topologicalOrder": ["R", "Y"],
        },
        "task": {"taskName": "CIND_A_SCM", "parameters": {}},
        "worlds": [world, {**world, "worldId": "heldout_00", "split": "heldout"}],
        "goldAnswer": {"scm": {"mechanisms": {"Y": "(not R)"}}},
    }
    return {"problem": {**problem, **changes}}


def _written(tmp_path: Path, *records: dict[str, Any]) -> Path:
    path = tmp_path / "some.yaml"
    path.write_text(json.dumps({"problems": list(records)}))
    return path


def test_a_world_without_targets_is_one_in_which_nothing_is_set(tmp_path: Path) -> None:
    (one,) = read_released(_written(tmp_path, _record()))
    assert one.public.train[0].mode == "none"
    assert one.public.setting == "ordered"


def test_the_layers_of_a_released_block_file_are_read(tmp_path: Path) -> None:
    parameters = {"scmPromptVariant": "partial_topological_order"}
    for layers in ([["R"], ["Y"]], [["R", "Y"]]):
        task = {
            "taskName": "CIND_A_SCM",
            "parameters": {**parameters, "topologicalLayers": layers},
        }
        (one,) = read_released(_written(tmp_path, _record(task=task)))
        assert one.public.setting == "block_order"
        assert one.public.blocks == (("R",), ("Y",))


_WRONG: dict[str, dict[str, Any]] = {
    "do not bring about": {"goldAnswer": {"scm": {"mechanisms": {"Y": "(or R R)"}}}},
    "unknown name": {"goldAnswer": {"scm": {"mechanisms": {"Y": "(not Z)"}}}},
    "roots and mechanisms": {"goldAnswer": {"scm": {"mechanisms": {}}}},
    "without `scm_alt_exp`": {"task": {"taskName": "CIND_A_SCM_ALT_EXP", "parameters": {}}},
    **{
        "topologicalLayers does not name" + " " * number: {
            "task": {
                "taskName": "CIND_A_SCM",
                "parameters": {"scmPromptVariant": "partial_order", "topologicalLayers": layers},
            }
        }
        for number, layers in enumerate(([], [["R"]], [["R"], ["Y"], ["Y"]], [["R", "Y"], []]))
    },
    "worlds: Field required": {"worlds": None},
    "more rows than panelUnits": {"panelUnits": ["u00"]},
    "mechanisms: unknown operator": {"goldAnswer": {"scm": {"mechanisms": {"Y": "(nand R R)"}}}},
    **{
        reason: {
            "task": {"taskName": "CIND_A_SCM_ALT_EXP", "parameters": {}},
            "goldAnswer": {
                "scm": {"mechanisms": {"Y": "(not R)"}},
                "scm_alt_exp": {
                    "referenceMechanisms": reference,
                    "otherMechanisms": {"Y": "(not R)"},
                    "referenceRole": "gold",
                },
            },
        }
        for reason, reference in {
            "referenceMechanisms: unknown operator": {"Y": "(nand R R)"},
            "roots and referenceMechanisms": {},
        }.items()
    },
}


def test_a_mechanism_with_five_parents_is_refused_with_its_record(tmp_path: Path) -> None:
    roots = [f"R{number}" for number in range(5)]
    world = _record()["problem"]["worlds"][0] | {"rows": ["000000", "100001"]}
    record = _record(
        signature={"variables": [*roots, "Y"], "rootVariables": roots},
        worlds=[world],
        goldAnswer={
            "scm": {
                "mechanisms": {"Y": f"(xor {' '.join(roots)})"},
                "topologicalOrder": [*roots, "Y"],
            }
        },
    )
    with pytest.raises(BadFile, match=r"record 1 of .* cannot be played"):
        read_released(_written(tmp_path, record))


@pytest.mark.parametrize("reason", _WRONG)
def test_a_record_that_cannot_be_played_is_refused_with_its_reason(
    reason: str, tmp_path: Path
) -> None:
    record = _record(**_WRONG[reason])
    record["problem"] = {k: v for k, v in record["problem"].items() if v is not None}
    with pytest.raises(BadFile, match=r"record 2 of .*") as told:
        read_released(_written(tmp_path, _record(), record))
    assert reason.strip() in str(told.value)


def test_rows_that_contradict_their_intervention_are_refused(tmp_path: Path) -> None:
    record = _record()
    record["problem"]["worlds"][0] = {
        "worldId": "train_00",
        "split": "train",
        "intervention": {"mode": "hard_constant", "targets": ["Y"], "assignments": {"Y": 1}},
        "rows": ["01", "10"],
    }
    with pytest.raises(BadFile, match="holds 'Y' at 1, but its rows do not"):
        read_released(_written(tmp_path, record))


@pytest.mark.parametrize(
    "text",
    ["", "problems: []", "- 1", "a: [", "!!python/object:os.system {}", "problems: 3"],
)
def test_what_is_no_released_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(text)
    with pytest.raises(BadFile):
        read_released(path)


def test_systems_of_the_ladder_have_no_place_in_the_released_format(tmp_path: Path) -> None:
    certified = families.get("replayscm", "certified")
    system = certified.generate(certified.level("rung-3"), 0, 0)
    with pytest.raises(UsageError, match="is no problem of the paper edition"):
        write_released(tmp_path / "set.yaml", [system])
    assert not (tmp_path / "set.yaml").exists()
