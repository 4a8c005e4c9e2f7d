"""Worlds that can be looked at: in a game, in a replay and on the family's page."""

import re
from pathlib import Path

from causarium.families.causalab.paper import FAMILY
from causarium.families.causalab.paper.model.actions import Move
from causarium.web.play import list_keyed_moves
from tests.support.extras import needs_discoveryworld
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs
from tests.web.conftest import open_client

PICTURE = 'src="data:image/png;base64,'


def test_moves_by_key_are_those_that_actions_name() -> None:
    moves = {move.key: move for move in list_keyed_moves((Move,))}
    assert moves["ArrowUp"].words == "move north"
    assert moves["ArrowLeft"].fields == {"direction": "west"}


@needs_discoveryworld
def test_a_person_walks_by_arrow_keys_and_sees_where(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    fields = {"family": "causalab", "edition": "paper", "set": "smoke", "number": "0"}
    page = client.post("/play", data={**fields, "interface": "embodied"})
    assert PICTURE in page.text
    form = re.search(r'<form[^>]*data-key="ArrowLeft".*?</form>', page.text, re.DOTALL)
    assert form is not None
    values = dict(re.findall(r'name="(\w+)" value="(\w+)"', form[0]))
    walked = client.post(f"{page.url.path}/move", data=values)
    assert "You step west." in walked.text
    assert "at (6, 4)" in walked.text
    assert PICTURE in walked.text


def test_a_game_without_looks_has_no_picture(tmp_path: Path) -> None:
    client = open_client(tmp_path)
    fields = {"family": "causalab", "edition": "certified", "set": "smoke", "number": "0"}
    page = client.post("/play", data={**fields, "interface": "tools"})
    assert PICTURE not in page.text
    assert "data-key" not in page.text


@needs_discoveryworld
def test_a_replay_shows_a_frame_a_turn(tmp_path: Path) -> None:
    task = task_of(FAMILY, edition="paper", player="oracle", interface="embodied")
    log = run_task(task, tmp_path, limit=1)
    assert log.samples
    client = open_client(tmp_path)
    (path,) = find_logs([tmp_path])
    asked = {"log": str(path.relative_to(tmp_path)), "id": str(log.samples[0].id)}
    frames = []
    for turn in (0, 1):
        page = client.get("/replay/turn", params={**asked, "turn": turn, "step": turn})
        found = re.search(r'src="(data:image/png;base64,[^"]+)"', page.text)
        assert found is not None
        frames.append(found[1])
    assert frames[0] != frames[1]
