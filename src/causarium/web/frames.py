"""Worlds that can be looked at: the look of a game, moves by key, and what each thing is."""

from collections.abc import Mapping
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from causarium import families
from causarium.contract.world import Action
from causarium.web.page_templates import page


class KeyedMove(NamedTuple):
    """A move that one key makes."""

    key: str
    """The browser's name of the key."""
    kind: str
    fields: Mapping[str, str]

    @property
    def words(self) -> str:
        """What the move is, in words."""
        return " ".join((self.kind, *self.fields.values()))


def list_keyed_moves(actions: tuple[type[Action], ...]) -> list[KeyedMove]:
    """Return the moves that can be made by key."""
    return [
        KeyedMove(key, action.kind, fields)
        for action in actions
        for key, fields in action.keys.items()
    ]


async def show_frame_guide(request: Request) -> Response:
    """Show how a family's world looks at the start, and what each thing in it is."""
    family = families.get(request.path_params["family"])
    draw = family.views.guide_frame
    guide = await to_thread.run_sync(draw) if draw is not None else None
    return page("frame_guide.html", guide=guide)
