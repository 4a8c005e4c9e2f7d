"""How cases are played: the published strategies, and what the released program does otherwise."""

from typing import ClassVar, Literal

from pydantic import Field

from causarium.contract.rules import Rules

Strategy = Literal["basic", "basic_limit_step", "cot_basic_limit_step", "cot_instructed_limit_step"]
"""The published prompt strategies, under their published keys."""


class LinkRules(Rules):
    """How a CausalLink instance is played."""

    quirks: ClassVar[tuple[str, ...]] = (
        "first_object_parsing",
        "uncounted_choice_actions",
        "uncounted_first_step",
        "invalid_action_continues",
        "misspelt_choice_repeats",
        "late_reply_collected",
        "terse_rules",
        "strict_form",
    )

    strategy: Strategy = Field(
        default="basic", description="Which of the published prompt strategies words the turns."
    )
    first_object_parsing: bool = Field(
        default=False,
        description="A reply is read from its first { to the next }, so nested objects and braces "
        "in prose break it and the first of several objects wins.",
    )
    uncounted_choice_actions: bool = Field(
        default=False,
        description="An intervention sent where the choice is asked for is applied and costs "
        "nothing; otherwise it counts like any, or under strict_form ends the case as an invalid "
        "format.",
    )
    uncounted_first_step: bool = Field(
        default=False,
        description="The reported steps leave the first intervention out; otherwise every "
        "intervention is a step.",
    )
    invalid_action_continues: bool = Field(
        default=False,
        description="An unknown name or action is noted as an error and the case goes on, so it "
        "can still end correct; otherwise it is asked for once more, or under strict_form ends the "
        "case.",
    )
    misspelt_choice_repeats: bool = Field(
        default=False,
        description="A choice that is neither of the two offered is asked for again, for ever; "
        "otherwise once more, or under strict_form it ends the case as an invalid format.",
    )
    late_reply_collected: bool = Field(
        default=False,
        description="Asking to go on at the cap collects one more reply before the case ends, and "
        "after an invalid action files the timeout as an invalid answer; otherwise the case ends "
        "at once as too many attempts under strict_form, and else the answer is asked for.",
    )
    terse_rules: bool = Field(
        default=False,
        description="The system text says as little of the rules as the published one; otherwise "
        "it adds how activity spreads and ends, so that it states all rules.",
    )
    strict_form: bool = Field(
        default=False,
        description="Keys, names, actions, choices and answers count only as they are written in "
        "the question, each at its own turn, and the first reply that cannot be taken ends the "
        "case; otherwise every unambiguous form is read, and one such reply in a row is asked for "
        "again at no cost.",
    )
