"""Drawing instances."""

from .draw import generate

__all__ = ["generate"]
