"""What a verdict says of a case that nobody answered: what was known is told, nothing of haste."""

import math

from causarium.contract.sets.instance_sets import generate_one
from causarium.families import get


def test_whoever_gives_no_answer_gave_none_too_early_and_none_against_evidence() -> None:
    family = get("causallink")
    for edition, label in (("certified", "smoke"), ("paper", "core")):
        instance = generate_one(family, edition, label, 0)
        numbers = family.score(instance, family.rules_for(edition), ()).numbers
        assert not math.isnan(numbers["determined"])
        assert math.isnan(numbers["answered_early"])
        assert math.isnan(numbers["against_evidence"])
