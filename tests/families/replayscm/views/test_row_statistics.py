"""Statistics over rows: latent models count once, and what is there is drawn."""

from math import nan

from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.row import Row
from causarium.families.replayscm.model.config import LEVELS
from causarium.families.replayscm.views.row_charts import SUPPORTS, by_latent, draw_rows, ladder

ORDERED, HIDDEN = ("ordered", "original"), ("hidden_order", "original")
MORE = ("ordered", "extra")


def row(latent, cell=ORDERED, agent="model", **numbers):
    return Row(
        family="replayscm",
        version="1-A",
        edition="paper",
        set="made",
        agent=agent,
        interface="json",
        id=f"replayscm-{cell[0]}-{cell[1]}-{latent}",
        facets={"mechanism": latent, "setting": cell[0], "support": cell[1]},
        numbers={"train_exact": 0.0, **numbers},
        labels={},
        turns=1,
    )


def test_what_does_not_apply_is_left_out_of_a_latent_models_mean():
    rows = [row("a", heldout_world=nan), row("a", heldout_world=0.5), row("b", heldout_world=nan)]
    means = by_latent(rows, "heldout_world")
    assert means["a"] == 0.5
    assert means["b"] != means["b"]


@given(st.lists(st.booleans(), min_size=2, max_size=20))
def test_several_epochs_of_a_problem_count_as_one(solved):
    rows = [row(str(i), train_exact=float(s)) for i, s in enumerate(solved)]
    once, twice = ladder(rows, "train_exact"), ladder(rows * 2, "train_exact")
    assert once == twice


def test_every_kind_of_evidence_has_a_place():
    assert {level.support for level in LEVELS.values()} == set(SUPPORTS)


def test_pictures_are_drawn_of_what_is_there():
    assert draw_rows([]) == ()
    rows = [
        row(str(i), cell, agent=agent, train_exact=float(i % 3 > 0), heldout_world=i / 8)
        for i in range(8)
        for cell in (ORDERED, HIDDEN, MORE)
        for agent in ("model <b>", "player/random")
    ]  # fmt: skip
    pictures = draw_rows(rows)
    titles = " ".join(picture.title for picture in pictures)
    assert "ladder" in titles
    for picture in pictures:
        assert picture.svg.startswith("<svg")
        assert "<b>" not in picture.svg
        assert "<script" not in picture.svg
        assert "nan" not in picture.svg.lower().replace("nant", "")
