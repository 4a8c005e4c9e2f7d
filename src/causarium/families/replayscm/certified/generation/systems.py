"""Draw a system, and show just so much of it that the rest is settled by the questions allowed."""

from random import Random

from ..levels import ReplayConfig
from ..mechanics.case import Case, System, foretell, list_systems, suppose
from ..mechanics.fits import TooManyError, estimate_fits
from .disguise import Drawn
from .items import ItemChooser, pick_kind
from .truths import Truth, draw_truth

_ESTIMATE = 4
"""A case with this many times the systems that may fit, hands and traits told, is not counted."""


def draw_system(config: ReplayConfig, rng: Random) -> Drawn:
    """Return a system of which the worlds shown and the questions allowed settle every item."""
    kinds = tuple(rng.choice("01?") for _ in range(config.whatifs))
    while True:
        truth = draw_truth(config, kinds, rng)
        if not config.questions[1] and not _can_ask(truth):
            continue
        drawn = _show_worlds(config, truth, rng)
        if drawn is not None:
            return drawn


def _can_ask(truth: Truth) -> bool:
    """Tell whether each row has a what-if with the answer that it is to have."""
    for row, kind in zip(truth.seen, truth.kinds, strict=True):
        said = foretell(truth.law, truth.rules, row, suppose(truth.law, row))
        pairs = zip(said.can_be_0, said.can_be_1, strict=True)
        if not any(pick_kind(kind, *pair) for pair in pairs):
            return False
    return True


def _show_worlds(config: ReplayConfig, truth: Truth, rng: Random) -> Drawn | None:
    """Show one world more until the case is as open as it should be; None if it never is."""
    least, most = config.systems
    last = _ESTIMATE * most * 4
    for count in range(config.worlds[0], config.worlds[1] + 1):
        if config.questions[1]:
            hands = truth.tell_hands(count)
            told = estimate_fits(truth.law, hands, truth.traits, truth.with_trait)
            if told > _ESTIMATE * most or 2 * told > last:
                continue
            last = told
        case = truth.lay_case(config, count)
        try:
            systems = list_systems(case, most)
        except TooManyError:
            continue
        if len(systems) < least:
            return None
        drawn = _choose_items(config, truth, case, systems, rng)
        if drawn is not None:
            return drawn
    return None


def _choose_items(
    config: ReplayConfig, truth: Truth, case: Case, systems: list[System], rng: Random
) -> Drawn | None:
    chooser = ItemChooser(config, truth, case, systems, rng)
    return chooser.choose_open() if config.questions[1] else chooser.choose_settled()
