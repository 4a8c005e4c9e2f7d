"""Rows made by hand, for reports whose every number is known."""

from causarium.contract.family_card import Paper, Part, SetSpec
from causarium.contract.row import Row
from causarium.contract.verdict import Metric
from causarium.report.data.build_report import build_report
from causarium.report.data.family_facts import FamilyFacts
from causarium.report.output.write_report import FORMATS, write_built

SPEC = SetSpec(about="Four toys.", parts=(Part(level="toy", size=4),), digest="sha256:abc")
RUNGS = tuple(range(1, 9))
LADDER = SetSpec(
    about="Eight rungs.",
    parts=tuple(Part(level=f"rung-{rung}", size=10) for rung in RUNGS),
    digest="sha256:def",
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
    sets={"certified": {"smoke": SPEC, "standard": LADDER, "beyond": LADDER}},
    reference="infers",
    players=frozenset({"silent", "random", "plain", "infers", "oracle"}),
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


def climb(agent: str, *means: float, each: int = 10, **changes: object) -> list[Row]:
    """Rows of an agent on a ladder: on each rung, a share of the instances solved."""
    return [
        row(
            agent,
            at,
            float(at < round(mean * each)),
            id=f"{changes.get('family', 'toy')}-rung-{rung}-{at:04d}",
            set="standard",
            facets={"rung": rung},
            **changes,
        )
        for rung, mean in enumerate(means, 1)
        for at in range(each)
    ]


FIVE = ("causallink", "causalab", "causalgame", "replayscm", "recite")


def five_families(count: int) -> list[Row]:
    """Rows of five ladders, so many models on ten instances a rung, and the players."""
    return [
        one
        for family in FIVE
        for agent, top in {
            **{f"provider/model-{n}": n + 1 for n in range(count)},
            "player/silent": 0,
            "player/plain": 2,
            "player/infers": 8,
            "player/oracle": 8,
        }.items()
        for one in climb(agent, *(float(rung <= top) for rung in RUNGS), family=family)
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
