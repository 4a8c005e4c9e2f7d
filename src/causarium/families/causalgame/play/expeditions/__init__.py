"""Certified edition: how expeditions are played."""
