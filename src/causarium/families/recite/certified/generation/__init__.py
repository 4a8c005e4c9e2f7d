"""Texts with passages in two versions, and the draw of a text with its twin."""

from .draw import generate

__all__ = ["generate"]
