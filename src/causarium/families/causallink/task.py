"""CausalLink as an Inspect task: `inspect eval causarium/causallink --model ...`."""

from inspect_ai import Task, task
from inspect_ai.scorer import Scorer

from causarium.engine.scorer import family_scorer, verdict_scorer
from causarium.engine.task import build_task
from causarium.families.causallink import FAMILY


@family_scorer
def causallink_verdict() -> Scorer:
    """Score a CausalLink episode from its recorded turns."""
    return verdict_scorer(FAMILY)


@task
def causallink(  # noqa: PLR0913 - every rule is an argument of its own
    *,
    edition: str = "certified",
    set: str = "standard",  # noqa: A002 - the word users type
    file: str | None = None,
    player: str | None = None,
    interface: str | None = None,
    strategy: str | None = None,
    prompts: str | None = None,
    join_system: bool | None = None,
    first_object_parsing: bool | None = None,
    uncounted_choice_actions: bool | None = None,
    uncounted_first_step: bool | None = None,
    invalid_action_continues: bool | None = None,
    misspelt_choice_repeats: bool | None = None,
    late_reply_collected: bool | None = None,
) -> Task:
    """Move and hold shapes, then say whether one makes another move.

    Args:
        edition: `certified`, or `paper` with the published mechanics.
        set: A named set; `causarium list` has them.
        file: A set file in place of a named set.
        player: Who plays without a model; run with `--model none/none`.
        interface: `json` (the published phases) or `tools`.
        strategy: The published prompt strategy.
        prompts: A folder with your own prompt texts.
        join_system: Put the system text into the first user message.
        first_object_parsing: Quirk; see the family's README, as for those below.
        uncounted_choice_actions: Quirk.
        uncounted_first_step: Quirk.
        invalid_action_continues: Quirk.
        misspelt_choice_repeats: Quirk.
        late_reply_collected: Quirk.
    """
    rules = {
        "interface": interface,
        "strategy": strategy,
        "prompts": prompts,
        "join_system": join_system,
        "first_object_parsing": first_object_parsing,
        "uncounted_choice_actions": uncounted_choice_actions,
        "uncounted_first_step": uncounted_first_step,
        "invalid_action_continues": invalid_action_continues,
        "misspelt_choice_repeats": misspelt_choice_repeats,
        "late_reply_collected": late_reply_collected,
    }
    return build_task(
        FAMILY,
        causallink_verdict(),
        edition=edition,
        set_name=set,
        file=file,
        player=player,
        rules=rules,
    )
