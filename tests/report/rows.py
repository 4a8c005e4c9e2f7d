"""Rows made by hand, for reports whose every number is known."""

from causarium.contract.family_card import Paper, Part, PlayerClass, SetSpec, Tier
from causarium.contract.row import Row
from causarium.contract.verdict import Metric
from causarium.report.data.build_report import build_report
from causarium.report.data.scale import FamilyFacts
from causarium.report.output.write_report import FORMATS, write_built

SPEC = SetSpec(
    about="Four toys.", parts=(Part(level="toy", size=4),), digest="sha256:abc", zero=0.5
)

FACTS = FamilyFacts(
    name="toy",
    title="Toy",
    about="Asks for nothing.",
    version="1-A",
    paper=Paper(title="On toys", venue="ToyConf", year=2026),
    headline={"certified": "accuracy", "paper": "accuracy"},
    numbers=("distance",),
    metrics={
        "accuracy": Metric("Whether it is right.", "higher", share=True),
        "distance": Metric("How far off.", "lower"),
    },
    sets={"certified": {"smoke": SPEC}},
    classes=(
        PlayerClass(
            name="blind",
            says="Whoever looks away.",
            kind="theorem",
            proof="T1",
            members=("plain",),
            bounds={"toy": 0.5},
        ),
    ),
    tiers=(
        Tier(name="toys", kind="reasoning", levels=("toy",), says="Toys."),
        Tier(name="warm-up", kind="practice", levels=("easy",), says="Easy toys."),
    ),
    reference="infers",
    not_covered=("Whoever was not thought of.",),
)


def row(agent: str, at: int, accuracy: float, **changes: object) -> Row:
    """One row of the toy family."""
    fields = {
        "family": "toy",
        "version": "1-A",
        "edition": "certified",
        "set": "smoke",
        "agent": agent,
        "interface": "json",
        "id": f"toy-toy-{at:04d}",
        "facets": {"size": 3 + at % 2, "kind": "a" if at < 2 else "b"},
        "numbers": {"accuracy": accuracy, "distance": 2 * (1 - accuracy)},
        "labels": {"error": "none" if accuracy == 1 else "wrong"},
        "turns": 2,
    }
    return Row.model_validate({**fields, **changes})


def rows(**scores: str) -> list[Row]:
    """Rows of several agents; a score is a string of 0s and 1s, one an instance."""
    return [
        row(agent.replace("__", "/"), at, float(mark))
        for agent, marks in scores.items()
        for at, mark in enumerate(marks)
    ]


FIVE = ("causallink", "causalab", "causalgame", "replayscm", "recite")


def five_families(count: int) -> list[Row]:
    """Rows of five families, so many models on 40 instances each, and the marks."""
    return [
        row(agent, at, float(at % modulus > 0), family=family)
        for family in FIVE
        for agent, modulus in {
            **{f"provider/model-{n}": n + 2 for n in range(count)},
            "player/silent": 1,
            "player/plain": 2,
            "player/infers": 99,
            "player/oracle": 99,
        }.items()
        for at in range(40)
    ]


def facts_of_five() -> dict[str, FamilyFacts]:
    """What five families say of themselves, all the same but for their names."""
    return {
        name: FACTS.model_copy(update={"name": name, "title": name.capitalize()}) for name in FIVE
    }


def write_report(given_rows, out, *, formats=FORMATS, **known):
    """Write the report of rows as the API does, with facts and panels that no log has."""
    listed = list(given_rows)
    return write_built(build_report(listed, **known), listed, out, formats=formats)
