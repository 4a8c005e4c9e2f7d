"""What a game of lamps is worth."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.verdict import Metric, Verdict
from tests.support.lamps.model import LampsInstance, LampsRules

METRICS = {
    "accuracy": Metric("1 if the switch named last lights the lamp, else 0.", "higher", share=True),
    "flips": Metric("How many switches were flipped."),
}


def score(instance: LampsInstance, _rules: LampsRules, turns: Sequence[Turn]) -> Verdict:
    """Score the answer, if there was one."""
    answers = [
        turn.action["wired"]
        for turn in turns
        if turn.legal and turn.action is not None and turn.action["kind"] == "answer"
    ]
    answer = answers[-1] if answers else None
    return Verdict(
        numbers={
            "accuracy": float(answer == instance.secret.wired),
            "flips": float(sum(turn.cost for turn in turns)),
        },
        labels={"outcome": "answered" if answers else "silent"},
        answer=answer,
        explanation=f"The lamp is wired to {instance.secret.wired}.",
    )
