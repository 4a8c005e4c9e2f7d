"""Playing the paper edition: worlds, prompts and replies; here, which world an interface opens."""

from causarium.contract.world import World
from ..levels import LabRules
from ..model.instance import LabInstance
from .dialog import DialogWorld
from .world import LabWorld


def open_world(instance: LabInstance, rules: LabRules) -> World:
    """Open an instance under the interface of `rules`.

    Raises:
        MissingExtra: The interface needs a package that is not installed.
    """
    rules.check_interface_installed()
    if rules.has_body:
        # Loads DiscoveryWorld, which takes seconds.
        from .embodied import EmbodiedWorld

        return EmbodiedWorld(instance, rules)
    return (DialogWorld if rules.has_dialogs else LabWorld)(instance, rules)
