"""Which world an interface opens."""

from typing import cast

from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.instance import LabInstance
from causarium.families.causalab.model.stored_instance import EitherInstance, is_bench
from causarium.families.causalab.play.bench_world import BenchWorld
from causarium.families.causalab.play.dialog import DialogWorld, open_bench_again
from causarium.families.causalab.play.world import LabWorld


def open_world(instance: EitherInstance, rules: LabRules) -> LabWorld | BenchWorld:
    """Open an instance under the interface of `rules`.

    Raises:
        MissingExtra: The interface needs a package that is not installed.
    """
    rules.check_interface_installed()
    if not is_bench(instance):
        return open_paper_world(cast("LabInstance", instance), rules)
    if not rules.has_body:
        return open_bench_again(instance, rules)
    from causarium.families.causalab.play.embodied import EmbodiedBenchWorld

    return EmbodiedBenchWorld(instance, rules)


def open_paper_world(instance: LabInstance, rules: LabRules) -> LabWorld:
    """Open an instance of the paper edition.

    Args:
        instance: What is played.
        rules: How it is played.
    """
    if rules.has_body:
        # Loads DiscoveryWorld, which takes seconds.
        from causarium.families.causalab.play.embodied import EmbodiedWorld

        return EmbodiedWorld(instance, rules)
    return DialogWorld(instance, rules) if rules.has_dialogs else LabWorld(instance, rules)
