"""The pages without a browser: what they say, what they refuse, and that text stays text."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from causarium.contract.sets.instance_sets import generate_one
from causarium.errors import UsageError
from causarium.families.causallink.certified import FAMILY as CAUSALLINK
from causarium.web.serve import address, check_study, create_app, find_folder, free_port, token_for
from tests.support.logs import newest_rows
from tests.web.conftest import HOSTILE, open_client


def first_id(page: str) -> str:
    found = re.search(r"&amp;id=([^&]+)&", page)
    assert found
    return found[1]


def test_home_lists_runs_families_and_what_cannot_be_read(client: TestClient) -> None:
    text = client.get("/").text
    assert "<b>CausaLab</b>" in text
    assert re.search(r"player/exact</a>, [^,]+, 2 of 6", text)
    assert "mockllm/model" in text
    assert re.search(r"<td data-fact=[^>]+>[^<]*</td><td>2 of \d+", text)
    assert "broken.eval" in text
    assert 'aria-label="Play CausalLink"' in text
    assert 'href="/families/causallink"' in client.get("/families").text


def test_a_folder_that_does_not_exist_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        find_folder(tmp_path / "nowhere")
    monkeypatch.chdir(tmp_path)
    assert find_folder(None).is_dir()
    assert find_folder(tmp_path) == tmp_path


def test_a_folder_without_logs_is_not_an_error(tmp_path: Path) -> None:
    assert "There is no log" in open_client(tmp_path / "none").get("/").text


def test_every_turn_of_an_episode_can_be_shown(client: TestClient, names: dict[str, str]) -> None:
    run = client.get("/run", params={"log": names["lab"]})
    assert run.text.count("/replay?") == 2 + 1
    id_ = first_id(run.text)
    shown = [
        client.get("/replay/turn", params={"log": names["lab"], "id": id_, "step": step}).text
        for step in range(6)
    ]
    assert "At the start." in shown[0]
    assert "What it read first" in shown[0]
    assert "Step 1:" in shown[1]
    assert "Budget left" in shown[1]
    assert "the true graph, hidden from the agents" in shown[-1]


def test_samples_are_filtered_without_a_script(client: TestClient, names: dict[str, str]) -> None:
    log = names["link"]
    run = client.get("/run", params={"log": log}).text
    assert "malformed <b>2</b>" in run
    assert "replies refused" in run
    assert "&lt;script&gt;document" in run
    assert "<script>document" not in run
    assert "Open the replay at reply 1" in run
    only = client.get("/run", params={"log": log, "outcome": "correct"}).text
    assert "No sample is like that." in only
    found = client.get("/run", params={"log": log, "q": "ONERROR"}).text
    assert found.count("/replay?") == 2 + 1
    none = client.get("/run", params={"log": log, "q": "<b>nothing</b>"}).text
    assert "No sample is like that." in none
    assert "<b>nothing</b>" not in none


def test_a_replay_opens_where_it_went_wrong(client: TestClient, names: dict[str, str]) -> None:
    id_ = first_id(client.get("/run", params={"log": names["link"]}).text)
    malformed = client.get("/replay", params={"log": names["link"], "id": id_}).text
    assert "Step <output>1</output>" in malformed
    id_ = first_id(client.get("/run", params={"log": names["lab"]}).text)
    alone = {"log": names["lab"], "id": id_, "beside": "nobody"}
    page = client.get("/replay", params=alone).text
    at, last = re.findall(r"Step <output>(\d+)</output> of (\d+)", page)[0]
    assert at == last


def test_the_question_stands_above_two_agents(client: TestClient, names: dict[str, str]) -> None:
    id_ = first_id(client.get("/run", params={"log": names["link"]}).text)
    query = {"log": names["link"], "id": id_, "step": 99}
    page = client.get("/replay", params=query).text
    assert re.search(r"<h1>Does the \w+ moving cause the \w+ to move\?", page)
    assert "The truth is" in page
    assert "The evidence settles the answer" in page
    assert page.count('<section class="side') == 2
    assert "player/exact" in page
    alone = client.get("/replay", params={**query, "beside": "nobody"}).text
    assert alone.count('<section class="side') == 1
    assert "style=" not in page


def test_what_a_model_wrote_stays_text(client: TestClient, names: dict[str, str]) -> None:
    run = client.get("/run", params={"log": names["link"]}).text
    id_ = first_id(run)
    query = {"log": names["link"], "id": id_, "turn": 1}
    page = client.get("/replay", params=query).text
    assert "<script>document" not in page
    assert "<img" not in page
    assert "&lt;script&gt;document" in page
    assert "{{7*7}}" in page
    assert "\x1b" not in page
    assert len(page) < 200_000
    whole = client.get("/replay/text", params={**query, "which": "said1"})
    assert whole.headers["content-type"].startswith("text/plain")
    assert len(whole.text) == len(HOSTILE) * 20_000
    assert whole.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("log", ["../outside.eval", "/etc/passwd", "", "lab", "no/such.eval"])
def test_only_logs_of_the_folder_are_read(client: TestClient, log: str) -> None:
    reply = client.get("/run", params={"log": log})
    assert reply.status_code == 400
    assert "there is no log" in reply.text


def test_a_damaged_log_is_explained(client: TestClient) -> None:
    reply = client.get("/run", params={"log": "broken.eval"})
    assert reply.status_code == 400
    assert "cannot be read as a log" in reply.text


def test_an_unknown_sample_or_page_is_explained(client: TestClient, names: dict[str, str]) -> None:
    assert client.get("/nowhere").status_code == 404
    for query in ({"id": "nobody"}, {"id": ""}, {"id": "x", "turn": "many", "epoch": "-3"}):
        reply = client.get("/replay", params={"log": names["lab"], **query})
        assert reply.status_code == 400, reply.text


def test_the_secret_is_only_where_it_was_asked_for(client: TestClient) -> None:
    where = "/families/causallink/certified/smoke/0"
    assert "stand_in" not in client.get(where).text
    assert "stand_in" in client.get(f"{where}/secret").text
    assert "Certified" in client.get(f"{where}/proofs").text
    for wrong in ("/families/no", "/families/causallink/certified/no", f"{where}99999"):
        assert client.get(wrong).status_code == 400


def begin(client: TestClient, family: str = "causallink", interface: str = "tools") -> str:
    fields = {"family": family, "edition": "certified", "set": "smoke", "number": "2"}
    reply = client.post("/play", data={**fields, "interface": interface}, follow_redirects=False)
    assert reply.status_code == 303
    return str(reply.headers["location"])


def test_a_game_played_to_the_end_is_scored_and_written(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    game = begin(client)
    instance = generate_one(CAUSALLINK, "certified", "smoke", 2)
    move = {"kind": "trial", f"set {instance.public.asked}": "hold", "turn": "0"}
    shown = client.post(f"{game}/move", data=move).text
    assert "<b>2</b> of 3 trials left" in shown
    assert "stand_in" not in shown
    right = "yes" if instance.secret.truth else "no"
    end = client.post(f"{game}/move", data={"kind": "answer", "answer": right, "turn": "1"}).text
    assert "<h1>Right" in end
    assert "Written as a log" in end
    (row,) = newest_rows([tmp_path])
    assert (row.agent, row.numbers["right"]) == ("human", 1.0)
    again = client.post(f"{game}/move", data={"kind": "answer", "answer": "yes", "turn": "2"}).text
    assert "This game is over" in again


def test_in_a_study_one_agrees_first_and_games_are_rows_of_its_folder(tmp_path: Path) -> None:
    client = open_client(tmp_path, study="pilot-1")
    case = {"family": "causallink", "edition": "certified", "set": "smoke", "number": "0"}
    asked = client.post("/play", data=case)
    assert "I agree" in asked.text
    assert "pilot-1" in asked.text
    assert not (tmp_path / "pilot-1").exists()
    begun = client.post("/play", data={**case, "consent": "yes"}, follow_redirects=False)
    game = begun.headers["location"]
    client.post(f"{game}/move", data={"kind": "answer", "answer": "yes", "turn": "0"})
    (row,) = newest_rows([tmp_path / "pilot-1"])
    assert row.agent == "human"


@pytest.mark.parametrize("name", ["", "..", "a/b", "x" * 61, "-rf"])
def test_a_study_is_named_as_a_folder_can_be(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a study"):
        check_study(name)


def test_two_tabs_do_not_move_twice(client: TestClient) -> None:
    game = begin(client)
    asked = generate_one(CAUSALLINK, "certified", "smoke", 2).public.asked
    move = {"kind": "trial", f"set {asked}": "hold", "turn": "0"}
    client.post(f"{game}/move", data=move)
    assert "has moved on" in client.post(f"{game}/move", data=move).text
    assert "<b>2</b> of 3 trials left" in client.get(game).text


def test_rubbish_in_a_game_costs_nothing(client: TestClient) -> None:
    game = begin(client)
    for wrong in ({"kind": "answer"}, {"kind": "answer", "answer": HOSTILE}):
        reply = client.post(f"{game}/move", data={**wrong, "turn": "0"})
        assert reply.status_code == 422
        assert "<script>document" not in reply.text


def test_a_text_game_goes_through_the_parser(client: TestClient) -> None:
    game = begin(client, interface="json")
    reply = client.post(f"{game}/move", data={"reply": HOSTILE, "turn": "0"})
    assert reply.status_code == 422
    assert "0 turns taken" in reply.text
    asked = generate_one(CAUSALLINK, "certified", "smoke", 2).public.asked
    said = f'{{"start": [], "hold": ["{asked}"]}}'
    assert "1 turn taken" in client.post(f"{game}/move", data={"reply": said, "turn": "0"}).text


def test_a_game_that_is_gone_is_explained(client: TestClient) -> None:
    assert "there is no such game" in client.get("/games/gone").text
    assert client.post("/play", data={"family": "nothing"}).status_code == 400


def test_another_page_cannot_act_or_read_through_the_browser(client: TestClient) -> None:
    elsewhere = {"origin": "http://evil.example"}
    assert client.post("/play", data={}, headers=elsewhere).status_code == 403
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert client.post("/play", content=b"x" * 5_000_000).status_code == 413


def test_a_form_of_no_stated_length_has_a_limit_too(client: TestClient) -> None:
    pieces = (b"edges=" + b"x" * 1_000_000 for _ in range(9))
    reply = client.post("/play", content=pieces)
    assert reply.status_code == 413
    assert "at most 4,000,000 bytes" in reply.text


def test_nothing_shown_may_run_or_be_framed(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_elsewhere_than_here_a_token_is_asked_for(tmp_path: Path) -> None:
    assert token_for("127.0.0.1") is None
    token = token_for("0.0.0.0")
    assert token
    client = TestClient(create_app(tmp_path, token=token), follow_redirects=False)
    assert client.get("/").status_code == 401
    assert client.get("/", params={"token": "wrong"}).status_code == 401
    assert client.get("/", params={"token": token}).status_code == 303
    assert client.get("/").status_code == 200
    assert token in address("0.0.0.0", 1, token)


def test_a_taken_port_is_explained() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match="--port"):
            free_port("127.0.0.1", port)
    assert free_port("127.0.0.1", 0) > 0


def test_a_log_that_is_still_being_written_can_be_looked_at(logs: Path, tmp_path: Path) -> None:
    """A log grows: its first samples are there, and when there are more they show."""
    from inspect_ai.log import read_eval_log, write_eval_log

    whole = read_eval_log(str(next((logs / "lab").glob("*.eval"))))
    begun = whole.model_copy(update={"status": "started", "samples": (whole.samples or [])[:1]})
    path = tmp_path / "growing.eval"
    write_eval_log(begun, str(path))
    client = open_client(tmp_path)
    page = client.get("/run", params={"log": path.name}).text
    assert "still being written" in page
    assert page.count("/replay?") == 1 + 1
    id_ = first_id(page)
    assert "Step 1:" in client.get("/replay", params={"log": path.name, "id": id_, "turn": 1}).text
    write_eval_log(whole, str(path))
    assert client.get("/run", params={"log": path.name}).text.count("/replay?") == 2 + 1


def test_the_server_outlives_a_client_that_goes_away(served: str) -> None:
    import socket
    from urllib.parse import urlsplit

    where = urlsplit(served)
    for sent in (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST /play HTTP/1.1\r\n",
        b"\x00" * 99,
    ):
        with socket.create_connection((where.hostname, where.port)) as visitor:
            visitor.sendall(sent)
    with socket.create_connection((where.hostname, where.port)) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert visitor.recv(12) == b"HTTP/1.1 200"
