"""What people look at in CausalLink: boards, replays, pictures, and how a case ended.

The board has tiles to start and stop, or a table of runs with boxes to tick.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import cast

from causarium.contract.companions import Views
from causarium.contract.row import ILLEGAL, Row
from causarium.contract.verdict import Verdict
from causarium.contract.views.outcome import OutcomeKind
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
from ..model.instance import (
    Answer,
    Intervene,
    LinkPublic,
    LinkSecret,
    Run,
)
from ..play.wording import ask_question, word_needs
from ..shared.rules import LinkRules
from ..shared.theme import Theme, theme
from .episode import draw_episode, make_scenes

DISC = "M32 8a24 24 0 1 0 .01 0z"
"""The outline of what has no picture of its own."""


def lay_out(public: LinkPublic, _rules: LinkRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a case stands: every thing, and what was seen of it so far."""
    words, shown, acts = theme(public.theme), public.machine, _list_acts(exchanges)
    if shown is None:
        roles = dict.fromkeys((public.cause, public.effect), "asked about")
        seen = {"start": frozenset(public.moving)}
        seen |= {str(number): _find_active(act) for number, act in enumerate(acts, 1)}
        story = _tell_last(words, acts, list(seen.values()))
    else:
        roles = {public.cause: "asked about", shown.companion: "or this one"}
        roles[public.effect] = "target"
        seen = {f"run {n}": public.list_moving(row) for n, row in enumerate(shown.log, 1)}
        if acts:
            seen["your run"] = _find_active(acts[0])
        story = _tell_run(public, acts)
    names = public.shapes if shown is None else (*public.parts, public.effect)
    states = list(seen.values())
    return Board(
        question=ask_question(public),
        meters=(
            Meter(left=public.cap - len(acts), of=public.cap, unit="runs" if shown else "actions"),
        ),
        view={
            "is_log": shown is not None,
            "suspects": (public.cause, shown.companion) if shown else (),
            "effect": public.effect,
            "things": [
                {
                    "name": name,
                    "role": roles.get(name, ""),
                    "path": words.pictures.get(name, DISC),
                    "states": [name in state for state in states],
                    "changed": [False, *(name in a ^ b for a, b in pairwise(states))],
                }
                for name in names
            ],
            "titles": tuple(seen),
            "acted": ["", *(act.move.shape for act in acts if isinstance(act.move, Intervene))],
            "words": words,
            "can_act": len(acts) < public.cap,
            "law": word_needs(shown, words) if shown else {},
            "story": story,
        },
    )


def _list_acts(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return the interventions or the run, but for what was refused."""
    return [one for one in exchanges if isinstance(one.move, Intervene | Run) and one.seen.legal]


def _find_active(exchange: Exchange) -> frozenset[str]:
    return frozenset(cast("list[str]", exchange.seen.data["moving"]))


def _tell_run(public: LinkPublic, acts: Sequence[Exchange]) -> str:
    if not acts:
        return "Tick what is to be set, then make your one run."
    state = _name_state(theme(public.theme), on=public.effect in _find_active(acts[-1]))
    return f"In your run {public.effect} is {state}. Now answer."


def _tell_last(words: Theme, acts: Sequence[Exchange], states: Sequence[frozenset[str]]) -> str:
    """Say what the last action was and what else changed."""
    if not acts:
        return f"Start or stop one of the {words.things} and see what else changes."
    last = cast("Intervene", acts[-1].move)
    before, after = states[-2:]
    stops = last.action == words.stop
    told = f"You {'stopped' if stops else 'started'} {last.shape}"
    if stops and last.shape in after:
        told += f"; it is still {words.active}, because something keeps it going"
    changed = sorted((after ^ before) - {last.shape})
    if not changed:
        return f"{told}. Nothing else changed."
    named = changed[0] if len(changed) == 1 else f"{', '.join(changed[:-1])} and {changed[-1]}"
    return f"{told}. Now {_name_state(words, on=changed[0] in after)} too: {named}."


def _name_state(words: Theme, *, on: bool) -> str:
    return words.active if on else words.inactive


def read_draft(
    public: LinkPublic, _rules: LinkRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the action or the answer of a button that was pressed."""
    words, acts = theme(public.theme), _list_acts(exchanges)
    shape, action = draft.get("shape", ""), draft.get("action", "")
    is_active = shape in (_find_active(acts[-1]) if acts else public.moving)
    if draft.get("kind") == "answer":
        if draft.get("answer") in {"yes", "no"}:
            return Answer(answer=draft["answer"])
        problem = Problem(field="answer", words="Press Yes or No.")
    elif public.machine is not None:
        if not acts:
            return Run(move=tuple(name for name in public.parts if draft.get(f"move {name}")))
        problem = Problem(field="move", words="You have made your run; now answer.")
    elif shape not in public.shapes:
        problem = Problem(field="shape", words=f"There is no “{shape[:40]}” here.")
    elif action not in {words.start, words.stop}:
        problem = Problem(field="action", words="Press Start or Stop.")
    elif is_active == (action == words.start):
        still = f"{shape} is {_name_state(words, on=is_active)} already: that would change nothing."
        problem = Problem(field="action", words=f"{still} No action was used.")
    elif len(acts) >= public.cap:
        problem = Problem(field="action", words=f"All {public.cap} actions are used; now answer.")
    else:
        return Intervene(shape=shape, action=action)
    return (problem,)


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether the answer was right, and whether what was done or luck made it so."""
    right = verdict.numbers.get("accuracy") == 1
    settled = verdict.labels.get("evidence") in {"determined", "decisive"}
    by = "your run" if "form" in verdict.labels else "the evidence"
    sentences = {
        (True, True): f"Right, and {by} settles it.",
        (True, False): f"Right, though {by} did not settle it.",
        (False, True): f"Wrong, although {by} settles it.",
        (False, False): "Wrong, and nothing settled it.",
    }
    return Ending(
        sentence=sentences[right, settled] if verdict.answer else "No answer was given.",
        facts={
            "answer": f"{verdict.answer} {'✓' if right else '✗'}" if verdict.answer else "none",
            "actions": str(len(_list_acts(exchanges))),
            "settled": "yes" if settled else "no",
        },
    )


PLAY_PAGE: PlayPage[LinkPublic, LinkRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Does A cause B? Choose the run that tells, then say.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
)


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say whether an experiment decided, or luck, where an answer was taken."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    if row.labels.get("evidence") in {"determined", "decisive"}:
        return "the evidence decides" if ending == "correct" else "wrong, although decided"
    if row.numbers.get("accuracy") == 1:
        return "right by luck: the experiment decides nothing"
    # What may stand in the way of an experiment is that all were refused.
    if ILLEGAL in row.faults and row.turns <= row.faults[ILLEGAL] + 1:
        return "experiment refused"
    return "wrong: the experiment decides nothing"


VIEWS: Views[LinkPublic, LinkSecret, LinkRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    explain_outcome=explain_outcome,
)
