"""The errors that causarium raises on purpose.

    CausariumError
    ├── UsageError        somebody asked for something that cannot work: exit 2, no traceback
    │   ├── UnknownName   a name that is not on a list; carries the nearest right one
    │   ├── BadFile       a file that cannot be used as it is
    │   └── MissingExtra  a package that an option needs is not installed
    ├── ContractError     our own code broke a promise of the contract
    │   └── GraphError    an impossible graph reached the mathematics
    └── RunError          the machinery failed: a provider, a sandbox, a log writer

An unreadable reply, an illegal action or a spent budget is none of these: it is data
(`contract.world.Unparsed`, an observation, a label of the verdict).

A message says what is wrong, what was given and what would work. How it looks is the
printer's business, so no message contains "Error:".
"""

from collections.abc import Iterable
from difflib import get_close_matches


class CausariumError(Exception):
    """Anything that causarium raises on purpose."""


class UsageError(CausariumError):
    """Somebody asked for something that cannot work."""


class UnknownName(UsageError):
    """A name that is not on a list, with the nearest one that is.

    Example:
        >>> str(UnknownName("family", "causalink", ["causallink", "causalab"]))
        "unknown family 'causalink'; did you mean 'causallink'? families: causalab, causallink"
    """

    def __init__(self, what: str, given: str, known: Iterable[str], *, plural: str = "") -> None:
        names = sorted(known)
        near = get_close_matches(given.lower(), names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        label = plural or (f"{what[:-1]}ies" if what.endswith("y") else f"{what}s")
        super().__init__(f"unknown {what} {given!r}; {hint}{label}: {', '.join(names) or 'none'}")
        self.given = given
        self.nearest = near[0] if near else None


class BadFile(UsageError):
    """A file that cannot be used as it is."""


class MissingExtra(UsageError):
    """Something needs a package that only an extra installs."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs an optional package: pip install 'causarium[{extra}]'")


class ContractError(CausariumError):
    """Our own code broke a promise of the contract."""


class GraphError(ContractError):
    """An impossible graph reached the mathematics."""


class RunError(CausariumError):
    """The machinery failed: a provider, a sandbox, a log writer."""
