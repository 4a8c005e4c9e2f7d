"""Asking for worlds one by one: what the players do where evidence has to be asked for."""

from collections.abc import Generator

from causarium.contract.world import Observation
from causarium.families.replayscm.actions import Ask
from causarium.families.replayscm.evidence.next_question import choose_next_question
from causarium.families.replayscm.instance import ReplayPublic, WorldRows

Inquiry = Generator[Ask, Observation, tuple[WorldRows, ...]]
"""Yields questions, is sent what they show, returns the worlds that were shown."""


def inquire(public: ReplayPublic) -> Inquiry:
    """Ask until one model is left; where nothing can be asked for, ask nothing."""
    asked: list[WorldRows] = []
    while len(asked) < public.budget:
        question = choose_next_question(public, asked)
        if question is None:
            break
        seen = yield Ask(set=question)
        if not seen.data:
            break
        asked.append(WorldRows.model_validate(seen.data))
    return tuple(asked)
