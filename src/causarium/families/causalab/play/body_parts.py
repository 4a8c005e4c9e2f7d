"""What the laboratory adds to DiscoveryWorld's classes: a small map, and devices that stand still.

Imported only where the library is installed.
"""

from discoveryworld.Agent import NPCDevice
from discoveryworld.World import World

FIRST_FREE_NUMBER = 100
"""Numbers below are for the things that can be named."""


class LabWorldMap(World):  # type: ignore[misc]
    """A world of the size of the laboratory that keeps no history: an episode's turns are one."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(
            assetPath=None,
            filenameSpriteIndex="spriteIndex.json",
            dataPath=None,
            filenameObjectData="objects.tsv",
            filenameMaterialData="materials.tsv",
            filenameDiscoveryFeed="discoveryFeed.json",
        )
        self.sizeX, self.sizeY = width, height
        self.grid = [[self.mkBlankGridTile() for _ in range(height)] for _ in range(width)]
        self.uuidGenerator.existingUUIDs.update(range(FIRST_FREE_NUMBER))

    def saveWorldHistory(self) -> None:  # noqa: N802
        """Save nothing: it would take most of the time of a turn."""


class Device(NPCDevice):  # type: ignore[misc]
    """Something one can talk to that stands where it stands and holds what it holds."""

    def __init__(self, world: World, name: str, sprite: str) -> None:
        super().__init__(world, name, sprite)
        self.sprite = sprite
        self.spriteCharacterPrefix = ""
        self.attributes |= {"isPassable": False, "isMovable": False, "contentsVisible2D": True}

    def inferSpriteName(self, force: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002, N802
        """Look the same from all sides."""
        self.curSpriteName = self.tempLastSpriteName = self.sprite
        self.needsSpriteNameUpdate = True
