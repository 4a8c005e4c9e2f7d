"""How sessions are played."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from causarium.contract.rules import Rules


def _switch(description: str, *, default: bool = False) -> Any:  # noqa: ANN401 - as `Field`
    return Field(default=default, description=description)


class GameRules(Rules):
    """What may be varied when a session is played."""

    interfaces: ClassVar[tuple[str, ...]] = ("json", "tools", "code")
    unconstrained: ClassVar[tuple[str, ...]] = ("tools", "code")
    without_programs: ClassVar[Mapping[str, str]] = {"analysis": "false"}
    quirks: ClassVar[tuple[str, ...]] = (
        *("numbered_before_filtering", "opening_rate", "altitude_hint", "names_only"),
        *("costly_refusals", "narrow_rows", "last_environment", "thoughts_unchecked"),
        *("analysis_unanswered", "deploy_after_submission", "secondary_score"),
        *("unguarded_programs", "strict_form"),
    )

    calls_per_turn: int = Field(default=5, ge=1, le=50, description="The most actions in one turn.")
    max_turns: int | None = Field(
        default=None,
        gt=0,
        description="End exploration after this many turns. "
        "Default: ten more than the deployments.",
    )
    questions: bool = _switch(
        "Ask three questions about the result after every deployment.", default=True
    )
    analysis: bool = _switch(
        "Offer run_analysis: Python in a sandbox, on the flights seen.", default=True
    )
    guard: bool = _switch(
        "Refuse a submission until drones were deployed at least once.", default=True
    )
    report: bool = _switch("Ask for a final report once the fleet's result is known.", default=True)
    claims: bool = _switch("Ask for causal claims.", default=True)
    strict_form: bool = _switch(
        "Only the requested form is read, and an unreadable reply gets no second chance."
    )
    numbered_before_filtering: bool = _switch(
        "Flights are numbered and counted before lost ones are left out, "
        "so that gaps and counts give losses away."
    )
    opening_rate: bool = _switch(
        "The opening states a survival rate over the recorded flights alone, which is 100 % "
        "wherever lost ones are left out."
    )
    altitude_hint: bool = _switch(
        "The story of zone games says that low flights are lost more often."
    )
    names_only: bool = _switch(
        "The archive names and describes hidden variables but never returns data."
    )
    costly_refusals: bool = _switch(
        "A question that is too long, or contains `optimal`, `answer` and the like, is charged "
        "but not looked up."
    )
    narrow_rows: bool = _switch(
        "Rows of a deployment show only wind_speed, humidity, temperature and uv_index, so "
        "hardly anything in zone games."
    )
    last_environment: bool = _switch(
        "A deployment shows the readings of its last flight, even if that one was lost."
    )
    thoughts_unchecked: bool = _switch(
        "The prompt asks for reasoning before an action but does not require it."
    )
    analysis_unanswered: bool = _switch("What run_analysis prints is not sent back to the agent.")
    deploy_after_submission: bool = _switch(
        "The agent may deploy its remaining drones after the submission."
    )
    secondary_score: bool = _switch(
        "The result names a second score, 0.7 survival + 0.3 thrift in armour, which counts for "
        "nothing."
    )
    unguarded_programs: bool = _switch(
        "Programs of the code interface may submit without having deployed."
    )

    @property
    def guards(self) -> bool:
        """Whether a submission is refused until drones were deployed."""
        return self.guard and not (self.interface == "code" and self.unguarded_programs)
