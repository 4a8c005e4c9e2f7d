"""CausalGame for people: sliders under one budget, flights by test, two missions and their end."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    PlayPage,
    Problem,
    read_whole,
)
from causarium.contract.world import Action
from causarium.families.causalgame.actions import (
    MOST_QUESTION_CHARS,
    AnswerQuestions,
    Commit,
    Deploy,
    Explain,
    Fly,
    Query,
    Report,
    Submit,
    Tabulate,
)
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import AnyPublic, GamePublic, TwinPublic
from causarium.families.causalgame.interface.missions import MOST_COLUMNS
from causarium.families.causalgame.views.pair_board import column_names, lay_out_pair
from causarium.families.causalgame.views.session_board import lay_out_session

NOT_GIVEN = "not given"
"""Stands in the log where a person gave no reason: agents must, people need not."""
MOST_REPORT = 20_000


def lay_out(public: AnyPublic, rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a twin pair or a published game stands."""
    if isinstance(public, TwinPublic):
        return lay_out_pair(public, rules, exchanges)
    return lay_out_session(public, rules, exchanges)


def read_draft(
    public: AnyPublic, rules: GameRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
    del rules, exchanges
    readers = _PAIR if isinstance(public, TwinPublic) else _SESSION
    read = readers.get(draft.get("kind", ""))
    if read is None:
        return (Problem(field="", words="There is no such move here."),)
    return read(public, draft)


def _read_design(
    public: AnyPublic, draft: Draft, problems: list[Problem]
) -> tuple[dict[str, int], dict[str, str | bool]]:
    """Return armour by part and the options chosen; what is wrong is added to `problems`."""
    options: dict[str, tuple[str, ...]]
    if isinstance(public, TwinPublic):
        names, low, high = public.parts, 0, public.highest
        options = {s.name: s.values for s in public.slots}
    else:
        names, low, high = public.names, public.lowest, public.highest
        options = {slot.name: tuple(o.name for o in slot.options) for slot in public.slots}
    armour: dict[str, int] = {}
    for name in names:
        points = read_whole(draft, f"part {name}", what=name)
        if isinstance(points, Problem):
            problems.append(points)
        elif not low <= points <= high:
            words = f"{name} is {points}; it lies between {low} and {high}."
            problems.append(Problem(field=f"part {name}", words=words))
        else:
            armour[name] = points
    if sum(armour.values()) > public.total:
        over = sum(armour.values()) - public.total
        problems.append(Problem(field="total", words=f"{over} points over the budget."))
    equipment: dict[str, str | bool] = {}
    for name, values in options.items():
        choice = draft.get(f"slot {name}", values[0])
        if choice not in values:
            problems.append(Problem(field=f"slot {name}", words=f"Choose one for {name}."))
        equipment[name] = choice
    return armour, equipment


def _read_count(public: AnyPublic, draft: Draft, problems: list[Problem]) -> int:
    count, most = read_whole(draft, "count", what="the drones"), public.budget.per_deployment
    if isinstance(count, Problem):
        problems.append(count)
        return 0
    if not 1 <= count <= most:
        problems.append(Problem(field="count", words=f"Send 1 to {most} drones at a time."))
    return count


def _read_thought(draft: Draft) -> str:
    return draft.get("thought", "").strip()[:MOST_REPORT] or NOT_GIVEN


def _read_fly(public: Any, draft: Draft) -> Action | tuple[Problem, ...]:  # noqa: ANN401
    problems: list[Problem] = []
    armour, equipment = _read_design(public, draft, problems)
    count, thought = _read_count(public, draft, problems), _read_thought(draft)
    if problems:
        return tuple(problems)
    kind = Fly if isinstance(public, TwinPublic) else Deploy
    return kind(design=armour, equipment=equipment, count=count, thought=thought)


def _read_commit(public: Any, draft: Draft) -> Action | tuple[Problem, ...]:  # noqa: ANN401
    problems: list[Problem] = []
    armour, equipment = _read_design(public, draft, problems)
    if problems:
        return tuple(problems)
    kind = Commit if isinstance(public, TwinPublic) else Submit
    return kind(design=armour, equipment=equipment, thought=_read_thought(draft))


def _read_table(public: Any, draft: Draft) -> Action | tuple[Problem, ...]:  # noqa: ANN401
    columns = [name for name in column_names(public) if draft.get(f"column {name}")]
    if not 1 <= len(columns) <= MOST_COLUMNS:
        return (Problem(field="columns", words=f"Choose one to {MOST_COLUMNS} columns."),)
    return Tabulate(columns=columns, thought=_read_thought(draft))


def _read_answers(public: Any, draft: Draft) -> Action | tuple[Problem, ...]:  # noqa: ANN401
    del public
    answers = {
        name.removeprefix("answer "): value
        for name, value in draft.items()
        if name.startswith("answer ") and value in {"up", "down", "none"}
    }
    if not answers:
        return (Problem(field="answers", words="Answer at least one question."),)
    return AnswerQuestions(answers=cast("dict[str, Any]", answers), thought=_read_thought(draft))


def _read_explanation(public: Any, draft: Draft) -> Action:  # noqa: ANN401
    text = draft.get("text", "").strip()[:MOST_REPORT] or NOT_GIVEN
    return Explain(text=text) if isinstance(public, TwinPublic) else Report(text=text)


def _read_query(public: GamePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    del public
    question = draft.get("question", "").strip()
    if not question or len(question) > MOST_QUESTION_CHARS:
        words = f"Ask in 1 to {MOST_QUESTION_CHARS} characters."
        return (Problem(field="question", words=words),)
    return Query(question=question, thought=_read_thought(draft))


Reader = Callable[[Any, Draft], Action | tuple[Problem, ...]]
_PAIR: Mapping[str, Reader] = {
    "test": _read_fly,
    "commit": _read_commit,
    "table": _read_table,
    "answer": _read_answers,
    "explain": _read_explanation,
}
_SESSION: Mapping[str, Reader] = {
    "test": _read_fly,
    "commit": _read_commit,
    "question": _read_query,
    "explain": _read_explanation,
}


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say which missions were won, and with how many drones."""
    numbers = verdict.numbers
    drones = sum(
        exchange.seen.cost for exchange in exchanges if isinstance(exchange.move, Fly | Deploy)
    )
    survival, win = numbers.get("survival", float("nan")), numbers.get("win", 0.0)
    is_pair = any(isinstance(exchange.move, Commit) for exchange in exchanges)
    if win == 1:
        sentence = "Won, both times." if is_pair else "Won: enough of the fleet came home."
    elif win > 0:
        sentence = "One mission won, one lost."
    else:
        sentence = "Lost: too few came home."
    return Ending(
        sentence=sentence,
        facts={
            "home": "–" if survival != survival else f"{100 * survival:.0f} %",  # noqa: PLR0124
            "won": "both"
            if is_pair and win == 1
            else "one"
            if win == 0.5
            else "yes"
            if win
            else "no",
            "drones": str(drones),
        },
    )


PLAY_PAGE: PlayPage[AnyPublic, GameRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Design a drone from flights that mislead.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
)
