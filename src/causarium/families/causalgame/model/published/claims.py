"""What an agent may say that it believes: three kinds of claim, small enough to be checked.

A claim names variables of the game and says nothing about how it came about. Simulated intervention
decides whether it is true (`scoring.published.claims`); `scoring.published.ideas` lists the claims
that a game is about.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from causarium.contract.frozen import AgentInput

Relation = Literal["raises", "lowers", "does not affect"]

MOST_CLAIMS = 20
"""So many claims may be held at a time."""
_Name = Annotated[str, Field(max_length=80)]


class Effect(AgentInput):
    """What moving one variable does to another, all else as in the standard design."""

    claim: Literal["effect"] = Field(default="effect", description="Always `effect`.")
    cause: _Name = Field(
        description="What is moved: a component's armour (`antenna_def`), a variable, or "
        "a choice written `slot=option`.",
    )
    relation: Relation = Field(description="What more of the cause does to the effect.")
    effect: _Name = Field(description="What is affected: `survived`, `detected`, or a variable.")
    under: dict[_Name, int | float | _Name] = Field(
        default_factory=dict,
        max_length=4,
        description="Variables held fixed meanwhile, with their values; empty: none.",
    )

    def __hash__(self) -> int:
        return hash((self.cause, self.relation, self.effect, frozenset(self.under)))


class Confounder(AgentInput):
    """A common cause of two variables."""

    claim: Literal["confounder"] = Field(description="Always `confounder`.")
    confounder: _Name = Field(description="The common cause.")
    of: list[_Name] = Field(
        min_length=2, max_length=2, description="The two variables that it moves."
    )

    def __hash__(self) -> int:
        return hash((self.confounder, *self.of))


class Selection(AgentInput):
    """That the records shown are only those with a certain outcome."""

    claim: Literal["selection"] = Field(description="Always `selection`.")
    on: _Name = Field(description="The variable that decides what is shown, or `nothing`.")


Claim: TypeAlias = Effect | Confounder | Selection


def sentence(claim: Claim) -> str:
    """Say a claim in words.

    Example:
        >>> sentence(Effect(cause="rain", relation="raises", effect="wet", under={"roof": 0}))
        'rain raises wet, with roof = 0'
        >>> sentence(Confounder(claim="confounder", confounder="rain", of=["wet", "late"]))
        'rain is a common cause of wet and late'
    """
    if isinstance(claim, Effect):
        held = " and ".join(f"{name} = {value}" for name, value in claim.under.items())
        said = f"{claim.cause} {claim.relation} {claim.effect}"
        return f"{said}, with {held}" if held else said
    if isinstance(claim, Confounder):
        return f"{claim.confounder} is a common cause of {claim.of[0]} and {claim.of[1]}"
    return f"the records shown are selected on {claim.on}"
