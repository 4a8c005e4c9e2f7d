"""Everything that can be done on an expedition."""

from typing import ClassVar

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.world import Action, Program, ProgramResult
from ..shared.actions import RAN, RunAnalysis, Status
from .expeditions import AnswerQuestions, Commit, Fly


class PlayExpedition(Program):
    """Run Python that plays: its `client` looks, flies, commits and answers (code interface)."""

    kind: ClassVar[str] = "play_expedition"
    in_tools: ClassVar[bool] = False
    verbs: ClassVar[tuple[type[Action], ...]] = (Status, Fly, Commit, AnswerQuestions)
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=RAN)


ACTIONS: tuple[type[Action], ...] = (
    *(Status, RunAnalysis),
    *(Fly, Commit, AnswerQuestions, PlayExpedition),
)
"""All actions of the family."""
