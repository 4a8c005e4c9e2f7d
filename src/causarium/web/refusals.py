"""Why a page is not shown, where the reason has a status of its own."""

from causarium.errors import UsageError


class TooLarge(UsageError):
    """More was sent than is taken."""


class StillOpen(UsageError):
    """A page that shows a truth is closed until the game on it is over."""
