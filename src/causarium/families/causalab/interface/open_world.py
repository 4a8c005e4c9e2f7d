"""Which world an interface opens."""

from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.interface.dialog import DialogWorld
from causarium.families.causalab.world import LabWorld


def open_world(instance: LabInstance, rules: LabRules) -> LabWorld:
    """Open an instance under the interface of `rules`.

    Raises:
        MissingExtra: The interface needs a package that is not installed.
    """
    rules.check_interface_installed()
    if rules.has_body:
        # Loads DiscoveryWorld, which takes seconds.
        from causarium.families.causalab.interface.embodied import EmbodiedWorld

        return EmbodiedWorld(instance, rules)
    return DialogWorld(instance, rules) if rules.has_dialogs else LabWorld(instance, rules)
