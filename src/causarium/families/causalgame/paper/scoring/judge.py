"""Paper edition: the judge, with what it reads as the truth, what it must grade and how it replies.

The task report says how the game works, its traps and its best strategy; every number in it is
simulated. The evidence packet has it, the truth about the session and the agent's words. Each line
of these is marked, so that nothing an agent writes can pass for one of the other parts.

A reply counts only if it is one JSON object that grades each criterion exactly once, with a grade
which that criterion can have. A judge that replies otherwise reads what is wrong and is asked
again, twice at most; after that it has not decided, and its rubric numbers are nan.

The rubric has seventeen criteria, from -11 to 34 points in all; the six of the published headline
add up to 16. The paper also speaks of 22 points, which no set of criteria adds up to, and does not
say what is special about mandatory criteria: they weigh like any other.

`pattern` names how an agent failed. The published definitions overlap and leave gaps, so the first
rule that fits decides, in the order C, E, A, D, B. Winners have none. C is published as 9 points of
a 22-point scale that is nowhere defined; 9/22 is taken of the full scale, the only one that allows
it. D would be empty next to A and B, so it takes from B those who used data at least partly.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, Literal, get_args

from pydantic import Field, ValidationError, field_validator

from causarium.contract.frozen import AgentInput, Frozen
from causarium.contract.texts.prompt_texts import read_text, split_parts
from causarium.contract.texts.replies import describe_validation_error, excerpt
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.texts.scan_reply import scan_reply
from ..model.actions import sentence
from ..model.game import (
    AntennaLaw,
    Design,
    Game,
    WeatherLaw,
    ZoneLaw,
)
from ..model.paper_games import LISTED, QUIRKS
from .claims import list_sound_ideas, truth
from .score import (
    Recalled,
    compute_survival,
    describe_design,
    landmarks,
)

Grade = Literal["SATISFIED", "PARTIALLY_SATISFIED", "NOT_SATISFIED"]
"""The published verdicts on a criterion."""

WORTH: dict[Grade, float] = {"SATISFIED": 1.0, "PARTIALLY_SATISFIED": 0.5, "NOT_SATISFIED": 0.0}
Dimension = Literal["causal reasoning", "experimental design", "reflection", "data usage"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
FULL_SCALE, HEADLINE_SCALE = 34, 16

Grades = Mapping[str, Grade]
"""A grade for each criterion's id."""


