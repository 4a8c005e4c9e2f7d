"""What a notebook shows: short lines, and never a secret."""

import pytest

import causarium as cm
from causarium import families
from causarium.contract.checks.json_values import leaves


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_what_is_shown_is_short_and_holds_no_secret(name: str, edition: str) -> None:
    benchmark = cm.load(name, edition=edition)
    item = benchmark.instance("smoke", 0)
    session = benchmark.open(item)
    step = session.step("I would rather not say.")
    shown = [repr(thing) for thing in (benchmark, item, session, step, session.score())]
    assert all(len(text) < 1000 and "\n" not in text for text in shown)
    assert str(item) == repr(item)
    read = session.opening + item.public.model_dump_json() + item.id
    page = "".join(shown[:4])
    for _, value in leaves(item.secret.model_dump(mode="json")):
        assert len(str(value)) < 6 or str(value) in read or str(value) not in page


def test_the_levels_to_train_on_are_the_ladder() -> None:
    link = cm.load("causallink")
    assert {name for name, trains in link.levels.items() if trains} == set(link.ladder)
    assert not all(link.levels.values())
