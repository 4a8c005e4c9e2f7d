"""Playing CausaLab: worlds, prompts and replies; here, which world an interface opens."""

from typing import cast

from causarium.contract.world import World
from ..model.config import LabRules
from ..model.stored_instance import EitherInstance, by_edition
from .dialog import DialogWorld, open_bench_again
from .world import LabWorld


def open_world(instance: EitherInstance, rules: LabRules) -> World:
    """Open an instance under the interface of `rules`.

    Raises:
        MissingExtra: The interface needs a package that is not installed.
    """
    rules.check_interface_installed()
    if rules.has_body:
        # Loads DiscoveryWorld, which takes seconds.
        from .embodied import EmbodiedBenchWorld, EmbodiedWorld

        return cast("World", by_edition(EmbodiedBenchWorld, EmbodiedWorld)(instance, rules))
    paper = DialogWorld if rules.has_dialogs else LabWorld
    return cast("World", by_edition(open_bench_again, paper)(instance, rules))
