"""The equation's own numbers: what is read, what is refused by name, and that nothing breaks it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalab.mechanics.resolve_hypothesis import (
    MAX_TOKENS,
    ReadEquation,
    UnreadableEquation,
    read_equation,
    resolve,
)
from causarium.families.causalab.model.hypothesis import Hypothesis
from tests.families.causalab.made import F, made

PUBLIC = made(
    {("pressure", F): 1.0, ("density", F): 2.0}, names=("pressure", "density", "ph")
).public


def read(equation, parents, strict=False, **coefficients):
    sent = {
        "edges": [{"from": name, "to": F} for name in parents],
        "freq_equation": equation,
        "coefficients": coefficients,
    }
    return resolve(Hypothesis.model_validate(sent), PUBLIC, strict=strict)


@pytest.mark.parametrize(
    ("equation", "coefficients", "base", "linear", "square"),
    [
        ("1207.96 + 3.06*pressure - 4*density", {}, 1207.96, {"pressure": 3.06, "density": -4}, {}),
        ("base + 3.06*pressure + 4 density", {"base": 7}, 7, {"pressure": 3.06, "density": 4}, {}),
        (
            "a + b0*pressure + b1*density",
            {"a": 1, "b0": 2, "b1": 3},
            1,
            {"pressure": 2, "density": 3},
            {},
        ),
        ("20 + 2*(pressure - density)/4", {}, 20, {"pressure": 0.5, "density": -0.5}, {}),
        ("0.01*(pH-50)^2 + 7", {}, 32, {"ph": -1}, {"ph": 0.01}),
        ("resonanceFreq = 5 + 2e-3 ph", {}, 5, {"ph": 0.002}, {}),
        ("5 + 2·ph² − 3 × ph", {}, 5, {"ph": -3}, {"ph": 2}),
        ("5 + 2 ph ** 2", {}, 5, {}, {"ph": 2}),
        ("7 + 3ph = Resonance Frequency (Hz)", {}, 7, {"ph": 3}, {}),
        ("base + c_ph*ph", {"base": 1, "C_pH": 2}, 1, {"ph": 2}, {}),
        (
            "base + c2_ph*ph^2 + c1_ph*ph",
            {"base": 1, "c2_ph": 2, "c_ph": 3},
            1,
            {"ph": 3},
            {"ph": 2},
        ),
        ("base + c_ph*ph", {"base": None, "c_ph": None}, None, {"ph": None}, {}),
        ("3.2*ph + 100", {"c_ph": 3.22}, 100, {"ph": 3.22}, {}),
        ("-(ph - 2)", {}, 2, {"ph": -1}, {}),
    ],
)
def test_the_numbers_of_an_equation_count(equation, coefficients, base, linear, square):
    got = read(equation, [*{*linear, *square}], **coefficients)
    assert got.problems == ()
    assert got.base == (base if base is None else pytest.approx(base))
    for mine, wanted in ((got.linear, linear), (got.square, square)):
        assert mine.keys() == wanted.keys()
        for name, number in wanted.items():
            assert mine[name] == (number if number is None else pytest.approx(number))


@pytest.mark.parametrize(
    ("equation", "parents", "coefficients", "said"),
    [
        ("2*pressure*density", ["pressure", "density"], {}, "multiplies density and pressure"),
        ("sin(ph)", ["ph"], {}, "'sin' in freq_equation"),
        ("k*pressure", ["pressure"], {}, "'k' in freq_equation"),
        ("k*pressure", ["pressure"], {"k": None}, "'k' in freq_equation"),
        ("ph^3", ["ph"], {}, "power 3"),
        ("1/ph", ["ph"], {}, "divisor"),
        ("2 + resonanceFreq", [], {}, "right side"),
        ("base + 3.2*ph", ["ph"], {"c_ph": 2.3}, "says 3.2 for ph, the coefficients 2.3"),
        ("4 + ph", ["ph"], {"base": 5}, "says 4 for the base, the coefficients 5"),
        ("3 + 2*ph", ["density"], {}, "freq_equation uses ph"),
        ("2 @ ph", ["ph"], {}, "is not arithmetic"),
        ("2 + (ph", ["ph"], {}, "cannot be read"),
        ("2,5*ph", ["ph"], {}, "is not arithmetic"),
        ("(" * 21 + "ph" + ")" * 21, ["ph"], {}, "nested brackets"),
        ("+".join(["ph"] * MAX_TOKENS), ["ph"], {}, "parts"),
        ("1e999*ph", ["ph"], {}, "beyond every scale"),
        ("1e20*1e20*1e20*1e300*ph", ["ph"], {}, "beyond every scale"),
    ],
)
def test_what_cannot_be_read_is_named(equation, parents, coefficients, said):
    problems = " ".join(read(equation, parents, **coefficients).problems)
    if said.startswith("multiplies"):
        assert "multiplies" in problems
        assert "pressure" in problems
        assert "density" in problems
    else:
        assert said in problems


def test_a_number_that_is_not_read_is_never_zero():
    got = read("k*pressure + 2", ["pressure"])
    assert got.linear == {}
    assert got.base is None


def test_under_strict_form_the_equations_numbers_do_not_count():
    got = read("20 + 3*ph", ["ph"], strict=True)
    assert (got.base, got.linear, got.problems) == (None, {}, ())
    got = read("base + 3.2*ph", ["ph"], strict=True, base=1, c_ph=2.3)
    assert (got.linear, got.problems) == ({"ph": 2.3}, ())


def symbol(word):
    return word if word in {"x", "y"} else None


@given(st.text(alphabet="xyu0123456789.eE+-*/^()² ·=", max_size=60))
@settings(max_examples=120, deadline=None)
def test_whatever_is_written_is_read_or_refused(text):
    try:
        got = read_equation(text, symbol)
    except UnreadableEquation:
        return
    assert isinstance(got, ReadEquation)


@given(
    weights=st.lists(st.floats(-50, 50).map(lambda w: round(w, 3)), min_size=2, max_size=2),
    base=st.floats(-1000, 1000).map(lambda b: round(b, 2)),
    square=st.floats(-1, 1).map(lambda b: round(b, 4)),
)
def test_what_is_written_out_is_read_back(weights, base, square):
    text = f"{base} + {weights[0]}*x + ({weights[1]})*y + {square}*x^2"
    got = read_equation(text, symbol)
    assert got.base == pytest.approx(base, abs=1e-9)
    assert got.linear == pytest.approx({"x": weights[0], "y": weights[1]}, abs=1e-9)
    assert got.square == pytest.approx({"x": square}, abs=1e-9)


@pytest.mark.parametrize("piece", ["(", "x*", "-", "x^2+", "9", "((x))", "u ", "² "])
def test_long_texts_are_given_up_soon(piece):
    start = time.process_time()
    with pytest.raises(UnreadableEquation):
        read_equation(piece * 2000 + "@", symbol)
    assert time.process_time() - start < 2
