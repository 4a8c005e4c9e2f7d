"""A body in a laboratory: DiscoveryWorld's world, objects and agent.

This module alone knows the library (`pip install 'causarium[discoveryworld]'`). It knows no
science, and no page of a device: the library says where the body is and what it can reach.

The library prints, draws on a window and may end the process when something is wrong with it. Here
it is silent and without a screen, and whatever breaks in it is a `RunError`: the sample ends as a
fault of the machine, and the run goes on.
"""

import base64
import contextlib
import copy
import io
import os
import threading
import warnings
from collections.abc import Iterator
from functools import cache
from types import MethodType
from typing import Any, NamedTuple

from causarium.errors import RunError
from ..model.lab_plan import (
    BOOK,
    BY_NAME,
    BY_NUMBER,
    DESK,
    HEIGHT,
    LANDINGS,
    MANIPULATOR,
    MANIPULATOR_CRYSTAL,
    NOTEBOOK,
    REACTOR,
    REACTOR_CRYSTAL,
    ROWS,
    START,
    STEPS,
    TABLE,
    WIDTH,
    Direction,
    Spot,
    find_spot,
)

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

_TILE = 32  # pixels
_FIRST_FREE_NUMBER = 100
"""Numbers below are for the things that can be named."""
_LOCK = threading.RLock()


class _Silence(io.TextIOBase):
    def write(self, text: str, /) -> int:
        return len(text)


@contextlib.contextmanager
def _library(doing: str) -> Iterator[None]:
    """Keep the library silent, and turn whatever breaks in it into a `RunError`."""
    with _LOCK, contextlib.redirect_stdout(_Silence()), warnings.catch_warnings(action="ignore"):
        try:
            yield
        except RunError:
            raise
        except (Exception, SystemExit) as wrong:
            raise RunError(
                f"DiscoveryWorld broke down {doing}: {type(wrong).__name__}: {wrong}"
            ) from wrong


class Outcome(NamedTuple):
    """What came of an act."""

    done: bool
    message: str
    """What the library says of it."""


class State(NamedTuple):
    """Where the body is, and what is around it."""

    spot: Spot
    facing: Direction
    free: tuple[str, ...]
    """The directions in which it can move."""
    in_reach: tuple[int, ...]
    """Numbers of the things in front of it and where it stands."""
    near: tuple[tuple[int, str, int], ...]
    """Numbers of the things around, the direction and the distance of each, nearest first."""
    carried: tuple[int, ...]


class Body:
    """An agent that stands in the laboratory."""

    def __init__(self, *, book: str, has_notebook: bool) -> None:
        """Put the agent where it begins.

        Args:
            book: What is written on the record book; nothing: there is no book.
            has_notebook: Whether there is a notebook on the desk.
        """
        with _library("while it was opened"):
            self._world = _copy_template()
            self._things = {obj.uuid: obj for obj in self._world.getAllWorldObjects()}
            self._agent = self._world.getUserAgents()[0]
            if book:
                self._things[BY_NAME[BOOK].number].attributes["document"] = book
            else:
                self._remove(BOOK)
            if not has_notebook:
                self._remove(NOTEBOOK)
            self._interface = _make_interface(self._world, self._agent)
            self._world.tick()

    def _remove(self, name: str) -> None:
        self._world.removeObject(self._things.pop(BY_NAME[name].number))

    def move(self, direction: Direction) -> Outcome:
        """Take a step; if something is in the way, the message names it."""
        (x, y), (right, down) = self.state.spot, STEPS[direction]
        free, blocker = self._world.isPassable(x + right, y + down)
        if not free:
            return Outcome(done=False, message=blocker.name if blocker else "the end of the world")
        return self.do("MOVE_DIRECTION", direction)

    def do(self, act: str, first: str | int, second: int | None = None) -> Outcome:
        """Do one of the library's acts.

        Args:
            act: Its name, such as READ.
            first: A direction, a place, or the number of a thing.
            second: The number of another thing, for acts that take two.
        """
        action = {"action": act, "arg1": first, **({} if second is None else {"arg2": second})}
        with _library(f"at {action}"):
            _, _, success = self._interface.parseActionJSON(action)
            if success.success:
                self._world.tick()
            return Outcome(done=bool(success.success), message=str(success.message))

    def light_reactor(self) -> None:
        """Show that the reactor answers."""
        with _library("while the reactor was lit"):
            self._things[BY_NAME[REACTOR].number].sprite = "instruments_crystal_reactor_on"
            self._world.tick()

    def has(self, number: int) -> bool:
        """Tell whether there is such a thing here."""
        return number in self._things

    @property
    def state(self) -> State:
        """Where the body is, and what is around it."""
        with _library("while its state was read"):
            seen = self._interface.renderJSON()
        around = seen["nearbyObjects"]["objects"].items()
        near = [
            (thing["uuid"], where, thing["distance"])
            for where, things in around
            for thing in things
            if thing["uuid"] in BY_NUMBER and where != "same_location"
        ]
        location = seen["agentLocation"]
        return State(
            spot=(location["x"], location["y"]),
            facing=location["faceDirection"],
            free=tuple(location["directions_you_can_move"]),
            in_reach=_numbers(seen["accessibleEnvironmentObjects"]),
            near=tuple(sorted(near, key=lambda thing: (thing[2], thing[0]))),
            carried=_numbers(seen["inventoryObjects"]),
        )

    def draw_frame(self) -> str:
        """Return a picture of the laboratory as it now is, a PNG as a data address."""
        import pygame

        with _library("while a frame was drawn"):
            surface = pygame.Surface((WIDTH * _TILE, HEIGHT * _TILE))
            self._world.renderViewport(surface, 0, 0, WIDTH, HEIGHT, 0, 0)
            file = io.BytesIO()
            pygame.image.save(surface, file, "frame.png")
        return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def _numbers(things: list[dict[str, Any]]) -> tuple[int, ...]:
    return tuple(thing["uuid"] for thing in things if thing["uuid"] in BY_NUMBER)


