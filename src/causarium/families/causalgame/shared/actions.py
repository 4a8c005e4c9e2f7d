"""Actions of sessions and of expeditions alike, and how a program's end is told."""

from typing import ClassVar

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.world import Action, Program, ProgramResult

THOUGHT = "Your reasoning: what you observed, what you suppose, and why you do this."
RAN = "What came out of it; the engine alone says so."


class Impossible(ValueError):
    """What a world does not allow; says why, in words for the agent."""


def tell_ending(ran: ProgramResult) -> str:
    """Say how a program ended, after the words `The program`."""
    ran_out = ran.ending.startswith("out of")
    return (
        f"ran {ran.ending}" if ran_out else "was refused" if ran.ending == "refused" else ran.ending
    )


class ThoughtfulAction(Action):
    """Says why it is done."""

    thought: str = Field(default="", description=THOUGHT)


class Status(ThoughtfulAction):
    """Read what is left: turns, deployments, drones and questions, and the threshold to reach."""

    kind: ClassVar[str] = "status"


class RunAnalysis(Program):
    """Run Python on the flights on record; what it prints is sent back to you.

    The code finds `history.json` and `status.json` beside it. It cannot act on the game.
    """

    kind: ClassVar[str] = "run_analysis"
    thought: str = Field(default="", description=THOUGHT)
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=RAN)
