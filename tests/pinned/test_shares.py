"""What a metric says of itself decides its interval: a share is 0 or 1 by its nature."""

import pytest

from causarium import families

SHARES_BY_OTHER_WORDS = {
    "accuracy_true",
    "accuracy_false",
    "train_exact_given_parent_map",
    "heldout_exact_given_parent_map",
    "alternative_given_train_exact",
    "train_exact_given_root_exact",
    "heldout_exact_given_root_exact",
}
"""The same as another metric, of some instances alone."""


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_metric_that_is_1_if_something_holds_is_a_share_and_no_other(name):
    metrics = families.get(name).metrics
    said = {one for one, metric in metrics.items() if metric.about.startswith(("1 if ", "1 for "))}
    said -= {one for one, metric in metrics.items() if metric.least < 0}
    shares = {one for one, metric in metrics.items() if metric.share}
    assert shares == said | (SHARES_BY_OTHER_WORDS & metrics.keys())
