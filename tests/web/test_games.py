"""Games: kept in a file, never charged for a slip, and no look at the truth while one plays."""

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from causarium import families
from causarium.contract.sets.instance_sets import find_set, generate_one
from causarium.contract.views.play_page import Problem, read_arrows, read_number
from causarium.contract.world import Action
from causarium.families.causallink.certified import FAMILY as CAUSALLINK
from causarium.web.games import FILE
from tests.support.logs import newest_rows
from tests.web.conftest import open_client

BAD = {
    "causallink": {"kind": "trial", "set bell": "start"},
    "causalab": {"kind": "answer", "answer 0": "sideways"},
    "causalgame": {"kind": "decide", "choice 7": "fit"},
    "replayscm": {"kind": "answer", "item X7": "X12"},
    "recite": {"kind": "submit", "q1": "c"},
}


def begin(client: TestClient, family: str, number: int = 0) -> str:
    fields = {"family": family, "edition": "certified", "set": "smoke", "number": str(number)}
    reply = client.post("/play", data=fields, follow_redirects=False)
    assert reply.status_code == 303, reply.text
    return str(reply.headers["location"])


def count_turns(folder: Path) -> int:
    with sqlite3.connect(folder / "human" / FILE) as file:
        return int(file.execute("select count(*) from turns").fetchone()[0])


@pytest.mark.parametrize("family", list(BAD))
def test_a_slip_costs_nothing_and_stays_in_the_form(family: str, tmp_path: Path) -> None:
    client = open_client(tmp_path)
    game = begin(client, family)
    draft = {**BAD[family], "turn": "0"}
    found = client.post(f"{game}/check", data=draft).json()
    assert found["problems"]
    assert found["spent"] == "Nothing was spent."
    page = client.post(f"{game}/move", data=draft)
    assert page.status_code == 422
    assert "Nothing was spent." in page.text
    assert 'role="alert"' in page.text
    assert count_turns(tmp_path) == 0
    entered = [value for name, value in BAD[family].items() if name not in {"kind", "shape"}]
    assert any(value in page.text for value in entered)


