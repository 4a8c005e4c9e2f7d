"""CausalLink for people: a tile for each thing, what was seen as rows of dots, yes and no."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

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
from causarium.families.causallink.actions import Answer, Intervene
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.theme import Theme, theme
from causarium.families.causallink.views.shape_paths import CIRCLE, SHAPES

ANSWERS = ("yes", "no")


def lay_out(public: LinkPublic, rules: LinkRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a case stands: every thing, and what was seen of it after each action."""
    del rules
    words = theme(public.theme)
    acts = [one for one in exchanges if isinstance(one.move, Intervene)]
    states = [frozenset(public.moving), *(_active(act) for act in acts)]
    moves = [cast("Intervene", act.move) for act in acts]
    return Board(
        question=words.ask(public.cause, public.effect),
        meters=(Meter(left=public.cap - len(acts), of=public.cap, unit="actions"),),
        view={
            "things": [
                {
                    "name": name,
                    "active": name in states[-1],
                    "state": words.active if name in states[-1] else words.inactive,
                    "is_asked": name in {public.cause, public.effect},
                    "path": SHAPES.get(name, CIRCLE),
                    "dots": [
                        {
                            "active": name in state,
                            "state": words.active if name in state else words.inactive,
                            "acted": bool(step and moves[step - 1].shape == name),
                        }
                        for step, state in enumerate(states)
                    ],
                }
                for name in public.shapes
            ],
            "steps": len(acts),
            "start": words.start,
            "stop": words.stop,
            "active": words.active,
            "inactive": words.inactive,
            "can_act": len(acts) < public.cap,
            "story": _tell_last(words, moves, states),
        },
    )


def _active(exchange: Exchange) -> frozenset[str]:
    return frozenset(map(str, cast("list[str]", exchange.seen.data["moving"])))


def _tell_last(words: Theme, moves: Sequence[Intervene], states: Sequence[frozenset[str]]) -> str:
    """Say what the last action was and what else changed."""
    if not moves:
        return f"Start or stop one of the {words.things} and see what else changes."
    last = moves[-1]
    changed = sorted((states[-1] ^ states[-2]) - {last.shape})
    did = "started" if last.action == words.start else "stopped"
    if not changed:
        return f"You {did} {last.shape}. Nothing else changed."
    named = changed[0] if len(changed) == 1 else f"{', '.join(changed[:-1])} and {changed[-1]}"
    now = words.active if changed[0] in states[-1] else words.inactive
    return f"You {did} {last.shape}. Now {now} too: {named}."


def read_draft(
    public: LinkPublic, rules: LinkRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the action or the answer of a button that was pressed."""
    del rules
    if draft.get("kind") == "answer":
        answer = draft.get("answer", "")
        if answer not in ANSWERS:
            return (Problem(field="answer", words="Press Yes or No."),)
        return Answer(answer=answer)
    words = theme(public.theme)
    shape, action = draft.get("shape", ""), draft.get("action", "")
    if shape not in public.shapes:
        return (Problem(field="shape", words=f"There is no “{shape[:40]}” here."),)
    if action not in {words.start, words.stop}:
        return (Problem(field="action", words="Press Start or Stop."),)
    if sum(isinstance(one.move, Intervene) for one in exchanges) >= public.cap:
        return (Problem(field="action", words=f"All {public.cap} actions are used; now answer."),)
    return Intervene(shape=shape, action=action)


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether the answer was right, and whether the evidence or luck made it so."""
    acts = sum(isinstance(one.move, Intervene) for one in exchanges)
    right = verdict.numbers.get("accuracy") == 1
    settled = verdict.labels.get("evidence") == "determined"
    if verdict.answer is None:
        sentence = "No answer was given."
    elif right:
        sentence = "Right, and the evidence settles it." if settled else "Right, but by luck."
    else:
        sentence = (
            "Wrong, although the evidence settles it." if settled else "Wrong, and too early."
        )
    return Ending(
        sentence=sentence,
        facts={
            "answer": f"{verdict.answer} {'✓' if right else '✗'}" if verdict.answer else "none",
            "actions": str(acts),
            "settled": "yes" if settled else "no: luck" if right else "no",
        },
    )


PLAY_PAGE: PlayPage[LinkPublic, LinkRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Does A cause B? Start and stop things, then say.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
)