def _copy_template() -> Any:  # noqa: ANN401
    """Return a laboratory without a page or a word in it.

    Copies share what takes long to load or to copy: the pictures, and the streams of chance that
    every object of the library has and none in the laboratory uses.
    """
    template = _template()
    objects = template.getAllWorldObjects()
    parts = [template.spriteLibrary, template.font, *(thing.rng for thing in objects)]
    return copy.deepcopy(template, {id(part): part for part in parts})


@cache  # a world with all its pictures; each episode copies it
def _template() -> Any:  # noqa: ANN401
    import pygame
    from discoveryworld.Agent import Agent
    from discoveryworld.Layer import Layer
    from discoveryworld.objects.Object import Object

    if pygame.display.get_surface() is None:
        pygame.display.set_mode((_TILE, _TILE))
    pygame.font.init()
    world = _make_map()
    for y, row in enumerate(ROWS):
        for x, letter in enumerate(row):
            kind = "Wall" if letter == "#" else "Floor"
            world.addObject(x, y, Layer.BUILDING, world.createObject(kind))
    for name, crystal, sprite in (
        (MANIPULATOR, MANIPULATOR_CRYSTAL, "instruments2_load_cell_interface"),
        (REACTOR, REACTOR_CRYSTAL, "instruments_crystal_reactor_off"),
    ):
        device = _put(world, _make_device(world, name, sprite), name)
        inside = world.createObject("QuantumCrystal")
        inside.attributes["isMovable"] = False
        _name(inside, crystal)
        device.addObject(inside, force=True)
    for name, kind in ((TABLE, "Table"), (DESK, "Table")):
        _put(world, world.createObject(kind), name)
    book = Object(world, BOOK, BOOK, "instruments2_rocketry_book")
    book.attributes |= {"isReadable": True}
    _name(book, BOOK)
    _find(world, TABLE).addObject(book, force=True)
    notebook = _make_device(world, NOTEBOOK, "instruments2_floppy_disk")
    _name(notebook, NOTEBOOK)
    _find(world, DESK).addObject(notebook, force=True)
    agent = Agent(world)
    agent.name = "you"
    world.addObject(*START, Layer.AGENT, agent)
    world.addAgent(agent)
    for place, spot in LANDINGS.items():
        world.addTeleportLocation(place, *spot)
    return world


def _make_map() -> Any:  # noqa: ANN401
    """Return a world of the size of the laboratory that keeps no history: turns are one."""
    from discoveryworld.World import World

    world = World(
        assetPath=None,
        filenameSpriteIndex="spriteIndex.json",
        dataPath=None,
        filenameObjectData="objects.tsv",
        filenameMaterialData="materials.tsv",
        filenameDiscoveryFeed="discoveryFeed.json",
    )
    world.sizeX, world.sizeY = WIDTH, HEIGHT
    world.grid = [[world.mkBlankGridTile() for _ in range(HEIGHT)] for _ in range(WIDTH)]
    world.uuidGenerator.existingUUIDs.update(range(_FIRST_FREE_NUMBER))
    world.saveWorldHistory = lambda: None  # It would take most of the time of a turn.
    return world


def _make_device(world: Any, name: str, sprite: str) -> Any:  # noqa: ANN401
    """Return something to talk to that stands still and looks the same from all sides."""
    from discoveryworld.Agent import NPCDevice

    device = NPCDevice(world, name, sprite)
    device.sprite, device.spriteCharacterPrefix = sprite, ""
    device.attributes |= {"isPassable": False, "isMovable": False, "contentsVisible2D": True}
    # Bound to the device: a copy of the laboratory then has devices that look at themselves.
    device.inferSpriteName = MethodType(_look_the_same, device)
    return device


def _look_the_same(device: Any, force: bool = False) -> None:  # noqa: ANN401, ARG001, FBT001, FBT002
    device.curSpriteName = device.tempLastSpriteName = device.sprite
    device.needsSpriteNameUpdate = True


def _put(world: Any, thing: Any, name: str) -> Any:  # noqa: ANN401
    from discoveryworld.Layer import Layer

    _name(thing, name)
    world.addObject(*find_spot(BY_NAME[name].letter), Layer.FURNITURE, thing)
    return thing


def _name(thing: Any, name: str) -> None:  # noqa: ANN401
    thing.name, thing.uuid = name, BY_NAME[name].number


def _find(world: Any, name: str) -> Any:  # noqa: ANN401
    return world.getObjectByUUID(BY_NAME[name].number)


def _make_interface(world: Any, agent: Any) -> Any:  # noqa: ANN401
    import pygame
    from discoveryworld.UserInterface import UserInterface

    interface = UserInterface(pygame.Surface((_TILE, _TILE)), world.spriteLibrary)
    interface.setAgent(agent)
    return interface
