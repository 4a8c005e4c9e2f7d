"""Hypotheses: whatever is sent is read, matched with the instance's names, and judged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.tool import ToolDef
from jsonschema import Draft7Validator

from causarium.engine.play.programs import action_tools
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LEVELS
from causarium.families.causalab.paper.mechanics.resolve_hypothesis import resolve
from causarium.families.causalab.paper.model.actions import ACTIONS
from causarium.families.causalab.paper.model.hypothesis import Hypothesis
from causarium.families.causalab.paper.model.instance import FREQUENCY, Property

PUBLIC = generate(LEVELS["paper-linear-4"], 0, 0).public.model_copy(
    update={
        "properties": (
            Property(name="temperatureC", display="Temperature (°C)"),
            Property(name="ph", display="pH"),
            Property(name="quantumSize", display="Quantum Size"),
        )
    }
)
QUADRATIC = PUBLIC.model_copy(update={"form": "quadratic"})


def _problems(**fields):
    return resolve(Hypothesis.model_validate(fields), PUBLIC).problems


def _edge(cause, effect):
    return {"from": cause, "to": effect}


@pytest.mark.parametrize(
    "name", ["temperatureC", "TEMPERATUREC", "Temperature (°C)", "temperature"]
)
def test_names_are_matched_without_case_and_by_display_name(name):
    sent = Hypothesis.model_validate({"edges": [_edge(name, "frequency")]})
    assert resolve(sent, PUBLIC).edges == {("temperatureC", FREQUENCY)}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"edges": [_edge("ph", "viscosity")]}, "'viscosity' in edges is not a declared property"),
        ({"edges": [_edge("ph", "ph")]}, "ph cannot act on itself"),
        ({"edges": [_edge("ph", "quantumSize"), _edge("quantumSize", "ph")]}, "form a cycle"),
        ({"edges": [_edge(FREQUENCY, "ph")]}, "acts on nothing here"),
        ({"edges": [_edge("ph", "freq")] * 1000}, "1000 edges; at most 300 are read"),
        ({"edges": "ph -> freq"}, "edges must be a list"),
        ({"edges": [None]}, "edges[0] must be"),
        ({"coefficients": {"c_ph": "two"}}, "coefficients.c_ph is not a finite number"),
        ({"coefficients": {"c_ph": float("nan")}}, "coefficients.c_ph is not a finite number"),
        ({"coefficients": {"c_ph": True}}, "coefficients.c_ph is not a finite number"),
        ({"coefficients": {"c_opacity": 1}}, "belongs to no declared property"),
        ({"coefficients": [1, 2]}, "coefficients must be an object"),
        ({"freq_equation": 7}, "freq_equation must be a string"),
        ({"freq_equation": "x" * 3000}, "longer than 2000"),
        (
            {
                "edges": [_edge("ph", "freq")],
                "freq_equation": "f = base + c_quantumSize*quantumSize",
            },
            "freq_equation uses quantumSize, but the edges into resonanceFreq come from ph",
        ),
        (
            {"freq_equation": "f = base + c_x*x"},
            "'c_x' in freq_equation is not a declared property",
        ),
    ],
)
def test_what_breaks_the_schema_is_said(fields, said):
    assert any(said in problem for problem in _problems(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"edges": None, "freq_equation": None, "coefficients": None},
        {"edges": [["ph", "freq"]], "coefficients": {"base": None, "c_ph": None}},
        {
            "edges": [_edge("pH", "Resonance Frequency (Hz)"), _edge("Quantum Size", "freq")],
            "freq_equation": "resonanceFreq = base + 2*pH + c_quantumSize * Quantum Size",
            "coefficients": {"base": 3, "c_quantumSize": 1.5, "coeff_ph_freq": 2},
        },
        {"edges": [_edge("ph", "freq")], "freq_equation": "base + c2_ph*ph^2 + c1_ph*ph"},
    ],
)
def test_what_keeps_the_schema_has_no_problem(fields):
    assert _problems(**fields) == ()


def test_coefficients_are_read_in_every_published_spelling():
    sent = Hypothesis.model_validate(
        {
            "coefficients": {
                "base": 1,
                "c2_ph": 0.5,
                "c1_ph": 2,
                "coeff2_temp_freq": 3,
                "C_quantumsize": 4,
            }
        }
    )
    found = resolve(sent, QUADRATIC)
    assert found.base == 1
    assert found.square == {"ph": 0.5, "temperatureC": 3}
    assert found.linear == {"ph": 2, "quantumSize": 4}
    assert found.problems == ()


def test_the_frequency_is_predicted_when_every_coefficient_is_known():
    sent = {"edges": [_edge("ph", "freq")], "coefficients": {"base": 5, "c_ph": 2}}
    values = {"temperatureC": 1.0, "ph": 10.0, "quantumSize": 3.0}
    assert resolve(Hypothesis.model_validate(sent), PUBLIC).frequency(values) == 25.0
    sent["coefficients"]["c_ph"] = None
    assert resolve(Hypothesis.model_validate(sent), PUBLIC).frequency(values) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["edges", "from", "to", "coefficients", "freq_equation", "malformed"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_anything_becomes_a_hypothesis_that_survives_the_log(value):
    sent = Hypothesis.model_validate(value)
    assert resolve(sent, PUBLIC) is not None
    logged = json.loads(json.dumps(sent.model_dump(mode="json")))
    assert Hypothesis.model_validate(logged) == sent


def test_a_tool_user_is_not_shown_the_field_for_malformed_input():
    assert "malformed" not in json.dumps(Hypothesis.model_json_schema())


def _tool(name) -> ToolDef:
    return next(tool for tool in action_tools(ACTIONS, str) if tool.name == name)


@pytest.mark.parametrize("name", ["measure", "verify"])
@pytest.mark.parametrize(
    "sent",
    [
        "ph acts on the frequency",
        None,
        7,
        [["a", "b"]],
        {"edges": None, "freq_equation": None, "coefficients": None},
        {"edges": [["a", "b"]]},
        {"coefficients": {"base": "x"}},
    ],
)
def test_no_tool_refuses_a_hypothesis_before_it_is_judged_here(name, sent):
    schema = _tool(name).parameters.model_dump(exclude_none=True)
    assert list(Draft7Validator(schema).iter_errors({"hypothesis": sent})) == []


@pytest.mark.parametrize("name", ["measure", "verify"])
def test_a_tool_says_in_words_how_a_hypothesis_is_written(name):
    shown = _tool(name).parameters.properties["hypothesis"].model_dump_json()
    for key in ("edges", "freq_equation", "coefficients", "null"):
        assert key in shown


@pytest.mark.parametrize(
    "equation",
    [
        "f = 2.5e-3*ph + 1E4",
        "f = base + 2.ph + .5e+2*ph",
        "f = base + c2_ph*ph² + c1_ph*pH",
        "f = 3ph",
    ],
)
def test_numbers_and_squares_are_no_names(equation):
    assert _problems(edges=[_edge("ph", "freq")], freq_equation=equation) == ()


def test_a_name_that_is_a_letter_of_numbers_is_still_undeclared():
    (said,) = _problems(freq_equation="f = base + 2*e")
    assert said.startswith("'e' in freq_equation is not a declared property")


def test_a_parent_with_a_square_alone_is_part_of_the_prediction():
    sent = {"coefficients": {"base": 5, "c2_ph": 2}}
    values = {"temperatureC": 1.0, "ph": 10.0, "quantumSize": 3.0}
    assert resolve(Hypothesis.model_validate(sent), QUADRATIC).frequency(values) == 205.0