class Criterion(Frozen):
    """One question of the rubric."""

    id: str
    weight: int
    """Points when it is met; negative: a penalty."""
    mandatory: bool = False
    group: str
    headline: Dimension | None = None
    """The dimension of the 16-point scale that it counts in."""
    title: str
    asks: str

    @property
    def penalty(self) -> bool:
        """Whether meeting it costs points."""
        return self.weight < 0

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grades it may be given: a penalty applies or does not."""
        partly: tuple[Grade, ...] = () if self.penalty else ("PARTIALLY_SATISFIED",)
        return ("SATISFIED", *partly, "NOT_SATISFIED")


def _read_criteria() -> tuple[Criterion, ...]:
    path = Path(__file__).parent / "rubric.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["criterion"]
    return tuple(Criterion.model_validate(one) for one in listed)


CRITERIA = _read_criteria()
"""The seventeen criteria, in the published order."""


def make_empty_grades() -> dict[str, Grade]:
    """Return the grades of a report that was never written."""
    return {criterion.id: "NOT_SATISFIED" for criterion in CRITERIA}


def points(grades: Grades) -> dict[str, float]:
    """Return the rubric numbers of a verdict for one judge's grades.

    Example:
        >>> points(make_empty_grades())["rubric_full"]
        0.0
    """
    worth = {one.id: one.weight * WORTH[grades[one.id]] for one in CRITERIA}
    dimensions = {
        dimension.replace(" ", "_"): float(
            sum(worth[one.id] for one in CRITERIA if one.headline == dimension)
        )
        for dimension in DIMENSIONS
    }
    return {
        "rubric_full": float(sum(worth.values())),
        "rubric_headline": sum(dimensions.values()),
        **dimensions,
        "mandatory_met": float(
            sum(one.mandatory and grades[one.id] == "SATISFIED" for one in CRITERIA)
        ),
    }


Pattern = Literal["none", "A", "B", "C", "D", "E"]

NAMES: dict[Pattern, str] = {
    "none": "won",
    "A": "complete collapse",
    "B": "experimental attempt",
    "C": "high-low capability",
    "D": "data-driven",
    "E": "weak progress",
}
HIGH_RUBRIC = 9 / 22 * FULL_SCALE
HIGH_REFLECTION = 1.0
LOW_SURVIVAL = 0.5
SOME_DESIGN = 1.0
SOME_DATA = 0.5


def pattern(points: Mapping[str, float], *, survival: float, won: bool) -> Pattern:
    """Return the failure pattern of a session; its survival is 0 when no fleet was sent."""
    if won:
        return "none"
    if (
        points["rubric_full"] >= HIGH_RUBRIC
        and points["reflection"] >= HIGH_REFLECTION
        and survival < LOW_SURVIVAL
    ):
        return "C"
    if points["causal_reasoning"] > 0:
        return "E"
    if points["experimental_design"] < SOME_DESIGN:
        return "A"
    return "D" if points["data_usage"] >= SOME_DATA else "B"


KEY_LOSS = 0.02
"""A part of the best strategy is a key condition if going without it costs this much survival."""


def _items(lines: Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines] or ["- none"]


def write_task_report(game: Game) -> str:
    """Return what is true of a game: how it works, its traps and its best strategy."""
    marks, ideas = landmarks(game), list_sound_ideas(game)
    trap = f"{describe_design(game, game.trap)} looks tempting and lets {marks.trap:.1%} survive"
    needed = [f"{says} (without it {costs:.1%} less)" for says, costs in list_conditions(game)]
    parts = [
        "How the game works:",
        *_items([*LISTED["mechanisms"][game.working_law.kind], *_circumstances(game)]),
        f"True causal chain: {' -> '.join(chain(game))}",
        "What a good report would say:",
        *_items([idea.says for idea in ideas if idea.golden]),
        "Traps and false correlations:",
        *_items([trap, *(f"false: {idea.says}" for idea in ideas if not idea.golden)]),
        f"Best strategy known: {describe_design(game, game.best)}. It lets {marks.best:.1%} "
        f"survive; the standard design {marks.default:.1%}, the trap {marks.trap:.1%}.",
        "Key conditions of the best strategy:",
        *_items(needed),
    ]
    return "\n".join(parts)


_FIGHT = ("detection", "detected", "engaged", "hit_count", "survived")
_CHAINS = {
    "antenna": ("antenna_def", "antenna_working", *_FIGHT),
    "zone": ("mission_zone", "emi_level", "effective_emi", "comm_failure", *_FIGHT),
    "weather": ("antenna_def", "live_chance", "airworthy", "engine_hp", "survived"),
    "calm": _FIGHT,
}


def chain(game: Game) -> tuple[str, ...]:
    """Return the variables on the way from the decisive cause to survival."""
    return _CHAINS[game.working_law.kind]


def list_conditions(game: Game) -> list[tuple[str, float]]:
    """Return the parts of the best strategy with what each is worth, the costliest to miss first.

    What a part is worth is the survival that is lost when it alone is as in the standard design.
    """
    best, whole = game.best, compute_survival(game, game.best)
    reverted: dict[str, Design] = {}
    for name, points in best.armour.items():
        if points != game.default[name]:
            without = {**best.armour, name: game.default[name]}
            says = f"{name} armour {points} instead of {game.default[name]}"
            reverted[says] = Design(armour=without, equipment=best.equipment)
    for slot in game.slots:
        chosen = best.equipment.get(slot.name, slot.default)
        if chosen != slot.default:
            kept = {**best.equipment, slot.name: slot.default}
            says = f"{slot.name} {chosen} instead of {slot.default}"
            reverted[says] = Design(armour=best.armour, equipment=kept)
    costs = {says: whole - compute_survival(game, design) for says, design in reverted.items()}
    needed = [one for one in costs.items() if one[1] >= KEY_LOSS]
    return sorted(needed, key=lambda one: -one[1])


def _circumstances(game: Game) -> list[str]:
    found = []
    if game.past.hide_failed:
        found.append("Flights that were lost are left out of the records: they show survivors.")
    forced = sorted({name for recipe in game.past.recipes for name in recipe.force})
    if forced and game.past.rows and len(game.past.recipes) > 1:
        found.append(
            f"In the opening records designs were chosen together with {', '.join(forced)}, so "
            "that comparing designs there compares circumstances."
        )
    law = game.working_law
    if isinstance(law, ZoneLaw) and any(zone.share[0] != zone.share[1] for zone in law.zones):
        found.append("The fleet meets other zones than the test flights did.")
    if isinstance(law, AntennaLaw | WeatherLaw) and law.storm_share[0] != law.storm_share[1]:
        tests, fleet = law.storm_share
        found.append(f"Storms: {tests:.0%} of the test flights, {fleet:.0%} of the fleet's.")
    if any(game.sensor.spread) or any(game.sensor.flip):
        found.append(f"Readings are noisy ({', '.join(game.sensor.channels)}).")
    found += [f"Published oddity: {QUIRKS[quirk]}" for quirk in game.quirks if quirk in QUIRKS]
    return found


MOST_REPORT, MOST_THOUGHT, MOST_THOUGHTS = 12_000, 600, 12_000
"""How many characters of the report, of each thought and of all thoughts a judge is shown."""
MARK = "| "


class Packet(Frozen):
    """What a judge is given."""

    text: str
    report: str
    """The agent's final report, as far as it is shown; empty if it wrote none."""
    words: str
    """All of the agent's words that are shown."""