def test_an_edition_without_a_board_is_played_through_forms(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    fields = {"family": "causalab", "edition": "paper", "set": "smoke", "number": "0"}
    page = client.post("/play", data=fields)
    assert page.status_code == 200
    assert 'value="intervene"' in page.text
    moved = client.post(
        f"{page.url.path}/move",
        data={"kind": "intervene", "property": "nothing such", "value": "5", "turn": "0"},
    )
    assert "There is no property" in moved.text


@pytest.mark.parametrize("edition", ["certified", "paper"])
@pytest.mark.parametrize("family", list(BAD))
def test_a_game_given_up_at_once_has_an_ending(family: str, edition: str, tmp_path: Path) -> None:
    client = open_client(tmp_path)
    fields = {"family": family, "edition": edition, "set": "smoke", "number": "0"}
    game = client.post("/play", data=fields).url.path
    page = client.post(f"{game}/give-up")
    assert (page.status_code, client.get(f"{game}/beside").status_code) == (200, 200)
    assert f"in your one game of {families.get(family).card.title}, {edition}" in page.text


def test_the_mean_of_games_is_of_one_edition(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    for edition, number in (("certified", "0"), ("certified", "1"), ("paper", "0")):
        fields = {"family": "causallink", "edition": edition, "set": "smoke", "number": number}
        page = client.post(f"{client.post('/play', data=fields).url.path}/give-up")
        said = "the mean of 2 games" if number == "1" else "in your one game"
        assert f"{said} of CausalLink, {edition} edition" in page.text


@pytest.mark.parametrize("family", ["causallink", "causalab", "causalgame", "replayscm", "recite"])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_draft_breaks_a_board(family: str, data: st.DataObject) -> None:
    known = families.get(family)
    number = data.draw(st.integers(0, find_set(known, "certified", "smoke").size - 1))
    instance = generate_one(known, "certified", "smoke", number)
    rules = known.rules_for("certified", interface="tools")
    assert known.views.play_page is not None
    words = st.one_of(
        st.text(max_size=30),
        st.sampled_from(["1e999", "nan", "-0", "a -> b", "->", "(and X1 X2)", "(((", "yes", "10"]),
    )
    names = ["kind", "value", "setting", "property", "arrows", "count", "base", "answer", "text"]
    names += ["formula X1", "formula X2", "linear0", "set X1", "part wing", "answer q1", "columns"]
    names += ["q1", "q2"]
    draft = data.draw(st.dictionaries(st.sampled_from(names), words, max_size=8))
    kinds = ["trial", "answer", "submit", "test", "commit", "ask", "table", "explain", "reset"]
    draft["kind"] = data.draw(st.sampled_from([*kinds, ""]))
    read = known.views.play_page.read_draft(instance.public, rules, (), draft)
    if isinstance(read, tuple):
        assert read
        assert all(isinstance(problem, Problem) and problem.words for problem in read)
    else:
        assert isinstance(read, Action)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_number_or_a_problem(text: str) -> None:
    value = read_number({"field": text}, "field")
    assert isinstance(value, Problem) or abs(value) < float("inf")


@given(st.text(max_size=200))
def test_whatever_is_typed_is_arrows_or_a_problem(text: str) -> None:
    arrows = read_arrows({"field": text}, "field", most=5)
    if not isinstance(arrows, Problem):
        assert len(arrows) <= 5
        assert all(cause and effect for cause, effect in arrows)


def test_an_open_game_survives_a_restart(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    game = begin(client, "causallink", 2)
    asked = generate_one(CAUSALLINK, "certified", "smoke", 2).public.asked
    move = {"kind": "trial", f"set {asked}": "hold", "turn": "0"}
    before = client.post(f"{game}/move", data=move).text
    assert "<b>2</b> of 3 trials left" in before
    again = open_client(tmp_path)
    assert again.get(game).text == before
    assert f'href="{game}"' in again.get("/").text
    end = again.post(f"{game}/move", data={"kind": "answer", "answer": "no", "turn": "1"}).text
    assert "On this case" in end
    assert open_client(tmp_path).get(game).text == end


def test_a_game_of_another_version_is_explained(tmp_path: Path) -> None:
    game = begin(open_client(tmp_path), "causallink")
    with sqlite3.connect(tmp_path / "human" / FILE) as file:
        file.execute("update games set version = '1-A'")
    reply = open_client(tmp_path).get(game)
    assert reply.status_code == 400
    assert "version 1-A" in reply.text


def test_a_damaged_file_of_games_is_explained(tmp_path: Path) -> None:
    (tmp_path / "human").mkdir()
    (tmp_path / "human" / FILE).write_bytes(b"this is no database" * 100)
    client = open_client(tmp_path)
    for reply in (client.get("/"), client.post("/play", data={"family": "causallink"})):
        assert reply.status_code == 400
        assert "cannot be read or written" in reply.text


def test_truth_is_closed_while_a_game_is_open_and_a_look_is_recorded(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    where = "/families/causallink/certified/smoke/0"
    game = begin(client, "causallink")
    instance = generate_one(CAUSALLINK, "certified", "smoke", 0)
    closed = [f"{where}/secret", f"{where}/proofs", f"/replay?log=x&id={instance.id}"]
    for page in closed:
        assert client.get(page).status_code == 409, page
    # Its twin may be any other instance of the set.
    assert client.get("/families/causallink/certified/smoke/1/secret").status_code == 409
    assert client.get("/families/causalab/certified/smoke/1/secret").status_code == 200
    assert "seen before" not in client.get(game).text
    end = client.post(f"{game}/give-up", data={}).text
    assert "No answer was given." in end
    assert client.get(f"{where}/secret").status_code == 200
    assert client.get("/families/causallink/certified/smoke/1/secret").status_code == 200
    (row,) = newest_rows([tmp_path])
    assert (row.agent, row.numbers["score"]) == ("human", 0.0)

    second = begin(client, "causallink")
    assert "seen before" in client.get(second).text
    right = "yes" if instance.secret.truth else "no"
    client.post(f"{second}/move", data={"kind": "answer", "answer": right, "turn": "0"})
    rows = newest_rows([tmp_path])
    assert {row.agent for row in rows} == {"human", "human (seen before)"}
    assert "in your one game" in client.get(second).text
    third = begin(client, "causallink", 1)
    assert "seen before" in client.get(third).text


def test_the_next_case_is_one_that_was_not_played(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    ids = []
    for after in ("", "", ""):
        reply = client.post("/play", data={"family": "causalab", "after": after})
        ids.append(reply.text.split("CausaLab · ")[1].split("<")[0].strip())
    assert len(set(ids)) == 3


def test_a_level_can_be_chosen(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    assert "<option>rung-3</option>" in client.get("/").text
    assert "<h2>Level rung-3</h2>" in client.get("/families/causallink/certified/smoke").text
    chosen = client.post("/play", data={"family": "causallink", "level": "rung-3"})
    assert "CausalLink · causallink-rung-3-" in chosen.text
    practice = begin(client, "causallink")
    client.post(f"{practice}/give-up")
    assert "Next level: rung-2" in client.get(practice).text
    last = str(chosen.url.path)
    client.post(f"{last}/give-up")
    assert "Next level" not in client.get(last).text


def test_two_at_once_make_one_move(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    game = begin(client, "causallink", 2)
    asked = generate_one(CAUSALLINK, "certified", "smoke", 2).public.asked
    move = {"kind": "trial", f"set {asked}": "hold", "turn": "0"}
    threads = [
        threading.Thread(target=client.post, args=(f"{game}/move",), kwargs={"data": move})
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count_turns(tmp_path) == 1


def test_at_the_end_one_stands_beside_players_and_models(logs: Path, tmp_path: Path) -> None:
    """The log that a model has of the case is found; published values are words."""
    shutil.copytree(logs / "link", tmp_path / "link")
    client = open_client(tmp_path)
    game = begin(client, "causallink")
    assert client.get(f"{game}/beside").status_code == 400
    client.post(f"{game}/move", data={"kind": "answer", "answer": "no", "turn": "0"})
    text = client.get(f"{game}/beside").text
    for who in ("You", "the reference player", "random"):
        assert f">{who}</th>" in text
    assert "/replay?log=link" in text
    assert "Published models did not play this case." in text
