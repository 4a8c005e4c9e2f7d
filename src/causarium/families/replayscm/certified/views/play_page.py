"""A game for people: a field for each item, the worlds that were shown, and questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    Meter,
    PlayPage,
    Problem,
)
from causarium.contract.world import Action
from ..levels import ReplayRules
from ..model import LETTERS, OUTSIDE, TRAIT, Answer, Ask, ReplayPublic
from ..play.examine import examine_answers
from ..play.wording import say_plan, say_whatif
from ..play.world import read_question

_BITS = ("0", "1")


def lay_out(public: ReplayPublic, rules: ReplayRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the state of a game: its items, the worlds shown, and what questions told."""
    del rules
    asked = [
        one for one in exchanges if isinstance(one.move, Ask) and one.seen.legal and one.seen.data
    ]
    asking = public.asking
    left = asking.budget - len(asked) if asking else 0
    meters = (Meter(left=left, of=asking.budget, unit="questions"),) if asking else ()
    return Board(
        question=ask_question(public),
        meters=meters,
        notes=_list_notes(public),
        view={
            "names": list(public.names),
            "items": [_describe_item(public, name) for name in public.items],
            "worlds": [
                {
                    "id": world.id,
                    "hand": None if world.hand is None else list(world.hand),
                    "rows": [list(row) for row in world.rows],
                }
                for world in public.worlds
            ],
            "trait": TRAIT if public.trait_rules else "",
            "causes": public.causes,
            "first": public.rung == 1,
            "can_ask": left > 0,
            "gauges": list(asking.gauges) if asking else [],
            "unit": dict(asking.outside) if asking else {},
            "asked": [_describe_question(one) for one in asked],
        },
    )


def ask_question(public: ReplayPublic) -> str:
    """Return the task in one sentence."""
    rules = ", ".join(public.rules_asked)
    others = len(public.items) - len(public.rules_asked)
    more = f", and answer {others} more {'question' if others == 1 else 'questions'}"
    return f"Find the rule of {rules}{more if others else ''}."


def _list_notes(public: ReplayPublic) -> tuple[str, ...]:
    notes = []
    if public.outside is not None:
        notes.append(f"from outside: {', '.join(public.outside)}")
    if public.trait_rules:
        notes.append(f"{TRAIT} is one of the two causes in {public.trait_rules} rules")
    return tuple(notes)


def _describe_item(public: ReplayPublic, name: str) -> dict[str, Any]:
    """Return an item as a field: free text, or some options."""
    if name in public.rules_asked:
        options: list[str] = []
        if public.rung == 1:
            cause = next(one for one in public.names if one != name)
            options = [cause, f"not {cause}", *_BITS]
        elif public.causes == 1:
            causes = [one for one in public.names if one != name]
            options = [said for one in causes for said in (one, f"not {one}")] + [OUTSIDE]
        return {"name": name, "words": f"The rule of {name}", "options": options}
    if name in public.hands_asked:
        words = f"Which variable was set by hand in {name}?"
        return {"name": name, "words": words, "options": list(public.with_rules)}
    for whatif in public.whatifs:
        if whatif.id == name:
            words = say_whatif(public, whatif).partition(": ")[2]
            return {"name": name, "words": words, "options": [*_BITS, "?"]}
    words = next(say_plan(plan) for plan in public.plans if plan.id == name).partition(": ")[2]
    return {"name": name, "words": words, "options": list(LETTERS)}


def _describe_question(exchange: Exchange) -> str:
    setting = getattr(exchange.move, "set", {})
    said = ", ".join(f"{name} = {value}" for name, value in setting.items())
    seen = ", ".join(f"{name} = {value}" for name, value in exchange.seen.data.items())
    return f"With {said}: {seen}."


def read_draft(
    public: ReplayPublic, rules: ReplayRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the question or the answers that were entered, or what is wrong with them."""
    del rules, exchanges
    if draft.get("kind") == "ask":
        given = {name: draft.get(f"set {name}", "").strip() for name in public.names}
        question = Ask(
            set={name: value for name, value in given.items() if value},
            read=draft.get("read", "").strip(),
        )
        wrong = read_question(public, question)
        if isinstance(wrong, str):
            return (Problem(field="ask", words=f"That world cannot be made: {wrong}."),)
        return question
    answers = {name: draft.get(f"item {name}", "").strip() for name in public.items}
    faults = examine_answers(public, answers).faults
    if faults:
        return tuple(
            Problem(field=f"item {name}", words=f"{words}.") for name, words in faults.items()
        )
    return Answer(answers=answers)


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Return the end of a game in words."""
    numbers = verdict.numbers
    if not any(isinstance(one.move, Answer) for one in exchanges):
        sentence = "Nothing was handed in."
    elif numbers["exact"] == 1:
        sentence = "Right: every item."
    else:
        sentence = f"{verdict.answer}: {verdict.explanation}."
    facts = {"score": f"{numbers['score']:.2f}", "questions": f"{numbers['questions']:.0f}"}
    return Ending(sentence=sentence, facts=facts)


PLAY_PAGE: PlayPage[ReplayPublic, ReplayRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Find the rules behind tables of 0 and 1, with few worlds of your own.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("certified",),
)