def packet(game: Game, recalled: Recalled) -> Packet:
    """Build the evidence packet of one session."""
    report = cut_text(recalled.report.strip(), MOST_REPORT)
    notes = _notes(recalled)
    words = "\n".join(
        ("FINAL REPORT", report or "(none was written)", "", "NOTES ON THE WAY", notes)
    )
    parts = (
        "TASK REPORT",
        write_task_report(game),
        "",
        "SESSION TRUTH",
        *_session(game, recalled),
        "",
        "THE AGENT'S WORDS",
        *(f"{MARK}{line}" for line in words.splitlines()),
    )
    return Packet(text="\n".join(parts), report=report, words=words)


def _session(game: Game, recalled: Recalled) -> Iterator[str]:
    result = recalled.result
    if result is None:
        yield "- Nothing was submitted, so the mission was not won."
    else:
        yield f"- Won: {'yes' if result.won else 'no'}."
        yield f"- Survived: {result.survived} of a fleet of {result.fleet} ({result.rate:.1%})."
        yield f"- Submitted: {describe_design(game, result.design)}."
    yield f"- Threshold: {game.threshold:.1%}."
    for number, batch in recalled.batches:
        tried = describe_design(game, batch.design)
        yield f"- Turn {number}: tested {tried}; {batch.survived} of {batch.deployed} came back."
    session = recalled.session
    yield f"- Test drones used: {session.drones_used} of {session.budget.drones}."
    # What names nothing in the game is free text and belongs to the agent's words, so not here.
    known = [claim for claim in recalled.belief if truth(game, claim) != "unclear"]
    for claim in known:
        yield f"- Claimed: {sentence(claim)} (by simulation: {truth(game, claim)})."
    if strange := len(recalled.belief) - len(known):
        yield f"- Claims about nothing in the game: {strange}."


def _notes(recalled: Recalled) -> str:
    lines = [f"Turn {number}: {cut_text(said, MOST_THOUGHT)}" for number, said in recalled.thoughts]
    return cut_text("\n".join(lines), MOST_THOUGHTS) or "(none)"


def cut_text(text: str, most: int) -> str:
    """Return a text, cut to so many characters with a note of how many are left out."""
    return text if len(text) <= most else f"{text[:most]} [… {len(text) - most:,} more characters]"


ROLE = "judge"
MOST_ASKED = 3
"""A judge is asked once, and again at most twice."""
_TEXTS = Path(__file__).parents[1] / "prompts" / "judge.md"
_NEEDED = {"system": {"criteria"}, "user": {"packet"}, "again": {"packet", "problem"}}


class CriterionGrade(AgentInput):
    """What a judge says of one criterion."""

    id: str
    verdict: Grade
    score: float | None = None
    """What the judge takes the verdict to be worth; it must be what it is worth."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    reasoning: str = ""
    evidence: list[str] = Field(default_factory=list)

    @field_validator("verdict", mode="before")
    @classmethod
    def _one_spelling(cls, value: object) -> object:
        return value.strip().upper().replace(" ", "_") if isinstance(value, str) else value


class Grading(AgentInput):
    """What a judge says of one session."""

    criteria: list[CriterionGrade] = Field(max_length=100)
    overall_notes: str = ""


class RubricReply(AgentInput):
    """What came of asking one judge; kept in the log."""

    grades: dict[str, Grade] | None = None
    """By criterion; None when the judge did not decide."""
    problem: str = ""
    """Why it did not."""
    asked: int
    """How many times it was asked; 0 when there was nothing to grade."""
    confidence: dict[str, float | None] = Field(default_factory=dict)
    reasons: dict[str, str] = Field(default_factory=dict)
    quotes: dict[str, list[str]] = Field(default_factory=dict)
    invented_quotes: int = 0
    """Quotations that do not stand in the agent's words."""
    notes: str = ""


