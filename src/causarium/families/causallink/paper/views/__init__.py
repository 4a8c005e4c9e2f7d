"""What people look at in CausalLink: the board, replays, pictures, and how a case ended.

The board has tiles to start and stop.
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
)
from ..model.rules import LinkRules
from ..model.theme import Theme, theme
from ..play.wording import ask_question
from .episode import draw_episode, make_scenes

DISC = "M32 8a24 24 0 1 0 .01 0z"
"""The outline of what has no picture of its own."""


def lay_out(public: LinkPublic, _rules: LinkRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the board of a case: every thing, and all states seen so far."""
    words, acts = theme(public.theme), _list_acts(exchanges)
    roles = dict.fromkeys((public.cause, public.effect), "asked about")
    seen = {"start": frozenset(public.moving)}
    seen |= {str(number): _find_active(act) for number, act in enumerate(acts, 1)}
    states = list(seen.values())
    return Board(
        question=ask_question(public),
        meters=(Meter(left=public.cap - len(acts), of=public.cap, unit="actions"),),
        view={
            "things": [
                {
                    "name": name,
                    "role": roles.get(name, ""),
                    "path": words.pictures.get(name, DISC),
                    "states": [name in state for state in states],
                    "changed": [False, *(name in a ^ b for a, b in pairwise(states))],
                }
                for name in public.shapes
            ],
            "titles": tuple(seen),
            "acted": ["", *(act.move.shape for act in acts if isinstance(act.move, Intervene))],
            "words": words,
            "can_act": len(acts) < public.cap,
            "story": _tell_last(words, acts, states),
        },
    )


def _list_acts(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return the interventions, but for what was refused."""
    return [one for one in exchanges if isinstance(one.move, Intervene) and one.seen.legal]


def _find_active(exchange: Exchange) -> frozenset[str]:
    return frozenset(cast("list[str]", exchange.seen.data["moving"]))


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
    settled = verdict.labels.get("evidence") == "determined"
    sentences = {
        (True, True): "Right, and the evidence settles it.",
        (True, False): "Right, though the evidence did not settle it.",
        (False, True): "Wrong, although the evidence settles it.",
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
    invitation="Does A cause B? Start, stop, watch, then say.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("paper",),
)


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say whether an experiment decided, or luck, where an answer was taken."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    if row.labels.get("evidence") == "determined":
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
