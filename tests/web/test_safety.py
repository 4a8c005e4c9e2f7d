"""Nothing that is sent breaks the server, stalls it, or comes from another page."""

import random
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from causarium.contract.certificate import Certificate
from causarium.web import home
from causarium.web.serve import create_app
from tests.web.conftest import HOSTILE, open_client
from tests.web.test_games import begin

_PIECES = (
    *("", "0", "-1", "9" * 40, "1e9", "%00", "%ff%fe", "..", "../../etc/passwd", "a" * 300),
    *("x" * 5_000, "\u202e", "<script>", "{{7*7}}", "' or 1=1 --", "certified", "smoke"),
    *("causallink", "recite", "NaN", "null", "[]", "{}", "\\", "%", "//", "😀", "\ud800"),
)
_PATHS = (
    *("/", "/run", "/replay", "/replay/turn", "/replay/text", "/families"),
    *("/families/{}", "/families/{}/{}/{}", "/families/{}/{}/{}/{}", "/boards/{}/{}/{}"),
    *("/families/causallink/certified/smoke/{}", "/families/causallink/certified/{}/{}/secret"),
    *("/families/causallink/certified/smoke/{}/proofs", "/games/{}", "/games/{}/beside"),
    *("/static/{}", "/{}", "/tokens.css"),
)
_POSTS = ("/play", "/games/{}/move", "/games/{}/check", "/games/{}/give-up")
_FIELDS = ("log", "id", "epoch", "turn", "page", "which", "beside", "family", "edition", "set")
_SENT = ("family", "edition", "set", "number", "interface", "after", "kind", "turn", "reply")


def encode(text: str) -> str:
    return text if text.startswith("%") else quote(text.encode("utf-8", "surrogatepass"))


def make_requests(seed: int, count: int, game: str) -> Iterator[tuple[str, str, bytes]]:
    """Yield methods, addresses and bodies, most of them nonsense."""
    rng = random.Random(seed)
    for _ in range(count):
        method = rng.choice(("GET", "GET", "GET", "POST", "POST", "PUT", "DELETE"))
        path = rng.choice(_POSTS if method == "POST" else _PATHS)
        if rng.random() < 0.3:
            path = path.replace("/games/{}", game)
        while "{}" in path:
            path = path.replace("{}", encode(rng.choice(_PIECES)), 1)
        query = "&".join(
            f"{rng.choice(_FIELDS)}={encode(rng.choice(_PIECES))}" for _ in range(rng.randrange(4))
        )
        fields = [(rng.choice(_SENT), rng.choice(_PIECES)) for _ in range(rng.randrange(6))]
        body = urlencode(fields, errors="replace").encode()
        if rng.random() < 0.1:
            body = rng.randbytes(200)
        yield method, f"{path}?{query}", body if method == "POST" else b""


def send_all(folder: Path, seed: int, count: int) -> list[tuple[int, str, str]]:
    """Send requests made at random; returns those that broke the server."""
    broken = []
    client = open_client(folder)
    client.headers["content-type"] = "application/x-www-form-urlencoded"
    game = begin(client, "causallink")
    for method, address, body in make_requests(seed, count, game):
        reply = client.request(method, f"http://testserver{address}", content=body)
        if reply.status_code >= 500:
            broken.append((reply.status_code, method, address))
    return broken


@pytest.mark.slow
def test_no_request_that_was_tried_breaks_the_server(tmp_path: Path) -> None:
    assert send_all(tmp_path, 1, 400) == []


@pytest.mark.long
def test_no_request_of_five_thousand_breaks_the_server(tmp_path: Path) -> None:
    assert send_all(tmp_path, 2, 5_000) == []


@pytest.mark.parametrize("length", ["x", "-5", "9" * 30, "1.5"])
def test_a_length_that_is_none_is_refused(client: TestClient, length: str) -> None:
    reply = client.post("/play", content=b"a=b", headers={"content-length": length})
    assert reply.status_code == 413


@pytest.mark.parametrize("log", ["%00", "a%00b.eval", "x" * 300, f"{'y' * 300}/a.eval"])
def test_what_can_be_no_name_is_nothing(client: TestClient, log: str) -> None:
    assert client.get(f"/run?log={log}").status_code == 404


def test_a_field_and_a_form_have_a_limit(client: TestClient) -> None:
    assert client.post("/play", data={"family": "x" * 70_000}).status_code == 413
    many = "&".join(f"f{n}=1" for n in range(1_100)).encode()
    assert client.post("/play", content=many).status_code == 413


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[broken"}, 403),
        ({"origin": "http://testserver:81"}, 403),
        ({"origin": "http://testserver"}, 400),
        ({"sec-fetch-site": "same-origin"}, 400),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "navigate"}, 403),
        ({"sec-fetch-site": "none"}, 403),
    ],
)
def test_what_another_page_posts_is_refused(
    logs: Path, headers: dict[str, str], status: int
) -> None:
    client = TestClient(create_app(logs))
    reply = client.post("/play", data={"family": "nothing"}, headers=headers)
    assert reply.status_code == status


def test_another_page_may_link_here_and_not_read(logs: Path) -> None:
    client = TestClient(create_app(logs))
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200
    read = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/", headers=read).status_code == 403


def test_others_are_answered_while_somebody_waits_for_proofs(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof waits until the start page was answered: on the loop it would wait for ever."""
    answered = threading.Event()
    begun = threading.Event()

    def certify(*_: object) -> Certificate:
        begun.set()
        assert answered.wait(60)
        return Certificate(id="x", certified=True, optimum=None, floor=0, ceiling=1, proofs=())

    monkeypatch.setattr(home, "certify_instance", certify)
    # Random requests of other tests may have begun a game on `smoke`, and that closes its truth.
    request = f"{served}/families/causallink/certified/standard/0/proofs"
    status: list[int] = []
    thread = threading.Thread(target=lambda: status.append(urllib.request.urlopen(request).status))
    thread.start()
    assert begun.wait(60)
    assert urllib.request.urlopen(f"{served}/families").status == 200
    answered.set()
    thread.join(60)
    assert status == [200]


def test_hostile_words_in_a_game_stay_words(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    game = begin(client, "recite", 2)
    reply = client.post(
        f"{game}/move", data={"kind": "submit", "arrows": f"{HOSTILE} -> b", "turn": "0"}
    )
    assert reply.status_code == 422
    assert "<script>document" not in reply.text


def test_a_family_serves_its_board_and_nothing_else(client: TestClient) -> None:
    reply: Response = client.get("/boards/recite/certified/board.js")  # type: ignore[assignment]
    assert reply.headers["content-type"].startswith("text/javascript")
    for name in ("play_page.py", "..%2Fcard.toml", "board.html", "__init__.py", "none.js"):
        assert client.get(f"/boards/recite/certified/{name}").status_code in {400, 404}, name


def test_no_page_names_another_address(client: TestClient) -> None:
    for page in ("/", "/families", "/families/causallink"):
        text = client.get(page).text
        assert "http://" not in text
        assert "https://" not in text
        assert " style=" not in text