def grade(evidence: Packet, prompts: str | None = None) -> Consultation[dict[str, Any]]:
    """Ask one judge, again where its reply cannot be used, perhaps in a user's own `prompts`.

    Without a report nobody is asked and nothing is met.
    """
    if not evidence.report.strip():
        return RubricReply(grades=make_empty_grades(), asked=0).model_dump(mode="json")
    system = _text("system", prompts).substitute(criteria=list_criteria())
    slots = {"packet": evidence.text, "count": len(CRITERIA)}
    user = _text("user", prompts).substitute(slots)
    problem = ""
    for asked in range(1, MOST_ASKED + 1):
        reply = yield Ask(role=ROLE, system=system, user=user)
        read = read_grading(reply)
        if isinstance(read, Grading):
            return _collect_grades(read, evidence.words, asked).model_dump(mode="json")
        problem = read
        user = _text("again", prompts).substitute({**slots, "problem": problem})
    return RubricReply(problem=problem, asked=MOST_ASKED).model_dump(mode="json")


def list_criteria() -> str:
    """Write criteria out for a judge."""
    return "\n".join(
        f"- {one.id} ({'penalty' if one.penalty else 'weight'} {abs(one.weight)}"
        f"{', mandatory' if one.mandatory else ''}). {one.title}: {one.asks}"
        for one in CRITERIA
    )


def read_grading(reply: str) -> Grading | str:
    """Read a judge's reply; what comes back as a text is what is wrong with it."""
    scan = scan_reply(reply, strict=True)
    if not scan.objects:
        return scan.explain_none(ROLE).detail
    if len(scan.objects) > 1:
        return f"{len(scan.objects)} JSON objects in the reply; send one"
    try:
        grading = Grading.model_validate(scan.objects[0])
    except ValidationError as wrong:
        return describe_validation_error(wrong)
    return complaint(grading.criteria) or grading


def complaint(graded: Sequence[CriterionGrade]) -> str:
    """Say what is wrong with a set of grades; nothing if all criteria are there, once, legally."""
    known = {one.id: one for one in CRITERIA}
    given = [one.id for one in graded]
    if missing := [name for name in known if name not in given]:
        return f"no grade for {', '.join(missing)}"
    if unknown := sorted({name for name in given if name not in known}):
        return f"no such criterion: {excerpt(', '.join(unknown))}"
    if twice := sorted({name for name in given if given.count(name) > 1}):
        return f"more than one grade for {', '.join(twice)}"
    if illegal := [one.id for one in graded if one.verdict not in known[one.id].grades]:
        return f"a penalty applies or does not, it is never partly met: {', '.join(illegal)}"
    if odd := [one.id for one in graded if one.score not in (None, WORTH[one.verdict])]:
        return f"the score is not that of the verdict: {', '.join(odd)}"
    return ""


def _collect_grades(grading: Grading, words: str, asked: int) -> RubricReply:
    plain = _strip_punctuation(words)
    quotes = {one.id: [quote[:300] for quote in one.evidence[:5]] for one in grading.criteria}
    invented = sum(
        _strip_punctuation(quote) not in plain for some in quotes.values() for quote in some
    )
    return RubricReply(
        grades={one.id: one.verdict for one in grading.criteria},
        asked=asked,
        confidence={one.id: one.confidence for one in grading.criteria},
        reasons={one.id: one.reasoning[:500] for one in grading.criteria},
        quotes=quotes,
        invented_quotes=invented,
        notes=grading.overall_notes[:1000],
    )


def _strip_punctuation(text: str) -> str:
    """Return only what is read aloud, so that dots and line ends make no quotation false."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _text(name: str, prompts: str | None) -> Template:
    own = Path(prompts) / "judge" / f"{name}.md" if prompts else None
    if own is not None and own.is_file():
        allowed = _NEEDED[name] | (set() if name == "system" else {"count"})
        return read_text(own, needed=_NEEDED[name], allowed=allowed)
    return split_parts("judge", _TEXTS.read_text(encoding="utf-8"))[f"judge_{name}"]
